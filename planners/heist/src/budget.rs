//! Budgets of searches that simulate games.

use crate::museum::Museum;
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

    /// Whether one more agent may plan in this tick. Otherwise it waits, and plans in a later one.
    fn may_plan(&mut self) -> bool {
        true
    }

    /// Whether the game cannot continue, after a search that was perhaps not completed.
    fn has_ended(&mut self) -> bool {
        !self.go_on()
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

/// The work of planning in ticks of a game that is played live. Agents that have to plan after its
/// end wait, and plan in a later tick. It counts work instead of time, so that the same game is
/// played anywhere.
#[derive(Debug)]
pub struct LiveBudget {
    taken: u64,
    most: u64,
    rooms: u64,
}

impl LiveBudget {
    /// Steps of planning, of about 5 us of a processor each.
    pub const STEPS: u64 = 4_000;

    /// A budget of this number of steps, in a museum. A plan that has begun may take as many again.
    #[must_use]
    pub fn new(steps: u64, museum: &Museum) -> Self {
        Self {
            taken: 0,
            most: steps,
            rooms: museum.rooms() as u64,
        }
    }
}

impl Budget for LiveBudget {
    fn next_game(&mut self) -> bool {
        true
    }

    fn go_on(&mut self) -> bool {
        // Searches look at each room in a step.
        self.taken += 1 + self.rooms / 8;
        self.taken < 2 * self.most
    }

    fn may_plan(&mut self) -> bool {
        let may_plan = self.taken < self.most;
        self.taken += 1 + self.rooms / 8;
        may_plan
    }

    fn has_ended(&mut self) -> bool {
        false
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
