//! Problems that are nearly those of the generators, and searches of their plans.

mod change;
mod tie;

use allocation::Problem;
use allocation::generate::{Shape, spec};
use allocation::problem::{Micros, Spec};
use allocation::solve::{Params, Strategy};

/// The random numbers of a test.
pub(crate) use anytime::SplitMix64 as Draw;

/// The generator of a test with this seed.
pub(crate) fn draw(seed: u64) -> Draw {
    Draw::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d))
}

/// Shortens, doubles or empties a list, or adds to it.
fn list<T: Clone>(draw: &mut Draw, all: &mut Vec<T>, more: T) {
    let at = draw.below(all.len() + 1);
    match draw.below(8) {
        0 if draw.chance(3) => all.clear(),
        1 => all.truncate(at),
        2 if at < all.len() => drop(all.remove(at)),
        3 if at < all.len() => all.push(all[at].clone()),
        4 if at < all.len() => {
            let other = draw.below(all.len());
            all.swap(at, other);
        }
        _ => all.insert(at, more),
    }
}

/// A problem with up to nine changes after which it is still valid.
///
/// # Panics
/// When a problem is refused without a reason that can be read.
pub(crate) fn problem(draw: &mut Draw) -> Problem {
    let mut spec = whole(draw);
    if draw.chance(3) {
        round(&mut spec, *draw.one_of(&[1, 1_000_000, 10_000_000]));
    }
    let mut problem = Problem::new(spec.clone()).expect("generated problems are valid");
    for _ in 0..1 + draw.below(9) {
        // An invalid change is not retained.
        let mut other = spec.clone();
        change::once(draw, &mut other);
        match Problem::new(other.clone()) {
            Ok(changed) => (problem, spec) = (changed, other),
            Err(mistakes) => {
                assert!(!mistakes.is_empty(), "{other:?}");
                let is_readable = mistakes.iter().all(|one| !one.to_string().is_empty());
                assert!(is_readable, "{mistakes:?}");
            }
        }
    }
    problem
}

fn whole(draw: &mut Draw) -> Spec {
    let (seed, agents) = (draw.number(), 1 + draw.below(3));
    let shape = match draw.below(16) {
        0 => Shape::depot(1 + draw.below(9), agents),
        1 => Shape::deliveries(2 + draw.below(7), agents),
        2..7 => Shape::varied(1 + draw.below(7), agents),
        7 => Shape::varied(25 + draw.below(6), 1 + draw.below(5)),
        8 => Shape::coupled(10 + draw.below(8), 1 + draw.below(5)),
        _ => Shape::coupled(1 + draw.below(6), agents),
    };
    spec(seed, &shape)
}

/// The same with times that are multiples of `step_us`, so that many meet, or in that unit.
fn round(spec: &mut Spec, step_us: Micros) {
    let down = |time_us: &mut Micros| *time_us -= *time_us % step_us;
    let mut times: Vec<&mut Micros> = vec![&mut spec.now_us];
    times.extend(spec.travel.durations_us.iter_mut().filter(|way| **way > 0));
    times.extend(
        spec.agents
            .iter_mut()
            .map(|agent| &mut agent.shift_start_us),
    );
    for task in &mut spec.tasks {
        times.push(&mut task.service_us);
        times.extend(&mut task.lateness_max_us);
    }
    for order in &mut spec.couplings.orders {
        times.push(&mut order.gap_min_us);
        times.extend(&mut order.gap_max_us);
    }
    for one in &mut spec.couplings.breaks {
        times.push(&mut one.length_us);
    }
    times.into_iter().for_each(down);
    // Windows that are close would touch.
    for task in &mut spec.tasks {
        task.windows.truncate(1);
        for window in &mut task.windows {
            down(&mut window.open_us);
            down(&mut window.close_us);
        }
    }
}

/// How a plan is searched.
#[derive(Debug, Clone)]
pub(crate) struct How {
    pub(crate) params: Params,
    pub(crate) iterations: u64,
    pub(crate) seed: u64,
}

/// Some searches of a plan of this problem.
pub(crate) fn searches(draw: &mut Draw, problem: &Problem) -> Vec<How> {
    let iterations = [0, 1, 10, 60, 200, 600];
    let all = [
        Strategy::Auto,
        Strategy::Auto,
        Strategy::Insertion,
        Strategy::Mcts,
        Strategy::MctsUniform,
    ];
    let known = if problem.is_coupled() { 3 } else { 5 };
    let search = |strategy: &Strategy| How {
        params: Params {
            strategy: *strategy,
            width: draw.below(4),
        },
        iterations: *draw.one_of(&iterations),
        seed: draw.number(),
    };
    all[..known].iter().map(search).collect()
}
