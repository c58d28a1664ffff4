//! One choice after the other, those on the story itself first.

use super::lines::{Line, Spot, Way, has_few_paths, tree};
use super::{BranchCost, Branched, CHOICES_MAX, DEPTH_MAX, PATHS_MAX, Params, Quest, WIDTH_MAX};
use crate::machine::code::Writes;
use crate::machine::index::World;
use crate::machine::{Ground, Machine};
use crate::plan::{Cost, Plan};
use crate::solve::{search, trimmed};
use anytime::{Conclusion, Control, Limits, SolveError, Stop};
use std::collections::{BTreeMap, VecDeque};

/// Offers the story, then the same with more and more choices.
///
/// It ends as stopped: whether a continuation is the best there is it does not ask.
///
/// # Errors
/// None.
pub fn solve(
    quest: &Quest,
    params: &Params,
    control: &mut Control<'_, Branched, BranchCost>,
) -> Result<Conclusion, SolveError> {
    let machine = Machine::new(quest.problem());
    let actions = quest.story().actions.iter();
    let actions: Vec<Ground> = actions.filter_map(|a| machine.ground(a)).collect();
    let story = Line::new(&machine, (0, 0), &machine.init, actions);
    let mut grower = Grower {
        quest,
        params,
        machine: &machine,
        lines: vec![story],
        known: BTreeMap::new(),
        open: VecDeque::new(),
        choices: 0,
        searches: 0,
    };
    grower.know(0, 0);
    offer(&tree(&machine, &grower.lines), control);
    while let Some(spot) = grower.open.pop_front() {
        let Some(found) = grower.alternatives(spot, control) else {
            break;
        };
        for one in found {
            grower.add(spot, one, control);
        }
        if grower.choices >= params.choices_max.clamp(1, CHOICES_MAX) {
            break;
        }
    }
    Ok(Conclusion::Stopped(
        control.stop().unwrap_or(Stop::Exhausted),
    ))
}

fn offer(tree: &Branched, control: &mut Control<'_, Branched, BranchCost>) {
    control.offer(tree, BranchCost::of(tree), "choices");
}

/// Something else that the player may do, and what is best then: a place that is known, or a line
/// of its own.
struct Found {
    action: Ground,
    step: f64,
    worth: f64,
    to: Result<Spot, Line>,
}

struct Grower<'q> {
    quest: &'q Quest,
    params: &'q Params,
    machine: &'q Machine,
    lines: Vec<Line>,
    /// By how much was told, and the state then: a place in a line.
    known: BTreeMap<(usize, Vec<i16>), Spot>,
    /// Where alternatives are still to be looked for.
    open: VecDeque<Spot>,
    choices: usize,
    searches: u64,
}

impl Grower<'_> {
    /// Notes the places of a line from here on, and where the player acts.
    fn know(&mut self, at: usize, first: usize) {
        let line = &self.lines[at];
        for index in first..line.worlds.len() {
            let key = (line.told + index, line.worlds[index].facts.clone());
            self.known.entry(key).or_insert((at, index));
        }
        let depth = self.params.depth.clamp(1, DEPTH_MAX);
        for index in first..line.actions.len() {
            let action = self.machine.action(line.actions[index]);
            if line.level < depth && self.quest.is_players(&action) {
                self.open.push_back((at, index));
            }
        }
    }

    /// The best of what else the player may do at a place. None: told to stop.
    fn alternatives(
        &mut self,
        (at, index): Spot,
        control: &mut Control<'_, Branched, BranchCost>,
    ) -> Option<Vec<Found>> {
        let here = self.lines[at].worlds[index].clone();
        let own = self.lines[at].actions[index];
        let mut actions = Vec::new();
        self.machine.applicable(&here, &mut actions);
        actions.retain(|ground| {
            *ground != own && self.quest.is_players(&self.machine.action(*ground))
        });
        let mut all: Vec<Found> = Vec::new();
        for ground in actions {
            if !control.go_on() {
                return None;
            }
            if self.params.iterations > 0 && control.remaining() == 0 {
                // Says why.
                control.tick();
                return None;
            }
            all.extend(self.alternative((at, index), (&here, ground), control));
        }
        all.sort_by(|a, b| b.worth.total_cmp(&a.worth).then(a.action.cmp(&b.action)));
        all.truncate(self.params.width.clamp(1, WIDTH_MAX));
        Some(all)
    }

    /// What an action instead of that at a place leads to. None: to nothing, or to no goal.
    fn alternative(
        &mut self,
        (at, index): Spot,
        (here, action): (&World, Ground),
        control: &mut Control<'_, Branched, BranchCost>,
    ) -> Option<Found> {
        let (mut world, mut writes) = (here.clone(), Writes::new());
        let step = self.machine.apply(&mut world, &mut writes, action);
        if world.facts == here.facts {
            return None;
        }
        let (told, level) = (self.lines[at].told + index, self.lines[at].level + 1);
        let known = self.known.get(&(told + 1, world.facts.clone())).copied();
        if let Some((to, place)) = known {
            let line = &self.lines[to];
            let rest = line.actions[place..].to_vec();
            let rest = Line::new(self.machine, (0, 0), &world, rest);
            return Some(Found {
                action,
                step,
                worth: step * rest.worth(),
                to: Ok((to, place)),
            })
            .filter(|found| found.worth > 0.0);
        }
        let rest = self.rest((at, index), (&world, told + 1), control)?;
        let actions = std::iter::once(action).chain(rest).collect();
        let line = Line::new(self.machine, (level, told), here, actions);
        let worth = line.worth();
        Some(Found {
            action,
            step,
            worth,
            to: Err(line),
        })
        .filter(|found| found.worth > 0.0)
    }

    /// The best that is found to follow on a state. None: nothing in which what has to happen
    /// happens.
    fn rest(
        &mut self,
        (at, index): Spot,
        (world, told): (&World, usize),
        control: &mut Control<'_, Branched, BranchCost>,
    ) -> Option<Vec<Ground>> {
        let machine = self.machine.starting(world.clone(), told);
        let left = &self.lines[at].actions[index..];
        let warm = Plan {
            actions: left.iter().map(|ground| machine.action(*ground)).collect(),
        };
        let mut best = trimmed(&machine, &warm);
        if machine.actions_max > 0 {
            self.searches += 1;
            let limits = Limits {
                iterations_max: Some(self.params.iterations.min(control.remaining())),
                ..control.limits().clone()
            };
            let seed = control.seed(self.searches);
            let mut sink = |plan: &Plan, cost: Cost| {
                if best.as_ref().is_none_or(|(_, known)| cost < *known) {
                    best = Some((plan.clone(), cost));
                }
            };
            let mut inner = Control::new(limits, seed, &mut sink);
            let each = crate::solve::Params {
                warm: None,
                ..self.params.each.clone()
            };
            search(self.quest.problem(), &machine, &each, &mut inner);
            let iterations = inner.iterations();
            control.count(iterations);
        }
        let (plan, _) = best?;
        let (plan, _) = trimmed(&machine, &plan)?;
        plan.actions.iter().map(|a| machine.ground(a)).collect()
    }

    /// Adds a choice at a place, unless that makes too many ways.
    fn add(
        &mut self,
        (at, index): Spot,
        found: Found,
        control: &mut Control<'_, Branched, BranchCost>,
    ) {
        if self.choices >= self.params.choices_max.clamp(1, CHOICES_MAX) {
            return;
        }
        let (to, is_new) = match found.to {
            Ok(spot) => (spot, false),
            Err(line) => {
                self.lines.push(line);
                ((self.lines.len() - 1, 1), true)
            }
        };
        let way = Way {
            action: found.action,
            step: found.step,
            to,
        };
        self.lines[at].ways.entry(index).or_default().push(way);
        let tree = tree(self.machine, &self.lines);
        if has_few_paths(&tree, PATHS_MAX) {
            self.choices += 1;
            if is_new {
                self.know(to.0, 1);
            }
            offer(&tree, control);
            return;
        }
        if let Some(ways) = self.lines[at].ways.get_mut(&index) {
            ways.pop();
            if ways.is_empty() {
                self.lines[at].ways.remove(&index);
            }
        }
        if is_new {
            self.lines.pop();
        }
    }
}
