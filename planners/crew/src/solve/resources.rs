//! Time and damage: the resources of label setting.

use std::ops::Add;

/// Time and damage of a path, or what of them is allowed at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Resources {
    /// In microseconds.
    pub time: u64,
    /// In millionths.
    pub damage: u64,
}

impl Resources {
    pub(super) fn new(time: u64, damage: u64) -> Self {
        Self { time, damage }
    }

    /// Time and damage for each vertex; `None` where either is missing.
    pub(super) fn zip(times: Vec<Option<u64>>, damages: Vec<Option<u64>>) -> Vec<Option<Self>> {
        let both = times.into_iter().zip(damages);
        both.map(|(time, damage)| Some(Self::new(time?, damage?)))
            .collect()
    }

    /// Whether neither is above its limit.
    pub(super) fn fit(self, limits: Self) -> bool {
        self.time <= limits.time && self.damage <= limits.damage
    }

    /// What is left after a use; `None` where it uses more than there is.
    pub(super) fn minus(self, used: Self) -> Option<Self> {
        let time = self.time.checked_sub(used.time)?;
        Some(Self::new(time, self.damage.checked_sub(used.damage)?))
    }

    /// The less of both times, and of both damages.
    pub(super) fn min(self, other: Self) -> Self {
        Self::new(self.time.min(other.time), self.damage.min(other.damage))
    }

    /// The more of both times, and of both damages.
    pub(super) fn max(self, other: Self) -> Self {
        Self::new(self.time.max(other.time), self.damage.max(other.damage))
    }

    /// As compared in queues: by time, then by damage.
    pub(super) fn pair(self) -> (u64, u64) {
        (self.time, self.damage)
    }
}

impl Add for Resources {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.time + other.time, self.damage + other.damage)
    }
}
