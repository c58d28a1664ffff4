//! The moves of the local search. Each returns an improving change that keeps all rules, or
//! nothing.

use super::pieces::{Line, Piece, Step};
use crate::solve::draft::{Draft, Place};
use crate::solve::model::{FAR, Model, NONE};
use std::ops::Range;

/// Most neighbouring tasks that are moved together.
const SPAN_MAX: usize = 3;

/// A place on a path, spelled out.
#[derive(Clone, Copy)]
struct At<'a> {
    model: &'a Model<'a>,
    draft: &'a Draft,
    agent: usize,
    position: usize,
}

impl<'a> At<'a> {
    fn new(model: &'a Model<'a>, draft: &'a Draft, place: Place) -> Self {
        Self {
            model,
            draft,
            agent: place.agent as usize,
            position: place.position as usize,
        }
    }

    fn shifted(self, position: usize) -> Self {
        Self { position, ..self }
    }

    /// Tasks on the path.
    fn count(self) -> usize {
        self.draft.paths[self.agent].visits.len()
    }

    /// Tasks under way: places before the last of them are out of bounds.
    fn started(self) -> usize {
        self.model.workers[self.agent].started.len()
    }

    /// The place after all tasks.
    fn end(self) -> Self {
        self.shifted(self.count())
    }

    /// Location before the place.
    fn before(self) -> u32 {
        let worker = &self.model.workers[self.agent];
        self.draft.paths[self.agent].before(worker, self.position).0
    }

    /// Location at the place: of its task, or the end place.
    fn here(self) -> u32 {
        let worker = &self.model.workers[self.agent];
        self.draft.paths[self.agent].after(worker, self.position).0
    }

    /// Cost of the way to the place.
    fn way_micro(self) -> i64 {
        self.draft.paths[self.agent].way_micro(self.position)
    }

    fn piece(self, span: Range<usize>) -> Piece {
        Piece::new(self.agent, span)
    }
}

/// Moves up to [`SPAN_MAX`] tasks from the first of `pair` on behind the second, or those up to the
/// first before the second.
pub(super) fn relocate<'a>(
    model: &'a Model<'a>,
    draft: &'a Draft,
    pair: (Place, Place),
) -> Option<Step> {
    let (from, to) = (At::new(model, draft, pair.0), At::new(model, draft, pair.1));
    (1..=SPAN_MAX).find_map(|count| {
        let at = from.position;
        let ahead = (at + count <= from.count()).then_some(at..at + count);
        let behind = (at + 1).checked_sub(count).map(|start| start..at + 1);
        ahead
            .and_then(|span| move_span(from, span, to.shifted(to.position + 1)))
            .or_else(|| behind.and_then(|span| move_span(from, span, to)))
    })
}

/// Moves a task, a few or all from there on, to an agent that has nothing to do yet.
pub(super) fn to_idle<'a>(model: &'a Model<'a>, draft: &'a Draft, place: Place) -> Option<Step> {
    let from = At::new(model, draft, place);
    let mut class = NONE;
    for agent in 0..model.workers.len() {
        // Agents of a class are alike, and most often neighbours.
        if !draft.paths[agent].visits.is_empty() || model.workers[agent].class == class {
            continue;
        }
        class = model.workers[agent].class;
        let to = At {
            agent,
            position: 0,
            ..from
        };
        let rest = from.count() - from.position;
        let counts = (1..=SPAN_MAX.min(rest)).chain((rest > SPAN_MAX).then_some(rest));
        for count in counts {
            let step = move_span(from, from.position..from.position + count, to);
            if step.is_some() {
                return step;
            }
        }
    }
    None
}

/// Moves the tasks of `span` to the place `to`, where they push back what is there.
fn move_span(from: At<'_>, span: Range<usize>, to: At<'_>) -> Option<Step> {
    if span.start < from.started() || to.position < to.started() {
        return None;
    }
    let (model, draft) = (from.model, from.draft);
    let (first, last) = (from.shifted(span.start), from.shifted(span.end));
    let is_same = from.agent == to.agent;
    if is_same && (span.start..=span.end).contains(&to.position) {
        return None;
    }
    let closed = if !is_same && span.len() == from.count() {
        0
    } else {
        model.cost_micro(first.before(), last.here())
    };
    let opened =
        model.cost_micro(to.before(), first.here()) + model.cost_micro(last.before(), to.here());
    let travel_micro = closed + opened - first.way_micro() - last.way_micro() - to.way_micro();
    let (count, at) = (from.count(), to.position);
    if !is_same {
        let left = Line::new(
            from.agent,
            [from.piece(0..span.start), from.piece(span.end..count)],
        );
        let rest = to.piece(at..to.count());
        let right = Line::new(to.agent, [to.piece(0..at), from.piece(span), rest]);
        return Step::two(draft, model, [left, right], travel_micro);
    }
    let (low, high) = if at < span.start {
        (at, span.start)
    } else {
        (span.end, at)
    };
    let between = from.piece(low..high);
    let moved = from.piece(span.clone());
    let middle = if at < span.start {
        [moved, between]
    } else {
        [between, moved]
    };
    let (head, rest) = (
        from.piece(0..low.min(span.start)),
        from.piece(high.max(span.end)..count),
    );
    let [one, two] = middle;
    Step::one(
        draft,
        model,
        Line::new(from.agent, [head, one, two, rest]),
        travel_micro,
    )
}

/// Exchanges the first task of `pair` with the one behind the second, or with the one before it.
pub(super) fn exchange<'a>(
    model: &'a Model<'a>,
    draft: &'a Draft,
    pair: (Place, Place),
) -> Option<Step> {
    let (one, two) = (At::new(model, draft, pair.0), At::new(model, draft, pair.1));
    let behind = (two.position + 1 < two.count()).then(|| two.shifted(two.position + 1));
    let before = two
        .position
        .checked_sub(1)
        .map(|position| two.shifted(position));
    behind
        .and_then(|other| swap(one, other))
        .or_else(|| before.and_then(|other| swap(one, other)))
}

fn swap(one: At<'_>, two: At<'_>) -> Option<Step> {
    if one.position < one.started() || two.position < two.started() {
        return None;
    }
    let (model, draft) = (one.model, one.draft);
    if one.agent == two.agent {
        let (low, high) = if one.position < two.position {
            (one, two)
        } else {
            (two, one)
        };
        return swap_on_path(low, high);
    }
    let change = |at: At<'_>, other: At<'_>| {
        let next = at.shifted(at.position + 1);
        let ways = model.cost_micro(at.before(), other.here())
            + model.cost_micro(other.here(), next.here());
        ways - at.way_micro() - next.way_micro()
    };
    let line = |at: At<'_>, other: At<'_>| {
        let task = other.piece(other.position..other.position + 1);
        let rest = at.piece(at.position + 1..at.count());
        Line::new(at.agent, [at.piece(0..at.position), task, rest])
    };
    let travel_micro = change(one, two) + change(two, one);
    Step::two(draft, model, [line(one, two), line(two, one)], travel_micro)
}

/// Exchanges two tasks of a path that are not neighbours; neighbours are a matter of moving one.
fn swap_on_path(low: At<'_>, high: At<'_>) -> Option<Step> {
    if low.position + 1 >= high.position {
        return None;
    }
    let model = low.model;
    let change = |at: At<'_>, other: At<'_>| {
        let next = at.shifted(at.position + 1);
        let ways = model.cost_micro(at.before(), other.here())
            + model.cost_micro(other.here(), next.here());
        ways - at.way_micro() - next.way_micro()
    };
    let travel_micro = change(low, high) + change(high, low);
    let task = |at: At<'_>| at.piece(at.position..at.position + 1);
    let between = low.piece(low.position + 1..high.position);
    let rest = low.piece(high.position + 1..low.count());
    let pieces = [
        low.piece(0..low.position),
        task(high),
        between,
        task(low),
        rest,
    ];
    Step::one(low.draft, model, Line::new(low.agent, pieces), travel_micro)
}

/// Lets the second task of `pair` and all after it follow on the first, and the other way round.
pub(super) fn tails<'a>(
    model: &'a Model<'a>,
    draft: &'a Draft,
    pair: (Place, Place),
) -> Option<Step> {
    let (one, two) = (At::new(model, draft, pair.0), At::new(model, draft, pair.1));
    if one.agent == two.agent {
        return None;
    }
    cross(one.shifted(one.position + 1), two).or_else(|| cross(two.shifted(two.position + 1), one))
}

/// Exchanges all from two places on. There is something before `one` and at `two`.
fn cross(one: At<'_>, two: At<'_>) -> Option<Step> {
    if one.position < one.started() || two.position < two.started() {
        return None;
    }
    let (model, draft) = (one.model, one.draft);
    let has_rest = one.position < one.count();
    // The last of each rest goes home to the other's end place.
    let homeward = |from: At<'_>, to: At<'_>| {
        model.cost_micro(from.end().before(), to.end().here()) - from.end().way_micro()
    };
    let mut travel_micro = model.cost_micro(one.before(), two.here()) + homeward(two, one)
        - one.way_micro()
        - two.way_micro();
    if has_rest {
        travel_micro += model.cost_micro(two.before(), one.here()) + homeward(one, two);
    } else if two.position > 0 {
        travel_micro += model.cost_micro(two.before(), two.end().here());
    }
    let line = |at: At<'_>, other: At<'_>| {
        let rest = other.piece(other.position..other.count());
        Line::new(at.agent, [at.piece(0..at.position), rest])
    };
    Step::two(draft, model, [line(one, two), line(two, one)], travel_micro)
}

/// Turns round what lies between the two tasks, and the later of them with it.
pub(super) fn reverse<'a>(
    model: &'a Model<'a>,
    draft: &'a Draft,
    pair: (Place, Place),
) -> Option<Step> {
    let (one, two) = (At::new(model, draft, pair.0), At::new(model, draft, pair.1));
    let (low, high) = (
        one.position.min(two.position) + 1,
        one.position.max(two.position) + 1,
    );
    if one.agent != two.agent || low < one.started() || high - low < 2 {
        return None;
    }
    let visits = &draft.paths[one.agent].visits;
    let mut inside = 0;
    for pair in visits[low..high].windows(2) {
        let back = model.cost_micro(pair[1].location, pair[0].location);
        if back == FAR {
            return None;
        }
        inside += back - pair[1].way_micro;
    }
    let (first, next) = (one.shifted(low), one.shifted(high));
    let opened = model.cost_micro(first.before(), next.before())
        + model.cost_micro(first.here(), next.here());
    let travel_micro = inside + opened - first.way_micro() - next.way_micro();
    let turned = Piece::reversed(one.agent, low..high);
    let pieces = [one.piece(0..low), turned, one.piece(high..one.count())];
    Step::one(draft, model, Line::new(one.agent, pieces), travel_micro)
}
