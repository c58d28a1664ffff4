//! A problem of allocation as a Solomon file, where that says all of it.

use prost_types::Duration;
use std::fmt::Write as _;
use stratagem_proto::v1::{
    AllocationAgent, AllocationCouplings, AllocationPlace, AllocationPoint, AllocationProblem,
    AllocationTask, allocation_place::At, allocation_travel::Kind,
};

/// Writes a problem as a Solomon file.
///
/// The format has one kind of vehicle, one depot, one window a task and numbers for names: task ids
/// that are not numbers are numbered in their order. Title and rounding convention are not
/// part of the format: the title becomes the name, the convention is lost.
///
/// # Errors
/// The first thing that would get lost and matters: matrices, skills, speeds,
/// soft windows, penalties, an own objective, agents that differ, ...
pub fn write(problem: &AllocationProblem) -> Result<String, String> {
    file(problem).map_err(|what| format!("Solomon's format has no place for {what}"))
}

fn file(problem: &AllocationProblem) -> Result<String, String> {
    let no = |what: String| Err(what);
    let Some(first) = problem.agents.first() else {
        return no("there are no agents".into());
    };
    if let Some(other) = problem.agents.iter().find(|a| !alike(a, first)) {
        return no(format!(
            "agent `{}` differs from agent `{}`",
            other.id, first.id
        ));
    }
    if let Some(what) = unsaid(problem) {
        return no(what.into());
    }
    let (depot, close) = depot(first)?;
    let capacity = single(&first.capacities, "agents")?;
    let open = seconds(first.shift_start_offset.as_ref())?;
    let mut text = name(&problem.title);
    let count = problem.agents.len();
    let _ = write!(
        text,
        "\n\nVEHICLE\nNUMBER     CAPACITY\n{count:>5} {capacity:>12}\n\nCUSTOMER\n\
         CUST NO.  XCOORD.   YCOORD.    DEMAND   READY TIME  DUE DATE   SERVICE TIME\n\n"
    );
    row(
        &mut text,
        &[
            "0",
            &depot.x.to_string(),
            &depot.y.to_string(),
            "0",
            &open,
            &close,
            "0",
        ],
    );
    let numbers = numbers(&problem.tasks);
    for (task, number) in problem.tasks.iter().zip(numbers) {
        customer(&mut text, task, number, &close)?;
    }
    Ok(text)
}

/// What of a whole problem would get lost.
fn unsaid(problem: &AllocationProblem) -> Option<&'static str> {
    let travel = problem.travel.as_ref().and_then(|it| it.kind.as_ref());
    let objective = problem.objective.as_ref();
    let couplings = problem.couplings.as_ref();
    let unsaid = [
        (
            matches!(travel, Some(Kind::Matrix(_))),
            "travel is a matrix",
        ),
        (
            objective.is_some_and(|it| !it.levels.is_empty()),
            "it has an objective of its own",
        ),
        (problem.previous_plan.is_some(), "it has a previous plan"),
        (
            couplings.is_some_and(|it| *it != AllocationCouplings::default()),
            "it has couplings",
        ),
        (
            problem
                .now_offset
                .is_some_and(|it| it != Duration::default()),
            "the plan has begun: it has a now",
        ),
    ];
    let found = unsaid.into_iter().find(|(is, _)| *is);
    found.map(|(_, what)| what)
}

fn customer(
    text: &mut String,
    task: &AllocationTask,
    number: i64,
    close: &str,
) -> Result<(), String> {
    let no = |what: &str| Err(format!("task `{}` {what}", task.id));
    if !task.required_skills.is_empty() {
        return no("requires skills");
    }
    if task.drop_penalty.is_some() {
        return no("is optional");
    }
    if task
        .max_lateness_duration
        .is_some_and(|d| d != Duration::default())
    {
        return no("may be late");
    }
    let (open, due) = match task.windows.as_slice() {
        [] => ("0".into(), close.into()),
        [window] => (
            seconds(window.open_offset.as_ref())?,
            seconds(window.close_offset.as_ref())?,
        ),
        _ => return no("has several windows"),
    };
    let Some(point) = point(task.place.as_ref()) else {
        return no("has no point");
    };
    let demand = single(&task.demands, "tasks")?;
    let service = seconds(task.service_duration.as_ref())?;
    let (x, y) = (point.x.to_string(), point.y.to_string());
    row(
        text,
        &[
            &number.to_string(),
            &x,
            &y,
            &demand.to_string(),
            &open,
            &due,
            &service,
        ],
    );
    Ok(())
}

/// One line of the customer table.
fn row(text: &mut String, columns: &[&str; 7]) {
    let [number, x, y, demand, open, close, service] = columns;
    let _ = writeln!(
        text,
        "{number:>5} {x:>8} {y:>10} {demand:>10} {open:>10} {close:>10} {service:>10}"
    );
}

/// The place that every agent starts from and ends at, and the end of its shift in seconds.
fn depot(agent: &AllocationAgent) -> Result<(AllocationPoint, String), String> {
    let (Some(start), Some(end)) = (point(agent.start.as_ref()), point(agent.end.as_ref())) else {
        return Err("agents need points for start and end".into());
    };
    if start != end {
        return Err("agents end elsewhere than they start".into());
    }
    if !agent.skills.is_empty() {
        return Err("agents have skills".into());
    }
    if agent.speed.is_some_and(|s| s != 1.0) {
        return Err("agents have a speed other than 1".into());
    }
    match &agent.shift_end_offset {
        Some(end) => Ok((start, seconds(Some(end))?)),
        None => Err("shifts have no end".into()),
    }
}

/// Whether two agents differ in their ids at most.
fn alike(a: &AllocationAgent, b: &AllocationAgent) -> bool {
    let nameless = |agent: &AllocationAgent| AllocationAgent {
        id: String::new(),
        ..agent.clone()
    };
    nameless(a) == nameless(b)
}

fn point(place: Option<&AllocationPlace>) -> Option<AllocationPoint> {
    match place?.at {
        Some(At::Point(point)) => Some(point),
        _ => None,
    }
}

/// The only dimension, 0 where there is none.
fn single(quantities: &[i64], of: &str) -> Result<i64, String> {
    match quantities {
        [] => Ok(0),
        [only, rest @ ..] if rest.iter().all(|q| *q == 0) => Ok(*only),
        _ => Err(format!("{of} have several capacity dimensions")),
    }
}

/// The tasks' own numbers if all ids are different numbers above 0, else 1, 2, ...
fn numbers(tasks: &[AllocationTask]) -> Vec<i64> {
    let canonical = |t: &AllocationTask| {
        t.id.parse()
            .ok()
            .filter(|n: &i64| *n > 0 && n.to_string() == t.id)
    };
    let own: Option<Vec<i64>> = tasks.iter().map(canonical).collect();
    let distinct = own.filter(|own| {
        let set: std::collections::BTreeSet<_> = own.iter().collect();
        set.len() == own.len() && own.iter().all(|n| *n <= 1_000_000_000)
    });
    distinct.unwrap_or_else(|| (1..).take(tasks.len()).collect())
}

/// Seconds with as many decimals as needed, at most 6. An absent duration is 0.
fn seconds(duration: Option<&Duration>) -> Result<String, String> {
    let Duration { seconds, nanos } = duration.copied().unwrap_or_default();
    if seconds < 0 || !(0..1_000_000_000).contains(&nanos) || nanos % 1_000 != 0 {
        return Err("a time is negative or finer than a microsecond".into());
    }
    let text = format!("{seconds}.{:06}", nanos / 1_000);
    Ok(text.trim_end_matches('0').trim_end_matches('.').to_owned())
}

/// The title on one line; a problem without one gets a name.
fn name(title: &str) -> String {
    let words: Vec<_> = title.split_whitespace().collect();
    if words.is_empty() {
        "UNNAMED".into()
    } else {
        words.join(" ")
    }
}
