//! Tiles, directions and steps, with their letters.

/// Content of a cell, as in the XSB notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tile {
    /// `#`
    Wall,
    /// ` `: floor, or outside of the walls.
    Floor,
    /// `.`
    Goal,
    /// `$`
    Box,
    /// `*`
    BoxOnGoal,
    /// `@`
    Player,
    /// `+`
    PlayerOnGoal,
}

impl Tile {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Wall,
        Self::Floor,
        Self::Goal,
        Self::Box,
        Self::BoxOnGoal,
        Self::Player,
        Self::PlayerOnGoal,
    ];

    /// Its character in the XSB notation.
    #[must_use]
    pub fn xsb(self) -> char {
        match self {
            Self::Wall => '#',
            Self::Floor => ' ',
            Self::Goal => '.',
            Self::Box => '$',
            Self::BoxOnGoal => '*',
            Self::Player => '@',
            Self::PlayerOnGoal => '+',
        }
    }

    /// The tile of a character of the XSB notation; `-` and `_` are floor too.
    #[must_use]
    pub fn of_xsb(character: char) -> Option<Self> {
        match character {
            '-' | '_' => Some(Self::Floor),
            _ => Self::ALL.into_iter().find(|tile| tile.xsb() == character),
        }
    }

    pub(super) fn with_piece(is_goal: bool, on_it: Option<Piece>) -> Self {
        match (is_goal, on_it) {
            (false, None) => Self::Floor,
            (true, None) => Self::Goal,
            (false, Some(Piece::Box)) => Self::Box,
            (true, Some(Piece::Box)) => Self::BoxOnGoal,
            (false, Some(Piece::Player)) => Self::Player,
            (true, Some(Piece::Player)) => Self::PlayerOnGoal,
        }
    }

    pub(super) fn is_goal(self) -> bool {
        matches!(self, Self::Goal | Self::BoxOnGoal | Self::PlayerOnGoal)
    }

    pub(super) fn is_box(self) -> bool {
        matches!(self, Self::Box | Self::BoxOnGoal)
    }

    pub(super) fn is_player(self) -> bool {
        matches!(self, Self::Player | Self::PlayerOnGoal)
    }
}

pub(super) enum Piece {
    Box,
    Player,
}

/// Direction of a step, in the order in which all searches try it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// To the row above.
    Up,
    /// To the next column.
    Right,
    /// To the row below.
    Down,
    /// To the column before.
    Left,
}

impl Direction {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Up, Self::Right, Self::Down, Self::Left];

    /// Back to where one came from.
    #[must_use]
    pub fn back(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Right => Self::Left,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
        }
    }
}

/// One step of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// Direction of the step.
    pub direction: Direction,
    /// Whether a box is pushed ahead.
    pub pushes: bool,
}

impl Step {
    /// Its letter in the LURD notation: small for a walk, capital for a push.
    #[must_use]
    pub fn lurd(self) -> char {
        let letter = match self.direction {
            Direction::Up => 'u',
            Direction::Right => 'r',
            Direction::Down => 'd',
            Direction::Left => 'l',
        };
        if self.pushes {
            letter.to_ascii_uppercase()
        } else {
            letter
        }
    }

    /// The step of a letter of the LURD notation.
    #[must_use]
    pub fn of_lurd(letter: char) -> Option<Self> {
        let direction = match letter.to_ascii_lowercase() {
            'u' => Direction::Up,
            'r' => Direction::Right,
            'd' => Direction::Down,
            'l' => Direction::Left,
            _ => return None,
        };
        Some(Self {
            direction,
            pushes: letter.is_ascii_uppercase(),
        })
    }
}
