//! What a level is like: what awaits the burglar, which definitions hold, how difficult it is.

use crate::design::{
    Difficulty, Explanation, Verdict, definition_f, definition_f_prime, difficulty, explain_in,
};
use crate::game::{Game, Rules};
use crate::watch::{Ration, Watch};
use crate::world::{BURGLAR, World};

/// Largest n for which definition F' is decided.
pub const N_MAX: u32 = 4;

/// What a level is like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rating {
    /// What awaits the burglar when nobody helps him.
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
    /// Which one.
    pub name: Name,
    /// Number of traps, or of helps.
    pub n: u32,
    /// Whether it holds.
    pub verdict: Verdict,
}

/// Which definition of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    /// F: n traps on the way, all of which the burglar can be turned away from at once.
    F,
    /// F': n helps are needed, one after the other.
    FPrime,
}

impl Rating {
    /// A rating of which nothing is decided yet.
    #[must_use]
    pub fn new(explanation: Explanation) -> Self {
        // Fits: rooms are few.
        let traps = explanation.pitfalls.len() as u32;
        let undecided = |name, n| Definition {
            name,
            n,
            verdict: Verdict::Unknown,
        };
        let helps = (0..=traps.min(N_MAX)).map(|n| undecided(Name::FPrime, n));
        Self {
            explanation,
            definitions: std::iter::once(undecided(Name::F, traps))
                .chain(helps)
                .collect(),
            difficulty: Difficulty::default(),
        }
    }

    /// Decides what can be decided with so many games for each question.
    pub fn decide(&mut self, world: &World, games_max: u64, watch: &mut dyn Watch) {
        let games = games_max;
        for definition in &mut self.definitions {
            let watch = &mut Ration { watch, games };
            definition.verdict = match definition.name {
                Name::F => definition_f(world, definition.n as usize, watch),
                Name::FPrime => definition_f_prime(world, definition.n, watch),
            };
        }
        self.difficulty = difficulty(world, N_MAX, &mut Ration { watch, games });
    }

    /// Questions that are not decided.
    #[must_use]
    pub fn undecided(&self) -> u32 {
        let open = self.definitions.iter();
        let open = open.filter(|it| it.verdict == Verdict::Unknown).count();
        // Fits: there are a few.
        open as u32 + u32::from(!self.difficulty.is_decided(N_MAX))
    }
}

/// Rates a level, with at most this number of games for each question. `watch` is asked before each
/// of them.
pub fn rate(world: &World, rules: Rules, games_max: u64, watch: &mut dyn Watch) -> Rating {
    let explanation = match Game::new_while(world, rules, watch) {
        Some(game) => explain_in(&game, &[], watch),
        // Stopped: without an ending.
        None => Explanation::unfinished(world.agents()[BURGLAR].body.room),
    };
    let mut rating = Rating::new(explanation);
    rating.decide(world, games_max, watch);
    rating
}
