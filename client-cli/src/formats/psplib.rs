//! Files of projects: PSPLIB's text format (`.sm`, and `.mm` without nonrenewable resources), and
//! that of ProGen/max for maximal time lags (`.sch`).
//!
//! Job `n` is the activity `n`. A unit of time is a second.

use super::Mistake;
use super::temporal::wrong;
use std::collections::BTreeMap;
use stratagem_proto::v1::{
    ScheduleActivity, ScheduleDemand, ScheduleMode, SchedulePoint, SchedulePrecedence,
    ScheduleProblem, ScheduleResource,
};
use stratagem_render::time::from_micros;

/// Largest number, in units: above any instance, and far from the ends of the type.
const NUMBER_MAX: i64 = 1_000_000;

/// Whether a text looks like a file of PSPLIB.
#[must_use]
pub fn looks_like(text: &str) -> bool {
    text.contains("PRECEDENCE RELATIONS:") && text.contains("RESOURCEAVAILABILITIES:")
}

/// Reads a project, of ProGen/max where it does not look like one of PSPLIB.
///
/// # Errors
/// The first mistake, with its line.
pub fn read(text: &str) -> Result<ScheduleProblem, Mistake> {
    if !looks_like(text) {
        return read_progen(text);
    }
    let heading = text
        .lines()
        .skip_while(|it| it.trim() != "RESOURCEAVAILABILITIES:");
    if heading.skip(1).take(1).any(|it| it.contains('N')) {
        return Err(wrong(
            String::new(),
            "nonrenewable resources are not supported",
        ));
    }
    let mut available = section(text, "RESOURCEAVAILABILITIES:")?.into_iter();
    let available = available
        .next()
        .ok_or_else(|| wrong(String::new(), "there are no RESOURCEAVAILABILITIES"))?;
    let count = available.numbers.len();
    let mut jobs: BTreeMap<i64, Vec<ScheduleMode>> = BTreeMap::new();
    let mut last = 0;
    for line in section(text, "REQUESTS/DURATIONS:")? {
        // A further mode of a job stands on a line without its number.
        let rest = match line.numbers.as_slice() {
            [number, 1, rest @ ..] if rest.len() == count + 1 => {
                if jobs.insert(*number, Vec::new()).is_some() {
                    return Err(line.wrong(format!("job {number} is there twice")));
                }
                last = *number;
                rest
            }
            [_, rest @ ..] if rest.len() == count + 1 => rest,
            _ => return Err(line.wrong("job, mode, duration and demands are wanted")),
        };
        let modes = jobs.get_mut(&last);
        let modes = modes.ok_or_else(|| line.wrong("a mode has no job"))?;
        modes.push(mode(rest));
    }
    let mut problem = ScheduleProblem {
        title: title(text),
        resources: resources(&available.numbers),
        ..ScheduleProblem::default()
    };
    for line in section(text, "PRECEDENCE RELATIONS:")? {
        precedences(&mut problem, &jobs, &line)?;
    }
    let activities = jobs.into_iter().map(|(number, modes)| ScheduleActivity {
        id: number.to_string(),
        modes,
        ..ScheduleActivity::default()
    });
    problem.activities = activities.collect();
    Ok(problem)
}

/// A project in the format of ProGen/max: a line with the numbers of jobs and resources; for each
/// job a line with its successors and, in brackets, the time lags from start to start; for each job
/// a line with duration and demands; the capacities.
fn read_progen(text: &str) -> Result<ScheduleProblem, Mistake> {
    let lines: Result<Vec<_>, _> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(at, line)| line_of(at, &line.replace(['[', ']'], " ")))
        .collect();
    let lines = lines?;
    let mut lines = lines.iter();
    let mut next = || {
        let line = lines.next();
        line.ok_or_else(|| wrong(String::new(), "the file ends too early"))
    };
    let first = next()?;
    let [jobs, resource_count, ..] = *first.numbers.as_slice() else {
        return Err(first.wrong("the numbers of jobs and resources are wanted"));
    };
    // With the dummy jobs at the start and at the end.
    let mut problem = ScheduleProblem::default();
    for _ in 0..jobs + 2 {
        lags(&mut problem, next()?, jobs + 1)?;
    }
    for _ in 0..jobs + 2 {
        let line = next()?;
        let [number, 1, rest @ ..] = line.numbers.as_slice() else {
            return Err(line.wrong("job, one mode, duration and demands are wanted"));
        };
        if rest.len() as i64 != resource_count + 1 {
            return Err(line.wrong("job, one mode, duration and demands are wanted"));
        }
        problem.activities.push(ScheduleActivity {
            id: number.to_string(),
            modes: vec![mode(rest)],
            ..ScheduleActivity::default()
        });
    }
    problem.resources = resources(&next()?.numbers);
    Ok(problem)
}

/// Adds the time lags of a job of ProGen/max: minimal ones, negative where they are maximal in the
/// other direction.
fn lags(problem: &mut ScheduleProblem, line: &Line, job_max: i64) -> Result<(), Mistake> {
    let [number, 1, count, rest @ ..] = line.numbers.as_slice() else {
        return Err(line.wrong("job, one mode, number of successors, these and lags are wanted"));
    };
    if rest.len() as i64 != 2 * count {
        return Err(line.wrong(format!("{count} successors and as many lags are wanted")));
    }
    let (successors, lags) = rest.split_at(rest.len() / 2);
    for (successor, lag) in successors.iter().zip(lags) {
        if !(0..=job_max).contains(successor) {
            return Err(line.wrong(format!("there is no job {successor}")));
        }
        problem.precedences.push(SchedulePrecedence {
            from_activity_id: number.to_string(),
            to_activity_id: successor.to_string(),
            lower: Some(from_micros(lag * 1_000_000)),
            from_point: SchedulePoint::Start.into(),
            ..SchedulePrecedence::default()
        });
    }
    Ok(())
}

/// A mode with a duration and the amount of each resource.
fn mode(numbers: &[i64]) -> ScheduleMode {
    let amounts = numbers.iter().skip(1).enumerate();
    let amounts = amounts.filter(|(_, amount)| **amount > 0);
    let demands = amounts.map(|(at, amount)| ScheduleDemand {
        resource_id: format!("R{}", at + 1),
        // At most a million.
        amount: Some(*amount as i32),
    });
    ScheduleMode {
        work_duration: Some(from_micros(numbers[0] * 1_000_000)),
        demands: demands.collect(),
        ..ScheduleMode::default()
    }
}

fn resources(capacities: &[i64]) -> Vec<ScheduleResource> {
    let resources = capacities.iter().enumerate();
    let resources = resources.map(|(at, capacity)| ScheduleResource {
        id: format!("R{}", at + 1),
        // At most a million.
        capacity: Some(*capacity as i32),
        ..ScheduleResource::default()
    });
    resources.collect()
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
        found.push(line_of(at, line)?);
    }
    Ok(found)
}

/// The numbers of a line, counted from 0.
fn line_of(at: usize, line: &str) -> Result<Line, Mistake> {
    let number = |word: &str| {
        let number = word.parse::<i64>().ok();
        number
            .filter(|n| n.abs() <= NUMBER_MAX)
            .ok_or_else(|| Mistake {
                at: Some((at + 1, 1)),
                ..wrong(
                    String::new(),
                    "whole numbers of at most a million are wanted",
                )
            })
    };
    Ok(Line {
        number: at + 1,
        numbers: line
            .split_whitespace()
            .map(number)
            .collect::<Result<_, _>>()?,
    })
}

fn title(text: &str) -> String {
    let file = text
        .lines()
        .find_map(|l| l.strip_prefix("file with basedata"));
    let name = file.map_or("", |rest| rest.trim_start_matches([' ', ':']).trim());
    name.to_owned()
}

/// Adds the precedences from a job to its successors.
fn precedences(
    problem: &mut ScheduleProblem,
    jobs: &BTreeMap<i64, Vec<ScheduleMode>>,
    line: &Line,
) -> Result<(), Mistake> {
    let [number, mode_count, count, successors @ ..] = line.numbers.as_slice() else {
        return Err(line.wrong("job, number of modes and of successors and these are wanted"));
    };
    if *count != successors.len() as i64 {
        let found = successors.len();
        return Err(line.wrong(format!("there are {found} successors instead of {count}")));
    }
    for job in successors.iter().chain([number]) {
        if !jobs.contains_key(job) {
            return Err(line.wrong(format!("there is no job {job}")));
        }
    }
    let modes = jobs[number].len();
    if *mode_count != modes as i64 {
        let message = format!("job {number} has {modes} modes instead of {mode_count}");
        return Err(line.wrong(message));
    }
    let precedence = |successor: &i64| SchedulePrecedence {
        from_activity_id: number.to_string(),
        to_activity_id: successor.to_string(),
        ..SchedulePrecedence::default()
    };
    problem
        .precedences
        .extend(successors.iter().map(precedence));
    Ok(())
}
