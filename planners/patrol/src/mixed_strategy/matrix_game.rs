//! Zero-sum matrix game, solved exactly as a linear program.
//!
//! The column player's program is solved by the primal simplex method (Dantzig, "A proof of the
//! equivalence of the programming problem and the game problem", in Koopmans, "Activity analysis of
//! production and allocation", 1951): maximise the sum of y with A y <= 1 and y >= 0 for a matrix A
//! above 0, of which the value of the game is the reciprocal. Its slack variables are a feasible
//! basis, and the dual values of its rows are the row player's strategy. A tableau
//! here has at most some hundred rows, so that no solver library is needed.
//!
//! The result does not rely on the simplex method: [`Solution`] states what each strategy
//! guarantees by itself, computed from the matrix. The row player gets at least [`Solution::floor`]
//! with its strategy and at most [`Solution::ceiling`] against the column player's, so that the two
//! prove each other.

/// Maximum number of pivots for each row and column.
const PIVOTS_EACH: usize = 20;
/// Numbers of a tableau up to this count as 0.
const ROUNDING: f64 = 1e-11;
/// Consecutive pivots without gain before Bland's rule, which cannot cycle, takes over.
const STALLED_MAX: usize = 20;

/// Strategies of both players, and what they guarantee.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Solution {
    /// Mixed strategy of the row player.
    pub rows: Vec<f64>,
    /// Mixed strategy of the column player.
    pub columns: Vec<f64>,
    /// The row player gets at least this.
    pub floor: f64,
    /// The column player gives at most this.
    pub ceiling: f64,
}

/// Simplex tableau: equality constraints and the objective in terms of the nonbasic variables.
struct Tableau {
    /// Rows of the game: coefficients of columns, of slack variables, and the right-hand side; then
    /// the objective.
    lines: Vec<Vec<f64>>,
    /// Basic variable of each row of the game.
    basis: Vec<usize>,
}

/// Optimal strategies for payoffs by row and column, all between 0 and 1: rows maximise, columns
/// minimise. When `go_on`, called before each pivot, returns false, strategies are worse, but their
/// guarantees hold.
pub(super) fn solve(payoffs: &[&[f64]], go_on: &mut dyn FnMut() -> bool) -> Solution {
    let mut tableau = Tableau::new(payoffs);
    let pivots_max = PIVOTS_EACH * (payoffs.len() + payoffs[0].len());
    let mut stalled = 0;
    for _ in 0..pivots_max {
        let before = tableau.objective();
        if !go_on() || !tableau.pivot(stalled >= STALLED_MAX) {
            break;
        }
        stalled = if tableau.objective() > before + ROUNDING {
            0
        } else {
            stalled + 1
        };
    }
    let (rows, columns) = tableau.strategies();
    let floor = (0..columns.len()).map(|column| {
        let each = payoffs.iter().zip(&rows);
        each.map(|(row, share)| row[column] * share).sum::<f64>()
    });
    let ceiling = payoffs.iter().map(|row| {
        let each = row.iter().zip(&columns);
        each.map(|(payoff, share)| payoff * share).sum::<f64>()
    });
    Solution {
        floor: floor.fold(f64::INFINITY, f64::min),
        ceiling: ceiling.fold(f64::NEG_INFINITY, f64::max),
        rows,
        columns,
    }
}

impl Tableau {
    /// Tableau with the slack variables as basis; payoffs are raised by 1 so that they are above 0.
    fn new(payoffs: &[&[f64]]) -> Self {
        let (rows, columns) = (payoffs.len(), payoffs[0].len());
        let line = |row: usize, payoffs: &[f64]| {
            let mut line: Vec<f64> = payoffs.iter().map(|payoff| payoff + 1.0).collect();
            line.extend((0..rows).map(|slack| f64::from(u8::from(slack == row))));
            line.push(1.0);
            line
        };
        let mut lines: Vec<Vec<f64>> = payoffs
            .iter()
            .enumerate()
            .map(|(row, payoffs)| line(row, payoffs))
            .collect();
        let mut objective = vec![-1.0; columns];
        objective.resize(columns + rows + 1, 0.0);
        lines.push(objective);
        Self {
            lines,
            basis: (columns..columns + rows).collect(),
        }
    }

    fn objective(&self) -> f64 {
        self.lines[self.basis.len()][self.width()]
    }

    /// Number of variables.
    fn width(&self) -> usize {
        self.lines[0].len() - 1
    }

    /// One pivot: a variable that raises the objective enters the basis, by steepest ascent or the
    /// first one. False: there is none.
    fn pivot(&mut self, takes_first: bool) -> bool {
        let (rows, width) = (self.basis.len(), self.width());
        let costs = &self.lines[rows][..width];
        let mut rising = (0..width).filter(|variable| costs[*variable] < -ROUNDING);
        let enters = if takes_first {
            rising.next()
        } else {
            rising.min_by(|one, other| costs[*one].total_cmp(&costs[*other]))
        };
        let Some(enters) = enters else {
            return false;
        };
        let bounding = (0..rows).filter(|row| self.lines[*row][enters] > ROUNDING);
        let ratio = |row: usize| (self.lines[row][width] / self.lines[row][enters]).max(0.0);
        let leaves = bounding.min_by(|one, other| {
            let ratios = ratio(*one).total_cmp(&ratio(*other));
            ratios.then(self.basis[*one].cmp(&self.basis[*other]))
        });
        let Some(row) = leaves else {
            return false;
        };
        self.basis[row] = enters;
        let by = self.lines[row][enters];
        self.lines[row].iter_mut().for_each(|number| *number /= by);
        let pivot = self.lines[row].clone();
        for (other, line) in self.lines.iter_mut().enumerate() {
            let by = line[enters];
            if other != row && by != 0.0 {
                let each = line.iter_mut().zip(&pivot);
                each.for_each(|(number, pivot)| *number -= by * pivot);
                line[enters] = 0.0;
            }
        }
        true
    }

    /// Mixed strategies of rows and columns.
    fn strategies(&self) -> (Vec<f64>, Vec<f64>) {
        let (rows, width) = (self.basis.len(), self.width());
        let mut columns = vec![0.0; width - rows];
        for (row, variable) in self.basis.iter().enumerate() {
            if let Some(column) = columns.get_mut(*variable) {
                *column = self.lines[row][width];
            }
        }
        let duals = self.lines[rows][width - rows..width].to_vec();
        (distribution(duals), distribution(columns))
    }
}

/// Normalises masses to sum 1; uniform where none is above 0.
fn distribution(mut masses: Vec<f64>) -> Vec<f64> {
    masses.iter_mut().for_each(|mass| *mass = mass.max(0.0));
    let sum: f64 = masses.iter().sum();
    let count = masses.len() as f64;
    let share = |mass: f64| if sum > 0.0 { mass / sum } else { 1.0 / count };
    masses.into_iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::{Solution, solve};
    use proptest::prelude::*;

    fn played(payoffs: &[Vec<f64>]) -> Solution {
        let rows: Vec<&[f64]> = payoffs.iter().map(Vec::as_slice).collect();
        solve(&rows, &mut || true)
    }

    #[test]
    fn the_values_of_textbook_games_are_exact() {
        // Matching pennies; a saddle point; a row that is dominated; 2 x 2 without a saddle: (ad -
        // bc) / (a + d - b - c).
        for (payoffs, value) in [
            (vec![vec![1.0, 0.0], vec![0.0, 1.0]], 0.5),
            (vec![vec![0.4, 0.7], vec![0.1, 0.9]], 0.4),
            (vec![vec![0.9, 0.8], vec![0.1, 0.2]], 0.8),
            (vec![vec![0.8, 0.1], vec![0.2, 0.5]], 0.38),
            (vec![vec![0.0; 3]; 2], 0.0),
        ] {
            let solution = played(&payoffs);
            assert!((solution.floor - value).abs() < 1e-12, "{solution:?}");
            assert!((solution.ceiling - value).abs() < 1e-12, "{solution:?}");
        }
    }

    #[test]
    fn guarantees_hold_when_stopped() {
        let rows: [&[f64]; 2] = [&[0.0, 1.0], &[1.0, 0.0]];
        let solution = solve(&rows, &mut || false);
        assert_eq!((solution.floor, solution.ceiling), (0.5, 0.5));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        /// Duality: guarantees of both sides meet, also where many payoffs are equal and bases are
        /// degenerate.
        #[test]
        fn guarantees_of_both_sides_meet(
            rows in 1..24_usize,
            columns in 1..40_usize,
            steps in 1..1_000_u32,
            seed: u64,
        ) {
            let number = |index: usize| {
                let mixed = anytime::derive_seed(seed, index as u64);
                f64::from((mixed % u64::from(steps + 1)) as u32) / f64::from(steps)
            };
            let row = |row: usize| (0..columns).map(|c| number(row * columns + c)).collect();
            let payoffs: Vec<Vec<f64>> = (0..rows).map(row).collect();
            let solution = played(&payoffs);
            for strategy in [&solution.rows, &solution.columns] {
                prop_assert!(strategy.iter().all(|share| *share >= 0.0));
                prop_assert!((strategy.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            }
            prop_assert!(solution.floor <= solution.ceiling + 1e-12);
            prop_assert!(solution.ceiling - solution.floor < 1e-9, "{solution:?}");
        }
    }
}
