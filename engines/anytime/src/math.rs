//! Elementary functions that return the same bits on every machine.
//!
//! The standard library leaves the precision of its own to the platform: they may differ in the
//! last bit between systems, versions and processors, and one bit can change a search. These are
//! those of `libm`, compiled from Rust: they add, multiply and divide, which IEEE 754 defines
//! exactly. `clippy.toml` of planners and engines bans the standard library's. `sqrt` and `mul_add`
//! are exact there, too, and allowed.

/// The base of the natural logarithm to the power of `x`.
#[must_use]
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// 2 to the power of `x`.
#[must_use]
pub fn exp2(x: f64) -> f64 {
    libm::exp2(x)
}

/// The natural logarithm; NaN below 0, minus infinity at 0.
#[must_use]
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// The logarithm to base 2; NaN below 0, minus infinity at 0.
#[must_use]
pub fn log2(x: f64) -> f64 {
    libm::log2(x)
}

/// `x` to the power of `y`.
#[must_use]
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// The complementary error function: 1 minus the error function, precise where that is near 1.
#[must_use]
pub fn erfc(x: f64) -> f64 {
    libm::erfc(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FNV-1a, 64 bits.
    fn digest(values: impl Iterator<Item = f64>) -> u64 {
        let bytes = values.flat_map(|value| value.to_bits().to_le_bytes());
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }

    /// Numbers from 1/1024 to 1024, in no simple ratio.
    fn numbers() -> impl Iterator<Item = f64> {
        (0..20_000).map(|step| f64::from(step * step % 10_007 + 1) * 0.102_329 + 1.0 / 1024.0)
    }

    #[test]
    fn bits_are_the_same_on_every_machine() {
        let x = || numbers();
        let digests = [
            digest(x().map(|x| exp(-x))),
            digest(x().map(|x| exp2(x - 512.0))),
            digest(x().map(ln)),
            digest(x().map(log2)),
            digest(x().map(|x| pow(x, 0.3))),
            digest(x().map(|x| erfc(x / 40.0 - 2.0))),
        ];
        let known = [
            0xcb68_1ba7_2065_1468,
            0x8ff5_7fd8_a355_6bbd,
            0x3867_388e_93b6_8917,
            0xc77a_82ea_73bc_faf9,
            0x873a_f8bd_e0b2_1041,
            0x28b9_406f_a731_5dae,
        ];
        assert_eq!(digests, known, "{digests:#x?}");
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "what they are compared with")]
    fn values_are_those_of_the_standard_library_but_for_the_last_bits() {
        let close = |own: f64, std: f64| {
            (own - std).abs() <= 4.0 * f64::EPSILON * std.abs().max(f64::MIN_POSITIVE)
        };
        for x in numbers() {
            assert!(close(exp(-x), (-x).exp()), "{x}");
            assert!(close(exp2(x - 512.0), (x - 512.0).exp2()), "{x}");
            assert!(close(ln(x), x.ln()), "{x}");
            assert!(close(log2(x), x.log2()), "{x}");
            assert!(close(pow(x, 0.3), x.powf(0.3)), "{x}");
        }
    }

    #[test]
    fn the_complementary_error_function_is_that_of_tables() {
        for (x, known) in [
            (-1.0, 1.842_700_792_949_715),
            (0.0, 1.0),
            (0.5, 0.479_500_122_186_953_5),
            (2.0, 0.004_677_734_981_047_266),
            (10.0, 2.088_487_583_762_545e-45),
        ] {
            assert!((erfc(x) - known).abs() <= 1e-14 * known, "{x}");
        }
    }
}
