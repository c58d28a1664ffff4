//! The definitions of the paper are decided as they are defined.

use anytime::{Limits, record};
use heist::design::{
    Kinds, Level, Params, Verdict, definition_f, definition_f_prime, design, difficulty,
};
use heist::generate::{MuseumParams, line3, ring4, solvable, two_rings};
use heist::museum::Thing;
use heist::rules::Actor;
use heist::{Action, AgentTask, Facts, LockState, Place, World, best_plan};

/// A level with up to three traps.
fn level(world: &World) -> Option<Level> {
    let three = Params {
        traps: 3,
        kinds: Kinds::Cameras,
        played: None,
    };
    let found = record(Limits::iterations(50_000), 1, |control| {
        design(world, &three, control)
    });
    found.expect("supported").plan()
}

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

/// What comes of the burglar's plan in these beliefs as things are: the trap rooms that it enters,
/// whether it works, and whether it is caught before it fails.
fn walk(world: &World, believed: &Facts, real: &Facts) -> Option<(usize, bool, bool)> {
    let burglar = &world.agents()[0];
    let museum = world.museum();
    let cameras = museum.layout().cameras.iter().zip(&world.facts().cameras);
    let trapped: Vec<usize> = cameras.filter(|it| *it.1).map(|it| *it.0).collect();
    let plan = best_plan(&AgentTask {
        facts: believed,
        ..AgentTask::of_burglar(world, &burglar.belief.traps(museum))
    })?;
    let (mut facts, mut position) = (real.clone(), burglar.position);
    let (mut room, mut rooms) = (position.room, Vec::new());
    let (mut works, mut caught) = (true, false);
    for action in plan.actions {
        let mut hand = Actor {
            museum,
            facts: &mut facts,
            position: &mut position,
            agent: 0,
        };
        works = works && hand.act(action).is_ok();
        caught = caught || works && trapped.contains(&position.room);
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

/// Whether F(n) holds, by trying `choices` changes of what is believed and of what is real.
fn f_by(world: &World, n: usize, choices: u32, change: impl Fn(u32, &mut Facts)) -> bool {
    let (believed, real) = (&world.agents()[0].belief.facts, world.facts());
    let first = walk(world, believed, real);
    first.is_some_and(|(rooms, _, caught)| rooms == n && caught)
        && (0..choices).any(|choice| {
            let [mut believed, mut real] = [believed.clone(), real.clone()];
            change(choice, &mut believed);
            change(choice, &mut real);
            let walk = walk(world, &believed, &real);
            walk.is_some_and(|(rooms, works, _)| rooms == 0 && works)
        })
}

/// The same, by trying every state of every door and container.
fn f_by_force(world: &World, n: usize) -> bool {
    let layout = world.museum().layout();
    let doors = (0..layout.doors.len()).map(Thing::Door);
    let things = doors.chain((0..layout.containers.len()).map(Thing::Container));
    let things: Vec<_> = things.collect();
    let states = [
        None,
        Some(LockState::OPEN),
        Some(LockState::CLOSED),
        Some(LockState::LOCKED),
    ];
    f_by(
        world,
        n,
        4_u32.pow(things.len() as u32),
        |mut choice, facts| {
            for &thing in &things {
                if let Some(state) = states[choice as usize % 4] {
                    *facts.lock_state_mut(thing).expect("a door or container") = state;
                }
                choice /= 4;
            }
        },
    )
}

/// Asserts that F(1) and F(2) are decided as `by_force` does; counts for how many each holds.
fn agrees(world: &World, by_force: fn(&World, usize) -> bool, seen: &mut [usize; 2]) {
    for n in 1..3 {
        let holds = by_force(world, n);
        let expected = if holds { Verdict::Yes } else { Verdict::No };
        let decided = definition_f(world, n, &mut || true);
        assert_eq!(decided, expected, "F({n}) of {:?}", world.spec());
        seen[usize::from(holds)] += 1;
    }
}

/// The same world, in which the burglar has the first keys.
fn armed(world: &World, keys: usize) -> World {
    let mut spec = world.spec();
    for key in 0..keys {
        spec.facts.items[key] = Place::With(0);
        for agent in &mut spec.agents {
            agent.belief.facts.items[key] = Place::With(0);
        }
    }
    World::new(spec).expect("keys may be held")
}

#[test]
fn f_agrees_with_trying_everything() {
    let mut seen = [0; 2];
    for seed in 0..60 {
        let params = MuseumParams {
            columns: 2,
            rows: 2,
            loops_percent: 100,
            keys: (seed % 2) as usize,
            cameras: (seed / 2 % 2) as usize,
            wrong_percent: 10,
            ..MuseumParams::default()
        };
        let Some(mut world) = solvable(&params, seed) else {
            continue;
        };
        if params.keys > 0 && seed / 4 % 2 == 0 {
            // A burglar with the key may prefer a locked door to a detour.
            world = armed(&world, 1);
        }
        if params.cameras == 0
            && let Some(level) = level(&world)
        {
            world = level.world;
        }
        agrees(&world, f_by_force, &mut seen);
    }
    assert!(seen.iter().all(|it| *it > 9), "{seen:?}");
}

/// Whether F(n) holds, by trying every choice of open doors; what is wanted lies open, and all else
/// is locked.
fn f_by_doors(world: &World, n: usize) -> bool {
    let burglar = &world.agents()[0];
    let believed = &burglar.belief.facts;
    let wanted = burglar.goal.items.iter().map(|item| believed.items[*item]);
    let wanted: Vec<_> = wanted.collect();
    let state = |is_open: bool| [LockState::LOCKED, LockState::OPEN][usize::from(is_open)];
    f_by(world, n, 1 << believed.doors.len(), |choice, facts| {
        for (door, one) in facts.doors.iter_mut().enumerate() {
            *one = state(choice & 1 << door != 0);
        }
        for (container, one) in facts.containers.iter_mut().enumerate() {
            *one = state(wanted.contains(&Place::In(container)));
        }
    })
}

/// A world with cameras of which the burglar does not know, who has the keys.
fn museum_of_keys(seed: u64, columns: usize, rows: usize) -> Option<World> {
    let params = MuseumParams {
        columns,
        rows,
        loops_percent: 100,
        closed_percent: 70,
        locked_percent: 60,
        keys: 2,
        cameras: 1 + seed as usize % 2,
        ..MuseumParams::default()
    };
    solvable(&params, seed).map(|world| armed(&world, 2))
}

#[test]
fn f_of_who_has_keys_agrees_with_trying_all_doors() {
    let mut seen = [0; 2];
    for seed in 0..120 {
        if let Some(world) = museum_of_keys(seed, 3, 2) {
            agrees(&world, f_by_doors, &mut seen);
        }
    }
    assert!(seen.iter().all(|it| *it > 9), "{seen:?}");
}

#[test]
fn f_is_decided_where_there_are_many_doors() {
    let (mut decided, mut holds) = (0, 0);
    for seed in 0..40 {
        let Some(world) = museum_of_keys(seed, 6, 5) else {
            continue;
        };
        assert!(world.museum().layout().doors.len() > 40);
        for n in 1..3 {
            let mut left = 2_000;
            let verdict = definition_f(&world, n, &mut || {
                left -= 1;
                left > 0
            });
            decided += usize::from(verdict != Verdict::Unknown);
            holds += usize::from(verdict == Verdict::Yes);
        }
    }
    assert!(
        decided == 80 && holds > 0,
        "{decided} decided, {holds} hold"
    );
}
