//! Help is as cheap as it can be.

use crate::analysis::WIN;
use heist::World;
use heist::game::{Ending, Intervention, PlayerAction, Replan, Rules, Target, Verb, play};
use heist::generate::{MuseumParams, line3, museum, museum8, ring4, solvable, two_rings};
use heist::help::{Aim, Help, HelpRequest, HelpResult, Hint, help, hint};
use heist::museum::Thing;

fn found(world: &World, question: &HelpRequest) -> Help {
    match help(world, Rules::default(), question, &mut || true) {
        HelpResult::Found(help) => help,
        other => panic!("{other:?}"),
    }
}

/// Every intervention there is, at every tick.
fn player_actions(world: &World, ticks: u32) -> Vec<Intervention> {
    let layout = world.museum().layout();
    let doors = (0..layout.doors.len()).map(Thing::Door);
    let things = doors.chain((0..layout.containers.len()).map(Thing::Container));
    let turns = [Verb::Lock, Verb::Unlock, Verb::Open, Verb::Close];
    let mut player_actions: Vec<_> = things
        .flat_map(|thing| turns.map(|verb| (verb, Target::Thing(thing))))
        .collect();
    for machine in 0..layout.machines.len() {
        player_actions.push((Verb::Trigger, Target::Thing(Thing::Machine(machine))));
    }
    for camera in 0..layout.cameras.len() {
        player_actions.extend([Verb::On, Verb::Off].map(|verb| (verb, Target::Camera(camera))));
    }
    let at = |tick| {
        player_actions
            .iter()
            .map(move |&(verb, target)| Intervention {
                tick,
                player_action: PlayerAction { verb, target },
            })
    };
    (0..ticks).flat_map(at).collect()
}

fn met(world: &World, rules: Rules, aim: Aim, list: &[Intervention]) -> bool {
    let ending = play(world, rules, list)
        .expect("deeds that can be done")
        .ending;
    match aim {
        Aim::Win => ending == Ending::Won,
        Aim::Capture => matches!(ending, Ending::Caught { .. }),
    }
}

/// The least cost by trying everything, up to 2.
fn least_cost(world: &World, rules: Rules, aim: Aim, pairs: bool) -> Option<u32> {
    if met(world, rules, aim, &[]) {
        return Some(0);
    }
    let record = play(world, rules, &[]).expect("a game");
    let ticks = record.ticks.len() as u32;
    let all = player_actions(world, ticks);
    let costs = rules.costs;
    let single = |cost| {
        let mut of_cost = all.iter().filter(|it| it.player_action.cost(costs) == cost);
        of_cost.any(|it| met(world, rules, aim, &[*it]))
    };
    if single(1) {
        return Some(1);
    }
    if single(2) {
        return Some(2);
    }
    // What comes after the end of the game without any of them may come into play with the first.
    let later = player_actions(world, rules.ticks_max.min(ticks + 4));
    let cheap = |it: &&Intervention| it.player_action.cost(costs) == 1;
    let pair = pairs
        && all.iter().filter(cheap).any(|first| {
            let rest = later
                .iter()
                .filter(cheap)
                .filter(|it| it.tick >= first.tick);
            rest.clone()
                .any(|second| met(world, rules, aim, &[*first, *second]))
        });
    pair.then_some(2)
}

#[test]
fn two_deeds_are_needed_in_museum_8() {
    let world = museum8();
    let help = found(&world, &WIN);
    assert_eq!(help.cost, 2);
    let record = play(&world, Rules::default(), &help.interventions).unwrap();
    assert_eq!((record.ending, record.cost), (Ending::Won, 2));
    let rules = Rules {
        ticks_max: 60,
        ..Rules::default()
    };
    let single = player_actions(&world, 60).into_iter();
    let mut single = single.filter(|it| it.player_action.cost(rules.costs) == 1);
    assert!(!single.any(|it| met(&world, rules, Aim::Win, &[it])));
    let two = [3, 8].map(|door| Intervention {
        tick: 0,
        player_action: PlayerAction {
            verb: Verb::Lock,
            target: Target::Thing(Thing::Door(door)),
        },
    });
    assert!(met(&world, rules, Aim::Win, &two), "two doors at once");
}

#[test]
fn locks_help_in_rings_and_nothing_but_the_switch_in_a_line() {
    assert_eq!(found(&ring4(&[1]), &WIN).cost, 1);
    assert_eq!(found(&ring4(&[]), &WIN).cost, 0);
    assert_eq!(found(&ring4(&[1, 3]), &WIN).cost, 2);
    assert_eq!(found(&two_rings(&[1, 5]), &WIN).cost, 2);
    assert_eq!(found(&line3(), &WIN).cost, 2);
}

#[test]
fn what_cannot_be_paid_is_refused_with_proof() {
    let cheap = HelpRequest { cost_max: 1, ..WIN };
    let answer = help(&line3(), Rules::default(), &cheap, &mut || true);
    assert_eq!(answer, HelpResult::Nothing);
}

#[test]
fn a_search_that_is_stopped_tells_what_it_knows() {
    let few = HelpRequest {
        games_max: 3,
        ..WIN
    };
    let answer = help(&museum8(), Rules::default(), &few, &mut || true);
    assert_eq!(answer, HelpResult::Unknown { cost_min: 1 });
    let mut left = 1;
    let mut go = || std::mem::replace(&mut left, 0) > 0;
    let answer = help(&museum8(), Rules::default(), &WIN, &mut go);
    assert_eq!(answer, HelpResult::Unknown { cost_min: 1 });
}

#[test]
fn hints_tell_more_and_more() {
    let world = museum8();
    let help = found(&world, &WIN);
    let hints = [1, 2, 3, 4, 5].map(|grade| hint(world.museum(), &help.interventions, grade));
    let first = help.interventions[0];
    assert_eq!(hints[0], Some(Hint::Deeds(2)));
    let Some(Hint::Near { rooms, tick }) = &hints[1] else {
        panic!("{hints:?}");
    };
    assert_eq!(*tick, first.tick);
    assert!(!rooms.is_empty());
    assert_eq!(hints[2], Some(Hint::Target(first.player_action.target)));
    assert_eq!(hints[3], Some(Hint::PlayerAction(first)));
    assert_eq!(hints[4], None);
}

/// A room or six, with all that can be in them.
fn small(seed: u64) -> World {
    let params = MuseumParams {
        columns: 2 + (seed % 2) as usize,
        rows: 2,
        loops_percent: 70,
        keys: 1,
        cameras: (seed / 2 % 2) as usize,
        guards: (seed / 4 % 2) as usize,
        machines: 1,
        wrong_percent: 20,
        ..MuseumParams::default()
    };
    solvable(&params, seed).unwrap_or_else(|| museum(&params, seed))
}

fn agree(seeds: std::ops::Range<u64>, replan: Replan, pairs: bool) {
    let mut costs = [0; 4];
    for seed in seeds {
        let world = small(seed);
        let rules = Rules {
            replan,
            ticks_max: if pairs { 14 } else { 40 },
            ..Rules::default()
        };
        for aim in [Aim::Win, Aim::Capture] {
            let question = HelpRequest {
                aim,
                cost_max: if pairs { 2 } else { 1 },
                games_max: 100_000,
            };
            let answer = help(&world, rules, &question, &mut || true);
            let least = least_cost(&world, rules, aim, pairs).filter(|it| *it <= question.cost_max);
            match (&answer, least) {
                (HelpResult::Found(help), Some(cost)) => {
                    assert_eq!(help.cost, cost, "seed {seed}, {aim:?}: {help:?}");
                    assert!(met(&world, rules, aim, &help.interventions));
                    costs[cost as usize] += 1;
                }
                (HelpResult::Nothing, None) => costs[3] += 1,
                other => panic!("seed {seed}, {aim:?}: {other:?}"),
            }
        }
    }
    assert!(
        pairs
            || costs
                .iter()
                .enumerate()
                .all(|(cost, it)| cost == 2 || *it > 0)
    );
}

#[test]
fn help_for_one_agrees_with_trying_everything() {
    agree(0..64, Replan::OnFailure, false);
}

#[test]
fn help_for_one_agrees_with_trying_everything_when_agents_look_about() {
    agree(0..64, Replan::OnInconsistency, false);
}

#[test]
fn help_for_two_agrees_with_trying_everything() {
    agree(8..12, Replan::OnFailure, true);
}

#[test]
fn help_for_two_agrees_with_trying_everything_when_agents_look_about() {
    agree(8..12, Replan::OnInconsistency, true);
}
