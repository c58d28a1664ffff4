//! One policy as a chart: what is sure and what is not.

use super::gantt::{Bar, Gantt, Kind};
use crate::scene::{Bar as Drawn, Chart, Ink, Key, Mark, Row, Segment, Sign, key};
use crate::time::{micros, span_text};
use stratagem_proto::v1::NarrativeProblem;

/// What players decide.
const PLAYERS: &str = "#7a3fb0";

/// Rows for groups of players and for resources. Bars reach from the earliest start to the earliest
/// end, and a line continues to the latest end: those of activities that follow each other never
/// overlap. Arrows are the resource flow.
pub(super) fn chart(gantt: &Gantt, problem: &NarrativeProblem) -> Chart {
    let rows = gantt.rows.iter().enumerate().map(|(n, row)| Row {
        name: row.name.clone(),
        tip: row.name.clone(),
        band: match (row.players, n % 2) {
            (true, _) => "#eef3fb",
            (false, 0) => "#f7f7f7",
            (false, _) => "#fff",
        },
        bars: row.bars.iter().map(drawn).collect(),
        arrows: row.arrows.clone(),
        ..Row::default()
    });
    let now = problem.progress.as_ref();
    let now = now.map(|it| micros(it.now_offset.as_ref()));
    let mut keys = keys(&|kind| gantt.has_kind(kind));
    if gantt.rows.iter().any(|row| !row.arrows.is_empty()) {
        keys.push(key([""; 2], "#444", "arrow: goes on to"));
    }
    Chart {
        rows: rows.collect(),
        horizon: gantt.horizon,
        now: now.filter(|now| *now > 0),
        keys,
        // The last moment, since marks of the axis are round.
        notes: vec![format!("ends by {}", span_text(gantt.horizon.1))],
        empty: "no times are known",
        more: (gantt.left_out, "bars"),
        ..Chart::default()
    }
}

/// What the characters and colours mean, as far as they are there.
pub(super) fn keys(has: &dyn Fn(Kind) -> bool) -> Vec<Key> {
    let keys = [
        (true, key(["█", "#"], "hsl(212,48%,52%)", "for sure")),
        (true, key(["░", "."], "hsl(212,60%,88%)", "perhaps")),
        (true, key(["╌", "-"], "#888", "line: at the latest")),
        (
            has(Kind::Players),
            key(["?", "?"], PLAYERS, "players decide how long"),
        ),
        (
            has(Kind::Choice),
            key(["◇·◆", "<->"], PLAYERS, "a choice: earliest, latest"),
        ),
    ];
    let keys = keys.into_iter().filter(|(is_there, _)| *is_there);
    keys.map(|(_, key)| key).collect()
}

/// A bar with its parts.
pub(super) fn drawn(bar: &Bar) -> Drawn {
    let style = ["36", "33", "32", "34"][bar.group % 4];
    let fill = format!("hsl({},48%,52%)", bar.hue);
    let part = |span, fill: &str, half, glyph, style| {
        let ink = Ink::new(fill, half, glyph, style).kept(glyph, glyph);
        Segment {
            span,
            ink,
            label: String::new(),
            tip: bar.tip.clone(),
        }
    };
    let mark = |at, sign| Mark {
        at,
        sign,
        fill: PLAYERS.into(),
        tip: bar.tip.clone(),
    };
    let (from, to) = bar.whole;
    let (segments, marks) = match bar.kind {
        Kind::Choice => {
            let line = part(bar.whole, PLAYERS, 0.08, ['·', '-'], "35");
            (
                vec![line],
                vec![mark(from, Sign::First), mark(to, Sign::Last)],
            )
        }
        kind => {
            let is_players = kind == Kind::Players;
            let late = if is_players { PLAYERS } else { &fill };
            let mut perhaps = part((from, bar.soonest), &fill, 0.8, ['░', '.'], style);
            perhaps.ink.is_faint = true;
            let mut segments = vec![perhaps];
            if bar.soonest < to {
                segments.push(part((bar.soonest, to), late, 0.14, ['╌', '-'], style));
            }
            segments.extend(
                bar.sure
                    .map(|sure| part(sure, &fill, 0.8, ['█', '#'], style)),
            );
            let stop = is_players.then(|| mark(to, Sign::Stop));
            (segments, stop.into_iter().collect())
        }
    };
    Drawn {
        segments,
        marks,
        label: bar.label.clone(),
        suffix: bar.whose.clone(),
    }
}
