//! Flexibility of single durations with the same precedences.

use super::super::joint_network::JointNetwork;
use super::super::precedences::{OrderingProblem, ResourceUsers, precedes};
use super::super::story::OpenLink;
use super::distances;
use crate::plan::{Flexibility, Policy};
use crate::problem::Micros;
use stn::uncertain::{self, Bound, Contingent, dynamic};
use stn::{Closure, Edge};

/// The order of activities that a plan can count on, as bounds of the joint network: `from` of each
/// is where a later one starts, `to` where an earlier one ends.
#[derive(Debug, Default)]
pub(crate) struct Sure(Vec<Edge>);

impl Sure {
    /// Adds the orders of a policy, and all orders that its own network guarantees between
    /// activities that do not all fit simultaneously.
    pub(super) fn add(
        &mut self,
        question: &OrderingProblem<'_>,
        index: usize,
        own: &Closure,
        policy: &Policy,
        local: &[ResourceUsers],
    ) {
        let activities = &question.story.narrative.spec().activities;
        let place = &question.joint.place[index];
        let mut pairs = policy.order.clone();
        for share in local.iter().filter(|share| !share.fits()) {
            let activity = |user: usize| share.users[user].activity;
            let direct = direct(own, share).into_iter();
            pairs.extend(direct.map(|(first, second)| (activity(first), activity(second))));
        }
        let edges = pairs.into_iter().map(|(first, second)| {
            let (start, end) = (activities[second].start, activities[first].end);
            Edge::new(place[start], place[end], 0, 0)
        });
        // Where one ends as the other starts, there is nothing to keep.
        self.0.extend(edges.filter(|edge| edge.from != edge.to));
    }

    fn edges(mut self) -> Vec<Edge> {
        self.0.sort_unstable_by_key(|edge| (edge.from, edge.to));
        self.0.dedup_by_key(|edge| (edge.from, edge.to));
        self.0
    }
}

/// Pairs of users of which the first is sure to be done before the second starts, where that does
/// not follow from two other pairs. Nodes are those of the closure.
pub(super) fn direct(own: &Closure, share: &ResourceUsers) -> Vec<(usize, usize)> {
    let size = share.users.len();
    let after =
        |first| (0..size).filter(move |next| precedes(&distances(own), share, (first, *next)));
    let after: Vec<Vec<usize>> = (0..size).map(|first| after(first).collect()).collect();
    let mut pairs = Vec::new();
    for (first, next) in after.iter().enumerate() {
        // Nothing takes less than no time.
        let mut follows = vec![false; size];
        for later in next.iter().flat_map(|next| &after[*next]) {
            follows[*later] = true;
        }
        let next = next.iter().filter(|next| !follows[**next]);
        pairs.extend(next.map(|next| (first, *next)));
    }
    pairs
}

/// One of the two ends of a duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Shortest,
    Longest,
}

/// How far each duration that can vary could stretch, all else being equal (equation 13 of the
/// paper); `None`: stopped.
pub(crate) fn flexibilities(
    question: &OrderingProblem<'_>,
    sure: Sure,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<Flexibility>> {
    let story = question.story;
    let orders = &sure.edges();
    let bounds = story.bounds.iter().map(|bound| bound.most.abs());
    let longest = bounds.chain(story.open.iter().map(|open| open.upper)).max();
    let cap = longest.unwrap_or(0) * 2;
    let mut all = Vec::new();
    for open in story.open.iter().filter(|open| open.lower < open.upper) {
        let mut links = question.joint.contingents.iter();
        if !links.any(|link| link.id as usize == open.contingent) {
            continue;
        }
        let mut ask = Ask {
            question,
            orders,
            open,
            go_on,
        };
        all.push(Flexibility {
            contingent: open.contingent,
            shortest_us: ask.furthest(End::Shortest, 0)?,
            longest_us: ask.furthest(End::Longest, cap.max(open.upper))?,
        });
    }
    Some(all)
}

struct Ask<'a> {
    question: &'a OrderingProblem<'a>,
    orders: &'a [Edge],
    open: &'a OpenLink,
    go_on: &'a mut dyn FnMut() -> bool,
}

impl Ask<'_> {
    /// The furthest time towards `goal` that one end can be moved to. Each conflict is linear in it
    /// and gives the distance to go back; where that is further than needed, a bisection finds the
    /// rest.
    fn furthest(&mut self, end: End, goal: Micros) -> Option<Micros> {
        let given = match end {
            End::Shortest => self.open.lower,
            End::Longest => self.open.upper,
        };
        let sign = if goal < given { -1 } else { 1 };
        let (mut fails, mut at) = (goal + sign, goal);
        while (at - given) * sign > 0 {
            let Some(clash) = self.clash(end, at)? else {
                break;
            };
            fails = at;
            at -= sign * clash;
        }
        if (at - given) * sign < 0 {
            at = given;
        }
        let mut holds = at;
        // Most often the step was right: one question is enough.
        let mut next = holds + sign;
        while (fails - holds) * sign > 1 {
            match self.clash(end, next)? {
                None => holds = next,
                Some(_) => fails = next,
            }
            next = holds + (fails - holds) / 2;
        }
        Some(holds)
    }

    /// How far an end would have to come back to break the conflict that there is at `at`; none
    /// inside: there is no conflict.
    fn clash(&mut self, end: End, at: Micros) -> Option<Option<Micros>> {
        let given = &self.question.joint.contingents;
        let joint = self.moved(end, at);
        let Ok(network) = joint.network(self.orders) else {
            return Some(Some(1.max((at - self.open.upper).abs() / 2)));
        };
        match dynamic(&network, self.go_on) {
            uncertain::Verdict::Holds(()) => Some(None),
            uncertain::Verdict::Stopped => None,
            uncertain::Verdict::Fails(conflict) => {
                let ours = conflict.terms.iter().filter(|term| match term.bound {
                    Bound::Lower(link) => end == End::Shortest && self.moves(end, &given[link]),
                    Bound::Upper(link) => end == End::Longest && self.moves(end, &given[link]),
                    Bound::Requirement(_) => false,
                });
                let count: i64 = ours.map(|term| term.coefficient.abs()).sum();
                let back = (-conflict.value + count - 1) / count.max(1);
                Some(Some(back.max(1)))
            }
        }
    }

    /// Whether the end of a link of the joint network is the one that is moved: it may be that of
    /// part of the outcomes.
    fn moves(&self, end: End, link: &Contingent) -> bool {
        let is_end = match end {
            End::Shortest => link.lower == self.open.lower,
            End::Longest => link.upper == self.open.upper,
        };
        link.id as usize == self.open.contingent && is_end
    }

    /// The joint network with one end elsewhere, for the policies that have it.
    fn moved(&self, end: End, at: Micros) -> JointNetwork {
        let mut joint = self.question.joint.clone();
        let moved = |link: &&mut Contingent| self.moves(end, link);
        for link in joint.contingents.iter_mut().filter(moved) {
            match end {
                End::Shortest => link.lower = at,
                End::Longest => link.upper = at,
            }
        }
        joint
    }
}
