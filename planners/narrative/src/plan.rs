//! Answers, as plain data.

use crate::problem::{Micros, Node, Picks, Source};
use std::cmp::Reverse;

/// An interval of outcomes of a contingent link, ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcomes {
    /// Index of the contingent link.
    pub contingent: usize,
    /// The shortest duration.
    pub lower_us: Micros,
    /// The longest duration.
    pub upper_us: Micros,
}

/// A bound of a dispatchable network: `time(to) - time(from) <= most`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DispatchBound {
    /// The event whose time is subtracted.
    pub from: Node,
    /// The event from whose time it is subtracted.
    pub to: Node,
    /// Largest difference.
    pub upper_us: Micros,
}

/// A wait: `node` does not happen before the contingent link has begun, nor sooner than `least`
/// after that, unless it has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wait {
    /// The event that waits.
    pub node: Node,
    /// Index of the contingent link.
    pub contingent: usize,
    /// From the start of the link.
    pub least_us: Micros,
}

/// A resource flow: an amount that one activity hands over to a later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HandOver {
    /// Index of the resource.
    pub resource: usize,
    /// The activity that releases it. `None`: from the stock.
    pub from: Option<usize>,
    /// The activity that acquires it.
    pub to: usize,
    /// Amount.
    pub amount: u32,
}

/// How one storyline is dispatched, for a box of outcomes of links seen before its choices.
///
/// The dispatcher follows all policies that are still possible: those whose picks were not ruled
/// out, and whose outcomes contain what was seen. At the moment of a choice of the system it picks
/// an option by the first policy, in the order of the plan, that agrees with the earlier picks and
/// outcomes and whose option covers every continuation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Policy {
    /// One of the storylines.
    pub picks: Picks,
    /// The outcomes for which it is meant, sorted by link; links that are not named have all of
    /// theirs. Only links that end before a choice of the system that depends on them are narrowed.
    pub outcomes: Vec<Outcomes>,
    /// Pairs of activities by index, sorted: the first ends no later than the second starts. Every
    /// guaranteed order of activities that do not all fit simultaneously is here, or follows from
    /// pairs that are.
    pub order: Vec<(usize, usize)>,
    /// Bounds that the dispatcher satisfies, besides contingent links, sorted; between nodes of the
    /// storyline.
    pub bounds: Vec<DispatchBound>,
    /// Waits, sorted.
    pub waits: Vec<Wait>,
    /// Resource flow, sorted by resource.
    pub hand_overs: Vec<HandOver>,
}

/// The peak use of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peak {
    /// Index of the resource.
    pub resource: usize,
    /// Largest total demand of activities that may overlap, in any policy, what is used up
    /// included.
    pub amount: u32,
}

/// The flexibility of one contingent link, all else being equal (equation 13 of the paper:
/// outcomes close to the given bounds are difficult). The policies stay, and so does each
/// guaranteed order of activities that together need more of a resource than there is; times may
/// change, even the makespan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flexibility {
    /// Index of the contingent link.
    pub contingent: usize,
    /// The shortest duration that the policies for its shortest one would still tolerate, with the
    /// longest as given.
    pub shortest_us: Micros,
    /// The longest that those for its longest one would tolerate, with the shortest as given; at
    /// most twice the longest time that the narrative names.
    pub longest_us: Micros,
}

/// Policies for all that may happen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// The policies: one or more, together for all outcomes and all picks of players.
    pub policies: Vec<Policy>,
    /// The time by which all events have happened for sure, in each policy.
    pub makespan_us: Micros,
    /// Every contingent link that can still vary may be shorter (but not below 0) and longer by
    /// this much, in every policy. Only on request, 0 otherwise.
    pub slack_us: Micros,
    /// The sum of the longest times that the waiting links can take, in the policy where it is
    /// largest; only on request, 0 otherwise.
    pub idle_us: Micros,
    /// One for each resource that is used. Empty when not asked for.
    pub peaks: Vec<Peak>,
    /// One for each contingent link that can still vary and that some policy has. Empty unless
    /// requested.
    pub flexibilities: Vec<Flexibility>,
}

/// A rule that is part of a conflict.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Member {
    /// A bound.
    Bound(Source),
    /// A critical set: activities that together need more than the capacity.
    Capacity {
        /// Index of the resource.
        resource: usize,
        /// Activities, by index.
        activities: Vec<usize>,
    },
    /// A choice whose options leave something uncovered.
    Choice {
        /// Index of the choice.
        choice: usize,
    },
}

/// A witness of missing coverage: outcomes and picks that no policy covers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Uncovered {
    /// Durations of contingent links seen, by index.
    pub durations_us: Vec<(usize, Micros)>,
    /// What was picked until then, as far as the picks are known.
    pub picks: Picks,
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Conflict {
    /// Rules that contradict each other, sorted.
    pub members: Vec<Member>,
    /// Whether each member is needed.
    pub minimal: bool,
    /// The number of members that are known to be needed: without one of these there is a plan.
    pub needed: usize,
    /// A witness, where the choices do not cover everything.
    pub uncovered: Option<Uncovered>,
}

/// A change of the narrative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// A bound becomes another; `None`: it goes away.
    Bound {
        /// Which bound of a link.
        source: Source,
        /// The bound as given.
        old_us: Micros,
        /// The new one.
        new_us: Micros,
    },
    /// There is more of a resource.
    Capacity {
        /// Index of the resource.
        resource: usize,
        /// The new capacity.
        capacity: u32,
    },
    /// The system picks where a player did.
    Chooser {
        /// Index of the choice.
        choice: usize,
    },
    /// An option that the system withholds is offered, too.
    Offer {
        /// Index of the choice, which is the system's.
        choice: usize,
        /// Index of the option.
        option: usize,
    },
    /// Players may no longer pick an option.
    Withhold {
        /// Index of the choice, which is the players'.
        choice: usize,
        /// Index of the option.
        option: usize,
    },
}

/// A change after which there is a plan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Relaxation {
    /// What to change, all of it together.
    pub changes: Vec<Change>,
    /// A plan for the narrative after the changes, at any cost: the proof that they help. `None`:
    /// no plan is at hand; then only the form of the changes is verified.
    pub plan: Option<Box<Plan>>,
}

/// What is known about a narrative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// A plan.
    Plan(Plan),
    /// Proved: there is none, for these reasons.
    Infeasible {
        /// Why.
        conflict: Conflict,
        /// What would help, cheapest first; each was solved again.
        relaxations: Vec<Relaxation>,
    },
    /// Not known whether there is a plan: all was tried that the planner does.
    Undecided(Undecided),
}

/// What was exhausted before a plan or a proof of infeasibility was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Undecided {
    /// Why it is not decided.
    pub reason: UndecidedReason,
    /// Combinations of our picks that were tried, each as if all others were withheld.
    pub combinations_tried: usize,
    /// How many combinations there are, as far as they can be counted.
    pub combinations: usize,
}

/// Maximum number of events in which all policies of a plan may differ: nodes of their joint
/// network, where they share all that they can.
pub const JOINT_EVENTS_MAX: usize = stn::uncertain::EVENTS_MAX;

/// Why it is not decided whether there is a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UndecidedReason {
    /// The joint network of the policies is larger than [`JOINT_EVENTS_MAX`], also where they share
    /// all that they can.
    TooLarge,
    /// No plan of the kind that is looked for exists. Choices that use what later choices have not
    /// seen might have one.
    Narrow,
    /// All rounds of the search for compatible policies are over.
    Rounds,
    /// Policies were found, but none that satisfy the non-anticipativity constraints.
    Turns,
    /// No plan was found in which what happens to each group depends only on what is picked and
    /// seen there.
    Strands,
    /// Policies of single groups make more than [`PAIRS_MAX`](crate::verify::PAIRS_MAX) pairs of
    /// two groups, or too many sets of them compete for a resource.
    Pairs,
}

/// The objective, minimised: a weighted sum in microseconds; above all of these, infeasible or
/// unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cost {
    /// Makespan, slack (negative) and idle time, each times its weight.
    Weighted(i128),
    /// There is no plan: how well this is explained.
    Infeasible {
        /// Rules of the conflict; fewer are better.
        rules: usize,
        /// Whether it is not known that each is needed.
        is_minimal_unknown: bool,
        /// What would help; more is better.
        relaxations: Reverse<usize>,
    },
    /// Not known whether there is a plan.
    Undecided,
}

impl Cost {
    /// The cost of a proof that there is no plan.
    #[must_use]
    pub fn infeasible(conflict: &Conflict, relaxations: &[Relaxation]) -> Self {
        Self::Infeasible {
            rules: conflict.members.len(),
            is_minimal_unknown: !conflict.minimal,
            relaxations: Reverse(relaxations.len()),
        }
    }
}
