//! Rows of bars and marks over an axis.

/// Rows over an axis.
#[derive(Debug, Clone, Default)]
pub(crate) struct Chart {
    pub(crate) rows: Vec<Row>,
    /// First and last moment, in microseconds, or steps.
    pub(crate) horizon: (i64, i64),
    pub(crate) unit: Unit,
    /// The time at which something is planned again.
    pub(crate) now: Option<i64>,
    pub(crate) keys: Vec<Key>,
    /// Below it, as in `makespan 20s`.
    pub(crate) notes: Vec<String>,
    /// What is written where there are no rows.
    pub(crate) empty: &'static str,
    /// Rows that were left out, and what they are called.
    pub(crate) more: (usize, &'static str),
    /// Whether a line moves over it with the clock.
    pub(crate) has_hand: bool,
}

/// What is along the axis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Time in microseconds.
    #[default]
    Time,
    /// Steps, numbered: each is [`STEP`] wide.
    Step,
}

/// Length of a step along an axis.
pub(crate) const STEP: i64 = 1_000;

/// A row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) tip: String,
    /// Colour of its background; empty: none.
    pub(crate) band: &'static str,
    /// Row that it comes after in a tree, and steps from the root.
    pub(crate) parent: Option<usize>,
    pub(crate) depth: usize,
    /// Those that would overlap are in lanes of their own.
    pub(crate) bars: Vec<Bar>,
    /// From one bar to another.
    pub(crate) arrows: Vec<Arrow>,
    /// What is held over time.
    pub(crate) amounts: Option<Amounts>,
    /// A text in place of bars.
    pub(crate) words: String,
}

/// A row with a name.
pub(crate) fn row(name: &str, bars: Vec<Bar>) -> Row {
    Row {
        name: name.to_owned(),
        bars,
        ..Row::default()
    }
}

/// From the end of a bar to the start of another, by their indices.
#[derive(Debug, Clone)]
pub(crate) struct Arrow {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) tip: String,
}

/// An amount over time, and its limit.
#[derive(Debug, Clone, Default)]
pub(crate) struct Amounts {
    /// From each of these moments on there is this much.
    pub(crate) steps: Vec<(i64, i64)>,
    pub(crate) limit: i64,
    /// The largest amount and the limit, in words.
    pub(crate) note: String,
    pub(crate) fill: &'static str,
    /// Tips of the steps; may be missing.
    pub(crate) tips: Vec<String>,
}

impl Amounts {
    /// Largest amount at any moment.
    pub(crate) fn peak(&self) -> i64 {
        self.steps.iter().map(|(_, held)| *held).max().unwrap_or(0)
    }

    /// Largest amount between two moments.
    pub(crate) fn largest(&self, from: i64, to: i64) -> i64 {
        let after = self.steps.partition_point(|(at, _)| *at <= from);
        let before = after.checked_sub(1).map_or(0, |last| self.steps[last].1);
        let within = self.steps[after..].iter().take_while(|(at, _)| *at < to);
        within.map(|(_, held)| *held).fold(before, i64::max)
    }
}

/// Something that takes time: parts of it, the later ones above the earlier ones, and a label.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bar {
    pub(crate) segments: Vec<Segment>,
    pub(crate) marks: Vec<Mark>,
    /// Next to it; it may be shortened.
    pub(crate) label: String,
    /// After the label, never shortened.
    pub(crate) suffix: String,
}

/// A part of a bar.
#[derive(Debug, Clone)]
pub(crate) struct Segment {
    pub(crate) span: (i64, i64),
    pub(crate) ink: Ink,
    /// Inside it, where there is room.
    pub(crate) label: String,
    pub(crate) tip: String,
}

/// A moment.
#[derive(Debug, Clone)]
pub(crate) struct Mark {
    pub(crate) at: i64,
    pub(crate) sign: Sign,
    pub(crate) fill: String,
    pub(crate) tip: String,
}

/// What a mark looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// A disc: something that is chosen.
    Chosen,
    /// A disc: something that breaks a rule.
    Broken,
    /// Diamonds: the earliest and the latest moment.
    First,
    Last,
    /// The end of what others decide.
    Stop,
    /// A disc: something that takes part.
    Part,
}

impl Sign {
    /// Its character, in Unicode and in ASCII.
    pub(crate) fn glyphs(self) -> [char; 2] {
        match self {
            Self::Chosen => ['◆', '*'],
            Self::Broken => ['×', 'X'],
            Self::First => ['◇', '<'],
            Self::Last => ['◆', '>'],
            Self::Stop => ['?', '?'],
            Self::Part => ['*', '*'],
        }
    }
}

/// How a part of a bar is drawn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ink {
    pub(crate) fill: String,
    /// Half of its height as a share of the lane: 1 is as high as can be.
    pub(crate) half: f64,
    /// Whether it is light with an outline: something uncertain.
    pub(crate) is_faint: bool,
    /// Whether it has a column of its own, however short it is.
    pub(crate) is_kept: bool,
    /// Its characters in Unicode and in ASCII: the first, those inside, the last, and a single one.
    pub(crate) glyphs: [[char; 2]; 4],
    /// ANSI style.
    pub(crate) style: &'static str,
}

impl Ink {
    /// One character all along.
    pub(crate) fn new(fill: &str, half: f64, glyph: [char; 2], style: &'static str) -> Self {
        Self {
            fill: fill.to_owned(),
            half,
            is_faint: false,
            is_kept: false,
            glyphs: [glyph; 4],
            style,
        }
    }

    /// With a first character, and a column of its own.
    pub(crate) fn kept(mut self, first: [char; 2], single: [char; 2]) -> Self {
        self.is_kept = true;
        self.glyphs[0] = first;
        self.glyphs[3] = single;
        self
    }
}

/// A character and a colour, and what they mean.
#[derive(Debug, Clone)]
pub(crate) struct Key {
    /// Characters in Unicode and in ASCII; empty: not on terminals.
    pub(crate) signs: [String; 2],
    /// Empty: not in pictures.
    pub(crate) fill: String,
    pub(crate) text: String,
}

/// A key of a legend.
pub(crate) fn key(signs: [&str; 2], fill: &str, text: &str) -> Key {
    Key {
        signs: signs.map(str::to_owned),
        fill: fill.to_owned(),
        text: text.to_owned(),
    }
}

/// Puts extents side by side: the first lane in which each fits, `gap` apart. They are in the order
/// of their left ends, or nearly.
pub(crate) fn lanes(extents: &[(f64, f64)], gap: f64) -> (Vec<usize>, usize) {
    let mut lanes: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut found = Vec::with_capacity(extents.len());
    for extent in extents {
        let free = |lane: &Vec<(f64, f64)>| {
            let mut others = lane.iter();
            others.all(|o| o.1 + gap <= extent.0 || extent.1 + gap <= o.0)
        };
        let lane = lanes.iter().position(free).unwrap_or(lanes.len());
        if lane == lanes.len() {
            lanes.push(Vec::new());
        }
        lanes[lane].push(*extent);
        found.push(lane);
    }
    (found, lanes.len())
}
