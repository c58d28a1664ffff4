//! The check of fronts: every point is walked through, and no two points of a front dominate each other.

use crate::plan::{Cost, Plan, Point, Role};
use crate::problem::{Limit, Problem};

/// One broken rule. Variants name numbers of players, points and roles; `players` counts from 1, the others from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum Violation {
    /// One front for each number of players.
    #[error("{given} fronts for 1 to {expected} players")]
    FrontCount { given: usize, expected: usize },
    /// Another number of roles than players.
    #[error("point {point} for {players} players has {given} roles")]
    RoleCount {
        players: usize,
        point: usize,
        given: usize,
    },
    /// A role of a player or a tool that does not exist or has a role already.
    #[error(
        "role {role} of point {point} for {players} players is of player {player} with tool {tool}, who do not exist or are taken"
    )]
    Taken {
        players: usize,
        point: usize,
        role: usize,
        player: usize,
        tool: usize,
    },
    /// A way that is none: wrong ends, or no arc.
    #[error("role {role} of point {point} for {players} players: there is no such way to the {to}")]
    Way {
        players: usize,
        point: usize,
        role: usize,
        to: &'static str,
    },
    /// A point that claims another time or damage than its roles have.
    #[error(
        "point {point} for {players} players claims {time_ms} ms and {damage_milli} thousandths, but has {real_time_ms} and {real_damage_milli}"
    )]
    Claim {
        players: usize,
        point: usize,
        time_ms: u64,
        damage_milli: u64,
        real_time_ms: u64,
        real_damage_milli: u64,
    },
    /// A point beyond a limit.
    #[error("point {point} for {players} players is beyond the limit of {what}")]
    Limit {
        players: usize,
        point: usize,
        what: &'static str,
    },
    /// Points out of order, or one that is dominated.
    #[error(
        "point {point} for {players} players is not later and less damaging than the one before"
    )]
    Order { players: usize, point: usize },
    /// A point that says wrongly whether fewer players do as well.
    #[error("point {point} for {players} players says wrongly whether fewer do as well")]
    Fewer { players: usize, point: usize },
}

/// The cost of fronts. That they are complete cannot be seen from them: see the tests.
///
/// # Errors
/// Every broken rule.
pub fn verify(problem: &Problem, plan: &Plan) -> Result<Cost, Vec<Violation>> {
    let expected = problem.spec().efforts.len();
    let given = plan.fronts.len();
    if given != expected {
        return Err(vec![Violation::FrontCount { given, expected }]);
    }
    let mut violations = Vec::new();
    for (index, front) in plan.fronts.iter().enumerate() {
        let players = index + 1;
        for (point, it) in front.iter().enumerate() {
            check_point(problem, (players, point), it, &mut violations);
            let before = point.checked_sub(1).map(|before| &front[before]);
            if before.is_some_and(|before| {
                before.time_ms >= it.time_ms || before.damage_milli <= it.damage_milli
            }) {
                violations.push(Violation::Order { players, point });
            }
            let fewer = plan.fronts[..index]
                .iter()
                .flatten()
                .any(|other| other.time_ms <= it.time_ms && other.damage_milli <= it.damage_milli);
            if fewer != it.fewer_do {
                violations.push(Violation::Fewer { players, point });
            }
        }
    }
    if violations.is_empty() {
        Ok(Cost { open: 0 })
    } else {
        Err(violations)
    }
}

fn check_point(
    problem: &Problem,
    (players, point): (usize, usize),
    it: &Point,
    violations: &mut Vec<Violation>,
) {
    let spec = problem.spec();
    if it.roles.len() != players {
        let given = it.roles.len();
        violations.push(Violation::RoleCount {
            players,
            point,
            given,
        });
    }
    let (mut worst_time, mut worst_damage) = (0, 0);
    for (role, part) in it.roles.iter().enumerate() {
        match check_role(problem, part, &it.roles[..role]) {
            Ok((time, damage)) => {
                worst_time = worst_time.max(time);
                worst_damage = worst_damage.max(damage);
            }
            Err(Flaw::Way(to)) => violations.push(Violation::Way {
                players,
                point,
                role,
                to,
            }),
            Err(Flaw::Taken) => violations.push(Violation::Taken {
                players,
                point,
                role,
                player: part.player,
                tool: part.tool,
            }),
        }
    }
    let effort = spec.efforts[players - 1];
    let claim = (
        worst_time + effort.time_ms,
        worst_damage + effort.damage_milli,
    );
    check_claim(problem, (players, point, it), claim, violations);
}

/// Whether a point claims what its roles have, and keeps the limits.
fn check_claim(
    problem: &Problem,
    (players, point, it): (usize, usize, &Point),
    (real_time_ms, real_damage_milli): (u64, u64),
    violations: &mut Vec<Violation>,
) {
    let spec = problem.spec();
    if (it.time_ms, it.damage_milli) != (real_time_ms, real_damage_milli) {
        violations.push(Violation::Claim {
            players,
            point,
            time_ms: it.time_ms,
            damage_milli: it.damage_milli,
            real_time_ms,
            real_damage_milli,
        });
    }
    let too_much = match spec.damage_max {
        Limit::Within(most) => real_damage_milli > most,
        Limit::Below(limit) => real_damage_milli >= limit,
    };
    for (what, broken) in [
        ("time", real_time_ms > spec.time_max_ms),
        ("damage", too_much),
    ] {
        if broken {
            violations.push(Violation::Limit {
                players,
                point,
                what,
            });
        }
    }
}

/// What is wrong with a role.
enum Flaw {
    /// Its player or tool does not exist, or has a role already.
    Taken,
    /// There is no such way to this.
    Way(&'static str),
}

/// Time and damage of a role, after those before.
fn check_role(problem: &Problem, part: &Role, before: &[Role]) -> Result<(u64, u64), Flaw> {
    let spec = problem.spec();
    let Role { player, tool, .. } = *part;
    let mut before = before.iter();
    let taken = before.any(|other| other.player == player || other.tool == tool);
    if taken || player >= spec.players.len() || tool >= spec.tools.len() {
        return Err(Flaw::Taken);
    }
    let (start, there) = (spec.players[player], spec.tools[tool]);
    let fetch = walk(problem, &part.fetch, (start, there), true).ok_or(Flaw::Way("tool"))?;
    let carry = walk(problem, &part.carry, (there, spec.event), false);
    let carry = carry.ok_or(Flaw::Way("event"))?;
    Ok((fetch.0 + carry.0, fetch.1 + carry.1))
}

/// Time and damage of a way; none where it is none.
fn walk(
    problem: &Problem,
    way: &[usize],
    (start, end): (usize, usize),
    fetches: bool,
) -> Option<(u64, u64)> {
    let exist = way.iter().all(|vertex| *vertex < problem.spec().vertices);
    if !exist || way.first() != Some(&start) || way.last() != Some(&end) {
        return None;
    }
    let (mut time, mut damage) = (0, 0);
    for step in way.windows(2) {
        let mut arcs = problem.arcs_from(step[0]).iter();
        let arc = arcs.find_map(|arc| {
            let arc = &problem.spec().arcs[*arc as usize];
            (arc.to == step[1]).then_some(arc)
        })?;
        time += arc.time_ms;
        damage += if fetches {
            arc.fetch_milli
        } else {
            arc.carry_milli
        };
    }
    Some((time, damage))
}
