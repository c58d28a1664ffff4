//! Minimal critical sets: activities that may overlap and together exceed a capacity.

use super::super::antichain::Flow;
use super::super::joint_network::ABSENT;
use super::super::story::Story;
use super::resource_users::{Precedence, ResourceUsers};
use super::temporal_closures::TemporalClosures;

/// Activities that may overlap and together need too much; without any of them the others fit. One
/// has to end before another starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CriticalSet {
    pub(crate) resource: usize,
    /// Who they are, sorted.
    pub(crate) activities: Vec<usize>,
    /// All ways to put one before another.
    pub(crate) orders: Vec<Precedence>,
}

impl CriticalSet {
    /// Activities that must not all overlap, in a policy with its nodes at these places; `None`:
    /// the policy does not have all of them.
    pub(crate) fn named(
        story: &Story<'_>,
        place: &[u32],
        resource: usize,
        activities: &[usize],
    ) -> Option<CriticalSet> {
        let given = &story.narrative.spec().activities;
        let nodes = activities
            .iter()
            .map(|at| (place[given[*at].start], place[given[*at].end]));
        let nodes: Vec<(u32, u32)> = nodes.collect();
        if nodes
            .iter()
            .any(|(start, end)| [*start, *end].contains(&ABSENT))
        {
            return None;
        }
        let gives_back = |at: usize| {
            let mut demands = given[at].demands.iter();
            demands.any(|demand| demand.resource == resource && !demand.consumed)
        };
        let mut orders = Vec::new();
        for first in (0..nodes.len()).filter(|first| gives_back(activities[*first])) {
            let others = (0..nodes.len()).filter(|second| *second != first);
            orders.extend(others.map(|second| Precedence {
                end: nodes[first].1,
                start: nodes[second].0,
            }));
        }
        Some(CriticalSet {
            resource,
            activities: activities.to_vec(),
            orders,
        })
    }
}

/// The most that one node can be after another, by what is known.
pub(crate) type Most<'m> = dyn Fn(u32, u32) -> i64 + 'm;

/// Whether the first of two users is sure to be done before the second starts.
pub(crate) fn precedes(most: &Most<'_>, share: &ResourceUsers, pair: (usize, usize)) -> bool {
    let (first, second) = pair;
    let before = |first, second| {
        let order = share.order(first, second);
        order.is_some_and(|order| most(order.start, order.end) <= 0)
    };
    // Two that take no time, at one and the same moment, come in the order of their indices.
    first != second && before(first, second) && (first < second || !before(second, first))
}

/// The flow of a resource from user to user.
pub(crate) fn flow(most: &Most<'_>, share: &ResourceUsers) -> Flow {
    let size = share.users.len();
    let row = |first| {
        // Room for all at once: growing took a third of the time.
        let mut after = Vec::with_capacity(size);
        let later = (0..size).filter(|second| precedes(most, share, (first, *second)));
        after.extend(later.map(|second| second as u32));
        after
    };
    let amounts = share.users.iter().map(|user| user.amount).collect();
    Flow::new(amounts, (0..size).map(row).collect())
}

/// A set of users of a share that is too much, and all ways to put one before another.
fn named(share: &ResourceUsers, members: &[usize], orders: Vec<Precedence>) -> CriticalSet {
    let activities = members.iter().map(|member| share.users[*member].activity);
    let mut activities: Vec<usize> = activities.collect();
    activities.sort_unstable();
    CriticalSet {
        resource: share.resource,
        activities,
        orders,
    }
}

/// A smallest set of users that may overlap and need too much, if there is one.
pub(crate) fn forbidden(
    clocks: &TemporalClosures,
    share: &ResourceUsers,
    is_open: &dyn Fn(Precedence) -> bool,
) -> Option<CriticalSet> {
    let flow = flow(&|from, to| clocks.distance(0, from, to), share);
    if flow.weight() <= u64::from(share.capacity) {
        return None;
    }
    let mut members = flow.heaviest();
    let mut weight = flow.weight();
    let options = |member: usize, members: &[usize]| {
        let others = members.iter().filter(|other| **other != member);
        let orders =
            others.flat_map(|other| [share.order(member, *other), share.order(*other, member)]);
        orders.flatten().filter(|order| is_open(*order)).count()
    };
    // Those that need little leave first, and among them those that could still be anywhere.
    let mut leaving: Vec<(u32, std::cmp::Reverse<usize>, usize)> = members
        .iter()
        .map(|member| {
            let free = options(*member, &members);
            (
                share.users[*member].amount,
                std::cmp::Reverse(free),
                *member,
            )
        })
        .collect();
    leaving.sort_unstable();
    for (amount, _, member) in leaving {
        if weight - u64::from(amount) > u64::from(share.capacity) {
            weight -= u64::from(amount);
            members.retain(|other| *other != member);
        }
    }
    let pairs = members
        .iter()
        .flat_map(|one| members.iter().map(move |other| (*one, *other)));
    let pairs = pairs.filter(|(one, other)| one != other);
    let orders = pairs
        .filter_map(|(one, other)| share.order(one, other))
        .collect();
    Some(named(share, &members, orders))
}

/// Pairs of users that are too much together, and whose orders are wanted.
pub(crate) fn disjoint(
    share: &ResourceUsers,
    mut wanted: impl FnMut(&[Option<Precedence>; 2]) -> bool,
) -> Vec<CriticalSet> {
    let size = share.users.len();
    let mut all = Vec::new();
    for first in 0..size {
        for second in 0..first {
            let amounts = [first, second].map(|user| u64::from(share.users[user].amount));
            let orders = [share.order(first, second), share.order(second, first)];
            if amounts[0] + amounts[1] > u64::from(share.capacity) && wanted(&orders) {
                let orders = orders.into_iter().flatten().collect();
                all.push(named(share, &[second, first], orders));
            }
        }
    }
    all
}
