//! Proofs of infeasibility by scenarios: a few outcomes of the seen links.
//!
//! In a *scenario* every link that a choice of ours has seen takes one known time. For any plan,
//! each scenario has a storyline for each of the picks of players, and events before two scenarios
//! can be distinguished are the same in both. When no storylines of the scenarios agree even so,
//! there is no plan.

use super::super::joint_network::{JointNetwork, PolicyOutline, fork_between};
use super::super::story::{Fork, OpenLink, Story};
use super::{OpenBranch, PolicySearch};
use crate::problem::{Chooser, Micros, Node, ORIGIN};

/// Most scenarios that are looked at together.
const SCENARIOS_MAX: usize = 36;

impl<'t> PolicySearch<'t, '_, '_> {
    /// Splits a choice of ours into scenarios, in which each link that it has seen takes one of
    /// some times, evenly spread; `others` is the number of other choices that wait. Outside
    /// scenarios the task is unchanged.
    ///
    /// A choice cannot distinguish scenarios by links that it has not seen: one decision for all
    /// scenarios that differ only there.
    pub(super) fn scenarios(
        &self,
        fork: &Fork,
        task: &OpenBranch<'t>,
        others: usize,
    ) -> Vec<OpenBranch<'t>> {
        let mut scenarios = vec![task.clone()];
        if !self.in_scenarios {
            return scenarios;
        }
        let times = self.round as usize + 2;
        for (at, open) in self.story.open.iter().enumerate() {
            let (low, high) = task.ranges[at];
            if !fork.seen.contains(&open.contingent) || low == high {
                continue;
            }
            let most = SCENARIOS_MAX / (scenarios.len() + others);
            let steps = times.min(most).max(1);
            let time = |step: usize| match steps {
                1 => open.lower,
                _ => self.time(open, step, steps - 1),
            };
            let times: Vec<Micros> = (0..steps).map(time).collect();
            let each = scenarios.iter().flat_map(|scenario| {
                times.iter().rev().map(|time| {
                    let mut scenario = scenario.clone();
                    scenario.ranges[at] = (*time, *time);
                    scenario
                })
            });
            scenarios = each.collect();
        }
        scenarios
    }

    fn time(&self, open: &OpenLink, step: usize, steps: usize) -> Micros {
        if step == steps {
            return open.upper;
        }
        let part = (open.upper - open.lower) / steps as Micros * step as Micros;
        open.lower + part / self.cover.unit * self.cover.unit
    }
}

/// The joint network of policies for one scenario each: they share only events that are sure to
/// happen before their scenarios can be distinguished, by any plan. `None`: stopped by `go_on`.
pub(super) fn joint(
    story: &Story<'_>,
    skeletons: &[PolicyOutline],
    go_on: &mut dyn FnMut() -> bool,
) -> Option<JointNetwork> {
    let apart =
        |one: &PolicyOutline, other: &PolicyOutline| distinguishable_nodes(story, one, other);
    JointNetwork::sharing(story, skeletons, &apart, go_on)
}

/// The nodes of which two scenarios may have one each.
pub(super) fn distinguishable_nodes(
    story: &Story<'_>,
    one: &PolicyOutline,
    other: &PolicyOutline,
) -> Vec<bool> {
    let shared = shared(story, one, other);
    shared.into_iter().map(|shared| !shared).collect()
}

/// Where picks of players differ.
enum Picked {
    Alike,
    /// At one choice, after all others were alike: when these events have happened.
    At(Vec<Node>),
    /// At several, or after we picked differently.
    Several,
}

fn picked(story: &Story<'_>, lines: [usize; 2]) -> Picked {
    let choices = story.narrative.spec().choices.iter().enumerate();
    let [one, other] = lines.map(|line| &story.narrative.storylines()[line]);
    let mut differ = choices
        .filter(|(at, choice)| choice.chooser == Chooser::Player && one[*at] != other[*at])
        .map(|(at, _)| at);
    let fork = fork_between(&story.tree, lines[0], lines[1]);
    match (differ.next(), differ.next(), fork) {
        (None, ..) => Picked::Alike,
        (Some(choice), None, Some(fork)) if fork.choice == choice => {
            // By strands a choice does not wait for events of other groups.
            let narrative = story.narrative;
            let group = narrative.group_of_choice(choice);
            let awaits =
                |node: &Node| story.strands.is_empty() || narrative.group_of(*node) == group;
            Picked::At(fork.moment.iter().copied().filter(awaits).collect())
        }
        _ => Picked::Several,
    }
}

/// The nodes that are sure to be the same in two scenarios.
fn shared(story: &Story<'_>, one: &PolicyOutline, other: &PolicyOutline) -> Vec<bool> {
    let links = &story.narrative.spec().contingent;
    let lines = [one.line, other.line];
    let both = |node: Node| lines.iter().all(|line| story.lines[*line].present[node]);
    // Where it is not known how far apart nodes can be, nothing is sure.
    let within = |from: Node, to: Node, most: Micros| {
        let mut all = lines.iter();
        all.all(|line| {
            story
                .distance(*line, from, to)
                .is_some_and(|known| known < most)
        })
    };
    let differ = story
        .open
        .iter()
        .filter(|open| one.range(open) != other.range(open));
    let differ: Vec<&OpenLink> = differ.collect();
    // Both links last for as long as the shorter one.
    let unseen = |node: Node| {
        differ.iter().all(|open| {
            let link = links[open.contingent];
            let least = one.range(open).0.min(other.range(open).0);
            both(link.from) && within(link.from, node, least)
        })
    };
    let moment = match picked(story, lines) {
        Picked::Alike => None,
        Picked::At(moment) => Some(moment),
        Picked::Several => return vec![false; story.narrative.nodes()],
    };
    let unpicked = |node: Node| {
        moment
            .as_ref()
            .is_none_or(|moment| moment.iter().any(|event| within(*event, node, 0)))
    };
    let nodes = story.narrative.nodes();
    let first = |node: Node| both(node) && unseen(node) && unpicked(node);
    let mut shared: Vec<bool> = (0..nodes).map(first).collect();
    shared[ORIGIN] = true;
    agree(story, &lines, &mut shared, &|contingent| {
        let mut open = story.open.iter();
        let open = open.find(|open| open.contingent == contingent);
        open.is_none_or(|open| one.range(open) == other.range(open))
    });
    shared
}

/// Takes away what may depend on a duration that is not the same in both.
fn agree(story: &Story<'_>, lines: &[usize], shared: &mut [bool], alike: &dyn Fn(usize) -> bool) {
    let links = &story.narrative.spec().contingent;
    // Whether a link can have ended at or before a node.
    let ended = |end: Node, node: Node| {
        let mut here = lines.iter().filter(|line| story.lines[**line].present[end]);
        here.any(|line| {
            story
                .distance(*line, end, node)
                .is_none_or(|most| most >= 0)
        })
    };
    let open = |end: Node| story.narrative.happened(end).is_none();
    loop {
        let loose = links.iter().enumerate().find(|(contingent, link)| {
            shared[link.to] && !(shared[link.from] && alike(*contingent))
        });
        if let Some((_, link)) = loose {
            shared[link.to] = false;
            continue;
        }
        let depends = (1..shared.len()).find(|node| {
            let unknown = |end: Node| open(end) && !shared[end] && ended(end, *node);
            shared[*node] && links.iter().any(|link| unknown(link.to))
        });
        match depends {
            Some(node) => shared[node] = false,
            None => return,
        }
    }
}
