//! The linear assignment problem: cheapest matchings of players and tools, of one size, one after
//! the other.
//!
//! Players that take nothing share a column of their own, tools that nobody takes a row: so every
//! row and every column is matched, and one matching is a warm start for the next. When prices
//! change, rows keep their column where it still costs least by the potentials of the columns; each
//! of the others gets a shortest augmenting path (Edmonds and Karp 1972). Prices and potentials are
//! rows of numbers of one width, padded, so that compilers vectorise the loops.

use super::amount::Amount;
use super::routes::Routes;
use crate::problem::{PLAYERS_MAX, TOOLS_MAX};

/// Nobody, nothing.
const NONE: u8 = u8::MAX;
/// Rows are multiples of this.
const LANES: usize = 8;
/// Columns: tools, nothing, and what fills a row up.
const COLUMNS: usize = TOOLS_MAX + LANES;
/// Rows: players, and nobody.
const ROWS: usize = PLAYERS_MAX + 1;

/// Cheapest matchings, by numbers that are wide enough.
pub(super) enum Assignments {
    Narrow(Box<Assignment<i32>>),
    Wide(Box<Assignment<i64>>),
}

impl Assignments {
    /// Of this number of players and tools whose times are those of routes.
    pub(super) fn new(players: usize, tools: usize, routes: &Routes<'_>) -> Self {
        let times = || (0..players * tools).flat_map(|pair| routes.of_pair(pair));
        let bits = times().fold(0, |bits, route| bits | route.time);
        // Last bits that no time has.
        let shift = bits.trailing_zeros().min(u64::BITS - 1);
        let most = times().map(|route| route.time).max().unwrap_or(0) >> shift;
        // Potentials are at most two longest paths apart, and sums are of five of them.
        if i32::fits(most, 5 * (players.max(tools) + 2)) {
            Self::Narrow(Box::new(Assignment::new(players, tools, shift, most)))
        } else {
            Self::Wide(Box::new(Assignment::new(players, tools, shift, most)))
        }
    }

    /// Goes on with this number of pairs.
    pub(super) fn begin(&mut self, size: usize) {
        match self {
            Self::Narrow(all) => all.begin(size),
            Self::Wide(all) => all.begin(size),
        }
    }

    /// The pairs of a cheapest matching; `None` where no matching of this size exists. Prices are
    /// of the first player with each tool, then of the next; only those up to `most` count.
    pub(super) fn next(&mut self, prices: &[u64], most: u64) -> Option<Vec<(usize, usize)>> {
        match self {
            Self::Narrow(all) => all.next(prices, most),
            Self::Wide(all) => all.next(prices, most),
        }
    }
}

/// A matching of all rows.
pub(super) struct Assignment<A> {
    players: usize,
    tools: usize,
    /// Bits that prices lose, and the most that one has then.
    shift: u32,
    most: u64,
    /// Columns in a row of prices.
    padded: usize,
    /// Prices of the first player with each tool and with nothing, then of the next; the row of no
    /// player is last. [`Amount::NEVER`] where it does not count.
    prices: Vec<A>,
    /// Players who take nothing, and tools that nobody takes.
    idle: usize,
    left: usize,
    /// For each player the column; for each tool the row.
    column_of: [u8; PLAYERS_MAX],
    row_of: [u8; TOOLS_MAX],
    /// Players who have nothing, and tools that nobody has, so far.
    idle_now: usize,
    left_now: usize,
    /// Potentials.
    from_row: [A; ROWS],
    from_column: [A; COLUMNS],
}

impl<A: Amount> Assignment<A> {
    fn new(players: usize, tools: usize, shift: u32, most: u64) -> Self {
        let padded = (tools + 1).next_multiple_of(LANES);
        let mut prices = vec![A::NEVER; (players + 1) * padded];
        prices[players * padded..][..tools].fill(A::from_number(0));
        Self {
            players,
            tools,
            shift,
            most,
            padded,
            prices,
            idle: 0,
            left: 0,
            column_of: [NONE; PLAYERS_MAX],
            row_of: [NONE; TOOLS_MAX],
            idle_now: 0,
            left_now: 0,
            from_row: [A::from_number(0); ROWS],
            from_column: [A::from_number(0); COLUMNS],
        }
    }

    fn begin(&mut self, size: usize) {
        let size = size.min(self.players).min(self.tools);
        (self.idle, self.left) = (self.players - size, self.tools - size);
        self.forget();
    }

    /// Nobody has anything.
    fn forget(&mut self) {
        self.column_of = [NONE; PLAYERS_MAX];
        self.row_of = [NONE; TOOLS_MAX];
        (self.idle_now, self.left_now) = (0, 0);
        self.from_column = [A::from_number(0); COLUMNS];
    }

    fn next(&mut self, prices: &[u64], most: u64) -> Option<Vec<(usize, usize)>> {
        self.set(prices, most);
        self.level();
        for row in 0..self.players {
            self.keep(row);
        }
        self.keep_left();
        for row in 0..self.players {
            if self.column_of[row] == NONE {
                self.augment(row)?;
            }
        }
        while self.left_now < self.left {
            self.augment(self.players)?;
        }
        let columns = self.column_of[..self.players].iter().enumerate();
        let pairs = columns.map(|(player, tool)| (player, usize::from(*tool)));
        let mut found = Vec::with_capacity(self.players - self.idle);
        found.extend(pairs.filter(|(_, tool)| *tool < self.tools));
        Some(found)
    }

    fn set(&mut self, prices: &[u64], most: u64) {
        let nothing = match self.idle {
            0 => A::NEVER,
            _ => A::from_number(0),
        };
        let rows = self.prices.chunks_exact_mut(self.padded);
        for (row, prices) in rows.zip(prices.chunks_exact(self.tools)) {
            for (own, price) in row.iter_mut().zip(prices) {
                *own = if *price <= most {
                    A::from_number(price >> self.shift)
                } else {
                    A::NEVER
                };
            }
            row[self.tools] = nothing;
        }
    }

    /// Brings the potentials of columns back to where they began, for they only fall.
    fn level(&mut self) {
        let columns = &mut self.from_column[..=self.tools];
        let top = columns.iter().fold(columns[0], |top, it| top.max(*it));
        let low = columns.iter().fold(top, |low, it| low.min(*it));
        for column in columns {
            *column = column.minus(top);
        }
        // Farther apart than the paths of any matching: what is left of prices that are long gone.
        if top.minus(low) > A::from_number(self.most * (self.players.max(self.tools) as u64 + 2)) {
            self.forget();
        }
    }

    fn row(&self, row: usize) -> &[A] {
        &self.prices[row * self.padded..][..self.padded]
    }

    /// Finds a player's potential; the player keeps its tool only where nothing costs less.
    fn keep(&mut self, player: usize) {
        let row = self.row(player).iter().zip(&self.from_column);
        let least = row.fold(A::NEVER, |least, (price, from)| {
            least.min(price.minus(*from))
        });
        self.from_row[player] = least;
        let column = self.column_of[player];
        if column == NONE {
            return;
        }
        let column = usize::from(column);
        let own = self.row(player)[column].minus(self.from_column[column]);
        if own != least || own == A::NEVER {
            self.column_of[player] = NONE;
            match self.row_of.get_mut(column) {
                Some(row) if column < self.tools => *row = NONE,
                _ => self.idle_now -= 1,
            }
        }
    }

    /// The same of nobody, with the tools that are left.
    fn keep_left(&mut self) {
        let tools = self.from_column[..self.tools].iter();
        let least = tools.fold(A::NEVER, |least, from| {
            least.min(A::from_number(0).minus(*from))
        });
        self.from_row[self.players] = least;
        for tool in 0..self.tools {
            let is_left = usize::from(self.row_of[tool]) == self.players;
            if is_left && A::from_number(0).minus(self.from_column[tool]) != least {
                self.row_of[tool] = NONE;
                self.left_now -= 1;
            }
        }
    }

    /// Matches a row again, by a cheapest path: Dijkstra's algorithm on prices that the potentials
    /// keep from being negative, up to the first column with room.
    fn augment(&mut self, start: usize) -> Option<()> {
        let mut reach = Reach::new();
        let mut far = A::from_number(0);
        let mut end = self.tools;
        reach.relax(self, start, far, end);
        loop {
            (far, end) = reach.nearest(self)?;
            if self.has_room(end) {
                break;
            }
            reach.done[end] = A::NEVER;
            if end == self.tools {
                for player in 0..self.players {
                    if usize::from(self.column_of[player]) == end {
                        reach.relax(self, player, far, end);
                    }
                }
            } else {
                reach.relax(self, usize::from(self.row_of[end]), far, end);
            }
        }
        for column in 0..=self.tools {
            if reach.done[column] == A::NEVER {
                let less = far.minus(reach.far[column]);
                self.from_column[column] = self.from_column[column].minus(less);
            }
        }
        for (row, at) in reach.rows() {
            self.from_row[row] = self.from_row[row].plus(far.minus(at));
        }
        self.turn(start, end, &reach);
        Some(())
    }

    fn has_room(&self, column: usize) -> bool {
        if column == self.tools {
            self.idle_now < self.idle
        } else {
            self.row_of[column] == NONE
        }
    }

    /// Matches along the path that came to a column with room.
    fn turn(&mut self, start: usize, end: usize, reach: &Reach<A>) {
        let mut column = end;
        self.idle_now += usize::from(end == self.tools);
        loop {
            let row = reach.by[column].index();
            if column < self.tools {
                self.row_of[column] = row as u8;
            }
            let through = usize::from(reach.through[row]);
            if row < self.players {
                self.column_of[row] = column as u8;
            }
            if row == start {
                break;
            }
            column = through;
        }
        self.left_now += usize::from(start == self.players);
    }
}

/// How far columns are from a row, and by which row.
struct Reach<A> {
    far: [A; COLUMNS],
    by: [A; COLUMNS],
    /// [`Amount::NEVER`] for each column that is done.
    done: [A; COLUMNS],
    /// Rows that the search went on from, how far they are, and through which column it came.
    rows: [u8; ROWS],
    at: [A; ROWS],
    through: [u8; ROWS],
    count: usize,
}

impl<A: Amount> Reach<A> {
    fn new() -> Self {
        Self {
            far: [A::NEVER; COLUMNS],
            by: [A::from_number(0); COLUMNS],
            done: [A::from_number(0); COLUMNS],
            rows: [0; ROWS],
            at: [A::from_number(0); ROWS],
            through: [NONE; ROWS],
            count: 0,
        }
    }

    fn rows(&self) -> impl Iterator<Item = (usize, A)> + '_ {
        let rows = self.rows[..self.count].iter().zip(&self.at);
        rows.map(|(row, at)| (usize::from(*row), *at))
    }

    /// The nearest column that is not done: one with room if there is one, where the search ends.
    /// `None` where no path goes on.
    fn nearest(&self, all: &Assignment<A>) -> Option<(A, usize)> {
        let open = || {
            self.far
                .iter()
                .zip(&self.done)
                .map(|(far, done)| (*far).max(*done))
        };
        let least = open().take(all.padded).fold(A::NEVER, A::min);
        if least == A::NEVER {
            return None;
        }
        let mut full = None;
        for (column, far) in open().take(all.tools + 1).enumerate() {
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
    fn relax(&mut self, all: &Assignment<A>, row: usize, far: A, through: usize) {
        if self.rows().any(|(other, _)| other == row) {
            return;
        }
        self.rows[self.count] = row as u8;
        self.at[self.count] = far;
        self.count += 1;
        self.through[row] = through as u8;
        let so_far = far.minus(all.from_row[row]);
        let name = A::from_number(row as u64);
        let columns = self.far.iter_mut().zip(&mut self.by);
        for (((far, by), price), from) in columns.zip(all.row(row)).zip(&all.from_column) {
            let there = price.minus(*from).plus(so_far);
            *by = if there < *far { name } else { *by };
            *far = there.min(*far);
        }
    }
}

#[cfg(test)]
mod tests;
