//! Agents that cannot keep what they have under way are released, with a reason that holds.

use crate::line::{self, agent, previous, problem, task};
use crate::searched::searched;
use crate::world;

use allocation::explain::Obstacle;
use allocation::generate::{Shape, spec};
use allocation::problem::{
    Couplings, MICRO, Order, Previous, PreviousRoute, Problem, Spec, Window,
};
use allocation::{Params, Release, infeasible_commitments, release, schedule, verify};
use anytime::{CancelToken, Conclusion, Limits, Pulse, Stop};
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The same problem in which an agent has so much under way.
fn with_started(given: &Problem, agent: usize, committed: usize) -> Problem {
    let mut spec = given.spec().clone();
    let routes = spec.previous.iter_mut().flat_map(|p| &mut p.routes);
    let route = routes.into_iter().find(|route| route.agent == agent);
    route.expect("it has a route").committed = committed;
    problem(spec)
}

fn has_plan(problem: &Problem) -> bool {
    world::best(problem).is_some()
}

/// The rule that a reason about one agent alone says is broken.
fn rules(obstacle: Obstacle) -> &'static [&'static str] {
    match obstacle {
        Obstacle::MissingSkill { .. } => &["SKILLS_MISSING"],
        Obstacle::Capacity { .. } => &["CAPACITY_EXCEEDED"],
        Obstacle::Window { .. } => &["START_TOO_LATE"],
        Obstacle::Shift { .. } => &["SHIFT_EXCEEDED"],
        Obstacle::Unreachable => &["NO_WAY", "NO_WAY_TO_END"],
        other => panic!("{other:?}"),
    }
}

/// What the agent has under way up to the task breaks that rule, as the check of plans sees it.
fn breaks_rule(given: &Problem, release: &Release) {
    let mut spec = given.spec().clone();
    spec.previous = None;
    for pair in std::mem::take(&mut spec.couplings).pairs {
        spec.tasks[pair.pickup].demands.clear();
    }
    let free = problem(spec);
    let committed = given.committed(release.agent);
    let last = committed.iter().position(|task| *task == release.task);
    let tasks = committed[..=last.expect("it is under way")].to_vec();
    let plan = schedule(&free, &[(release.agent, tasks)]);
    let broken = verify(&free, &plan).expect_err("a rule is broken");
    let codes: Vec<_> = broken.iter().map(|one| one.code).collect();
    let wanted = rules(release.obstacle);
    assert!(
        codes.iter().any(|code| wanted.contains(code)),
        "{codes:?} {release:?}"
    );
}

/// Nobody is released without need, everybody else can be planned. How many are released.
fn holds(given: &Problem) -> usize {
    let Some((relaxed, releases)) = release(given, &Pulse::unbounded()) else {
        assert!(has_plan(given), "nobody is released, and there is no plan");
        return 0;
    };
    assert!(has_plan(&relaxed), "{releases:?}");
    assert!(!has_plan(given), "{releases:?}");
    assert!(infeasible_commitments(&relaxed).is_empty());
    let mut same = relaxed.spec().clone();
    same.objective.clone_from(&given.spec().objective);
    same.previous.clone_from(&given.spec().previous);
    assert_eq!(&same, given.spec());
    assert_eq!(relaxed.levels(), given.levels());
    for agent in 0..given.agents().len() {
        let one = releases.iter().find(|one| one.agent == agent);
        let retained = one.map_or(given.committed(agent).len(), |one| one.retained);
        assert_eq!(
            relaxed.committed(agent),
            &given.committed(agent)[..retained]
        );
    }
    for one in &releases {
        assert!(one.proved, "tiny problems are decided: {one:?}");
        let committed = given.committed(one.agent).iter();
        let at = committed.clone().position(|task| *task == one.task);
        let at = at.expect("it is under way");
        assert_eq!(at, one.retained, "{one:?}");
        assert!(
            !has_plan(&with_started(&relaxed, one.agent, at + 1)),
            "{one:?}"
        );
        if one.obstacle != Obstacle::NoPlace {
            breaks_rule(given, one);
        }
    }
    let found = searched(&relaxed, &Params::default(), Limits::iterations(200));
    let last = found.plan().expect("everybody else is planned");
    assert!(verify(&relaxed, &last).is_ok());
    releases.len()
}

/// The problem of a seed, in which agents have any tasks under way.
fn drawn(seed: u64, shape: &Shape, mut draw: u64) -> Problem {
    let mut spec = spec(seed, shape);
    let mut below = |end: usize| {
        draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (draw >> 33) as usize % end
    };
    let mut left: Vec<usize> = (0..spec.tasks.len()).collect();
    let routes = (0..spec.agents.len()).map(|agent| {
        let count = below(left.len() + 1).min(3);
        let tasks: Vec<usize> = (0..count)
            .map(|_| left.swap_remove(below(left.len())))
            .collect();
        let committed = below(tasks.len() + 1);
        PreviousRoute::new(agent, tasks, committed)
    });
    spec.previous = Some(Previous {
        routes: routes.collect(),
        changes_max: [None, Some(0), Some(1)][below(3)],
    });
    problem(spec)
}

proptest! {
    #[test]
    fn agents_are_released_only_where_no_plan_keeps_what_they_have(
        seed: u64, draw: u64, tasks in 1_usize..5, agents in 1_usize..4,
    ) {
        holds(&drawn(seed, &Shape::varied(tasks, agents), draw));
    }

    #[test]
    fn agents_of_coupled_problems_are_released_only_where_no_plan_keeps_what_they_have(
        seed: u64, draw: u64, tasks in 1_usize..5, agents in 1_usize..3,
    ) {
        holds(&drawn(seed, &Shape::coupled(tasks, agents), draw));
    }
}

#[test]
fn releases_occur_in_drawn_problems() {
    let count = |shape: &dyn Fn(usize, usize) -> Shape| -> usize {
        let sizes = |seed: u64| shape(2 + seed as usize % 3, 1 + seed as usize % 2);
        (0..100)
            .map(|seed| holds(&drawn(seed, &sizes(seed), seed)))
            .sum()
    };
    let released = [count(&Shape::varied), count(&Shape::coupled)];
    assert!(released.iter().all(|count| *count >= 20), "{released:?}");
}

/// A pulse that stops at the question with this number, from 0, and how often it was asked.
fn stopped_at(question: usize) -> (Pulse, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&asked);
    let look = move || (seen.fetch_add(1, Relaxed) >= question).then_some(Stop::Cancelled);
    (Pulse::new(None, CancelToken::observed(look)), asked)
}

/// What a stopped release answers: proofs hold, and if anything is released without one, there is a
/// plan.
fn holds_stopped(given: &Problem, answer: Option<(Problem, Vec<Release>)>) {
    let Some((relaxed, releases)) = answer else {
        return;
    };
    for agent in 0..given.agents().len() {
        let one = releases.iter().find(|one| one.agent == agent);
        let retained = one.map_or(given.committed(agent).len(), |one| one.retained);
        assert_eq!(
            relaxed.committed(agent),
            &given.committed(agent)[..retained]
        );
    }
    for one in releases.iter().filter(|one| one.proved) {
        let at = given
            .committed(one.agent)
            .iter()
            .position(|t| *t == one.task);
        let with_task = with_started(&relaxed, one.agent, at.expect("it is under way") + 1);
        assert!(!has_plan(&with_task), "{one:?}");
    }
    if releases.iter().any(|one| !one.proved) {
        assert!(has_plan(&relaxed), "{releases:?}");
    }
    searched(&relaxed, &Params::default(), Limits::iterations(20));
}

#[test]
fn a_release_that_is_stopped_at_any_question_is_valid() {
    let shapes: [fn(usize, usize) -> Shape; 2] = [Shape::varied, Shape::coupled];
    let (mut weaker, mut unproved) = (0, 0);
    for (seed, shape) in (0..40).flat_map(|seed| shapes.map(|shape| (seed, shape))) {
        let given = drawn(
            seed,
            &shape(2 + seed as usize % 3, 1 + seed as usize % 3),
            seed,
        );
        let whole = release(&given, &Pulse::unbounded());
        for question in 0.. {
            let (wanted, asked) = stopped_at(question);
            let answer = release(&given, &wanted);
            let asked = asked.load(Relaxed);
            if asked <= question {
                assert_eq!(answer, whole, "it is not stopped");
                break;
            }
            let looks_after = asked - question - 1;
            assert!(looks_after <= 2 * given.agents().len() + 8, "{looks_after}");
            weaker += usize::from(answer != whole);
            let mut releases = answer.iter().flat_map(|(_, releases)| releases);
            unproved += usize::from(releases.any(|one| !one.proved));
            holds_stopped(&given, answer);
        }
    }
    assert!(weaker > 50 && unproved > 5, "{weaker} {unproved}");
}

/// Nothing is released that is not proved before all agents were checked together.
#[test]
fn agents_of_a_release_that_is_stopped_early_keep_what_they_have() {
    let (wanted, _) = stopped_at(0);
    assert_eq!(release(&problem(large()), &wanted), None);
    let mut late = line();
    late.tasks[1].skills = 1;
    let given = problem(late);
    // Both agents were checked alone, the second round was not.
    let (wanted, _) = stopped_at(2);
    let (relaxed, releases) = release(&given, &wanted).expect("a skill is missing");
    assert!(matches!(&releases[..], [one] if one.proved && (one.agent, one.retained) == (0, 1)));
    assert_eq!(relaxed.committed(1), given.committed(1));
}

/// Two agents on a line; the first has its tasks at 4 and 10 under way.
fn line() -> Spec {
    let mut spec = line::spec(vec![agent(0), agent(20)], vec![task(4), task(10), task(18)]);
    spec.previous = previous(&[(0, &[0, 1], 2), (1, &[2], 1)], None);
    spec
}

#[test]
fn an_agent_keeps_the_tasks_before_the_one_that_it_cannot_do() {
    assert_eq!(release(&problem(line()), &Pulse::unbounded()), None);
    let mut late = line();
    late.tasks[1].windows = vec![Window::new(0, 9 * MICRO)];
    let given = problem(late);
    let (relaxed, releases) = release(&given, &Pulse::unbounded()).expect("it is too late");
    let wanted = Release {
        agent: 0,
        retained: 1,
        task: 1,
        obstacle: Obstacle::Window {
            arrival_us: 10 * MICRO,
            latest_us: 9 * MICRO,
        },
        proved: true,
    };
    assert_eq!(releases, [wanted]);
    assert_eq!(
        (relaxed.committed(0), relaxed.committed(1)),
        (&[0][..], &[2][..])
    );
    assert_eq!(holds(&given), 1);
}

/// Each of two agents can do what it has under way, but not both: one has to wait for the other.
#[test]
fn of_agents_that_can_do_what_they_have_only_apart_the_first_keeps_it() {
    let mut spec = line();
    spec.previous = previous(&[(0, &[0], 1), (1, &[2], 1)], None);
    spec.tasks[2].windows = vec![Window::new(0, 3 * MICRO)];
    spec.couplings = Couplings {
        orders: vec![Order {
            first: 0,
            second: 2,
            gap_min_us: 0,
            gap_max_us: None,
            same_agent: false,
        }],
        ..Couplings::default()
    };
    let given = problem(spec);
    assert!(infeasible_commitments(&given).is_empty());
    assert_eq!(holds(&given), 1);
    let (_, releases) = release(&given, &Pulse::unbounded()).expect("they cannot both");
    let [one] = &releases[..] else {
        panic!("{releases:?}");
    };
    assert_eq!((one.agent, one.retained, one.task), (1, 0, 2));
    assert_eq!(one.obstacle, Obstacle::NoPlace);
}

/// Two agents that can do what they have under way only apart, with more tasks than every plan can
/// be looked at.
fn large() -> Spec {
    let mut spec = line();
    spec.tasks.extend((0..17).map(task));
    spec.previous = previous(&[(0, &[0], 1), (1, &[2], 1)], None);
    spec.tasks[2].windows = vec![Window::new(0, 3 * MICRO)];
    spec.couplings.orders = vec![Order {
        first: 0,
        second: 2,
        gap_min_us: 0,
        gap_max_us: None,
        same_agent: false,
    }];
    spec
}

/// The second agent is late for its second task whatever the other does, and gives up its first
/// one, too.
#[test]
fn what_is_proved_of_an_agent_stays_when_it_gives_up_more() {
    let mut spec = large();
    spec.previous = previous(&[(0, &[0], 1), (1, &[2, 5], 2)], None);
    spec.tasks[5].windows = vec![Window::new(0, MICRO)];
    let (relaxed, releases) = release(&problem(spec), &Pulse::unbounded()).expect("it is too late");
    let [one] = &releases[..] else {
        panic!("{releases:?}");
    };
    assert_eq!((one.agent, one.retained, one.task), (1, 0, 5));
    assert!(one.proved && matches!(one.obstacle, Obstacle::Window { .. }));
    assert!(relaxed.committed(1).is_empty());
}

/// What is not proved is not called so.
#[test]
fn agents_of_large_problems_are_released_without_a_proof() {
    let given = problem(large());
    let (relaxed, releases) = release(&given, &Pulse::unbounded()).expect("they cannot both");
    let found: Vec<_> = releases.iter().map(|one| (one.agent, one.proved)).collect();
    assert_eq!(found, [(1, false)]);
    let found = searched(&relaxed, &Params::default(), Limits::iterations(200));
    assert_ne!(found.conclusion, Conclusion::Infeasible);
    let left_out = found.plan().map(|plan| {
        relaxed.tasks().len() - plan.routes.iter().map(|r| r.stops.len()).sum::<usize>()
    });
    assert!(left_out.is_some_and(|count| count <= 1), "{left_out:?}");
}

#[test]
fn an_agent_retains_tasks_whose_obstacle_goes_with_the_release_of_another() {
    // Agent 1 reaches its end place only over task 2, which agent 0 has under way, but cannot keep.
    let seeds = (14_531_767_813_590_816_227, 12_111_259_363_804_281_522);
    let given = drawn(seeds.0, &Shape::coupled(4, 2), seeds.1);
    let (_, releases) = release(&given, &Pulse::unbounded()).expect("agent 0 is released");
    let released: Vec<usize> = releases.iter().map(|one| one.agent).collect();
    assert_eq!(released, [0]);
    holds(&given);
}
