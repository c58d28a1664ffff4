//! One policy as rows of characters over an axis of time.

use super::gantt::{Bar, Gantt, Kind, lanes};
use super::story::Story;
use crate::axis::{CharAxis, push_line};
use crate::label::{columns, fit, printable};
use crate::text::TextOptions;
use stratagem_proto::v1::{NarrativePolicy, NarrativeProblem};

/// Most columns of a row's name.
const NAME_MAX: usize = 20;
/// Most columns of a bar's label.
const LABEL_MAX: usize = 28;
/// Lines of a picture: more are only counted.
const LINES_MAX: usize = 200;

/// The characters of a drawing.
pub(super) struct Pen {
    sure: char,
    perhaps: char,
    late: char,
    open: char,
    choice: [char; 3],
    pub(super) ellipsis: &'static str,
}

const BLOCKS: Pen = Pen {
    sure: '█',
    perhaps: '░',
    late: '╌',
    open: '?',
    choice: ['◇', '·', '◆'],
    ellipsis: "…",
};

const ASCII: Pen = Pen {
    sure: '#',
    perhaps: '.',
    late: '-',
    open: '?',
    choice: ['<', '-', '>'],
    ellipsis: "~",
};

/// Returns one policy of a plan as text: an axis of time, rows for players and for whom and what
/// they need, and a legend. A bar reaches from the earliest start to the latest end; the part
/// between the latest start and the earliest end is sure, and what comes after the earliest end is
/// a line. Bars that may overlap stand in lines of their own. Lines end with `\n` and have no
/// blanks at their ends. At most 200 lines of bars.
///
/// # Examples
/// ```
/// use stratagem_proto::v1::{NarrativePolicy, NarrativeProblem};
/// use stratagem_render::narrative::timeline_text;
/// use stratagem_render::text::TextOptions;
/// let text = timeline_text(
///     &NarrativeProblem::default(),
///     &NarrativePolicy::default(),
///     &TextOptions::default(),
/// );
/// assert_eq!(text, "no times are known\n");
/// ```
#[must_use]
pub fn timeline_text(
    problem: &NarrativeProblem,
    policy: &NarrativePolicy,
    options: &TextOptions,
) -> String {
    draw(&Story::new(problem), policy, options)
}

/// Like [`timeline_text`].
pub(super) fn draw(story: &Story<'_>, policy: &NarrativePolicy, options: &TextOptions) -> String {
    let gantt = Gantt::new(story, policy);
    if gantt.rows.is_empty() {
        return "no times are known\n".into();
    }
    let width = options.columns();
    let longest = gantt.rows.iter().map(|r| columns(&printable(&r.name)));
    let longest = longest.max().unwrap_or(0);
    let name_width = longest.min(NAME_MAX).min(width / 3).max(4);
    let chart = Chart::new(name_width, width, gantt.horizon, options);
    let mut lines = Vec::new();
    for row in &gantt.rows {
        lines.extend(chart.lines(std::slice::from_ref(&row.name), &row.bars));
    }
    let has = |kind| gantt.has_kind(kind);
    chart.text(&lines, gantt.left_out > 0, &has)
}

/// Where times are drawn, and with what.
pub(super) struct Chart<'a> {
    pub(super) pen: &'a Pen,
    name_width: usize,
    axis: CharAxis,
    options: &'a TextOptions,
}

/// A bar in columns, with its label beside it.
struct Placed {
    first: usize,
    last: usize,
    label_at: usize,
    label: String,
}

impl Placed {
    /// First and last column, label included.
    fn extent(&self) -> (f64, f64) {
        let label_end = self.label_at + columns(&self.label);
        let first = self.first.min(self.label_at);
        let end = (self.last + 1).max(label_end);
        (first as f64, end as f64)
    }
}

impl<'a> Chart<'a> {
    /// `name_width`: the columns of names; `width`: of all.
    pub(super) fn new(
        name_width: usize,
        width: usize,
        horizon: (i64, i64),
        options: &'a TextOptions,
    ) -> Self {
        Self {
            pen: if options.ascii { &ASCII } else { &BLOCKS },
            name_width,
            axis: CharAxis {
                width: width - name_width - 1,
                horizon,
                ascii: options.ascii,
            },
            options,
        }
    }

    /// The axis, lines below it, and a legend of what there is. `is_cut`: lines were left out
    /// before.
    pub(super) fn text(
        &self,
        lines: &[String],
        is_cut: bool,
        has: &dyn Fn(Kind) -> bool,
    ) -> String {
        let mut text = String::new();
        let blank = " ".repeat(self.name_width);
        for line in self.axis.lines() {
            push_line(&mut text, &format!("{blank} {line}"));
        }
        for line in lines.iter().take(LINES_MAX) {
            push_line(&mut text, line);
        }
        if is_cut || lines.len() > LINES_MAX {
            push_line(&mut text, "and more");
        }
        push_line(&mut text, &legend(self.pen, has));
        text
    }

    fn place(&self, bar: &Bar) -> Placed {
        let last_column = self.axis.width - 1;
        let first = self.axis.column(bar.whole.0).min(last_column);
        let end = self.axis.column(bar.whole.1.saturating_sub(1));
        let last = end.min(last_column).max(first);
        let label = bar.text(LABEL_MAX, self.pen.ellipsis);
        let (wide, room) = (columns(&label), self.axis.width - last - 1);
        let (label_at, label) = if wide < room {
            (last + 2, label)
        } else if wide < first {
            (first - wide - 1, label)
        } else {
            // Neither side has room: what fits on the wider one.
            let (at, room) = if room > first {
                (last + 2, room.saturating_sub(1))
            } else {
                (0, first.saturating_sub(1))
            };
            (at, bar.text(room.min(wide), self.pen.ellipsis))
        };
        Placed {
            first,
            last,
            label_at,
            label,
        }
    }

    /// A row: one line for each lane of bars, and for each line of its name.
    pub(super) fn lines(&self, names: &[String], bars: &[Bar]) -> Vec<String> {
        let drawn = self.lanes(bars);
        let count = names.len().max(drawn.len());
        let line = |at: usize| {
            let name = names.get(at).map_or("", String::as_str);
            let name = fit(name, self.name_width, self.pen.ellipsis);
            format!("{name} {}", drawn.get(at).map_or("", String::as_str))
        };
        (0..count).map(line).collect()
    }

    /// One line for each lane.
    fn lanes(&self, all: &[Bar]) -> Vec<String> {
        let placed: Vec<_> = all.iter().map(|b| self.place(b)).collect();
        let extents: Vec<_> = placed.iter().map(Placed::extent).collect();
        let (lane_of, count) = lanes(&extents, 1.0);
        let line = |lane: usize| {
            let bars = (0..placed.len()).filter(|i| lane_of[*i] == lane);
            let mut bars: Vec<_> = bars.collect();
            bars.sort_by_key(|i| placed[*i].first);
            let mut line = String::new();
            let mut used = 0;
            for i in bars {
                let (at, wide) = (extents[i].0 as usize, extents[i].1 - extents[i].0);
                line += &" ".repeat(at.saturating_sub(used));
                line += &self.paint(&all[i], &placed[i]);
                used = at + wide as usize;
            }
            line
        };
        (0..count).map(line).collect()
    }

    /// The characters of a bar and its label.
    fn paint(&self, bar: &Bar, placed: &Placed) -> String {
        let cell = |column: usize| {
            let pen = self.pen;
            let ends = (column == placed.first, column == placed.last);
            let [earliest, between, latest] = pen.choice;
            // A column shows what most of it is.
            let middle = self.axis.moment(column) / 2 + self.axis.moment(column + 1) / 2;
            let sure = bar.sure.is_some_and(|(a, b)| a <= middle && middle < b);
            match (bar.kind, ends) {
                (Kind::Choice, (_, true)) => latest,
                (Kind::Choice, (true, _)) => earliest,
                (Kind::Choice, _) => between,
                (Kind::Players, (_, true)) => pen.open,
                _ if sure => pen.sure,
                _ if column > placed.first && bar.soonest <= middle => pen.late,
                _ => pen.perhaps,
            }
        };
        let glyphs: String = (placed.first..=placed.last).map(cell).collect();
        let glyphs = self.options.styled(code(bar), &glyphs);
        let label = &placed.label;
        if placed.label_at > placed.last {
            let gap = placed.label_at - placed.last - 1;
            let gap = if label.is_empty() { 0 } else { gap };
            format!("{glyphs}{}{label}", " ".repeat(gap))
        } else {
            let gap = placed
                .first
                .saturating_sub(placed.label_at + columns(label));
            format!("{label}{}{glyphs}", " ".repeat(gap))
        }
    }
}

/// Code of a style: each group has one, and choices have.
fn code(bar: &Bar) -> &'static str {
    match bar.kind {
        Kind::Choice => "35",
        _ => ["36", "33", "32", "34"][bar.group % 4],
    }
}

/// What the characters mean, as far as they are there.
fn legend(pen: &Pen, has: &dyn Fn(Kind) -> bool) -> String {
    let said = [
        (pen.sure, "for sure"),
        (pen.perhaps, "perhaps"),
        (pen.late, "at the latest"),
    ];
    let mut parts: Vec<String> = said
        .iter()
        .map(|(mark, what)| format!("{mark} {what}"))
        .collect();
    if has(Kind::Players) {
        parts.push(format!("{} players decide how long", pen.open));
    }
    if has(Kind::Choice) {
        let [earliest, between, latest] = pen.choice;
        parts.push(format!("{earliest}{between}{latest} a choice"));
    }
    parts.join("  ")
}
