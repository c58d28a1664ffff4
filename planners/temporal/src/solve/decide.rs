//! The strategies.

use super::Strategy;
use super::reduce::{Reduction, System};
use super::search::{Found, Ticker, earliest_for_choices, search};
use super::tropical::{self, Outcome};
use crate::plan::{StrongFinding, Undecided};
use crate::problem::{Micros, ORIGIN};
use anytime::{Control, SolveError};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

impl<P, C: Ord + Copy> Ticker for Control<'_, P, C> {
    fn tick(&mut self) -> bool {
        Control::tick(self)
    }

    fn go_on(&mut self) -> bool {
        Control::go_on(self)
    }
}

/// A verdict about a system, with its witness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decided {
    /// Proved: these times, by timepoint, satisfy all; the earliest for the choices that they show.
    Holds(Vec<Micros>),
    /// Proved: no times do.
    Fails,
    /// Undecided, perhaps with a candidate that fails.
    Open(Option<Vec<Micros>>),
}

impl Decided {
    /// The verdict, if there is one.
    pub(crate) fn holds(&self) -> Option<bool> {
        match self {
            Self::Holds(_) => Some(true),
            Self::Fails => Some(false),
            Self::Open(_) => None,
        }
    }
}

/// Decides a system by the fixed points and, unless they do, by search.
pub(crate) fn decide(system: &System, ticker: &mut impl Ticker) -> Decided {
    match tropical::bounds(system, &mut || ticker.go_on()) {
        Outcome::Empty => Decided::Fails,
        Outcome::Solved(times) => Decided::Holds(earliest_for_choices(system, &times)),
        Outcome::Open(window) => from_search(system, search(system, Some(&window), ticker)),
    }
}

fn from_search(system: &System, found: Found) -> Decided {
    match found {
        Found::Solution(times) => Decided::Holds(earliest_for_choices(system, &times)),
        Found::Nothing => Decided::Fails,
        Found::Stopped => Decided::Open(None),
    }
}

/// The verdict of a strategy about a network with teammates.
///
/// # Errors
/// When its solver is not built in.
pub(super) fn by_strategy(
    reduction: &Reduction<'_>,
    strategy: Strategy,
    control: &mut Control<'_, StrongFinding, Undecided>,
) -> Result<Decided, SolveError> {
    let system = &reduction.system;
    Ok(match strategy {
        Strategy::Auto => decide(system, control),
        Strategy::Tropical => match tropical::bounds(system, &mut || control.go_on()) {
            Outcome::Empty => Decided::Fails,
            Outcome::Solved(times) => Decided::Holds(earliest_for_choices(system, &times)),
            Outcome::Open(window) => Decided::Open(Some(window.least)),
        },
        Strategy::Search => from_search(system, search(system, None, control)),
        Strategy::Early => check_candidate(system, earliest(system)),
        Strategy::Random => check_candidate(system, random(system, control.seed(0))),
        Strategy::Milp | Strategy::Lp | Strategy::LpNormalised => {
            return solve_program(reduction, strategy, control);
        }
    })
}

/// The paper's programs, where the solver for them is built in.
#[cfg(not(feature = "milp"))]
fn solve_program(
    _: &Reduction<'_>,
    strategy: Strategy,
    _: &mut Control<'_, StrongFinding, Undecided>,
) -> Result<Decided, SolveError> {
    Err(SolveError::Unsupported {
        strategy: super::strong::strategy_name(strategy),
        feature: "this build, which has no solver for linear programs".into(),
    })
}

/// The paper's programs. Nodes of branch and bound are iterations.
#[cfg(feature = "milp")]
fn solve_program(
    reduction: &Reduction<'_>,
    strategy: Strategy,
    control: &mut Control<'_, StrongFinding, Undecided>,
) -> Result<Decided, SolveError> {
    use super::linear::{Weights, approximate, exact};
    let pulse = control.fork();
    let remaining = control.remaining();
    let params = milp::Params {
        seed: control.seed(0),
        nodes_max: (remaining < u64::MAX).then_some(remaining),
        ..milp::Params::default()
    };
    let answer = match strategy {
        Strategy::Lp => approximate(reduction, Weights::Printed, &params, &pulse),
        Strategy::LpNormalised => approximate(reduction, Weights::Normalised, &params, &pulse),
        _ => exact(reduction, &params, &pulse),
    };
    control.count(answer.nodes.min(remaining));
    if answer.stop == Some(anytime::Stop::Iterations) {
        // The limit is used up: so the conclusion names it.
        while control.tick() {}
    }
    control.go_on();
    Ok(answer.decided)
}

/// Each event of ours at random in its window, by itself, as in the paper.
fn random(system: &System, seed: u64) -> Vec<Micros> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let window = |timepoint| -system.bound(timepoint, ORIGIN)..=system.bound(ORIGIN, timepoint);
    (0..system.size)
        .map(|timepoint| random.random_range(window(timepoint)))
        .collect()
}

fn check_candidate(system: &System, times: Vec<Micros>) -> Decided {
    if system.accepts(&times) {
        Decided::Holds(times)
    } else {
        Decided::Open(Some(times))
    }
}

fn earliest(system: &System) -> Vec<Micros> {
    (0..system.size)
        .map(|timepoint| -system.bound(timepoint, ORIGIN))
        .collect()
}
