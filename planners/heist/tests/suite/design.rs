//! Levels have the pitfalls that they are to have.

use crate::replay::verify_record;
use anytime::{Conclusion, Limits, record};
use heist::design::{
    Kinds, Level, LevelCost, Params, Played, TrapKind, Unknown, design, explain, missing_traps,
    verify_level,
};
use heist::game::{Catcher, Ending, Rules, play};
use heist::generate::{MuseumParams, line3, museum8, ring4, solvable, two_rings};
use heist::{AgentTask, Thing, World, exists};

fn best(world: &World, params: &Params) -> (Option<Level>, Vec<LevelCost>, Conclusion) {
    let found = record(Limits::iterations(50_000), 1, |control| {
        design(world, params, control)
    });
    let found = found.expect("supported");
    for (level, cost) in &found.offers {
        assert_eq!(
            verify_level(world, params, level),
            Ok(*cost),
            "by the judge"
        );
    }
    let costs = found.offers.iter().map(|(_, cost)| *cost).collect();
    let conclusion = found.conclusion;
    (found.plan(), costs, conclusion)
}

const THREE: Params = Params {
    traps: 3,
    kinds: Kinds::Cameras,
    played: None,
};

fn played() -> Params {
    let played = Played {
        rules: Rules {
            ticks_max: 200,
            ..Rules::default()
        },
        cost_max: 3,
        games_max: 2_000,
    };
    Params {
        played: Some(played),
        ..THREE
    }
}

#[test]
fn as_many_traps_are_placed_as_are_known_to_fit() {
    for params in [THREE, played()] {
        let worlds = [
            ring4(&[1]),
            ring4(&[1, 3]),
            line3(),
            two_rings(&[1, 5]),
            two_rings(&[]),
        ];
        let placed = worlds.map(|world| best(&world, &params).0.map_or(0, |it| it.traps.len()));
        assert_eq!(placed, [1, 1, 0, 2, 2]);
    }
    let (_, costs, end) = best(&ring4(&[1]), &THREE);
    assert_eq!((costs[0].missing, end), (2, Conclusion::Optimal));
    let (_, costs, end) = best(&line3(), &THREE);
    assert_eq!((costs.len(), end), (0, Conclusion::Infeasible));
}

#[test]
fn traps_are_of_the_kinds_asked_for_and_unknown_to_the_burglar() {
    for kinds in [Kinds::Cameras, Kinds::Guards, Kinds::Both, Kinds::Patrols] {
        let params = Params { kinds, ..played() };
        let level = best(&two_rings(&[]), &params).0.unwrap();
        let world = &level.world;
        let known = world.agents()[0].belief.traps(world.museum());
        assert!(known.iter().all(|known| !known));
        let fits = level
            .traps
            .iter()
            .enumerate()
            .all(|(index, trap)| match (kinds, trap.kind) {
                (Kinds::Cameras, TrapKind::Camera(_)) => true,
                (Kinds::Guards, TrapKind::Guard(_)) => true,
                (Kinds::Both, TrapKind::Camera(_)) => index == 0,
                (Kinds::Both, TrapKind::Guard(_)) => index == 1,
                (Kinds::Patrols, TrapKind::Guard(_) | TrapKind::Patrol(_)) => true,
                _ => false,
            });
        assert!(fits, "{kinds:?}: {:?}", level.traps);
        assert_eq!(level.traps.len(), 2);
    }
}

#[test]
fn pitfalls_are_explained() {
    let world = two_rings(&[1, 5]);
    let explanation = explain(&world, Rules::default());
    let rooms: Vec<_> = explanation
        .pitfalls
        .iter()
        .map(|it| (it.room, it.action))
        .collect();
    assert_eq!(rooms, [(1, 1), (5, 7)]);
    assert_eq!(explanation.pitfalls[1].unknown, [Unknown::Camera(1)]);
    assert_eq!(explanation.caught(), Some((Catcher::Camera(0), 1)));
    assert_eq!(explanation.surprises, []);
    let explanation = explain(&museum8(), Rules::default());
    assert_eq!(explanation.pitfalls, []);
    let surprise = explanation.surprises[0];
    assert_eq!(surprise.wrong.unwrap().0, Thing::Door(4));
}

#[test]
fn levels_are_lost_alone_won_with_help_and_avoidable() {
    let mut levels = 0;
    for seed in 0..40 {
        let kinds = [Kinds::Cameras, Kinds::Both, Kinds::Patrols][seed as usize % 3];
        let museum_params = MuseumParams {
            columns: 3,
            rows: 3,
            loops_percent: 80,
            machines: 1,
            wrong_percent: 5,
            ..MuseumParams::default()
        };
        let world = solvable(&museum_params, seed).unwrap();
        let params = Params {
            kinds,
            traps: 2,
            ..played()
        };
        let (level, costs, _) = best(&world, &params);
        assert!(costs.is_sorted_by(|a, b| a > b));
        let Some(level) = level else {
            continue;
        };
        levels += 1;
        let rules = params.played.unwrap().rules;
        let alone = play(&level.world, rules, &[]).unwrap();
        assert!(matches!(alone.ending, Ending::Caught { .. }), "seed {seed}");
        let help = level.help.unwrap();
        let helped = play(&level.world, rules, &help.interventions).unwrap();
        assert_eq!(
            (helped.ending, helped.cost),
            (Ending::Won, u64::from(help.cost))
        );
        assert_eq!(verify_record(&level.world, rules, &helped), Ok(()));
        let mut traps = vec![false; world.museum().rooms()];
        for trap in &level.traps {
            traps[trap.room] = true;
        }
        assert!(exists(&AgentTask::of_burglar(&world, &traps)));
    }
    assert!(levels > 10, "{levels}");
}

#[test]
fn each_room_without_a_trap_has_its_reason() {
    let world = ring4(&[]);
    let params = Params {
        traps: 3,
        ..played()
    };
    let (level, ..) = best(&world, &params);
    let level = level.expect("there are two ways");
    let missing = missing_traps(&world, &params, Some(&level), &mut || true);
    let taken = level.traps[0].room;
    let of = |room: usize| missing.iter().find(|it| it.subject == Some(("room", room)));
    assert_eq!(of(taken), None);
    let across = of(2).map(|it| it.fault.code);
    assert_eq!(across, Some("ROOM_UNAVOIDABLE"), "the artifact is there");
    let short = missing.iter().find(|it| it.fault.code == "WAY_TOO_SHORT");
    let text = "the burglar's plan enters no more than 2 other rooms";
    assert_eq!(short.unwrap().fault.to_string(), text);
    let one = Params { traps: 1, ..params };
    let none = missing_traps(&world, &one, Some(&level), &mut || true);
    assert!(none.is_empty(), "nothing is missing");
    let missing = missing_traps(&line3(), &params, None, &mut || true);
    assert!(!missing.is_empty(), "{missing:?}");
    let unsolved = missing
        .iter()
        .all(|it| it.is_proved && ["ROOM_UNAVOIDABLE", "WAY_TOO_SHORT"].contains(&it.fault.code));
    assert!(unsolved, "there is one way: {missing:?}");
}

#[test]
fn reasons_agree_with_what_is_tried() {
    let mut seen = std::collections::BTreeMap::new();
    for seed in 0..80 {
        let museum_params = MuseumParams {
            columns: 3,
            rows: 3,
            loops_percent: 80,
            wrong_percent: 10,
            ..MuseumParams::default()
        };
        let world = solvable(&museum_params, seed).unwrap();
        // Games take their time: a few are enough.
        let params = Params {
            traps: 4,
            ..if seed % 20 == 0 { played() } else { THREE }
        };
        let (level, ..) = best(&world, &params);
        let missing = missing_traps(&world, &params, level.as_ref(), &mut || true);
        let burglar = &world.agents()[0];
        for reason in missing {
            let code = reason.fault.code;
            *seen.entry(code).or_insert(0) += 1;
            let Some((_, room)) = reason.subject else {
                continue;
            };
            let mut traps = burglar.belief.traps(world.museum());
            traps[room] = true;
            let task = |traps: &[bool]| exists(&AgentTask::of_burglar(&world, traps));
            assert_eq!(!task(&traps), code == "ROOM_UNAVOIDABLE");
            for trap in level.iter().flat_map(|it| &it.traps) {
                traps[trap.room] = true;
            }
            let alone = ["ROOM_UNAVOIDABLE", "NOT_ALL_AT_ONCE"].contains(&code);
            assert_eq!(!task(&traps), alone, "{reason:?}");
        }
    }
    for name in ["ROOM_UNAVOIDABLE", "NOT_ALL_AT_ONCE"] {
        assert!(seen.get(name).is_some_and(|it| *it > 4), "{seen:?}");
    }
    assert!(
        !seen.contains_key("FITS"),
        "the search comes to all: {seen:?}"
    );
}

/// How a level is spoilt, and the rules that it then breaks.
type Case = (fn(&mut Level), &'static [&'static str]);

const SPOILT: &[Case] = &[
    (
        |level| level.traps.clear(),
        &["OUT_OF_RANGE traps are 0, 1 to 3 are wanted"],
    ),
    (
        |level| level.traps.push(level.traps[0]),
        &["DUPLICATE traps[1] is in a room that has one already"],
    ),
    (
        |level| level.traps[0].kind = TrapKind::Camera(9),
        &["CONTRADICTION traps[0] catches no burglar in its room, or the burglar knows of it"],
    ),
    (
        |level| level.traps[0].room = 3,
        &[
            "CONTRADICTION traps[0] catches no burglar in its room, or the burglar knows of it",
            "CONTRADICTION traps[0] is not on the burglar's path",
        ],
    ),
    (
        |level| level.traps[0].room = 2,
        &[
            "CONTRADICTION traps[0] catches no burglar in its room, or the burglar knows of it",
            "CONTRADICTION traps cannot all be avoided by a plan",
        ],
    ),
    (
        |level| level.world = ring4(&[]),
        &[
            "CONTRADICTION traps[0] catches no burglar in its room, or the burglar knows of it",
            "CONTRADICTION world does not have the burglar caught without help",
        ],
    ),
    (
        |level| level.help = None,
        &["CONTRADICTION help does not help, or is not what it costs"],
    ),
    (
        |level| level.help.iter_mut().for_each(|help| help.cost += 1),
        &["CONTRADICTION help does not help, or is not what it costs"],
    ),
];

#[test]
fn every_rule_that_a_level_breaks_is_named() {
    let (world, params) = (ring4(&[1]), played());
    let level = best(&world, &params).0.unwrap();
    for (spoil, expected) in SPOILT {
        let mut level = level.clone();
        spoil(&mut level);
        let faults = verify_level(&world, &params, &level).unwrap_err();
        let broken = faults.iter().map(|it| format!("{} {it}", it.code));
        assert_eq!(broken.collect::<Vec<_>>(), *expected);
    }
}

#[test]
fn several_guards_walk_where_that_catches_him() {
    let mut several = 0;
    for seed in 0..30 {
        let museum_params = MuseumParams {
            columns: 3,
            rows: 3,
            loops_percent: 100,
            ..MuseumParams::default()
        };
        let params = Params {
            kinds: Kinds::Patrols,
            traps: 2,
            ..played()
        };
        let Some(world) = solvable(&museum_params, seed) else {
            continue;
        };
        let (Some(level), ..) = best(&world, &params) else {
            continue;
        };
        let walks = level.traps.iter();
        let walks = walks.filter(|trap| matches!(trap.kind, TrapKind::Patrol(_)));
        several += usize::from(walks.count() > 1);
    }
    assert!(several > 4, "{several}");
}

#[test]
fn help_that_is_not_proved_has_a_bound() {
    let mut loose = 0;
    for seed in 0..40 {
        let museum_params = MuseumParams {
            columns: 4,
            rows: 3,
            loops_percent: 60,
            ..MuseumParams::default()
        };
        let Some(world) = solvable(&museum_params, seed) else {
            continue;
        };
        // Too few to prove much.
        let games_max = 8 * (1 + seed % 5);
        let params = Params {
            traps: 2,
            played: played().played.map(|played| Played {
                games_max,
                ..played
            }),
            ..played()
        };
        let (Some(level), ..) = best(&world, &params) else {
            continue;
        };
        let help = level.help.expect("levels are played");
        assert!(level.help_cost_min <= help.cost);
        loose += usize::from(level.help_cost_min < help.cost);
        let rules = params.played.unwrap().rules;
        let helped = play(&level.world, rules, &help.interventions).unwrap();
        assert_eq!(helped.ending, Ending::Won);
    }
    assert!(loose > 0, "{loose}");
}
