//! Routes as they are published: `Route #1: 3 5 7`, one for each vehicle, and `Cost 112.3`.

use super::super::words::lines;
use super::super::{Mistake, note, unless_wrong};
use std::fmt::Write as _;
use stratagem_proto::v1::{AllocationPlan, AllocationProblem, AllocationRoute, AllocationStop};

/// Whether a text looks like published routes.
#[must_use]
pub fn looks_like_routes(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty());
    first.is_some_and(|line| route(line).is_some())
}

/// The tasks of a line that is a route.
fn route(line: &str) -> Option<&str> {
    let rest = line
        .get(..5)
        .filter(|word| word.eq_ignore_ascii_case("route"))?;
    let rest = line[rest.len()..].trim_start().strip_prefix('#')?;
    let (number, tasks) = rest.split_once(':')?;
    number.trim().parse::<u32>().ok().map(|_| tasks)
}

/// Reads routes: each is for the next of the problem's agents. What they cost is not read.
///
/// # Errors
/// All mistakes, each with its line: lines that are neither routes nor costs, and more routes than
/// agents.
pub fn read_routes(
    text: &str,
    problem: &AllocationProblem,
) -> Result<AllocationPlan, Vec<Mistake>> {
    let mut mistakes = Vec::new();
    let mut plan = AllocationPlan::default();
    let mut agents = problem.agents.iter();
    for line in lines(text) {
        let Some(tasks) = route(line.text) else {
            if !line.text.to_ascii_lowercase().starts_with("cost") {
                note(&mut mistakes, line.wrong("neither a route nor its cost"));
            }
            continue;
        };
        let Some(agent) = agents.next() else {
            let count = problem.agents.len();
            mistakes.push(line.wrong(format!("more routes than the {count} agents")));
            break;
        };
        let stop = |id: &str| AllocationStop {
            task_id: id.into(),
            ..AllocationStop::default()
        };
        let stops: Vec<AllocationStop> = tasks.split_whitespace().map(stop).collect();
        if !stops.is_empty() {
            plan.routes.push(AllocationRoute {
                agent_id: agent.id.clone(),
                stops,
                ..AllocationRoute::default()
            });
        }
    }
    unless_wrong(plan, mistakes)
}

/// Writes routes, and their travel cost.
///
/// # Errors
/// The id of a task with a blank in it, which nobody could read again.
pub fn write_routes(plan: &AllocationPlan) -> Result<String, String> {
    let mut out = String::new();
    for (at, route) in plan.routes.iter().enumerate() {
        let _ = write!(out, "Route #{}:", at + 1);
        for stop in &route.stops {
            if stop.task_id.contains(char::is_whitespace) {
                return Err(stop.task_id.clone());
            }
            let _ = write!(out, " {}", stop.task_id);
        }
        out.push('\n');
    }
    let micro: f64 = plan
        .routes
        .iter()
        .map(|route| (route.travel_cost * 1e6).round())
        .sum();
    let _ = writeln!(out, "Cost {}", micro / 1e6);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::{looks_like_routes, read_routes, write_routes};
    use stratagem_proto::v1::{AllocationAgent, AllocationProblem};

    fn problem(agents: usize) -> AllocationProblem {
        let agent = |at: usize| AllocationAgent {
            id: format!("v{at}"),
            ..AllocationAgent::default()
        };
        AllocationProblem {
            agents: (0..agents).map(agent).collect(),
            ..AllocationProblem::default()
        }
    }

    #[test]
    fn routes_are_written_as_they_are_read() {
        let text = "Route #1: 3 1\nRoute #2: 2\nCost 0\n";
        assert!(looks_like_routes(text));
        let plan = read_routes(text, &problem(2)).unwrap();
        assert_eq!(plan.routes[1].agent_id, "v1");
        assert_eq!(write_routes(&plan).unwrap(), text);
        let mut odd = plan;
        odd.routes[0].stops[0].task_id = "a b".into();
        assert_eq!(write_routes(&odd), Err("a b".into()));
    }

    #[test]
    fn what_are_no_routes_is_reported_by_line() {
        let text = "\nRoute #1: 3\n\nnonsense\nroute # 2 : 1\nCost 5\n";
        let mistakes = read_routes(text, &problem(1)).unwrap_err();
        let lines: Vec<_> = mistakes.iter().map(|it| it.at).collect();
        assert_eq!(lines, [Some((4, 1)), Some((5, 1))]);
        assert!(!looks_like_routes("routes: []"));
        assert!(!looks_like_routes("Röute #1: 1"));
    }
}
