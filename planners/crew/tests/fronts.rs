//! Fronts are complete and hold: judged by the check, by enumeration, and by what is published.

use anytime::{Conclusion, Control, Limits};
use crew::{
    Arc, Cost, Effort, Limit, Params, Plan, Problem, ProblemError, Spec, Violation, fronts, solve,
    verify,
};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The ship of the paper, of which only the 23 edges are known that its routes use; its Figure 2 is lost.
fn ship(damage_max: Limit) -> Spec {
    const EDGES: [(usize, usize); 23] = [
        (0, 2),
        (0, 18),
        (1, 3),
        (1, 20),
        (2, 4),
        (3, 4),
        (4, 6),
        (6, 7),
        (6, 9),
        (7, 22),
        (7, 23),
        (9, 12),
        (12, 16),
        (15, 16),
        (18, 19),
        (19, 20),
        (22, 25),
        (23, 26),
        (24, 25),
        (26, 27),
        (27, 30),
        (30, 32),
        (32, 36),
    ];
    let arc = |from, to| {
        let damage = if to == 18 { 1_000 } else { 0 };
        Arc {
            from,
            to,
            time_ms: 1_000,
            fetch_milli: damage,
            carry_milli: damage,
        }
    };
    let efforts = [6, 4, 2, 1].map(|seconds| Effort {
        time_ms: seconds * 1_000,
        damage_milli: 0,
    });
    Spec {
        vertices: 37,
        arcs: EDGES
            .iter()
            .flat_map(|&(a, b)| [arc(a, b), arc(b, a)])
            .collect(),
        players: vec![0, 15, 24, 36],
        tools: vec![20, 24, 27],
        event: 18,
        efforts: efforts.to_vec(),
        time_max_ms: 100_000,
        damage_max,
    }
}

fn points(plan: &Plan) -> Vec<Vec<(u64, u64)>> {
    let points = plan.fronts.iter().map(|front| {
        let points = front.iter();
        points
            .map(|point| (point.time_ms / 1_000, point.damage_milli / 1_000))
            .collect()
    });
    points.collect()
}

#[test]
fn the_published_fronts_come_out_with_a_strict_limit() {
    let problem = Problem::new(ship(Limit::Below(2_000))).unwrap();
    let plan = fronts(&problem);
    assert_eq!(verify(&problem, &plan), Ok(Cost { open: 0 }));
    assert_eq!(
        points(&plan),
        [vec![(13, 1)], vec![(12, 1)], vec![(13, 1)], vec![]]
    );
    let fewer: Vec<bool> = plan
        .fronts
        .iter()
        .flatten()
        .map(|point| point.fewer_do)
        .collect();
    assert_eq!(fewer, [false, false, true]);
    // Table 1, and Table 2.
    let alone = &plan.fronts[0][0].roles[0];
    assert_eq!((alone.player, alone.tool), (0, 0));
    assert_eq!(alone.fetch, [0, 2, 4, 3, 1, 20]);
    assert_eq!(alone.carry, [20, 19, 18]);
    let second = &plan.fronts[1][0].roles[1];
    assert_eq!((second.player, second.tool), (2, 1));
    assert_eq!(second.carry, [24, 25, 22, 7, 6, 4, 2, 0, 18]);
}

#[test]
fn with_the_limit_as_printed_running_through_the_fire_is_faster() {
    let problem = Problem::new(ship(Limit::Within(2_000))).unwrap();
    let plan = fronts(&problem);
    assert_eq!(verify(&problem, &plan), Ok(Cost { open: 0 }));
    assert_eq!(
        points(&plan),
        [vec![(11, 2), (13, 1)], vec![(12, 1)], vec![(13, 1)], vec![]]
    );
}

/// Small ships of any kind.
fn small() -> impl Strategy<Value = Spec> {
    (2..6_usize).prop_flat_map(|vertices| {
        let arc = (0..vertices, 1..vertices, 1..5_u64, 0..4_u64, 0..4_u64);
        let arcs = vec(arc, 0..14);
        let effort = (0..4_u64, 0..3_u64);
        let efforts = vec(effort, 1..4);
        let limit = prop_oneof![
            (0..12_u64).prop_map(Limit::Within),
            (0..12_u64).prop_map(Limit::Below)
        ];
        let places = (vec(0..vertices, 3), vec(0..vertices, 1..4), 0..vertices);
        (arcs, efforts, limit, places, 0..30_u64).prop_map(
            move |(arcs, efforts, damage_max, (players, tools, event), time_max_ms)| {
                let mut seen = BTreeSet::new();
                let arcs = arcs
                    .into_iter()
                    .map(|(from, by, time_ms, fetch_milli, carry_milli)| Arc {
                        from,
                        to: (from + by) % vertices,
                        time_ms,
                        fetch_milli,
                        carry_milli,
                    });
                let arcs = arcs.filter(|arc| seen.insert((arc.from, arc.to))).collect();
                let efforts = efforts.into_iter().map(|(time_ms, damage_milli)| Effort {
                    time_ms,
                    damage_milli,
                });
                Spec {
                    vertices,
                    arcs,
                    players,
                    tools,
                    event,
                    efforts: efforts.collect(),
                    time_max_ms,
                    damage_max,
                }
            },
        )
    })
}

/// Time and damage of all ways without a vertex twice.
fn ways(spec: &Spec, start: usize, end: usize, fetches: bool) -> Vec<(u64, u64)> {
    let mut all = Vec::new();
    let mut open = vec![(vec![start], (0, 0))];
    while let Some((way, far)) = open.pop() {
        let here = way[way.len() - 1];
        if here == end {
            all.push(far);
            continue;
        }
        let arcs = spec.arcs.iter();
        for arc in arcs.filter(|arc| arc.from == here && !way.contains(&arc.to)) {
            let harm = match fetches {
                true => arc.fetch_milli,
                false => arc.carry_milli,
            };
            let longer = [way.as_slice(), &[arc.to]].concat();
            open.push((longer, (far.0 + arc.time_ms, far.1 + harm)));
        }
    }
    all
}

/// All points of so many players that are not dominated, by trying everything.
fn enumerated(spec: &Spec, size: usize) -> Vec<(u64, u64)> {
    let route = |player: usize, tool: usize| -> Vec<(u64, u64)> {
        let fetch = ways(spec, spec.players[player], spec.tools[tool], true);
        let carry = ways(spec, spec.tools[tool], spec.event, false);
        let both = fetch
            .iter()
            .flat_map(|f| carry.iter().map(move |c| (f.0 + c.0, f.1 + c.1)));
        both.collect()
    };
    let mut found: BTreeSet<(u64, u64)> = BTreeSet::new();
    // Player by player: nothing, or a tool and a route.
    let mut partial: BTreeSet<(u64, usize, (u64, u64))> = BTreeSet::from([(0, 0, (0, 0))]);
    for player in 0..spec.players.len() {
        let before = partial.clone();
        for tool in 0..spec.tools.len() {
            for (time, damage) in route(player, tool) {
                for &(tools, count, (t, d)) in &before {
                    if tools & (1 << tool) == 0 {
                        partial.insert((
                            tools | 1 << tool,
                            count + 1,
                            (t.max(time), d.max(damage)),
                        ));
                    }
                }
            }
        }
    }
    let effort = spec.efforts[size - 1];
    for (_, count, (time, damage)) in partial {
        let (time, damage) = (time + effort.time_ms, damage + effort.damage_milli);
        let allowed = match spec.damage_max {
            Limit::Within(most) => damage <= most,
            Limit::Below(limit) => damage < limit,
        };
        if count == size && allowed && time <= spec.time_max_ms {
            found.insert((time, damage));
        }
    }
    let dominated = |point: &(u64, u64)| {
        found
            .iter()
            .any(|other| other != point && other.0 <= point.0 && other.1 <= point.1)
    };
    found
        .iter()
        .filter(|point| !dominated(point))
        .copied()
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn fronts_are_what_trying_everything_finds(spec in small()) {
        let problem = Problem::new(spec.clone()).unwrap();
        let plan = fronts(&problem);
        prop_assert_eq!(verify(&problem, &plan), Ok(Cost { open: 0 }));
        for (index, front) in plan.fronts.iter().enumerate() {
            let points: Vec<(u64, u64)> = front.iter().map(|point| (point.time_ms, point.damage_milli)).collect();
            prop_assert_eq!(points, enumerated(&spec, index + 1), "{} players", index + 1);
        }
    }

    #[test]
    fn a_plan_that_is_tampered_with_does_not_pass(spec in small(), which in any::<prop::sample::Index>(), how in 0..6) {
        let problem = Problem::new(spec).unwrap();
        let mut plan = fronts(&problem);
        let mut all: Vec<&mut crew::Point> = plan.fronts.iter_mut().flatten().collect();
        prop_assume!(!all.is_empty());
        let index = which.index(all.len());
        let point = &mut *all[index];
        match how {
            0 => point.time_ms += 1,
            1 => point.damage_milli += 1,
            2 => point.fewer_do = !point.fewer_do,
            3 => point.roles[0].tool += 1,
            4 => point.roles[0].carry.push(0),
            _ => { point.roles.pop(); }
        }
        // One tool may lie where the next one does.
        prop_assume!(how != 3 || verify(&problem, &plan).is_err());
        prop_assert!(verify(&problem, &plan).is_err());
    }
}

#[test]
fn the_answer_is_offered_and_is_all_there_is() {
    let problem = Problem::new(ship(Limit::Below(2_000))).unwrap();
    let mut offers = Vec::new();
    let mut sink = |plan: &Plan, cost: Cost| offers.push((plan.clone(), cost));
    let mut control = Control::new(Limits::iterations(1), 0, &mut sink);
    let conclusion = solve(&problem, &Params, &mut control);
    assert_eq!(conclusion, Ok(Conclusion::Optimal));
    assert_eq!(offers, [(fronts(&problem), Cost { open: 0 })]);
}

#[test]
fn too_few_fronts_are_a_violation() {
    let problem = Problem::new(ship(Limit::Below(2_000))).unwrap();
    assert_eq!(
        verify(&problem, &Plan::default()),
        Err(vec![Violation::FrontCount {
            given: 0,
            expected: 4
        }])
    );
}

#[test]
fn every_mistake_is_told_at_once() {
    let mut spec = ship(Limit::Within(2_000_000_000));
    spec.arcs[1].to = 99;
    spec.arcs[2].to = spec.arcs[2].from;
    spec.arcs[3].time_ms = 0;
    spec.arcs.push(spec.arcs[10]);
    spec.players[1] = 37;
    spec.event = 40;
    let errors = Problem::new(spec).unwrap_err();
    let unknown = |what, index, vertex| ProblemError::UnknownVertex {
        what,
        index,
        vertex,
        vertices: 37,
    };
    assert_eq!(
        errors,
        [
            unknown("arc", 1, 99),
            unknown("player", 1, 37),
            unknown("event", 0, 40),
            ProblemError::ArcToItself { arc: 2 },
            ProblemError::Time {
                what: "arc",
                index: 3,
                given_ms: 0,
                least_ms: 1
            },
            ProblemError::ArcRepeated { arc: 46, first: 10 },
            ProblemError::Damage {
                what: "limit of damage",
                index: 0,
                given_milli: 2_000_000_000
            },
        ]
    );
    let mut spec = ship(Limit::Within(0));
    spec.players.clear();
    spec.tools = vec![0; 65];
    let errors = Problem::new(spec).unwrap_err();
    assert_eq!(
        errors.len(),
        3,
        "players, tools, and efforts for nobody: {errors:?}"
    );
}
