//! A validated narrative.

mod check;
mod copies;
mod strands;

pub use copies::Start;
pub use stn::{Contingent, Link};

use anytime::Fault;

/// Microseconds, from the origin where it is a moment.
pub type Micros = i64;

/// Index of a node: 0 is the origin, the event with index e is node e + 1.
pub type Node = usize;

/// The node at which time starts, at 0.
pub const ORIGIN: Node = 0;
/// Most events, those of all groups together.
pub const EVENTS_MAX: usize = 500;
/// Most requirement links.
pub const LINKS_MAX: usize = 20_000;
/// Most contingent links.
pub const CONTINGENT_MAX: usize = EVENTS_MAX;
/// Most activities.
pub const ACTIVITIES_MAX: usize = EVENTS_MAX;
/// Most resources.
pub const RESOURCES_MAX: usize = 128;
/// Largest capacity of a resource, and largest demand.
pub const CAPACITY_MAX: u32 = 1_000_000;
/// Most choices.
pub const CHOICES_MAX: usize = 32;
/// Most options of a choice.
pub const OPTIONS_MAX: usize = 32;
/// Maximum number of storylines, of all combinations of options; where there are groups, of each
/// group: see [`Narrative::storylines`].
pub const STORYLINES_MAX: usize = 1_024;
/// Most strands: storylines of single groups, those of all groups together, where there are too
/// many storylines.
pub const STRANDS_MAX: usize = 128;
/// Longest time that a narrative may name, either way: ten years of 365 days. A sum over a path of
/// [`EVENTS_MAX`] links is below 2^58.
pub const TIME_MAX_US: Micros = 10 * 365 * 86_400 * 1_000_000;

/// The demand of an activity for a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demand {
    /// Index of the resource.
    pub resource: usize,
    /// Amount, 1 to the capacity.
    pub amount: u32,
    /// Whether it is used up: not released at the end.
    pub consumed: bool,
}

impl Demand {
    /// A demand that is released at the end.
    #[must_use]
    pub const fn new(resource: usize, amount: u32) -> Self {
        Self {
            resource,
            amount,
            consumed: false,
        }
    }
}

/// An activity: holds resources from its start event to its end event. A link of either kind with a
/// lower bound of 0 or above leads from one to the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Activity {
    /// The event at which it acquires its resources.
    pub start: Node,
    /// The event at which it releases them.
    pub end: Node,
    /// Its demands, at most one for each resource.
    pub demands: Vec<Demand>,
}

impl Activity {
    /// An activity from one event to another.
    #[must_use]
    pub const fn new(start: Node, end: Node, demands: Vec<Demand>) -> Self {
        Self {
            start,
            end,
            demands,
        }
    }
}

/// A resource: actors, rooms or props of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resource {
    /// Capacity, 0 to [`CAPACITY_MAX`].
    pub capacity: u32,
}

/// The owner of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Chooser {
    /// The system picks, depending on what was observed so far.
    System,
    /// A player picks: every option has to be covered.
    Player,
}

/// A choice: a fork of the story. Its moment is when all events have happened that must precede
/// every event of all its options; then its owner picks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The owner.
    pub chooser: Chooser,
    /// The events of each option, two options or more. An option may have no events.
    pub options: Vec<Vec<Node>>,
}

impl Choice {
    /// A choice with the events of each option.
    #[must_use]
    pub const fn new(chooser: Chooser, options: Vec<Vec<Node>>) -> Self {
        Self { chooser, options }
    }

    /// The option that has a node.
    #[must_use]
    pub fn option_of(&self, node: Node) -> Option<usize> {
        let mut options = self.options.iter();
        options.position(|nodes| nodes.contains(&node))
    }
}

/// Progress so far, for replanning in the middle of a story.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Progress {
    /// The time now, 0 or above: nothing else happens before it.
    pub now_us: Micros,
    /// Events that have happened, and when, at or before now.
    pub happened: Vec<(Node, Micros)>,
    /// Choices made: choice and option, by index. A choice need not be listed if an event
    /// of its option has happened.
    pub made: Vec<(usize, usize)>,
}

/// The objective, minimised: `makespan_weight * makespan - slack_weight * slack + idle_weight *
/// idle`, in microseconds times weight. All weights 0: any plan is optimal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Objective {
    /// Weight of the makespan: the earliest time by which all events have happened for sure, in the
    /// longest storyline.
    pub makespan: u32,
    /// Weight of the slack, which is maximised: the time by which every contingent link that can
    /// still vary may be both shorter and longer.
    pub slack: u32,
    /// Weight of idle time: the sum over [`Spec::waiting`] of the longest time for which each can
    /// last.
    pub idle: u32,
}

impl Objective {
    /// The makespan alone, with this weight.
    #[must_use]
    pub fn makespan(weight: u32) -> Self {
        Self {
            makespan: weight,
            ..Self::default()
        }
    }
}

/// A narrative as given: plain data, nothing checked. [`Narrative::new`] checks it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spec {
    /// Number of events.
    pub events: usize,
    /// Requirements; more than one between the same nodes is fine.
    pub links: Vec<Link>,
    /// Contingent links.
    pub contingent: Vec<Contingent>,
    /// Activities.
    pub activities: Vec<Activity>,
    /// Resources.
    pub resources: Vec<Resource>,
    /// Choices, in story order: the order in which they are made.
    pub choices: Vec<Choice>,
    /// By event, its group; empty: all are of one. Groups count where only resources
    /// connect them and each has a choice.
    pub groups: Vec<usize>,
    /// Options that are possible but not offered, sorted by choice and option, by index: none can
    /// be picked, unless it was picked already. Some option of each choice is offered.
    pub withheld: Vec<(usize, usize)>,
    /// Links, by index, that count as idle time; see [`Objective::idle`].
    pub waiting: Vec<usize>,
    /// Every event happens by this.
    pub horizon_us: Option<Micros>,
    /// Progress so far.
    pub progress: Progress,
    /// The objective.
    pub objective: Objective,
}

/// One option of each choice, in story order; `None` where earlier options leave nothing to choose.
pub type Picks = Vec<Option<usize>>;

/// A valid narrative. It need not have a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Narrative {
    spec: Spec,
    storylines: Vec<Picks>,
    /// Groups that are part of it; empty where there is one story.
    groups: Vec<usize>,
    /// By node, whether it is part of it; `None`: all are.
    included: Option<Vec<bool>>,
}

/// The source of a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// Upper bound of the requirement link with this index.
    LinkUpper(usize),
    /// Lower bound of the requirement link with this index.
    LinkLower(usize),
    /// Upper bound of the contingent link with this index.
    ContingentUpper(usize),
    /// Lower bound of the contingent link with this index.
    ContingentLower(usize),
    /// The event with this node happens by the horizon.
    Horizon(Node),
    /// The event with this node happens at or after the origin, or at or after now.
    Start(Node),
    /// The event with this node happened when it did.
    Happened(Node),
}

impl Spec {
    /// The option of a choice that is offered, if there is one alone.
    pub(crate) fn only_option(&self, choice: usize) -> Option<usize> {
        let options = 0..self.choices[choice].options.len();
        let mut offered =
            options.filter(|option| self.withheld.binary_search(&(choice, *option)).is_err());
        offered.next().filter(|_| offered.next().is_none())
    }

    /// The bound that a source names, as it is written there, if it can be changed.
    pub(crate) fn bound_mut(&mut self, source: Source) -> Option<&mut Micros> {
        match source {
            Source::LinkUpper(at) => self.links.get_mut(at)?.upper_us.as_mut(),
            Source::LinkLower(at) => self.links.get_mut(at)?.lower_us.as_mut(),
            Source::ContingentUpper(at) => Some(&mut self.contingent.get_mut(at)?.upper_us),
            Source::ContingentLower(at) => Some(&mut self.contingent.get_mut(at)?.lower_us),
            Source::Horizon(_) => self.horizon_us.as_mut(),
            Source::Start(_) | Source::Happened(_) => None,
        }
    }
}

impl Narrative {
    /// Checks a narrative and lists its storylines.
    ///
    /// # Errors
    /// All broken rules, with their paths in the contract's `NarrativeProblem`.
    pub fn new(spec: Spec) -> Result<Self, Vec<Fault>> {
        let faults = check::faults(&spec);
        if !faults.is_empty() {
            return Err(faults);
        }
        let groups = strands::groups(&spec);
        let storylines = storylines(&spec, None);
        let narrative = Self {
            storylines: storylines.unwrap_or_default(),
            groups,
            included: None,
            spec,
        };
        if narrative.storylines.is_empty() && !narrative.has_few_strands() {
            return Err(vec![check::too_many_storylines(&narrative.spec)]);
        }
        Ok(narrative)
    }

    /// The narrative as it was given.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Nodes: the events and the origin.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.spec.events + 1
    }

    /// All storylines from here on, in lexicographic order, without duplicates. Empty where there
    /// are more than [`STORYLINES_MAX`], which groups may have: then each group has that many by
    /// itself, its strands.
    #[must_use]
    pub fn storylines(&self) -> &[Picks] {
        &self.storylines
    }

    /// Whether a node is part of the story when these options are picked; of choices beyond the end
    /// of `picks` nothing is known yet, and their events count as present.
    #[must_use]
    pub fn present(&self, picks: &[Option<usize>], node: Node) -> bool {
        self.contains(node) && present(&self.spec, picks, node)
    }

    /// Options that were picked, by choice: those that were said, and those of which an event has
    /// happened.
    #[must_use]
    pub fn made(&self) -> Picks {
        let mut picks = vec![None; self.spec.choices.len()];
        for (choice, option) in made(&self.spec) {
            picks[choice] = Some(option);
        }
        picks
    }

    /// When an event has happened, if it has.
    #[must_use]
    pub fn happened(&self, node: Node) -> Option<Micros> {
        let happened = &self.spec.progress.happened;
        if node == ORIGIN {
            return Some(0);
        }
        happened
            .iter()
            .find(|(which, _)| *which == node)
            .map(|(_, time)| *time)
    }
}

fn present(spec: &Spec, picks: &[Option<usize>], node: Node) -> bool {
    spec.choices.iter().zip(picks).all(|(choice, pick)| {
        let mut options = choice.options.iter().enumerate();
        options.all(|(at, events)| Some(at) == *pick || !events.contains(&node))
    })
}

/// Choices that were made, with their options: those that are given, and those of whose options an
/// event has happened, which it does only when that one was picked.
fn made(spec: &Spec) -> Vec<(usize, usize)> {
    let Progress { happened, made, .. } = &spec.progress;
    let mut all = made.clone();
    for (index, choice) in spec.choices.iter().enumerate() {
        let given = made.iter().any(|(which, _)| *which == index);
        let begun = |events: &Vec<Node>| happened.iter().any(|(node, _)| events.contains(node));
        let option = choice.options.iter().position(begun);
        all.extend(option.filter(|_| !given).map(|option| (index, option)));
    }
    all
}

/// All storylines of the nodes that are part of it; `None`: too many.
fn storylines(spec: &Spec, included: Option<&[bool]>) -> Option<Vec<Picks>> {
    let mut all: Vec<Picks> = vec![Vec::new()];
    let known = made(spec);
    for (index, choice) in spec.choices.iter().enumerate() {
        let made = known.iter().find(|(which, _)| *which == index);
        let mut next = Vec::new();
        for picks in all {
            let mut events = choice.options.iter().flatten();
            let is_here = |event: Node| included.is_none_or(|here| here[event]);
            if !events.any(|event| is_here(*event) && present(spec, &picks, *event)) {
                next.push([picks.as_slice(), &[None]].concat());
                continue;
            }
            for option in 0..choice.options.len() {
                let offered = spec.withheld.binary_search(&(index, option)).is_err();
                if made.map_or(offered, |(_, picked)| *picked == option) {
                    next.push([picks.as_slice(), &[Some(option)]].concat());
                }
            }
        }
        if next.len() > STORYLINES_MAX {
            return None;
        }
        all = next;
    }
    Some(all)
}
