//! Problems with everything that the model can say.

use super::{Luck, Shape};
use crate::problem::{
    Agent, Level, MICRO, Micros, Previous, PreviousRoute, Problem, SHIFT_OPEN_US, Spec, Task, Term,
    Window,
};
use crate::travel::{Rounding, Travel};
use crate::verify::{schedule, verify};

/// Side of the square that everything lies in, in units of distance.
const SIDE: i64 = 60;
/// Skills in use.
const SKILLS: usize = 3;

/// Which features a problem has.
struct Features {
    ends: bool,
    windows: bool,
    several_windows: bool,
    soft: bool,
    dimensions: usize,
    skills: bool,
    speeds: bool,
    optional: bool,
    shifts: bool,
    /// About how long the work takes if it is shared evenly.
    horizon_us: Micros,
}

/// About how long the work takes if it is shared evenly.
pub(super) fn horizon_us(shape: &Shape) -> Micros {
    let rounds = shape.tasks / shape.agents.max(1) + 2;
    rounds as i64 * 30 * MICRO
}

pub(super) fn spec(shape: &Shape, luck: &mut Luck) -> Spec {
    let windows = luck.chance(60);
    let features = Features {
        ends: luck.chance(40),
        windows,
        several_windows: windows && luck.chance(50),
        soft: windows && luck.chance(40),
        dimensions: luck.index(3),
        skills: luck.chance(30),
        speeds: luck.chance(40),
        optional: luck.chance(40),
        shifts: luck.chance(40),
        horizon_us: horizon_us(shape),
    };
    // Agents and tasks share some places.
    let locations = luck.index(shape.tasks + shape.agents + 1) + 2;
    let agents = (0..shape.agents).map(|_| agent(&features, locations, luck));
    let agents = agents.collect();
    let tasks = (0..shape.tasks).map(|_| task(&features, locations, luck));
    let tasks = tasks.collect();
    let travel = travel(locations, luck);
    let mut spec = Spec {
        agents,
        tasks,
        travel,
        objective: objective(luck),
        previous: None,
        couplings: crate::problem::Couplings::default(),
        now_us: 0,
    };
    if luck.chance(35) {
        spec.previous = Some(previous(&spec, luck));
    }
    spec
}

fn skills(luck: &mut Luck, percent: u32) -> u64 {
    let bit = |skill| u64::from(luck.chance(percent)) << skill;
    (0..SKILLS).map(bit).sum()
}

fn agent(features: &Features, locations: usize, luck: &mut Luck) -> Agent {
    let start = luck.index(locations);
    let own = luck.chance(50);
    let away = features.ends && luck.chance(70);
    let end = away.then(|| if own { start } else { luck.index(locations) });
    let (mut shift_start_us, mut shift_end_us) = (0, SHIFT_OPEN_US);
    if features.shifts {
        shift_start_us = luck.pick(0, features.horizon_us / 3);
        shift_end_us = shift_start_us + luck.pick(features.horizon_us / 2, features.horizon_us * 2);
    }
    let capacity = |_| luck.pick(0, 30);
    Agent {
        start,
        end,
        shift_start_us,
        shift_end_us,
        capacities: (0..features.dimensions).map(capacity).collect(),
        skills: if features.skills { skills(luck, 70) } else { 0 },
        speed_micro: if features.speeds {
            luck.pick(400_000, 3_000_000)
        } else {
            MICRO
        },
    }
}

fn task(features: &Features, locations: usize, luck: &mut Luck) -> Task {
    // Now and then a task says less about a dimension than others.
    let dimensions = features.dimensions - usize::from(features.dimensions > 0 && luck.chance(10));
    let demands = (0..dimensions).map(|_| luck.pick(0, 12)).collect();
    let penalty = features.optional && luck.chance(60);
    let soft = features.soft && luck.chance(60);
    Task {
        location: luck.index(locations),
        service_us: luck.pick(0, 20_000_003),
        demands,
        windows: windows(features, luck),
        skills: if features.skills { skills(luck, 25) } else { 0 },
        drop_penalty_micro: penalty.then(|| luck.pick(0, 60 * MICRO)),
        lateness_max_us: soft.then(|| luck.pick(0, features.horizon_us / 2)),
    }
}

fn windows(features: &Features, luck: &mut Luck) -> Vec<Window> {
    let mut windows = Vec::new();
    if !features.windows || luck.chance(30) {
        return windows;
    }
    let count = 1 + if features.several_windows {
        luck.index(3)
    } else {
        0
    };
    let mut open_us = luck.pick(0, features.horizon_us);
    for _ in 0..count {
        let close_us = open_us + luck.pick(0, features.horizon_us / 3);
        windows.push(Window { open_us, close_us });
        open_us = close_us + luck.pick(1, features.horizon_us / 4);
    }
    windows
}

/// Straight lines, or tables that are neither symmetric nor keep the triangle inequality.
fn travel(locations: usize, luck: &mut Luck) -> Travel {
    let point = |_| (luck.pick(0, SIDE) as f64, luck.pick(0, SIDE) as f64);
    let points: Vec<_> = (0..locations).map(point).collect();
    let rounding = [
        Rounding::Exact,
        Rounding::OneDecimalDown,
        Rounding::IntegerDown,
        Rounding::IntegerNearest,
    ][luck.index(4)];
    let mut travel = Travel::euclidean(&points, rounding);
    if luck.chance(60) {
        return travel;
    }
    let missing = luck.chance(60);
    for way_us in &mut travel.durations_us {
        *way_us = *way_us * luck.pick(20, 200) / 100;
    }
    if luck.chance(50) {
        let cost = |_| luck.pick(0, SIDE * MICRO);
        travel.costs_micro = Some((0..locations * locations).map(cost).collect());
    }
    for way_us in &mut travel.durations_us {
        if missing && luck.chance(12) {
            *way_us = -1;
        }
    }
    travel
}

/// The default, or any terms in any order at any weights.
fn objective(luck: &mut Luck) -> Vec<Level> {
    let mut terms = [
        Term::Unserved,
        Term::DropPenalty,
        Term::TravelCost,
        Term::Makespan,
        Term::Lateness,
        Term::AgentsUsed,
    ];
    let mut levels: Vec<Level> = Vec::new();
    if luck.chance(40) {
        return levels;
    }
    luck.shuffle(&mut terms);
    for &term in &terms[..luck.index(terms.len() + 1)] {
        let one = (term, luck.pick(1, 5));
        match levels.last_mut().filter(|_| luck.chance(40)) {
            Some(level) => level.terms.push(one),
            None => levels.push(Level { terms: vec![one] }),
        }
    }
    levels
}

/// Any routes, of which the tasks under way can be done as they stand; in one case of eight perhaps
/// they cannot.
fn previous(spec: &Spec, luck: &mut Luck) -> Previous {
    let careless = luck.chance(12);
    let mut tasks: Vec<usize> = (0..spec.tasks.len()).collect();
    luck.shuffle(&mut tasks);
    tasks.truncate(luck.index(tasks.len() + 1));
    let mut routes: Vec<PreviousRoute> = (0..spec.agents.len())
        .map(|agent| PreviousRoute {
            agent,
            tasks: Vec::new(),
            started: 0,
        })
        .collect();
    for task in tasks {
        let route = luck.index(routes.len());
        routes[route].tasks.push(task);
    }
    routes.retain(|_| luck.chance(80));
    let problem = Problem::new(spec.clone()).expect("valid so far");
    for route in &mut routes {
        let wanted = luck.index(4).min(route.tasks.len());
        let works = |count: usize| {
            let order = (route.agent, route.tasks[..count].to_vec());
            count == 0 || verify(&problem, &schedule(&problem, &[order])).is_ok()
        };
        route.started = if careless {
            wanted
        } else {
            (0..=wanted).rev().find(|n| works(*n)).unwrap_or(0)
        };
    }
    luck.shuffle(&mut routes);
    let changes_max = luck.chance(50).then(|| luck.index(4));
    Previous {
        routes,
        changes_max,
    }
}
