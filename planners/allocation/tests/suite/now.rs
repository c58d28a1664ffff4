//! What is not under way lies in the future, and what is keeps its clock.

use crate::line::{self, S, agent, previous, problem, task};
use crate::searched::searched;
use allocation::generate::{Shape, generate, spec};
use allocation::insert::{insert, insertions};
use allocation::problem::{Break, Micros, Problem, Spec, TIME_MAX_US, Window};
use allocation::verify::{terms, timeline, verify};
use allocation::{Cost, Params, Plan, Rest, Route, Stop, Terms, schedule};
use anytime::{Conclusion, Limits};
use proptest::prelude::*;

/// An agent at 0 with tasks at 4 and 10, of which some are started; and what time it is, in
/// seconds.
fn line(committed: usize, now_s: Micros) -> Spec {
    let mut spec = line::spec(vec![agent(0)], vec![task(4), task(10)]);
    spec.previous = previous(&[(0, &[0, 1], committed)], None);
    spec.now_us = now_s * S;
    spec
}

/// A plan in which the agent starts its tasks at these seconds.
fn starts(seconds: &[Micros]) -> Plan {
    let stop = |task: usize| Stop {
        task,
        start_us: seconds[task] * S,
    };
    let route = Route::new(0, (0..seconds.len()).map(stop).collect());
    Plan {
        routes: vec![route],
    }
}

/// The codes of the rules that a plan breaks.
fn broken(spec: &Spec, plan: &Plan) -> Vec<&'static str> {
    let broken = verify(&problem(spec.clone()), plan).err();
    broken.iter().flatten().map(|one| one.code).collect()
}

#[test]
fn an_agent_without_started_tasks_leaves_now() {
    let spec = line(0, 7);
    assert_eq!(broken(&spec, &starts(&[11, 17])), [""; 0]);
    assert_eq!(broken(&spec, &starts(&[10, 17])), ["START_BEFORE_ARRIVAL"]);
    assert_eq!(broken(&spec, &starts(&[6, 17])), ["START_BEFORE_NOW"]);
    assert_eq!(broken(&spec, &starts(&[4, 6])), ["START_BEFORE_NOW"; 2]);
    // A shift that starts later is no earlier for that.
    let mut late = spec;
    late.agents[0].shift_start_us = 20 * S;
    assert_eq!(broken(&late, &starts(&[24, 30])), [""; 0]);
    assert_eq!(broken(&late, &starts(&[23, 30])), ["START_BEFORE_ARRIVAL"]);
}

#[test]
fn started_tasks_keep_their_clock() {
    let spec = line(1, 7);
    // The agent is free at 4 and leaves at 7.
    assert_eq!(broken(&spec, &starts(&[4, 13])), [""; 0]);
    assert_eq!(broken(&spec, &starts(&[4, 12])), ["START_BEFORE_ARRIVAL"]);
    assert_eq!(broken(&spec, &starts(&[3, 13])), ["START_BEFORE_ARRIVAL"]);
    // The agent leaves for the second at 7, and arrives at 10 as planned.
    assert_eq!(broken(&line(2, 7), &starts(&[4, 10])), [""; 0]);
    // Windows of what is started may be over.
    let mut window = line(1, 7);
    window.tasks[0].windows = vec![Window::new(0, 5 * S)];
    assert_eq!(broken(&window, &starts(&[4, 13])), [""; 0]);
}

#[test]
fn times_of_plans_count_from_now() {
    let all = |committed, now_s, tasks: &[usize]| {
        let problem = problem(line(committed, now_s));
        let plan = schedule(&problem, &[(0, tasks.to_vec())]);
        let times = timeline(&problem, &plan).remove(0);
        let starts = plan.routes[0].stops.iter().map(|stop| stop.start_us / S);
        assert!(starts.eq(times.arrivals_us.iter().map(|us| us / S)));
        (times.arrivals_us, times.end_us)
    };
    assert_eq!(all(0, 7, &[0, 1]), (vec![11 * S, 17 * S], 17 * S));
    assert_eq!(all(1, 7, &[0, 1]), (vec![4 * S, 13 * S], 13 * S));
    assert_eq!(all(2, 7, &[0, 1]), (vec![4 * S, 10 * S], 10 * S));
    // What is started is done when it was.
    assert_eq!(all(1, 7, &[0]), (vec![4 * S], 4 * S));
}

#[test]
fn the_way_home_belongs_to_what_is_started() {
    let mut spec = line(1, 50);
    spec.agents[0].end = Some(0);
    spec.agents[0].shift_end_us = 20 * S;
    spec.tasks[1].drop_penalty_micro = Some(S);
    let problem = problem(spec);
    // The shift ended at 20: nothing else can be done, and the agent was home at 8.
    let (plan, cost, conclusion) = best(&problem);
    assert_eq!(conclusion, Conclusion::Optimal);
    assert_eq!(plan.routes[0].stops.len(), 1);
    assert_eq!(verify(&problem, &plan), Ok(cost));
    assert_eq!(timeline(&problem, &plan)[0].end_us, 8 * S);
}

/// The last plan offered, its cost, and how the search ended.
fn best(problem: &Problem) -> (Plan, Cost, Conclusion) {
    let mut found = searched(problem, &Params::default(), Limits::iterations(2_000));
    let (plan, cost) = found.offers.pop().expect("there is a plan");
    (plan, cost, found.conclusion)
}

/// The same problem with a break from `earliest` to `latest` at the latest, 3 seconds long.
fn resting(mut spec: Spec, earliest: Micros, latest: Micros) -> Spec {
    spec.couplings.breaks = vec![Break {
        agent: 0,
        length_us: 3 * S,
        earliest_us: earliest * S,
        latest_us: latest * S,
    }];
    spec
}

/// The plan with its break before a stop, at this second.
fn rested(mut plan: Plan, stop: usize, start_s: Micros) -> Plan {
    let start_us = start_s * S;
    plan.routes[0].rests = vec![Rest {
        index: 0,
        stop,
        start_us,
    }];
    plan
}

#[test]
fn breaks_that_had_to_start_before_now_are_past() {
    let past = resting(line(1, 20), 5, 9);
    assert_eq!(broken(&past, &starts(&[4, 26])), [""; 0]);
    let taken = rested(starts(&[4, 29]), 1, 9);
    assert_eq!(broken(&past, &taken), ["BREAK_TOO_EARLY"]);
    let past = resting(line(0, 20), 5, 9);
    assert_eq!(broken(&past, &starts(&[24, 30])), [""; 0]);
    // Until 4 the agent was busy with what is started: it rested before that.
    let busy = resting(line(1, 20), 0, 3);
    assert_eq!(broken(&busy, &starts(&[4, 26])), ["BREAK_MISSING"]);
    assert_eq!(broken(&busy, &rested(starts(&[7, 26]), 0, 0)), [""; 0]);
}

#[test]
fn breaks_before_other_tasks_start_now_or_later() {
    let due = resting(line(1, 6), 2, 9);
    assert_eq!(broken(&due, &starts(&[4, 12])), ["BREAK_MISSING"]);
    let early = rested(starts(&[4, 15]), 1, 5);
    assert_eq!(broken(&due, &early), ["BREAK_TOO_EARLY"]);
    assert_eq!(broken(&due, &rested(starts(&[4, 15]), 1, 6)), [""; 0]);
    // A break before a started task is under way and may lie in the past.
    let under_way = resting(line(2, 6), 2, 9);
    assert_eq!(broken(&under_way, &rested(starts(&[4, 13]), 1, 5)), [""; 0]);
}

#[test]
fn breaks_on_the_way_home_may_be_past() {
    let mut spec = resting(line(2, 12), 2, 11);
    spec.agents[0].end = Some(0);
    let plan = rested(starts(&[4, 10]), 2, 10);
    let whole = problem(spec.clone());
    let kept = verify(&whole, &plan).expect("it is as it was");
    // One task more: it comes after now, and the break is past.
    spec.tasks.push(task(12));
    let more = problem(spec);
    let places = insertions(&more, &plan, 2, 10).expect("the plan is kept");
    assert_eq!(places.len(), 1);
    let plan = insert(&more, &plan, 2, &places[0]);
    assert_eq!(verify(&more, &plan), Ok(places[0].cost));
    assert_eq!(plan.routes[0].stops[2].start_us, 14 * S);
    assert!(kept < places[0].cost);
}

#[test]
fn now_is_within_ten_years() {
    for now_us in [-1, TIME_MAX_US + 1] {
        let mut spec = line(0, 0);
        spec.now_us = now_us;
        let faults = Problem::new(spec).unwrap_err();
        let places: Vec<_> = faults.iter().map(|one| (one.code, one.field())).collect();
        assert_eq!(places, [("OUT_OF_RANGE", "now_offset".to_owned())]);
    }
}

/// The same problem, with all times later by `by_us`.
fn later(spec: &Spec, by_us: Micros) -> Spec {
    let mut spec = spec.clone();
    spec.now_us += by_us;
    for one in &mut spec.agents {
        one.shift_start_us += by_us;
        if one.shift_end_us <= TIME_MAX_US {
            one.shift_end_us += by_us;
        }
    }
    for window in spec.tasks.iter_mut().flat_map(|task| &mut task.windows) {
        window.open_us += by_us;
        window.close_us += by_us;
    }
    for one in &mut spec.couplings.breaks {
        one.earliest_us += by_us;
        one.latest_us += by_us;
    }
    for one in &mut spec.couplings.preferences {
        one.from_us += by_us;
        one.until_us += by_us;
    }
    spec
}

/// The plan with all times later by `by_us`.
fn moved(plan: &Plan, by_us: Micros) -> Plan {
    let mut plan = plan.clone();
    for route in &mut plan.routes {
        route.stops.iter_mut().for_each(|one| one.start_us += by_us);
        route.rests.iter_mut().for_each(|one| one.start_us += by_us);
    }
    plan
}

/// The terms that do not change when everything is later.
fn timeless(given: Terms) -> Terms {
    Terms {
        makespan_us: 0,
        ..given
    }
}

/// All offers of a search.
fn offers(problem: &Problem, iterations: u64) -> Vec<(Plan, Cost)> {
    searched(problem, &Params::default(), Limits::iterations(iterations)).offers
}

fn shape(coupled: bool, tasks: usize, agents: usize) -> Shape {
    if coupled {
        Shape::coupled(tasks, agents)
    } else {
        Shape::varied(tasks, agents)
    }
}

proptest! {
    /// Without anything that could lie in the past now changes nothing.
    #[test]
    fn a_now_before_all_shifts_is_none(
        seed: u64, coupled: bool, tasks in 0_usize..9, agents in 1_usize..4,
    ) {
        let mut spec = later(&spec(seed, &shape(coupled, tasks, agents)), 5 * S);
        spec.now_us = 0;
        let first_us = spec.agents.iter().map(|one| one.shift_start_us).min();
        let without = offers(&problem(spec.clone()), 40);
        spec.now_us = first_us.unwrap_or(0);
        prop_assert_eq!(without, offers(&problem(spec), 40));
    }

    /// A problem in which everything is later has the same plans, later.
    #[test]
    fn later_problems_have_later_plans(
        seed: u64, coupled: bool, tasks in 0_usize..7, agents in 1_usize..4, by_s in 1_i64..100,
    ) {
        let given = spec(seed, &shape(coupled, tasks, agents));
        let by_us = by_s * S;
        let [own, other] = [given.clone(), later(&given, by_us)].map(problem);
        for (from, to, by_us) in [(&own, &other, by_us), (&other, &own, -by_us)] {
            for (plan, _) in offers(from, 40) {
                let before = terms(from, &plan).map(timeless);
                let after = terms(to, &moved(&plan, by_us)).map(timeless);
                prop_assert_eq!(before, after);
            }
        }
    }

    /// A plan is valid at a later time if all agents that are not under way still have the time to
    /// get to their first tasks, and only then.
    #[test]
    fn plans_are_late_when_their_agents_are(
        seed: u64, tasks in 1_usize..8, agents in 1_usize..4, percent in 0_i64..120,
    ) {
        let mut spec = generate(seed, &Shape::varied(tasks, agents)).spec().clone();
        spec.previous = None;
        spec.now_us = 0;
        let early = problem(spec.clone());
        for (plan, cost) in offers(&early, 20) {
            let ends = timeline(&early, &plan).into_iter().map(|times| times.end_us);
            spec.now_us = (ends.max().unwrap_or(0) / 100 * percent).min(TIME_MAX_US);
            let in_time = |route: &Route| {
                let (own, first) = (&spec.agents[route.agent], route.stops[0]);
                let to = spec.tasks[first.task].location;
                let travel_us = spec.travel.duration_at_us(own.start, to, own.speed_micro);
                own.shift_start_us.max(spec.now_us) + travel_us.unwrap_or(0) <= first.start_us
            };
            let is_valid = plan.routes.iter().all(in_time);
            match verify(&problem(spec.clone()), &plan) {
                Ok(same) => prop_assert!(is_valid && same == cost),
                Err(broken) => {
                    prop_assert!(!is_valid);
                    for one in broken {
                        let code = one.code;
                        prop_assert!(["START_BEFORE_NOW", "START_BEFORE_ARRIVAL"].contains(&code));
                    }
                }
            }
        }
    }
}
