//! Boards for drawing and play: nothing is refused, what is invalid is left out.

/// Most rows and columns that are read: more are left out.
const SIDE_MAX: usize = 256;
const HEADINGS: [Heading; 4] = [Heading::Left, Heading::Up, Heading::Right, Heading::Down];

/// Where a step leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Heading {
    /// To the column before.
    Left,
    /// To the row above.
    Up,
    /// To the next column.
    Right,
    /// To the row below.
    Down,
}

impl Heading {
    /// The heading of a letter of the LURD notation, small or capital.
    #[must_use]
    pub fn of_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_lowercase() {
            'l' => Some(Self::Left),
            'u' => Some(Self::Up),
            'r' => Some(Self::Right),
            'd' => Some(Self::Down),
            _ => None,
        }
    }

    /// Its letter in the LURD notation.
    #[must_use]
    pub fn letter(self, pushes: bool) -> char {
        let letter = match self {
            Self::Left => 'l',
            Self::Up => 'u',
            Self::Right => 'r',
            Self::Down => 'd',
        };
        if pushes {
            letter.to_ascii_uppercase()
        } else {
            letter
        }
    }

    /// Back to where one came from.
    #[must_use]
    pub fn back(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Up => Self::Down,
            Self::Right => Self::Left,
            Self::Down => Self::Up,
        }
    }
}

/// What a step did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moved {
    /// The player walked.
    Walked,
    /// The player pushed a box.
    Pushed,
}

/// A board with its pieces. Cells are numbered row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    width: usize,
    walls: Vec<bool>,
    goals: Vec<bool>,
    /// In the order of their first cells.
    boxes: Vec<usize>,
    player: Option<usize>,
    /// Floor that the player can reach, boxes aside; all floor where there is no player.
    inside: Vec<bool>,
    /// Walls that are drawn.
    edges: Vec<bool>,
}

impl Board {
    /// Rows in the XSB notation, shorter ones filled with floor. Unknown characters are floor, only
    /// the first player counts, and rows and columns after 256 are left out.
    #[must_use]
    pub fn of_rows<S: AsRef<str>>(rows: &[S]) -> Self {
        let rows: Vec<Vec<char>> = rows
            .iter()
            .take(SIDE_MAX)
            .map(|row| row.as_ref().chars().take(SIDE_MAX).collect())
            .collect();
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut board = Self {
            width,
            walls: Vec::new(),
            goals: Vec::new(),
            boxes: Vec::new(),
            player: None,
            inside: Vec::new(),
            edges: Vec::new(),
        };
        for row in &rows {
            let filled = row.iter().copied().chain(std::iter::repeat(' '));
            for character in filled.take(width) {
                let cell = board.walls.len();
                board.walls.push(character == '#');
                board.goals.push(matches!(character, '.' | '*' | '+'));
                if matches!(character, '$' | '*') {
                    board.boxes.push(cell);
                }
                if matches!(character, '@' | '+') {
                    board.player.get_or_insert(cell);
                }
            }
        }
        board.inside = board.reached();
        board.edges = board.seen_walls();
        board
    }

    /// Walls next to floor, corners included, and what they enclose: all cells that the border
    /// reaches only across them.
    fn seen_walls(&self) -> Vec<bool> {
        let count = self.walls.len();
        let hidden: Vec<bool> = (0..count)
            .map(|cell| !self.inside[cell] && !self.is_near(cell))
            .collect();
        let is_border = |cell: usize| {
            let (row, column) = self.place(cell);
            row == 0 || column == 0 || row + 1 == self.height() || column + 1 == self.width
        };
        let mut outside = vec![false; count];
        let mut open: Vec<usize> = (0..count)
            .filter(|&cell| hidden[cell] && is_border(cell))
            .collect();
        while let Some(cell) = open.pop() {
            if std::mem::replace(&mut outside[cell], true) {
                continue;
            }
            let neighbours = HEADINGS.map(|heading| self.neighbour(cell, heading));
            let unseen = |next: &usize| hidden[*next] && !outside[*next];
            open.extend(neighbours.into_iter().flatten().filter(unseen));
        }
        let is_seen = |cell: usize| self.walls[cell] && !outside[cell];
        (0..count).map(is_seen).collect()
    }

    /// Whether a cell is next to floor that the player can reach, corners included.
    fn is_near(&self, cell: usize) -> bool {
        let (row, column) = self.place(cell);
        let rows = row.saturating_sub(1)..(row + 2).min(self.height());
        let columns = column.saturating_sub(1)..(column + 2).min(self.width);
        let mut around =
            rows.flat_map(|row| columns.clone().map(move |column| row * self.width + column));
        around.any(|near| self.inside[near])
    }

    fn reached(&self) -> Vec<bool> {
        let Some(player) = self.player else {
            return self.walls.iter().map(|wall| !wall).collect();
        };
        let mut reached = vec![false; self.walls.len()];
        let mut open = vec![player];
        reached[player] = true;
        while let Some(cell) = open.pop() {
            for heading in HEADINGS {
                if let Some(next) = self.neighbour(cell, heading)
                    && !self.walls[next]
                    && !reached[next]
                {
                    reached[next] = true;
                    open.push(next);
                }
            }
        }
        reached
    }

    /// Columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.walls.len().checked_div(self.width).unwrap_or(0)
    }

    /// Row and column of a cell.
    #[must_use]
    pub fn place(&self, cell: usize) -> (usize, usize) {
        (cell / self.width, cell % self.width)
    }

    /// The cell next to another; none beyond the border.
    #[must_use]
    pub fn neighbour(&self, cell: usize, heading: Heading) -> Option<usize> {
        let (row, column) = self.place(cell);
        match heading {
            Heading::Left => (column > 0).then(|| cell - 1),
            Heading::Up => (row > 0).then(|| cell - self.width),
            Heading::Right => (column + 1 < self.width).then_some(cell + 1),
            Heading::Down => (row + 1 < self.height()).then_some(cell + self.width),
        }
    }

    /// Whether a cell is a wall.
    #[must_use]
    pub fn is_wall(&self, cell: usize) -> bool {
        self.walls[cell]
    }

    /// Whether a cell is a goal.
    #[must_use]
    pub fn is_goal(&self, cell: usize) -> bool {
        self.goals[cell]
    }

    /// Whether a cell is floor that the player can reach.
    #[must_use]
    pub fn is_inside(&self, cell: usize) -> bool {
        self.inside[cell]
    }

    /// Whether a cell is a drawn wall: next to floor, corners included, or enclosed by such walls.
    #[must_use]
    pub fn is_edge(&self, cell: usize) -> bool {
        self.edges[cell]
    }

    /// The cells with boxes, in an order that no step changes.
    #[must_use]
    pub fn boxes(&self) -> &[usize] {
        &self.boxes
    }

    /// The cell of the player, if there is one.
    #[must_use]
    pub fn player(&self) -> Option<usize> {
        self.player
    }

    /// Whether there are boxes and all of them are on goals. Boxes that the player cannot reach are
    /// decoration.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        let mut boxes = self.boxes.iter().filter(|cell| self.inside[**cell]);
        let first = boxes.next();
        first.is_some_and(|&cell| self.goals[cell]) && boxes.all(|&cell| self.goals[cell])
    }

    /// Makes a step, if it can be made.
    pub fn step(&mut self, heading: Heading) -> Option<Moved> {
        let next = self.neighbour(self.player?, heading)?;
        if self.walls[next] {
            return None;
        }
        let pushed = self.boxes.iter().position(|&cell| cell == next);
        if let Some(pushed) = pushed {
            let behind = self.neighbour(next, heading)?;
            if self.walls[behind] || self.boxes.contains(&behind) {
                return None;
            }
            self.boxes[pushed] = behind;
        }
        self.player = Some(next);
        Some(match pushed {
            Some(_) => Moved::Pushed,
            None => Moved::Walked,
        })
    }

    /// Takes back a step that was made last.
    pub fn take_back(&mut self, heading: Heading, moved: Moved) {
        let Some(player) = self.player else { return };
        if moved == Moved::Pushed
            && let Some(pushed) = self.neighbour(player, heading)
            && let Some(index) = self.boxes.iter().position(|&cell| cell == pushed)
        {
            self.boxes[index] = player;
        }
        self.player = self.neighbour(player, heading.back());
    }

    /// Character of a cell in the XSB notation.
    #[must_use]
    pub fn xsb(&self, cell: usize) -> char {
        let is_box = self.boxes.contains(&cell);
        let is_player = self.player == Some(cell);
        match (self.goals[cell], is_box, is_player) {
            _ if self.walls[cell] => '#',
            (false, true, _) => '$',
            (true, true, _) => '*',
            (false, _, true) => '@',
            (true, _, true) => '+',
            (true, ..) => '.',
            (false, ..) => ' ',
        }
    }

    /// Rows in the XSB notation, as things stand now.
    #[must_use]
    pub fn rows(&self) -> Vec<String> {
        let row = |row: usize| {
            let cells = row * self.width..(row + 1) * self.width;
            cells.map(|cell| self.xsb(cell)).collect()
        };
        (0..self.height()).map(row).collect()
    }

    /// First row, first column, rows and columns of what is drawn: inner floor and adjacent walls.
    pub(super) fn crop(&self) -> [usize; 4] {
        let drawn = (0..self.walls.len()).filter(|&cell| self.is_drawn(cell));
        let places: Vec<(usize, usize)> = drawn.map(|cell| self.place(cell)).collect();
        let rows = places.iter().map(|place| place.0);
        let columns = places.iter().map(|place| place.1);
        let (top, left) = (rows.clone().min(), columns.clone().min());
        match (top, left, rows.max(), columns.max()) {
            (Some(top), Some(left), Some(bottom), Some(right)) => {
                [top, left, bottom + 1 - top, right + 1 - left]
            }
            _ => [0; 4],
        }
    }

    /// Row and column of the board at the top left of what is drawn.
    #[must_use]
    pub fn origin(&self) -> (usize, usize) {
        let [top, left, ..] = self.crop();
        (top, left)
    }

    /// Whether anything is drawn of a cell.
    pub(super) fn is_drawn(&self, cell: usize) -> bool {
        self.inside[cell] || self.is_edge(cell) || self.goals[cell] || self.boxes.contains(&cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: [&str; 3] = ["######", "#@$ .#", "######"];

    #[test]
    fn boxes_are_pushed_and_pushes_taken_back() {
        let mut board = Board::of_rows(&ROWS);
        let first = board.clone();
        assert_eq!(board.step(Heading::Up), None);
        assert_eq!(board.step(Heading::Right), Some(Moved::Pushed));
        assert_eq!(board.step(Heading::Right), Some(Moved::Pushed));
        assert!(board.is_solved());
        assert_eq!(board.rows()[1], "#  @*#");
        assert_eq!(board.step(Heading::Right), None);
        board.take_back(Heading::Right, Moved::Pushed);
        board.take_back(Heading::Right, Moved::Pushed);
        assert_eq!(board, first);
    }

    #[test]
    fn two_boxes_in_a_row_do_not_move() {
        let mut board = Board::of_rows(&["@$$ "]);
        assert_eq!(board.step(Heading::Right), None);
        let mut board = Board::of_rows(&["@$"]);
        assert_eq!(board.step(Heading::Right), None);
    }

    #[test]
    fn what_is_outside_is_not_drawn() {
        let board = Board::of_rows(&["#########", "#########", "##@$.####", "#########"]);
        assert_eq!(board.crop(), [1, 1, 3, 5]);
    }

    #[test]
    fn blocks_of_walls_within_are_drawn_whole() {
        let ring = [
            "#######", "#@    #", "# ### #", "# ### #", "# ### #", "#     #", "#######",
        ];
        let board = Board::of_rows(&ring);
        assert!((0..49).all(|cell| board.is_inside(cell) || board.is_edge(cell)));
    }

    #[test]
    fn nothing_at_all_is_a_board() {
        let board = Board::of_rows(&[""; 0]);
        assert_eq!(
            (board.width(), board.height(), board.crop()),
            (0, 0, [0; 4])
        );
        assert!(!board.is_solved());
    }
}
