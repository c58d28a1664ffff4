//! Budgets of searches that simulate games.

use anytime::{Control, Pulse};

/// A budget of games and of time. Searches ask it before each game, and regularly within long ones.
///
/// Any `FnMut() -> bool` is a budget of games without a limit on time.
pub trait Budget {
    /// Whether one more game may be simulated; counts it.
    fn next_game(&mut self) -> bool;

    /// Whether the current game may continue.
    fn go_on(&mut self) -> bool {
        true
    }
}

impl<F: FnMut() -> bool> Budget for F {
    fn next_game(&mut self) -> bool {
        self()
    }
}

/// Ticks between two checks of the budget within a game. Replanning checks it as well.
const TICKS: u32 = 8;

/// Whether a game may continue at this tick.
pub(crate) fn may_play(budget: &mut dyn Budget, tick: u32) -> bool {
    !tick.is_multiple_of(TICKS) || budget.go_on()
}

/// The budget of a runner: one iteration for each game.
pub(crate) struct ControlBudget<'a, 'c, P, C>(pub &'a mut Control<'c, P, C>);

impl<P, C: Ord + Copy> Budget for ControlBudget<'_, '_, P, C> {
    fn next_game(&mut self) -> bool {
        self.0.tick()
    }

    fn go_on(&mut self) -> bool {
        self.0.go_on()
    }
}

/// At most `games` games of another budget.
pub(crate) struct GameLimit<'a> {
    pub budget: &'a mut dyn Budget,
    pub games: u64,
}

impl Budget for GameLimit<'_> {
    fn next_game(&mut self) -> bool {
        let go = self.games > 0 && self.budget.next_game();
        self.games = self.games.saturating_sub(1);
        go
    }

    fn go_on(&mut self) -> bool {
        self.budget.go_on()
    }
}

/// An unlimited number of games until a stop signal.
#[derive(Debug)]
pub struct SignalBudget<'a>(pub &'a Pulse);

impl Budget for SignalBudget<'_> {
    fn next_game(&mut self) -> bool {
        self.0.beats()
    }

    fn go_on(&mut self) -> bool {
        self.0.beats()
    }
}
