//! The check of fronts: every assignment is walked through, and no two points of a front dominate
//! each other.

mod joint;
mod violation;

pub use violation::{At, Violation};

use crate::moves::{Move, MoveError};
use crate::plan::{Cost, Front, Plan, Point, Role};
use crate::problem::{Event, Limit, Problem};
use std::collections::BTreeSet;

/// The cost of fronts. That they are complete cannot be seen from them: see the tests.
///
/// # Errors
/// Every broken rule.
pub fn verify(problem: &Problem, plan: &Plan) -> Result<Cost, Vec<Violation>> {
    let mut violations = Vec::new();
    let events = &problem.spec().events;
    if plan.events.len() != events.len() {
        return Err(vec![Violation::EventCount {
            given: plan.events.len(),
            expected: events.len(),
        }]);
    }
    for (index, (event, fronts)) in events.iter().zip(&plan.events).enumerate() {
        check_event(problem, (index, event), fronts, &mut violations);
    }
    joint::check(problem, plan.joint.as_ref(), &mut violations);
    if violations.is_empty() {
        let fronts = plan.events.iter().flatten();
        let joint = plan.joint.iter().filter(|joint| !joint.is_known);
        let open = fronts.filter(|front| !front.is_known).count() + joint.count();
        Ok(Cost {
            open: u32::try_from(open).unwrap_or(u32::MAX),
        })
    } else {
        Err(violations)
    }
}

fn check_event(
    problem: &Problem,
    (index, event): (usize, &Event),
    fronts: &[Front],
    violations: &mut Vec<Violation>,
) {
    if fronts.len() != event.efforts.len() {
        violations.push(Violation::FrontCount {
            event: index,
            given: fronts.len(),
            expected: event.efforts.len(),
        });
        return;
    }
    for (size, front) in fronts.iter().enumerate() {
        for (point, it) in front.points.iter().enumerate() {
            let at = At {
                event: index,
                players: size + 1,
                point,
            };
            check_point((problem, event), at, it, violations);
            let before = point.checked_sub(1).map(|before| &front.points[before]);
            if before.is_some_and(|before| {
                before.time_us >= it.time_us || before.damage_micro <= it.damage_micro
            }) {
                violations.push(Violation::Order { at });
            }
            let fewer = fronts[..size].iter().flat_map(|front| &front.points);
            let fewer = { fewer }
                .any(|other| other.time_us <= it.time_us && other.damage_micro <= it.damage_micro);
            if fewer != it.fewer_do {
                violations.push(Violation::Fewer { at });
            }
        }
    }
}

/// Checks a point: what its roles do, and those of all others.
fn check_point(
    (problem, event): (&Problem, &Event),
    at: At,
    it: &Point,
    violations: &mut Vec<Violation>,
) {
    let all = std::iter::once(&it.roles).chain(&it.others);
    let mut seen = BTreeSet::new();
    for (assignment, roles) in all.enumerate() {
        let context = (problem, event);
        check_assignment(context, (at, assignment), (it, roles), violations);
        if !seen.insert(pairs(roles)) {
            violations.push(Violation::Repeated { at, assignment });
        }
    }
}

/// Who takes what.
fn pairs(roles: &[Role]) -> Vec<(usize, usize)> {
    let mut pairs: Vec<_> = roles.iter().map(|role| (role.player, role.tool)).collect();
    pairs.sort_unstable();
    pairs
}

fn check_assignment(
    (problem, event): (&Problem, &Event),
    (at, assignment): (At, usize),
    (it, roles): (&Point, &[Role]),
    violations: &mut Vec<Violation>,
) {
    if roles.len() != at.players {
        let given = roles.len();
        violations.push(Violation::RoleCount {
            at,
            assignment,
            given,
        });
    }
    let (mut worst_time, mut worst_damage) = (0, 0);
    for (role, part) in roles.iter().enumerate() {
        match check_role((problem, event), part, &roles[..role]) {
            Ok((time, damage)) => {
                worst_time = worst_time.max(time);
                worst_damage = worst_damage.max(damage);
            }
            Err(Flaw::Way(to)) => violations.push(Violation::Way {
                at,
                assignment,
                role,
                to,
            }),
            Err(Flaw::Twice(vertex)) => violations.push(Violation::Twice {
                at,
                assignment,
                role,
                vertex,
            }),
            Err(Flaw::Taken) => violations.push(Violation::Taken {
                at,
                assignment,
                role,
                player: part.player,
                tool: part.tool,
            }),
        }
    }
    let effort = event.efforts[at.players - 1];
    let real = (
        worst_time + effort.time_us,
        worst_damage + effort.damage_micro,
    );
    check_claim(problem, (at, assignment, it), real, violations);
}

/// Whether a point claims what an assignment has, which keeps the limits.
fn check_claim(
    problem: &Problem,
    (at, assignment, it): (At, usize, &Point),
    (real_time_us, real_damage_micro): (u64, u64),
    violations: &mut Vec<Violation>,
) {
    let spec = problem.spec();
    if (it.time_us, it.damage_micro) != (real_time_us, real_damage_micro) {
        violations.push(Violation::Claim {
            at,
            assignment,
            time_us: it.time_us,
            damage_micro: it.damage_micro,
            real_time_us,
            real_damage_micro,
        });
    }
    let too_much = match spec.damage_max {
        Limit::Within(most) => real_damage_micro > most,
        Limit::Below(limit) => real_damage_micro >= limit,
    };
    let too_late = real_time_us > spec.time_max_us;
    for (what, broken) in [("time", too_late), ("damage", too_much)] {
        if broken {
            violations.push(Violation::Limit {
                at,
                assignment,
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
    /// It comes to this vertex twice, which is not wanted.
    Twice(usize),
}

/// Time and damage of a role, after those before.
fn check_role(
    (problem, event): (&Problem, &Event),
    part: &Role,
    before: &[Role],
) -> Result<(u64, u64), Flaw> {
    let spec = problem.spec();
    let Role { player, tool, .. } = *part;
    let mut before = before.iter();
    let taken = before.any(|other| other.player == player || other.tool == tool);
    if taken || player >= spec.players.len() || tool >= spec.tools.len() {
        return Err(Flaw::Taken);
    }
    let (start, there) = (spec.players[player], spec.tools[tool]);
    let fetch = walk(problem, &part.fetch, (start, there), true).ok_or(Flaw::Way("tool"))?;
    let carry = walk(problem, &part.carry, (there, event.vertex), false);
    let carry = carry.ok_or(Flaw::Way("event"))?;
    if spec.once {
        // The tool's vertex ends one way and begins the other.
        let mut all: Vec<usize> = part.fetch.iter().chain(&part.carry[1..]).copied().collect();
        all.sort_unstable();
        if let Some(twice) = all.windows(2).find(|two| two[0] == two[1]) {
            return Err(Flaw::Twice(twice[0]));
        }
    }
    Ok((fetch.0 + carry.0, fetch.1 + carry.1))
}

/// Time and damage of the ways of all moves, without idle times.
///
/// # Errors
/// Every reason why they are none.
pub fn check_moves(
    problem: &Problem,
    event: usize,
    moves: &[Move],
) -> Result<Vec<(u64, u64)>, Vec<MoveError>> {
    let event = &problem.spec().events[event];
    let (given, most) = (moves.len(), event.efforts.len());
    let mut errors = Vec::new();
    if !(1..=most).contains(&given) {
        errors.push(MoveError::Count { given, most });
    }
    let roles: Vec<Role> = moves.iter().map(|it| it.role.clone()).collect();
    let mut walked = Vec::with_capacity(moves.len());
    for (index, role) in roles.iter().enumerate() {
        match check_role((problem, event), role, &roles[..index]) {
            Ok(both) => walked.push(both),
            Err(Flaw::Taken) => errors.push(MoveError::Taken { index }),
            Err(Flaw::Way(to)) => errors.push(MoveError::Way { index, to }),
            Err(Flaw::Twice(vertex)) => errors.push(MoveError::Twice { index, vertex }),
        }
    }
    if errors.is_empty() {
        Ok(walked)
    } else {
        Err(errors)
    }
}

/// Time and damage of both ways of a role, without the task's; none where they are none.
#[must_use]
pub fn walked(problem: &Problem, role: &Role) -> Option<(u64, u64)> {
    let both = |way: &[usize], fetches| {
        let ends = (*way.first()?, *way.last()?);
        walk(problem, way, ends, fetches)
    };
    let (fetch, carry) = (both(&role.fetch, true)?, both(&role.carry, false)?);
    Some((fetch.0 + carry.0, fetch.1 + carry.1))
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
        time += arc.time_us;
        damage += if fetches {
            arc.fetch_micro
        } else {
            arc.carry_micro
        };
    }
    Some((time, damage))
}
