//! Which push lost a game: the first one after which no solution exists.
//!
//! After a position without a solution no later one has a solution, so positions are bisected. Each
//! one is searched: a solution or the end of all positions decides, a limit does not. An undecided
//! position leaves a gap between the last one with a solution and the first one without.

use crate::game::Game;
use crate::plan::Solution;
use crate::solver::{End, Rules, Search, Task, steps};
use crate::verify::{solvable, verify_solution};
use anytime::{Fault, Path, Pulse, fault};

/// Most positions kept for one position of a game: at most some 30 MB.
const KEPT_MAX: usize = 100_000;
/// Most positions that the check of a loss opens.
const CHECKED_MAX: u32 = 1_000;
/// Weight of the bound, in tenths: any solution will do.
const GREED_TENTHS: u32 = 50;

/// Limits of the search for a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LossLimits {
    /// Most positions opened for one position of a game.
    pub opened_each_max: u32,
    /// Most positions opened for a game.
    pub opened_max: u32,
}

impl Default for LossLimits {
    /// 100,000, and 300,000.
    fn default() -> Self {
        Self {
            opened_each_max: 100_000,
            opened_max: 300_000,
        }
    }
}

/// The push that lost a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// After this number of pushes no solution exists: proved. 0: the board had none from the
    /// start.
    pub lost_after: usize,
    /// After this number of pushes, fewer than `lost_after`, a solution exists: this one. None
    /// where none was found.
    pub solved_after: Option<(usize, Solution)>,
}

impl Loss {
    /// Whether no push before the one that it names can have lost the game.
    #[must_use]
    pub fn is_first(&self) -> bool {
        let solved = self.solved_after.as_ref();
        self.lost_after == solved.map_or(0, |(count, _)| count + 1)
    }
}

/// The push that lost a game. None where no push was made, where the limits do not allow a proof
/// that it is lost, and where `go_on` returns false.
#[must_use]
pub fn loss(game: &Game, limits: LossLimits, go_on: &mut dyn FnMut() -> bool) -> Option<Loss> {
    let made = game.pushes().len();
    if made == 0 {
        return None;
    }
    let mut probe = Probe {
        game,
        limits,
        search: Search::default(),
        opened: 0,
    };
    let Found::Lost = probe.search(made, go_on)? else {
        return None;
    };
    let mut lost_after = made;
    let mut solved_after: Option<(usize, Solution)> = None;
    // Positions that limits left open, rising.
    let mut open: Vec<usize> = Vec::new();
    loop {
        let from = solved_after.as_ref().map_or(0, |(count, _)| count + 1);
        let Some(count) = middle(from, lost_after, &open) else {
            break;
        };
        match probe.search(count, go_on)? {
            Found::Solved(solution) => solved_after = Some((count, solution)),
            Found::Lost => lost_after = count,
            Found::Nothing if probe.opened >= limits.opened_max => break,
            Found::Nothing => {
                let at = open.partition_point(|&other| other < count);
                open.insert(at, count);
            }
        }
    }
    Some(Loss {
        lost_after,
        solved_after,
    })
}

/// The middle of the widest gap that open positions leave in a range; of several the last. None
/// where no gap is left.
fn middle(from: usize, to: usize, open: &[usize]) -> Option<usize> {
    let within = open.iter().filter(|count| (from..to).contains(*count));
    let mut widest = (0, None);
    let mut begin = from;
    for &end in within.chain([&to]) {
        let width = end - begin;
        if width > 0 && width >= widest.0 {
            widest = (width, Some(begin + width / 2));
        }
        begin = end + 1;
    }
    widest.1
}

/// Result of a search from a position.
enum Found {
    Solved(Solution),
    Lost,
    Nothing,
}

struct Probe<'g> {
    game: &'g Game,
    limits: LossLimits,
    search: Search,
    opened: u32,
}

impl Probe<'_> {
    /// Searches from the position after `count` pushes; none when it is stopped.
    fn search(&mut self, count: usize, go_on: &mut dyn FnMut() -> bool) -> Option<Found> {
        let (task, boxes, player) = Task::from_board(&self.game.after(count));
        let left = self.limits.opened_max.saturating_sub(self.opened);
        let rules = Rules {
            opened_max: self.limits.opened_each_max.min(left),
            kept_max: KEPT_MAX,
            greed_tenths: GREED_TENTHS,
            prunes: true,
        };
        let mut is_stopped = !go_on();
        let mut asked = || {
            is_stopped = is_stopped || !go_on();
            !is_stopped
        };
        let end = self.search.solve(&task, &boxes, player, rules, &mut asked);
        self.opened += self.search.opened();
        let found = match end {
            End::Solved { pushes, .. } => Found::Solved(Solution {
                steps: steps(&task.field, &boxes, player, &pushes),
            }),
            End::Unsolvable => Found::Lost,
            End::Unknown { .. } => Found::Nothing,
        };
        (!is_stopped).then_some(found)
    }
}

/// Checks a loss without the search that found it: plays the solution before it, and looks for one
/// after it by the plain search that defines effort, which opens up to 1,000 positions. What it
/// does not find is believed.
///
/// # Errors
/// The first thing that is wrong, with its field in the contract's `PuzzleLoss`. `Ok(false)`:
/// `pulse` ended the check, and nothing is known.
pub fn verify_loss(game: &Game, loss: &Loss, pulse: &Pulse) -> Result<bool, Fault> {
    let (made, lost_after) = (game.pushes().len(), loss.lost_after);
    if lost_after > made {
        let at = Path::root("push_index");
        return Err(fault!(
            "OUT_OF_RANGE",
            at,
            "is that of push {} of {}",
            lost_after,
            made
        ));
    }
    if let Some((count, solution)) = &loss.solved_after {
        let at = Path::root("solvable_push_count");
        if *count >= lost_after {
            return Err(fault!(
                "REVERSED",
                at,
                "is {}, not before push {} that lost the board",
                *count,
                lost_after
            ));
        }
        verify_solution(&game.after(*count), solution).map_err(within_solution)?;
    }
    match solvable(&game.after(lost_after), CHECKED_MAX, pulse) {
        Ok(false) => Ok(true),
        Ok(true) => {
            let at = Path::root("push_index");
            Err(fault!(
                "CONTRADICTION",
                at,
                "is that of push {}, after which a solution exists",
                lost_after
            ))
        }
        Err(_) => Ok(false),
    }
}

/// The first fault of the solution before a loss.
fn within_solution(faults: Vec<Fault>) -> Fault {
    let first = faults.into_iter().next().expect("refusals have a reason");
    first.under(&Path::root("solution_before"))
}
