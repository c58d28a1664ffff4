//! Every mistake that a problem can have.

use crate::line::{self, PLACES, agent, previous, task};
use allocation::Problem;
use allocation::problem::*;
use allocation::travel::{ARC_COST_MAX_MICRO, LOCATIONS_MAX, Travel};

/// Two agents and three tasks: nothing wrong.
fn valid() -> Spec {
    line::spec(vec![agent(0), agent(1)], vec![task(2), task(3), task(4)])
}

/// The faults of a valid problem after `change`: code, field and text.
fn errors(change: impl FnOnce(&mut Spec)) -> Vec<String> {
    let mut spec = valid();
    change(&mut spec);
    let faults = Problem::new(spec).err().unwrap_or_default();
    faults
        .iter()
        .map(|one| format!("{} {one}", one.code))
        .collect()
}

/// A time as texts have it.
pub(crate) fn shown(time_us: i64) -> String {
    anytime::Time(time_us).to_string()
}

fn level(terms: &[(Term, i64)]) -> Level {
    Level {
        terms: terms.to_vec(),
    }
}

fn windows(all: &[(i64, i64)]) -> Vec<Window> {
    let window = |&(open_us, close_us): &(i64, i64)| Window { open_us, close_us };
    all.iter().map(window).collect()
}

#[test]
fn a_problem_at_all_limits_is_valid() {
    let wrong = errors(|s| {
        s.agents = vec![agent(0); AGENTS_MAX];
        s.tasks = vec![task(0); TASKS_MAX];
        let (a, t) = (&mut s.agents[0], &mut s.tasks[0]);
        a.capacities = vec![QUANTITY_MAX; DIMENSIONS_MAX];
        a.speed_micro = SPEED_MIN_MICRO;
        (a.shift_start_us, a.shift_end_us) = (TIME_MAX_US, TIME_MAX_US);
        t.demands = vec![QUANTITY_MAX; DIMENSIONS_MAX];
        (t.service_us, t.lateness_max_us) = (TIME_MAX_US, Some(TIME_MAX_US));
        t.drop_penalty_micro = Some(PENALTY_MAX_MICRO);
        let rising = (0..WINDOWS_MAX as i64 - 1).map(|i| (2 * i, 2 * i + 1));
        t.windows = windows(
            &rising
                .chain([(TIME_MAX_US, TIME_MAX_US)])
                .collect::<Vec<_>>(),
        );
        s.agents[1].speed_micro = SPEED_MAX_MICRO;
    });
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn mistakes_about_agents() {
    assert_eq!(
        errors(|s| s.agents.clear()),
        ["REQUIRED agents is required"]
    );
    let given = AGENTS_MAX + 1;
    assert_eq!(
        errors(|s| s.agents = vec![agent(0); given]),
        ["TOO_MANY agents has 1001 elements, at most 1000 are allowed"]
    );
    let nowhere = |location| format!("UNKNOWN agents[1].start is location {location}, of {PLACES}");
    assert_eq!(errors(|s| s.agents[1].start = PLACES), [nowhere(PLACES)]);
    assert_eq!(errors(|s| s.agents[1].end = Some(99)), [nowhere(99)]);
    let shift = |start_us, end_us| {
        errors(|s| (s.agents[1].shift_start_us, s.agents[1].shift_end_us) = (start_us, end_us))
    };
    let at = "agents[1].shift_end_offset";
    assert_eq!(
        shift(5, 4),
        [format!(
            "REVERSED {at} must be at least 0.000005 s, got 0.000004 s"
        )]
    );
    for (start_us, end_us) in [
        (-1, 4),
        (TIME_MAX_US + 1, SHIFT_OPEN_US),
        (0, TIME_MAX_US + 1),
        (0, -1),
    ] {
        let [start, end, max] = [start_us, end_us, TIME_MAX_US].map(shown);
        let text = format!("ends a shift from {start} to {end}, outside of 0 s to {max}");
        assert_eq!(
            shift(start_us, end_us),
            [format!("OUT_OF_RANGE {at} {text}")]
        );
    }
    for (speed_micro, speed) in [
        (0, "0"),
        (SPEED_MIN_MICRO - 1, "0.000999"),
        (SPEED_MAX_MICRO + 1, "1000.000001"),
        (i64::MIN, "-9223372036854.775808"),
    ] {
        let text = format!("must be between 0.001 and 1000, got {speed}");
        assert_eq!(
            errors(|s| s.agents[1].speed_micro = speed_micro),
            [format!("OUT_OF_RANGE agents[1].speed {text}")]
        );
    }
}

#[test]
fn mistakes_about_quantities() {
    let given = DIMENSIONS_MAX + 1;
    let many = |at: &str| format!("TOO_MANY {at} has {given} elements, at most 8 are allowed");
    let range = |at: &str, quantity: i64| {
        format!("OUT_OF_RANGE {at} must be between 0 and {QUANTITY_MAX}, got {quantity}")
    };
    let wrong = errors(|s| s.agents[0].capacities = vec![0; given]);
    assert_eq!(wrong, [many("agents[0].capacities")]);
    for quantity in [-1, QUANTITY_MAX + 1] {
        let wrong = errors(|s| s.agents[0].capacities = vec![0, quantity]);
        assert_eq!(wrong, [range("agents[0].capacities[1]", quantity)]);
    }
    let wrong = errors(|s| s.tasks[2].demands = vec![0; given]);
    assert_eq!(wrong, [many("tasks[2].demands")]);
    for quantity in [i64::MIN, i64::MAX] {
        let wrong = errors(|s| s.tasks[2].demands = vec![quantity]);
        assert_eq!(wrong, [range("tasks[2].demands[0]", quantity)]);
    }
}

#[test]
fn problems_with_a_matrix_or_couplings_are_smaller() {
    let wrong = |given: (usize, usize), change: &dyn Fn(&mut Spec)| {
        errors(|s| {
            s.agents = vec![agent(0); given.0];
            s.tasks = vec![task(0); given.1];
            change(s);
        })
    };
    let unless = "are allowed with a matrix, with couplings, or with preferences, moved tasks or \
                  balance in the objective";
    let both = [
        format!("TOO_MANY agents has 201 elements, at most 200 {unless}"),
        format!("TOO_MANY tasks has 1001 elements, at most 1000 {unless}"),
    ];
    let matrix = |s: &mut Spec| s.travel.lines = None;
    let (pickup, delivery) = (0, 1);
    let pair = |s: &mut Spec| s.couplings.pairs = vec![Pair { pickup, delivery }];
    let balance = |s: &mut Spec| s.objective = vec![level(&[(Term::Balance, 1)])];
    for change in [&matrix as &dyn Fn(&mut Spec), &pair, &balance] {
        assert_eq!(wrong((200, 1_000), change), [""; 0]);
        assert_eq!(wrong((201, 1_001), change), both);
    }
    assert_eq!(wrong((201, 1_001), &|_| ()), [""; 0]);
}

#[test]
fn mistakes_about_tasks() {
    let given = TASKS_MAX + 1;
    assert_eq!(
        errors(|s| s.tasks = vec![task(0); given]),
        ["TOO_MANY tasks has 10001 elements, at most 10000 are allowed"]
    );
    assert_eq!(
        errors(|s| s.tasks[2].location = 77),
        [format!(
            "UNKNOWN tasks[2].place is location 77, of {PLACES}"
        )]
    );
    for bad_us in [-1, TIME_MAX_US + 1] {
        let (max, given) = (shown(TIME_MAX_US), shown(bad_us));
        let text = format!("must be between 0 s and {max}, got {given}");
        let wrong = errors(|s| s.tasks[1].service_us = bad_us);
        let at = "tasks[1].service_duration";
        assert_eq!(wrong, [format!("OUT_OF_RANGE {at} {text}")]);
        let wrong = errors(|s| s.tasks[1].lateness_max_us = Some(bad_us));
        let at = "tasks[1].max_lateness_duration";
        assert_eq!(wrong, [format!("OUT_OF_RANGE {at} {text}")]);
    }
    for (penalty_micro, penalty) in [
        (-1, "-0.000001"),
        (PENALTY_MAX_MICRO + 1, "1000000000.000001"),
    ] {
        let text = format!("must be between 0 and 1000000000, got {penalty}");
        assert_eq!(
            errors(|s| s.tasks[1].drop_penalty_micro = Some(penalty_micro)),
            [format!("OUT_OF_RANGE tasks[1].drop_penalty {text}")]
        );
    }
}

#[test]
fn mistakes_about_windows() {
    let wrong = |all: &[(i64, i64)]| errors(|s| s.tasks[1].windows = windows(all));
    let many: Vec<_> = (0..=WINDOWS_MAX as i64).map(|i| (2 * i, 2 * i)).collect();
    assert_eq!(
        wrong(&many),
        ["TOO_MANY tasks[1].windows has 17 elements, at most 16 are allowed"]
    );
    let at = "tasks[1].windows[1].close_offset";
    assert_eq!(
        wrong(&[(0, 3), (9, 8)]),
        [format!(
            "REVERSED {at} must be at least 0.000009 s, got 0.000008 s"
        )]
    );
    for (open_us, close_us) in [(-1, 3), (0, TIME_MAX_US + 1)] {
        let [open, close, max] = [open_us, close_us, TIME_MAX_US].map(shown);
        let text = format!("is from {open} to {close}, outside of 0 s to {max}");
        assert_eq!(
            wrong(&[(open_us, close_us)]),
            [format!("OUT_OF_RANGE tasks[1].windows[0] {text}")]
        );
    }
    for open_us in [3, 2] {
        let text = format!("must be after 0.000003 s, got {}", shown(open_us));
        assert_eq!(
            wrong(&[(0, 3), (open_us, 8)]),
            [format!("OVERLAP tasks[1].windows[1].open_offset {text}")]
        );
    }
}

#[test]
fn mistakes_about_travel() {
    let (wanted, n) = (PLACES * PLACES, LOCATIONS_MAX + 1);
    let wrong = errors(|s| {
        s.travel = Travel {
            locations: n,
            durations_us: vec![0; n * n],
            costs_micro: None,
            lines: None,
        };
    });
    let text = format!("has {n} elements, at most {LOCATIONS_MAX} are allowed");
    assert_eq!(
        wrong,
        [format!("TOO_MANY travel.matrix.location_ids {text}")]
    );
    let size = |list: &str, given: usize| {
        let text = format!("{given} elements, {wanted} are wanted: one for each pair of locations");
        format!("WRONG_SIZE travel.matrix.{list} has {text}")
    };
    let wrong = errors(|s| s.travel.durations_us.truncate(7));
    assert_eq!(wrong, [size("durations_us", 7)]);
    let wrong = errors(|s| s.travel.costs_micro = Some(vec![0; wanted + 1]));
    assert_eq!(wrong, [size("costs_micro", wanted + 1)]);
    for duration_us in [-2, TIME_MAX_US + 1] {
        let wrong = errors(|s| s.travel.durations_us[5] = duration_us);
        let text = format!("must be between -1 and {TIME_MAX_US}, got {duration_us}");
        assert_eq!(
            wrong,
            [format!("OUT_OF_RANGE travel.matrix.durations_us[5] {text}")]
        );
    }
    for cost_micro in [-1, ARC_COST_MAX_MICRO + 1] {
        let change = |s: &mut Spec| {
            s.travel.costs_micro = Some(vec![1; wanted]);
            s.travel.costs_micro.as_mut().unwrap()[5] = cost_micro;
        };
        let text = format!("must be between 0 and {ARC_COST_MAX_MICRO}, got {cost_micro}");
        assert_eq!(
            errors(change),
            [format!("OUT_OF_RANGE travel.matrix.costs_micro[5] {text}")]
        );
        let blocked = errors(|s| {
            change(s);
            s.travel.durations_us[5] = -1;
        });
        assert_eq!(blocked, [""; 0], "the cost of a missing arc is ignored");
    }
}

#[test]
fn mistakes_about_the_objective() {
    let wrong = |levels: &[Level]| errors(|s| s.objective = levels.to_vec());
    let given = LEVELS_MAX + 1;
    assert_eq!(
        wrong(&vec![level(&[]); given]),
        ["TOO_MANY objective.levels has 7 elements, at most 6 are allowed"]
    );
    let empty = [level(&[(Term::Makespan, 1)]), level(&[])];
    assert_eq!(
        wrong(&empty),
        ["REQUIRED objective.levels[1].terms is required"]
    );
    let term = Term::Lateness;
    let twice = [
        level(&[(term, 1)]),
        level(&[(Term::Unserved, 1), (term, 2)]),
    ];
    assert_eq!(
        wrong(&twice),
        ["DUPLICATE objective.levels[1].terms[1].kind is in the objective already"]
    );
    for weight in [0, -1, WEIGHT_MAX + 1] {
        let bad = [level(&[(term, weight)])];
        let text = format!("must be between 1 and {WEIGHT_MAX}, got {weight}");
        assert_eq!(
            wrong(&bad),
            [format!(
                "OUT_OF_RANGE objective.levels[0].terms[0].weight {text}"
            )]
        );
    }
    // A million times twenty years in microseconds is above 2^62. Unserved is put in front; the
    // level is the caller's.
    let large = [level(&[(Term::Makespan, WEIGHT_MAX)])];
    let text = "could add up to more than 2^62 millionths: lower its weights";
    assert_eq!(
        wrong(&large),
        [format!("OVERFLOW objective.levels[0] {text}")]
    );
}

#[test]
fn mistakes_about_the_previous_plan() {
    let wrong =
        |routes: &[(usize, &[usize], usize)]| errors(|s| s.previous = previous(routes, None));
    let at = "previous_plan.routes";
    assert_eq!(
        wrong(&[(2, &[], 0)]),
        [format!(
            "UNKNOWN {at}[0].agent_id is agent 2, which does not exist"
        )]
    );
    assert_eq!(
        wrong(&[(0, &[0], 0), (0, &[1], 0)]),
        [format!("DUPLICATE {at}[1].agent_id is agent 0 again")]
    );
    assert_eq!(
        wrong(&[(0, &[0, 3], 0)]),
        [format!(
            "UNKNOWN {at}[0].task_ids[1] is task 3, which does not exist"
        )]
    );
    assert_eq!(
        wrong(&[(0, &[0], 0), (1, &[2, 0], 0)]),
        [format!("DUPLICATE {at}[1].task_ids[1] is task 0 again")]
    );
    assert_eq!(
        wrong(&[(0, &[0, 1], 3)]),
        [format!(
            "OUT_OF_RANGE {at}[0].started_count must be at most 2, got 3"
        )]
    );
}

#[test]
fn all_mistakes_are_found_at_once_in_the_order_of_the_fields() {
    let wrong = errors(|s| {
        s.previous = previous(&[(9, &[], 0)], None);
        s.objective = vec![level(&[])];
        s.travel.durations_us[0] = -7;
        s.tasks[0].service_us = -1;
        s.agents[1].speed_micro = 0;
    });
    let starts: Vec<&str> = wrong
        .iter()
        .filter_map(|one| one.split(" must").next())
        .collect();
    let expected = [
        "OUT_OF_RANGE agents[1].speed",
        "OUT_OF_RANGE tasks[0].service_duration",
        "OUT_OF_RANGE travel.matrix.durations_us[0]",
        "REQUIRED objective.levels[0].terms is required",
        "UNKNOWN previous_plan.routes[0].agent_id is agent 9, which does not exist",
    ];
    assert_eq!(starts, expected);
}

#[test]
fn the_objective_is_completed() {
    let levels = |given: &[Level]| {
        let mut spec = valid();
        spec.objective = given.to_vec();
        let problem = Problem::new(spec).unwrap();
        (problem.levels().to_vec(), problem.is_strict())
    };
    let unserved = level(&[(Term::Unserved, 1)]);
    let cost = level(&[(Term::DropPenalty, 1), (Term::TravelCost, 1)]);
    assert_eq!(levels(&[]), (vec![unserved.clone(), cost], true));
    let own = level(&[(Term::Makespan, 3)]);
    assert_eq!(
        levels(std::slice::from_ref(&own)),
        (vec![unserved.clone(), own.clone()], true)
    );
    let last = [own, unserved];
    assert_eq!(levels(&last), (last.to_vec(), false));
    let weighed = [level(&[(Term::Unserved, 5), (Term::TravelCost, 1)])];
    assert_eq!(levels(&weighed), (weighed.to_vec(), false));
}
