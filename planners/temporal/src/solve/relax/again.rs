//! Deciding a network again after some changes.

use super::changed;
use crate::plan::{Change, Conflict, MemberKind};
use crate::problem::{Micros, Network, Node, Source};
use crate::solve::decide::{Decided, decide};
use crate::solve::explain::failing;
use crate::solve::reduce::Reduction;
use crate::solve::search::Pace;
use crate::solve::table::{Graph, Table};

/// Decides a network again.
pub(crate) trait Again {
    /// Whether it holds after some changes, of different bounds. `None`: not enough time.
    fn holds(&mut self, changes: &[Change]) -> Option<bool>;

    /// What becomes of the last conflict. `None` when there is no time to tell.
    fn progress(&mut self, changes: &[Change]) -> Option<Progress> {
        let holds = self.holds(changes)?;
        Some(if holds {
            Progress::Holds
        } else {
            Progress::None
        })
    }

    /// Why the network still fails, and by how much if that is known. From then on this is the
    /// conflict that [`Again::progress`] is about. `None` when nobody can tell.
    fn conflict(&mut self, _: &[Change]) -> Option<(Conflict, Option<Micros>)> {
        None
    }
}

/// What becomes of a conflict when bounds change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// It stays, or another of the same teammates' events takes its place.
    None,
    /// It is none any more, but the network fails all the same.
    Repaired,
    /// The network holds.
    Holds,
}

/// Decides a changed network: `None` when there is no time for it.
pub(crate) type Holds<'a> = dyn FnMut(&Network) -> Option<bool> + 'a;

/// Decides each changed network from the beginning.
pub(crate) struct Afresh<'a, 'h> {
    network: &'a Network,
    holds: &'a mut Holds<'h>,
}

impl<'a, 'h> Afresh<'a, 'h> {
    pub(crate) fn new(network: &'a Network, holds: &'a mut Holds<'h>) -> Self {
        Self { network, holds }
    }
}

impl Again for Afresh<'_, '_> {
    fn holds(&mut self, changes: &[Change]) -> Option<bool> {
        changed(self.network, changes).map_or(Some(false), |network| (self.holds)(&network))
    }
}

/// Decides a network with teammates again, from the distances that it had before: first whether
/// what was in conflict still is, and only if not the whole.
pub(crate) struct Together<'a, P> {
    before: &'a Reduction<'a>,
    graph: Graph,
    sources: Vec<Source>,
    /// Teammates' events that have a part in the conflict.
    suspects: Vec<Node>,
    /// Distances without some bounds, by their indices.
    without: (Vec<u32>, Table),
    pace: &'a mut P,
}

impl<'a, P: Pace> Together<'a, P> {
    pub(crate) fn new(before: &'a Reduction<'a>, conflict: &Conflict, pace: &'a mut P) -> Self {
        Self {
            before,
            graph: Graph::new(before.network, &before.table),
            sources: before.network.bounds().map(|bound| bound.source).collect(),
            suspects: suspects(conflict),
            without: (Vec::new(), before.table.clone()),
            pace,
        }
    }

    /// The distances after the changes; `None` when they contradict each other, or when there is no
    /// time, which the pace reports then.
    fn table(&mut self, changes: &[Change]) -> Option<Table> {
        let index = |change: &Change| {
            let at = self.sources.iter().position(|one| *one == change.source);
            let at = at.expect("a change is of a bound of the network");
            u32::try_from(at).expect("links are limited")
        };
        let gone: Vec<u32> = changes.iter().map(index).collect();
        if self.without.0 != gone {
            let mut table = self.before.table.clone();
            for count in 1..=gone.len() {
                if !self.pace.go_on() {
                    return None;
                }
                table.remove(&self.graph, &gone[..count]);
            }
            self.without = (gone.clone(), table);
        }
        let mut table = self.without.1.clone();
        let fits = gone.iter().zip(changes).all(|(at, change)| {
            let (from, to) = self.graph.ends(*at);
            let weight = match change.source {
                Source::LinkLower(_) | Source::ContingentLower(_) => -change.new_us,
                _ => change.new_us,
            };
            table.add(from, to, weight)
        });
        fits.then_some(table)
    }
}

impl<P: Pace> Again for Together<'_, P> {
    fn holds(&mut self, changes: &[Change]) -> Option<bool> {
        let progress = self.progress(changes)?;
        Some(progress == Progress::Holds)
    }

    fn progress(&mut self, changes: &[Change]) -> Option<Progress> {
        if !self.pace.go_on() {
            return None;
        }
        let network = self.before.network;
        let table = changed(network, changes).and_then(|_| self.table(changes));
        if !self.pace.go_on() {
            return None;
        }
        let Some(table) = table else {
            return Some(Progress::None);
        };
        let mut reduction = Reduction::closed(network, table);
        let mut reached = Progress::None;
        for (nodes, next) in [
            (self.suspects.clone(), Progress::Repaired),
            (reduction.theirs.clone(), Progress::Holds),
        ] {
            let duties = nodes.iter().flat_map(|node| reduction.duties(*node));
            reduction.system.duties = duties.collect();
            match decide(&reduction.system, self.pace) {
                Decided::Holds(_) => reached = next,
                Decided::Fails => break,
                Decided::Open(_) => return None,
            }
        }
        Some(reached)
    }

    fn conflict(&mut self, changes: &[Change]) -> Option<(Conflict, Option<Micros>)> {
        let network = changed(self.before.network, changes)?;
        let mut reduction = Reduction::closed(&network, self.table(changes)?);
        let duties = reduction
            .theirs
            .iter()
            .flat_map(|node| reduction.duties(*node));
        reduction.system.duties = duties.collect();
        let (conflict, clash) = failing(&reduction, self.pace)?;
        self.suspects = suspects(&conflict);
        Some((conflict, clash))
    }
}

/// Teammates' events that have a part in a conflict.
fn suspects(conflict: &Conflict) -> Vec<Node> {
    let owed = conflict.members.iter().filter(|member| {
        matches!(
            member.kind,
            MemberKind::LateEnough | MemberKind::EarlyEnough
        )
    });
    let mut suspects: Vec<Node> = owed.map(|member| member.from).collect();
    suspects.sort_unstable();
    suspects.dedup();
    suspects
}
