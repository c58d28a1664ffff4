//! Processor time to evaluate a plan of the maximum work: `cargo bench
//! -p stratagem-patrol --bench judge`. `STRATAGEM_CASES=WORD`: worlds with this in their name.
//!
//! Each world is the worst of its kind; the plan goes round for as long as the check takes it.
#![expect(
    clippy::disallowed_methods,
    reason = "benchmarks read the clock and the environment"
)]

#[path = "../../../benches/kit/processor.rs"]
mod processor;

use patrol::generate::{grid, line, world};
use patrol::plan::{PERIOD_MAX, WORK_MAX, work};
use patrol::problem::{Edge, Intruder};
use patrol::verify::captures;
use patrol::{Entry, Motion, Plan, Problem, Route, Spec, Stop, evaluate, verify};

/// Plan in which all guards go back and forth between vertices 0 and 1, with a cycle of `ticks`
/// ticks.
fn back_and_forth(problem: &Problem, ticks: usize) -> Plan {
    let stop = |tick: usize| Stop {
        vertex: tick % 2,
        stay: 0,
    };
    let route = Route::new(Vec::new(), (0..ticks / 2 * 2).map(stop).collect());
    Plan::new(vec![route; problem.guards().len()])
}

/// Longest of these plans that verification accepts.
fn longest(problem: &Problem) -> Plan {
    let (mut fits, mut too_long) = (2_usize, PERIOD_MAX as usize + 1);
    while too_long - fits > 2 {
        let ticks = fits.midpoint(too_long);
        if work(problem, 0, ticks as u64) > WORK_MAX {
            too_long = ticks;
        } else {
            fits = ticks;
        }
    }
    back_and_forth(problem, fits)
}

fn intruder(spec: Spec, motion: Motion, instants: u32, entry: Entry) -> Spec {
    let intruder = Intruder {
        motion,
        instants,
        entry,
    };
    Spec { intruder, ..spec }
}

/// Complete graph.
fn complete(vertices: usize) -> Spec {
    let edges: Vec<[usize; 2]> = (0..vertices)
        .flat_map(|one| (one + 1..vertices).map(move |other| [one, other]))
        .collect();
    world(vertices, &edges, 16)
}

/// Guards that see everything.
fn tower() -> Spec {
    let mut spec = line(2_000, 16);
    let mut sight = vec![Vec::new(); spec.vertices];
    sight[0] = (0..spec.vertices).collect();
    sight[1] = sight[0].clone();
    spec.sights = vec![sight];
    for guard in &mut spec.guards {
        guard.sight = Some(0);
    }
    spec
}

/// Rooms with long corridors: many places, few vertices.
fn corridors() -> Spec {
    let mut spec = line(11, 16);
    for edge in spec.edges.iter_mut().skip(1) {
        *edge = Edge {
            length: 5_000,
            ..*edge
        };
    }
    spec
}

fn worlds() -> Vec<(&'static str, Spec)> {
    let steady = Entry::Steady;
    let lazy = Motion::Lazy;
    let no_swaps = |spec: Spec| Spec {
        may_swap: false,
        ..spec
    };
    vec![
        (
            "16 guards see 2,000 rooms each",
            intruder(tower(), Motion::Still, 100, steady),
        ),
        (
            "2,000 rooms, mission of 100,000",
            intruder(
                line(2_000, 16),
                Motion::Still,
                10_000,
                Entry::Mission(100_000),
            ),
        ),
        (
            "16 guards who may not pass each other",
            no_swaps(intruder(line(3, 16), Motion::Still, 3, steady)),
        ),
        (
            "walkers, line of 21",
            intruder(line(21, 1), lazy, 1_000, steady),
        ),
        ("walkers, 5x5", intruder(grid(5, 5, 2), lazy, 30, steady)),
        (
            "walkers, 20x20",
            intruder(grid(20, 20, 2), lazy, 200, steady),
        ),
        (
            "walkers, 200 rooms, each next to each",
            intruder(complete(200), lazy, 200, steady),
        ),
        (
            "walkers, 45,000 places",
            intruder(corridors(), lazy, 80, steady),
        ),
    ]
}

fn main() {
    println!("| world | period | verify | evaluate | captures |");
    println!("|---|---|---|---|---|");
    let word = std::env::var("STRATAGEM_CASES").unwrap_or_default();
    for (name, spec) in worlds()
        .into_iter()
        .filter(|(name, _)| name.contains(&word))
    {
        let problem = Problem::new(spec).expect("it makes sense");
        let plan = longest(&problem);
        let time = |work: &dyn Fn()| {
            let begin = processor::processor().unwrap_or_default();
            work();
            (processor::processor().unwrap_or_default() - begin).as_secs_f64()
        };
        let verified = time(&|| drop(verify(&problem, &plan)));
        let evaluated = time(&|| drop(evaluate(&problem, &plan)));
        let captured = time(&|| drop(captures(&problem, &plan)));
        let period = plan.routes[0].cycle.len();
        println!("| {name} | {period} | {verified:.3} s | {evaluated:.3} s | {captured:.3} s |");
    }
}
