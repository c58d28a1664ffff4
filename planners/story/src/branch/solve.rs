//! One choice after the other, those on the story itself first.

use super::lines::{Alternative, Line, Spot, has_few_paths, tree};
use super::{
    BranchCost, BranchProblem, BranchingStory, CHOICES_MAX, DEPTH_MAX, PATHS_MAX, Params, WIDTH_MAX,
};
use crate::compiled::code::Writes;
use crate::compiled::index::World;
use crate::compiled::{ActionId, CompiledDomain};
use crate::plan::{Cost, Plan};
use crate::solve::{search, trimmed};
use anytime::{Conclusion, Control, Limits, SolveError, Stop};
use std::collections::{BTreeMap, VecDeque};

/// Offers the story, then the same with more and more choices.
///
/// It ends as stopped: continuations are not proved to be optimal.
///
/// # Errors
/// None.
pub fn solve(
    request: &BranchProblem,
    params: &Params,
    control: &mut Control<'_, BranchingStory, BranchCost>,
) -> Result<Conclusion, SolveError> {
    let compiled = CompiledDomain::new(request.problem());
    let actions = request.story().actions.iter();
    let actions: Vec<ActionId> = actions.filter_map(|a| compiled.action_id(a)).collect();
    let story = Line::new(&compiled, 0, 0, &compiled.init, actions);
    let mut search = BranchSearch {
        request,
        params,
        compiled: &compiled,
        lines: vec![story],
        known: BTreeMap::new(),
        open: VecDeque::new(),
        choices: 0,
        searches: 0,
    };
    search.register(0, 0);
    offer(&tree(&compiled, &search.lines), control);
    while let Some(spot) = search.open.pop_front() {
        let Some(found) = search.alternatives(spot, control) else {
            break;
        };
        for one in found {
            search.add(spot, one, control);
        }
        if search.choices >= params.choices_max.clamp(1, CHOICES_MAX) {
            break;
        }
    }
    Ok(Conclusion::Stopped(
        control.stop().unwrap_or(Stop::Exhausted),
    ))
}

fn offer(tree: &BranchingStory, control: &mut Control<'_, BranchingStory, BranchCost>) {
    control.offer(tree, BranchCost::new(tree), "choices");
}

/// An alternative action of the player, and what is best after it: a known spot, or a new line.
struct Found {
    action: ActionId,
    step: f64,
    worth: f64,
    to: Result<Spot, Line>,
}

struct BranchSearch<'q> {
    request: &'q BranchProblem,
    params: &'q Params,
    compiled: &'q CompiledDomain,
    lines: Vec<Line>,
    /// By number of actions and state after them: a position in a line.
    known: BTreeMap<(usize, Vec<i16>), Spot>,
    /// Spots whose alternatives are not yet searched.
    open: VecDeque<Spot>,
    choices: usize,
    searches: u64,
}

impl BranchSearch<'_> {
    /// Registers the spots of a line from `first` on, and queues those where the player acts.
    fn register(&mut self, at: usize, first: usize) {
        let line = &self.lines[at];
        for index in first..line.worlds.len() {
            let key = (
                line.actions_before + index,
                line.worlds[index].facts.clone(),
            );
            let spot = Spot { line: at, index };
            self.known.entry(key).or_insert(spot);
        }
        let depth = self.params.depth.clamp(1, DEPTH_MAX);
        for index in first..line.actions.len() {
            let action = self.compiled.action(line.actions[index]);
            if line.level < depth && self.request.is_players(&action) {
                self.open.push_back(Spot { line: at, index });
            }
        }
    }

    /// The best alternatives of the player at a spot. None: stopped.
    fn alternatives(
        &mut self,
        spot: Spot,
        control: &mut Control<'_, BranchingStory, BranchCost>,
    ) -> Option<Vec<Found>> {
        let here = self.lines[spot.line].worlds[spot.index].clone();
        let own = self.lines[spot.line].actions[spot.index];
        let mut actions = Vec::new();
        self.compiled.applicable(&here, &mut actions);
        actions.retain(|action_id| {
            *action_id != own && self.request.is_players(&self.compiled.action(*action_id))
        });
        let mut all: Vec<Found> = Vec::new();
        for action_id in actions {
            if !control.go_on() {
                return None;
            }
            if self.params.iterations > 0 && control.remaining() == 0 {
                // Says why.
                control.tick();
                return None;
            }
            all.extend(self.alternative(spot, &here, action_id, control));
        }
        all.sort_by(|a, b| b.worth.total_cmp(&a.worth).then(a.action.cmp(&b.action)));
        all.truncate(self.params.width.clamp(1, WIDTH_MAX));
        Some(all)
    }

    /// An alternative to the action at a spot. None: it changes nothing, or reaches no goal.
    fn alternative(
        &mut self,
        spot: Spot,
        here: &World,
        action: ActionId,
        control: &mut Control<'_, BranchingStory, BranchCost>,
    ) -> Option<Found> {
        let (mut world, mut writes) = (here.clone(), Writes::new());
        let step = self.compiled.apply(&mut world, &mut writes, action);
        if world.facts == here.facts {
            return None;
        }
        let line = &self.lines[spot.line];
        let (actions_before, level) = (line.actions_before + spot.index, line.level + 1);
        let key = (actions_before + 1, world.facts.clone());
        if let Some(&to) = self.known.get(&key) {
            let rest = self.lines[to.line].actions[to.index..].to_vec();
            let rest = Line::new(self.compiled, 0, 0, &world, rest);
            return Some(Found {
                action,
                step,
                worth: step * rest.worth(),
                to: Ok(to),
            })
            .filter(|found| found.worth > 0.0);
        }
        let rest = self.continuation(spot, &world, actions_before + 1, control)?;
        let actions = std::iter::once(action).chain(rest).collect();
        let line = Line::new(self.compiled, level, actions_before, here, actions);
        let worth = line.worth();
        Some(Found {
            action,
            step,
            worth,
            to: Err(line),
        })
        .filter(|found| found.worth > 0.0)
    }

    /// The best continuation that is found from a state. None: none has the events that must
    /// happen.
    fn continuation(
        &mut self,
        spot: Spot,
        world: &World,
        actions_before: usize,
        control: &mut Control<'_, BranchingStory, BranchCost>,
    ) -> Option<Vec<ActionId>> {
        let compiled = self.compiled.starting_at(world.clone(), actions_before);
        let left = &self.lines[spot.line].actions[spot.index..];
        let warm = Plan {
            actions: left
                .iter()
                .map(|action_id| compiled.action(*action_id))
                .collect(),
        };
        let mut best = trimmed(&compiled, &warm);
        if compiled.actions_max > 0 {
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
            search(self.request.problem(), &compiled, &each, &mut inner);
            let iterations = inner.iterations();
            control.count(iterations);
        }
        let (plan, _) = best?;
        let (plan, _) = trimmed(&compiled, &plan)?;
        plan.actions.iter().map(|a| compiled.action_id(a)).collect()
    }

    /// Adds a choice at a spot, unless that makes too many paths.
    fn add(
        &mut self,
        spot: Spot,
        found: Found,
        control: &mut Control<'_, BranchingStory, BranchCost>,
    ) {
        if self.choices >= self.params.choices_max.clamp(1, CHOICES_MAX) {
            return;
        }
        let (to, is_new) = match found.to {
            Ok(spot) => (spot, false),
            Err(line) => {
                self.lines.push(line);
                let line = self.lines.len() - 1;
                (Spot { line, index: 1 }, true)
            }
        };
        let alternative = Alternative {
            action: found.action,
            step: found.step,
            to,
        };
        let alternatives = &mut self.lines[spot.line].alternatives;
        alternatives
            .entry(spot.index)
            .or_default()
            .push(alternative);
        let tree = tree(self.compiled, &self.lines);
        if has_few_paths(&tree, PATHS_MAX) {
            self.choices += 1;
            if is_new {
                self.register(to.line, 1);
            }
            offer(&tree, control);
            return;
        }
        let alternatives = &mut self.lines[spot.line].alternatives;
        if let Some(here) = alternatives.get_mut(&spot.index) {
            here.pop();
            if here.is_empty() {
                alternatives.remove(&spot.index);
            }
        }
        if is_new {
            self.lines.pop();
        }
    }
}
