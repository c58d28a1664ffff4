//! UCB1, with arithmetic that is the same on every machine.

use std::f64::consts::{LN_2, SQRT_2};

/// What a parent of `visits` visits contributes to the exploration term of its children:
/// C sqrt(ln n_v), the part of equation 2.1 of Kartal 2016 that all children share.
pub(crate) fn exploration_scale(exploration: f64, visits: u32) -> f64 {
    exploration * natural_logarithm(visits.max(1)).sqrt()
}

/// Equation 2.1 of Kartal 2016: W + C sqrt(ln n_v / c_v), with `scale` = C sqrt(ln n_v), c_v =
/// `visits` > 0.
pub(crate) fn ucb1(value: f64, scale: f64, visits: u32) -> f64 {
    value + scale / f64::from(visits).sqrt()
}

/// ln n for n >= 1, exact to 1e-14. The standard library's may differ in the last bit between
/// platforms, and one bit can change a search; here are only operations that IEEE 754 defines
/// exactly.
fn natural_logarithm(n: u32) -> f64 {
    let mut exponent = n.ilog2();
    let mut mantissa = f64::from(n) / (1_u64 << exponent) as f64;
    if mantissa > SQRT_2 {
        mantissa /= 2.0;
        exponent += 1;
    }
    // ln m = 2 artanh s with s = (m - 1) / (m + 1), |s| < 0.172: the ninth term is below 1e-14.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let mut series = 0.0;
    for odd in [17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0] {
        series = series * square + 1.0 / odd;
    }
    f64::from(exponent) * LN_2 + 2.0 * s * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithm_agrees_with_the_standard_library() {
        for n in (1..5000)
            .chain((0..32).map(|bit| 1 << bit))
            .chain([u32::MAX, 3_037_000_500])
        {
            let (own, std) = (natural_logarithm(n), f64::from(n).ln());
            assert!(
                (own - std).abs() <= 1e-13 * std.max(1.0),
                "{n}: {own} {std}"
            );
        }
    }

    #[test]
    fn ucb1_is_equation_2_1() {
        let by_hand = 0.25 + SQRT_2 * (20_f64.ln() / 5.0).sqrt();
        let own = ucb1(0.25, exploration_scale(SQRT_2, 20), 5);
        assert!((own - by_hand).abs() < 1e-12, "{own} {by_hand}");
    }
}
