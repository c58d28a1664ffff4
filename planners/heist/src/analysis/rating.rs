//! Rating of a level: pitfalls, the definitions F and F', and the difficulty.

use crate::budget::{Budget, GameLimit};
use crate::design::{
    Difficulty, Explanation, Verdict, definition_f, definition_f_prime, difficulty, explain_in,
};
use crate::game::{Game, Rules};
use crate::world::{BURGLAR, World};

/// Largest n for which definition F' is decided.
pub const N_MAX: u32 = 4;

/// A rated level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rating {
    /// The pitfalls, and the simulation without help.
    pub explanation: Explanation,
    /// F for the number of rooms with traps on the burglar's path, the only n for which it can
    /// hold; then F' from 0 to the smaller of that number and [`N_MAX`].
    pub definitions: Vec<Definition>,
    /// The least n for which F' holds, up to [`N_MAX`].
    pub difficulty: Difficulty,
}

/// A definition for one n, decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// The definition.
    pub kind: DefinitionKind,
    /// Number of traps (F), or of interventions (F').
    pub n: u32,
    /// Whether it holds.
    pub verdict: Verdict,
}

/// A definition of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefinitionKind {
    /// F: n traps are on the path, and one set of interventions turns the burglar away from all of
    /// them.
    F,
    /// F': n interventions are needed, one after the other.
    FPrime,
}

impl Rating {
    /// A rating of which nothing is decided yet.
    #[must_use]
    pub fn new(explanation: Explanation) -> Self {
        // Fits: rooms are few.
        let traps = explanation.pitfalls.len() as u32;
        let undecided = |kind, n| Definition {
            kind,
            n,
            verdict: Verdict::Unknown,
        };
        let helps = (0..=traps.min(N_MAX)).map(|n| undecided(DefinitionKind::FPrime, n));
        Self {
            explanation,
            definitions: std::iter::once(undecided(DefinitionKind::F, traps))
                .chain(helps)
                .collect(),
            difficulty: Difficulty::default(),
        }
    }

    /// Decides each question within `games_max` games.
    pub(crate) fn decide(&mut self, world: &World, games_max: u64, budget: &mut dyn Budget) {
        let games = games_max;
        for definition in &mut self.definitions {
            let budget = &mut GameLimit { budget, games };
            definition.verdict = match definition.kind {
                DefinitionKind::F => definition_f(world, definition.n as usize, budget),
                DefinitionKind::FPrime => definition_f_prime(world, definition.n, budget),
            };
        }
        self.difficulty = difficulty(world, N_MAX, &mut GameLimit { budget, games });
    }

    /// Number of undecided questions.
    #[must_use]
    pub fn undecided(&self) -> u32 {
        let open = self.definitions.iter();
        let open = open.filter(|it| it.verdict == Verdict::Unknown).count();
        // Fits: there are a few.
        open as u32 + u32::from(!self.difficulty.is_decided(N_MAX))
    }
}

/// Rates a level, with at most this number of games for each question. `budget` is asked before
/// each of them.
pub fn rate(world: &World, rules: Rules, games_max: u64, budget: &mut dyn Budget) -> Rating {
    let explanation = match Game::new_until(world, rules, budget) {
        Some(game) => explain_in(&game, &[], budget),
        // Stopped: without an ending.
        None => Explanation::unfinished(world.agents()[BURGLAR].position.room),
    };
    let mut rating = Rating::new(explanation);
    rating.decide(world, games_max, budget);
    rating
}
