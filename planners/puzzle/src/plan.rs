//! Levels, their features, and their cost.

use crate::board::{Board, Step};
use crate::problem::{Goal, Problem, Weights};
use anytime::math;

/// Most positions that a plain search opens in a level that is rated by its effort; harder levels
/// are not offered. Fewer on large boards: [`effort_max`].
pub const EFFORT_MAX: u32 = 10_000;

/// Most positions that a plain search may open on a board of this size: a fraction of a second for
/// the judge.
#[must_use]
pub fn effort_max(cells: usize, boxes: usize) -> u32 {
    effort_max_tried(cells, boxes, 0)
}

/// The same where the judge solves the board again without each of `walls` walls.
#[must_use]
pub(crate) fn effort_max_tried(cells: usize, boxes: usize, walls: usize) -> u32 {
    /// Steps of walking and matching.
    const WORK_MAX: usize = 30_000_000;
    let each = (walls + 1) * boxes.max(1) * (5 * cells + boxes.pow(3)).max(1);
    u32::try_from(WORK_MAX / each).map_or(EFFORT_MAX, |most| most.clamp(1, EFFORT_MAX))
}

/// By how much the effort of a level may change without a needless wall, in percent of its effort.
pub const NEEDLESS_PERCENT: u32 = 20;

/// Efforts between which a level is as hard as one of this effort.
#[must_use]
pub fn as_hard(effort: u32) -> std::ops::RangeInclusive<u32> {
    let more = effort.saturating_mul(NEEDLESS_PERCENT) / 100;
    effort - more..=effort.saturating_add(more)
}

/// Longest solution, in steps.
pub const STEPS_MAX: usize = 100_000;
/// A whole, in the unit of features and values.
pub const MICRO: i64 = 1_000_000;

/// Levels of rising value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// As many as wanted, or fewer as long as not all are found; where values are wanted, each
    /// level has its rung.
    pub levels: Vec<Level>,
}

/// A board and how it is solved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// Which of the wanted levels this is, from 0.
    pub rung: usize,
    /// The board at first.
    pub board: Board,
    /// A solution. Where the weights ask for a shortest one ([`Weights::needs_solving`]) none has
    /// fewer pushes.
    pub solution: Vec<Step>,
    /// Effort, which [`mod@crate::verify`] defines; none where the weights do not ask for solving.
    pub effort: Option<u32>,
    /// Value by the weights of the problem, in millionths.
    pub value_micro: i64,
}

/// A solution of a board.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Solution {
    /// Steps of the player.
    pub steps: Vec<Step>,
}

impl Solution {
    /// In the LURD notation.
    #[must_use]
    pub fn lurd(&self) -> String {
        self.steps.iter().map(|step| step.lurd()).collect()
    }

    /// Pushes: what is minimised.
    #[must_use]
    pub fn pushes(&self) -> u32 {
        self.steps.iter().filter(|step| step.pushes).count() as u32
    }
}

/// Features of a level. Whole numbers, so that search and check agree; shares and means in
/// millionths, rounded down.
///
/// R5 of the board: counted is the rectangle around what the player can reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Features {
    /// Boxes: n.
    pub boxes: u32,
    /// Tiles of the rectangle that are in no 3x3 block, within the rectangle, of walls alone or of
    /// floor alone.
    pub blocks_count: u32,
    /// The same as a share of all tiles of the rectangle, in millionths: P_b.
    pub blocks_micro: u32,
    /// Floor tiles next to a wall of the rectangle, and walls of the rectangle next to floor.
    pub mixing: u32,
    /// Mean of the distances, along rows and columns, of all pairs of a box and a goal, in
    /// millionths.
    pub goal_distance_micro: u64,
    /// Equation 6.1 with all factors 1: boxes, goals and walls in the rectangle between each box
    /// and where the solution leaves it, its corners included.
    pub congestion_sum: u32,
    /// Equation 6.2 with all factors 1, in millionths, each term rounded down: P_c.
    pub congestion_micro: u64,
    /// Pushes of the solution.
    pub pushes: u32,
    /// Steps of the solution, pushes among them.
    pub moves: u32,
    /// Times that the solution pushes another box than the last time.
    pub box_changes: u32,
    /// Pushes after which the box is farther, in pushes on a board without other boxes, from where
    /// the solution leaves it.
    pub counter_intuitive: u32,
    /// Fewest pushes of a box.
    pub box_pushes_min: u32,
    /// Positions that every A* search with the matching bound has to open, plus pushes; defined in
    /// [`mod@crate::verify`]. 0 where it was not asked for.
    pub effort: u32,
}

impl Features {
    /// The logarithm to base 2 of 1 + effort, in millionths.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a logarithm of a 32-bit number is at most 32"
    )]
    pub(crate) fn effort_log_micro(&self) -> i64 {
        (math::log2(1.0 + f64::from(self.effort)) * 1e6) as i64
    }

    /// Each feature with a weight, in millionths, next to its weight.
    #[must_use]
    pub fn terms(&self, weights: &Weights) -> [(&'static str, i64, i64); 11] {
        let whole = |count: u32| i64::from(count) * MICRO;
        let large = |micro: u64| i64::try_from(micro).unwrap_or(i64::MAX);
        [
            ("boxes", whole(self.boxes), weights.boxes),
            ("blocks", i64::from(self.blocks_micro), weights.blocks),
            (
                "blocks_count",
                whole(self.blocks_count),
                weights.blocks_count,
            ),
            ("mixing", whole(self.mixing), weights.mixing),
            (
                "goal_distance",
                large(self.goal_distance_micro),
                weights.goal_distance,
            ),
            (
                "congestion_sum",
                whole(self.congestion_sum),
                weights.congestion_sum,
            ),
            (
                "congestion",
                large(self.congestion_micro),
                weights.congestion,
            ),
            ("pushes", whole(self.pushes), weights.pushes),
            ("box_changes", whole(self.box_changes), weights.box_changes),
            (
                "counter_intuitive",
                whole(self.counter_intuitive),
                weights.counter_intuitive,
            ),
            ("effort_log", self.effort_log_micro(), weights.effort_log),
        ]
    }

    /// Value of the features, in millionths: equation 6.3.
    #[must_use]
    pub fn value_micro(&self, weights: &Weights) -> i64 {
        let terms = self.terms(weights);
        let sum: i128 = terms
            .iter()
            .map(|(_, feature, weight)| i128::from(*feature) * i128::from(*weight))
            .sum();
        let value = sum / i128::from(weights.divisor);
        i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX })
    }
}

/// The cost, which is minimised: the number of missing levels, then the sum of the misses of the
/// others, or, where the higher is the better, of their values with its sign changed; in
/// millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost {
    /// Levels wanted and not there.
    pub missing: u32,
    /// Sum of the misses beyond the tolerance, or of the values with changed sign.
    pub miss_micro: i64,
}

impl Cost {
    /// The cost of levels with these values on these rungs.
    #[must_use]
    pub(crate) fn from_values(problem: &Problem, values_micro: &[(usize, i64)]) -> Self {
        let missing = problem.spec().levels.saturating_sub(values_micro.len());
        let misses = values_micro
            .iter()
            .map(|&(rung, value)| miss_micro(problem, rung, value));
        Self {
            missing: u32::try_from(missing).unwrap_or(u32::MAX),
            miss_micro: misses.fold(0, i64::saturating_add),
        }
    }
}

/// How far a value misses the target of a rung, beyond the tolerance; where the highest value is
/// wanted, the negated value.
#[must_use]
pub fn miss_micro(problem: &Problem, rung: usize, value_micro: i64) -> i64 {
    match (problem.spec().goal, problem.target_micro(rung)) {
        (
            Goal::Hit {
                tolerance_percent, ..
            },
            Some(target),
        ) => {
            let tolerance = target.saturating_abs() * i64::from(tolerance_percent) / 100;
            (value_micro.saturating_sub(target).saturating_abs() - tolerance).max(0)
        }
        _ => value_micro.saturating_neg(),
    }
}

/// In how many cells two boards differ, in percent of the rectangle around what the player can
/// reach, rounded down: the least under the eight symmetries of the square. Rectangles of different
/// sides differ in 100 percent. The player's place does not count.
#[must_use]
pub fn difference(one: &Board, other: &Board) -> u32 {
    Crop::new(one).least_difference(&Crop::new(other))
}

/// Part of a board that counts when it is compared with others.
#[derive(Debug, Clone)]
pub(crate) struct Crop {
    width: usize,
    height: usize,
    /// Wall, floor, goal, box, box on goal.
    kinds: Vec<u8>,
}

impl Crop {
    pub(crate) fn new(board: &Board) -> Self {
        let (rows, columns) = reach(board);
        let mut kinds = Vec::new();
        for row in rows.clone() {
            for column in columns.clone() {
                let cell = row * board.width() + column;
                let is_goal = board.goals().binary_search(&cell).is_ok();
                let is_box = board.boxes().binary_search(&cell).is_ok();
                kinds.push(match (board.is_wall(cell), is_goal, is_box) {
                    (true, ..) => 0,
                    (_, false, false) => 1,
                    (_, true, false) => 2,
                    (_, false, true) => 3,
                    (_, true, true) => 4,
                });
            }
        }
        Self {
            width: columns.len(),
            height: rows.len(),
            kinds,
        }
    }

    /// [`difference`] of the boards.
    pub(crate) fn least_difference(&self, other: &Self) -> u32 {
        let turns = (0..8).map(|turn| self.difference(other, turn));
        turns.min().unwrap_or(100)
    }

    fn difference(&self, other: &Self, turn: u8) -> u32 {
        let (width, height) = if turn & 4 == 0 {
            (other.width, other.height)
        } else {
            (other.height, other.width)
        };
        if (self.width, self.height) != (width, height) {
            return 100;
        }
        let mut differing = 0;
        for row in 0..height {
            for column in 0..width {
                let across = if turn & 1 == 0 {
                    column
                } else {
                    width - 1 - column
                };
                let down = if turn & 2 == 0 { row } else { height - 1 - row };
                let there = if turn & 4 == 0 {
                    down * other.width + across
                } else {
                    across * other.width + down
                };
                differing += u32::from(self.kinds[row * width + column] != other.kinds[there]);
            }
        }
        100 * differing / u32::try_from(self.kinds.len().max(1)).unwrap_or(u32::MAX)
    }
}

/// Rows and columns of the rectangle around what the player can reach.
#[must_use]
pub fn reach(board: &Board) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
    let floor = (0..board.tiles().len()).filter(|&cell| !board.is_wall(cell));
    let places: Vec<(usize, usize)> = floor.map(|cell| board.place(cell)).collect();
    let range = |of: fn(&(usize, usize)) -> usize| {
        let least = places.iter().map(of).min().unwrap_or(0);
        let most = places.iter().map(of).max().unwrap_or(0);
        least..most + 1
    };
    (range(|place| place.0), range(|place| place.1))
}
