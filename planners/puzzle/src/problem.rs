//! A validated problem: the levels that are wanted.

mod check;

use crate::board::{Board, Tile};
use anytime::Fault;

/// Smallest side of a board, walls included.
pub const SIDE_MIN: usize = 3;
/// Most boxes of a level that is made; a board that is solved may have
/// [more](crate::board::BOXES_MAX).
pub const BOXES_MAX: usize = 32;
/// Most levels in one plan.
pub const LEVELS_MAX: usize = 50;
/// Most levels to differ from.
pub const AVOIDED_MAX: usize = 200;
/// Most pushes that can be asked for each box.
pub const BOX_PUSHES_MAX: u32 = 100;
/// Largest weight and divisor, in millionths.
pub const WEIGHT_MAX_MICRO: i64 = 1_000_000_000_000;
/// Largest target and tolerance, in millionths.
pub const VALUE_MAX_MICRO: i64 = 1_000_000_000_000;

/// A problem as given: plain data, nothing checked. [`Problem::new`] checks it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// Columns, walls of the border included, [`SIDE_MIN`] to [`SIDE_MAX`](crate::board::SIDE_MAX).
    pub width: usize,
    /// Rows, as the columns.
    pub height: usize,
    /// Rule for each cell, row by row. Empty: all is free but the border.
    pub template: Vec<Mask>,
    /// Fewest boxes, at least 1.
    pub boxes_min: usize,
    /// Most boxes, up to [`BOXES_MAX`].
    pub boxes_max: usize,
    /// Look of the walls.
    pub symmetry: Symmetry,
    /// Where difficulty is to come from; for the strategy `auto`.
    pub theme: Theme,
    /// Which walls there are, and how levels are written.
    pub walls: Walls,
    /// Weights of features in the value of a level.
    pub weights: Weights,
    /// Wanted value.
    pub goal: Goal,
    /// Number of levels wanted, 1 to [`LEVELS_MAX`], of rising value.
    pub levels: usize,
    /// Least difference of any two levels, and each from the avoided ones, in percent of the
    /// cells ([`crate::plan::difference`]).
    pub difference_min_percent: u32,
    /// Fewest pushes of each box in the solution, up to [`BOX_PUSHES_MAX`].
    pub box_pushes_min: u32,
    /// Levels to differ from, at most [`AVOIDED_MAX`].
    pub avoided: Vec<Board>,
}

/// Rule for a cell. A cell that has to be a goal may hold a box or the player too, and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mask {
    /// Anything.
    Free,
    /// This. [`Tile::Floor`]: anything but wall.
    Is(Tile),
}

/// Look of the walls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Symmetry {
    /// As it comes.
    #[default]
    None,
    /// Left and right are mirror images.
    LeftRight,
    /// Top and bottom are mirror images.
    TopBottom,
    /// The same after half a turn.
    HalfTurn,
    /// Left and right, and top and bottom.
    Both,
    /// The same after a quarter of a turn; for square boards.
    QuarterTurn,
}

/// Where difficulty is to come from (Holland, "The two styles of Sokoban", cited in 6.7 of the
/// thesis).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Theme {
    /// As it comes.
    #[default]
    Any,
    /// Few walls: boxes are in each other's way and the order of pushes matters.
    Dynamic,
    /// Many walls: paths are narrow and the place from which to push matters.
    Static,
}

/// Which walls there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Walls {
    /// Whatever the player cannot reach is wall.
    #[default]
    Full,
    /// The same, but walls that touch no floor are left out where levels are written
    /// ([`Board::outline`]).
    Outline,
    /// As the outline, and no inner wall is needless: see [`crate::verify()`]. For weights that
    /// need solving, and the strategy `auto`.
    Needed,
}

/// Wanted value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The higher, the better.
    Most,
    /// Between two values, in millionths: the first level the easiest, the last the hardest, evenly
    /// spaced; one level: the middle. A miss of at most the tolerance counts as none.
    Hit {
        /// Value of the first level.
        easiest_micro: i64,
        /// Value of the last level, not below the first.
        hardest_micro: i64,
        /// Miss of a level that does not count, in percent of what is wanted of it, up to 100.
        tolerance_percent: u32,
    },
}

/// Value of a level: the sum of its features, each times its weight, through the divisor
/// (equation 6.3 of the thesis, with more features). All in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Weights {
    /// Weight of the number of boxes: w_n.
    pub boxes: i64,
    /// Weight of the share of tiles that are in no 3x3 block of walls or of floor: w_b.
    pub blocks: i64,
    /// Weight of the number of such tiles.
    pub blocks_count: i64,
    /// Weight of tiles next to the other kind.
    pub mixing: i64,
    /// Weight of the mean distance of boxes and goals.
    pub goal_distance: i64,
    /// Weight of the first congestion, equation 6.1.
    pub congestion_sum: i64,
    /// Weight of the second congestion, equation 6.2: w_c.
    pub congestion: i64,
    /// Weight of the pushes of a shortest solution.
    pub pushes: i64,
    /// Weight of the times that a solution turns to another box.
    pub box_changes: i64,
    /// Weight of pushes away from where the box ends.
    pub counter_intuitive: i64,
    /// Weight of the logarithm to base 2 of 1 + positions that a plain search opens.
    pub effort_log: i64,
    /// k, above 0.
    pub divisor: i64,
}

impl Weights {
    /// Equation 6.3 with the weights of the thesis: (5 P_b + 1 P_c + 10 n) / 50.
    pub const SCORE: Self = Self {
        boxes: 10_000_000,
        blocks: 5_000_000,
        congestion: 1_000_000,
        divisor: 50_000_000,
        ..Self::ZERO
    };

    /// What players feel, the default: search effort and box changes above all, then
    /// counter-intuitive pushes and length (Jarušek and Pelánek 2010).
    pub const DIFFICULTY: Self = Self {
        effort_log: 1_000_000,
        box_changes: 250_000,
        counter_intuitive: 250_000,
        pushes: 50_000,
        divisor: 1_000_000,
        ..Self::ZERO
    };

    const ZERO: Self = Self {
        boxes: 0,
        blocks: 0,
        blocks_count: 0,
        mixing: 0,
        goal_distance: 0,
        congestion_sum: 0,
        congestion: 0,
        pushes: 0,
        box_changes: 0,
        counter_intuitive: 0,
        effort_log: 0,
        divisor: 0,
    };

    /// Whether a level has to be solved, with fewest pushes, to know what it is worth.
    #[must_use]
    pub fn needs_solving(&self) -> bool {
        [
            self.pushes,
            self.box_changes,
            self.counter_intuitive,
            self.effort_log,
        ]
        .iter()
        .any(|weight| *weight != 0)
    }

    fn values(&self) -> [i64; 11] {
        [
            self.boxes,
            self.blocks,
            self.blocks_count,
            self.mixing,
            self.goal_distance,
            self.congestion_sum,
            self.congestion,
            self.pushes,
            self.box_changes,
            self.counter_intuitive,
            self.effort_log,
        ]
    }
}

/// A problem that makes sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    spec: Spec,
}

impl Problem {
    /// Checks a problem.
    ///
    /// # Errors
    /// Every broken rule, with its field in the contract's `PuzzleProblem`.
    pub fn new(spec: Spec) -> Result<Self, Vec<Fault>> {
        let mut spec = spec;
        let faults = check::check(&spec);
        if !faults.is_empty() {
            return Err(faults);
        }
        if spec.template.is_empty() {
            spec.template = vec![Mask::Free; spec.width * spec.height];
        }
        Ok(Self { spec })
    }

    /// The specification; the template is never empty.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Value that is wanted of the level with this index; none where the higher is the better.
    #[must_use]
    pub(crate) fn target_micro(&self, level: usize) -> Option<i64> {
        match self.spec.goal {
            Goal::Most => None,
            Goal::Hit {
                easiest_micro: easiest,
                hardest_micro: hardest,
                ..
            } => {
                let (level, last) = match self.spec.levels {
                    1 => (1, 2),
                    levels => (level as i64, levels as i64 - 1),
                };
                Some(easiest + (hardest - easiest) * level / last)
            }
        }
    }

    /// The inner walls of a board of these sides that are next to floor and not required by the
    /// template, each with its mirror images.
    #[must_use]
    pub(crate) fn inner_walls(&self, is_wall: &dyn Fn(usize) -> bool) -> Vec<Vec<usize>> {
        let (width, height) = (self.spec.width, self.spec.height);
        let is_inner = |cell: usize| {
            let (row, column) = (cell / width, cell % width);
            row > 0 && column > 0 && row + 1 < height && column + 1 < width
        };
        let is_free = |image: &usize| self.spec.template[*image] == Mask::Free;
        let is_adjacent = |image: &usize| {
            let neighbours = [image - width, image + 1, image + width, image - 1];
            neighbours.into_iter().any(|next| !is_wall(next))
        };
        (0..width * height)
            .filter(|&cell| is_inner(cell) && is_wall(cell))
            .map(|cell| (cell, self.images(cell)))
            .filter(|(cell, images)| images[0] == *cell)
            .map(|(_, images)| images)
            .filter(|images| images.iter().all(is_free) && images.iter().any(is_adjacent))
            .collect()
    }

    /// The cells that are the same under the symmetry as this one, itself among them.
    #[must_use]
    pub fn images(&self, cell: usize) -> Vec<usize> {
        self.spec.images(cell)
    }
}

impl Spec {
    /// The problem of the thesis: a board with at most `columns` by `rows` of floor, walls around
    /// it not counted, as many boxes as fit, the highest score.
    #[must_use]
    pub fn thesis(columns: usize, rows: usize) -> Self {
        Self {
            width: columns + 2,
            height: rows + 2,
            template: Vec::new(),
            boxes_min: 1,
            boxes_max: (columns * rows / 2).clamp(1, BOXES_MAX),
            symmetry: Symmetry::None,
            theme: Theme::Any,
            walls: Walls::Full,
            weights: Weights::SCORE,
            goal: Goal::Most,
            levels: 1,
            difference_min_percent: 0,
            box_pushes_min: 2,
            avoided: Vec::new(),
        }
    }

    fn images(&self, cell: usize) -> Vec<usize> {
        let (width, height) = (self.width, self.height);
        let (row, column) = (cell / width, cell % width);
        let at = |row: usize, column: usize| row * width + column;
        let flip_row = height - 1 - row;
        let flip_column = width - 1 - column;
        let mut images = match self.symmetry {
            Symmetry::None => vec![cell],
            Symmetry::LeftRight => vec![cell, at(row, flip_column)],
            Symmetry::TopBottom => vec![cell, at(flip_row, column)],
            Symmetry::HalfTurn => vec![cell, at(flip_row, flip_column)],
            Symmetry::Both => vec![
                cell,
                at(row, flip_column),
                at(flip_row, column),
                at(flip_row, flip_column),
            ],
            // Square: both sides are equal.
            Symmetry::QuarterTurn => vec![
                cell,
                at(column, flip_row),
                at(flip_row, flip_column),
                at(flip_column, row),
            ],
        };
        images.sort_unstable();
        images.dedup();
        images
    }
}
