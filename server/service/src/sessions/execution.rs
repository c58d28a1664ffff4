//! Sessions that execute a strategy: what is to happen next, and the search for how to go on.

use super::log::Unwritten;
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
    /// starts a search of a number, unless one that can help is under way.
    pub(crate) fn execute<E: Executed>(
        &self,
        version: u64,
        start: impl FnOnce(u64) -> AbortHandle,
    ) -> bool {
        let mut present = self.present();
        let is_present = present.version == version;
        let searched = present.searched;
        let Some(state) = E::in_state(&mut present.state).filter(|_| is_present) else {
            return false;
        };
        let (view, needs_search) = (state.view(), state.needs_search());
        let is_outdated = searched.is_some_and(|point| !state.is_about(point));
        if needs_search {
            let search = present.improving.take();
            let search = search.filter(|search| !search.is_finished());
            // One that has found what was followed until now, or is about another problem, helps
            // no more.
            let is_spent = present.is_followed || is_outdated;
            present.improving = search.filter(|search| {
                if is_spent {
                    search.abort();
                }
                !is_spent
            });
            if present.improving.is_none() {
                present.is_followed = false;
                present.searched = None;
                present.search += 1;
                let number = present.search;
                present.improving = Some(start(number));
            }
        }
        let is_searched = present.improving.is_some();
        self.show(&mut present, view, None, is_searched);
        needs_search
    }

    /// Publishes a view, with the report of the last search.
    fn show(
        &self,
        present: &mut Present,
        view: pb::SessionView,
        report: Option<pb::SolveReport>,
        improving: bool,
    ) {
        let report = report.or_else(|| self.view().report.clone());
        let shown = pb::SessionView {
            improving,
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

    /// What a search of a number is to search for next; `None`: nothing, and it is over.
    pub(crate) fn rest<E: Executed>(&self, number: u64) -> Option<Rest<E>> {
        let mut present = self.present();
        let is_over = present.closed.is_some() || present.search != number;
        let state = E::in_state(&mut present.state).filter(|_| !is_over)?;
        if let Some((point, request)) = state.search(&self.options) {
            present.searched = Some(point);
            return Some(Rest { point, request });
        }
        let view = state.view();
        present.improving = None;
        if self.view().improving {
            self.show(&mut present, view, None, false);
        }
        None
    }

    /// Follows what a search has found, if that is a strategy that fits, and publishes what is to
    /// happen next.
    pub(crate) fn follow<E: Executed>(
        &self,
        number: u64,
        point: Point,
        asked: &Asked<E::Search>,
        found: &Found<Finder<E>>,
    ) {
        self.change::<E>(
            number,
            |state| (state.follow(point, asked, found), None),
            true,
        );
    }

    /// Takes the end of a search, and publishes what is to happen next.
    pub(crate) fn settle<E: Executed>(
        &self,
        number: u64,
        point: Point,
        asked: &Asked<E::Search>,
        outcome: Option<&Outcome<Finder<E>>>,
    ) {
        let settle = |state: &mut E| (true, state.settle(point, asked, outcome));
        if !self.change(number, settle, false) {
            let refuse = |state: &mut E| (true, state.settle(point, asked, None));
            self.change(number, refuse, false);
        }
    }

    /// Changes what is executed for a search of a number, and publishes what is to happen next if
    /// `change` says so. False: there is no room for it, and nothing has changed.
    fn change<E: Executed>(
        &self,
        number: u64,
        change: impl FnOnce(&mut E) -> (bool, Option<pb::SolveReport>),
        goes_on: bool,
    ) -> bool {
        let mut present = self.present();
        let is_over = present.search != number;
        let Some(state) = E::in_state(&mut present.state).filter(|_| !is_over) else {
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
        present.changes += 1;
        present.note(Unwritten::rebase);
        present.is_followed = !needs_search;
        if has_changed {
            self.show(&mut present, view, report, goes_on || needs_search);
        }
        true
    }
}
