//! Levels to have made, boards to have solved, and a player who does what he is told.

use stratagem_proto::v1::{
    GeneratePuzzleRequest, PuzzleBoard, PuzzleProblem, SolveOptions, SolvePuzzleRequest,
};

/// A board that six pushes solve.
pub const SMALL: [&str; 5] = ["########", "#@ $  .#", "# $  . #", "#      #", "########"];

/// A board whose box is in a corner.
pub const STUCK: [&str; 5] = ["######", "#$  .#", "#    #", "#   @#", "######"];

/// Levels of these sides with so many boxes, as hard as they can be.
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
            let to = beside(from, (down, right));
            let pushes = "$*".contains(self.at(to));
            assert_eq!(pushes, letter.is_ascii_uppercase(), "{letter} in {lurd}");
            if pushes {
                self.carry(to, beside(to, (down, right)), ('$', '*'));
            }
            self.carry(from, to, ('@', '+'));
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

    fn find(&self) -> (usize, usize) {
        let rows = self.cells.iter().enumerate();
        let mut all = rows.flat_map(|(row, cells)| {
            let cells = cells.iter().enumerate();
            cells.map(move |(column, cell)| (*cell, (row, column)))
        });
        all.find(|(cell, _)| "@+".contains(*cell))
            .expect("there is a player")
            .1
    }

    fn at(&self, (row, column): (usize, usize)) -> char {
        self.cells[row][column]
    }

    /// Moves what looks like the first off a goal and like the second on one.
    fn carry(&mut self, from: (usize, usize), to: (usize, usize), (off, on): (char, char)) {
        let there = match self.at(to) {
            ' ' => off,
            '.' => on,
            other => panic!("{other:?} is in the way"),
        };
        let left = if self.at(from) == on { '.' } else { ' ' };
        self.cells[from.0][from.1] = left;
        self.cells[to.0][to.1] = there;
    }
}

fn beside((row, column): (usize, usize), (down, right): (isize, isize)) -> (usize, usize) {
    (
        row.wrapping_add_signed(down),
        column.wrapping_add_signed(right),
    )
}
