//! The world of the thesis (section 6.4): carve a board out of walls, place boxes, freeze it, play
//! on it, and take where the boxes came to as the goals.

mod guide;
mod world;

use super::archive::{Archive, NO_CLIMB};
use super::draft::{Draft, Ground};
use super::evaluator::Evaluator;
use super::params::Params;
use crate::board::{Direction, Tile};
use crate::plan::{Cost, EFFORT_MAX, Level, Plan};
use crate::problem::{Mask, Problem, Symmetry, Walls};
use anytime::{Conclusion, Control, SolveError, Stop};
use guide::Eager;
use mcts::{NoBound, Rng, Search, Settings, Step};
use rand::{RngExt, SeedableRng};
use world::{Made, World};

/// Iterations after which a tree that finds nothing better gives way to one with another start of
/// the player.
const PATIENCE: u64 = 20_000;

/// Grows one tree after the other until all levels are as wanted.
///
/// # Errors
/// When the template or the symmetry asks for more than walls and a start.
pub(super) fn carve(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    supported(problem)?;
    let ground = Ground::new(problem);
    let mut archive = Archive::new(problem);
    let mut evaluator = Evaluator::default();
    let mut tree = 0;
    while archive.worst().is_some() {
        let seed = control.seed(tree);
        tree += 1;
        let mut rng = Rng::seed_from_u64(seed);
        let Some(start) = start(&ground, &mut rng) else {
            return Ok(Conclusion::Stopped(Stop::Exhausted));
        };
        let world = World::new(&ground, start, archive.worst().unwrap_or(0));
        let settings = Settings {
            nodes_max: control.limits().nodes_max,
            exploration: params
                .exploration
                .unwrap_or(Settings::default().exploration),
            depth_max: world.depth_max(),
            seed,
        };
        let mut search = Search::new(&world, Eager::default(), NoBound, settings);
        let mut since = 0;
        while since < PATIENCE && archive.worst().is_some() {
            if !control.tick() {
                let stop = control.stop().unwrap_or(Stop::Iterations);
                return Ok(Conclusion::Stopped(stop));
            }
            let step = search.step(None);
            since += 1;
            if step == Step::Finished {
                break;
            }
            for made in world.made() {
                if keep(&ground, &mut evaluator, &mut archive, made, control) {
                    since = 0;
                }
            }
        }
    }
    Ok(Conclusion::Optimal)
}

/// Whether the world of the thesis has what the problem asks for.
///
/// # Errors
/// What it does not have.
pub(super) fn supported(problem: &Problem) -> Result<(), SolveError> {
    let spec = problem.spec();
    let unsupported = |feature: &str| SolveError::Unsupported {
        strategy: "mcts",
        feature: feature.to_owned(),
    };
    if spec.symmetry != Symmetry::None {
        return Err(unsupported("symmetry"));
    }
    if spec.walls == Walls::Needed {
        return Err(unsupported("needed walls only"));
    }
    let is_more = |mask: &Mask| !matches!(mask, Mask::Free | Mask::Is(Tile::Wall | Tile::Player));
    if spec.template.iter().any(is_more) {
        return Err(unsupported("a template with more than walls and a start"));
    }
    Ok(())
}

/// Where the player starts: as the template says, or anywhere.
fn start(ground: &Ground<'_>, rng: &mut Rng) -> Option<usize> {
    if ground.player.is_some() {
        return ground.player;
    }
    let orbits = &ground.orbits;
    if orbits.is_empty() {
        return None;
    }
    Some(orbits[rng.random_range(0..orbits.len())][0])
}

/// Puts a board into the archive, if it improves it; whether it did.
fn keep(
    ground: &Ground<'_>,
    evaluator: &mut Evaluator,
    archive: &mut Archive<'_>,
    made: Made,
    control: &mut Control<'_, Plan, Cost>,
) -> bool {
    let needs_solving = ground.problem.spec().weights.needs_solving();
    // A value that play alone decides, and that improves nothing, needs no board.
    if !needs_solving && archive.place_for(made.value_micro, NO_CLIMB).is_none() {
        return false;
    }
    let mut draft = Draft {
        is_wall: made.is_wall,
        goals: made.goals,
        boxes: made.boxes,
        player: made.player,
    };
    let level = if needs_solving {
        let mut go_on = || control.go_on();
        evaluator
            .rate(ground, &mut draft, EFFORT_MAX, &mut go_on)
            .filter(|rated| rated.lacking == 0)
            .and_then(|rated| evaluator.level(ground, &draft, &rated))
    } else {
        draft.board(ground.width).map(|board| Level {
            rung: 0,
            solution: world::steps(&board, &made.walked),
            board,
            effort: None,
            value_micro: made.value_micro,
        })
    };
    let Some(level) = level else {
        return false;
    };
    let Some(rung) = archive.place_for(level.value_micro, NO_CLIMB) else {
        return false;
    };
    if !archive.put(rung, level, NO_CLIMB, None) {
        return false;
    }
    let (plan, cost) = archive.plan();
    control.offer(&plan, cost, "mcts")
}

/// The cell next to another, by the index of the direction.
fn neighbour(width: usize, cell: usize, direction: u8) -> usize {
    match Direction::ALL[usize::from(direction)] {
        Direction::Up => cell - width,
        Direction::Right => cell + 1,
        Direction::Down => cell + width,
        Direction::Left => cell - 1,
    }
}
