//! A session that executes a temporal network: what has happened, and what is to happen next.

mod changes;
mod decisions;
#[cfg(test)]
mod tests;

pub(crate) use decisions::{deviation, window};

use super::answer::levels_answer;
use super::info::ONLY_AUTO;
use super::names::Names;
use super::network::{Decoded, network};
use super::request::{LevelsRequest, about, detail, how};
use crate::contract::CheckControllability;
use crate::method::Asked;
use crate::mistakes::{Code, Mistakes};
use crate::report::common;
use crate::session::{
    self, Course, Executed, Point, RefusedEvent, Settled, refuse_event, with_priority,
};
use crate::values::{ID_MAX, duration_of_micros, rounded_micros};
use ::temporal::execution::Execution;
use ::temporal::plan::Level;
use ::temporal::problem::{Micros, Node, ORIGIN, Progress};
use ::temporal::{Levels, LevelsParams};
use anytime::{Found, Outcome, Path};
use std::sync::Arc;
use stratagem_proto::v1::{self as pb, session_update::Change};

/// The state of a session. Clones share what is large.
#[derive(Debug, Clone)]
pub struct State {
    /// With the ids of all links.
    network: Arc<pb::TemporalNetwork>,
    names: Arc<Names>,
    execution: Execution,
    /// How often links were changed.
    generation: u64,
    /// The last finding that is nothing to execute.
    settled: Option<Settled<pb::TemporalControllabilityFinding>>,
}

/// Notes what is wrong with options of searches.
pub(crate) fn judge(options: &pb::SolveOptions, wrong: &mut Mistakes) {
    how(Some(options.clone()), ONLY_AUTO, wrong);
}

impl State {
    /// The beginning of a session.
    ///
    /// # Errors
    /// All mistakes.
    pub(crate) fn new(given: pb::TemporalSessionState) -> Result<Self, Mistakes> {
        let pb::TemporalSessionState {
            network,
            happened,
            now_offset,
        } = given;
        let now_us = now_offset.as_ref().map_or(0, rounded_micros);
        let mut wrong = Mistakes::default();
        let at = Path::root("network");
        let state = Self::begin(network.unwrap_or_default(), now_us, &at, &mut wrong);
        let Some(mut state) = state else {
            return Err(wrong);
        };
        state.report(&happened, now_us, &Path::root("happened"), &mut wrong);
        if wrong.is_empty() {
            Ok(state)
        } else {
            Err(wrong)
        }
    }

    /// A network in which nothing has happened by now.
    fn begin(
        given: pb::TemporalNetwork,
        now_us: Micros,
        at: &Path<'_>,
        wrong: &mut Mistakes,
    ) -> Option<Self> {
        let mut message = given.clone();
        let Decoded { network, names } = network(given, at, wrong)?;
        if network.has_teammates() {
            let why = "has an uncontrollable agent with events, but a session executes them all";
            wrong.add(&at.field("agents"), Code::Contradiction, why);
            return None;
        }
        // A default id may be longer than ids that are sent.
        let is_sent = |id: &String| id.chars().count() <= ID_MAX;
        let links = names.links.iter().zip(&names.links_at);
        for (id, link_at) in links.filter(|link| is_sent(link.0)) {
            message.links[*link_at].id.clone_from(id);
        }
        let links = names.contingent.iter().zip(&names.contingent_at);
        for (id, link_at) in links.filter(|link| is_sent(link.0)) {
            message.contingent_links[*link_at].id.clone_from(id);
        }
        let progress = Progress {
            now_us,
            times_us: vec![None; network.owners().len()],
        };
        match Execution::new(network, progress) {
            Ok(execution) => Some(Self {
                network: Arc::new(message),
                names,
                execution,
                generation: 0,
                settled: None,
            }),
            Err(faults) => {
                wrong.add_faults(&faults, &*names, at);
                None
            }
        }
    }

    /// The state after an update.
    ///
    /// # Errors
    /// All mistakes of the update.
    pub(crate) fn updated(&self, update: pb::SessionUpdate) -> Result<Self, Mistakes> {
        let (mut next, mut wrong) = (self.clone(), Mistakes::default());
        let now_us = session::now_after(self.now_us(), &update)?;
        let at = Path::root("temporal");
        let happened_at = at.field("happened");
        match update.change {
            Some(Change::Temporal(changes)) => {
                let happened = next.change(changes, &at, &mut wrong);
                next.report(&happened, now_us, &happened_at, &mut wrong);
            }
            Some(Change::TemporalNetwork(network)) => {
                next.replace(network, &Path::root("temporal_network"), &mut wrong);
                next.report(&[], now_us, &happened_at, &mut wrong);
            }
            _ => next.report(&[], now_us, &happened_at, &mut wrong),
        }
        if wrong.is_empty() {
            Ok(next)
        } else {
            Err(wrong)
        }
    }

    /// Notes the time and what has happened.
    fn report(
        &mut self,
        given: &[pb::TemporalHappenedEvent],
        now_us: Micros,
        at: &Path<'_>,
        wrong: &mut Mistakes,
    ) {
        let mut events: Vec<(Node, Micros)> = Vec::new();
        for (index, one) in given.iter().enumerate() {
            let id_at = at.index(index);
            let id_at = id_at.field("event_id");
            let at_us = one.at_offset.as_ref().map_or(now_us, rounded_micros);
            match self.names.find(&id_at, &one.event_id, wrong) {
                Some(ORIGIN) => wrong.add(&id_at, Code::WrongKind, "is the origin"),
                Some(node) => events.push((node, at_us)),
                None => {}
            }
        }
        if !wrong.is_empty() {
            return;
        }
        let Err((index, error)) = self.execution.report(now_us, &events) else {
            return;
        };
        let (node, at_us) = events[index];
        let event = RefusedEvent {
            id: self.names.node(node),
            at_us,
            now_us,
            time: "at_offset",
        };
        refuse_event(error, &event, &at.index(index), wrong);
    }

    /// What has happened: ids and times.
    fn happened(&self) -> impl Iterator<Item = (&str, Micros)> {
        let times = (1..).zip(self.execution.times_us());
        times.filter_map(|(node, time)| Some((self.names.node(node), (*time)?)))
    }

    /// The current time.
    pub fn now_us(&self) -> Micros {
        self.execution.now_us()
    }

    fn point(&self) -> Point {
        Point {
            generation: self.generation,
            facts: self.happened().count(),
            broken: self.execution.broken().len(),
        }
    }

    /// Notes that it could not be decided what to execute.
    fn leave_open(&mut self, point: Point) {
        let (unknown, none) = (pb::TemporalVerdict::Unknown, Default::default());
        self.settled = Some(Settled::new(point, self.now_us(), unknown, none));
    }

    /// The state as it is created again.
    #[must_use]
    pub fn snapshot(&self) -> pb::TemporalSessionState {
        let happened = self.happened();
        let happened = happened.map(|(id, at_us)| pb::TemporalHappenedEvent {
            event_id: id.to_owned(),
            at_offset: Some(duration_of_micros(at_us)),
        });
        pb::TemporalSessionState {
            network: Some(pb::TemporalNetwork::clone(&self.network)),
            happened: happened.collect(),
            now_offset: Some(duration_of_micros(self.now_us())),
        }
    }
}

impl Executed for State {
    type Search = CheckControllability;
    type Finding = pb::TemporalControllabilityFinding;

    fn in_state(state: &mut session::State) -> Option<&mut Self> {
        match state {
            session::State::Temporal(state) => Some(state),
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

    fn search(&mut self, options: &pb::SolveOptions) -> Option<(Point, LevelsRequest)> {
        if !self.needs_search() {
            return None;
        }
        let Some(network) = self.execution.rest() else {
            self.leave_open(self.point());
            return None;
        };
        let options = with_priority(options, self.settled().is_some());
        let mut wrong = Mistakes::default();
        let how = how(Some(options), ONLY_AUTO, &mut wrong);
        assert!(wrong.is_empty(), "options are checked");
        let params = LevelsParams {
            levels: vec![Level::Dynamic],
            detail: detail(None),
        };
        let names = Arc::clone(&self.names);
        let decoded = Decoded { network, names };
        Some((self.point(), about(how, decoded, params, None)))
    }

    fn is_about(&self, point: Point) -> bool {
        point.generation == self.generation
    }

    fn follow(
        &mut self,
        point: Point,
        asked: &Asked<CheckControllability>,
        found: &Found<Levels>,
    ) -> bool {
        let dispatch = found.plan.first().and_then(|it| it.dispatch.as_ref());
        let dispatch = dispatch.filter(|_| self.is_about(point));
        if let Some(dispatch) = dispatch.filter(|_| !self.execution.is_running()) {
            self.execution.follow(&asked.request.problem, dispatch);
        }
        dispatch.is_some() && self.execution.is_running()
    }

    fn settle(
        &mut self,
        point: Point,
        asked: &Asked<CheckControllability>,
        outcome: Option<&Outcome<Levels>>,
    ) -> Option<pb::SolveReport> {
        let best = outcome.and_then(|outcome| outcome.best.as_ref());
        let dispatch = best.and_then(|best| best.plan.first()?.dispatch.as_ref());
        if let Some(best) = best {
            self.follow(point, asked, best);
        }
        let (finding, report) = match outcome {
            None => (None, None),
            Some(outcome) if dispatch.is_some() => {
                let status = pb::SolveStatus::Optimal.into();
                let report = common(asked, outcome);
                (None, Some(pb::SolveReport { status, ..report }))
            }
            Some(outcome) => {
                let mut answer = levels_answer(asked, outcome);
                (answer.findings.pop(), answer.report)
            }
        };
        let progress = asked.request.problem.spec().progress.as_ref();
        let now_us = progress.map_or(0, |progress| progress.now_us);
        // A plan that time has overtaken is searched for again.
        let is_overtaken = dispatch.is_some() && now_us < self.now_us();
        if self.execution.is_running() || point != self.point() || is_overtaken {
            return report;
        }
        match finding {
            None => self.leave_open(point),
            Some(finding) => {
                let verdict = finding.verdict();
                self.settled = Some(Settled::new(point, now_us, verdict, finding));
            }
        }
        report
    }

    fn bytes(&self) -> usize {
        use prost::Message as _;
        let settled = self.settled.as_ref();
        let settled = settled.map_or(0, |settled| settled.finding().encoded_len());
        4 * (self.network.encoded_len() + settled) + self.execution.bytes()
    }
}
