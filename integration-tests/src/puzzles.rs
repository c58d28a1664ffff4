//! Levels to have made, boards to have solved, and a player that makes given steps.

use stratagem_proto::v1::{
    GeneratePuzzleRequest, PuzzleBoard, PuzzleProblem, SolveOptions, SolvePuzzleRequest,
};

/// A board that six pushes solve.
pub const SMALL: [&str; 5] = ["########", "#@ $  .#", "# $  . #", "#      #", "########"];

/// A board whose box is in a corner.
pub const STUCK: [&str; 5] = ["######", "#$  .#", "#    #", "#   @#", "######"];

/// Levels of these sides with this number of boxes, as hard as they can be.
#[must_use]
pub fn levels(side: i32, boxes: i32) -> PuzzleProblem {
    PuzzleProblem {
        title: format!("{boxes} boxes on {side} times {side}"),
        width: Some(side),
        height: Some(side),
        min_boxes: Some(boxes),
        max_boxes: Some(boxes),
        ..Default::default()
    }
}

/// A request for levels.
#[must_use]
pub fn make(problem: PuzzleProblem, options: SolveOptions) -> GeneratePuzzleRequest {
    GeneratePuzzleRequest {
        problem: Some(problem),
        options: Some(options),
    }
}

/// Rows as the wire has them.
#[must_use]
pub fn rows(board: &[&str]) -> Vec<String> {
    board.iter().map(|row| (*row).to_owned()).collect()
}

/// A request for a solution.
#[must_use]
pub fn solve(board: &[&str], played: &str, options: SolveOptions) -> SolvePuzzleRequest {
    SolvePuzzleRequest {
        problem: Some(PuzzleBoard { rows: rows(board) }),
        options: Some(options),
        played_moves: played.into(),
    }
}

/// A board on which somebody plays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Play {
    cells: Vec<Vec<char>>,
    /// Pushes so far.
    pub pushes: i32,
    /// Steps so far, pushes among them.
    pub moves: i32,
}

impl Play {
    /// Begins.
    #[must_use]
    pub fn new<S: AsRef<str>>(rows: &[S]) -> Self {
        let cells = rows.iter().map(|row| row.as_ref().chars().collect());
        Self {
            cells: cells.collect(),
            pushes: 0,
            moves: 0,
        }
    }

    /// Makes steps in the LURD notation.
    ///
    /// # Panics
    /// When one of them cannot be made as it is written.
    pub fn steps(&mut self, lurd: &str) {
        for letter in lurd.chars() {
            let (down, right) = match letter.to_ascii_lowercase() {
                'l' => (0, -1),
                'u' => (-1, 0),
                'r' => (0, 1),
                'd' => (1, 0),
                other => panic!("{other:?} is no step"),
            };
            let from = self.find();
            let to = from.neighbour(down, right);
            let pushes = "$*".contains(self.cell(to));
            assert_eq!(pushes, letter.is_ascii_uppercase(), "{letter} in {lurd}");
            if pushes {
                self.carry(to, to.neighbour(down, right), ['$', '*']);
            }
            self.carry(from, to, ['@', '+']);
            self.pushes += i32::from(pushes);
            self.moves += 1;
        }
    }

    /// Whether all boxes are on goals.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        !self.cells.iter().flatten().any(|cell| *cell == '$')
    }

    /// The rows as they are now.
    #[must_use]
    pub fn rows(&self) -> Vec<String> {
        self.cells.iter().map(|row| row.iter().collect()).collect()
    }

    fn find(&self) -> Cell {
        let rows = self.cells.iter().enumerate();
        let mut all = rows.flat_map(|(row, cells)| {
            let cells = cells.iter().enumerate();
            cells.map(move |(column, cell)| (*cell, Cell { row, column }))
        });
        all.find(|(cell, _)| "@+".contains(*cell))
            .expect("there is a player")
            .1
    }

    fn cell(&self, cell: Cell) -> char {
        self.cells[cell.row][cell.column]
    }

    /// Moves what looks like the first off a goal and like the second on one.
    fn carry(&mut self, from: Cell, to: Cell, [off, on]: [char; 2]) {
        let there = match self.cell(to) {
            ' ' => off,
            '.' => on,
            other => panic!("{other:?} is in the way"),
        };
        let left = if self.cell(from) == on { '.' } else { ' ' };
        self.cells[from.row][from.column] = left;
        self.cells[to.row][to.column] = there;
    }
}

/// A place on the board, from the upper left corner.
#[derive(Clone, Copy)]
struct Cell {
    row: usize,
    column: usize,
}

impl Cell {
    fn neighbour(self, down: isize, right: isize) -> Self {
        Self {
            row: self.row.wrapping_add_signed(down),
            column: self.column.wrapping_add_signed(right),
        }
    }
}
