//! The moves of the local search. Each function returns an improving feasible move, or none.

use super::pieces::{Move, NewPath, Piece};
use crate::solve::draft::{Draft, Place};
use crate::solve::model::{Model, NONE, UNREACHABLE};
use std::ops::Range;

/// Most tasks that are relocated together.
const SPAN_MAX: usize = 3;

/// A position on a path.
#[derive(Clone, Copy)]
struct Position<'a> {
    model: &'a Model<'a>,
    draft: &'a Draft,
    agent: usize,
    position: usize,
}

impl<'a> Position<'a> {
    fn new(model: &'a Model<'a>, draft: &'a Draft, place: Place) -> Self {
        Self {
            model,
            draft,
            agent: place.agent as usize,
            position: place.position as usize,
        }
    }

    fn pair(model: &'a Model<'a>, draft: &'a Draft, pair: (Place, Place)) -> (Self, Self) {
        let at = |place| Self::new(model, draft, place);
        (at(pair.0), at(pair.1))
    }

    fn shifted(self, position: usize) -> Self {
        Self { position, ..self }
    }

    /// Tasks on the path.
    fn count(self) -> usize {
        self.draft.paths[self.agent].visits.len()
    }

    /// Length of the committed prefix, which no move changes.
    fn committed(self) -> usize {
        self.model.workers[self.agent].committed.len()
    }

    /// The position after all tasks.
    fn end(self) -> Self {
        self.shifted(self.count())
    }

    /// Location before the position.
    fn previous_location(self) -> u32 {
        let worker = &self.model.workers[self.agent];
        self.draft.paths[self.agent].before(worker, self.position).0
    }

    /// Location at the position: of its task, or the end place.
    fn location(self) -> u32 {
        let worker = &self.model.workers[self.agent];
        self.draft.paths[self.agent].after(worker, self.position).0
    }

    /// Cost of the arc to the position.
    fn arc_cost_micro(self) -> i64 {
        self.draft.paths[self.agent].arc_cost_micro(self.position)
    }

    /// Cost of the arcs to and from its task, with another task in its place, less that of now.
    fn replacement_micro(self, other: Self) -> i64 {
        let next = self.shifted(self.position + 1);
        let arcs = self
            .model
            .cost_micro(self.previous_location(), other.location())
            + self.model.cost_micro(other.location(), next.location());
        arcs - self.arc_cost_micro() - next.arc_cost_micro()
    }

    fn piece(self, span: Range<usize>) -> Piece {
        Piece::new(self.agent, span)
    }
}

/// Relocates up to [`SPAN_MAX`] tasks from the first of `pair` on behind the second, or those up to
/// the first before the second.
pub(super) fn relocate<'a>(
    model: &'a Model<'a>,
    draft: &'a Draft,
    pair: (Place, Place),
) -> Option<Move> {
    let (from, to) = Position::pair(model, draft, pair);
    (1..=SPAN_MAX).find_map(|count| {
        let at = from.position;
        let ahead = (at + count <= from.count()).then_some(at..at + count);
        let behind = (at + 1).checked_sub(count).map(|start| start..at + 1);
        ahead
            .and_then(|span| move_span(from, span, to.shifted(to.position + 1)))
            .or_else(|| behind.and_then(|span| move_span(from, span, to)))
    })
}

/// Relocates a task, some or all from there on, to an idle agent.
pub(super) fn to_idle<'a>(model: &'a Model<'a>, draft: &'a Draft, place: Place) -> Option<Move> {
    let from = Position::new(model, draft, place);
    let mut class = NONE;
    for agent in 0..model.workers.len() {
        // Agents of a class are identical, and often consecutive.
        if !draft.paths[agent].visits.is_empty() || model.workers[agent].class == class {
            continue;
        }
        class = model.workers[agent].class;
        let to = Position {
            agent,
            position: 0,
            ..from
        };
        let rest = from.count() - from.position;
        let counts = (1..=SPAN_MAX.min(rest)).chain((rest > SPAN_MAX).then_some(rest));
        for count in counts {
            let found = move_span(from, from.position..from.position + count, to);
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// Relocates the tasks of `span` to the position `to`.
fn move_span(from: Position<'_>, span: Range<usize>, to: Position<'_>) -> Option<Move> {
    if span.start < from.committed() || to.position < to.committed() {
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
        model.cost_micro(first.previous_location(), last.location())
    };
    let opened = model.cost_micro(to.previous_location(), first.location())
        + model.cost_micro(last.previous_location(), to.location());
    let travel_micro =
        closed + opened - first.arc_cost_micro() - last.arc_cost_micro() - to.arc_cost_micro();
    let (count, at) = (from.count(), to.position);
    if !is_same {
        let left = NewPath::new(
            from.agent,
            [from.piece(0..span.start), from.piece(span.end..count)],
        );
        let rest = to.piece(at..to.count());
        let right = NewPath::new(to.agent, [to.piece(0..at), from.piece(span), rest]);
        return Move::of_paths(draft, model, [left, right], travel_micro);
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
    Move::of_path(
        draft,
        model,
        NewPath::new(from.agent, [head, one, two, rest]),
        travel_micro,
    )
}

/// Swaps the first task of `pair` with the one behind the second, or with the one before it.
pub(super) fn exchange<'a>(
    model: &'a Model<'a>,
    draft: &'a Draft,
    pair: (Place, Place),
) -> Option<Move> {
    let (one, two) = Position::pair(model, draft, pair);
    let behind = (two.position + 1 < two.count()).then(|| two.shifted(two.position + 1));
    let before = two
        .position
        .checked_sub(1)
        .map(|position| two.shifted(position));
    behind
        .and_then(|other| swap(one, other))
        .or_else(|| before.and_then(|other| swap(one, other)))
}

fn swap(one: Position<'_>, two: Position<'_>) -> Option<Move> {
    if one.position < one.committed() || two.position < two.committed() {
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
    let line = |at: Position<'_>, other: Position<'_>| {
        let task = other.piece(other.position..other.position + 1);
        let rest = at.piece(at.position + 1..at.count());
        NewPath::new(at.agent, [at.piece(0..at.position), task, rest])
    };
    let travel_micro = one.replacement_micro(two) + two.replacement_micro(one);
    Move::of_paths(draft, model, [line(one, two), line(two, one)], travel_micro)
}

/// Swaps two tasks of a path that are not adjacent; adjacent ones are swapped by a relocation.
fn swap_on_path(low: Position<'_>, high: Position<'_>) -> Option<Move> {
    if low.position + 1 >= high.position {
        return None;
    }
    let model = low.model;
    let travel_micro = low.replacement_micro(high) + high.replacement_micro(low);
    let task = |at: Position<'_>| at.piece(at.position..at.position + 1);
    let between = low.piece(low.position + 1..high.position);
    let rest = low.piece(high.position + 1..low.count());
    let pieces = [
        low.piece(0..low.position),
        task(high),
        between,
        task(low),
        rest,
    ];
    Move::of_path(
        low.draft,
        model,
        NewPath::new(low.agent, pieces),
        travel_micro,
    )
}

/// 2-opt*: the second task of `pair` and all after it follow the first, or vice versa.
pub(super) fn two_opt_star<'a>(
    model: &'a Model<'a>,
    draft: &'a Draft,
    pair: (Place, Place),
) -> Option<Move> {
    let (one, two) = Position::pair(model, draft, pair);
    if one.agent == two.agent {
        return None;
    }
    exchange_tails(one.shifted(one.position + 1), two)
        .or_else(|| exchange_tails(two.shifted(two.position + 1), one))
}

/// Exchanges the tails from two positions on. There is something before `one` and at `two`.
fn exchange_tails(one: Position<'_>, two: Position<'_>) -> Option<Move> {
    if one.position < one.committed() || two.position < two.committed() {
        return None;
    }
    let (model, draft) = (one.model, one.draft);
    let has_rest = one.position < one.count();
    // The last task of each tail is followed by the end place of the other agent.
    let homeward = |from: Position<'_>, to: Position<'_>| {
        model.cost_micro(from.end().previous_location(), to.end().location())
            - from.end().arc_cost_micro()
    };
    let mut travel_micro = model.cost_micro(one.previous_location(), two.location())
        + homeward(two, one)
        - one.arc_cost_micro()
        - two.arc_cost_micro();
    if has_rest {
        travel_micro +=
            model.cost_micro(two.previous_location(), one.location()) + homeward(one, two);
    } else if two.position > 0 {
        travel_micro += model.cost_micro(two.previous_location(), two.end().location());
    }
    let line = |at: Position<'_>, other: Position<'_>| {
        let rest = other.piece(other.position..other.count());
        NewPath::new(at.agent, [at.piece(0..at.position), rest])
    };
    Move::of_paths(draft, model, [line(one, two), line(two, one)], travel_micro)
}

/// 2-opt: reverses what lies between the two tasks, with the later of them.
pub(super) fn two_opt<'a>(
    model: &'a Model<'a>,
    draft: &'a Draft,
    pair: (Place, Place),
) -> Option<Move> {
    let (one, two) = Position::pair(model, draft, pair);
    let (low, high) = (
        one.position.min(two.position) + 1,
        one.position.max(two.position) + 1,
    );
    if one.agent != two.agent || low < one.committed() || high - low < 2 {
        return None;
    }
    let visits = &draft.paths[one.agent].visits;
    let mut inside = 0;
    for pair in visits[low..high].windows(2) {
        let back = model.cost_micro(pair[1].location, pair[0].location);
        if back == UNREACHABLE {
            return None;
        }
        inside += back - pair[1].arc_cost_micro;
    }
    let (first, next) = (one.shifted(low), one.shifted(high));
    let opened = model.cost_micro(first.previous_location(), next.previous_location())
        + model.cost_micro(first.location(), next.location());
    let travel_micro = inside + opened - first.arc_cost_micro() - next.arc_cost_micro();
    let turned = Piece::reversed(one.agent, low..high);
    let pieces = [one.piece(0..low), turned, one.piece(high..one.count())];
    Move::of_path(draft, model, NewPath::new(one.agent, pieces), travel_micro)
}
