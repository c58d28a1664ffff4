//! The ship of the paper: what is published comes out.

use super::reasons;
use crew::{Arc, Cost, Effort, Event, Limit, Params, Plan, Problem, Spec, fronts, verify};

/// The ship of the paper. Only the 23 edges of its routes are known; its Figure 2 is lost.
pub(crate) fn ship(damage_max: Limit) -> Spec {
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
            time_us: 1_000,
            fetch_micro: damage,
            carry_micro: damage,
        }
    };
    let efforts = [6, 4, 2, 1].map(|seconds| Effort {
        time_us: seconds * 1_000,
        damage_micro: 0,
    });
    Spec {
        vertices: 37,
        arcs: EDGES
            .iter()
            .flat_map(|&(a, b)| [arc(a, b), arc(b, a)])
            .collect(),
        players: vec![0, 15, 24, 36],
        tools: vec![20, 24, 27],
        events: vec![Event {
            vertex: 18,
            rank: 0,
            efforts: efforts.to_vec(),
        }],
        time_max_us: 100_000,
        damage_max,
        once: false,
    }
}

fn points(plan: &Plan) -> Vec<Vec<(u64, u64)>> {
    let points = plan.events[0].iter().map(|front| {
        let points = front.points.iter();
        points
            .map(|point| (point.time_us / 1_000, point.damage_micro / 1_000))
            .collect()
    });
    points.collect()
}

#[test]
fn the_published_fronts_come_out_with_a_strict_limit() {
    let problem = Problem::new(ship(Limit::Below(2_000))).unwrap();
    let plan = fronts(&problem, &Params::default());
    assert_eq!(verify(&problem, &plan), Ok(Cost { open: 0 }));
    assert_eq!(
        points(&plan),
        [vec![(13, 1)], vec![(12, 1)], vec![(13, 1)], vec![]]
    );
    let fewer: Vec<bool> = plan
        .events
        .iter()
        .flatten()
        .flat_map(|front| &front.points)
        .map(|point| point.fewer_do)
        .collect();
    assert_eq!(fewer, [false, false, true]);
    // Table 1, and Table 2.
    let alone = &plan.events[0][0].points[0].roles[0];
    assert_eq!((alone.player, alone.tool), (0, 0));
    assert_eq!(alone.fetch, [0, 2, 4, 3, 1, 20]);
    assert_eq!(alone.carry, [20, 19, 18]);
    let second = &plan.events[0][1].points[0].roles[1];
    assert_eq!((second.player, second.tool), (2, 1));
    assert_eq!(second.carry, [24, 25, 22, 7, 6, 4, 2, 0, 18]);
}

#[test]
fn with_the_limit_as_printed_running_through_the_fire_is_faster() {
    let problem = Problem::new(ship(Limit::Within(2_000))).unwrap();
    let plan = fronts(&problem, &Params::default());
    assert_eq!(verify(&problem, &plan), Ok(Cost { open: 0 }));
    assert_eq!(
        points(&plan),
        [vec![(11, 2), (13, 1)], vec![(12, 1)], vec![(13, 1)], vec![]]
    );
}

#[test]
fn both_published_assignments_of_three_are_told_and_there_are_no_others() {
    let problem = Problem::new(ship(Limit::Below(2_000))).unwrap();
    let plan = fronts(
        &problem,
        &Params {
            ties_max: 5,
            ..Params::default()
        },
    );
    assert_eq!(verify(&problem, &plan), Ok(Cost { open: 0 }));
    let point = &plan.events[0][2].points[0];
    let pairs = |roles: &[crew::Role]| -> Vec<(usize, usize)> {
        roles.iter().map(|role| (role.player, role.tool)).collect()
    };
    let mut all = vec![pairs(&point.roles)];
    all.extend(point.others.iter().map(|roles| pairs(roles)));
    all.sort();
    // Table 3: players and tools count from 1 there.
    assert_eq!(all.len(), 2, "{all:?}");
    assert!(!point.more);
}

#[test]
fn a_fourth_player_finds_no_tool() {
    let problem = Problem::new(ship(Limit::Below(2_000))).unwrap();
    let plan = fronts(&problem, &Params::default());
    let impossible = reasons(&problem, &plan);
    assert_eq!((impossible.len(), impossible[0].players), (1, 4));
    let text = "tools 4 players need a tool each, but there are 3";
    assert_eq!(impossible[0].reason.fault.to_string(), text);
}
