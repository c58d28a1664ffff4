//! A tree of stories under way: lines of actions, and where one leaves another.

use super::{Branched, Choice, Knot};
use crate::machine::code::Writes;
use crate::machine::index::World;
use crate::machine::{Ground, Machine};
use std::collections::{BTreeMap, BTreeSet};

/// A place in a line: which line, and before which of its actions.
pub(super) type Spot = (usize, usize);

/// What happens if the player always does the best from some choice on.
pub(super) struct Line {
    /// How often the player has left best ways without coming back.
    pub(super) level: usize,
    /// Actions before its first.
    pub(super) told: usize,
    pub(super) actions: Vec<Ground>,
    /// How believable they are.
    steps: Vec<f64>,
    /// Before each of them, and after the last.
    pub(super) worlds: Vec<World>,
    /// G at the end.
    goals: f64,
    /// What else the player may do, by the action that it does here.
    pub(super) ways: BTreeMap<usize, Vec<Way>>,
}

/// Something else that the player may do, and where that leads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    pub(super) action: Ground,
    pub(super) step: f64,
    pub(super) to: Spot,
}

impl Line {
    /// The line of actions that can be done one after the other.
    pub(super) fn new(
        machine: &Machine,
        (level, told): (usize, usize),
        start: &World,
        actions: Vec<Ground>,
    ) -> Self {
        let (mut world, mut writes) = (start.clone(), Writes::new());
        let (mut steps, mut worlds) = (Vec::new(), vec![start.clone()]);
        for ground in &actions {
            steps.push(machine.apply(&mut world, &mut writes, *ground));
            worlds.push(world.clone());
        }
        Self {
            level,
            told,
            goals: machine.goals(&world.facts),
            actions,
            steps,
            worlds,
            ways: BTreeMap::new(),
        }
    }

    /// G at its end, times the believabilities of its actions.
    pub(super) fn worth(&self) -> f64 {
        self.goals * self.steps.iter().product::<f64>()
    }
}

/// Lines as knots. The first line is the story; all others begin with the choice that leads to
/// them.
pub(super) fn tree(machine: &Machine, lines: &[Line]) -> Branched {
    let spots = spots(lines);
    let mut order: Vec<Spot> = spots.iter().copied().collect();
    order.sort_by_key(|&(line, start)| (lines[line].told + start, line, start));
    let number: BTreeMap<Spot, usize> = order.iter().enumerate().map(|(i, s)| (*s, i)).collect();
    let mut knots = vec![Knot::default(); order.len()];
    let mut worths = vec![0.0; order.len()];
    // From the end, so that what follows is known.
    for (index, &(at, start)) in order.iter().enumerate().rev() {
        let line = &lines[at];
        let fork = line.ways.range(start..).next().map(|(fork, _)| *fork);
        let next = spots.range((at, start + 1)..(at + 1, 0)).next();
        let next = next.map(|(_, next)| *next);
        let end = fork.into_iter().chain(next).min();
        let end = end.unwrap_or(line.actions.len());
        let knot = &mut knots[index];
        let actions = line.actions[start..end].iter();
        knot.actions = actions.map(|ground| machine.action(*ground)).collect();
        let mut worth = line.steps[start..end].iter().product::<f64>();
        if next == Some(end) {
            knot.next = Some(number[&(at, end)]);
            worth *= worths[number[&(at, end)]];
        } else if fork == Some(end) {
            let own = Way {
                action: line.actions[end],
                step: line.steps[end],
                to: (at, end + 1),
            };
            let ways = std::iter::once(&own).chain(&line.ways[&end]);
            let choices = ways.map(|way| Choice {
                action: machine.action(way.action),
                knot: number[&way.to],
                worth: way.step * worths[number[&way.to]],
            });
            knot.choices = choices.collect();
            worth *= knot.choices.iter().fold(0.0, |best, c| c.worth.max(best));
        } else {
            worth *= line.goals;
        }
        worths[index] = worth;
    }
    Branched { knots }
}

/// Where knots begin.
fn spots(lines: &[Line]) -> BTreeSet<Spot> {
    let mut spots = BTreeSet::from([(0, 0)]);
    for (index, line) in lines.iter().enumerate() {
        for (fork, ways) in &line.ways {
            spots.insert((index, fork + 1));
            spots.extend(ways.iter().map(|way| way.to));
        }
    }
    spots
}

/// Whether at most `most` ways lead through a tree.
pub(super) fn has_few_paths(tree: &Branched, most: usize) -> bool {
    let mut ways = vec![0_usize; tree.knots.len()];
    let mut ends = 0_usize;
    for (index, knot) in tree.knots.iter().enumerate() {
        let here = ways[index].max(usize::from(index == 0));
        for to in knot.choices.iter().map(|c| c.knot).chain(knot.next) {
            ways[to] = ways[to].saturating_add(here);
        }
        if knot.choices.is_empty() && knot.next.is_none() {
            ends = ends.saturating_add(here);
        }
    }
    ends <= most
}
