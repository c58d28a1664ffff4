//! A session that executes a temporal network: what has happened, and what is to happen next.

mod decisions;
#[cfg(test)]
mod tests;

use super::answer::levels_answer;
use super::info::ONLY_AUTO;
use super::names::Names;
use super::network::{Decoded, network};
use super::request::{LevelsRequest, about, detail, how};
use crate::contract::CheckControllability;
use crate::method::Asked;
use crate::mistakes::{Code, Mistakes};
use crate::report::common;
use crate::values::{duration_of_micros, rounded_micros, shown};
use ::temporal::execution::{Execution, ReportError};
use ::temporal::plan::Level;
use ::temporal::problem::{Micros, Node, ORIGIN, Progress};
use ::temporal::{Levels, LevelsParams};
use anytime::{Outcome, Path};
use std::collections::HashMap;
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
    /// The last finding that is nothing to execute, and for what.
    settled: Option<(Point, Arc<pb::TemporalControllabilityFinding>)>,
}

/// What a finding is about. Time alone changes no failure into another verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    generation: u64,
    happened: usize,
    broken: usize,
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
        for (id, link_at) in names.links.iter().zip(&names.links_at) {
            message.links[*link_at].id.clone_from(id);
        }
        for (id, link_at) in names.contingent.iter().zip(&names.contingent_at) {
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
        let (was, now) = (
            self.now_us(),
            update.now_offset.as_ref().map(rounded_micros),
        );
        let now_us = now.unwrap_or(was);
        if now_us < was {
            let why = format!("is {now_us} us, before {was} us of the previous update");
            wrong.add(&Path::root("now_offset"), Code::OutOfRange, why);
            return Err(wrong);
        }
        // There is time again for what was not decided.
        let settled = next.settled.take();
        next.settled = settled.filter(|it| it.1.verdict() == pb::TemporalVerdict::Fails);
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
        let (at, id) = (at.index(index), shown(self.names.node(node)));
        match error {
            ReportError::Repeated => {
                let why = format!("is {id}, which has happened already");
                wrong.add(&at.field("event_id"), Code::Duplicate, why);
            }
            ReportError::OutOfRange => {
                let why = format!("is {at_us} us, after now, which is {now_us} us");
                wrong.add(&at.field("at_offset"), Code::OutOfRange, why);
            }
            ReportError::BeforeStart => {
                let why = format!("is {id}, whose contingent link has not begun by then");
                wrong.add(&at.field("event_id"), Code::Contradiction, why);
            }
        }
    }

    /// Changes links, and returns what has happened.
    fn change(
        &mut self,
        changes: pb::TemporalChanges,
        at: &Path<'_>,
        wrong: &mut Mistakes,
    ) -> Vec<pb::TemporalHappenedEvent> {
        let pb::TemporalChanges {
            happened,
            removed_link_ids: removed,
            put_links: put,
            put_contingent_links: put_contingent,
        } = changes;
        if removed.is_empty() && put.is_empty() && put_contingent.is_empty() {
            return happened;
        }
        let mut network = pb::TemporalNetwork::clone(&self.network);
        for (index, id) in removed.iter().enumerate() {
            let Some(found) = network.links.iter().position(|link| link.id == *id) else {
                let why = format!("is {}, which is no requirement link", shown(id));
                wrong.add(
                    &at.field("removed_link_ids").index(index),
                    Code::Unknown,
                    why,
                );
                continue;
            };
            network.links.remove(found);
        }
        for link in put {
            let found = network.links.iter_mut().find(|known| known.id == link.id);
            match found.filter(|_| !link.id.is_empty()) {
                Some(known) => *known = link,
                None => network.links.push(link),
            }
        }
        for (index, link) in put_contingent.into_iter().enumerate() {
            let mut known = network.contingent_links.iter_mut();
            match known.find(|known| known.id == link.id) {
                Some(known) => *known = link,
                None => {
                    let at = at.field("put_contingent_links");
                    let why = format!("is {}, which is no contingent link", shown(&link.id));
                    wrong.add(&at.index(index).field("id"), Code::Unknown, why);
                }
            }
        }
        if wrong.is_empty() {
            self.replace(network, &Path::root("network"), wrong);
        }
        happened
    }

    /// Takes another network. What has happened stays.
    fn replace(&mut self, network: pb::TemporalNetwork, at: &Path<'_>, wrong: &mut Mistakes) {
        let Some(mut next) = Self::begin(network, self.now_us(), at, wrong) else {
            return;
        };
        let before: HashMap<&str, Micros> = self.happened().collect();
        let events = (1..).zip(next.names.events.list());
        let happened = events.filter_map(|(node, id)| Some((node, *before.get(&**id)?)));
        let happened: Vec<(Node, Micros)> = happened.collect();
        if let Err((index, _)) = next.execution.report(self.now_us(), &happened) {
            let id = shown(next.names.node(happened[index].0));
            let why = format!("has {id}, whose contingent link has not begun when it happened");
            wrong.add(at, Code::Contradiction, why);
            return;
        }
        next.generation = self.generation + 1;
        *self = next;
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
            happened: self.happened().count(),
            broken: self.execution.broken().len(),
        }
    }

    /// The finding about the present, if that is nothing to execute.
    fn settled(&self) -> Option<&pb::TemporalControllabilityFinding> {
        let settled = self.settled.as_ref();
        let settled = settled.filter(|_| !self.execution.is_running())?;
        (settled.0 == self.point()).then_some(&*settled.1)
    }

    /// Whether there is nothing to execute yet.
    #[must_use]
    pub fn needs_search(&self) -> bool {
        let has_plan = self.execution.is_running() || self.execution.is_over();
        !has_plan && self.settled().is_none()
    }

    /// The question whether the rest of the network can be executed, if [`Self::needs_search`].
    ///
    /// # Panics
    /// With options that were not checked when the session was created.
    #[must_use]
    pub fn search(&self, options: &pb::SolveOptions) -> Option<(Point, LevelsRequest)> {
        if !self.needs_search() {
            return None;
        }
        let (network, mut wrong) = (self.execution.rest()?, Mistakes::default());
        let how = how(Some(options.clone()), ONLY_AUTO, &mut wrong);
        assert!(wrong.is_empty(), "options are checked");
        let params = LevelsParams {
            levels: vec![Level::Dynamic],
            detail: detail(None),
        };
        let names = Arc::clone(&self.names);
        let decoded = Decoded { network, names };
        Some((self.point(), about(how, decoded, params, None)))
    }

    /// Takes what a search for [`Self::search`] has found, also for an earlier point; `None`: it
    /// was refused. Returns its report.
    pub fn settle(
        &mut self,
        point: Point,
        asked: &Asked<CheckControllability>,
        outcome: Option<&Outcome<Levels>>,
    ) -> Option<pb::SolveReport> {
        let best = outcome.and_then(|outcome| outcome.best.as_ref());
        let dispatch = best.and_then(|best| best.plan.first()?.dispatch.as_ref());
        if let Some(dispatch) = dispatch.filter(|_| point.generation == self.generation) {
            self.execution.follow(&asked.request.problem, dispatch);
        }
        let (mut finding, report) = match outcome {
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
        if !self.execution.is_running() && point == self.point() {
            let finding = finding
                .take()
                .unwrap_or(pb::TemporalControllabilityFinding {
                    verdict: pb::TemporalVerdict::Unknown.into(),
                    ..pb::TemporalControllabilityFinding::default()
                });
            self.settled = Some((point, Arc::new(finding)));
        }
        report
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

    /// Memory that it takes, near enough.
    #[must_use]
    pub fn bytes(&self) -> usize {
        use prost::Message as _;
        let settled = self.settled.as_ref();
        let settled = settled.map_or(0, |settled| settled.1.encoded_len());
        4 * (self.network.encoded_len() + settled) + self.execution.bytes()
    }
}
