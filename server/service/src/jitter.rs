//! Randomness for times, so that those who were treated alike do not come back in step.

use std::hash::{BuildHasher as _, RandomState};

/// A number from 0 to 1. Neither secret nor reproducible.
pub(crate) fn random_share() -> f64 {
    // Each state has keys of its own.
    RandomState::new().hash_one(0) as f64 / u64::MAX as f64
}

#[cfg(test)]
mod tests {
    use super::random_share;

    #[test]
    fn shares_differ_and_fill_the_range() {
        let shares: Vec<f64> = (0..1_000).map(|_| random_share()).collect();
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
        for tenth in 0..10 {
            let low = f64::from(tenth) / 10.0;
            let within = |share: &&f64| (low..low + 0.1).contains(*share);
            assert!(shares.iter().filter(within).count() > 40, "from {low}");
        }
    }
}
