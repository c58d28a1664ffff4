//! Sessions that execute a strategy, and search for one where there is none to follow.

use super::State;
use crate::method::{Asked, Method, RequestOf};
use anytime::{Found, Outcome};
use std::sync::Arc;
use stratagem_proto::v1 as pb;

/// What finds strategies.
type Finder<E> = <<E as Executed>::Search as Method>::Planner;

/// Time after which a failure is decided again while a duration runs.
const FAILS_AGAIN_US: i64 = 100_000;
/// The same for what could not be decided.
const OPEN_AGAIN_US: i64 = 1_000_000;

/// A state that executes a strategy.
pub trait Executed: Sized + Clone {
    /// The method that finds one.
    type Search: Method;

    /// It, if the session is one of this kind.
    fn in_state(state: &mut State) -> Option<&mut Self>;

    /// What is to happen next, in a view that is empty otherwise.
    fn view(&self) -> pb::SessionView;

    /// Whether there is no strategy to follow and one has to be searched for.
    fn needs_search(&self) -> bool;

    /// The question for a strategy for the rest, if [`Self::needs_search`].
    ///
    /// # Panics
    /// With options that were not checked when the session was created.
    fn search(&mut self, options: &pb::SolveOptions) -> Option<(Point, RequestOf<Self::Search>)>;

    /// Whether what is found for a point can be followed: it is about this problem.
    fn is_about(&self, point: Point) -> bool;

    /// Follows what a search has found, also for an earlier point, if that is a strategy which fits
    /// what has happened since. True if it does.
    fn follow(
        &mut self,
        point: Point,
        asked: &Asked<Self::Search>,
        found: &Found<Finder<Self>>,
    ) -> bool;

    /// Takes the end of a search; `None`: it was refused. Returns its report.
    fn settle(
        &mut self,
        point: Point,
        asked: &Asked<Self::Search>,
        outcome: Option<&Outcome<Finder<Self>>>,
    ) -> Option<pb::SolveReport>;

    /// Memory that it takes, near enough.
    fn bytes(&self) -> usize;
}

/// What a finding is about, besides the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// How often the problem was changed.
    pub(crate) generation: u64,
    /// How many facts are known.
    pub(crate) facts: usize,
    /// How many bounds are broken.
    pub(crate) broken: usize,
}

/// A finding that is nothing to execute.
#[derive(Debug, Clone)]
pub(crate) struct Settled<F> {
    point: Point,
    /// The current time of what was decided.
    now_us: i64,
    finding: Arc<F>,
}

impl<F> Settled<F> {
    /// A finding about a state at this time.
    pub(crate) fn new(point: Point, now_us: i64, finding: F) -> Self {
        let finding = Arc::new(finding);
        Self {
            point,
            now_us,
            finding,
        }
    }

    /// The finding, if it is about this point.
    pub(crate) fn about(&self, point: Point) -> Option<&F> {
        (self.point == point).then_some(&*self.finding)
    }

    /// Whether it has to be decided again, now that time has passed. `runs`: whether a duration
    /// has not ended; it may end later only, which can help after a failure.
    pub(crate) fn is_outdated(
        &self,
        verdict: pb::TemporalVerdict,
        now_us: i64,
        runs: bool,
    ) -> bool {
        let passed_us = now_us - self.now_us;
        match verdict {
            pb::TemporalVerdict::Fails => passed_us >= FAILS_AGAIN_US && runs,
            _ => passed_us >= OPEN_AGAIN_US,
        }
    }
}

/// The options of a search. A first one comes before others, a repeated one after them.
pub(crate) fn with_priority(options: &pb::SolveOptions, is_repeated: bool) -> pb::SolveOptions {
    let mut options = options.clone();
    if options.priority() == pb::Priority::Unspecified {
        options.set_priority(if is_repeated {
            pb::Priority::Low
        } else {
            pb::Priority::High
        });
    }
    options
}
