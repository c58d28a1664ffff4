//! Who and what is busy when, in one policy: rows of bars with what is sure and what is not.

use super::forks::Precedence;
use super::story::{Activity, Story, choice_label, chooser};
use crate::scene::Arrow;
use crate::time::{micros, span_text};
use std::collections::BTreeMap;
use stratagem_proto::v1::{NarrativeHandOver, NarrativePolicy};

/// Bars of a picture: more are only counted.
const BARS_MAX: usize = 400;

/// What a bar stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Something that we begin and end.
    Ours,
    /// Something of which players pick the duration.
    Players,
    /// The moment of a choice.
    Choice,
}

/// Something from one event to another, in microseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bar {
    pub(super) kind: Kind,
    pub(super) label: String,
    /// The owner, where the row does not show it: never cut.
    pub(super) whose: String,
    pub(super) tip: String,
    /// Earliest start and latest end.
    pub(super) whole: (i64, i64),
    /// The earliest end.
    pub(super) soonest: i64,
    /// From the latest start to the earliest end, where that is later.
    pub(super) sure: Option<(i64, i64)>,
    /// Index of the group.
    pub(super) group: usize,
    /// Hue of its colour: the group's, or the activity's where there are no groups.
    pub(super) hue: usize,
}

/// The bars of a group or of a resource.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) name: String,
    /// In the order of their starts.
    pub(super) bars: Vec<Bar>,
    /// From one bar to another, with what is handed over.
    pub(super) arrows: Vec<Arrow>,
    /// Whether it is a group's.
    pub(super) players: bool,
}

/// One policy over time.
pub(super) struct Gantt {
    /// Those of groups, then those of resources in the order of the problem; none is empty.
    pub(super) rows: Vec<Row>,
    /// First and last moment.
    pub(super) horizon: (i64, i64),
    /// Bars that were left out.
    pub(super) left_out: usize,
}

/// Earliest and latest moment.
type Window = (i64, i64);

impl Gantt {
    pub(super) fn new(story: &Story<'_>, policy: &NarrativePolicy) -> Self {
        let times = Times::new(policy);
        let precedence = Precedence::new(story);
        let before = precedence.before_choices(story);
        let mut rows = Vec::new();
        for group in 0..story.groups.len() {
            rows.push(group_row(story, &times, group));
        }
        for pick in &policy.picks {
            if let Some((group, bar)) = choice_bar(story, &times, pick, &before) {
                rows[group].bars.push(bar);
            }
        }
        for resource in &story.problem.resources {
            rows.push(resource_row(story, &times, policy, &resource.id));
        }
        let left_out = finish(&mut rows);
        rows.retain(|r| !r.bars.is_empty());
        let bars = || rows.iter().flat_map(|r| &r.bars);
        let from_us = bars().map(|b| b.whole.0).min().unwrap_or(0).min(0);
        let to_us = bars().map(|b| b.whole.1).max().unwrap_or(0).max(from_us);
        Self {
            rows,
            horizon: (from_us, to_us),
            left_out,
        }
    }

    /// The bars of all rows.
    pub(super) fn bars(&self) -> usize {
        self.rows.iter().map(|r| r.bars.len()).sum()
    }

    /// Whether there is a bar of this kind.
    pub(super) fn has_kind(&self, kind: Kind) -> bool {
        self.rows
            .iter()
            .flat_map(|r| &r.bars)
            .any(|b| b.kind == kind)
    }
}

/// The hue of a group: that of its name where that is one.
fn hue(name: &str, index: usize) -> usize {
    let named = ["red", "orange", "yellow", "green", "blue", "purple"];
    match named.iter().position(|n| name.ends_with(n)) {
        Some(n) => [4, 30, 50, 130, 212, 280][n],
        None => (200 + index % 360 * 137) % 360,
    }
}

/// When events happen.
struct Times<'a> {
    windows: BTreeMap<&'a str, Window>,
}

impl<'a> Times<'a> {
    fn new(policy: &'a NarrativePolicy) -> Self {
        let range = |r: &'a stratagem_proto::v1::TemporalEventRange| {
            let earliest = micros(r.earliest_offset.as_ref());
            // What ends before it begins is drawn as a moment.
            let latest = micros(r.latest_offset.as_ref()).max(earliest);
            (r.event_id.as_str(), (earliest, latest))
        };
        Self {
            // The first of a name counts.
            windows: policy.ranges.iter().rev().map(range).collect(),
        }
    }

    /// When an event of a group happens; its origin when its story begins.
    fn window(&self, story: &Story<'_>, group: usize, event: &str) -> Option<Window> {
        let group = &story.groups[group];
        if event == story.origin {
            return Some((group.offset_us, group.offset_us));
        }
        self.windows.get(group.full(event).as_str()).copied()
    }

    /// From one event to another.
    fn bar(&self, story: &Story<'_>, group: usize, label: String, ends: [&str; 2]) -> Option<Bar> {
        let start = self.window(story, group, ends[0])?;
        let end = self.window(story, group, ends[1])?;
        let last = end.1.max(start.0);
        let drawn = |w: Window| match w {
            (a, b) if a == b => span_text(a),
            (a, b) => format!("{} to {}", span_text(a), span_text(b)),
        };
        Some(Bar {
            kind: Kind::Ours,
            tip: format!("{label}: begins {}, ends {}", drawn(start), drawn(end)),
            label,
            whose: String::new(),
            whole: (start.0, last),
            soonest: end.0.clamp(start.0, last),
            sure: (start.1 < end.0).then_some((start.1, end.0)),
            group,
            hue: hue(story.groups[group].id, group),
        })
    }
}

/// A label without its group.
fn own<'b>(label: &'b str, group: &str) -> &'b str {
    let without = label.strip_suffix(')').and_then(|l| l.strip_suffix(group));
    without.and_then(|l| l.strip_suffix(" (")).unwrap_or(label)
}

/// The bar of an activity, where the policy says when it is.
fn activity_bar(story: &Story<'_>, times: &Times<'_>, activity: &Activity<'_>) -> Option<Bar> {
    let given = activity.given;
    let ends = [given.start_event_id.as_str(), given.end_event_id.as_str()];
    let label = story.activity(&activity.id);
    let mut bar = times.bar(story, activity.group, label, ends)?;
    if story.problem.groups.is_empty() {
        let mut activities = story.problem.activities.iter();
        bar.hue = hue(
            "",
            activities.position(|a| std::ptr::eq(a, given)).unwrap_or(0),
        );
    }
    let mut contingents = story.problem.contingent_links.iter();
    if contingents.any(|c| c.from_event_id == ends[0] && c.to_event_id == ends[1]) {
        bar.kind = Kind::Players;
        bar.tip += "; players decide how long";
    }
    Some(bar)
}

/// What a group does: its activities, and durations without an activity.
fn group_row(story: &Story<'_>, times: &Times<'_>, group: usize) -> Row {
    let activities = story.activities.iter().filter(|a| a.group == group);
    let mut bars: Vec<_> = activities
        .filter_map(|a| activity_bar(story, times, a))
        .collect();
    for link in story.contingents.iter().filter(|c| c.group == group) {
        let [from, to] = link.ends;
        let mut activities = story.problem.activities.iter();
        let known = activities.any(|a| a.start_event_id == from && a.end_event_id == to);
        if !known && let Some(bar) = times.bar(story, group, story.link(&link.id), link.ends) {
            let tip = bar.tip.clone() + "; players decide how long";
            bars.push(Bar {
                kind: Kind::Players,
                tip,
                ..bar
            });
        }
    }
    for bar in &mut bars {
        bar.label = own(&bar.label, story.groups[group].id).to_owned();
    }
    Row {
        name: match story.groups[group].id {
            "" => "players".into(),
            id => format!("players: {id}"),
        },
        bars,
        arrows: Vec::new(),
        players: true,
    }
}

/// When a choice is made, and its group.
fn choice_bar(
    story: &Story<'_>,
    times: &Times<'_>,
    pick: &stratagem_proto::v1::NarrativePick,
    before: &[Vec<&str>],
) -> Option<(usize, Bar)> {
    let choice = story.choice(&pick.choice_id)?;
    let mut choices = story.problem.choices.iter();
    let index = choices.position(|c| std::ptr::eq(c, choice))?;
    let (_, id) = story.local(&pick.choice_id);
    let group = story.groups.iter().position(|g| g.id == id.unwrap_or(""))?;
    let start = story.groups[group].offset_us;
    let windows = before[index]
        .iter()
        .filter_map(|e| times.window(story, group, e));
    let whole = windows.fold((start, start), |a, b| (a.0.max(b.0), a.1.max(b.1)));
    let (label, option) = (choice_label(choice), story.option(pick));
    let when = match whole {
        (a, b) if a == b => span_text(a),
        (a, b) => format!("{} to {}", span_text(a), span_text(b)),
    };
    let bar = Bar {
        kind: Kind::Choice,
        label: own(&option, story.groups[group].id).to_owned(),
        whose: String::new(),
        tip: format!("{label}: {option}, {} at {when}", chooser(choice)),
        whole,
        soonest: whole.1,
        sure: None,
        group,
        hue: 0,
    };
    Some((group, bar))
}

/// Who or what is busy with which activities, and how it goes from one to the next.
fn resource_row(
    story: &Story<'_>,
    times: &Times<'_>,
    policy: &NarrativePolicy,
    resource: &str,
) -> Row {
    let mut bars = Vec::new();
    let mut index = BTreeMap::new();
    for activity in &story.activities {
        let mut demands = activity.given.demands.iter();
        if let Some(demand) = demands.find(|d| d.resource_id == resource)
            && let Some(mut bar) = activity_bar(story, times, activity)
        {
            if demand.consumed {
                bar.tip += "; used up";
            }
            let group = story.groups[activity.group].id;
            bar.whose = bar.label[own(&bar.label, group).len()..].to_owned();
            bar.label.truncate(bar.label.len() - bar.whose.len());
            index.insert(activity.id.as_str(), bars.len());
            bars.push(bar);
        }
    }
    let name = story.resource(resource);
    let arrow = |h: &NarrativeHandOver| {
        let from = *index.get(h.from_activity_id.as_str())?;
        let to = *index.get(h.to_activity_id.as_str())?;
        let count = if h.amount > 1 {
            format!("{} of ", h.amount)
        } else {
            String::new()
        };
        let called = |bar: &Bar| format!("{}{}", bar.label, bar.whose);
        let (giver, taker) = (called(&bars[from]), called(&bars[to]));
        let tip = format!("{count}{name}: from {giver} to {taker}");
        (h.resource_id == resource && from != to).then_some(Arrow { from, to, tip })
    };
    Row {
        arrows: policy
            .hand_overs
            .iter()
            .filter_map(arrow)
            .take(BARS_MAX)
            .collect(),
        name,
        bars,
        players: false,
    }
}

/// Puts bars in the order of their starts and cuts what is too much. Returns how many were cut.
fn finish(rows: &mut [Row]) -> usize {
    let mut room = BARS_MAX;
    let mut left_out = 0;
    for row in rows {
        let mut order: Vec<_> = (0..row.bars.len()).collect();
        order.sort_by_key(|i| (row.bars[*i].whole, *i));
        left_out += order.len().saturating_sub(room);
        order.truncate(room);
        room -= order.len();
        let mut place = BTreeMap::new();
        for (n, i) in order.iter().enumerate() {
            place.insert(*i, n);
        }
        row.bars = order.iter().map(|i| row.bars[*i].clone()).collect();
        let arrows = row.arrows.drain(..);
        let moved = |it: Arrow| {
            let (from, to) = (*place.get(&it.from)?, *place.get(&it.to)?);
            Some(Arrow { from, to, ..it })
        };
        row.arrows = arrows.filter_map(moved).collect();
    }
    left_out
}
