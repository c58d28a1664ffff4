//! Files of projects: PSPLIB's text format (`.sm`, and `.mm` without nonrenewable resources), and
//! that of ProGen/max for maximal time lags (`.sch`).
//!
//! Job `n` is the activity `n`. A unit of time is a second.

use super::Mistake;
use super::words::{Word, lines};
use std::collections::BTreeMap;
use stratagem_proto::v1::{
    ScheduleActivity, ScheduleDemand, ScheduleMode, SchedulePoint, SchedulePrecedence,
    ScheduleProblem, ScheduleResource,
};
use stratagem_render::time::from_micros;

/// Largest number, in units: above any instance, and far from the ends of the type.
const NUMBER_MAX: i64 = 1_000_000;
const PRECEDENCES: &str = "PRECEDENCE RELATIONS:";
const DURATIONS: &str = "REQUESTS/DURATIONS:";
const AVAILABLE: &str = "RESOURCEAVAILABILITIES:";

/// Whether a text looks like a file of PSPLIB or of ProGen/max.
#[must_use]
pub fn looks_like(text: &str) -> bool {
    let header = lines(text)
        .next()
        .and_then(|line| numbers(line, -NUMBER_MAX).ok());
    header.is_some_and(|it| it.numbers.len() >= 4) && text.contains('[')
        || text.contains(PRECEDENCES) && text.contains(AVAILABLE)
}

/// Reads a project, of ProGen/max where the text begins with a digit.
///
/// # Errors
/// The first mistake, with its line.
pub fn read(text: &str) -> Result<ScheduleProblem, Mistake> {
    if text.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
        return read_progen(text);
    }
    let available = section(text, AVAILABLE)?.into_iter().next();
    let available = available.ok_or_else(|| Mistake::new("there are no RESOURCEAVAILABILITIES"))?;
    let mut columns = lines(text).skip_while(|line| line.text != AVAILABLE);
    if let Some(line) = columns.nth(1).filter(|line| line.text.contains('N')) {
        return Err(line.wrong("nonrenewable resources are not supported"));
    }
    let jobs = jobs(text, available.numbers.len())?;
    let file = lines(text).find_map(|line| line.text.strip_prefix("file with basedata"));
    let title = file.map_or("", |rest| rest.trim_start_matches([' ', ':']));
    let mut problem = ScheduleProblem {
        title: title.to_owned(),
        resources: resources(&available.numbers),
        ..ScheduleProblem::default()
    };
    for line in section(text, PRECEDENCES)? {
        precedences(&mut problem, &jobs, &line)?;
    }
    let activities = jobs.into_iter();
    let activities = activities.map(|(number, modes)| activity(number, modes));
    problem.activities = activities.collect();
    Ok(problem)
}

/// The modes of each job.
fn jobs(text: &str, resource_count: usize) -> Result<BTreeMap<i64, Vec<ScheduleMode>>, Mistake> {
    let mut jobs: BTreeMap<i64, Vec<ScheduleMode>> = BTreeMap::new();
    let mut last = 0;
    for line in section(text, DURATIONS)? {
        let expected = || line.wrong("job, mode, duration and demands are expected");
        // A further mode of a job stands on a line without its number.
        let (number, rest) = match line.numbers.as_slice() {
            [job, 1, rest @ ..] if rest.len() == resource_count + 1 => {
                if jobs.insert(*job, Vec::new()).is_some() {
                    return Err(line.wrong(&format!("job {job} is there twice")));
                }
                last = *job;
                (1, rest)
            }
            [number, rest @ ..] if rest.len() == resource_count + 1 => (*number, rest),
            _ => return Err(expected()),
        };
        let modes = jobs.get_mut(&last);
        let modes = modes.ok_or_else(|| line.wrong("a mode has no job"))?;
        if number != modes.len() as i64 + 1 {
            return Err(expected());
        }
        modes.push(mode(rest));
    }
    Ok(jobs)
}

/// A project in the format of ProGen/max: a line with the numbers of jobs and of renewable,
/// nonrenewable and doubly constrained resources; for each job a line with its successors and, in
/// brackets, the time lags from start to start; for each job a line with duration and demands; the
/// capacities.
fn read_progen(text: &str) -> Result<ScheduleProblem, Mistake> {
    let mut lines = lines(text);
    let mut next = |least| {
        let early = || Mistake::new("the file ends too early").placed(text.lines().count(), 1);
        numbers(lines.next().ok_or_else(early)?, least)
    };
    let first = next(0)?;
    let [jobs, resource_count, others @ ..] = first.numbers.as_slice() else {
        return Err(first.wrong("the numbers of jobs and resources are expected"));
    };
    if others.iter().any(|it| *it != 0) {
        let why = "nonrenewable and doubly constrained resources are not supported";
        return Err(first.wrong(why));
    }
    // With the dummy jobs at the start and at the end.
    let job_max = jobs + 1;
    let mut problem = ScheduleProblem::default();
    for job in 0..=job_max {
        let line = next(-NUMBER_MAX)?;
        line.begins_with(job)?;
        lags(&mut problem, &line, job_max)?;
    }
    for job in 0..=job_max {
        let line = next(0)?;
        line.begins_with(job)?;
        let rest = match line.numbers.as_slice() {
            [_, 1, rest @ ..] if rest.len() as i64 == resource_count + 1 => rest,
            _ => return Err(line.wrong("job, one mode, duration and demands are expected")),
        };
        problem.activities.push(activity(job, vec![mode(rest)]));
    }
    let capacities = next(0)?;
    if capacities.numbers.len() as i64 != *resource_count {
        return Err(capacities.wrong(&format!("{resource_count} capacities are expected")));
    }
    problem.resources = resources(&capacities.numbers);
    match lines.next() {
        Some(line) => Err(line.wrong("the capacities must be the last line")),
        None => Ok(problem),
    }
}

/// Adds the time lags of a job of ProGen/max: minimal ones, negative where they are maximal in the
/// other direction.
fn lags(problem: &mut ScheduleProblem, line: &Line<'_>, job_max: i64) -> Result<(), Mistake> {
    let [number, 1, count, rest @ ..] = line.numbers.as_slice() else {
        return Err(line.wrong("job, one mode, number of successors, these and lags are expected"));
    };
    if rest.len() as i64 != 2 * count {
        return Err(line.wrong(&format!("{count} successors and as many lags are expected")));
    }
    let (successors, lags) = rest.split_at(rest.len() / 2);
    for (successor, lag) in successors.iter().zip(lags) {
        if !(0..=job_max).contains(successor) {
            return Err(line.wrong(&format!("there is no job {successor}")));
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

fn activity(number: i64, modes: Vec<ScheduleMode>) -> ScheduleActivity {
    ScheduleActivity {
        id: number.to_string(),
        modes,
        ..ScheduleActivity::default()
    }
}

/// A line of numbers.
struct Line<'t> {
    line: Word<'t>,
    numbers: Vec<i64>,
}

impl Line<'_> {
    fn wrong(&self, message: &str) -> Mistake {
        self.line.wrong(message)
    }

    /// Refuses a line of another job.
    fn begins_with(&self, job: i64) -> Result<(), Mistake> {
        let found = self.numbers.first() == Some(&job);
        let expected = || self.wrong(&format!("job {job} is expected"));
        found.then_some(()).ok_or_else(expected)
    }
}

/// The lines of numbers under a heading, up to the next row of stars.
fn section<'t>(text: &'t str, heading: &str) -> Result<Vec<Line<'t>>, Mistake> {
    let mut lines = lines(text);
    if !lines.any(|line| line.text == heading) {
        return Err(Mistake::new(format!("there is no `{heading}`")));
    }
    let inside = lines.take_while(|line| !line.text.starts_with("***"));
    // The others are headings of columns and rows of dashes.
    let is_row = |line: &Word<'_>| {
        let unsigned = line.text.trim_start_matches(['-', '+']);
        unsigned.starts_with(|c: char| c.is_ascii_digit())
    };
    inside.filter(is_row).map(|line| numbers(line, 0)).collect()
}

/// The numbers of a line, with or without brackets, if none is below the least.
fn numbers(line: Word<'_>, least: i64) -> Result<Line<'_>, Mistake> {
    let words = line
        .text
        .split([' ', '\t', '[', ']'])
        .filter(|it| !it.is_empty());
    let number = |word: &str| {
        let number = word.parse().ok();
        // No number of a file without lags has a minus, not even 0.
        let number = number.filter(|it| (least..=NUMBER_MAX).contains(it));
        let number = number.filter(|_| least < 0 || !word.starts_with('-'));
        let what = || format!("a whole number from {least} to {NUMBER_MAX}");
        number.ok_or_else(|| line.part(word).expected(&what()))
    };
    let numbers = words.map(number).collect::<Result<_, _>>()?;
    Ok(Line { line, numbers })
}

/// Adds the precedences from a job to its successors.
fn precedences(
    problem: &mut ScheduleProblem,
    jobs: &BTreeMap<i64, Vec<ScheduleMode>>,
    line: &Line<'_>,
) -> Result<(), Mistake> {
    let [number, mode_count, count, successors @ ..] = line.numbers.as_slice() else {
        return Err(line.wrong("job, number of modes and of successors and these are expected"));
    };
    if *count != successors.len() as i64 {
        let found = successors.len();
        return Err(line.wrong(&format!("there are {found} successors instead of {count}")));
    }
    for job in successors.iter().chain([number]) {
        if !jobs.contains_key(job) {
            return Err(line.wrong(&format!("there is no job {job}")));
        }
    }
    let modes = jobs[number].len();
    if *mode_count != modes as i64 {
        let message = format!("job {number} has {modes} modes instead of {mode_count}");
        return Err(line.wrong(&message));
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
