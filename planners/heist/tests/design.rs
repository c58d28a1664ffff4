//! Levels have the pitfalls that they are to have.

use anytime::{Conclusion, Control, Limits};
use heist::design::{
    Kinds, Level, LevelCost, Params, Played, TrapKind, Unknown, Verdict, definition_f,
    definition_f_prime, design, difficulty, explain, verify_level,
};
use heist::game::{Catcher, Ending, Rules, play, verify_record};
use heist::generate::{Mold, line3, museum8, ring4, solvable, two_rings};
use heist::museum::Thing;
use heist::rules::Hand;
use heist::{Action, Errand, Facts, Leaf, Place, World, best_plan, exists};

/// The five small worlds, and for which n up to 2 F and F' hold.
fn known() -> [(World, [bool; 3], [bool; 3]); 5] {
    let (yes, no) = (true, false);
    [
        (ring4(&[1]), [no, yes, no], [no, yes, yes]),
        (ring4(&[1, 3]), [no; 3], [no; 3]),
        (line3(), [no; 3], [no; 3]),
        (two_rings(&[1, 5]), [no, no, yes], [no, no, yes]),
        (two_rings(&[]), [no; 3], [yes, no, no]),
    ]
}

#[test]
fn the_definitions_hold_where_they_are_known_to() {
    for (index, (world, f, f_prime)) in known().iter().enumerate() {
        for n in 0..3 {
            let verdict = |holds: bool| if holds { Verdict::Yes } else { Verdict::No };
            let decided = definition_f(world, n, &mut || true);
            assert_eq!(decided, verdict(f[n]), "F({n}) of world {index}");
            let decided = definition_f_prime(world, n as u32, &mut || true);
            assert_eq!(decided, verdict(f_prime[n]), "F'({n}) of world {index}");
        }
        let least = f_prime.iter().position(|holds| *holds);
        let least = least.map(|n| n as u32);
        assert_eq!(difficulty(world, 2, &mut || true).least, least);
    }
}

#[test]
fn what_is_stopped_is_unknown() {
    let world = two_rings(&[1, 5]);
    assert_eq!(definition_f(&world, 2, &mut || false), Verdict::Unknown);
    let mut left = 5;
    let mut go = || {
        left -= 1;
        left > 0
    };
    assert_eq!(definition_f_prime(&world, 2, &mut go), Verdict::Unknown);
}

fn best(world: &World, params: &Params) -> (Option<Level>, Vec<LevelCost>, Conclusion) {
    let mut best = None;
    let mut costs = Vec::new();
    let mut sink = |level: &Level, cost: LevelCost| {
        assert_eq!(verify_level(world, params, level), Ok(cost), "by the judge");
        best = Some(level.clone());
        costs.push(cost);
    };
    let mut control = Control::new(Limits::iterations(50_000), 1, &mut sink);
    let end = design(world, params, &mut control).expect("supported");
    (best, costs, end)
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
        let placed =
            known().map(|(world, ..)| best(&world, &params).0.map_or(0, |it| it.traps.len()));
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
    let told = explain(&world, Rules::default());
    let rooms: Vec<_> = told
        .pitfalls
        .iter()
        .map(|it| (it.room, it.action))
        .collect();
    assert_eq!(rooms, [(1, 1), (5, 7)]);
    assert_eq!(told.pitfalls[1].unknown, [Unknown::Camera(1)]);
    assert_eq!(told.caught(), Some((Catcher::Camera(0), 1)));
    assert_eq!(told.surprises, []);
    let told = explain(&museum8(), Rules::default());
    assert_eq!(told.pitfalls, []);
    let surprise = told.surprises[0];
    assert_eq!(surprise.wrong.unwrap().0, Thing::Door(4));
}

/// What comes of the burglar's plan in these beliefs as things are: the trap rooms that it enters, whether it works, and whether it is
/// caught before it fails.
fn walk(world: &World, believed: &Facts, real: &Facts) -> Option<(usize, bool, bool)> {
    let burglar = &world.agents()[0];
    let museum = world.museum();
    let cameras = museum.layout().cameras.iter().zip(&world.facts().cameras);
    let trapped: Vec<usize> = cameras.filter(|it| *it.1).map(|it| *it.0).collect();
    let plan = best_plan(&Errand {
        museum,
        facts: believed,
        body: burglar.body,
        agent: 0,
        goal: &burglar.goal,
        traps: &burglar.belief.traps(museum),
    })?;
    let (mut facts, mut body) = (real.clone(), burglar.body);
    let (mut room, mut rooms) = (body.room, Vec::new());
    let (mut works, mut caught) = (true, false);
    for action in plan.actions {
        let mut hand = Hand {
            museum,
            facts: &mut facts,
            body: &mut body,
            agent: 0,
        };
        works = works && hand.act(action).is_ok();
        caught = caught || works && trapped.contains(&body.room);
        if let Action::Enter(door) = action {
            room = museum.behind(door, room);
            rooms.push(room);
        }
    }
    rooms.sort_unstable();
    rooms.dedup();
    rooms.retain(|room| trapped.contains(room));
    Some((rooms.len(), works, caught))
}

/// Whether F(n) holds, by trying every state of every door and container.
fn f_by_force(world: &World, n: usize) -> bool {
    let believed = &world.agents()[0].belief.facts;
    let first = walk(world, believed, world.facts());
    if !first.is_some_and(|(rooms, _, caught)| rooms == n && caught) {
        return false;
    }
    let layout = world.museum().layout();
    let doors = (0..layout.doors.len()).map(Thing::Door);
    let things = doors.chain((0..layout.containers.len()).map(Thing::Container));
    let things: Vec<_> = things.collect();
    let states = [
        None,
        Some(Leaf::OPEN),
        Some(Leaf::CLOSED),
        Some(Leaf::LOCKED),
    ];
    (0..4_usize.pow(things.len() as u32)).any(|mut choice| {
        let (mut believed, mut real) = (believed.clone(), world.facts().clone());
        for &thing in &things {
            if let Some(state) = states[choice % 4] {
                for facts in [&mut believed, &mut real] {
                    *facts.leaf_mut(thing).expect("a door or container") = state;
                }
            }
            choice /= 4;
        }
        let walk = walk(world, &believed, &real);
        walk.is_some_and(|(rooms, works, _)| rooms == 0 && works)
    })
}

#[test]
fn f_agrees_with_trying_everything() {
    let mut seen = [0; 2];
    for seed in 0..60 {
        let mold = Mold {
            columns: 2,
            rows: 2,
            loops_percent: 100,
            keys: (seed % 2) as usize,
            cameras: (seed / 2 % 2) as usize,
            wrong_percent: 10,
            ..Mold::default()
        };
        let Some(mut world) = solvable(&mold, seed) else {
            continue;
        };
        if mold.keys > 0 && seed / 4 % 2 == 0 {
            // Whoever has the key may prefer a locked door to a detour.
            let mut spec = world.spec();
            spec.facts.items[0] = Place::With(0);
            for agent in &mut spec.agents {
                agent.belief.facts.items[0] = Place::With(0);
            }
            world = World::new(spec).unwrap();
        }
        if mold.cameras == 0
            && let (Some(level), ..) = best(&world, &THREE)
        {
            world = level.world;
        }
        for n in 1..3 {
            let decided = definition_f(&world, n, &mut || true);
            let holds = f_by_force(&world, n);
            let expected = if holds { Verdict::Yes } else { Verdict::No };
            assert_eq!(decided, expected, "seed {seed}, F({n})");
            seen[usize::from(holds)] += 1;
        }
    }
    assert!(seen.iter().all(|it| *it > 9), "{seen:?}");
}

#[test]
fn levels_are_lost_alone_won_with_help_and_avoidable() {
    let mut levels = 0;
    for seed in 0..40 {
        let kinds = [Kinds::Cameras, Kinds::Both, Kinds::Patrols][seed as usize % 3];
        let mold = Mold {
            columns: 3,
            rows: 3,
            loops_percent: 80,
            machines: 1,
            wrong_percent: 5,
            ..Mold::default()
        };
        let world = solvable(&mold, seed).unwrap();
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
        let burglar = &world.agents()[0];
        let mut traps = vec![false; world.museum().rooms()];
        for trap in &level.traps {
            traps[trap.room] = true;
        }
        assert!(exists(&Errand {
            museum: world.museum(),
            facts: &burglar.belief.facts,
            body: burglar.body,
            agent: 0,
            goal: &burglar.goal,
            traps: &traps,
        }));
    }
    assert!(levels > 10, "{levels}");
}
