//! A problem, from the wire.

use super::errors::mistake;
use super::names::Names;
use crate::wire::mistakes::Mistakes;
use crate::wire::path::Path;
use crate::wire::values::each;
use crew::problem::{
    ARCS_MAX, DAMAGE_MAX_MICRO, EVENTS_MAX, PLAYERS_MAX, TIME_MAX_US, TOOLS_MAX, VERTICES_MAX,
};
use crew::{Arc, Effort, Event, Limit, Problem, Spec};
use prost_types::Duration;
use stratagem_proto::v1 as pb;

const TITLE_MAX: usize = 200;
const DESCRIPTION_MAX: usize = 4_000;
const LABEL_MAX: usize = 200;
/// Farthest that something is drawn.
const DRAWN_MAX: f64 = 1e6;
/// Most damage, in ones.
pub(super) const DAMAGE_MAX: f64 = 1e9;
/// How long a way takes unless told: one second.
const WALK_DEFAULT_US: u64 = 1_000_000;
/// Highest rank of an event.
const RANK_MAX: i64 = 100;
/// The vertex of what could not be read.
const NOWHERE: usize = usize::MAX;

/// A checked problem, and the names in it.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub problem: Problem,
    pub names: Names,
}

/// A problem; `None` when there are mistakes.
pub(crate) fn problem(
    given: pb::CrewProblem,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Decoded> {
    if !sizes(&given, at, wrong) {
        // Not looked into: nothing of that size was meant to be solved.
        return None;
    }
    let pb::CrewProblem {
        title,
        description,
        nodes,
        arcs,
        players,
        tools,
        events,
        max_duration,
        max_damage,
        max_damage_kind,
        allow_revisits,
    } = given;
    wrong.text(&at.field("title"), &title, TITLE_MAX);
    wrong.text(&at.field("description"), &description, DESCRIPTION_MAX);
    let mut names = Names::default();
    each(nodes, &at.field("nodes"), |it, at| {
        node(it, at, &mut names, wrong);
    });
    let spec = Spec {
        vertices: names.nodes.list().len(),
        arcs: self::arcs(arcs, &at.field("arcs"), &mut names, wrong),
        players: each(players, &at.field("players"), |it, at| {
            let pb::CrewPlayer { id, node_id, label } = it;
            names.players.take(&at.field("id"), id, wrong);
            wrong.text(&at.field("label"), &label, LABEL_MAX);
            vertex(&node_id, &at.field("node_id"), &names, wrong)
        }),
        tools: each(tools, &at.field("tools"), |it, at| {
            let pb::CrewTool { id, node_id, label } = it;
            names.tools.take(&at.field("id"), id, wrong);
            wrong.text(&at.field("label"), &label, LABEL_MAX);
            vertex(&node_id, &at.field("node_id"), &names, wrong)
        }),
        events: each(events, &at.field("events"), |it, at| {
            event(it, at, &mut names, wrong)
        }),
        time_max_us: max_duration.map_or(TIME_MAX_US, |given| {
            time(given, &at.field("max_duration"), 0, wrong)
        }),
        damage_max: {
            let most = max_damage.map_or(DAMAGE_MAX_MICRO, |given| {
                damage(given, &at.field("max_damage"), wrong)
            });
            let at = at.field("max_damage_kind");
            limit(max_damage_kind, most, &at, wrong)
        },
        once: allow_revisits == Some(false),
    };
    // Also with mistakes of single fields, so that the caller hears about everything at once.
    let checked = Problem::new(spec).map_err(|errors| {
        for told in errors.iter().filter_map(|error| mistake(error, &names)) {
            wrong.add_unless_known(told.at(at));
        }
    });
    let problem = checked.ok()?;
    wrong.is_empty().then_some(Decoded { problem, names })
}

fn sizes(given: &pb::CrewProblem, at: &Path<'_>, wrong: &mut Mistakes) -> bool {
    let sizes = [
        ("nodes", given.nodes.len(), VERTICES_MAX),
        ("arcs", given.arcs.len(), ARCS_MAX),
        ("players", given.players.len(), PLAYERS_MAX),
        ("tools", given.tools.len(), TOOLS_MAX),
        ("events", given.events.len(), EVENTS_MAX),
    ];
    let fits = sizes.map(|(field, given, max)| wrong.size(&at.field(field), given, max));
    let events = at.field("events");
    let efforts = given.events.iter().take(EVENTS_MAX).enumerate();
    let efforts = efforts.map(|(index, event)| {
        let (at, given) = (events.index(index), event.efforts.len());
        wrong.size(&at.field("efforts"), given, PLAYERS_MAX)
    });
    !efforts
        .chain(fits)
        .fold(false, |too_large, fits| too_large | !fits)
}

fn node(given: pb::CrewNode, at: &Path<'_>, names: &mut Names, wrong: &mut Mistakes) {
    let pb::CrewNode { id, label, x, y } = given;
    names.nodes.take(&at.field("id"), id, wrong);
    wrong.text(&at.field("label"), &label, LABEL_MAX);
    for (field, place) in [("x", x), ("y", y)] {
        if let Some(place) = place {
            wrong.number(&at.field(field), place, -DRAWN_MAX..=DRAWN_MAX);
        }
    }
}

/// Arcs; one that leads both ways is two.
fn arcs(
    given: Vec<pb::CrewArc>,
    at: &Path<'_>,
    names: &mut Names,
    wrong: &mut Mistakes,
) -> Vec<Arc> {
    let mut arcs = Vec::with_capacity(2 * given.len());
    for (index, given) in given.into_iter().enumerate() {
        let at = at.index(index);
        let pb::CrewArc {
            from_node_id,
            to_node_id,
            walk_duration,
            fetch_damage,
            carry_damage,
            one_way,
        } = given;
        let arc = Arc {
            from: vertex(&from_node_id, &at.field("from_node_id"), names, wrong),
            to: vertex(&to_node_id, &at.field("to_node_id"), names, wrong),
            time_us: walk_duration.map_or(WALK_DEFAULT_US, |given| {
                time(given, &at.field("walk_duration"), 1, wrong)
            }),
            fetch_micro: damage(fetch_damage, &at.field("fetch_damage"), wrong),
            carry_micro: damage(carry_damage, &at.field("carry_damage"), wrong),
        };
        arcs.push(arc);
        names.arc_at.push(index);
        if !one_way {
            arcs.push(Arc {
                from: arc.to,
                to: arc.from,
                ..arc
            });
            names.arc_at.push(index);
        }
    }
    arcs
}

fn event(given: pb::CrewEvent, at: &Path<'_>, names: &mut Names, wrong: &mut Mistakes) -> Event {
    let pb::CrewEvent {
        id,
        node_id,
        label,
        efforts,
        rank,
    } = given;
    names.events.take(&at.field("id"), id, wrong);
    wrong.text(&at.field("label"), &label, LABEL_MAX);
    Event {
        vertex: vertex(&node_id, &at.field("node_id"), names, wrong),
        // Not negative: of the range.
        rank: wrong.whole(&at.field("rank"), rank.into(), 0..=RANK_MAX) as u32,
        efforts: each(efforts, &at.field("efforts"), |it, at| {
            let pb::CrewEffort {
                work_duration,
                damage: harm,
            } = it;
            Effort {
                time_us: work_duration
                    .map_or(0, |given| time(given, &at.field("work_duration"), 0, wrong)),
                damage_micro: damage(harm, &at.field("damage"), wrong),
            }
        }),
    }
}

/// The vertex of a node.
fn vertex(id: &str, at: &Path<'_>, names: &Names, wrong: &mut Mistakes) -> usize {
    names.nodes.find(at, id, wrong).unwrap_or(NOWHERE)
}

/// A time of at least so much.
pub(super) fn time(given: Duration, at: &Path<'_>, least: i64, wrong: &mut Mistakes) -> u64 {
    // Ten years: fits. Not negative: of the range.
    let micros = wrong.micros(at, given, least..=TIME_MAX_US as i64);
    u64::try_from(micros).unwrap_or(0)
}

/// A damage.
pub(super) fn damage(given: f64, at: &Path<'_>, wrong: &mut Mistakes) -> u64 {
    let micro = wrong.micro(at, given, 0.0..=DAMAGE_MAX);
    u64::try_from(micro).unwrap_or(0)
}

fn limit(given: i32, most: u64, at: &Path<'_>, wrong: &mut Mistakes) -> Limit {
    use pb::CrewLimitKind as Kind;
    match wrong.choice(at, given).unwrap_or_default() {
        Kind::Unspecified | Kind::Inclusive => Limit::Within(most),
        Kind::Exclusive => Limit::Below(most),
    }
}
