//! Many keys: the order of errands is improved between the first plan and the proof.

use anytime::{Conclusion, Control, Limits};
use heist::generate::Zones;
use heist::museum::{Container, Door, Layout};
use heist::solve::{Params, solve};
use heist::world::BURGLAR;
use heist::{Agent, Belief, Body, Cost, Facts, Goal, Place, Plan, Problem, Spec, World, verify};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

/// How it ends, and what plans cost, first to last; each is checked.
fn run(world: &World, iterations: u64) -> (Conclusion, Vec<u32>) {
    let problem = Problem::new(world.clone(), BURGLAR, &[]).expect("a problem");
    let mut costs = Vec::new();
    let mut sink = |plan: &Plan, cost: Cost| {
        assert_eq!(verify(&problem, plan), Ok(cost));
        costs.push(cost.actions);
    };
    let mut control = Control::new(Limits::iterations(iterations), 0, &mut sink);
    let end = solve(&problem, &Params::default(), &mut control).expect("supported");
    (end, costs)
}

/// Where things go: new index of each.
struct Order {
    rooms: Vec<usize>,
    doors: Vec<usize>,
    containers: Vec<usize>,
    keys: Vec<usize>,
}

fn moved<T: Clone>(all: &[T], to: &[usize]) -> Vec<T> {
    let mut moved: Vec<(usize, T)> = to.iter().copied().zip(all.iter().cloned()).collect();
    moved.sort_by_key(|(at, _)| *at);
    moved.into_iter().map(|(_, one)| one).collect()
}

/// The same world with its elements in another order.
fn shuffled(world: &World, seed: u64) -> World {
    let layout = world.museum().layout();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut order = |count: usize| {
        let mut to: Vec<usize> = (0..count).collect();
        to.shuffle(&mut rng);
        to
    };
    let order = Order {
        rooms: order(layout.rooms),
        doors: order(layout.doors.len()),
        containers: order(layout.containers.len()),
        keys: order(layout.keys),
    };
    let keys = |keys: &[usize]| keys.iter().map(|key| order.keys[*key]).collect();
    let doors = layout.doors.iter().map(|door| Door {
        ends: door.ends.map(|room| order.rooms[room]),
        keys: keys(&door.keys),
    });
    let containers = layout.containers.iter().map(|container| Container {
        room: order.rooms[container.room],
        keys: keys(&container.keys),
    });
    let (doors, containers): (Vec<_>, Vec<_>) = (doors.collect(), containers.collect());
    let facts = &world.agents()[BURGLAR].belief.facts;
    let place = |place: &Place| match *place {
        Place::In(container) => Place::In(order.containers[container]),
        other => other,
    };
    let places: Vec<Place> = facts.items.iter().map(place).collect();
    let (held, rest) = places.split_at(layout.keys);
    let facts = Facts {
        doors: moved(&facts.doors, &order.doors),
        containers: moved(&facts.containers, &order.containers),
        items: [moved(held, &order.keys), rest.to_vec()].concat(),
        cameras: Vec::new(),
    };
    let goal = &world.agents()[BURGLAR].goal;
    let burglar = Agent {
        body: Body {
            room: order.rooms[world.agents()[BURGLAR].body.room],
            at: None,
        },
        goal: Goal {
            items: goal.items.clone(),
            room: goal.room.map(|room| order.rooms[room]),
            ..Goal::default()
        },
        belief: Belief {
            facts: facts.clone(),
            agents: vec![None],
        },
    };
    World::new(Spec {
        museum: Layout {
            rooms: layout.rooms,
            doors: moved(&doors, &order.doors),
            containers: moved(&containers, &order.containers),
            keys: layout.keys,
            artifacts: 1,
            ..Layout::default()
        },
        facts,
        agents: vec![burglar],
    })
    .expect("it is the same world")
}

#[test]
fn look() {
    for (side, zones, seed) in [(20, 20, 0), (24, 24, 2)] {
        let world = Zones {
            side,
            zones,
            loops_percent: 30,
        }
        .world(seed);
        for s in 0..4 {
            let w = if s == 0 {
                world.clone()
            } else {
                shuffled(&world, s)
            };
            let (end, costs) = run(&w, 20_000);
            // Back again.
            eprintln!(
                "{side} {s} {end:?} {costs:?} doors {} keys {} locked {}",
                w.museum().layout().doors.len(),
                w.museum().layout().keys,
                w.agents()[0]
                    .belief
                    .facts
                    .doors
                    .iter()
                    .filter(|l| l.locked)
                    .count()
            );
        }
    }
}
