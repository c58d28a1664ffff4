//! The check of fronts: every assignment is walked through, and no two points of a front dominate
//! each other. The same code walks the moves that players made.

mod joint;

use crate::plan::{Cost, Front, Move, Plan, Point, Role};
use crate::problem::{Arc, Effort, Event, Limit, Problem};
use anytime::{Fault, Path, element, fault, millionths, time};
use std::collections::BTreeSet;

/// The cost of fronts. That they are complete cannot be seen from them: see the tests.
///
/// # Errors
/// Every broken rule, with its path in the contract's `CrewPlan`.
pub fn verify(problem: &Problem, plan: &Plan) -> Result<Cost, Vec<Fault>> {
    let mut faults = Vec::new();
    let events = &problem.spec().events;
    let at = Path::root("events");
    let (given, wanted) = (plan.events.len(), events.len());
    if given != wanted {
        return Err(vec![fault!(
            "EVENT_COUNT",
            at,
            "has {} elements instead of {}",
            given,
            wanted
        )]);
    }
    for (index, (event, fronts)) in events.iter().zip(&plan.events).enumerate() {
        check_event(
            problem,
            event,
            fronts,
            &at.index(index).field("fronts"),
            &mut faults,
        );
    }
    joint::check(problem, plan.joint.as_ref(), &mut faults);
    if faults.is_empty() {
        let fronts = plan.events.iter().flatten();
        let joint = plan.joint.iter().filter(|joint| !joint.is_known);
        let open = fronts.filter(|front| !front.is_known).count() + joint.count();
        Ok(Cost {
            open: u32::try_from(open).unwrap_or(u32::MAX),
        })
    } else {
        Err(faults)
    }
}

/// Checks the fronts of an event, which are at this path.
fn check_event(
    problem: &Problem,
    event: &Event,
    fronts: &[Front],
    at: &Path<'_>,
    faults: &mut Vec<Fault>,
) {
    let (given, wanted) = (fronts.len(), event.efforts.len());
    if given != wanted {
        faults.push(fault!(
            "FRONT_COUNT",
            at,
            "has {} elements instead of {}",
            given,
            wanted
        ));
        return;
    }
    for (size, front) in fronts.iter().enumerate() {
        let front_at = at.index(size);
        let points_at = front_at.field("points");
        let of_fewer = || fronts[..size].iter().flat_map(|front| &front.points);
        for (index, point) in front.points.iter().enumerate() {
            let at = points_at.index(index);
            check_point(problem, event, size + 1, point, &at, faults);
            let before = index.checked_sub(1).map(|before| &front.points[before]);
            if before.is_some_and(|before| {
                before.time_us >= point.time_us || before.damage_micro <= point.damage_micro
            }) {
                faults.push(fault!(
                    "POINT_DOMINATED",
                    at,
                    "is not later and less damaging than the one before"
                ));
            }
            let fewer_do = of_fewer().any(|other| {
                other.time_us <= point.time_us && other.damage_micro <= point.damage_micro
            });
            if fewer_do != point.fewer_do {
                faults.push(fault!(
                    "FEWER_WRONG",
                    at,
                    "is wrong about whether fewer players do as well"
                ));
            }
        }
    }
}

/// Checks a point of this number of players: its roles, and those of its ties.
fn check_point(
    problem: &Problem,
    event: &Event,
    players: usize,
    point: &Point,
    at: &Path<'_>,
    faults: &mut Vec<Fault>,
) {
    let effort = event.efforts[players - 1];
    let ties_at = at.field("ties");
    let mut seen = BTreeSet::new();
    for (index, roles) in std::iter::once(&point.roles)
        .chain(&point.others)
        .enumerate()
    {
        let tie_at = index.checked_sub(1).map(|tie| ties_at.index(tie));
        let at = tie_at.as_ref().unwrap_or(at).field("roles");
        if roles.len() != players {
            let given = roles.len();
            faults.push(fault!(
                "ROLE_COUNT",
                at,
                "has {} roles, but the front is of {} players",
                given,
                players
            ));
        }
        let real = check_roles(problem, event, roles, &at, faults);
        check_claim(problem, point, real.plus(effort.into()), &at, faults);
        if !seen.insert(pairs(roles)) {
            faults.push(fault!(
                "ASSIGNMENT_REPEATED",
                at,
                "has the players and tools of one before"
            ));
        }
    }
}

/// Players and tools of roles, sorted.
fn pairs(roles: &[Role]) -> Vec<(usize, usize)> {
    let mut pairs: Vec<_> = roles.iter().map(|role| (role.player, role.tool)).collect();
    pairs.sort_unstable();
    pairs
}

/// Time and damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Price {
    /// In microseconds.
    pub time_us: u64,
    /// In millionths.
    pub damage_micro: u64,
}

impl Price {
    fn plus(self, other: Self) -> Self {
        Self {
            time_us: self.time_us + other.time_us,
            damage_micro: self.damage_micro + other.damage_micro,
        }
    }

    /// The worse of both times, and of both damages.
    fn worse(self, other: Self) -> Self {
        Self {
            time_us: self.time_us.max(other.time_us),
            damage_micro: self.damage_micro.max(other.damage_micro),
        }
    }
}

impl From<Effort> for Price {
    fn from(effort: Effort) -> Self {
        Self {
            time_us: effort.time_us,
            damage_micro: effort.damage_micro,
        }
    }
}

/// The worst price of roles, as far as they can be walked.
fn check_roles(
    problem: &Problem,
    event: &Event,
    roles: &[Role],
    at: &Path<'_>,
    faults: &mut Vec<Fault>,
) -> Price {
    let mut worst = Price::default();
    for (index, role) in roles.iter().enumerate() {
        match check_role(problem, event, role, &roles[..index]) {
            Ok(price) => worst = worst.worse(price),
            Err(flaw) => {
                let codes = ["TAKEN", "WAY_BROKEN", "NODE_TWICE"];
                faults.push(flaw.fault(codes, &at.index(index)));
            }
        }
    }
    worst
}

/// Whether a point claims what an assignment has, and that satisfies the limits.
fn check_claim(
    problem: &Problem,
    point: &Point,
    real: Price,
    at: &Path<'_>,
    faults: &mut Vec<Fault>,
) {
    let Price {
        time_us,
        damage_micro,
    } = real;
    if (point.time_us, point.damage_micro) != (time_us, damage_micro) {
        faults.push(fault!(
            "CLAIM_WRONG",
            *at,
            "takes {} and {} damage, but the point claims {} and {}",
            time(time_us),
            millionths(damage_micro),
            time(point.time_us),
            millionths(point.damage_micro),
        ));
    }
    if time_us > problem.spec().time_max_us {
        faults.push(fault!("TIME_LIMIT", at, "is beyond the limit of time"));
    }
    if is_too_harmful(problem, damage_micro) {
        faults.push(fault!("DAMAGE_LIMIT", at, "is beyond the limit of damage"));
    }
}

fn is_too_harmful(problem: &Problem, damage_micro: u64) -> bool {
    match problem.spec().damage_max {
        Limit::Within(limit) => damage_micro > limit,
        Limit::Below(limit) => damage_micro >= limit,
    }
}

/// What is wrong with a role.
enum Flaw {
    /// This player or this tool does not exist, or has a role already.
    Taken { player: usize, tool: usize },
    /// There is no such path to the tool, or to the event.
    NoPath(&'static str),
    /// It comes to this vertex twice where paths have to be elementary.
    Twice(usize),
}

impl Flaw {
    /// The fault, by the code for its kind.
    fn fault(&self, [taken, no_path, twice]: [&'static str; 3], at: &Path<'_>) -> Fault {
        match *self {
            Self::Taken { player, tool } => {
                let (player, tool) = (element("player", player), element("tool", tool));
                fault!(
                    taken,
                    at,
                    "{} with {}: one of them does not exist or is taken",
                    player,
                    tool
                )
            }
            Self::NoPath(end) => fault!(no_path, at, "there is no such path to the {}", end),
            Self::Twice(vertex) => {
                fault!(
                    twice,
                    at,
                    "comes to {} twice, which the problem forbids",
                    element("node", vertex)
                )
            }
        }
    }
}

/// The price of a role, after those before.
fn check_role(
    problem: &Problem,
    event: &Event,
    role: &Role,
    before: &[Role],
) -> Result<Price, Flaw> {
    let spec = problem.spec();
    let Role { player, tool, .. } = *role;
    let mut before = before.iter();
    let is_taken = before.any(|other| other.player == player || other.tool == tool);
    if is_taken || player >= spec.players.len() || tool >= spec.tools.len() {
        return Err(Flaw::Taken { player, tool });
    }
    let (start, tool_at) = (spec.players[player], spec.tools[tool]);
    let fetch = walk(problem, &role.fetch, start, tool_at, |arc| arc.fetch_micro);
    let fetch = fetch.ok_or(Flaw::NoPath("tool"))?;
    let carry = walk(problem, &role.carry, tool_at, event.vertex, |arc| {
        arc.carry_micro
    });
    let carry = carry.ok_or(Flaw::NoPath("event"))?;
    if spec.once {
        // The tool's vertex ends one leg and begins the other.
        let mut all: Vec<usize> = role.fetch.iter().chain(&role.carry[1..]).copied().collect();
        all.sort_unstable();
        if let Some(twice) = all.windows(2).find(|two| two[0] == two[1]) {
            return Err(Flaw::Twice(twice[0]));
        }
    }
    Ok(fetch.plus(carry))
}

/// The prices of the legs of all moves, without idle times.
///
/// # Errors
/// Every fault, with its path from the list of moves on.
pub(crate) fn check_moves(
    problem: &Problem,
    event: usize,
    moves: &[Move],
) -> Result<Vec<Price>, Vec<Fault>> {
    let event = &problem.spec().events[event];
    let (given, max) = (moves.len(), event.efforts.len());
    let at = Path::WHOLE;
    let mut faults = Vec::new();
    if !(1..=max).contains(&given) {
        faults.push(fault!(
            "TOO_MANY",
            at,
            "has {} elements, the event needs 1 to {}",
            given,
            max
        ));
    }
    let roles: Vec<Role> = moves.iter().map(|it| it.role.clone()).collect();
    let mut prices = Vec::with_capacity(moves.len());
    for (index, role) in roles.iter().enumerate() {
        match check_role(problem, event, role, &roles[..index]) {
            Ok(price) => prices.push(price),
            Err(flaw) => {
                let codes = ["DUPLICATE", "STEP_IMPOSSIBLE", "STEP_IMPOSSIBLE"];
                faults.push(flaw.fault(codes, &at.index(index).field("role")));
            }
        }
    }
    if faults.is_empty() {
        Ok(prices)
    } else {
        Err(faults)
    }
}

/// The price of both legs of a role, without the effort; `None` where they are no paths.
#[must_use]
pub fn legs(problem: &Problem, role: &Role) -> Option<Price> {
    let price = |leg: &[usize], damage: fn(&Arc) -> u64| {
        walk(problem, leg, *leg.first()?, *leg.last()?, damage)
    };
    let fetch = price(&role.fetch, |arc| arc.fetch_micro)?;
    Some(fetch.plus(price(&role.carry, |arc| arc.carry_micro)?))
}

/// The price of a path between two vertices; `None` where it is none.
fn walk(
    problem: &Problem,
    path: &[usize],
    start: usize,
    end: usize,
    damage: fn(&Arc) -> u64,
) -> Option<Price> {
    let exist = path.iter().all(|vertex| *vertex < problem.spec().vertices);
    if !exist || path.first() != Some(&start) || path.last() != Some(&end) {
        return None;
    }
    let mut price = Price::default();
    for step in path.windows(2) {
        let mut arcs = problem.arcs_from(step[0]).iter();
        let arc = arcs.find_map(|arc| {
            let arc = &problem.spec().arcs[*arc as usize];
            (arc.to == step[1]).then_some(arc)
        })?;
        price = price.plus(Price {
            time_us: arc.time_us,
            damage_micro: damage(arc),
        });
    }
    Some(price)
}
