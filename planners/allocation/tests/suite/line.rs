//! A line on which everything can be worked out in the head: location i is at i, one step costs 1
//! and takes a second.

use allocation::problem::{
    Agent, MICRO, Previous, PreviousRoute, Problem, SHIFT_OPEN_US, Spec, Task, Window,
};
use allocation::travel::{Rounding, Travel};

/// Locations on the line.
pub(crate) const PLACES: usize = 21;

/// A second, and one of each unit.
pub(crate) const S: i64 = MICRO;

/// Somebody at `start` who can carry 10 and has no skills and nowhere to be in the end.
pub(crate) fn agent(start: usize) -> Agent {
    Agent {
        start,
        end: None,
        shift_start_us: 0,
        shift_end_us: SHIFT_OPEN_US,
        capacities: vec![10],
        skills: 0,
        speed_micro: MICRO,
    }
}

/// A mandatory task that takes no time and can be done at any.
pub(crate) fn task(location: usize) -> Task {
    Task {
        location,
        service_us: 0,
        windows: Vec::new(),
        demands: Vec::new(),
        skills: 0,
        drop_penalty_micro: None,
        lateness_max_us: None,
    }
}

/// The default objective and no previous plan.
pub(crate) fn spec(agents: Vec<Agent>, tasks: Vec<Task>) -> Spec {
    let points: Vec<_> = (0..PLACES).map(|x| (x as f64, 0.0)).collect();
    Spec {
        agents,
        tasks,
        travel: Travel::euclidean(&points, Rounding::Exact),
        objective: Vec::new(),
        previous: None,
        couplings: allocation::problem::Couplings::default(),
        now_us: 0,
    }
}

/// Agents at 0 and 20, tasks at 4, 10 and 18; routes end anywhere.
pub(crate) fn three_tasks() -> Spec {
    spec(vec![agent(0), agent(20)], vec![task(4), task(10), task(18)])
}

pub(crate) fn problem(spec: Spec) -> Problem {
    Problem::new(spec).expect("the problem is valid")
}

pub(crate) fn window(open_s: i64, close_s: i64) -> Vec<Window> {
    vec![Window::new(open_s * S, close_s * S)]
}

/// A plan that is being carried out: agents, their tasks, and how many of them are committed.
pub(crate) fn previous(
    routes: &[(usize, &[usize], usize)],
    changes_max: Option<usize>,
) -> Option<Previous> {
    let route = |&(agent, tasks, committed): &(usize, &[usize], usize)| {
        PreviousRoute::new(agent, tasks.to_vec(), committed)
    };
    Some(Previous {
        routes: routes.iter().map(route).collect(),
        changes_max,
    })
}
