//! What facts follow from.

/// A set of decision levels, from 1 on. Level 63 stands for itself and all above, so that a set of
/// levels may be larger than needed but never smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Levels(u64);

/// The level that stands for all from it on.
const LAST: usize = 63;

impl Levels {
    pub(super) fn of(level: usize) -> Self {
        Self(1 << level.min(LAST))
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether `level`, at least 1, is one of them.
    pub(super) fn has(self, level: usize) -> bool {
        self.0 >> level.min(LAST) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn high_levels_stand_for_all_above() {
        let levels = Levels::of(3).with(Levels::of(70));
        assert!(levels.has(3) && levels.has(63) && levels.has(1_000));
        assert!(!levels.has(62) && !levels.is_empty());
    }
}
