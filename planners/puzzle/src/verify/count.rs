//! Counts what a level is like, plainly: from the board and a solution that was played.

use super::plain::pushes_to;
use super::replay::Played;
use crate::board::{Board, Direction};
use crate::plan::{Features, reach};

/// All features but the effort.
#[must_use]
pub(super) fn features(board: &Board, played: &Played) -> Features {
    let (rows, columns) = reach(board);
    let in_rectangle = |cell: usize| {
        let (row, column) = board.place(cell);
        rows.contains(&row) && columns.contains(&column)
    };
    let tiles: Vec<usize> = (0..board.tiles().len())
        .filter(|&cell| in_rectangle(cell))
        .collect();
    let loose = tiles
        .iter()
        .filter(|&&cell| !is_in_block(board, cell, &in_rectangle))
        .count();
    let mixed = tiles.iter().filter(|&&cell| {
        let neighbours = Direction::ALL
            .iter()
            .filter_map(|&direction| board.neighbour(cell, direction))
            .filter(|&next| in_rectangle(next));
        neighbours
            .into_iter()
            .any(|next| board.is_wall(next) != board.is_wall(cell))
    });
    let boxes = board.boxes().len();
    let ends: Vec<(usize, usize)> = played
        .trails
        .iter()
        .map(|trail| (trail[0], trail[trail.len() - 1]))
        .collect();
    let congestions: Vec<(u64, u64)> = ends
        .iter()
        .map(|&(start, end)| congestion(board, start, end))
        .collect();
    let changes = played.pushed.windows(2).filter(|pair| pair[0] != pair[1]);
    Features {
        boxes: small(boxes),
        blocks_count: small(loose),
        blocks_micro: small(loose * 1_000_000 / tiles.len().max(1)),
        mixing: small(mixed.count()),
        goal_distance_micro: goal_distance_micro(board),
        congestion_sum: small(congestions.iter().map(|pair| pair.0 as usize).sum()),
        congestion_micro: congestions.iter().map(|pair| pair.1).sum(),
        pushes: small(played.pushed.len()),
        moves: small(played.moves),
        box_changes: small(changes.count()),
        counter_intuitive: small(counter_intuitive(board, played)),
        box_pushes_min: small(
            played
                .trails
                .iter()
                .map(|trail| trail.len() - 1)
                .min()
                .unwrap_or(0),
        ),
        effort: 0,
    }
}

fn small(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Whether a 3x3 block around it or next to it is all walls or all floor.
fn is_in_block(board: &Board, cell: usize, in_rectangle: &dyn Fn(usize) -> bool) -> bool {
    let (row, column) = board.place(cell);
    let is_wall = board.is_wall(cell);
    (row.saturating_sub(2)..=row).any(|top| {
        (column.saturating_sub(2)..=column).any(|left| {
            (top..top + 3).all(|row| {
                (left..left + 3).all(|column| {
                    let other = row * board.width() + column;
                    row < board.height()
                        && column < board.width()
                        && in_rectangle(other)
                        && board.is_wall(other) == is_wall
                })
            })
        })
    })
}

fn goal_distance_micro(board: &Board) -> u64 {
    let mut sum = 0;
    for &from in board.boxes() {
        for &to in board.goals() {
            let (from, to) = (board.place(from), board.place(to));
            sum += from.0.abs_diff(to.0) + from.1.abs_diff(to.1);
        }
    }
    let pairs = board.boxes().len() * board.goals().len();
    sum as u64 * 1_000_000 / pairs.max(1) as u64
}

/// The terms of equations 6.1, and 6.2 in millionths, of a box that goes from one cell to another.
fn congestion(board: &Board, start: usize, end: usize) -> (u64, u64) {
    let (start, end) = (board.place(start), board.place(end));
    let inside = |cell: &&usize| {
        let (row, column) = board.place(**cell);
        (start.0.min(end.0)..=start.0.max(end.0)).contains(&row)
            && (start.1.min(end.1)..=start.1.max(end.1)).contains(&column)
    };
    let cells: Vec<usize> = (0..board.tiles().len()).collect();
    let area = cells.iter().filter(inside).count() as u64;
    let walls = cells
        .iter()
        .filter(inside)
        .filter(|cell| board.is_wall(**cell))
        .count() as u64;
    let boxes = board.boxes().iter().filter(inside).count() as u64;
    let goals = board.goals().iter().filter(inside).count() as u64;
    // The box itself stands on floor inside, so that the area exceeds the walls.
    let term = (boxes + goals) * 1_000_000 / (area - walls);
    (boxes + goals + walls, term)
}

fn counter_intuitive(board: &Board, played: &Played) -> usize {
    let against = |trail: &Vec<usize>| {
        let distances = pushes_to(board, trail[trail.len() - 1]);
        trail
            .windows(2)
            .filter(|pair| distances[pair[1]] > distances[pair[0]])
            .count()
    };
    played.trails.iter().map(against).sum()
}
