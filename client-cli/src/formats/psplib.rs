//! PSPLIB's text format for project scheduling with one mode for each job (`.sm`), as a narrative:
//! each job takes exactly its duration, resources are shared, the makespan counts.
//!
//! Job `n` begins with the event `n` and ends with `n done`; a job without a duration is one event.
//! A unit of time is a second.

use super::Mistake;
use super::temporal::wrong;
use std::collections::BTreeMap;
use stratagem_proto::v1::{
    NarrativeActivity, NarrativeDemand, NarrativeEvent, NarrativeObjective, NarrativeProblem,
    NarrativeResource, TemporalRequirementLink,
};
use stratagem_render::time::from_micros;

/// Longest duration, in units: above any instance, and far from the ends of the type.
const DURATION_MAX: i64 = 1_000_000;

/// Whether a text looks like a file of PSPLIB.
#[must_use]
pub fn looks_like(text: &str) -> bool {
    text.contains("PRECEDENCE RELATIONS:") && text.contains("RESOURCEAVAILABILITIES:")
}

/// Reads a project.
///
/// # Errors
/// The first mistake, with its line.
pub fn read(text: &str) -> Result<NarrativeProblem, Mistake> {
    let mut jobs = BTreeMap::new();
    for line in section(text, "REQUESTS/DURATIONS:")? {
        let (number, job) = job(&line)?;
        if jobs.insert(number, job).is_some() {
            return Err(line.wrong(format!("job {number} is there twice")));
        }
    }
    let mut available = section(text, "RESOURCEAVAILABILITIES:")?.into_iter();
    let available = available
        .next()
        .ok_or_else(|| wrong(String::new(), "there are no RESOURCEAVAILABILITIES"))?;
    let resources = available.numbers.iter().enumerate();
    let resources = resources.map(|(at, capacity)| resource(at, capacity));
    let mut problem = NarrativeProblem {
        title: title(text),
        resources: resources.collect(),
        objective: Some(NarrativeObjective {
            makespan_weight: 1,
            ..NarrativeObjective::default()
        }),
        ..NarrativeProblem::default()
    };
    for (number, job) in &jobs {
        add(&mut problem, *number, job);
    }
    for line in section(text, "PRECEDENCE RELATIONS:")? {
        precedences(&mut problem, &jobs, &line)?;
    }
    Ok(problem)
}

/// A line of numbers.
struct Line {
    /// From 1.
    number: usize,
    numbers: Vec<i64>,
}

impl Line {
    fn wrong(&self, message: impl Into<String>) -> Mistake {
        Mistake {
            at: Some((self.number, 1)),
            ..wrong(String::new(), message)
        }
    }
}

struct Job {
    duration: i64,
    /// How much of each resource.
    demands: Vec<i64>,
}

/// The lines of numbers under a heading, up to the next row of stars.
fn section(text: &str, heading: &str) -> Result<Vec<Line>, Mistake> {
    let mut lines = text.lines().enumerate();
    if !lines.any(|(_, line)| line.trim() == heading) {
        return Err(wrong(String::new(), format!("there is no `{heading}`")));
    }
    let mut found = Vec::new();
    for (at, line) in lines.take_while(|(_, line)| !line.starts_with("***")) {
        // Headings of columns and rows of dashes.
        if !line.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let number = |word: &str| {
            let number = word.parse::<i64>().ok();
            number
                .filter(|n| (0..=DURATION_MAX).contains(n))
                .ok_or_else(|| Mistake {
                    at: Some((at + 1, 1)),
                    ..wrong(
                        String::new(),
                        "whole numbers of at most a million are wanted",
                    )
                })
        };
        let numbers = line.split_whitespace().map(number);
        found.push(Line {
            number: at + 1,
            numbers: numbers.collect::<Result<_, _>>()?,
        });
    }
    Ok(found)
}

fn job(line: &Line) -> Result<(i64, Job), Mistake> {
    match line.numbers.as_slice() {
        [number, 1, duration, demands @ ..] => Ok((
            *number,
            Job {
                duration: *duration,
                demands: demands.to_vec(),
            },
        )),
        [number, _, _, ..] => Err(line.wrong(format!("job {number} has another mode than 1"))),
        _ => Err(line.wrong("job, mode, duration and demands are wanted")),
    }
}

fn title(text: &str) -> String {
    let file = text
        .lines()
        .find_map(|l| l.strip_prefix("file with basedata"));
    let name = file.map_or("", |rest| rest.trim_start_matches([' ', ':']).trim());
    name.to_owned()
}

fn resource(at: usize, capacity: &i64) -> NarrativeResource {
    NarrativeResource {
        id: format!("R{}", at + 1),
        // At most a million.
        capacity: Some(*capacity as i32),
        label: String::new(),
    }
}

/// The event with which a job ends.
fn done(number: i64, job: &Job) -> String {
    match job.duration {
        0 => number.to_string(),
        _ => format!("{number} done"),
    }
}

fn add(problem: &mut NarrativeProblem, number: i64, job: &Job) {
    let event = |id: String| NarrativeEvent {
        id,
        label: String::new(),
    };
    let start = number.to_string();
    problem.events.push(event(start.clone()));
    if job.duration == 0 {
        return;
    }
    let end = done(number, job);
    problem.events.push(event(end.clone()));
    let duration = Some(from_micros(job.duration * 1_000_000));
    problem.links.push(TemporalRequirementLink {
        id: format!("duration of {number}"),
        from_event_id: start.clone(),
        to_event_id: end.clone(),
        lower: duration,
        upper: duration,
    });
    let needed = job.demands.iter().enumerate().filter(|(_, n)| **n > 0);
    let demands = needed.map(|(at, amount)| NarrativeDemand {
        resource_id: format!("R{}", at + 1),
        // At most a million.
        amount: Some(*amount as i32),
        consumed: false,
    });
    problem.activities.push(NarrativeActivity {
        id: format!("job {number}"),
        start_event_id: start,
        end_event_id: end,
        demands: demands.collect(),
        label: String::new(),
    });
}

fn precedences(
    problem: &mut NarrativeProblem,
    jobs: &BTreeMap<i64, Job>,
    line: &Line,
) -> Result<(), Mistake> {
    let [number, 1, count, successors @ ..] = line.numbers.as_slice() else {
        return Err(line.wrong("job, one mode, number of successors and these are wanted"));
    };
    if *count != successors.len() as i64 {
        let found = successors.len();
        return Err(line.wrong(format!("there are {found} successors instead of {count}")));
    }
    let find = |n: &i64| {
        let job = jobs.get(n);
        job.ok_or_else(|| line.wrong(format!("there is no job {n}")))
    };
    let first = done(*number, find(number)?);
    for successor in successors {
        find(successor)?;
        problem.links.push(TemporalRequirementLink {
            id: format!("{number} before {successor}"),
            from_event_id: first.clone(),
            to_event_id: successor.to_string(),
            lower: Some(from_micros(0)),
            upper: None,
        });
    }
    Ok(())
}
