//! UCB1.

use anytime::math;

/// What a parent of `visits` visits contributes to the exploration term of its children:
/// C sqrt(ln n_v), the part of equation 2.1 of Kartal 2016 that all children share.
pub(crate) fn exploration_scale(exploration: f64, visits: u32) -> f64 {
    exploration * math::ln(f64::from(visits.max(1))).sqrt()
}

/// Equation 2.1 of Kartal 2016: W + C sqrt(ln n_v / c_v), with `scale` = C sqrt(ln n_v), c_v =
/// `visits` > 0.
pub(crate) fn ucb1(value: f64, scale: f64, visits: u32) -> f64 {
    value + scale / f64::from(visits).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::SQRT_2;

    #[test]
    fn ucb1_is_equation_2_1() {
        let by_hand = 0.25 + SQRT_2 * (math::ln(20.0) / 5.0).sqrt();
        let own = ucb1(0.25, exploration_scale(SQRT_2, 20), 5);
        assert!((own - by_hand).abs() < 1e-12, "{own} {by_hand}");
    }
}
