//! Every mistake that a problem can have.

mod line;

use allocation::errors::Subject;
use allocation::problem::*;
use allocation::travel::{ARC_COST_MAX_MICRO, LOCATIONS_MAX, Travel};
use allocation::{Problem, ProblemError as E};
use line::{PLACES, agent, task};

/// Two agents and three tasks: nothing wrong.
fn valid() -> Spec {
    line::spec(vec![agent(0), agent(1)], vec![task(2), task(3), task(4)])
}

/// The mistakes of a valid problem after `change`.
fn errors(change: impl FnOnce(&mut Spec)) -> Vec<E> {
    let mut spec = valid();
    change(&mut spec);
    Problem::new(spec).err().unwrap_or_default()
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

fn previous(routes: &[(usize, &[usize], usize)]) -> Option<Previous> {
    let route = |&(agent, tasks, committed): &(usize, &[usize], usize)| PreviousRoute {
        agent,
        tasks: tasks.to_vec(),
        committed,
    };
    Some(Previous {
        routes: routes.iter().map(route).collect(),
        changes_max: None,
    })
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
    assert_eq!(wrong, []);
}

#[test]
fn mistakes_about_agents() {
    assert_eq!(errors(|s| s.agents.clear()), [E::NoAgents]);
    let given = AGENTS_MAX + 1;
    assert_eq!(
        errors(|s| s.agents = vec![agent(0); given]),
        [E::TooManyAgents { given }]
    );
    let subject = Subject::Agent(1);
    let nowhere = |location| E::UnknownLocation {
        subject,
        location,
        locations: PLACES,
    };
    assert_eq!(errors(|s| s.agents[1].start = PLACES), [nowhere(PLACES)]);
    assert_eq!(errors(|s| s.agents[1].end = Some(99)), [nowhere(99)]);
    let shift = |start_us, end_us| {
        errors(|s| (s.agents[1].shift_start_us, s.agents[1].shift_end_us) = (start_us, end_us))
    };
    assert_eq!(
        shift(5, 4),
        [E::ShiftReversed {
            agent: 1,
            start_us: 5,
            end_us: 4
        }]
    );
    for (start_us, end_us) in [
        (-1, 4),
        (TIME_MAX_US + 1, SHIFT_OPEN_US),
        (0, TIME_MAX_US + 1),
        (0, -1),
    ] {
        assert_eq!(
            shift(start_us, end_us),
            [E::ShiftOutOfRange {
                agent: 1,
                start_us,
                end_us
            }]
        );
    }
    for speed_micro in [0, SPEED_MIN_MICRO - 1, SPEED_MAX_MICRO + 1, i64::MIN] {
        let wrong = errors(|s| s.agents[1].speed_micro = speed_micro);
        assert_eq!(
            wrong,
            [E::SpeedOutOfRange {
                agent: 1,
                speed_micro
            }]
        );
    }
}

#[test]
fn mistakes_about_quantities() {
    let given = DIMENSIONS_MAX + 1;
    let subject = Subject::Agent(0);
    let wrong = errors(|s| s.agents[0].capacities = vec![0; given]);
    assert_eq!(wrong, [E::TooManyDimensions { subject, given }]);
    for quantity in [-1, QUANTITY_MAX + 1] {
        let wrong = errors(|s| s.agents[0].capacities = vec![0, quantity]);
        assert_eq!(
            wrong,
            [E::QuantityOutOfRange {
                subject,
                dimension: 1,
                quantity
            }]
        );
    }
    let subject = Subject::Task(2);
    let wrong = errors(|s| s.tasks[2].demands = vec![0; given]);
    assert_eq!(wrong, [E::TooManyDimensions { subject, given }]);
    for quantity in [i64::MIN, i64::MAX] {
        let wrong = errors(|s| s.tasks[2].demands = vec![quantity]);
        assert_eq!(
            wrong,
            [E::QuantityOutOfRange {
                subject,
                dimension: 0,
                quantity
            }]
        );
    }
}

#[test]
fn mistakes_about_tasks() {
    let given = TASKS_MAX + 1;
    assert_eq!(
        errors(|s| s.tasks = vec![task(0); given]),
        [E::TooManyTasks { given }]
    );
    let nowhere = E::UnknownLocation {
        subject: Subject::Task(2),
        location: 77,
        locations: PLACES,
    };
    assert_eq!(errors(|s| s.tasks[2].location = 77), [nowhere]);
    for bad_us in [-1, TIME_MAX_US + 1] {
        let wrong = errors(|s| s.tasks[1].service_us = bad_us);
        assert_eq!(
            wrong,
            [E::ServiceOutOfRange {
                task: 1,
                service_us: bad_us
            }]
        );
        let wrong = errors(|s| s.tasks[1].lateness_max_us = Some(bad_us));
        assert_eq!(
            wrong,
            [E::LatenessOutOfRange {
                task: 1,
                lateness_us: bad_us
            }]
        );
    }
    for penalty_micro in [-1, PENALTY_MAX_MICRO + 1] {
        let wrong = errors(|s| s.tasks[1].drop_penalty_micro = Some(penalty_micro));
        assert_eq!(
            wrong,
            [E::PenaltyOutOfRange {
                task: 1,
                penalty_micro
            }]
        );
    }
}

#[test]
fn mistakes_about_windows() {
    let wrong = |all: &[(i64, i64)]| errors(|s| s.tasks[1].windows = windows(all));
    let many: Vec<_> = (0..=WINDOWS_MAX as i64).map(|i| (2 * i, 2 * i)).collect();
    assert_eq!(
        wrong(&many),
        [E::TooManyWindows {
            task: 1,
            given: WINDOWS_MAX + 1
        }]
    );
    let reversed = E::WindowReversed {
        task: 1,
        window: 1,
        open_us: 9,
        close_us: 8,
    };
    assert_eq!(wrong(&[(0, 3), (9, 8)]), [reversed]);
    for far in [(-1, 3), (0, TIME_MAX_US + 1)] {
        assert_eq!(wrong(&[far]), [E::WindowOutOfRange { task: 1, window: 0 }]);
    }
    for open_us in [3, 2] {
        let overlap = E::WindowsOverlap {
            task: 1,
            window: 1,
            open_us,
            closed_us: 3,
        };
        assert_eq!(wrong(&[(0, 3), (open_us, 8)]), [overlap]);
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
        };
    });
    assert_eq!(wrong, [E::TooManyLocations { given: n }]);
    let wrong = errors(|s| s.travel.durations_us.truncate(7));
    assert_eq!(wrong, [E::DurationsNotSquare { given: 7, wanted }]);
    let wrong = errors(|s| s.travel.costs_micro = Some(vec![0; wanted + 1]));
    assert_eq!(
        wrong,
        [E::CostsNotSquare {
            given: wanted + 1,
            wanted
        }]
    );
    for duration_us in [-2, TIME_MAX_US + 1] {
        let wrong = errors(|s| s.travel.durations_us[5] = duration_us);
        assert_eq!(
            wrong,
            [E::DurationOutOfRange {
                index: 5,
                duration_us
            }]
        );
    }
    for cost_micro in [-1, ARC_COST_MAX_MICRO + 1] {
        let change = |s: &mut Spec| {
            s.travel.costs_micro = Some(vec![1; wanted]);
            s.travel.costs_micro.as_mut().unwrap()[5] = cost_micro;
        };
        assert_eq!(
            errors(change),
            [E::CostOutOfRange {
                index: 5,
                cost_micro
            }]
        );
        let blocked = errors(|s| {
            change(s);
            s.travel.durations_us[5] = -1;
        });
        assert_eq!(blocked, [], "where there is no way the cost means nothing");
    }
}

#[test]
fn mistakes_about_the_objective() {
    let wrong = |levels: &[Level]| errors(|s| s.objective = levels.to_vec());
    let given = LEVELS_MAX + 1;
    assert_eq!(
        wrong(&vec![level(&[]); given]),
        [E::TooManyLevels { given }]
    );
    let empty = [level(&[(Term::Makespan, 1)]), level(&[])];
    assert_eq!(wrong(&empty), [E::LevelEmpty { level: 1 }]);
    let term = Term::Lateness;
    let twice = [
        level(&[(term, 1)]),
        level(&[(Term::Unserved, 1), (term, 2)]),
    ];
    assert_eq!(
        wrong(&twice),
        [E::TermRepeated {
            level: 1,
            position: 1,
            term
        }]
    );
    for weight in [0, -1, WEIGHT_MAX + 1] {
        let bad = [level(&[(term, weight)])];
        assert_eq!(
            wrong(&bad),
            [E::WeightOutOfRange {
                level: 0,
                position: 0,
                weight
            }]
        );
    }
    // A million times twenty years in microseconds is above 2^62. Unserved is put in front; the
    // level is the caller's.
    let large = [level(&[(Term::Makespan, WEIGHT_MAX)])];
    assert_eq!(wrong(&large), [E::LevelTooLarge { level: 0 }]);
}

#[test]
fn mistakes_about_the_previous_plan() {
    let wrong = |routes: &[(usize, &[usize], usize)]| errors(|s| s.previous = previous(routes));
    assert_eq!(
        wrong(&[(2, &[], 0)]),
        [E::PreviousAgentUnknown { route: 0, agent: 2 }]
    );
    let again = E::PreviousAgentRepeated { route: 1, agent: 0 };
    assert_eq!(wrong(&[(0, &[0], 0), (0, &[1], 0)]), [again]);
    let unknown = E::PreviousTaskUnknown {
        route: 0,
        position: 1,
        task: 3,
    };
    assert_eq!(wrong(&[(0, &[0, 3], 0)]), [unknown]);
    let again = E::PreviousTaskRepeated {
        route: 1,
        position: 1,
        task: 0,
    };
    assert_eq!(wrong(&[(0, &[0], 0), (1, &[2, 0], 0)]), [again]);
    let many = E::StartedTooMany {
        route: 0,
        committed: 3,
        tasks: 2,
    };
    assert_eq!(wrong(&[(0, &[0, 1], 3)]), [many]);
}

#[test]
fn all_mistakes_are_found_at_once_in_the_order_of_the_fields() {
    let wrong = errors(|s| {
        s.previous = previous(&[(9, &[], 0)]);
        s.objective = vec![level(&[])];
        s.travel.durations_us[0] = -7;
        s.tasks[0].service_us = -1;
        s.agents[1].speed_micro = 0;
    });
    let expected = [
        E::SpeedOutOfRange {
            agent: 1,
            speed_micro: 0,
        },
        E::ServiceOutOfRange {
            task: 0,
            service_us: -1,
        },
        E::DurationOutOfRange {
            index: 0,
            duration_us: -7,
        },
        E::LevelEmpty { level: 0 },
        E::PreviousAgentUnknown { route: 0, agent: 9 },
    ];
    assert_eq!(wrong, expected);
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
