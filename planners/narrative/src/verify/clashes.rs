//! Whether activities that may overlap fit, whichever strands of groups happen together.

use super::closure::Closure;
use super::network::Network;
use super::strands::{Part, Strands};
use super::{OUTCOMES_MAX, Violation};
use crate::problem::Narrative;
use std::cell::Cell;

/// Sets of activities between two looks at the stop signal.
const STEPS_BETWEEN: usize = 64;

/// An activity of a strand that needs a resource.
#[derive(Debug, Clone, Copy)]
struct User {
    /// The policy of its group, by index.
    policy: usize,
    /// Its group, by its place among those of the plan.
    group: usize,
    activity: usize,
    amount: u64,
    consumed: bool,
}

/// What each two strands make sure of, by their own policies and by the one that is about both.
pub(super) struct Clashes<'a> {
    narrative: &'a Narrative,
    parts: &'a [Part],
    /// By two policies of different groups, or twice the same, what follows from what they keep.
    closures: Vec<Vec<Option<Closure>>>,
    go_on: &'a dyn Fn() -> bool,
    steps: Cell<usize>,
}

/// Too many cases, or the check was stopped.
struct Ended;

impl<'a> Clashes<'a> {
    /// `own`: by policy what it has to keep. `None`: the check was stopped.
    pub(super) fn new(
        (narrative, strands): (&'a Narrative, &'a Strands<'_>),
        own: &[Network],
        go_on: &'a dyn Fn() -> bool,
    ) -> Option<Self> {
        let count = own.len();
        let mut clashes = Self {
            narrative,
            parts: &strands.parts,
            closures: vec![Vec::new(); count],
            go_on,
            steps: Cell::new(0),
        };
        let pair = |policies: [usize; 2]| {
            let mut pairs = strands.pairs.iter();
            pairs.find(|pair| pair.of == policies).map(|pair| pair.at)
        };
        for (place, part) in strands.parts.iter().enumerate() {
            for &first in &part.at {
                let mut row = vec![None; count];
                row[first] = Closure::new(&own[first], go_on);
                let later = strands.parts[place + 1..].iter();
                for &second in later.flat_map(|part| &part.at) {
                    if !go_on() {
                        return None;
                    }
                    let both = [Some(first), Some(second), pair([first, second])];
                    let both = both.into_iter().flatten().map(|policy| &own[policy]);
                    row[second] = together(both).and_then(|both| Closure::new(&both, go_on));
                }
                clashes.closures[first] = row;
            }
        }
        Some(clashes)
    }

    /// All resources whose capacity overlapping activities may exceed.
    pub(super) fn wrong(&self) -> Vec<Violation> {
        let mut wrong = Vec::new();
        for (resource, given) in self.narrative.spec().resources.iter().enumerate() {
            let users = self.users(resource);
            let mut best = (u64::from(given.capacity), Vec::new());
            match self.heaviest(&users, &mut Vec::new(), &mut best) {
                Ok(()) if best.1.is_empty() => {}
                Ok(()) => {
                    let mut activities: Vec<usize> = best.1.iter().map(|u| u.activity).collect();
                    activities.sort_unstable();
                    wrong.push(Violation::Overload {
                        policy: best.1[0].policy,
                        resource,
                        activities,
                        amount: best.0,
                        capacity: given.capacity,
                    });
                }
                Err(Ended) => return vec![Violation::TooManyCases],
            }
        }
        wrong
    }

    fn users(&self, resource: usize) -> Vec<User> {
        let activities = &self.narrative.spec().activities;
        let mut all = Vec::new();
        for (group, part) in self.parts.iter().enumerate() {
            for (policy, of) in part.at.iter().zip(&part.plan.policies) {
                for (activity, given) in activities.iter().enumerate() {
                    let mut demands = given.demands.iter();
                    let demand = demands.find(|demand| demand.resource == resource);
                    // Of any group one may start at the origin, which all have.
                    let ends = [given.start, given.end];
                    let is_here = ends.map(|node| part.narrative.present(&of.picks, node));
                    let is_here = is_here == [true, true];
                    all.extend(demand.filter(|_| is_here).map(|demand| User {
                        policy: *policy,
                        group,
                        activity,
                        amount: u64::from(demand.amount),
                        consumed: demand.consumed,
                    }));
                }
            }
        }
        all
    }

    /// Whether two may overlap, or both hold what they need to the end.
    fn clash(&self, one: User, other: User) -> bool {
        if one.group == other.group && one.policy != other.policy {
            return false;
        }
        let (low, high) = match one.group <= other.group {
            true => (one.policy, other.policy),
            false => (other.policy, one.policy),
        };
        let activities = &self.narrative.spec().activities;
        let Some(closure) = self.closures[low][high].as_ref() else {
            return true;
        };
        let before = |first: User, second: User| {
            let (end, start) = (
                activities[first.activity].end,
                activities[second.activity].start,
            );
            !first.consumed && closure.precedes(end, start)
        };
        !before(one, other) && !before(other, one)
    }

    /// The most that users of one strand of each group need that may all overlap: all that are taken and some of the others.
    /// Only what is more than the best so far is found.
    fn heaviest(
        &self,
        others: &[User],
        taken: &mut Vec<User>,
        best: &mut (u64, Vec<User>),
    ) -> Result<(), Ended> {
        self.steps.set(self.steps.get() + 1);
        let step = self.steps.get();
        if step > OUTCOMES_MAX || step.is_multiple_of(STEPS_BETWEEN) && !(self.go_on)() {
            return Err(Ended);
        }
        let weight: u64 = taken.iter().map(|user| user.amount).sum();
        if weight > best.0 {
            *best = (weight, taken.clone());
        }
        for (at, next) in others.iter().enumerate() {
            if weight + most(&others[at..]) <= best.0 {
                break;
            }
            let left = others[at + 1..].iter().copied();
            let left: Vec<User> = left.filter(|other| self.clash(*next, *other)).collect();
            taken.push(*next);
            self.heaviest(&left, taken, best)?;
            taken.pop();
        }
        Ok(())
    }
}

/// At least as much as users of one strand of each group need. They are sorted by group and strand.
fn most(users: &[User]) -> u64 {
    let groups = users.chunk_by(|one, next| one.group == next.group);
    let groups = groups.map(|group| {
        let strands = group.chunk_by(|one, next| one.policy == next.policy);
        let strands = strands.map(|strand| strand.iter().map(|user| user.amount).sum::<u64>());
        strands.max().unwrap_or(0)
    });
    groups.sum()
}

/// The bounds of several networks of the same nodes.
fn together<'n>(networks: impl Iterator<Item = &'n Network>) -> Option<Network> {
    networks.cloned().reduce(|mut all, next| {
        all.bounds.extend(next.bounds);
        all.lasting.extend(next.lasting);
        all
    })
}
