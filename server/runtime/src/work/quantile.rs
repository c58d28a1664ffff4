//! A duration that a given share of all observations does not exceed, learned as they come.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// How far one observation moves the estimate, in natural logarithms.
const STEP: f64 = 0.5;
/// Observations from which on the share is estimated: before, the greatest so far is.
const SEEN_LEAST: u32 = 20;
/// Observations below a microsecond count as one: the estimate stays positive.
const LEAST_S: f64 = 1e-6;
const MOST_S: f64 = 3_600.0;

/// The estimate of a quantile, by stochastic approximation on the logarithm (Robbins and Monro,
/// 1951): an observation above it raises it by `STEP` times the share below, one that is not lowers
/// it by `STEP` times the share above. In equilibrium the shares are those asked for; old
/// observations are forgotten exponentially.
#[derive(Debug)]
pub struct Quantile {
    share: f64,
    seen: AtomicU32,
    /// Bits of the logarithm of seconds.
    estimate: AtomicU64,
}

impl Quantile {
    /// Of a share of observations, above 0 and below 1.
    pub fn new(share: f64) -> Self {
        Self {
            share,
            seen: AtomicU32::new(0),
            estimate: AtomicU64::new(LEAST_S.ln().to_bits()),
        }
    }

    /// Whether there were enough observations for more than a guess.
    pub fn is_known(&self) -> bool {
        self.seen.load(Ordering::Relaxed) >= SEEN_LEAST
    }

    /// What the share does not exceed.
    pub fn value(&self) -> Duration {
        let estimate = f64::from_bits(self.estimate.load(Ordering::Relaxed));
        Duration::from_secs_f64(estimate.exp())
    }

    /// One more observation.
    pub fn learn(&self, observed: Duration) {
        let observed = observed.as_secs_f64().max(LEAST_S).ln();
        let is_known = self.is_known();
        let moved = |bits| {
            let estimate = f64::from_bits(bits);
            if !is_known {
                return Some(estimate.max(observed).to_bits());
            }
            let by = if observed > estimate {
                STEP * self.share
            } else {
                STEP * (self.share - 1.0)
            };
            let moved = (estimate + by).clamp(LEAST_S.ln(), MOST_S.ln());
            Some(moved.to_bits())
        };
        // It always says what to write.
        let _ = self
            .estimate
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, moved);
        if !is_known {
            self.seen.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Evenly spread over a range, in an order without a pattern.
    fn spread(count: u64, most: u64) -> impl Iterator<Item = Duration> {
        let mix = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        (0..count).map(move |i| Duration::from_micros(mix(i) % most))
    }

    #[test]
    fn the_share_of_observations_above_it_is_the_one_asked_for() {
        for share in [0.5, 0.95, 0.995] {
            let quantile = Quantile::new(share);
            spread(2_000, 10_000).for_each(|it| quantile.learn(it));
            let (mut above, count) = (0_u32, 50_000);
            for observed in spread(count, 10_000) {
                above += u32::from(observed > quantile.value());
                quantile.learn(observed);
            }
            let above = f64::from(above) / count as f64;
            let wanted = 1.0 - share;
            assert!((above - wanted).abs() < 0.1 * wanted, "{share}: {above}");
        }
    }

    #[test]
    fn it_follows_when_everything_takes_longer_and_comes_back() {
        let quantile = Quantile::new(0.995);
        (0..30).for_each(|_| quantile.learn(Duration::from_millis(1)));
        (0..10).for_each(|_| quantile.learn(Duration::from_millis(50)));
        assert!(quantile.value() > Duration::from_millis(30));
        (0..4_000).for_each(|_| quantile.learn(Duration::from_micros(100)));
        assert!(quantile.value() < Duration::from_micros(200));
    }

    #[test]
    fn the_first_observations_count_with_the_greatest_of_them() {
        let quantile = Quantile::new(0.95);
        for micros in [100, 300, 200] {
            quantile.learn(Duration::from_micros(micros));
        }
        let off = quantile.value().as_secs_f64() - 300e-6;
        assert!(off.abs() < 1e-9 && !quantile.is_known());
        (0..17).for_each(|_| quantile.learn(Duration::ZERO));
        assert!(quantile.is_known());
    }
}
