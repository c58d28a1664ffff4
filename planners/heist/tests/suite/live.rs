//! Games that are played live go on from any tick, and guards react as the rules say.

use heist::budget::LiveBudget;
use heist::game::{
    Alert, BeliefUpdate, Catcher, Course, Ending, Game, Noise, Outcome, PlayerAction, Reactions,
    Replan, ReplanReason, Rules, Target, Tick, Verb,
};
use heist::generate::{MuseumParams, Sketch, museum};
use heist::museum::Thing;
use heist::{Agent, BURGLAR, LockState, Position, Spec, World};
use proptest::prelude::*;

const O: LockState = LockState::OPEN;
const C: LockState = LockState::CLOSED;

/// A row of rooms with open doors; the artifact is in the last one.
fn row(rooms: usize, guards: &[&[usize]]) -> World {
    let doors: Vec<_> = (1..rooms)
        .map(|room| (room - 1, room, O, &[][..]))
        .collect();
    let sketch = Sketch {
        rooms,
        doors: &doors,
        containers: &[(rooms - 1, O, &[])],
        items: &[0],
        guards,
        ..Sketch::default()
    };
    sketch.world()
}

fn begun(world: &World, rules: Rules, search_ticks: u32) -> Game<'_> {
    let courses = vec![None; world.agents().len()];
    let reactions = Some(Reactions { search_ticks });
    Game::under_way(world, rules, 0, courses).reacting(reactions)
}

/// What describes a game under way from outside: its world at present, and the course of each
/// agent.
fn taken_down(game: &Game<'_>) -> (World, Vec<Option<Course>>) {
    let spec = game.world().spec();
    let agents = spec.agents.into_iter().zip(game.minds());
    let agents = agents.map(|(agent, mind)| Agent {
        position: mind.position(),
        belief: mind.belief().clone(),
        ..agent
    });
    let spec = Spec {
        facts: game.facts().clone(),
        agents: agents.collect(),
        ..spec
    };
    let courses = game.minds().iter().map(|mind| Some(mind.course()));
    let world = World::new(spec).expect("a game keeps to its world");
    (world, courses.collect())
}

/// What guards have to do after a tick, by the rules, from the states before and after it.
struct Expected<'a> {
    before: &'a Game<'a>,
    after: &'a Game<'a>,
    noises: &'a [Noise],
    search_ticks: u32,
}

impl Expected<'_> {
    /// Doors between each two rooms, open or not.
    fn doors(&self) -> Vec<Vec<u32>> {
        let layout = self.after.world().museum().layout();
        let rooms = layout.rooms;
        let far = 1_000;
        let mut doors = vec![vec![far; rooms]; rooms];
        for (room, row) in doors.iter_mut().enumerate() {
            row[room] = 0;
        }
        for door in &layout.doors {
            let [a, b] = door.ends;
            (doors[a][b], doors[b][a]) = (1, 1);
        }
        for by in 0..rooms {
            for from in 0..rooms {
                for to in 0..rooms {
                    doors[from][to] = doors[from][to].min(doors[from][by] + doors[by][to]);
                }
            }
        }
        doors
    }

    /// The alert of a guard, if no door was opened or closed after its turn.
    fn alert(&self, guard: usize, tick: &Tick) -> Alert {
        let event = tick.events.iter().find(|event| event.agent == guard);
        let (mind, was) = (
            &self.after.minds()[guard],
            self.before.minds()[guard].alert(),
        );
        let Some(event) = event.filter(|event| event.outcome != Outcome::Delayed) else {
            return was;
        };
        let room = mind.position().room;
        let burglar = self.after.minds()[BURGLAR].position().room;
        let museum = self.after.world().museum().layout();
        let doors = museum.doors.iter().zip(&self.after.facts().doors);
        let mut open = doors
            .filter(|(_, state)| state.open)
            .map(|(door, _)| door.ends);
        if open.any(|ends| ends == [room, burglar] || ends == [burglar, room]) {
            return Alert::Chasing { room: burglar };
        }
        let left = self.search_ticks;
        let doors = self.doors();
        let heard = self
            .noises
            .iter()
            .filter(|noise| doors[noise.room][room] <= noise.doors);
        let heard = heard.min_by_key(|noise| doors[noise.room][room]);
        let is_odd = |it: &BeliefUpdate| !matches!(it, BeliefUpdate::Agent { .. });
        let is_there = was.room() == Some(room);
        match (was, heard) {
            (Alert::Chasing { .. }, _) => {}
            (_, Some(noise)) => {
                let room = noise.room;
                return Alert::Suspicious { room, left };
            }
            _ if event.learned.iter().any(is_odd) => return Alert::Suspicious { room, left },
            _ => {}
        }
        match was {
            Alert::Chasing { .. } if is_there => Alert::Suspicious { room, left },
            Alert::Suspicious { .. } if event.outcome != Outcome::Waited => was,
            Alert::Suspicious { left: 1, .. } if is_there => Alert::Calm,
            Alert::Suspicious { left, room } if is_there => Alert::Suspicious {
                room,
                left: left - 1,
            },
            as_before => as_before,
        }
    }
}

#[test]
fn a_guard_goes_to_a_noise_looks_around_and_goes_on_with_its_round() {
    let sketch = Sketch {
        rooms: 6,
        doors: &[
            (0, 1, O, &[]),
            (1, 2, C, &[]),
            (2, 3, O, &[]),
            (3, 4, O, &[]),
            (4, 5, O, &[]),
        ],
        containers: &[(0, O, &[])],
        items: &[0],
        guards: &[&[5, 4]],
        ..Sketch::default()
    };
    let mut spec = sketch.spec();
    // It wants what it cannot have, and stays.
    spec.facts.items[0] = heist::Place::With(1);
    for agent in &mut spec.agents {
        agent.belief.facts.items[0] = heist::Place::With(1);
    }
    let world = World::new(spec).unwrap();
    let rules = Rules {
        replan: Replan::OnInconsistency,
        ..Rules::default()
    };
    let mut game = begun(&world, rules, 3);
    game.hear(Noise { room: 2, doors: 2 });
    game.step(&[]);
    assert_eq!(game.minds()[1].alert(), Alert::Calm, "it is out of earshot");
    game.hear(Noise { room: 2, doors: 3 });
    let tick = game.step(&[]).clone();
    let why = tick.events[1].replanned.map(|it| it.why);
    assert_eq!(why, Some(ReplanReason::Alert));
    assert_eq!(
        game.minds()[1].alert(),
        Alert::Suspicious { room: 2, left: 3 }
    );
    let mut ticks = 0;
    while game.minds()[1].position().room != 2 {
        game.step(&[]);
        ticks += 1;
        assert!(ticks < 10);
    }
    for left in [2, 1] {
        // It arrived in the tick before, with three ticks left.
        game.step(&[]);
        assert_eq!(game.minds()[1].alert(), Alert::Suspicious { room: 2, left });
    }
    game.step(&[]);
    assert_eq!(game.minds()[1].alert(), Alert::Calm);
    for _ in 0..8 {
        game.step(&[]);
    }
    let room = game.minds()[1].position().room;
    assert!([4, 5].contains(&room), "on its round, not in {room}");
}

#[test]
fn a_guard_that_sees_the_burglar_chases_it() {
    // The guard stays in room 3 until it sees the burglar come through the row.
    let world = row(4, &[&[3]]);
    let mut calm = Game::new(&world, Rules::default());
    let mut game = begun(&world, Rules::default(), 3);
    let mut chased = None;
    while game.ending().is_none() {
        game.step(&[]);
        calm.step(&[]);
        let alert = game.minds()[1].alert();
        if chased.is_none() && alert != Alert::Calm {
            chased = Some(game.now());
            assert_eq!(alert, Alert::Chasing { room: 2 });
        }
    }
    // Into room 2 after four ticks.
    assert_eq!(chased, Some(4));
    let (by, room) = (Catcher::Guard(1), 3);
    assert_eq!(game.ending(), Some(Ending::Caught { by, room }));
}

#[test]
fn what_guards_find_changed_makes_them_suspicious() {
    let world = row(5, &[&[4, 3]]);
    let rules = Rules {
        replan: Replan::OnInconsistency,
        ..Rules::default()
    };
    let mut game = begun(&world, rules, 2);
    // The burglar cannot come.
    let target = Target::Thing(Thing::Door(0));
    let (verb, other) = (Verb::Lock, Target::Thing(Thing::Door(2)));
    let locks = [target, other].map(|target| PlayerAction { verb, target });
    game.step(&locks);
    let mut alerts = Vec::new();
    for _ in 0..4 {
        game.step(&[]);
        alerts.push(game.minds()[1].alert());
    }
    let room = 3;
    assert!(
        alerts.contains(&Alert::Suspicious { room, left: 2 }),
        "{alerts:?}"
    );
    assert_eq!(alerts.last(), Some(&Alert::Calm));
}

#[test]
fn a_guard_out_of_the_game_catches_nobody() {
    let world = row(3, &[&[2]]);
    let mut game = begun(&world, Rules::default(), 3);
    game.remove(BURGLAR);
    game.remove(1);
    while game.ending().is_none() {
        assert_eq!(game.step(&[]).events.len(), 1);
    }
    assert_eq!(game.ending(), Some(Ending::Won));
}

#[test]
fn agents_that_are_moved_plan_from_where_they_are() {
    let world = row(4, &[]);
    let mut game = begun(&world, Rules::default(), 1);
    game.place(BURGLAR, Position { room: 2, at: None });
    let event = game.step(&[]).events[0].clone();
    assert!(
        matches!(event.outcome, Outcome::Acted(_)),
        "it loses no tick"
    );
    assert_eq!(event.replanned.unwrap().why, ReplanReason::Moved);
    while game.ending().is_none() {
        game.step(&[]);
    }
    // Two rooms there and four back, each by two actions; two at the container.
    assert_eq!((game.ending(), game.now()), (Some(Ending::Won), 2 + 2 + 6));
}

#[test]
fn a_guard_that_is_moved_to_its_last_room_begins_again() {
    let world = row(12, &[&[11, 10, 9]]);
    let mut game = Game::new(&world, Rules::default());
    for _ in 0..10 {
        if game.minds()[1].course().visits == [9] {
            break;
        }
        game.step(&[]);
    }
    assert_eq!(game.minds()[1].course().visits, [9]);
    let position = Position { room: 9, at: None };
    game.place(1, position);
    game.step(&[]);
    assert_eq!(game.minds()[1].course().visits, [11, 10, 9]);
}

#[test]
fn agents_wait_where_there_is_too_much_to_plan() {
    let guards: Vec<Vec<usize>> = (0..6).map(|guard| vec![11, guard % 2]).collect();
    let guards: Vec<&[usize]> = guards.iter().map(Vec::as_slice).collect();
    let world = row(12, &guards);
    let mut game = begun(&world, Rules::default(), 1);
    let room = 11;
    for agent in 1..=6 {
        game.place(agent, Position { room, at: None });
    }
    for planned in 1..=6 {
        // The first one may plan, and that is all.
        game.step_until(&[], &mut LiveBudget::new(1, world.museum()))
            .unwrap();
        let undecided = game
            .minds()
            .iter()
            .filter(|mind| mind.undecided().is_some());
        assert_eq!(undecided.count(), 6 - planned);
    }
}

proptest! {
    /// A game that is taken down and taken up before each tick goes on as if it had not been, and
    /// guards are alerted by the rules.
    #[test]
    fn games_go_on_from_any_tick(
        seed: u64, curious: bool, steps in 1_u64..60,
        deeds in prop::collection::vec((0_usize..12, 0_usize..4, 0_usize..12, 0_u32..4), 30),
    ) {
        let params = MuseumParams {
            guards: 3,
            machines: 1,
            cameras: 1,
            wrong_percent: 20,
            ..MuseumParams::default()
        };
        let world = museum(&params, seed);
        let replan = if curious { Replan::OnInconsistency } else { Replan::OnFailure };
        let rules = Rules { replan, ticks_max: 30, ..Rules::default() };
        let mut game = begun(&world, rules, 2);
        let doors = world.museum().layout().doors.len();
        for (door, verb, room, heard) in deeds {
            let (present, courses) = taken_down(&game);
            let again = Game::under_way(&present, rules, game.now(), courses);
            prop_assert_eq!(again.ending(), game.ending());
            let mut again = again.reacting(Some(Reactions { search_ticks: 2 }));
            let mut noises = Vec::new();
            if heard > 0 {
                noises.push(Noise { room, doors: heard - 1 });
            }
            let verb = [Verb::Lock, Verb::Open, Verb::Close, Verb::Unlock][verb];
            let target = Target::Thing(Thing::Door(door % doors));
            let deeds = if door == 11 { vec![] } else { vec![PlayerAction { verb, target }] };
            for noise in &noises {
                game.hear(*noise);
                again.hear(*noise);
            }
            let before = game.clone();
            let budget = || LiveBudget::new(steps, world.museum());
            let one = game.step_until(&deeds, &mut budget()).unwrap().clone();
            let other = again.step_until(&deeds, &mut budget()).unwrap().clone();
            prop_assert_eq!(&one, &other);
            let expected = Expected {
                before: &before,
                after: &game,
                noises: &noises,
                search_ticks: 2,
            };
            for (guard, mind) in game.minds().iter().enumerate().skip(1) {
                let has_plan = before.minds()[guard].intent().is_some();
                let turned = one.events.iter().filter(|it| matches!(
                    it.outcome,
                    Outcome::Acted(heist::Action::Open(_) | heist::Action::Close(_))
                ));
                // One that finds no way is another rule, and doors may have changed since its turn.
                if has_plan && turned.count() == 0 && before.ending().is_none() {
                    prop_assert_eq!(mind.alert(), expected.alert(guard, &one));
                }
            }
        }
    }
}
