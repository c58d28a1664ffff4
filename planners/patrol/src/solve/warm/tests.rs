//! The budget of a warm start.

use super::{SLICES_MAX, resumed};
use crate::context::Context;
use crate::generate::{line, staying};
use crate::plan::{Plan, Route, Stop};
use crate::problem::Problem;

#[test]
fn judgements_that_count_no_iterations_use_up_the_budget_too() {
    // Each judgement asks several times whether to go on, and 64 plans could be tried.
    let mut spec = staying(line(40, 2), 3);
    spec.sights = vec![vec![(0..40).collect(); 40]];
    spec.guards
        .iter_mut()
        .for_each(|guard| guard.sight = Some(0));
    let problem = Problem::new(spec).expect("the spec is refused");
    let cycle: Vec<Stop> = (0..25_000)
        .map(|stop| Stop {
            vertex: stop % 2,
            stay: 0,
        })
        .collect();
    let route = Route {
        prefix: Vec::new(),
        cycle,
    };
    let previous = Plan {
        routes: vec![route; 2],
    };
    let asked = |tries: u64| {
        let context = Context::new(&problem);
        let found = match tries {
            1 => crate::evaluate::worth(&context, &previous).is_some(),
            _ => resumed(&context, &previous).is_some(),
        };
        assert!(found, "the plan is not judged");
        context.work.total_slices()
    };
    let one = asked(1);
    assert!(one > 1, "{one} slices");
    let all = asked(64);
    assert!(all <= SLICES_MAX + one, "{all} slices");
}
