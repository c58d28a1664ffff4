//! What is left of a plan that is being executed.

use super::instances::Instance;
use super::{long, numbers, search};
use allocation::problem::{Previous, PreviousRoute, Problem};
use allocation::{Cost, Plan};

/// Shares of the horizon that are over.
const OVER: [f64; 2] = [0.25, 0.5];

/// Plans the tasks of a good plan again that are not begun at some time, and compares with what
/// the plan does with them. Nothing else of the plan is given.
pub(crate) fn table(instances: &[Instance]) {
    let (long, seconds) = (long(), numbers::<f64>("STRATAGEM_SECONDS", "1,10"));
    println!("\n### Begun tasks, 1 thread, gap in % to a plan of {long} s, after {seconds:?} s\n");
    println!("| instance | begun tasks | gaps |\n|---|---|---|");
    let mut all = vec![Vec::new(); seconds.len()];
    for instance in instances {
        let fresh = instance.problem(instance.vehicles);
        let whole = search(&fresh, long, 1, 1);
        let (Some(plan), Some(cost)) = (whole.plan, whole.best) else {
            println!("| {} | | no plan |", instance.name);
            continue;
        };
        for over in OVER {
            let (problem, begun) = rest(instance, &plan, over);
            let mut gaps = Vec::new();
            for (all, seconds) in all.iter_mut().zip(&seconds) {
                let found = search(&problem, *seconds, 1, 1).best;
                gaps.push(match found.filter(|found| found.0[0] == cost.0[0]) {
                    Some(found) => {
                        let gap = gap(found, cost);
                        all.push(gap);
                        format!("{gap:.2}")
                    }
                    None => format!(
                        "incomplete: {:?}",
                        found.map(|found| found.0[0] / 1_000_000)
                    ),
                });
            }
            println!("| {} | {begun} | {} |", instance.name, gaps.join(", "));
        }
    }
    for (all, seconds) in all.iter().zip(&seconds) {
        let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
        println!(
            "\n{seconds} s: mean {mean:.3} % of {} complete plans.",
            all.len()
        );
    }
}

fn gap(found: Cost, plan: Cost) -> f64 {
    100.0 * (found.0[1] as f64 / plan.0[1] as f64 - 1.0)
}

/// The problem when a share of the horizon is over, and the number of tasks that are begun.
fn rest(instance: &Instance, plan: &Plan, over: f64) -> (Problem, usize) {
    let mut spec = instance.spec(instance.vehicles);
    let now_us = (spec.agents[0].shift_end_us as f64 * over) as i64;
    // An agent travels as late as it can. Tasks that it is on the way to are begun.
    let begun = |route: &allocation::Route| {
        let mut here = spec.agents[route.agent].start;
        let stops = route.stops.iter().take_while(|stop| {
            let from = std::mem::replace(&mut here, spec.tasks[stop.task].location);
            let travel_us = spec.travel.duration_us(from, here).expect("a line");
            stop.start_us - travel_us <= now_us
        });
        let tasks: Vec<usize> = stops.map(|stop| stop.task).collect();
        let count = tasks.len();
        PreviousRoute::new(route.agent, tasks, count)
    };
    let routes: Vec<PreviousRoute> = plan.routes.iter().map(begun).collect();
    let count = routes.iter().map(|route| route.tasks.len()).sum();
    spec.now_us = now_us;
    spec.previous = Some(Previous {
        routes,
        changes_max: None,
    });
    (Problem::new(spec).expect("begun tasks are valid"), count)
}
