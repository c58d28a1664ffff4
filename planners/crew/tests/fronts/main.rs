//! Fronts are complete and hold: judged by the check, by enumeration, and by what is published.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod joint;
#[cfg(feature = "milp")]
mod milp;
mod moves;
mod ship;
mod small;

use anytime::{Conclusion, Control, Fault, Limits, Pulse};
use crew::explain::{Impossible, explain};
use crew::generate::{Shape, generate};
use crew::problem::{DAMAGE_MAX_MICRO, TIME_MAX_US};
use crew::{Cost, Effort, Limit, Params, Plan, Point, Problem, Role, Spec, fronts, solve, verify};
use proptest::prelude::*;
use ship::ship;
use small::{Pairs, enumerated, small};
use std::collections::BTreeSet;

fn pairs(roles: &[Role]) -> Pairs {
    roles.iter().map(|role| (role.player, role.tool)).collect()
}

fn reasons(problem: &Problem, plan: &Plan) -> Vec<Impossible> {
    explain(problem, plan, &Pulse::unbounded()).unwrap()
}

/// Codes and fields.
fn rules(faults: &[Fault]) -> Vec<(&'static str, String)> {
    faults
        .iter()
        .map(|fault| (fault.code, fault.field()))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn fronts_and_ties_are_what_trying_everything_finds(spec in small(), ties_max in 0..4_usize) {
        let problem = Problem::new(spec.clone()).unwrap();
        let plan = fronts(&problem, &Params { ties_max, ..Params::default() });
        prop_assert_eq!(verify(&problem, &plan), Ok(Cost { open: 0 }));
        for (index, front) in plan.events[0].iter().enumerate() {
            let wanted = enumerated(&spec, index + 1);
            let points = front.points.iter().map(|it| (it.time_us, it.damage_micro));
            let points: Vec<(u64, u64)> = points.collect();
            let keys: Vec<_> = wanted.keys().copied().collect();
            prop_assert_eq!(points, keys, "{} players", index + 1);
            for (point, all) in front.points.iter().zip(wanted.values()) {
                let assignments = std::iter::once(&point.roles).chain(&point.others);
                let assignments: BTreeSet<Pairs> = assignments.map(|roles| pairs(roles)).collect();
                prop_assert!(assignments.is_subset(all));
                if ties_max > 0 {
                    prop_assert_eq!(assignments.len(), all.len().min(ties_max + 1));
                    prop_assert_eq!(point.more, all.len() > ties_max + 1);
                }
            }
        }
    }

    #[test]
    fn a_front_is_empty_for_the_reason_that_is_given(spec in small()) {
        let problem = Problem::new(spec.clone()).unwrap();
        let plan = fronts(&problem, &Params::default());
        let given = reasons(&problem, &plan);
        let empty = plan.events[0].iter().filter(|front| front.points.is_empty());
        prop_assert_eq!(given.len(), empty.count());
        for Impossible { event, players: size, reason } in given {
            prop_assert_eq!(event, 0);
            prop_assert!(reason.is_proved);
            let effort = spec.events[0].efforts[size - 1];
            let with = |time_max_us, damage_max| Spec {
                time_max_us,
                damage_max,
                once: false,
                ..spec.clone()
            };
            let all = enumerated(&with(TIME_MAX_US, Limit::Within(DAMAGE_MAX_MICRO)), size);
            let least_time = all.keys().map(|point| point.0).min();
            let least_damage = all.keys().map(|point| point.1).min();
            let (missed, unit) = reason.shortfall.unzip();
            let missed = missed.unwrap_or(0.0);
            let (whole, micro) = (missed.round() as usize, (missed * 1e6).round() as u64);
            let damage_max = spec.damage_max.max_allowed();
            match (reason.fault.code, unit) {
                ("TOO_FEW_TOOLS", Some("tools")) => {
                    prop_assert!(whole > 0 && size - whole == spec.tools.len());
                }
                ("TASK_TOO_LONG", Some("s")) => {
                    prop_assert_eq!(effort.time_us, spec.time_max_us + micro);
                }
                ("TASK_TOO_HARMFUL", None) => prop_assert_eq!(damage_max, None),
                ("TASK_TOO_HARMFUL", Some("damage")) => {
                    prop_assert_eq!(Some(effort.damage_micro - micro), damage_max);
                }
                ("NO_WAY", Some("players")) => {
                    let fewer = with(TIME_MAX_US, Limit::Within(DAMAGE_MAX_MICRO));
                    prop_assert!(all.is_empty() && whole > 0);
                    prop_assert!(whole == size || !enumerated(&fewer, size - whole).is_empty());
                }
                ("TOO_HARMFUL", Some("damage")) => {
                    prop_assert!(micro > 0);
                    prop_assert_eq!(damage_max.map(|max| max + micro), least_damage);
                }
                ("TOO_SLOW", Some("s")) => {
                    prop_assert!(micro > 0);
                    prop_assert_eq!(Some(spec.time_max_us + micro), least_time);
                }
                ("LIMITS_TOGETHER", None) => {
                    prop_assert!(least_time.unwrap() <= spec.time_max_us);
                    prop_assert!(least_damage.unwrap() <= damage_max.unwrap());
                }
                other => prop_assert!(false, "{other:?}"),
            }
        }
    }

    #[test]
    fn a_plan_that_is_tampered_with_does_not_pass(
        spec in small(),
        which in any::<prop::sample::Index>(),
        how in 0..6,
    ) {
        let problem = Problem::new(spec).unwrap();
        let mut plan = fronts(&problem, &Params::default());
        let all = plan.events.iter_mut().flatten().flat_map(|front| &mut front.points);
        let mut all: Vec<&mut Point> = all.collect();
        prop_assume!(!all.is_empty());
        let index = which.index(all.len());
        let point = &mut *all[index];
        match how {
            0 => point.time_us += 1,
            1 => point.damage_micro += 1,
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
    let conclusion = solve(&problem, &Params::default(), &mut control);
    assert_eq!(conclusion, Ok(Conclusion::Optimal));
    assert_eq!(
        offers,
        [(fronts(&problem, &Params::default()), Cost { open: 0 })]
    );
}

/// Times and damages of the fronts of the first event.
fn all_points(spec: &Spec) -> Vec<Vec<(u64, u64)>> {
    let problem = Problem::new(spec.clone()).unwrap();
    let plan = fronts(&problem, &Params::default());
    assert_eq!(verify(&problem, &plan), Ok(Cost { open: 0 }));
    let points = plan.events[0].iter().map(|front| &front.points);
    let both = |point: &Point| (point.time_us, point.damage_micro);
    points.map(|it| it.iter().map(both).collect()).collect()
}

#[test]
fn bounds_leave_out_no_point() {
    for seed in 0..24 {
        let shape = Shape {
            side: 10,
            players: 10 + seed as usize % 3,
            tools: 2 + seed as usize % 9,
            time_max_us: 9,
            damage_max_micro: [1, 9, 30][seed as usize % 3],
        };
        let mut one = generate(&shape, seed);
        match seed % 4 {
            0 => one.time_max_us = 150,
            1 => one.damage_max = Limit::Below(20),
            2 => {
                // One-way, so that not everybody comes everywhere.
                one.arcs.retain(|arc| (arc.from * 7 + arc.to) % 5 != 0);
            }
            _ => {}
        }
        for (count, effort) in one.events[0].efforts.iter_mut().enumerate() {
            effort.damage_micro = count as u64 % 3;
        }
        // With a second event, which nobody can do, there are no bounds.
        let mut two = one.clone();
        two.events.push(two.events[0].clone());
        two.events[1].efforts = vec![Effort {
            time_us: TIME_MAX_US,
            damage_micro: DAMAGE_MAX_MICRO,
        }];
        assert_eq!(all_points(&one), all_points(&two), "seed {seed}");
    }
}

#[test]
fn too_few_fronts_are_a_violation() {
    let problem = Problem::new(ship(Limit::Below(2_000))).unwrap();
    let faults = verify(&problem, &Plan::default()).unwrap_err();
    assert_eq!(rules(&faults), [("EVENT_COUNT", "events".into())]);
}

#[test]
fn every_mistake_is_reported_in_one_answer() {
    let mut spec = ship(Limit::Within(2_000_000_000_000_000));
    spec.arcs[1].to = 99;
    spec.arcs[2].to = spec.arcs[2].from;
    spec.arcs[3].time_us = 0;
    spec.arcs.push(spec.arcs[10]);
    spec.players[1] = 37;
    spec.events[0].vertex = 40;
    let faults = Problem::new(spec).unwrap_err();
    let wanted = [
        ("UNKNOWN", "arcs[1].to_node_id"),
        ("UNKNOWN", "players[1].node_id"),
        ("UNKNOWN", "events[0].node_id"),
        ("SELF_LOOP", "arcs[2].to_node_id"),
        ("OUT_OF_RANGE", "arcs[3]"),
        ("DUPLICATE", "arcs[46]"),
        ("OUT_OF_RANGE", ""),
    ];
    assert_eq!(
        rules(&faults),
        wanted.map(|(code, field)| (code, field.into()))
    );
    assert_eq!(
        faults[0].to_string(),
        "arcs[1].to_node_id is node 99, which does not exist"
    );
    assert_eq!(
        faults[5].to_string(),
        "arcs[46] is the second arc from node 3 to node 4"
    );
    let mut spec = ship(Limit::Within(0));
    spec.players.clear();
    spec.tools = vec![0; 65];
    let errors = Problem::new(spec).unwrap_err();
    assert_eq!(errors.len(), 2, "players and tools: {errors:?}");
}
