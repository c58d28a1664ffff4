//! Branching stories: alternative actions of the player, each with the best continuation.
//!
//! # Problem
//! Given are a domain, a story and one of its entities, the *player*: its actions are those with it
//! as first parameter. Wherever the player acts in the story, other believable actions are choices.
//! Each choice is followed by the best story that begins like that, in which the player has choices
//! again, and so on. The player may leave a best path, then the best path after that, at most a
//! given number of times, unless the story comes back to a path that was left before.
//!
//! # Method
//! From each choice [`solve`](crate::solve()) looks for the best continuation, beginning with what
//! can still be done of the story that was left. Paths that reach the same state after as many
//! actions are joined.
//!
//! # Guarantees
//! * Same problem, parameters and seed: same tree, under an iteration limit.
//! * Every tree offered passes [`verify`], which shares no code with the search: every path through
//!   it is a story that satisfies all rules, one of them is the story given, and all of them end.
//!
//! # Units
//! As for the crate. The cost of a tree is [`CHOICES_MAX`] less its number of choices off the best
//! path.
//!
//! # Limits
//! Constants of this module.

mod ink;
mod lines;
mod solve;
mod verify;

use crate::plan::{Action, Plan};
use crate::problem::Problem;
use crate::verify::verify as verify_story;
use anytime::{Fault, Path, fault};

pub use ink::{ink, texts};
pub use solve::solve;
pub use verify::verify;

/// Most choices off the best path, in a whole tree.
pub const CHOICES_MAX: usize = 300;
/// Most paths through a tree.
pub const PATHS_MAX: usize = 1_000;
/// Most often that the player may leave best paths without coming back.
pub const DEPTH_MAX: usize = 6;
/// Most choices at one point, besides the best.
pub const WIDTH_MAX: usize = 10;

/// A branching problem: a story whose player is to have choices.
#[derive(Debug, Clone, PartialEq)]
pub struct BranchProblem {
    problem: Problem,
    story: Plan,
    player: usize,
}

impl BranchProblem {
    /// The choices of `player`, an entity by its index, along a story.
    ///
    /// # Errors
    /// All mistakes.
    pub fn new(problem: Problem, story: Plan, player: usize) -> Result<Self, Vec<Fault>> {
        let (mut faults, at) = (Vec::new(), Path::root("player_id"));
        match problem.entities().get(player) {
            None => faults.push(fault!("UNKNOWN", at, "is no entity of the domain")),
            Some(entity) => {
                let acts = |schema: &crate::problem::Schema| {
                    schema.params.first().is_some_and(|p| p.1 == entity.kind)
                };
                if !problem.schemas().iter().any(acts) {
                    faults.push(fault!(
                        "WRONG_KIND",
                        at,
                        "is the first parameter of no action: it never does anything"
                    ));
                }
            }
        }
        faults.extend(verify_story(&problem, &story).err().into_iter().flatten());
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(Self {
            problem,
            story,
            player,
        })
    }

    /// The domain.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The story given.
    #[must_use]
    pub fn story(&self) -> &Plan {
        &self.story
    }

    /// Index of the entity that chooses.
    #[must_use]
    pub fn player(&self) -> usize {
        self.player
    }

    /// The protagonist: the entity that is the first parameter of most actions, the first one in a
    /// tie. None: the story has no such action.
    #[must_use]
    pub fn protagonist(problem: &Problem, story: &Plan) -> Option<usize> {
        let mut acts = vec![0_usize; problem.entities().len()];
        for actor in story.actions.iter().filter_map(|a| a.args.first()) {
            if let Some(count) = acts.get_mut(*actor) {
                *count += 1;
            }
        }
        let most = acts.iter().copied().max().filter(|most| *most > 0)?;
        acts.iter().position(|count| *count == most)
    }

    /// Whether an action is one of the player's.
    #[must_use]
    pub(crate) fn is_players(&self, action: &Action) -> bool {
        action.args.first() == Some(&self.player)
    }
}

/// A story with choices.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BranchingStory {
    /// The first is the start. Knots that follow on one come after it.
    pub knots: Vec<Knot>,
}

/// A knot (as in Ink): actions without any choice, and what follows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Knot {
    /// Actions, in this order.
    pub actions: Vec<Action>,
    /// Choices of the player after them, the story's own action first. Empty: none.
    pub choices: Vec<Choice>,
    /// The knot that follows where there are no choices. None there: the end.
    pub next: Option<usize>,
}

/// A choice of the player.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The action.
    pub action: Action,
    /// The index of the knot that follows on it.
    pub knot: usize,
    /// The score of the best path from here: G at its end, times the believabilities of this action
    /// and those after it; in [0, 1].
    pub worth: f64,
}

/// A choice on a path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TakenChoice {
    pub(crate) knot: usize,
    /// Its number in the knot.
    pub(crate) choice: usize,
    /// Number of actions before it.
    pub(crate) actions_before: usize,
}

/// The cost of a tree, which is minimised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BranchCost {
    /// [`CHOICES_MAX`] less the number of choices off the best path.
    pub missing: usize,
}

impl BranchCost {
    /// The cost of a tree.
    #[must_use]
    pub fn new(tree: &BranchingStory) -> Self {
        let choices = tree.knots.iter();
        let choices: usize = choices
            .map(|knot| knot.choices.len().saturating_sub(1))
            .sum();
        Self {
            missing: CHOICES_MAX.saturating_sub(choices),
        }
    }
}

impl BranchingStory {
    /// All paths through the tree, at most `count_max`; without what follows on a knot that is not
    /// there or does not come later.
    #[must_use]
    pub fn paths(&self, count_max: usize) -> Vec<Plan> {
        self.paths_with_choices(count_max)
            .into_iter()
            .map(|(plan, _)| plan)
            .collect()
    }

    /// The same, with the choices taken.
    pub(crate) fn paths_with_choices(&self, count_max: usize) -> Vec<(Plan, Vec<TakenChoice>)> {
        let mut done = Vec::new();
        // Paths that end nowhere are not counted as done.
        let mut left = count_max.saturating_mul(self.knots.len() + 1);
        let mut open = vec![(0, Plan::default(), Vec::new())];
        while let Some((number, mut plan, taken)) = open.pop() {
            if left == 0 || done.len() == count_max {
                break;
            }
            left -= 1;
            let Some(knot) = self.knots.get(number) else {
                continue;
            };
            plan.actions.extend_from_slice(&knot.actions);
            for (index, choice) in knot.choices.iter().enumerate().rev() {
                let (mut plan, mut taken) = (plan.clone(), taken.clone());
                taken.push(TakenChoice {
                    knot: number,
                    choice: index,
                    actions_before: plan.actions.len(),
                });
                plan.actions.push(choice.action.clone());
                if choice.knot > number {
                    open.push((choice.knot, plan, taken));
                }
            }
            match knot.next {
                _ if !knot.choices.is_empty() => {}
                None => done.push((plan, taken)),
                Some(next) if next > number => open.push((next, plan, taken)),
                Some(_) => {}
            }
        }
        done
    }
}

/// How to search.
#[derive(Debug, Clone, PartialEq)]
pub struct Params {
    /// For each continuation; its warm start is not used. Default: Monte Carlo tree search with
    /// rollout bias.
    pub each: crate::solve::Params,
    /// Iterations for each continuation. Default: 400.
    pub iterations: u64,
    /// How often the player may leave best paths without coming back, 1 to [`DEPTH_MAX`]; values
    /// outside are moved to the nearest. Default: 2.
    pub depth: usize,
    /// Most choices at one point besides the best, 1 to [`WIDTH_MAX`]; values outside are moved to
    /// the nearest. Default: 3.
    pub width: usize,
    /// Most choices off the best path, 1 to [`CHOICES_MAX`]; values outside are moved to the
    /// nearest. Default: 60.
    pub choices_max: usize,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            each: crate::solve::Params {
                strategy: crate::solve::Strategy::MctsRollout,
                ..crate::solve::Params::default()
            },
            iterations: 400,
            depth: 2,
            width: 3,
            choices_max: 60,
        }
    }
}

anytime::planner! {
    /// The planner of choices, as its runner sees it.
    pub struct StoryBranching {
        problem: BranchProblem,
        params: Params,
        plan: BranchingStory,
        cost: BranchCost,
        solve: solve,
        verify: verify,
    }
}
