//! A tree of stories under way: lines of actions, and where one leaves another.

use super::{BranchingStory, Choice, Knot};
use crate::compiled::code::Writes;
use crate::compiled::index::World;
use crate::compiled::{ActionId, CompiledDomain};
use std::collections::{BTreeMap, BTreeSet};

/// A position in a line, before one of its actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    pub(super) line: usize,
    /// Index of the action.
    pub(super) index: usize,
}

/// A line of play: the actions that follow on a choice if the player always chooses the best.
pub(super) struct Line {
    /// How often the player has left best paths without coming back.
    pub(super) level: usize,
    /// Actions before its first.
    pub(super) actions_before: usize,
    pub(super) actions: Vec<ActionId>,
    /// How believable they are.
    steps: Vec<f64>,
    /// Before each of them, and after the last.
    pub(super) worlds: Vec<World>,
    /// G at the end.
    goals: f64,
    /// Alternatives, by the index of the action that they replace.
    pub(super) alternatives: BTreeMap<usize, Vec<Alternative>>,
}

/// An alternative action of the player, and where it leads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Alternative {
    pub(super) action: ActionId,
    pub(super) step: f64,
    pub(super) to: Spot,
}

impl Line {
    /// The line of actions that can be done one after the other.
    pub(super) fn new(
        compiled: &CompiledDomain,
        level: usize,
        actions_before: usize,
        start: &World,
        actions: Vec<ActionId>,
    ) -> Self {
        let (mut world, mut writes) = (start.clone(), Writes::new());
        let (mut steps, mut worlds) = (Vec::new(), vec![start.clone()]);
        for action_id in &actions {
            steps.push(compiled.apply(&mut world, &mut writes, *action_id));
            worlds.push(world.clone());
        }
        Self {
            level,
            actions_before,
            goals: compiled.goal_share(&world.facts),
            actions,
            steps,
            worlds,
            alternatives: BTreeMap::new(),
        }
    }

    /// G at its end, times the believabilities of its actions.
    pub(super) fn worth(&self) -> f64 {
        self.goals * self.steps.iter().product::<f64>()
    }
}

/// Lines as knots. The first line is the story; all others begin with the choice that leads to
/// them.
pub(super) fn tree(compiled: &CompiledDomain, lines: &[Line]) -> BranchingStory {
    let spots = spots(lines);
    let mut order: Vec<Spot> = spots.iter().copied().collect();
    order.sort_by_key(|spot| {
        let actions_before = lines[spot.line].actions_before + spot.index;
        (actions_before, *spot)
    });
    let numbers: BTreeMap<Spot, usize> = order.iter().enumerate().map(|(i, s)| (*s, i)).collect();
    let mut knots = vec![Knot::default(); order.len()];
    let mut worths = vec![0.0; order.len()];
    // From the end, so that what follows is known.
    for (number, &spot) in order.iter().enumerate().rev() {
        let Spot {
            line: at,
            index: start,
        } = spot;
        let line = &lines[at];
        let fork = line
            .alternatives
            .range(start..)
            .next()
            .map(|(fork, _)| *fork);
        let after = |index| Spot { line: at, index };
        let next = spots.range(after(start + 1)..).next();
        let next = next.filter(|next| next.line == at).map(|next| next.index);
        let end = fork.into_iter().chain(next).min();
        let end = end.unwrap_or(line.actions.len());
        let knot = &mut knots[number];
        let actions = line.actions[start..end].iter();
        knot.actions = actions
            .map(|action_id| compiled.action(*action_id))
            .collect();
        let mut worth = line.steps[start..end].iter().product::<f64>();
        if next == Some(end) {
            knot.next = Some(numbers[&after(end)]);
            worth *= worths[numbers[&after(end)]];
        } else if fork == Some(end) {
            let own = Alternative {
                action: line.actions[end],
                step: line.steps[end],
                to: after(end + 1),
            };
            let all = std::iter::once(&own).chain(&line.alternatives[&end]);
            let choices = all.map(|alternative| Choice {
                action: compiled.action(alternative.action),
                knot: numbers[&alternative.to],
                worth: alternative.step * worths[numbers[&alternative.to]],
            });
            knot.choices = choices.collect();
            worth *= knot.choices.iter().fold(0.0, |best, c| c.worth.max(best));
        } else {
            worth *= line.goals;
        }
        worths[number] = worth;
    }
    BranchingStory { knots }
}

/// Where knots begin.
fn spots(lines: &[Line]) -> BTreeSet<Spot> {
    let mut spots = BTreeSet::from([Spot { line: 0, index: 0 }]);
    for (index, line) in lines.iter().enumerate() {
        for (fork, alternatives) in &line.alternatives {
            spots.insert(Spot {
                line: index,
                index: fork + 1,
            });
            spots.extend(alternatives.iter().map(|alternative| alternative.to));
        }
    }
    spots
}

/// Whether a tree has at most `count_max` paths.
pub(super) fn has_few_paths(tree: &BranchingStory, count_max: usize) -> bool {
    let mut path_counts = vec![0_usize; tree.knots.len()];
    let mut ends = 0_usize;
    for (index, knot) in tree.knots.iter().enumerate() {
        let here = path_counts[index].max(usize::from(index == 0));
        for to in knot.choices.iter().map(|c| c.knot).chain(knot.next) {
            path_counts[to] = path_counts[to].saturating_add(here);
        }
        if knot.choices.is_empty() && knot.next.is_none() {
            ends = ends.saturating_add(here);
        }
    }
    ends <= count_max
}
