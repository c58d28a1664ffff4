//! Sessions that execute a strategy: what is to happen next, and the search for how to go on.

use super::present::Present;
use super::session::Session;
use anytime::{Found, Outcome};
use stratagem_proto::v1 as pb;
use tokio::task::AbortHandle;
use wire::method::{Asked, Method, RequestOf};
use wire::session::{Executed, Point};

/// What searches.
type Finder<E> = <<E as Executed>::Search as Method>::Planner;

/// What is searched for.
pub(crate) struct Rest<E: Executed> {
    /// What the finding will be about.
    pub point: Point,
    /// The question about it.
    pub request: RequestOf<E::Search>,
}

impl Session {
    /// Publishes what is to happen next. True if there is nothing to execute yet: then `start`
    /// starts a search, unless one for that is under way.
    pub(crate) fn execute<E: Executed>(
        &self,
        version: u64,
        start: impl FnOnce() -> AbortHandle,
    ) -> bool {
        let mut present = self.present();
        let is_present = present.version == version;
        let Some(state) = E::in_state(&mut present.state).filter(|_| is_present) else {
            return false;
        };
        let (view, needs_search) = (state.view(), state.needs_search());
        let search = present.improving.take();
        let search = search.filter(|search| !search.is_finished());
        present.improving = match search {
            // It has found what was followed until now.
            Some(search) if needs_search && present.is_followed => {
                search.abort();
                None
            }
            search => search,
        };
        if needs_search && present.improving.is_none() {
            present.is_followed = false;
            present.improving = Some(start());
        }
        self.show(&mut present, view, None);
        needs_search
    }

    /// Publishes a view, with the report of the last search.
    fn show(&self, present: &mut Present, view: pb::SessionView, report: Option<pb::SolveReport>) {
        let report = report.or_else(|| self.view().report.clone());
        let shown = pb::SessionView {
            improving: present.improving.is_some(),
            report,
            ..view
        };
        self.publish_for(present, shown);
    }

    /// Whether there is nothing to execute yet.
    pub(crate) fn needs_search<E: Executed>(&self) -> bool {
        let mut present = self.present();
        E::in_state(&mut present.state).is_some_and(|state| state.needs_search())
    }

    /// What to search for next; `None`: nothing, and the search is over.
    pub(crate) fn rest<E: Executed>(&self) -> Option<Rest<E>> {
        let mut present = self.present();
        let is_closed = present.is_closed;
        let state = E::in_state(&mut present.state).filter(|_| !is_closed)?;
        if let Some((point, request)) = state.search(&self.options) {
            return Some(Rest { point, request });
        }
        let view = state.view();
        if present.improving.take().is_some() {
            self.show(&mut present, view, None);
        }
        None
    }

    /// Follows what a search has found, if that is a strategy that fits, and publishes what is to
    /// happen next.
    pub(crate) fn follow<E: Executed>(
        &self,
        point: Point,
        asked: &Asked<E::Search>,
        found: &Found<Finder<E>>,
    ) {
        self.change::<E>(|state| (state.follow(point, asked, found), None), false);
    }

    /// Takes the end of a search, and publishes what is to happen next.
    pub(crate) fn settle<E: Executed>(
        &self,
        point: Point,
        asked: &Asked<E::Search>,
        outcome: Option<&Outcome<Finder<E>>>,
    ) {
        let has_room = self.change::<E>(|state| (true, state.settle(point, asked, outcome)), true);
        if !has_room {
            self.change::<E>(|state| (true, state.settle(point, asked, None)), true);
        }
    }

    /// Changes what is executed, and publishes what is to happen next if `change` says so. False:
    /// there is no room for it, and nothing has changed.
    fn change<E: Executed>(
        &self,
        change: impl FnOnce(&mut E) -> (bool, Option<pb::SolveReport>),
        is_end: bool,
    ) -> bool {
        let mut present = self.present();
        let Some(state) = E::in_state(&mut present.state) else {
            return true;
        };
        let before = (state.clone(), state.bytes());
        let (has_changed, report) = change(state);
        let bytes = state.bytes();
        if self.memory.count(before.1, bytes).is_err() {
            *state = before.0;
            return false;
        }
        let (view, needs_search) = (state.view(), state.needs_search());
        present.bytes = present.bytes + bytes - before.1;
        present.is_followed = !needs_search;
        if is_end && !needs_search {
            present.improving = None;
        }
        if has_changed {
            self.show(&mut present, view, report);
        }
        true
    }
}
