//! Certificates: what they say holds in every plan, and who checks them takes nothing on trust.

use crate::coupled::late_deliveries;
use crate::line::{self, PLACES, S, agent, previous, task, window};
use crate::world;
use allocation::certificate::{Certificate, CouplingId, Incompatibility, Limit, Proof, Row};
use allocation::generate::{Shape, generate};
use allocation::problem::{Problem, Spec};
use allocation::verify::{CertificateCheck, Refuted, certificate};
use allocation::{Plan, certificates, is_infeasible, is_partial};
use anytime::Pulse;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// How many of these tasks a plan leaves out.
fn left_out(plan: &Plan, tasks: &[usize]) -> usize {
    let done = |task: &&usize| {
        let mut stops = plan.routes.iter().flat_map(|r| &r.stops);
        stops.any(|stop| stop.task == **task)
    };
    tasks.len() - tasks.iter().filter(done).count()
}

/// Every certificate passes the check and holds in all plans; kinds that were seen.
pub(crate) fn holds(problem: &Problem) -> Vec<&'static str> {
    let found = certificates(problem);
    for one in &found {
        assert_eq!(certificate(problem, one), Ok(()), "{one:?}");
    }
    world::each_plan(problem, &mut |plan, _| {
        for one in &found {
            assert!(
                left_out(plan, &one.tasks) >= one.left_out,
                "{one:?} {plan:?}"
            );
            let no_plan = matches!(one.proof, Proof::Committed { .. });
            assert!(!no_plan, "{one:?} {plan:?}");
        }
    });
    found.iter().map(|one| kind(&one.proof)).collect()
}

fn kind(proof: &Proof) -> &'static str {
    match proof {
        Proof::NoAgent { rows } => match rows[0].incompatibility {
            Incompatibility::Skills { .. } => "skills",
            Incompatibility::Capacity { .. } => "capacity",
            Incompatibility::Window { .. } => "window",
            Incompatibility::Shift { .. } => "shift",
            _ => "way",
        },
        Proof::Load { .. } => "load",
        Proof::Clique { .. } => "clique",
        Proof::Time { .. } => "time",
        Proof::Committed { .. } => "under way",
        Proof::OneAgent { .. } => "one agent",
        Proof::Group { .. } => "group",
        Proof::Chain { links, limit } => match (links[links.len() - 1].by, limit) {
            (_, Limit::Gap { .. }) => "gap",
            (Some(CouplingId::Order(_)), _) => "order",
            (Some(CouplingId::Group(_)), _) => "together",
            _ => "delivery",
        },
        Proof::Needs { .. } => "needs",
        _ => "other",
    }
}

/// The only certificate of a problem, checked.
fn only_certificate(spec: Spec) -> Certificate {
    let problem = Problem::new(spec).expect("the problem is valid");
    let mut found = certificates(&problem);
    assert_eq!(found.len(), 1, "{found:?}");
    let one = found.remove(0);
    assert_eq!(certificate(&problem, &one), Ok(()), "{one:?}");
    assert!(is_infeasible(&problem), "{one:?}");
    if let Some((_, plan)) = world::best(&problem) {
        assert!(is_partial(&problem, &plan), "{plan:?}");
    }
    one
}

/// Agents at 0 and 20, tasks at 4, 10 and 18.
fn world() -> Spec {
    line::spec(vec![agent(0), agent(20)], vec![task(4), task(10), task(18)])
}

fn row(agents: &[usize], incompatibility: Incompatibility) -> Row {
    Row {
        agents: agents.to_vec(),
        task: 0,
        incompatibility,
    }
}

#[test]
fn what_each_agent_cannot_do_is_told_agent_by_agent() {
    let mut spec = world();
    spec.tasks[0].windows = window(0, 3);
    spec.tasks[0].demands = vec![6];
    spec.agents[1].capacities = vec![5];
    let late = Incompatibility::Window {
        arrival_us: 4 * S,
        latest_us: 3 * S,
    };
    let heavy = Incompatibility::Capacity {
        dimension: 0,
        load: 6,
        capacity: 5,
    };
    let rows = vec![row(&[0], late), row(&[1], heavy)];
    let proof = Proof::NoAgent { rows };
    assert_eq!(only_certificate(spec), Certificate::of_task(0, proof));
}

#[test]
fn a_way_over_other_tasks_counts() {
    let mut spec = world();
    spec.tasks[0].windows = window(0, 3);
    // Over 10 agent 0 is at 4 in two seconds.
    spec.travel.durations_us[10] = S;
    spec.travel.durations_us[10 * PLACES + 4] = S;
    let problem = Problem::new(spec.clone()).expect("the problem is valid");
    assert_eq!(certificates(&problem), []);
    // Not when there is no time for that.
    spec.tasks[1].service_us = 2 * S;
    only_certificate(spec);
}

#[test]
fn a_skill_group_that_is_too_heavy_is_found() {
    let mut spec = world();
    for task in &mut spec.tasks[..2] {
        (task.skills, task.demands) = (1, vec![6]);
    }
    spec.agents[1].skills = 1;
    let found = only_certificate(spec);
    let proof = Proof::Load {
        agents: vec![1],
        dimension: 0,
        load: 12,
        capacity: 10,
    };
    assert_eq!((found.tasks, found.proof), (vec![0, 1], proof));
}

#[test]
fn more_tasks_at_a_time_than_agents_are_a_clique() {
    let mut spec = world();
    for task in &mut spec.tasks {
        task.windows = window(18, 19);
    }
    let found = only_certificate(spec.clone());
    let agents = vec![0, 1];
    assert_eq!((found.tasks, found.left_out), (vec![0, 1, 2], 1));
    assert_eq!(found.proof, Proof::Clique { agents });
    // Twice as fast as that takes, one agent can do two of them.
    spec.agents[1].speed_micro = 8 * S;
    let problem = Problem::new(spec).expect("the problem is valid");
    assert_eq!(certificates(&problem), []);
}

#[test]
fn more_work_by_a_deadline_than_time_is_found() {
    let mut spec = world();
    spec.tasks = vec![task(10); 6];
    for task in &mut spec.tasks {
        task.service_us = 12 * S;
    }
    // The first way takes ten seconds, but who comes from another task is there already.
    spec.agents.iter_mut().for_each(|a| a.shift_end_us = 35 * S);
    let found = only_certificate(spec);
    let expected = Proof::Time {
        agents: vec![0, 1],
        deadline_us: 35 * S,
        work_us: 72 * S,
        room_us: 70 * S,
    };
    assert_eq!(found.tasks, [0, 1, 2, 3, 4, 5]);
    assert_eq!(found.proof, expected);
}

#[test]
fn what_is_under_way_and_cannot_be_done_leaves_no_plan() {
    let mut spec = world();
    spec.tasks[1].windows = window(0, 9);
    spec.previous = previous(&[(1, &[2, 1], 2)], None);
    let incompatibility = Incompatibility::Window {
        arrival_us: 10 * S,
        latest_us: 9 * S,
    };
    let proof = Proof::Committed {
        agent: 1,
        incompatibility,
    };
    assert_eq!(only_certificate(spec).proof, proof);
}

/// Kinds of certificates that problems of these seeds have.
fn seen(seeds: std::ops::Range<u64>) -> BTreeMap<&'static str, usize> {
    let mut seen = BTreeMap::new();
    for seed in seeds {
        let shape = Shape::varied(2 + (seed % 4) as usize, 1 + (seed % 2) as usize);
        for kind in holds(&generate(seed, &shape)) {
            *seen.entry(kind).or_insert(0) += 1;
        }
    }
    seen
}

#[test]
fn every_kind_is_found_and_holds_in_all_plans() {
    let kinds: Vec<_> = seen(0..1_500).into_keys().collect();
    let expected = [
        "capacity",
        "clique",
        "load",
        "shift",
        "skills",
        "time",
        "under way",
        "way",
        "window",
    ];
    assert_eq!(kinds, expected);
}

/// Certificates like this one, each with one thing changed so that it must not be believed.
fn spoiled(given: &Certificate) -> Vec<Certificate> {
    let changes: [fn(&mut Certificate); 5] = [
        |c| c.tasks.push(999),
        |c| c.tasks.clear(),
        |c| c.left_out = 0,
        |c| c.left_out = c.tasks.len() + 1,
        |c| match &mut c.proof {
            Proof::NoAgent { rows } => rows.clear(),
            Proof::Load { load, .. } => *load += 1,
            Proof::Time { work_us, .. } => *work_us += 1,
            Proof::Clique { agents } => drop(agents.pop()),
            Proof::Committed { agent, .. } => *agent = 999,
            other => panic!("no such proof without couplings: {other:?}"),
        },
    ];
    let change = |change: fn(&mut Certificate)| {
        let mut one = given.clone();
        change(&mut one);
        one
    };
    let mut all: Vec<Certificate> = changes.into_iter().map(change).collect();
    if let Proof::NoAgent { rows } = &given.proof {
        for (at, row) in rows.iter().enumerate() {
            if let Some(incompatibility) = better(row.incompatibility) {
                let mut rows = rows.clone();
                rows[at].incompatibility = incompatibility;
                all.push(Certificate {
                    proof: Proof::NoAgent { rows },
                    ..given.clone()
                });
            }
        }
    }
    all
}

/// A bar that claims more than this one, if there is a number in it.
fn better(incompatibility: Incompatibility) -> Option<Incompatibility> {
    match incompatibility {
        Incompatibility::Skills { missing } => Some(Incompatibility::Skills {
            missing: missing | 1 << 63,
        }),
        Incompatibility::Capacity {
            dimension,
            load,
            capacity,
        } => Some(Incompatibility::Capacity {
            dimension,
            load: load + 1,
            capacity,
        }),
        Incompatibility::Window {
            arrival_us,
            latest_us,
        } => Some(Incompatibility::Window {
            arrival_us: arrival_us + 1,
            latest_us,
        }),
        Incompatibility::Shift {
            earliest_us,
            latest_us,
        } => Some(Incompatibility::Shift {
            earliest_us: earliest_us + 1,
            latest_us,
        }),
        _ => None,
    }
}

#[test]
fn a_certificate_of_something_else_is_refused() {
    let problem = Problem::new(world()).expect("the problem is valid");
    let refused = |tasks: &[usize], proof: Proof| {
        let given = Certificate {
            tasks: tasks.to_vec(),
            left_out: 1,
            proof,
        };
        certificate(&problem, &given).expect_err("it is wrong")
    };
    let clique = |agents: &[usize]| Proof::Clique {
        agents: agents.to_vec(),
    };
    let compatible = Refuted::Compatible { one: 0, other: 1 };
    assert_eq!(refused(&[0, 1, 2], clique(&[0, 1])), compatible);
    let forgotten = Refuted::Agent { agent: 1, task: 0 };
    assert_eq!(refused(&[0, 1], clique(&[0])), forgotten);
    let late = Incompatibility::Window {
        arrival_us: 4 * S,
        latest_us: 3 * S,
    };
    let rows = vec![row(&[0, 1], late)];
    let wrong = Refuted::Incompatibility { agent: 0, task: 0 };
    assert_eq!(refused(&[0], Proof::NoAgent { rows }), wrong);
    let under_way = Proof::Committed {
        agent: 7,
        incompatibility: late,
    };
    assert!(matches!(refused(&[0], under_way), Refuted::Shape(_)));
    let deep = (0..100_000).fold(clique(&[]), |root, _| Proof::Needs {
        path: Vec::new(),
        root: Box::new(root),
    });
    // Taken apart one by one: the check does not follow it, dropping it would.
    let refusal = Box::leak(Box::new(Certificate::of_task(0, deep)));
    assert!(certificate(&problem, refusal).is_err());
}

proptest! {
    /// Whatever is certified passes the check, and all plans agree.
    #[test]
    fn certificates_hold_in_every_plan(seed: u64, tasks in 0_usize..6, agents in 1_usize..4) {
        holds(&generate(seed, &Shape::varied(tasks, agents)));
        holds(&generate(seed, &Shape::coupled(tasks.min(4), agents)));
    }

    /// What claims more than can be proved is refused.
    #[test]
    fn spoiled_certificates_are_refused(seed: u64, tasks in 1_usize..9, agents in 1_usize..4) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        for one in certificates(&problem) {
            for wrong in spoiled(&one) {
                prop_assert!(certificate(&problem, &wrong).is_err(), "{wrong:?}");
            }
        }
    }

    /// Certificates of problems too large to go through all plans pass the check, too.
    #[test]
    fn certificates_of_larger_problems_pass_the_check(
        seed: u64, tasks in 10_usize..60, agents in 1_usize..8,
    ) {
        let made = [Shape::varied(tasks, agents), Shape::depot(tasks, agents)];
        let made = made.map(|shape| generate(seed, &shape));
        for problem in made.into_iter().chain([late_deliveries(seed, tasks, agents)]) {
            let wanted = Pulse::unbounded();
            let mut check = CertificateCheck::new(&problem, &wanted);
            for one in certificates(&problem) {
                prop_assert_eq!(check.certificate(&one), Ok(()), "{:?}", one);
                // What was found out before makes no difference.
                prop_assert_eq!(certificate(&problem, &one), Ok(()), "{:?}", one);
            }
        }
    }
}
