//! Several events at once: what is found is what trying everything finds.

use super::small::{Pairs, routes, small};
use crew::{Cost, Effort, Event, JointPoint, Limit, Params, Problem, Spec, fronts, verify};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Small ships where two or three things happen.
fn several() -> impl Strategy<Value = Spec> {
    let event = (
        0..6_usize,
        0..2_u32,
        prop::collection::vec((0..4_u64, 0..3_u64), 1..3),
    );
    (small(), prop::collection::vec(event, 1..3)).prop_map(|(mut spec, more)| {
        spec.events[0].efforts.truncate(2);
        for (vertex, rank, efforts) in more {
            let efforts = efforts.into_iter().map(|(time_us, damage_micro)| Effort {
                time_us,
                damage_micro,
            });
            spec.events.push(Event {
                vertex: vertex % spec.vertices,
                rank,
                efforts: efforts.collect(),
            });
        }
        spec
    })
}

/// What one player does: nothing, or an event with a tool on a route.
type Part = Option<(usize, usize, (u64, u64))>;

/// For each numbers of events left out, by rank, all points.
type Found = BTreeMap<Vec<(u32, usize)>, BTreeSet<(u64, u64)>>;

/// Adds what comes of all players from this one on.
fn add(spec: &Spec, all: &[Vec<Part>], parts: &mut Vec<Part>, found: &mut Found) {
    let Some(options) = all.get(parts.len()) else {
        found_of(spec, parts, found);
        return;
    };
    for option in options {
        let tool = option.map(|it| it.1);
        let taken = parts.iter().flatten().any(|it| Some(it.1) == tool);
        if !taken {
            parts.push(*option);
            add(spec, all, parts, found);
            parts.pop();
        }
    }
}

fn found_of(spec: &Spec, parts: &[Part], found: &mut Found) {
    let (mut time, mut damage) = (0, 0);
    let mut left_out: BTreeMap<u32, usize> = BTreeMap::new();
    for (event, it) in spec.events.iter().enumerate() {
        let own: Vec<_> = parts
            .iter()
            .flatten()
            .filter(|part| part.0 == event)
            .collect();
        *left_out.entry(it.rank).or_default() += usize::from(own.is_empty());
        let Some(size) = own.len().checked_sub(1) else {
            continue;
        };
        let Some(effort) = it.efforts.get(size) else {
            return;
        };
        for (.., (t, d)) in own {
            time = time.max(t + effort.time_us);
            damage = damage.max(d + effort.damage_micro);
        }
    }
    let allowed = match spec.damage_max {
        Limit::Within(most) => damage <= most,
        Limit::Below(limit) => damage < limit,
    };
    if allowed && time <= spec.time_max_us && parts.iter().any(Option::is_some) {
        let left_out = left_out.into_iter().collect();
        found.entry(left_out).or_default().insert((time, damage));
    }
}

/// The points that leave out as little as can be and are not dominated, by trying everything.
fn enumerated(spec: &Spec) -> Vec<(u64, u64)> {
    let options = |player: usize| -> Vec<Part> {
        let mut options = vec![None];
        for event in 0..spec.events.len() {
            for tool in 0..spec.tools.len() {
                let all = routes(spec, player, tool, event);
                options.extend(all.iter().filter_map(|it| {
                    let mut others = all.iter().filter(|other| *other != it);
                    let beaten = others.any(|other| other.0 <= it.0 && other.1 <= it.1);
                    (!beaten).then_some(Some((event, tool, *it)))
                }));
            }
        }
        options
    };
    let all: Vec<Vec<Part>> = (0..spec.players.len()).map(options).collect();
    let mut found = Found::new();
    add(spec, &all, &mut Vec::new(), &mut found);
    let Some(points) = found.into_values().next() else {
        return Vec::new();
    };
    let alone = |it: &&(u64, u64)| {
        let mut others = points.iter().filter(|other| other != it);
        !others.any(|other| other.0 <= it.0 && other.1 <= it.1)
    };
    points.iter().filter(alone).copied().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn several_events_are_done_as_trying_everything_does_them(spec in several()) {
        let problem = Problem::new(spec.clone()).unwrap();
        let plan = fronts(&problem, &Params::default());
        prop_assert_eq!(verify(&problem, &plan), Ok(Cost { open: 0 }));
        let joint = plan.joint.unwrap();
        prop_assert!(joint.is_known);
        let points: Vec<_> = joint.points.iter().map(|it| (it.time_us, it.damage_micro)).collect();
        prop_assert_eq!(points, enumerated(&spec));
    }

    #[test]
    fn joint_points_that_are_tampered_with_do_not_pass(spec in several(), how in 0..6) {
        let problem = Problem::new(spec).unwrap();
        let mut plan = fronts(&problem, &Params::default());
        let points: &mut Vec<JointPoint> = &mut plan.joint.as_mut().unwrap().points;
        prop_assume!(!points.is_empty());
        let point = &mut points[0];
        match how {
            0 => point.time_us += 1,
            1 => point.damage_micro += 1,
            2 => point.least_us += 1,
            3 => point.teams[0].roles.clear(),
            4 => point.teams[0].roles[0].fetch.push(0),
            _ => {
                let again = point.clone();
                points.push(again);
            }
        }
        prop_assert!(verify(&problem, &plan).is_err());
    }
}

#[test]
fn players_and_tools_are_for_one_event_each() {
    // Two rooms; both events in the second; one player could do either.
    let mut spec = super::ship::ship(Limit::Below(2_000));
    spec.events.push(spec.events[0].clone());
    spec.events[1].rank = 1;
    let problem = Problem::new(spec.clone()).unwrap();
    let joint = fronts(&problem, &Params::default()).joint.unwrap();
    for point in &joint.points {
        let roles = point.teams.iter().flat_map(|team| &team.roles);
        let pairs: Pairs = roles.map(|role| (role.player, role.tool)).collect();
        let players: BTreeSet<_> = pairs.iter().map(|pair| pair.0).collect();
        let tools: BTreeSet<_> = pairs.iter().map(|pair| pair.1).collect();
        assert_eq!((players.len(), tools.len()), (pairs.len(), pairs.len()));
        assert_eq!(point.teams.len(), 2);
    }
    assert!(!joint.points.is_empty());
    // With one tool, only what is more important is done.
    spec.tools.truncate(1);
    let problem = Problem::new(spec).unwrap();
    let joint = fronts(&problem, &Params::default()).joint.unwrap();
    assert_eq!(joint.points.len(), 1);
    assert_eq!(joint.points[0].teams.len(), 1);
    assert_eq!(joint.points[0].teams[0].event, 0);
}
