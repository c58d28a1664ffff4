//! What a search asks whether to go on.

use anytime::{Control, Pulse};

/// Asked by searches that play games: before each game, and now and then in long ones.
///
/// Any `FnMut() -> bool` is one that is asked before each game only.
pub trait Watch {
    /// Whether to play one more game; counts it.
    fn game(&mut self) -> bool;

    /// Whether to go on with this one.
    fn go_on(&mut self) -> bool {
        true
    }
}

impl<F: FnMut() -> bool> Watch for F {
    fn game(&mut self) -> bool {
        self()
    }
}

/// Ticks between two questions in a game. Where agents plan, it is asked in between, too.
const TICKS: u32 = 8;

/// Whether to go on with a game at this tick.
pub(crate) fn goes_on(watch: &mut dyn Watch, tick: u32) -> bool {
    !tick.is_multiple_of(TICKS) || watch.go_on()
}

/// A search that is run from outside, one iteration for each game.
pub(crate) struct Controlled<'a, 'c, P, C>(pub &'a mut Control<'c, P, C>);

impl<P, C: Ord + Copy> Watch for Controlled<'_, '_, P, C> {
    fn game(&mut self) -> bool {
        self.0.tick()
    }

    fn go_on(&mut self) -> bool {
        self.0.go_on()
    }
}

/// So many games, and no longer than another watch says.
pub(crate) struct Ration<'a> {
    pub watch: &'a mut dyn Watch,
    pub games: u64,
}

impl Watch for Ration<'_> {
    fn game(&mut self) -> bool {
        let go = self.games > 0 && self.watch.game();
        self.games = self.games.saturating_sub(1);
        go
    }

    fn go_on(&mut self) -> bool {
        self.watch.go_on()
    }
}

/// As long as somebody waits for the answer.
#[derive(Debug)]
pub struct Awaited<'a>(pub &'a Pulse);

impl Watch for Awaited<'_> {
    fn game(&mut self) -> bool {
        self.0.beats()
    }

    fn go_on(&mut self) -> bool {
        self.0.beats()
    }
}
