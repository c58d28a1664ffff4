//! Boards: walls, goals, boxes and the player, as they stand before the first move.

mod tile;

use anytime::{Fault, Path, fault};
use std::fmt;
use tile::Piece;

pub use tile::{Direction, Step, Tile};

/// Widest and highest board, walls included.
pub const SIDE_MAX: usize = 64;
/// Most boxes on a board.
pub const BOXES_MAX: usize = 128;

/// A valid board: one player, as many boxes as goals and at least one, all cells within the
/// player's reach, boxes aside, closed in by walls. Cells are numbered row by row; cells that the
/// player cannot reach are walls. Boxes and goals there are decoration, as long as the others are
/// as many as their goals.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    width: usize,
    tiles: Vec<Tile>,
    player: usize,
    boxes: Vec<usize>,
    goals: Vec<usize>,
}

impl Board {
    /// A board of rows of `width` tiles.
    ///
    /// # Errors
    /// Every broken rule, with its row if it has one: size, open borders, no player or several, no
    /// boxes or too many, boxes and goals in different numbers, or out of the player's reach.
    pub fn new(width: usize, tiles: Vec<Tile>) -> Result<Self, Vec<Fault>> {
        if width == 0 || tiles.is_empty() || !tiles.len().is_multiple_of(width) {
            let given = tiles.len();
            let fault = fault!(
                "CONTRADICTION",
                Path::WHOLE,
                "must be rows of {} tiles, got {} tiles",
                width,
                given
            );
            return Err(vec![fault]);
        }
        let height = tiles.len() / width;
        if width > SIDE_MAX || height > SIDE_MAX {
            return Err(vec![too_large(width, height)]);
        }
        let mut board = Self {
            width,
            player: 0,
            boxes: cells(&tiles, Tile::is_box),
            goals: cells(&tiles, Tile::is_goal),
            tiles,
        };
        let faults = board.settle();
        if faults.is_empty() {
            Ok(board)
        } else {
            Err(faults)
        }
    }

    /// A board of characters in the XSB notation, rows of any lengths, the shorter ones filled with
    /// floor.
    ///
    /// # Errors
    /// As [`Board::new`], and for each character that is none of the notation.
    pub fn of_rows<S: AsRef<str>>(rows: &[S]) -> Result<Self, Vec<Fault>> {
        let width = rows.iter().map(|row| row.as_ref().chars().count()).max();
        let width = width.unwrap_or(0);
        if width > SIDE_MAX || rows.len() > SIDE_MAX {
            return Err(vec![too_large(width, rows.len())]);
        }
        let mut tiles = Vec::with_capacity(width * rows.len());
        let mut faults = Vec::new();
        for (row, text) in rows.iter().enumerate() {
            for (column, character) in text.as_ref().chars().enumerate() {
                tiles.push(Tile::of_xsb(character).unwrap_or_else(|| {
                    faults.push(fault!(
                        "CHARACTER_UNKNOWN",
                        Path::WHOLE.index(row),
                        "has '{}' at column {}, which is none of # (wall), blank, - and _ \
                         (floor), . (goal), $ (box), * (box on goal), @ (player), + (player on \
                         goal)",
                        character.escape_default().to_string(),
                        column
                    ));
                    Tile::Floor
                }));
            }
            tiles.resize((row + 1) * width, Tile::Floor);
        }
        if faults.is_empty() {
            Self::new(width, tiles)
        } else {
            Err(faults)
        }
    }

    /// Finds the player and walls off what they cannot reach; returns the broken rules.
    fn settle(&mut self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let players = cells(&self.tiles, Tile::is_player);
        self.check_players(&players, &mut faults);
        if self.boxes.is_empty() {
            faults.push(fault!(
                "NO_BOXES",
                Path::WHOLE,
                "must have at least one box: $ or *"
            ));
        }
        let (boxes, goals) = (self.boxes.len(), self.goals.len());
        let unequal = (boxes != goals).then(|| {
            fault!(
                "UNEQUAL_GOALS",
                Path::WHOLE,
                "has {} boxes, but {} goals",
                boxes,
                goals
            )
        });
        if let [player] = players[..] {
            self.player = player;
            let lost = self.wall_off(&mut faults);
            self.boxes = cells(&self.tiles, Tile::is_box);
            self.goals = cells(&self.tiles, Tile::is_goal);
            if self.boxes.len() != self.goals.len() || self.boxes.is_empty() {
                faults.extend(unequal);
                faults.extend(lost.into_iter().map(|cell| {
                    let (row, column) = self.place(cell);
                    fault!(
                        "WALLED_OFF",
                        Path::WHOLE.index(row),
                        "has a box or goal at column {} that is walled off from the player",
                        column
                    )
                }));
            }
        } else {
            faults.extend(unequal);
        }
        let given = self.boxes.len();
        if given > BOXES_MAX {
            faults.push(fault!(
                "TOO_MANY",
                Path::WHOLE,
                "has {} boxes, at most {} are supported",
                given,
                BOXES_MAX
            ));
        }
        faults
    }

    fn check_players(&self, players: &[usize], faults: &mut Vec<Fault>) {
        if players.is_empty() {
            faults.push(fault!(
                "NO_PLAYER",
                Path::WHOLE,
                "must have a player: one @ or +"
            ));
        }
        for &cell in players.iter().skip(1) {
            let (row, column) = self.place(cell);
            faults.push(fault!(
                "SECOND_PLAYER",
                Path::WHOLE.index(row),
                "has a second player at column {}",
                column
            ));
        }
    }

    /// Makes walls of what the player cannot reach; returns the boxes and goals there.
    fn wall_off(&mut self, faults: &mut Vec<Fault>) -> Vec<usize> {
        let mut reached = vec![false; self.tiles.len()];
        let mut open = vec![self.player];
        reached[self.player] = true;
        while let Some(cell) = open.pop() {
            for direction in Direction::ALL {
                match self.neighbour(cell, direction) {
                    None => {
                        let (row, column) = self.place(cell);
                        faults.push(fault!(
                            "BORDER_OPEN",
                            Path::WHOLE.index(row),
                            "is open at column {}: from there the player can walk off the board",
                            column
                        ));
                        break;
                    }
                    Some(next) if !reached[next] && self.tiles[next] != Tile::Wall => {
                        reached[next] = true;
                        open.push(next);
                    }
                    Some(_) => {}
                }
            }
        }
        let mut lost = Vec::new();
        for (cell, _) in reached.iter().enumerate().filter(|(_, reached)| !**reached) {
            if self.tiles[cell].is_box() || self.tiles[cell].is_goal() {
                lost.push(cell);
            }
            self.tiles[cell] = Tile::Wall;
        }
        lost
    }

    /// Columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.tiles.len() / self.width
    }

    /// All tiles, row by row.
    #[must_use]
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// Whether a cell is a wall.
    #[must_use]
    pub fn is_wall(&self, cell: usize) -> bool {
        self.tiles[cell] == Tile::Wall
    }

    /// Cells with boxes, rising.
    #[must_use]
    pub fn boxes(&self) -> &[usize] {
        &self.boxes
    }

    /// Cells with goals, rising.
    #[must_use]
    pub fn goals(&self) -> &[usize] {
        &self.goals
    }

    /// Cell of the player.
    #[must_use]
    pub fn player(&self) -> usize {
        self.player
    }

    /// The cell next to another; none beyond the border.
    #[must_use]
    pub fn neighbour(&self, cell: usize, direction: Direction) -> Option<usize> {
        let (row, column) = self.place(cell);
        match direction {
            Direction::Up => (row > 0).then(|| cell - self.width),
            Direction::Right => (column + 1 < self.width).then_some(cell + 1),
            Direction::Down => (row + 1 < self.height()).then_some(cell + self.width),
            Direction::Left => (column > 0).then(|| cell - 1),
        }
    }

    /// Row and column of a cell.
    #[must_use]
    pub fn place(&self, cell: usize) -> (usize, usize) {
        (cell / self.width, cell % self.width)
    }

    /// Rows in the XSB notation.
    #[must_use]
    pub fn rows(&self) -> Vec<String> {
        let rows = self.tiles.chunks(self.width);
        rows.map(|row| row.iter().map(|tile| tile.xsb()).collect())
            .collect()
    }

    /// Rows in the XSB notation, with blanks for walls that touch no floor, not even at a corner.
    #[must_use]
    pub fn outline(&self) -> Vec<String> {
        let touches = |cell: usize| {
            let (row, column) = self.place(cell);
            let near = |at: usize, end: usize| at.saturating_sub(1)..(at + 2).min(end);
            near(row, self.height()).any(|row| {
                let mut columns = near(column, self.width());
                columns.any(|column| !self.is_wall(row * self.width + column))
            })
        };
        let character = |cell: usize| match self.tiles[cell] {
            Tile::Wall if !touches(cell) => ' ',
            tile => tile.xsb(),
        };
        let cells = (0..self.height()).map(|row| row * self.width..(row + 1) * self.width);
        cells.map(|cells| cells.map(character).collect()).collect()
    }

    /// The same walls and goals with other boxes and another player.
    ///
    /// # Errors
    /// As [`Board::new`].
    pub(crate) fn with_pieces(&self, boxes: &[usize], player: usize) -> Result<Self, Vec<Fault>> {
        let mut tiles: Vec<Tile> = self
            .tiles
            .iter()
            .map(|tile| match tile {
                Tile::Wall => Tile::Wall,
                tile => Tile::with_piece(tile.is_goal(), None),
            })
            .collect();
        let on_it = boxes.iter().map(|&cell| (cell, Piece::Box));
        for (cell, piece) in on_it.chain([(player, Piece::Player)]) {
            tiles[cell] = Tile::with_piece(tiles[cell].is_goal(), Some(piece));
        }
        Self::new(self.width, tiles)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows().iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}

fn too_large(width: usize, height: usize) -> Fault {
    fault!(
        "TOO_MANY",
        Path::WHOLE,
        "is a board of {} x {} cells, at most {} x {} are supported",
        width,
        height,
        SIDE_MAX,
        SIDE_MAX
    )
}

fn cells(tiles: &[Tile], is_one: impl Fn(Tile) -> bool) -> Vec<usize> {
    let all = tiles.iter().enumerate();
    all.filter(|(_, tile)| is_one(**tile))
        .map(|(cell, _)| cell)
        .collect()
}
