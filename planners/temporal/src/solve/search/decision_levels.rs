//! The decisions from which facts follow.

/// A set of decision levels, from 1 on. Level 63 stands for itself and all above, so that a set of
/// levels may be larger than needed but never smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct DecisionLevels(u64);

/// The level that stands for all from it on.
const LAST: usize = 63;

impl DecisionLevels {
    pub(super) fn single(level: usize) -> Self {
        Self(1 << level.min(LAST))
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether `level`, at least 1, is one of them.
    pub(super) fn contains(self, level: usize) -> bool {
        self.0 >> level.min(LAST) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn high_levels_stand_for_all_above() {
        let levels = DecisionLevels::single(3).union(DecisionLevels::single(70));
        assert!(levels.contains(3) && levels.contains(63) && levels.contains(1_000));
        assert!(!levels.contains(62) && !levels.is_empty());
    }
}
