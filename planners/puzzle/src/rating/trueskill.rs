//! TrueSkill of two players and one game: Herbrich, Minka, Graepel 2006, equations for v and w in
//! section 3. The normal distribution comes from [`anytime::math`], so that ratings have the same
//! bits on every machine.

use super::Harder;
use anytime::math;
use std::f64::consts::{PI, SQRT_2};

/// Probabilities below this are taken for the limits that v and w approach.
const TINY: f64 = 1e-160;

/// A normal distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Skill {
    pub(super) mean: f64,
    pub(super) deviation: f64,
}

impl Skill {
    /// Before the first game.
    pub(super) const FIRST: Self = Self {
        mean: 25.0,
        deviation: 25.0 / 3.0,
    };
}

/// Parameters of games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Game {
    /// Deviation of a performance from the skill: beta.
    beta: f64,
    /// Performances that differ by less are a draw: epsilon.
    margin: f64,
    /// Variance that a skill gains before each game: tau, squared.
    drift: f64,
}

impl Game {
    /// The usual performances, with this probability of a draw, below 1, and this deviation of a
    /// skill from game to game.
    pub(super) fn new(draws: f64, drift: f64) -> Self {
        Self::with_beta(Skill::FIRST.deviation / 2.0, draws, drift)
    }

    fn with_beta(beta: f64, draws: f64, drift: f64) -> Self {
        Self {
            beta,
            margin: quantile(f64::midpoint(draws, 1.0)) * SQRT_2 * beta,
            drift: drift * drift,
        }
    }

    /// Skills after a game.
    pub(super) fn played(&self, first: Skill, second: Skill, harder: Harder) -> (Skill, Skill) {
        if harder == Harder::Second {
            let (second, first) = self.played(second, first, Harder::First);
            return (first, second);
        }
        let variance = |skill: Skill| skill.deviation * skill.deviation + self.drift;
        let variances = [variance(first), variance(second)];
        let all = 2.0 * self.beta * self.beta + variances[0] + variances[1];
        let c = all.sqrt();
        let (t, e) = ((first.mean - second.mean) / c, self.margin / c);
        let (v, w) = match harder {
            Harder::Neither => draw(t, e),
            _ => win(t, e),
        };
        let after = |skill: Skill, variance: f64, sign: f64| Skill {
            mean: skill.mean + sign * variance / c * v,
            deviation: (variance * (1.0 - variance / all * w)).sqrt(),
        };
        (
            after(first, variances[0], 1.0),
            after(second, variances[1], -1.0),
        )
    }
}

/// v and w of a game that was won, by a lead `t` and a margin `e`.
fn win(t: f64, e: f64) -> (f64, f64) {
    let x = t - e;
    let chance = normal(x);
    if chance < TINY {
        return (-x, 1.0);
    }
    let v = density(x) / chance;
    (v, v * (v + x))
}

/// v and w of a draw.
fn draw(t: f64, e: f64) -> (f64, f64) {
    let lead = t.abs();
    let (near, far) = (e - lead, e + lead);
    let chance = normal(near) - normal(-far);
    let (v, w) = if chance < TINY {
        (near, 1.0)
    } else {
        let v = (density(far) - density(near)) / chance;
        let w = v * v + (near * density(near) + far * density(far)) / chance;
        (v, w)
    };
    (if t < 0.0 { -v } else { v }, w)
}

/// Density of the standard normal distribution.
fn density(x: f64) -> f64 {
    math::exp(-x * x / 2.0) / (2.0 * PI).sqrt()
}

/// The standard normal distribution.
fn normal(x: f64) -> f64 {
    math::erfc(-x / SQRT_2) / 2.0
}

/// Where the standard normal distribution is `share`, from one half to below 1: by bisection, to
/// the last bit.
fn quantile(share: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return low;
        }
        if normal(middle) < share {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill(mean: f64, deviation: f64) -> Skill {
        Skill { mean, deviation }
    }

    fn assert_close(found: Skill, published: (f64, f64), digits: f64) {
        let off = (found.mean - published.0)
            .abs()
            .max((found.deviation - published.1).abs());
        assert!(off < digits, "{found:?} is not {published:?}");
    }

    /// J. Moser, "Computing your skill", 2010: tests of its TrueSkill calculator, two players, one
    /// game.
    #[test]
    fn published_values_are_met() {
        let game = Game::new(0.1, 25.0 / 300.0);
        let (won, lost) = game.played(Skill::FIRST, Skill::FIRST, Harder::First);
        assert_close(won, (29.395_831_693, 7.171_475_587), 1e-5);
        assert_close(lost, (20.604_168_307, 7.171_475_587), 1e-5);
        let (one, other) = game.played(Skill::FIRST, Skill::FIRST, Harder::Neither);
        assert_close(one, (25.0, 6.457_515_683), 1e-5);
        assert_close(other, (25.0, 6.457_515_683), 1e-5);
        let (one, other) = game.played(Skill::FIRST, skill(50.0, 12.5), Harder::Neither);
        assert_close(one, (31.662_3, 7.137_4), 1e-3);
        assert_close(other, (35.010_7, 7.910_1), 1e-3);
        let chess = Game::with_beta(200.0, 0.03, 4.0);
        let players = [skill(1_301.000_7, 42.923_2), skill(1_188.756_0, 42.557_0)];
        let (won, lost) = chess.played(players[0], players[1], Harder::First);
        assert_close(won, (1_304.782_083_6, 42.843_513_9), 1e-2);
        assert_close(lost, (1_185.038_309_9, 42.485_604_6), 1e-2);
    }

    #[test]
    fn quantiles_are_those_of_tables() {
        for (share, known) in [
            (0.5, 0.0),
            (0.55, 0.125_661_346_855),
            (0.975, 1.959_963_984_540),
        ] {
            assert!((quantile(share) - known).abs() < 1e-11, "{share}");
        }
    }

    #[test]
    fn surprises_however_large_leave_skills_finite_and_surer() {
        let game = Game::new(0.0, 0.0);
        for lead in [0.0, 1.0, 50.0, 300.0, 1e4, 1e8] {
            for harder in [Harder::First, Harder::Second, Harder::Neither] {
                let (strong, weak) = (skill(lead, 1.0), skill(-lead, 1.0));
                let (one, other) = game.played(strong, weak, harder);
                for after in [one, other] {
                    assert!(after.mean.is_finite(), "{lead} {harder:?}");
                    assert!(
                        (0.0..=1.0).contains(&after.deviation),
                        "{lead} {harder:?} {after:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn who_is_called_the_first_does_not_matter() {
        let game = Game::new(0.2, 0.1);
        let (one, other) = (skill(31.0, 2.0), skill(22.5, 6.0));
        for (harder, turned) in [
            (Harder::First, Harder::Second),
            (Harder::Second, Harder::First),
            (Harder::Neither, Harder::Neither),
        ] {
            let (a, b) = game.played(one, other, harder);
            assert_eq!(game.played(other, one, turned), (b, a));
        }
    }

    #[test]
    fn bits_are_the_same_on_every_machine() {
        let game = Game::new(0.1, 0.0);
        let mut skills = [Skill::FIRST; 3];
        for step in 0..300 {
            let (one, other) = (step % 3, (step + 1) % 3);
            let harder = [Harder::First, Harder::Second, Harder::Neither][step * step % 7 % 3];
            (skills[one], skills[other]) = game.played(skills[one], skills[other], harder);
        }
        let bits = skills.map(|skill| [skill.mean.to_bits(), skill.deviation.to_bits()]);
        let known = [
            [0x4039_5e87_f90f_1939, 0x3fdf_5807_896e_c275],
            [0x4039_3abf_2ad2_e0c5, 0x3fdf_5661_ff75_329d],
            [0x4039_4c9a_b70f_052b, 0x3fdf_50ae_2f4a_aea6],
        ];
        assert_eq!(bits, known, "{bits:#x?}");
    }
}
