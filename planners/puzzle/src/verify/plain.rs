//! The plain search that defines effort (see the head of [`crate::verify`]), written for clearness.

use crate::board::{Board, Direction};
use anytime::{Pulse, Stop, Ticker};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The distance where no path leads.
pub(super) const NEVER: u32 = u32::MAX;

/// Positions between two looks at the stop signal.
const POSITIONS: u64 = 16;

/// Where the boxes are, rising, and the least cell of the part in which the player can walk.
type Position = (Vec<usize>, usize);

/// Fewest pushes and effort; none when the board cannot be solved or more than `opened_max`
/// positions would be opened.
///
/// # Errors
/// Stopped: nothing is known.
pub(super) fn search(
    board: &Board,
    opened_max: u32,
    pulse: &Pulse,
) -> Result<Option<(u32, u32)>, Stop> {
    let (tables, is_dead) = measure(board);
    let start = (
        board.boxes().to_vec(),
        least_cell(&walk(board, board.boxes(), board.player())),
    );
    let Some(bound) = matching(&tables, &start.0) else {
        return Ok(None);
    };
    if is_stuck(board, &is_dead, &start.0) {
        return Ok(None);
    }
    // Ordered by sum of pushes and bound, then most pushes, then found last.
    let mut open = BTreeSet::from([(bound, 0_i64, 0_i64)]);
    let mut found: Vec<(Position, u32)> = vec![(start.clone(), 0)];
    let mut least: BTreeMap<Position, u32> = BTreeMap::from([(start, 0)]);
    // Positions opened, and those of them whose sum is below that of the position at hand.
    let (mut opened, mut below, mut last) = (0, 0, 0);
    let ticker = Ticker::new(pulse.clone(), POSITIONS);
    while let Some((sum, _, number)) = open.pop_first() {
        let index = usize::try_from(-number).expect("numbers are 0 or less");
        let (position, pushes) = found[index].clone();
        if least[&position] < pushes {
            continue;
        }
        if sum > last {
            (below, last) = (opened, sum);
        }
        if position.0 == board.goals() {
            return Ok(Some((pushes, below + pushes)));
        }
        if opened == opened_max {
            return Ok(None);
        }
        ticker.step(1)?;
        opened += 1;
        for (boxes, player) in pushed(board, &position) {
            let Some(bound) = matching(&tables, &boxes) else {
                continue;
            };
            if is_stuck(board, &is_dead, &boxes) {
                continue;
            }
            let player = least_cell(&walk(board, &boxes, player));
            let next = (boxes, player);
            if least.get(&next).is_some_and(|known| *known <= pushes + 1) {
                continue;
            }
            least.insert(next.clone(), pushes + 1);
            open.insert((
                pushes + 1 + bound,
                -i64::from(pushes + 1),
                -(found.len() as i64),
            ));
            found.push((next, pushes + 1));
        }
    }
    Ok(None)
}

/// For each goal its [`pushes_to`], and which cells are dead.
fn measure(board: &Board) -> (Vec<Vec<u32>>, Vec<bool>) {
    let goals = board.goals().iter();
    let tables: Vec<Vec<u32>> = goals.map(|&goal| pushes_to(board, goal)).collect();
    let is_dead = (0..board.tiles().len())
        .map(|cell| tables.iter().all(|table| table[cell] == NEVER))
        .collect();
    (tables, is_dead)
}

/// For each cell the fewest pushes that bring a lone box from it to `goal`, wherever the player is.
pub(super) fn pushes_to(board: &Board, goal: usize) -> Vec<u32> {
    let mut pushes = vec![NEVER; board.tiles().len()];
    pushes[goal] = 0;
    let mut open = VecDeque::from([goal]);
    while let Some(cell) = open.pop_front() {
        for direction in Direction::ALL {
            // The box came from the other side, pushed from one cell further.
            let from = board.neighbour(cell, direction.back());
            let behind = from.and_then(|from| board.neighbour(from, direction.back()));
            if let (Some(from), Some(behind)) = (from, behind)
                && !board.is_wall(from)
                && !board.is_wall(behind)
                && pushes[from] == NEVER
            {
                pushes[from] = pushes[cell] + 1;
                open.push_back(from);
            }
        }
    }
    pushes
}

/// All cells that the player can walk to.
fn walk(board: &Board, boxes: &[usize], player: usize) -> Vec<bool> {
    let mut is_box = vec![false; board.tiles().len()];
    for &cell in boxes {
        is_box[cell] = true;
    }
    let mut reached = vec![false; board.tiles().len()];
    let mut open = vec![player];
    reached[player] = true;
    while let Some(cell) = open.pop() {
        for next in Direction::ALL
            .iter()
            .filter_map(|&direction| board.neighbour(cell, direction))
        {
            if !reached[next] && !board.is_wall(next) && !is_box[next] {
                reached[next] = true;
                open.push(next);
            }
        }
    }
    reached
}

fn least_cell(reached: &[bool]) -> usize {
    reached
        .iter()
        .position(|is_reached| *is_reached)
        .unwrap_or(0)
}

/// Boxes and player after each push that is possible.
fn pushed(board: &Board, position: &Position) -> Vec<Position> {
    let (boxes, player) = position;
    let reached = walk(board, boxes, *player);
    let mut next = Vec::new();
    for (index, &cell) in boxes.iter().enumerate() {
        for direction in Direction::ALL {
            let ahead = board.neighbour(cell, direction);
            let behind = board.neighbour(cell, direction.back());
            let (Some(ahead), Some(behind)) = (ahead, behind) else {
                continue;
            };
            if board.is_wall(ahead) || boxes.contains(&ahead) || !reached[behind] {
                continue;
            }
            let mut after = boxes.clone();
            after[index] = ahead;
            after.sort_unstable();
            next.push((after, cell));
        }
    }
    next
}

/// Whether a box that is frozen is on no goal.
fn is_stuck(board: &Board, is_dead: &[bool], boxes: &[usize]) -> bool {
    let mut frozen = boxes.to_vec();
    loop {
        let is_blocked = |cell: usize, directions: [Direction; 2]| {
            let sides = directions.map(|direction| board.neighbour(cell, direction));
            let stops = |side: &usize| board.is_wall(*side) || frozen.contains(side);
            sides.iter().flatten().any(stops) || sides.iter().flatten().all(|side| is_dead[*side])
        };
        let kept: Vec<usize> = frozen
            .iter()
            .copied()
            .filter(|&cell| {
                is_blocked(cell, [Direction::Up, Direction::Down])
                    && is_blocked(cell, [Direction::Left, Direction::Right])
            })
            .collect();
        if kept.len() == frozen.len() {
            break;
        }
        frozen = kept;
    }
    frozen.iter().any(|cell| !board.goals().contains(cell))
}

/// The least sum of a matching of boxes with goals; none if there is no matching.
///
/// Shortest augmenting paths with potentials (Kuhn, Munkres), from scratch.
fn matching(tables: &[Vec<u32>], boxes: &[usize]) -> Option<u32> {
    /// More than any sum, so that a matching that uses it has it in its sum.
    const FAR: i64 = 1 << 32;
    let count = boxes.len();
    let cost = |row: usize, column: usize| match tables[column][boxes[row]] {
        NEVER => FAR,
        pushes => i64::from(pushes),
    };
    // Row and column 0 stand for nothing.
    let mut of_row = vec![0; count + 1];
    let mut of_column = vec![0; count + 1];
    let mut matched = vec![0; count + 1];
    for row in 1..=count {
        let mut least = vec![i64::MAX; count + 1];
        let mut from = vec![0; count + 1];
        let mut is_done = vec![false; count + 1];
        matched[0] = row;
        let mut column = 0;
        while matched[column] != 0 {
            is_done[column] = true;
            let current = matched[column];
            let mut step = i64::MAX;
            let mut next = 0;
            for other in (1..=count).filter(|&other| !is_done[other]) {
                let reduced = cost(current - 1, other - 1) - of_row[current] - of_column[other];
                if reduced < least[other] {
                    least[other] = reduced;
                    from[other] = column;
                }
                if least[other] < step {
                    step = least[other];
                    next = other;
                }
            }
            for other in 0..=count {
                if is_done[other] {
                    of_row[matched[other]] += step;
                    of_column[other] -= step;
                } else if least[other] != i64::MAX {
                    least[other] -= step;
                }
            }
            column = next;
        }
        while column != 0 {
            matched[column] = matched[from[column]];
            column = from[column];
        }
    }
    let sum: i64 = (1..=count)
        .map(|column| cost(matched[column] - 1, column - 1))
        .sum();
    u32::try_from(sum).ok().filter(|_| sum < FAR)
}
