//! The same projects as stories, asked of the planner as a service would.

use anytime::{Conclusion, Control, Limits, Offer, Sink};
use cp::rcpsp::{Point, Project};
use narrative::problem::{Activity, Link, Node, ORIGIN, Objective, Resource, Spec};
use narrative::solve::{Params, solve};
use narrative::{Answer, Cost, Narrative, verify};
use std::time::{Duration, Instant};

/// What the planner said.
pub(crate) struct Told {
    /// Makespan, if it was proved least.
    pub(crate) proved: Option<i64>,
    /// Until the end, and until the first plan.
    pub(crate) wall_ms: f64,
    pub(crate) first_ms: f64,
}

struct Ear {
    begin: Instant,
    first: Option<Duration>,
    last: Option<(Answer, Cost)>,
}

impl Sink<Answer, Cost> for Ear {
    fn offer(&mut self, offer: Offer<'_, Answer, Cost>) {
        self.first = self.first.or(Some(self.begin.elapsed()));
        self.last = Some((offer.plan.clone(), offer.cost));
    }
}

/// Asks the planner for the least makespan; the last answer is verified.
pub(crate) fn ask(tasks: &Project, limit: Duration) -> Told {
    let narrative = Narrative::new(spec(tasks)).unwrap();
    let begin = Instant::now();
    let mut ear = Ear {
        begin,
        first: None,
        last: None,
    };
    let mut control = Control::new(Limits::until(begin + limit), 1, &mut ear);
    let conclusion = solve(&narrative, &Params::default(), &mut control).unwrap();
    let wall = begin.elapsed();
    let mut proved = None;
    if let Some((answer, cost)) = &ear.last {
        assert_eq!(verify::answer(&narrative, answer), Ok(*cost));
        if let (Conclusion::Optimal, Answer::Plan(plan)) = (conclusion, answer) {
            proved = Some(plan.makespan_us / 1_000_000);
        }
    }
    Told {
        proved,
        wall_ms: wall.as_secs_f64() * 1e3,
        first_ms: ear.first.unwrap_or(wall).as_secs_f64() * 1e3,
    }
}

fn node(point: Point) -> Node {
    match point {
        Point::Start(task) => 2 * task + 1,
        Point::End(task) => 2 * task + 2,
    }
}

/// Each task has an event for its start and one for its end; a unit of time is a second.
fn spec(tasks: &Project) -> Spec {
    let time = |units: i64| Some(units * 1_000_000);
    let mut spec = Spec {
        events: 2 * tasks.activities.len(),
        resources: tasks
            .capacities
            .iter()
            .map(|capacity| Resource {
                capacity: u32::try_from(*capacity).unwrap(),
            })
            .collect(),
        objective: Objective {
            makespan: 1,
            ..Objective::default()
        },
        ..Spec::default()
    };
    for (index, task) in tasks.activities.iter().enumerate() {
        let (start, end) = (node(Point::Start(index)), node(Point::End(index)));
        spec.links.push(Link {
            from: start,
            to: end,
            lower_us: time(task.shortest),
            upper_us: time(task.longest),
        });
        spec.links.push(Link {
            from: ORIGIN,
            to: start,
            lower_us: time(task.release),
            upper_us: None,
        });
        let demands = task
            .demands
            .iter()
            .map(|demand| narrative::problem::Demand {
                resource: demand.resource,
                amount: u32::try_from(demand.amount).unwrap(),
                consumed: demand.consumed,
            });
        if task.longest > 0 {
            spec.activities.push(Activity {
                start,
                end,
                demands: demands.collect(),
            });
        }
    }
    for lag in &tasks.lags {
        spec.links.push(Link {
            from: node(lag.from),
            to: node(lag.to),
            lower_us: time(lag.least),
            upper_us: None,
        });
    }
    spec
}
