//! Instances with all features of the model.

use super::{Random, Shape};
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

pub(super) fn spec(shape: &Shape, random: &mut Random) -> Spec {
    let windows = random.chance(60);
    let features = Features {
        ends: random.chance(40),
        windows,
        several_windows: windows && random.chance(50),
        soft: windows && random.chance(40),
        dimensions: random.index(3),
        skills: random.chance(30),
        speeds: random.chance(40),
        optional: random.chance(40),
        shifts: random.chance(40),
        horizon_us: horizon_us(shape),
    };
    // Agents and tasks share some places.
    let locations = random.index(shape.tasks + shape.agents + 1) + 2;
    let agents = (0..shape.agents).map(|_| agent(&features, locations, random));
    let agents = agents.collect();
    let tasks = (0..shape.tasks).map(|_| task(&features, locations, random));
    let tasks = tasks.collect();
    let travel = travel(locations, random);
    let mut spec = Spec {
        agents,
        tasks,
        travel,
        objective: objective(random),
        previous: None,
        couplings: crate::problem::Couplings::default(),
        now_us: 0,
    };
    if random.chance(35) {
        spec.previous = Some(previous(&spec, random));
    }
    spec
}

fn skills(random: &mut Random, percent: u32) -> u64 {
    let bit = |skill| u64::from(random.chance(percent)) << skill;
    (0..SKILLS).map(bit).sum()
}

fn agent(features: &Features, locations: usize, random: &mut Random) -> Agent {
    let start = random.index(locations);
    let own = random.chance(50);
    let away = features.ends && random.chance(70);
    let end = away.then(|| if own { start } else { random.index(locations) });
    let (mut shift_start_us, mut shift_end_us) = (0, SHIFT_OPEN_US);
    if features.shifts {
        shift_start_us = random.pick(0, features.horizon_us / 3);
        shift_end_us =
            shift_start_us + random.pick(features.horizon_us / 2, features.horizon_us * 2);
    }
    let capacity = |_| random.pick(0, 30);
    Agent {
        start,
        end,
        shift_start_us,
        shift_end_us,
        capacities: (0..features.dimensions).map(capacity).collect(),
        skills: if features.skills {
            skills(random, 70)
        } else {
            0
        },
        speed_micro: if features.speeds {
            random.pick(400_000, 3_000_000)
        } else {
            MICRO
        },
    }
}

fn task(features: &Features, locations: usize, random: &mut Random) -> Task {
    // Some tasks have one demand less than there are dimensions.
    let dimensions =
        features.dimensions - usize::from(features.dimensions > 0 && random.chance(10));
    let demands = (0..dimensions).map(|_| random.pick(0, 12)).collect();
    let penalty = features.optional && random.chance(60);
    let soft = features.soft && random.chance(60);
    Task {
        location: random.index(locations),
        service_us: random.pick(0, 20_000_003),
        demands,
        windows: windows(features, random),
        skills: if features.skills {
            skills(random, 25)
        } else {
            0
        },
        drop_penalty_micro: penalty.then(|| random.pick(0, 60 * MICRO)),
        lateness_max_us: soft.then(|| random.pick(0, features.horizon_us / 2)),
    }
}

fn windows(features: &Features, random: &mut Random) -> Vec<Window> {
    let mut windows = Vec::new();
    if !features.windows || random.chance(30) {
        return windows;
    }
    let count = 1 + if features.several_windows {
        random.index(3)
    } else {
        0
    };
    let mut open_us = random.pick(0, features.horizon_us);
    for _ in 0..count {
        let close_us = open_us + random.pick(0, features.horizon_us / 3);
        windows.push(Window { open_us, close_us });
        open_us = close_us + random.pick(1, features.horizon_us / 4);
    }
    windows
}

/// Straight lines, or tables that are neither symmetric nor satisfy the triangle inequality.
fn travel(locations: usize, random: &mut Random) -> Travel {
    let point = |_| (random.pick(0, SIDE) as f64, random.pick(0, SIDE) as f64);
    let points: Vec<_> = (0..locations).map(point).collect();
    let rounding = [
        Rounding::Exact,
        Rounding::OneDecimalDown,
        Rounding::IntegerDown,
        Rounding::IntegerNearest,
    ][random.index(4)];
    let mut travel = Travel::euclidean(&points, rounding);
    if random.chance(60) {
        return travel;
    }
    travel.lines = None;
    let missing = random.chance(60);
    for travel_us in &mut travel.durations_us {
        *travel_us = *travel_us * random.pick(20, 200) / 100;
    }
    if random.chance(50) {
        let cost = |_| random.pick(0, SIDE * MICRO);
        travel.costs_micro = Some((0..locations * locations).map(cost).collect());
    }
    for travel_us in &mut travel.durations_us {
        if missing && random.chance(12) {
            *travel_us = -1;
        }
    }
    travel
}

/// The default, or random terms at random weights.
fn objective(random: &mut Random) -> Vec<Level> {
    let mut terms = [
        Term::Unserved,
        Term::DropPenalty,
        Term::TravelCost,
        Term::Makespan,
        Term::Lateness,
        Term::AgentsUsed,
    ];
    let mut levels: Vec<Level> = Vec::new();
    if random.chance(40) {
        return levels;
    }
    random.shuffle(&mut terms);
    for &term in &terms[..random.index(terms.len() + 1)] {
        let one = (term, random.pick(1, 5));
        match levels.last_mut().filter(|_| random.chance(40)) {
            Some(level) => level.terms.push(one),
            None => levels.push(Level { terms: vec![one] }),
        }
    }
    levels
}

/// Random routes. Their tasks under way can be done, except perhaps in one case of eight.
fn previous(spec: &Spec, random: &mut Random) -> Previous {
    let careless = random.chance(12);
    let mut tasks: Vec<usize> = (0..spec.tasks.len()).collect();
    random.shuffle(&mut tasks);
    tasks.truncate(random.index(tasks.len() + 1));
    let mut routes: Vec<PreviousRoute> = (0..spec.agents.len())
        .map(|agent| PreviousRoute::new(agent, Vec::new(), 0))
        .collect();
    for task in tasks {
        let route = random.index(routes.len());
        routes[route].tasks.push(task);
    }
    routes.retain(|_| random.chance(80));
    let problem = Problem::new(spec.clone()).expect("valid so far");
    for route in &mut routes {
        let wanted = random.index(4).min(route.tasks.len());
        let is_feasible = |count: usize| {
            let order = (route.agent, route.tasks[..count].to_vec());
            count == 0 || verify(&problem, &schedule(&problem, &[order])).is_ok()
        };
        route.committed = if careless {
            wanted
        } else {
            (0..=wanted).rev().find(|n| is_feasible(*n)).unwrap_or(0)
        };
    }
    random.shuffle(&mut routes);
    let changes_max = random.chance(50).then(|| random.index(4));
    Previous {
        routes,
        changes_max,
    }
}
