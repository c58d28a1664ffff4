//! Sessions that execute a strategy, and search for one where there is none to follow.

use super::State;
use crate::method::{Asked, Method, RequestOf};
use crate::mistakes::{Code, Mistakes};
use crate::values::shown;
use ::temporal::execution::ReportError;
use anytime::{Found, Outcome, Path};
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
    /// What a search finds where there is nothing to execute.
    type Finding;

    /// It, if the session is one of this kind.
    fn in_state(state: &mut State) -> Option<&mut Self>;

    /// What is to happen next, in a view that is empty otherwise.
    fn view(&self) -> pb::SessionView;

    /// How far it has come.
    fn course(&self) -> Course;

    /// The last finding that is nothing to execute.
    fn last(&self) -> Option<&Settled<Self::Finding>>;

    /// The finding about the present, if that is nothing to execute.
    fn settled(&self) -> Option<&Settled<Self::Finding>> {
        let Course { is_idle, point, .. } = self.course();
        self.last().filter(|last| is_idle && last.point == point)
    }

    /// Whether there is no strategy to follow and one has to be searched for.
    fn needs_search(&self) -> bool {
        let course = self.course();
        course.is_idle && self.settled().is_none_or(|last| last.is_outdated(&course))
    }

    /// Whether all events have happened, or how to go on is known.
    fn verdict(&self) -> pb::TemporalVerdict {
        match self.settled() {
            Some(settled) => settled.verdict,
            None if self.course().is_idle => pb::TemporalVerdict::Unknown,
            None => pb::TemporalVerdict::Holds,
        }
    }

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

/// How far an execution has come.
pub struct Course {
    /// Whether there is neither a strategy to follow nor an end.
    pub(crate) is_idle: bool,
    /// Whether a duration has not ended.
    pub(crate) runs: bool,
    /// The current time.
    pub(crate) now_us: i64,
    /// What a finding about the present is about.
    pub(crate) point: Point,
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
pub struct Settled<F> {
    point: Point,
    /// The current time of what was decided.
    now_us: i64,
    verdict: pb::TemporalVerdict,
    finding: Arc<F>,
}

impl<F> Settled<F> {
    /// A finding about a state at this time.
    pub(crate) fn new(point: Point, now_us: i64, verdict: pb::TemporalVerdict, finding: F) -> Self {
        let finding = Arc::new(finding);
        Self {
            point,
            now_us,
            verdict,
            finding,
        }
    }

    /// What was found.
    pub(crate) fn finding(&self) -> &F {
        &self.finding
    }

    /// Whether it has to be decided again, now that time has passed. A duration that runs may end
    /// later only, which can help after a failure.
    fn is_outdated(&self, course: &Course) -> bool {
        let passed_us = course.now_us - self.now_us;
        match self.verdict {
            pb::TemporalVerdict::Fails => passed_us >= FAILS_AGAIN_US && course.runs,
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

/// An event that is refused.
pub(crate) struct RefusedEvent<'e> {
    /// Its id.
    pub(crate) id: &'e str,
    /// When it is said to have happened.
    pub(crate) at_us: i64,
    /// The current time.
    pub(crate) now_us: i64,
    /// The field of times.
    pub(crate) time: &'static str,
}

/// Notes why an event at a path is refused.
pub(crate) fn refuse_event(
    error: ReportError,
    event: &RefusedEvent<'_>,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) {
    let RefusedEvent {
        id,
        at_us,
        now_us,
        time,
    } = event;
    let id = shown(id);
    match error {
        ReportError::Repeated => {
            let why = format!("is {id}, which has happened already");
            wrong.add(&at.field("event_id"), Code::Duplicate, why);
        }
        ReportError::OutOfRange => {
            let why = format!("is {at_us} us, after now, which is {now_us} us");
            wrong.add(&at.field(time), Code::OutOfRange, why);
        }
        ReportError::BeforeStart => {
            let why = format!("is {id}, the end of a link or activity that has not begun by then");
            wrong.add(&at.field("event_id"), Code::Contradiction, why);
        }
    }
}
