//! Rules that a plan can break.

/// One broken rule. Levels, rows and columns count from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum Violation {
    /// More levels than wanted.
    #[error("{given} levels, {wanted} are wanted")]
    TooManyLevels { given: usize, wanted: usize },
    /// A level for a rung that is not wanted.
    #[error("level {level} is for rung {rung}, which is not wanted")]
    UnknownRung { level: usize, rung: usize },
    /// Levels out of order, or two for one rung.
    #[error("level {level} is for no later rung than the one before it")]
    RungOrder { level: usize },
    /// A level that is not harder than the one before it.
    #[error("level {level} is worth no more than the one before it")]
    NotRising { level: usize },
    /// A level too much like another, or like one to differ from.
    #[error("level {level} differs from another in {percent} % of the cells only")]
    TooSimilar { level: usize, percent: u32 },
    /// A board of other sides.
    #[error("level {level} is {width} x {height}")]
    Size {
        level: usize,
        width: usize,
        height: usize,
    },
    /// Too many or too few boxes.
    #[error("level {level} has {boxes} boxes")]
    Boxes { level: usize, boxes: usize },
    /// A cell that is not what the template asks for.
    #[error("level {level}: row {row}, column {column} is not what the template asks for")]
    Template {
        level: usize,
        row: usize,
        column: usize,
    },
    /// A cell whose mirror image is different.
    #[error("level {level}: row {row}, column {column} and its mirror image differ")]
    Symmetry {
        level: usize,
        row: usize,
        column: usize,
    },
    /// A solution that is longer than supported.
    #[error("the solution of level {level} has {steps} steps")]
    SolutionTooLong { level: usize, steps: usize },
    /// A step into a wall or against a box that cannot move, or a letter of the wrong case.
    #[error("step {step} of the solution of level {level} cannot be made as it is written")]
    BadStep { level: usize, step: usize },
    /// Goals without a box at the end.
    #[error("{left} goals are empty at the end of the solution of level {level}")]
    NotSolved { level: usize, left: usize },
    /// A box that the solution pushes too rarely.
    #[error("a box of level {level} is pushed {pushes} times, at least {least} are wanted")]
    LazyBox {
        level: usize,
        pushes: u32,
        least: u32,
    },
    /// A solution with more pushes than needed, where a shortest one is asked for.
    #[error("the solution of level {level} has {given} pushes, {pushes} suffice")]
    NotShortest {
        level: usize,
        given: u32,
        pushes: u32,
    },
    /// A level that a plain search does not solve within its limit.
    #[error("level {level} is too hard for a plain search to rate it")]
    TooHard { level: usize },
    /// A wall that could be floor: as many pushes and about the same effort, where all walls are to
    /// be needed.
    #[error("level {level}: the wall at row {row}, column {column} does not matter")]
    NeedlessWall {
        level: usize,
        row: usize,
        column: usize,
    },
    /// An effort that is not what it is.
    #[error("the effort of level {level} is {found}, not {given}")]
    WrongEffort {
        level: usize,
        given: u32,
        found: u32,
    },
    /// A value that is not what it is worth.
    #[error("level {level} is worth {found_micro} millionths, not {given_micro}")]
    WrongValue {
        level: usize,
        given_micro: i64,
        found_micro: i64,
    },
}

impl Violation {
    /// Stable name of the rule.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooManyLevels { .. } => "TOO_MANY_LEVELS",
            Self::UnknownRung { .. } => "RUNG_UNKNOWN",
            Self::RungOrder { .. } => "RUNG_ORDER",
            Self::NotRising { .. } => "NOT_RISING",
            Self::TooSimilar { .. } => "TOO_SIMILAR",
            Self::Size { .. } => "SIZE_WRONG",
            Self::Boxes { .. } => "BOXES_WRONG",
            Self::Template { .. } => "TEMPLATE_BROKEN",
            Self::Symmetry { .. } => "SYMMETRY_BROKEN",
            Self::SolutionTooLong { .. } => "SOLUTION_TOO_LONG",
            Self::BadStep { .. } => "STEP_IMPOSSIBLE",
            Self::NotSolved { .. } => "NOT_SOLVED",
            Self::LazyBox { .. } => "BOX_PUSHES_FEW",
            Self::NotShortest { .. } => "NOT_SHORTEST",
            Self::TooHard { .. } => "TOO_HARD",
            Self::NeedlessWall { .. } => "WALL_NEEDLESS",
            Self::WrongEffort { .. } => "EFFORT_WRONG",
            Self::WrongValue { .. } => "VALUE_WRONG",
        }
    }

    /// Index of the level that it is about; none for the plan as a whole.
    #[must_use]
    pub fn level(&self) -> Option<usize> {
        self.clone().level_mut().copied()
    }

    /// The same about the level with this index.
    pub(super) fn at(mut self, index: usize) -> Self {
        if let Some(level) = self.level_mut() {
            *level = index;
        }
        self
    }

    fn level_mut(&mut self) -> Option<&mut usize> {
        match self {
            Self::TooManyLevels { .. } => None,
            Self::UnknownRung { level, .. }
            | Self::RungOrder { level }
            | Self::NotRising { level }
            | Self::TooSimilar { level, .. }
            | Self::Size { level, .. }
            | Self::Boxes { level, .. }
            | Self::Template { level, .. }
            | Self::Symmetry { level, .. }
            | Self::SolutionTooLong { level, .. }
            | Self::BadStep { level, .. }
            | Self::NotSolved { level, .. }
            | Self::LazyBox { level, .. }
            | Self::NotShortest { level, .. }
            | Self::TooHard { level }
            | Self::NeedlessWall { level, .. }
            | Self::WrongEffort { level, .. }
            | Self::WrongValue { level, .. } => Some(level),
        }
    }
}
