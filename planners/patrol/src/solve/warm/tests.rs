//! Limits on the work of a warm start.

use super::{SLICES_MAX, continued};
use crate::context::Context;
use crate::generate::{line, staying};
use crate::plan::{Plan, Route, Stop};
use crate::problem::Problem;

#[test]
fn work_that_counts_as_no_iteration_is_limited_too() {
    // Each evaluation takes several slices of work, and 64 plans could be tried.
    let mut spec = staying(line(40, 2), 3);
    spec.sights = vec![vec![(0..40).collect(); 40]];
    spec.guards
        .iter_mut()
        .for_each(|guard| guard.sight = Some(0));
    let problem = Problem::new(spec).expect("the spec is refused");
    let cycle: Vec<Stop> = (0..25_000).map(|stop| Stop::new(stop % 2, 0)).collect();
    let route = Route::cyclic(cycle);
    let previous = Plan::new(vec![route; 2]);
    let slices = |tries: u64| {
        let context = Context::new(&problem);
        let found = match tries {
            1 => crate::evaluate::exact_cost(&context, &previous).is_some(),
            _ => continued(&context, &previous).is_some(),
        };
        assert!(found, "the plan is not evaluated");
        context.work.total_slices()
    };
    let one = slices(1);
    assert!(one > 1, "{one} slices");
    let all = slices(64);
    assert!(all <= SLICES_MAX + one, "{all} slices");
}
