//! Networks without teammates as STNUs of the engine, and its proofs as conflicts of the planner.

use crate::plan::{Conflict, Member, MemberKind};
use crate::problem::{Bound, Micros, Network, Node, Source};
use stn::Edge;
use stn::uncertain::{self, Contingent, Stnu, Term, Verdict};

/// Most parts of the box of all durations that the question about weak controllability looks at: it
/// is co-NP-complete, and 20 links that all matter have a million corners.
const PARTS_MAX: u64 = 1 << 24;

/// A network without teammates.
#[derive(Debug)]
pub(crate) struct Uncertain {
    stnu: Stnu,
    /// What each requirement is.
    requirements: Vec<Bound>,
}

fn index(node: Node) -> u32 {
    u32::try_from(node).expect("at most EVENTS_MAX events")
}

impl Uncertain {
    /// The same network as an STNU, whose limits are no tighter.
    pub(crate) fn new(network: &Network) -> Self {
        let is_requirement = |bound: &Bound| {
            !matches!(
                bound.source,
                Source::ContingentUpper(_) | Source::ContingentLower(_)
            )
        };
        let requirements: Vec<Bound> = network.bounds().filter(is_requirement).collect();
        let edges = requirements.iter().enumerate().map(|(at, bound)| {
            let (from, to) = (index(bound.from), index(bound.to));
            Edge::new(from, to, bound.weight_us, index(at))
        });
        let edges = edges.collect();
        let links = network.contingent().iter().enumerate();
        let links = links.map(|(at, link)| Contingent {
            from: index(link.from),
            to: index(link.to),
            lower: link.lower_us,
            upper: link.upper_us,
            id: index(at),
        });
        let stnu = Stnu::new(network.nodes(), edges, links.collect());
        let stnu = stnu.expect("a network was checked, within the limits of the engine");
        Self { stnu, requirements }
    }

    /// Earliest times of all nodes, the origin at 0, if Nature helps.
    pub(crate) fn consistent(&self, go_on: &mut dyn FnMut() -> bool) -> Verdict<Vec<Micros>> {
        from_origin(uncertain::consistent_within(&self.stnu, go_on))
    }

    /// Durations for which nothing works, if there are any. Looks at no more than `parts_max` parts
    /// of the box of all durations.
    pub(crate) fn weak(
        &self,
        parts_max: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Verdict<(), Vec<Micros>> {
        uncertain::weak(&self.stnu, parts_max.min(PARTS_MAX), go_on)
    }

    pub(crate) fn dynamic(&self, go_on: &mut dyn FnMut() -> bool) -> Verdict<()> {
        uncertain::dynamic(&self.stnu, go_on)
    }

    pub(crate) fn strategy(&self, go_on: &mut dyn FnMut() -> bool) -> Verdict<uncertain::Strategy> {
        uncertain::strategy(&self.stnu, go_on)
    }

    /// Times of all nodes, the origin at 0; those of Nature's as if all durations were shortest.
    pub(crate) fn strong(&self, go_on: &mut dyn FnMut() -> bool) -> Verdict<Vec<Micros>> {
        from_origin(uncertain::strong_within(&self.stnu, go_on))
    }

    /// A proof as a conflict of the planner.
    pub(crate) fn conflict(&self, proof: &uncertain::Conflict) -> Conflict {
        Conflict {
            members: proof.terms.iter().map(|term| self.member(term)).collect(),
            minimal: false,
            ..Conflict::default()
        }
    }

    fn member(&self, term: &Term) -> Member {
        let link = |at: usize| self.stnu.contingents()[at];
        let positive = term.coefficient > 0;
        let count = u32::try_from(term.coefficient.unsigned_abs()).unwrap_or(u32::MAX);
        let (kind, ends, bound_us, source) = match term.bound {
            uncertain::Bound::Requirement(at) => {
                let bound = self.requirements[at];
                let ends = (bound.from, bound.to);
                (MemberKind::Bound, ends, bound.weight_us, bound.source)
            }
            // Against us: the sum has the shortest duration with plus, the longest with minus.
            // Where Nature would help, its bounds count as if they were requirements.
            uncertain::Bound::Lower(at) => {
                let (from, to) = (link(at).from as Node, link(at).to as Node);
                let source = Source::ContingentLower(at);
                if positive {
                    (
                        MemberKind::ContingentLower,
                        (from, to),
                        link(at).lower,
                        source,
                    )
                } else {
                    (MemberKind::Bound, (to, from), -link(at).lower, source)
                }
            }
            uncertain::Bound::Upper(at) => {
                let ends = (link(at).from as Node, link(at).to as Node);
                let source = Source::ContingentUpper(at);
                let kind = if positive {
                    MemberKind::Bound
                } else {
                    MemberKind::ContingentUpper
                };
                (kind, ends, link(at).upper, source)
            }
        };
        Member {
            kind,
            from: ends.0,
            to: ends.1,
            bound_us,
            sources: vec![source],
            count,
        }
    }

    /// Deletion filter: the conflict left after leaving out requirements of `proof`, as long as
    /// `recheck` fails for the rest; and whether each member left is needed.
    pub(crate) fn minimise(
        &self,
        proof: uncertain::Conflict,
        recheck: &mut dyn FnMut(&Stnu) -> Verdict<()>,
    ) -> Conflict {
        let mut proof = proof;
        let mut needed = Vec::new();
        loop {
            let candidates = proof.terms.iter().filter_map(|term| match term.bound {
                uncertain::Bound::Requirement(at) => Some(at),
                _ => None,
            });
            let all: Vec<usize> = candidates.collect();
            let Some(left_out) = all.iter().copied().find(|at| !needed.contains(at)) else {
                break;
            };
            match recheck(&self.part(&all, left_out)) {
                Verdict::Fails(other) => proof = self.renamed(other),
                Verdict::Holds(()) => needed.push(left_out),
                Verdict::Stopped => return self.conflict(&proof),
            }
        }
        let mut conflict = self.conflict(&proof);
        conflict.minimal = self.needs_all_choices(&proof, recheck);
        conflict
    }

    /// The requirements listed but one, and all contingent links. Requirements keep their ids.
    fn part(&self, requirements: &[usize], left_out: usize) -> Stnu {
        let edges = requirements.iter().filter(|at| **at != left_out);
        let edges = edges.map(|at| self.stnu.requirements()[*at]).collect();
        let links = self.stnu.contingents().to_vec();
        Stnu::new(self.stnu.events(), edges, links).expect("a part of a network is valid")
    }

    /// A proof about a part in terms of the whole.
    fn renamed(&self, mut proof: uncertain::Conflict) -> uncertain::Conflict {
        for term in &mut proof.terms {
            if let uncertain::Bound::Requirement(at) = &mut term.bound {
                *at = term.id as usize;
            }
        }
        proof
    }

    /// Whether Nature needs all its choices in the members: with only the other end of each
    /// duration left to Nature, `recheck` no longer fails.
    fn needs_all_choices(
        &self,
        proof: &uncertain::Conflict,
        recheck: &mut dyn FnMut(&Stnu) -> Verdict<()>,
    ) -> bool {
        let requirement = |term: &Term| match term.bound {
            uncertain::Bound::Requirement(at) => Some(at),
            _ => None,
        };
        let edges: Vec<Edge> = proof
            .terms
            .iter()
            .filter_map(requirement)
            .map(|at| self.stnu.requirements()[at])
            .collect();
        proof.terms.iter().all(|term| {
            let mut links = self.stnu.contingents().to_vec();
            match term.bound {
                uncertain::Bound::Requirement(_) => return true,
                uncertain::Bound::Lower(at) => links[at].lower = links[at].upper,
                uncertain::Bound::Upper(at) => links[at].upper = links[at].lower,
            }
            let part = Stnu::new(self.stnu.events(), edges.clone(), links);
            recheck(&part.expect("a part of a network is valid")).holds()
        })
    }
}

fn from_origin(verdict: Verdict<Vec<Micros>>) -> Verdict<Vec<Micros>> {
    match verdict {
        Verdict::Holds(times) => Verdict::Holds(times.iter().map(|time| time - times[0]).collect()),
        other => other,
    }
}
