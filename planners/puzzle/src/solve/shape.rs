//! Counts what a board is like, row by row with one bit for each cell.

use crate::board::SIDE_MAX;
use crate::plan::Features;

/// Walls, boxes and goals as bits, and the rectangle around what the player can reach.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    walls: [u64; SIDE_MAX],
    boxes: [u64; SIDE_MAX],
    goals: [u64; SIDE_MAX],
    top: usize,
    bottom: usize,
    /// Columns of the rectangle.
    columns: u64,
}

/// Row and column.
pub(super) type Place = (usize, usize);

impl Shape {
    /// The shape of a board of `width` columns; `floor`, `boxes` and `goals` are its cells.
    pub(super) fn new(width: usize, floor: &[usize], boxes: &[usize], goals: &[usize]) -> Self {
        let mut shape = Self {
            walls: [u64::MAX; SIDE_MAX],
            boxes: [0; SIDE_MAX],
            goals: [0; SIDE_MAX],
            top: SIDE_MAX,
            bottom: 0,
            columns: 0,
        };
        for cell in floor {
            let (row, column) = (cell / width, cell % width);
            shape.walls[row] &= !(1 << column);
            shape.top = shape.top.min(row);
            shape.bottom = shape.bottom.max(row);
            shape.columns |= 1 << column;
        }
        // The rectangle has all columns between the first and the last.
        let first = shape.columns.trailing_zeros();
        let last = 63 - shape.columns.leading_zeros().min(63);
        shape.columns = span(first as usize, last as usize);
        for cell in boxes {
            shape.boxes[cell / width] |= 1 << (cell % width);
        }
        for cell in goals {
            shape.goals[cell / width] |= 1 << (cell % width);
        }
        shape
    }

    /// Fills in what the layout alone decides, and congestion for boxes that go from and to these
    /// places.
    pub(super) fn measure(&self, ends: &[(Place, Place)], features: &mut Features) {
        let loose = self.area() - self.in_blocks();
        features.boxes = ends.len() as u32;
        features.blocks_count = loose;
        features.blocks_micro = (u64::from(loose) * 1_000_000 / u64::from(self.area())) as u32;
        features.mixing = self.mixing();
        features.goal_distance_micro = goal_distance_micro(ends);
        features.congestion_sum = 0;
        features.congestion_micro = 0;
        for &(start, end) in ends {
            let (sum, micro) = self.congestion(start, end);
            features.congestion_sum += sum;
            features.congestion_micro += micro;
        }
    }

    fn area(&self) -> u32 {
        self.columns.count_ones() * (self.bottom - self.top + 1) as u32
    }

    /// Tiles in a 3x3 block of one kind.
    fn in_blocks(&self) -> u32 {
        let mut covered = [0_u64; SIDE_MAX + 2];
        let rows = &self.walls[self.top..=self.bottom];
        for is_floor in [false, true] {
            // Three in a row, marked at the first.
            let runs = |row: &u64| {
                let row = if is_floor { !row } else { *row } & self.columns;
                row & (row >> 1) & (row >> 2)
            };
            for (at, three) in rows.windows(3).enumerate() {
                let corners = runs(&three[0]) & runs(&three[1]) & runs(&three[2]);
                let spread = corners | (corners << 1) | (corners << 2);
                for row in &mut covered[at..at + 3] {
                    *row |= spread;
                }
            }
        }
        covered.iter().map(|row| row.count_ones()).sum()
    }

    fn mixing(&self) -> u32 {
        let row = |at: usize| {
            let is_inside = (self.top..=self.bottom).contains(&at);
            let inside = if is_inside { self.columns } else { 0 };
            (self.walls.get(at).copied().unwrap_or(0) & inside, inside)
        };
        let mut mixed = 0;
        for at in self.top..=self.bottom {
            let (walls, inside) = row(at);
            let floor = inside & !walls;
            let (walls_above, inside_above) = row(at.wrapping_sub(1));
            let (walls_below, inside_below) = row(at + 1);
            let next_to_wall = (walls << 1) | (walls >> 1) | walls_above | walls_below;
            let (floor_above, floor_below) =
                (inside_above & !walls_above, inside_below & !walls_below);
            let next_to_floor = (floor << 1) | (floor >> 1) | floor_above | floor_below;
            mixed += (floor & next_to_wall).count_ones() + (walls & next_to_floor).count_ones();
        }
        mixed
    }

    /// The terms of equations 6.1, and 6.2 in millionths.
    fn congestion(&self, start: Place, end: Place) -> (u32, u64) {
        let columns = span(start.1.min(end.1), start.1.max(end.1));
        let rows = start.0.min(end.0)..=start.0.max(end.0);
        let (mut walls, mut pieces, mut area) = (0, 0, 0);
        for row in rows {
            walls += (self.walls[row] & columns).count_ones();
            pieces += (self.boxes[row] & columns).count_ones();
            pieces += (self.goals[row] & columns).count_ones();
            area += columns.count_ones();
        }
        let term = u64::from(pieces) * 1_000_000 / u64::from(area - walls);
        (pieces + walls, term)
    }
}

/// Bits from one column to another, both included.
fn span(first: usize, last: usize) -> u64 {
    (u64::MAX >> (63 - last)) & (u64::MAX << first)
}

fn goal_distance_micro(ends: &[(Place, Place)]) -> u64 {
    let mut sum = 0;
    for (from, _) in ends {
        for (_, to) in ends {
            sum += from.0.abs_diff(to.0) + from.1.abs_diff(to.1);
        }
    }
    sum as u64 * 1_000_000 / (ends.len() * ends.len()).max(1) as u64
}
