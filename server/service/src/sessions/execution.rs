//! Sessions that execute a network: what is to happen next, and the search for how to go on.

use super::present::Present;
use super::session::Session;
use anytime::Outcome;
use stratagem_proto::v1 as pb;
use tokio::task::AbortHandle;
use wire::contract::CheckControllability;
use wire::method::{Asked, Method, RequestOf};
use wire::session::{Execution, Point, State};

/// What searches.
type Levels = <CheckControllability as Method>::Planner;

/// What is searched for.
pub(crate) struct Rest {
    /// What the finding will be about.
    pub point: Point,
    /// The question about it.
    pub request: RequestOf<CheckControllability>,
}

/// The execution of a session, unless it is one of another kind.
fn execution(present: &mut Present) -> Option<&mut Execution> {
    match &mut present.state {
        State::Temporal(execution) => Some(execution),
        State::Allocation(_) => None,
    }
}

impl Session {
    /// Publishes what is to happen next. True if there is nothing to execute yet: then `start`
    /// starts a search, unless one is under way.
    pub(crate) fn execute(&self, version: u64, start: impl FnOnce() -> AbortHandle) -> bool {
        let mut present = self.present();
        let is_present = present.version == version;
        let Some(execution) = execution(&mut present).filter(|_| is_present) else {
            return false;
        };
        let (view, needs_search) = (execution.view(), execution.needs_search());
        self.show(&mut present, view, None);
        let ended = present.improving.as_ref();
        if needs_search && ended.is_none_or(AbortHandle::is_finished) {
            present.improving = Some(start());
        }
        needs_search
    }

    /// Publishes a view, with the report of the last search.
    fn show(&self, present: &mut Present, view: pb::SessionView, report: Option<pb::SolveReport>) {
        let report = report.or_else(|| self.view().report.clone());
        let needs_search = execution(present).is_some_and(|execution| execution.needs_search());
        let shown = pb::SessionView {
            improving: needs_search,
            report,
            ..view
        };
        self.publish_for(present, shown);
    }

    /// Whether there is nothing to execute yet.
    pub(crate) fn needs_search(&self) -> bool {
        execution(&mut self.present()).is_some_and(|execution| execution.needs_search())
    }

    /// What to search for next; `None`: nothing, and the search is over.
    pub(crate) fn rest(&self) -> Option<Rest> {
        let mut present = self.present();
        let found = execution(&mut present).and_then(|execution| execution.search(&self.options));
        if found.is_none() || present.is_closed {
            present.improving = None;
            return None;
        }
        found.map(|(point, request)| Rest { point, request })
    }

    /// Takes what a search has found, and publishes what is to happen next.
    pub(crate) fn settle(
        &self,
        point: Point,
        asked: &Asked<CheckControllability>,
        outcome: Option<&Outcome<Levels>>,
    ) {
        let mut present = self.present();
        let Some(execution) = execution(&mut present) else {
            return;
        };
        let before = (execution.clone(), execution.bytes());
        let report = execution.settle(point, asked, outcome);
        let mut bytes = execution.bytes();
        if self.memory.count(before.1, bytes).is_err() {
            // There is no room for what was found.
            *execution = before.0;
            execution.settle(point, asked, None);
            bytes = before.1;
        }
        let view = execution.view();
        present.bytes = present.bytes + bytes - before.1;
        self.show(&mut present, view, report);
    }
}
