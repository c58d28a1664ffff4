//! The linear assignment problem: a cheapest matching of rows with columns, of any size, which is
//! the warm start of the next.
//!
//! Rows that stay idle share a column of their own, idle columns a row: so every row and every
//! column is matched. When costs change, rows keep their column where it still costs least by the
//! potentials of the columns; each of the others gets a shortest augmenting path (Edmonds and Karp
//! 1972). Costs and potentials are rows of numbers of one width, padded, so that compilers
//! vectorise the loops.

use std::ops::{Add, Sub};

/// A cost of a row and a column, or of several. Processors handle twice the number of narrow ones
/// at a time.
pub trait Cost: Copy + Default + Ord + Add<Output = Self> + Sub<Output = Self> {
    /// More than all sums: the row and the column cannot be matched.
    const NEVER: Self;
    /// The cost of a number that fits.
    fn from_number(number: u64) -> Self;
    /// The number of a cost that is not negative.
    fn number(self) -> u64;

    /// The difference; [`Self::NEVER`] stays.
    #[must_use]
    fn minus(self, by: Self) -> Self {
        if self == Self::NEVER { self } else { self - by }
    }

    /// The sum; [`Self::NEVER`] stays.
    #[must_use]
    fn plus(self, by: Self) -> Self {
        if self == Self::NEVER { self } else { self + by }
    }
}

macro_rules! cost {
    ($($number:ty),*) => {
        $(impl Cost for $number {
            const NEVER: Self = Self::MAX / 2;

            fn from_number(number: u64) -> Self {
                number as Self
            }

            fn number(self) -> u64 {
                self as u64
            }
        })*
    };
}

cost!(i32, i64);

/// No row, no column.
const NONE: u8 = u8::MAX;
/// Widths are multiples of this.
const LANES: usize = 8;

/// A matching of rows with columns, its costs, and the potentials that prove it cheapest. There are
/// fewer rows and fewer columns than `N`, a multiple of 8.
#[derive(Debug, Clone)]
pub struct Assignment<C, const N: usize> {
    rows: usize,
    columns: usize,
    /// Columns in a row of costs.
    width: usize,
    /// Potentials farther apart are not those of any costs up to the largest.
    spread_max: C,
    /// Costs by row and column, the idle ones last.
    costs: Vec<C>,
    /// Rows, and columns, that stay idle.
    idle_rows: usize,
    idle_columns: usize,
    /// For each row its column, which may be the idle one; for each column its row.
    column_of: [u8; N],
    row_of: [u8; N],
    /// Rows, and columns, that are idle so far.
    idle_rows_now: usize,
    idle_columns_now: usize,
    row_potentials: [C; N],
    column_potentials: [C; N],
}

impl<C: Cost, const N: usize> Assignment<C, N> {
    /// Nothing is matched; costs are to be set, each from 0 to `cost_max`.
    ///
    /// # Panics
    /// With `N` rows or columns, and with costs that do not fit ([`Assignment::fits`]).
    #[must_use]
    pub fn new(rows: usize, columns: usize, cost_max: u64) -> Self {
        assert!(
            rows.max(columns) < N && N <= NONE.into() && N.is_multiple_of(LANES),
            "{rows} x {columns}"
        );
        assert!(Self::fits(rows, columns, cost_max), "{cost_max}");
        let width = (columns + 1).next_multiple_of(LANES);
        let mut costs = vec![C::NEVER; (rows + 1) * width];
        costs[rows * width..][..columns].fill(C::default());
        Self {
            rows,
            columns,
            width,
            spread_max: C::from_number(cost_max * (rows.max(columns) as u64 + 2)),
            costs,
            idle_rows: 0,
            idle_columns: 0,
            column_of: [NONE; N],
            row_of: [NONE; N],
            idle_rows_now: 0,
            idle_columns_now: 0,
            row_potentials: [C::default(); N],
            column_potentials: [C::default(); N],
        }
    }

    /// Whether costs up to `cost_max` are narrow enough.
    #[must_use]
    pub fn fits(rows: usize, columns: usize, cost_max: u64) -> bool {
        // Potentials are at most two longest paths apart, and sums are of five of them.
        let sums = 5 * (rows.max(columns) as u64 + 2) + 1;
        let most = cost_max.checked_mul(sums);
        most.is_some_and(|most| most < C::NEVER.number())
    }

    /// Unmatches all rows. From now on this number of them is matched with columns, or all rows or
    /// columns, whichever there are fewer of.
    pub fn begin(&mut self, size: usize) {
        let size = size.min(self.rows).min(self.columns);
        (self.idle_rows, self.idle_columns) = (self.rows - size, self.columns - size);
        let idle = match self.idle_rows {
            0 => C::NEVER,
            _ => C::default(),
        };
        for row in 0..self.rows {
            self.costs[row * self.width + self.columns] = idle;
        }
        self.forget();
    }

    fn forget(&mut self) {
        self.column_of = [NONE; N];
        self.row_of = [NONE; N];
        (self.idle_rows_now, self.idle_columns_now) = (0, 0);
        self.column_potentials = [C::default(); N];
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The costs of a row, to be changed: from 0 to the largest, or [`Cost::NEVER`] where it cannot
    /// be matched.
    pub fn costs_mut(&mut self, row: usize) -> &mut [C] {
        &mut self.costs[row * self.width..][..self.columns]
    }

    /// The column of a row; `None`: it is idle.
    #[must_use]
    pub fn column_of(&self, row: usize) -> Option<usize> {
        let column = usize::from(self.column_of[row]);
        (column < self.columns).then_some(column)
    }

    /// Finds a cheapest matching, after costs of any rows have changed. Returns whether one of this
    /// size exists.
    pub fn solve(&mut self) -> bool {
        self.level();
        for row in 0..self.rows {
            self.keep(row);
        }
        self.keep_idle_columns();
        for row in 0..self.rows {
            if self.column_of[row] == NONE && !self.augment(row) {
                return false;
            }
        }
        while self.idle_columns_now < self.idle_columns {
            if !self.augment(self.rows) {
                return false;
            }
        }
        true
    }

    /// Finds a cheapest matching from the one that was found before, after costs of this row only
    /// have changed. Returns whether one exists.
    pub fn solve_from(&mut self, row: usize) -> bool {
        self.unmatch(row);
        self.row_potentials[row] = self.least_cost(row);
        self.augment(row)
    }

    /// Becomes the same as another one, in the memory that it has.
    pub fn copy(&mut self, other: &Self) {
        let mut costs = std::mem::take(&mut self.costs);
        costs.clone_from(&other.costs);
        *self = Self { costs, ..*other };
    }

    /// Brings the potentials of columns back to where they began, for they only fall.
    fn level(&mut self) {
        let potentials = &mut self.column_potentials[..=self.columns];
        let top = potentials
            .iter()
            .fold(potentials[0], |top, it| top.max(*it));
        let low = potentials.iter().fold(top, |low, it| low.min(*it));
        for potential in potentials {
            *potential = potential.minus(top);
        }
        // What is left of costs that are long gone.
        if top.minus(low) > self.spread_max {
            self.forget();
        }
    }

    fn row(&self, row: usize) -> &[C] {
        &self.costs[row * self.width..][..self.width]
    }

    /// The least cost of a row, by the potentials of the columns.
    fn least_cost(&self, row: usize) -> C {
        let row = self.row(row).iter().zip(&self.column_potentials);
        row.fold(C::NEVER, |least, (cost, potential)| {
            least.min(cost.minus(*potential))
        })
    }

    /// Finds the potential of a row; the row keeps its column only where nothing costs less.
    fn keep(&mut self, row: usize) {
        let least = self.least_cost(row);
        self.row_potentials[row] = least;
        let column = usize::from(self.column_of[row]);
        if column <= self.columns {
            let own = self.row(row)[column].minus(self.column_potentials[column]);
            if own != least || own == C::NEVER {
                self.unmatch(row);
            }
        }
    }

    /// The same of idle columns.
    fn keep_idle_columns(&mut self) {
        let least = self.least_cost(self.rows);
        self.row_potentials[self.rows] = least;
        for column in 0..self.columns {
            let is_idle = usize::from(self.row_of[column]) == self.rows;
            if is_idle && C::default().minus(self.column_potentials[column]) != least {
                self.row_of[column] = NONE;
                self.idle_columns_now -= 1;
            }
        }
    }

    fn unmatch(&mut self, row: usize) {
        let column = std::mem::replace(&mut self.column_of[row], NONE);
        if usize::from(column) == self.columns {
            self.idle_rows_now -= 1;
        } else if column != NONE {
            self.row_of[usize::from(column)] = NONE;
        }
    }

    /// Matches a row again, by a cheapest path: Dijkstra's algorithm on costs that the potentials
    /// keep from being negative, up to the first column with room.
    fn augment(&mut self, start: usize) -> bool {
        let mut reach = Reach::new();
        let Some((far, end)) = self.nearest_room(&mut reach, start) else {
            return false;
        };
        for column in 0..=self.columns {
            if reach.done[column] == C::NEVER {
                let less = far.minus(reach.far[column]);
                self.column_potentials[column] = self.column_potentials[column].minus(less);
            }
        }
        for at in 0..reach.count {
            let potential = &mut self.row_potentials[usize::from(reach.rows[at])];
            *potential = potential.plus(far.minus(reach.at[at]));
        }
        self.turn(start, end, &reach);
        true
    }

    /// The nearest column with room, and its distance; `None` where no path leads to one.
    fn nearest_room(&self, reach: &mut Reach<C, N>, start: usize) -> Option<(C, usize)> {
        reach.relax(self, start, C::default(), self.columns);
        loop {
            let (far, column) = reach.nearest(self)?;
            if self.has_room(column) {
                return Some((far, column));
            }
            reach.done[column] = C::NEVER;
            if column < self.columns {
                reach.relax(self, usize::from(self.row_of[column]), far, column);
                continue;
            }
            for row in 0..self.rows {
                if usize::from(self.column_of[row]) == column {
                    reach.relax(self, row, far, column);
                }
            }
        }
    }

    fn has_room(&self, column: usize) -> bool {
        if column == self.columns {
            self.idle_rows_now < self.idle_rows
        } else {
            self.row_of[column] == NONE
        }
    }

    /// Matches along the path that came to a column with room.
    fn turn(&mut self, start: usize, end: usize, reach: &Reach<C, N>) {
        let mut column = end;
        self.idle_rows_now += usize::from(end == self.columns);
        self.idle_columns_now += usize::from(start == self.rows);
        loop {
            let row = reach.by[column].number() as usize;
            // Nothing reads what is set for all idle columns, and for all idle rows.
            (self.row_of[column], self.column_of[row]) = (row as u8, column as u8);
            if row == start {
                break;
            }
            column = usize::from(reach.through[row]);
        }
    }
}

/// Distances of columns from a row.
struct Reach<C, const N: usize> {
    far: [C; N],
    /// By which row.
    by: [C; N],
    /// [`Cost::NEVER`] for each column that is done.
    done: [C; N],
    /// Rows that the search went on from, and their distances.
    rows: [u8; N],
    at: [C; N],
    count: usize,
    /// For each row the column through which the search came.
    through: [u8; N],
}

impl<C: Cost, const N: usize> Reach<C, N> {
    fn new() -> Self {
        Self {
            far: [C::NEVER; N],
            by: [C::default(); N],
            done: [C::default(); N],
            rows: [0; N],
            at: [C::default(); N],
            count: 0,
            through: [NONE; N],
        }
    }

    /// The nearest column that is not done: one with room if there is one, where the search ends.
    /// `None` where no path goes on.
    fn nearest(&self, all: &Assignment<C, N>) -> Option<(C, usize)> {
        let open = || self.far.iter().zip(&self.done);
        let open = || open().map(|(far, done)| (*far).max(*done));
        let least = open().take(all.width).fold(C::NEVER, C::min);
        if least == C::NEVER {
            return None;
        }
        let mut full = None;
        for (column, far) in open().take(all.columns + 1).enumerate() {
            if far == least {
                if all.has_room(column) {
                    return Some((least, column));
                }
                full = full.or(Some((least, column)));
            }
        }
        full
    }

    /// Goes on from a row, once, to all columns.
    fn relax(&mut self, all: &Assignment<C, N>, row: usize, far: C, through: usize) {
        // Faster than `contains`, which is made for long slices.
        if { self.rows[..self.count].iter() }.any(|other| usize::from(*other) == row) {
            return;
        }
        self.rows[self.count] = row as u8;
        self.at[self.count] = far;
        self.count += 1;
        self.through[row] = through as u8;
        let so_far = far.minus(all.row_potentials[row]);
        let name = C::from_number(row as u64);
        let columns = self.far.iter_mut().zip(&mut self.by);
        for (((far, by), cost), potential) in columns.zip(all.row(row)).zip(&all.column_potentials)
        {
            let there = cost.minus(*potential).plus(so_far);
            *by = if there < *far { name } else { *by };
            *far = there.min(*far);
        }
    }
}
