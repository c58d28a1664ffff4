//! A session that plays a narrative: what has happened, and what is to happen next.

mod decisions;
mod report;

use super::answer::answer;
use super::info::STRATEGIES;
use super::names::Names;
use super::plan::plan;
use super::problem::{Decoded, problem, progress};
use super::read;
use super::request::{Request, about};
use crate::contract::ScheduleNarrative;
use crate::method::Asked;
use crate::mistakes::{Code, Mistakes};
use crate::request::How;
use crate::session::{self, Course, Executed, Point, Settled, with_priority};
use crate::values::duration_of_micros;
use ::narrative::execution::{Execution, Facts, made};
use ::narrative::problem::{Micros, Node};
use ::narrative::solve::Detail;
use ::narrative::{Answer, Params, Schedule, verify};
use anytime::{Found, Outcome, Path};
use report::{Event, Report, Reported};
use std::sync::Arc;
use std::time::{Duration, Instant};
use stratagem_proto::v1::{self as pb, session_update::Change};

/// The state of a session. Clones share what is large.
#[derive(Debug, Clone)]
pub struct State {
    problem: Arc<pb::NarrativeProblem>,
    names: Arc<Names>,
    /// Origins of groups that are events, with their times: these happen by themselves.
    origins: Arc<[(Node, Micros)]>,
    execution: Execution,
    /// How often the story was replaced.
    generation: u64,
    /// The last finding that is nothing to follow.
    settled: Option<Settled<Finding>>,
}

/// Why there is nothing to follow.
#[derive(Debug, Clone, Default)]
pub struct Finding {
    conflict: Option<pb::NarrativeConflict>,
    relaxations: Vec<pb::NarrativeRelaxation>,
}

/// Time to check a plan of the caller; one that takes longer is ignored.
const CHECK_MAX: Duration = Duration::from_secs(1);

/// Notes what is wrong with options of searches.
pub(crate) fn judge(options: &pb::SolveOptions, wrong: &mut Mistakes) {
    let how = How::new(Some(options.clone()), STRATEGIES, wrong);
    // A target counts for the first plan alone.
    how.target(0, wrong);
}

impl State {
    /// The beginning of a session.
    ///
    /// # Errors
    /// All mistakes.
    pub(crate) fn new(
        given: pb::NarrativeSessionState,
        until: Option<Instant>,
    ) -> Result<Self, Mistakes> {
        let mut wrong = Mistakes::default();
        let message = given.problem.unwrap_or_default();
        let state = Self::begin(message, &Path::root("problem"), &mut wrong);
        let Some(mut state) = state else {
            return Err(wrong);
        };
        if let Some(before) = given.plan_progress {
            state.advance(before, "plan_progress", &mut wrong);
        }
        if let Some(given) = given.plan.filter(|_| wrong.is_empty()) {
            state.follow_given(given, until, &mut wrong);
        }
        if let Some(now) = given.progress {
            state.advance(now, "progress", &mut wrong);
        }
        if wrong.is_empty() {
            Ok(state)
        } else {
            Err(wrong)
        }
    }

    /// A story at its beginning.
    fn begin(message: pb::NarrativeProblem, at: &Path<'_>, wrong: &mut Mistakes) -> Option<Self> {
        let Decoded {
            narrative,
            names,
            origins,
        } = problem(message.clone(), at, wrong)?;
        Some(Self {
            problem: Arc::new(message),
            names: Arc::new(names),
            origins: origins.into(),
            execution: Execution::new(narrative),
            generation: 0,
            settled: None,
        })
    }

    /// Follows a plan of the caller, if it holds for the rest, which is found out in time.
    fn follow_given(
        &mut self,
        given: pb::NarrativePlan,
        until: Option<Instant>,
        wrong: &mut Mistakes,
    ) {
        let Some(narrative) = self.execution.rest() else {
            return;
        };
        let plan = read::plan(given, &narrative, &self.names, &Path::root("plan"), wrong);
        let Some(plan) = plan.map(|read| read.plan) else {
            return;
        };
        let most = Instant::now() + CHECK_MAX;
        let until = until.map_or(most, |until| until.min(most));
        let answer = Answer::Plan(plan);
        let is_checked = || {
            let checked = verify::answer_until(&narrative, &answer, &|| Instant::now() < until);
            checked.is_some_and(|checked| checked.is_ok())
        };
        if wrong.is_empty()
            && is_checked()
            && let Answer::Plan(plan) = &answer
        {
            self.execution.follow(&narrative, plan);
        }
    }

    /// Notes all of a progress that is not known yet.
    fn advance(&mut self, given: pb::NarrativeProgress, field: &'static str, wrong: &mut Mistakes) {
        let at = Path::root(field);
        let given = progress(Some(given), &at, &self.names, wrong);
        if !wrong.is_empty() {
            return;
        }
        let known = self.execution.facts().progress.clone();
        if given.now_us < known.now_us {
            let why = format!("is {} us, before {} us", given.now_us, known.now_us);
            wrong.add(&at.field("now_offset"), Code::OutOfRange, why);
            return;
        }
        let events = (0..).zip(given.happened);
        let events = events.map(|(place, (node, at_us))| Event { place, node, at_us });
        let report = Report {
            events: events
                .filter(|it| known.time(it.node) != Some(it.at_us))
                .collect(),
            picks: given.made,
        };
        let time = "time_offset";
        self.report(given.now_us, &report, &Reported { at, time }, wrong);
    }

    /// The state after an update.
    ///
    /// # Errors
    /// All mistakes of the update.
    pub(crate) fn updated(&self, update: pb::SessionUpdate) -> Result<Self, Mistakes> {
        let (mut next, mut wrong) = (self.clone(), Mistakes::default());
        let now_us = session::now_after(self.now_us(), &update)?;
        let at = Path::root("narrative");
        let report = match update.change {
            Some(Change::Narrative(changes)) => next.read(changes, now_us, &at, &mut wrong),
            Some(Change::NarrativeProblem(story)) => {
                next.replace(story, &mut wrong);
                Report::default()
            }
            _ => Report::default(),
        };
        if wrong.is_empty() {
            let time = "at_offset";
            next.report(now_us, &report, &Reported { at, time }, &mut wrong);
        }
        if wrong.is_empty() {
            Ok(next)
        } else {
            Err(wrong)
        }
    }

    /// Takes another story. What has happened stays.
    fn replace(&mut self, mut story: pb::NarrativeProblem, wrong: &mut Mistakes) {
        let at = Path::root("narrative_problem");
        story.progress = None;
        let Some(mut next) = Self::begin(story, &at, wrong) else {
            return;
        };
        let Facts { progress, picks } = self.execution.facts();
        let events = progress.happened().filter_map(|(node, at_us)| {
            let node = next.names.event(self.names.node(node))?;
            Some(Event {
                place: 0,
                node,
                at_us,
            })
        });
        let picks = made(picks).filter_map(|(choice, option)| {
            let pick = self.names.pick(choice, option);
            next.names.picked(&pick, &at, &mut Mistakes::default())
        });
        let report = Report {
            events: events.collect(),
            picks: picks.collect(),
        };
        if next.note(progress.now_us, &report).is_err() {
            let why = "is a story in which what has happened cannot have happened";
            wrong.add(&at, Code::Contradiction, why);
        }
        next.generation = self.generation + 1;
        *self = next;
    }

    /// The current time.
    pub fn now_us(&self) -> Micros {
        self.execution.facts().progress.now_us
    }

    fn point(&self) -> Point {
        let Facts { progress, picks } = self.execution.facts();
        Point {
            generation: self.generation,
            facts: progress.happened().count() + made(picks).count(),
            broken: self.execution.broken().len(),
        }
    }

    /// Facts for the wire.
    fn progress(&self, facts: &Facts) -> pb::NarrativeProgress {
        let happened = facts.progress.happened();
        let happened = happened.map(|(node, at_us)| pb::TemporalScheduledEvent {
            event_id: self.names.node(node).to_owned(),
            time_offset: Some(duration_of_micros(at_us)),
        });
        let picked = made(&facts.picks);
        pb::NarrativeProgress {
            now_offset: Some(duration_of_micros(facts.progress.now_us)),
            happened: happened.collect(),
            made: picked
                .map(|(choice, option)| self.names.pick(choice, option))
                .collect(),
        }
    }

    /// The state as it is created again.
    #[must_use]
    pub fn snapshot(&self) -> pb::NarrativeSessionState {
        let planned = self.execution.planned();
        pb::NarrativeSessionState {
            problem: Some(pb::NarrativeProblem::clone(&self.problem)),
            plan: planned.map(|(rest, followed)| plan(rest, &self.names, followed)),
            plan_progress: planned.map(|(rest, _)| self.progress(&Facts::from_progress(rest))),
            progress: Some(self.progress(self.execution.facts())),
        }
    }
}

impl Executed for State {
    type Search = ScheduleNarrative;
    type Finding = Finding;

    fn in_state(state: &mut session::State) -> Option<&mut Self> {
        match state {
            session::State::Narrative(state) => Some(state),
            _ => None,
        }
    }

    fn view(&self) -> pb::SessionView {
        self.decisions()
    }

    fn course(&self) -> Course {
        Course {
            is_idle: !(self.execution.is_running() || self.execution.is_over()),
            runs: self.execution.has_running_links(),
            now_us: self.now_us(),
            point: self.point(),
        }
    }

    fn last(&self) -> Option<&Settled<Self::Finding>> {
        self.settled.as_ref()
    }

    fn search(&mut self, options: &pb::SolveOptions) -> Option<(Point, Request)> {
        if !self.needs_search() {
            return None;
        }
        let point = self.point();
        let Some(narrative) = self.execution.rest() else {
            let (unknown, none) = (pb::TemporalVerdict::Unknown, Finding::default());
            self.settled = Some(Settled::new(point, self.now_us(), unknown, none));
            return None;
        };
        let options = with_priority(options, self.settled().is_some());
        let mut wrong = Mistakes::default();
        let how = How::new(Some(options), STRATEGIES, &mut wrong);
        assert!(wrong.is_empty(), "options are checked");
        let params = Params {
            strategy: how.strategy.strategy,
            detail: Detail::default(),
        };
        let names = Arc::clone(&self.names);
        Some((point, about(how, narrative, names, params)))
    }

    fn is_about(&self, point: Point) -> bool {
        point.generation == self.generation
    }

    fn follow(
        &mut self,
        point: Point,
        asked: &Asked<ScheduleNarrative>,
        found: &Found<Schedule>,
    ) -> bool {
        match &found.plan {
            Answer::Plan(plan) if self.is_about(point) => {
                let followed = self.execution.planned().map(|(_, followed)| followed);
                followed == Some(plan) || self.execution.follow(&asked.request.problem, plan)
            }
            _ => false,
        }
    }

    fn settle(
        &mut self,
        point: Point,
        asked: &Asked<ScheduleNarrative>,
        outcome: Option<&Outcome<Schedule>>,
    ) -> Option<pb::SolveReport> {
        let best = outcome.and_then(|outcome| outcome.best.as_deref());
        let is_followed = best.is_some_and(|best| self.follow(point, asked, best));
        let answer = outcome
            .map(|outcome| answer(asked, outcome))
            .unwrap_or_default();
        let now_us = asked.request.problem.spec().progress.now_us;
        // A plan that time has overtaken is searched for again.
        let is_overtaken = answer.plan.is_some() && now_us < self.now_us();
        if is_followed || self.execution.is_running() || point != self.point() || is_overtaken {
            return answer.report;
        }
        let status = answer.report.as_ref().map(pb::SolveReport::status);
        let verdict = match status {
            Some(pb::SolveStatus::Infeasible) => pb::TemporalVerdict::Fails,
            _ => pb::TemporalVerdict::Unknown,
        };
        let finding = Finding {
            conflict: answer.conflict,
            relaxations: answer.relaxations,
        };
        self.settled = Some(Settled::new(point, now_us, verdict, finding));
        answer.report
    }

    fn bytes(&self) -> usize {
        use prost::Message as _;
        let settled = self.settled.as_ref().map_or(0, |settled| {
            let Finding {
                conflict,
                relaxations,
            } = settled.finding();
            let relaxations = relaxations.iter().map(prost::Message::encoded_len);
            let conflict = conflict.as_ref().map_or(0, prost::Message::encoded_len);
            conflict + relaxations.sum::<usize>()
        });
        4 * (self.problem.encoded_len() + settled) + self.execution.bytes()
    }
}
