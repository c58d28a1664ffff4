//! Analyses of levels and games, to the wire.

use super::names::Names;
use super::plan::step;
use super::tick::{done_to, interventions, lock_state};
use heist::analysis::{Definition, DefinitionKind, Rating};
use heist::design::{Explanation, Pitfall, Surprise, Unknown, Verdict};
use heist::game::{Ending, Target};
use heist::help::{GRADES, Help, Hint, hint};
use heist::{Museum, Thing};
use stratagem_proto::v1 as pb;

/// What is known about help.
pub(super) struct Known<'a> {
    pub best: Option<&'a Help>,
    /// Whatever is enough costs at least this much; `None`: nothing is.
    pub cost_min: Option<u32>,
}

/// The explanation, with the cost of earlier interventions.
pub(super) fn awaited(explanation: &Explanation, paid: u64, names: &Names) -> pb::HeistAnalysis {
    let pitfalls = explanation.pitfalls.iter().map(|one| pitfall(one, names));
    let surprises = explanation.surprises.iter().map(|one| surprise(one, names));
    pb::HeistAnalysis {
        pitfalls: pitfalls.collect(),
        surprises: surprises.collect(),
        unhelped_end: explanation
            .ending
            .map(|(ending, tick)| end(ending, explanation.room, tick, paid, names)),
        ..pb::HeistAnalysis::default()
    }
}

fn end(ending: Ending, room: usize, tick: u32, paid: u64, names: &Names) -> pb::HeistEnd {
    let (ending, by) = super::tick::ending(ending, names);
    pb::HeistEnd {
        ending: ending.into(),
        by_id: by.into(),
        room_id: names.rooms[room].clone(),
        tick_count: whole(tick + 1),
        cost: i64::try_from(paid).unwrap_or(i64::MAX),
    }
}

/// The same with what the level is like.
pub(super) fn rated(analysis: pb::HeistAnalysis, rating: &Rating) -> pb::HeistAnalysis {
    pb::HeistAnalysis {
        definitions: rating.definitions.iter().map(definition).collect(),
        difficulty: rating.difficulty.least.map(whole),
        difficulty_above: rating.difficulty.none_to.map(whole),
        ..analysis
    }
}

/// The same with help and hints.
pub(super) fn helped(
    analysis: pb::HeistAnalysis,
    known: &Known<'_>,
    museum: &Museum,
    names: &Names,
) -> pb::HeistAnalysis {
    use pb::HeistHelpKind as Kind;
    let kind = match (known.best, known.cost_min) {
        (Some(help), _) if help.interventions.is_empty() => Kind::Needless,
        (Some(help), Some(min)) if help.cost > min => Kind::Some,
        (Some(_), _) => Kind::Cheapest,
        (None, None) => Kind::None,
        (None, Some(_)) => Kind::Unknown,
    };
    let player_actions = known.best.map_or(&[][..], |help| &help.interventions);
    let hints =
        (1..=GRADES).filter_map(|grade| Some((grade, hint(museum, player_actions, grade)?)));
    pb::HeistAnalysis {
        help: Some(pb::HeistHelp {
            kind: kind.into(),
            interventions: interventions(player_actions, names),
            cost: known.best.map_or(0, |help| whole(help.cost)),
            cost_bound: known.cost_min.map(whole),
        }),
        hints: hints
            .map(|(grade, hint)| hint_of(grade, &hint, names))
            .collect(),
        ..analysis
    }
}

fn pitfall(given: &Pitfall, names: &Names) -> pb::HeistPitfall {
    let Pitfall {
        room,
        action,
        unknown,
    } = given;
    pb::HeistPitfall {
        room_id: names.rooms[*room].clone(),
        step: i32::try_from(*action).unwrap_or(i32::MAX),
        unknown: unknown
            .iter()
            .map(|one| self::unknown(*one, names))
            .collect(),
    }
}

fn unknown(given: Unknown, names: &Names) -> pb::HeistUnknown {
    match given {
        Unknown::Camera(camera) => {
            let id = names.cameras[camera].clone();
            pb::HeistUnknown {
                message: format!("the burglar does not know that camera {id} is on"),
                by_id: id,
                believed_room_id: String::new(),
            }
        }
        Unknown::Guard(guard, believed) => {
            let id = names.agents[guard].clone();
            let room = believed.map_or("", |room| &names.rooms[room]);
            let message = match believed {
                Some(_) => format!("the burglar believes guard {id} to be in {room}"),
                None => format!("the burglar does not know of guard {id}"),
            };
            pb::HeistUnknown {
                message,
                by_id: id,
                believed_room_id: room.into(),
            }
        }
    }
}

fn surprise(given: &Surprise, names: &Names) -> pb::HeistSurprise {
    let Surprise {
        tick,
        action,
        refusal,
        wrong,
    } = given;
    let mut surprise = pb::HeistSurprise {
        tick: whole(*tick),
        step: Some(step(*action, names)),
        refusal: refusal.code().into(),
        ..pb::HeistSurprise::default()
    };
    if let Some((thing, was, is)) = *wrong {
        surprise.subject_id = names.thing_id(thing).into();
        surprise.set_lock_state_before(lock_state(was));
        surprise.set_lock_state_after(lock_state(is));
    }
    surprise
}

fn definition(given: &Definition) -> pb::HeistDefinition {
    let kind = match given.kind {
        DefinitionKind::F => pb::HeistDefinitionKind::F,
        DefinitionKind::FPrime => pb::HeistDefinitionKind::FPrime,
    };
    let verdict = match given.verdict {
        Verdict::Yes => pb::HeistVerdict::Yes,
        Verdict::No => pb::HeistVerdict::No,
        Verdict::Unknown => pb::HeistVerdict::Unknown,
    };
    pb::HeistDefinition {
        kind: kind.into(),
        n: whole(given.n),
        verdict: verdict.into(),
    }
}

fn hint_of(grade: u32, hint: &Hint, names: &Names) -> pb::HeistHint {
    let empty = pb::HeistHint {
        grade: whole(grade),
        ..pb::HeistHint::default()
    };
    match hint {
        Hint::Deeds(1) => pb::HeistHint {
            message: "one action is enough".into(),
            intervention_count: 1,
            ..empty
        },
        Hint::Deeds(count) => pb::HeistHint {
            message: format!("{count} actions are enough"),
            intervention_count: i32::try_from(*count).unwrap_or(i32::MAX),
            ..empty
        },
        Hint::Near { rooms, tick } => {
            let ids: Vec<String> = rooms.iter().map(|it| names.rooms[*it].clone()).collect();
            pb::HeistHint {
                message: match &ids[..] {
                    [a, b] => format!("look between {a} and {b}, before tick {tick}"),
                    ids => format!("look into {}, before tick {tick}", ids.join(", ")),
                },
                tick: Some(whole(*tick)),
                room_ids: ids,
                ..empty
            }
        }
        Hint::Target(target) => {
            let (id, what) = subject(*target, names);
            pb::HeistHint {
                message: format!("it is about {what}"),
                target_id: id.into(),
                ..empty
            }
        }
        Hint::PlayerAction(it) => {
            let (verb, id) = done_to(it.player_action.verb, it.player_action.target, names);
            let (_, what) = subject(it.player_action.target, names);
            pb::HeistHint {
                message: format!("before tick {}: {} {what}", it.tick, it.player_action.verb),
                tick: Some(whole(it.tick)),
                target_id: id.into(),
                verb: verb.into(),
                ..empty
            }
        }
    }
}

/// Its id, and what it is called.
fn subject(target: Target, names: &Names) -> (&str, String) {
    let kind = match target {
        Target::Thing(Thing::Door(_)) => "door",
        Target::Thing(Thing::Container(_)) => "container",
        Target::Thing(Thing::Machine(_)) => "vending machine",
        Target::Camera(_) => "camera",
    };
    let id = match target {
        Target::Thing(thing) => names.thing_id(thing),
        Target::Camera(camera) => &names.cameras[camera],
    };
    (id, format!("{kind} {id}"))
}

fn whole(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
