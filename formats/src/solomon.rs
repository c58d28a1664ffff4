//! Solomon's text format for vehicle routing with time windows, as a problem of allocation.
//!
//! The format of Solomon, "Algorithms for the vehicle routing and scheduling problems with time
//! window constraints", Operations Research 35 (1987), and of Gehring and Homberger's larger
//! instances: a name; `VEHICLE`, a header, number and capacity; `CUSTOMER`, a header, and a line
//! `number x y demand ready due service` for each place, the depot first. All times are in the unit
//! of the coordinates; here it is a second at speed 1.
//!
//! Windows bound the start of the service, both ends included. The depot's window is every agent's
//! shift: to be back by its due date is a rule.
//!
//! Taken as found in the wild: CRLF, blanks at line ends, tabs, blank lines, a byte order mark, any
//! case of the section names.

mod write;

pub use write::write;

use super::words::{QUANTITY_MAX, Word, lines};
use super::{Mistake, Options};
use std::collections::BTreeMap;
use stratagem_proto::v1::{
    AllocationAgent, AllocationDistanceRounding as Rounding, AllocationEuclideanTravel,
    AllocationPlace, AllocationPoint, AllocationProblem, AllocationTask, AllocationTravel,
    AllocationWindow, allocation_place::At, allocation_travel::Kind,
};
use stratagem_render::time::from_micros;

/// Most agents that a problem may have.
pub(crate) const AGENTS_MAX: usize = 1_000;
/// Most tasks that a problem may have.
pub(crate) const TASKS_MAX: usize = 10_000;
/// Columns of a line of the customer table.
const COLUMNS: [&str; 7] = ["number", "x", "y", "demand", "ready", "due", "service"];

/// A line of the customer table.
struct Customer<'t> {
    line: Word<'t>,
    number: i64,
    place: AllocationPlace,
    demand: i64,
    /// Opening and closing, in microseconds.
    window: [i64; 2],
    service_us: i64,
}

/// Reads a Solomon file.
///
/// Tasks are called after their customer numbers ("1", "2", ...), agents "vehicle 1", "vehicle 2",
/// ...; the title is the file's first line. Distances are rounded down to one decimal, as in the
/// exact literature, where the options have no other rounding.
///
/// # Errors
/// The first mistake.
///
/// # Examples
/// ```
/// use formats::{Options, solomon::read};
/// let text = "TINY\nVEHICLE\nNUMBER CAPACITY\n2 10\nCUSTOMER\nCUST NO. XCOORD. ...\n\
///             0 0 0 0 0 100 0\n1 3 4 7 5 50 9\n";
/// let problem = read(text, &Options::default()).unwrap();
/// assert_eq!(problem.agents[1].id, "vehicle 2");
/// assert_eq!(problem.tasks[0].demands, [7]);
/// ```
pub fn read(text: &str, options: &Options) -> Result<AllocationProblem, Mistake> {
    let lines = &mut lines(text);
    let title = next(lines, "the name of the problem")?.text;
    section(lines, "VEHICLE")?;
    next(lines, "the header of the vehicles")?;
    let fleet = next(lines, "number and capacity of the vehicles")?;
    let [number, capacity] = fleet.columns(["number", "capacity"])?;
    let capacity = capacity.whole("capacity", 0..=QUANTITY_MAX)?;
    let count = number.whole("number", 0..=QUANTITY_MAX)?;
    section(lines, "CUSTOMER")?;
    next(lines, "the header of the customers")?;
    let depot = customer(next(lines, "the depot")?)?;
    if depot.demand != 0 || depot.service_us != 0 {
        let message = "the first customer is the depot, its demand and service must be 0";
        return Err(depot.line.wrong(message));
    }
    let tasks = tasks(lines, &depot)?;
    let agent = AllocationAgent {
        start: Some(depot.place.clone()),
        end: Some(depot.place),
        shift_start_offset: Some(from_micros(depot.window[0])),
        shift_end_offset: Some(from_micros(depot.window[1])),
        capacities: vec![capacity],
        ..AllocationAgent::default()
    };
    Ok(AllocationProblem {
        title: title.chars().take(200).collect(),
        agents: fleet_of(&agent, vehicles(Some(number), count, options)?),
        tasks,
        travel: Some(euclidean(
            options.rounding.unwrap_or(Rounding::OneDecimalDown),
        )),
        ..AllocationProblem::default()
    })
}

/// Whether a text looks like a Solomon file: `VEHICLE` and, below it, `CUSTOMER` on lines of their
/// own.
#[must_use]
pub fn looks_like(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    lines.any(|l| l.eq_ignore_ascii_case("VEHICLE"))
        && lines.any(|l| l.eq_ignore_ascii_case("CUSTOMER"))
}

fn next<'t>(
    lines: &mut impl Iterator<Item = Word<'t>>,
    expected: &str,
) -> Result<Word<'t>, Mistake> {
    let early = || Mistake::new(format!("the file ends before {expected}"));
    lines.next().ok_or_else(early)
}

fn section<'t>(lines: &mut impl Iterator<Item = Word<'t>>, name: &str) -> Result<(), Mistake> {
    let found = next(lines, name)?;
    let is_it = found.text.eq_ignore_ascii_case(name);
    is_it.then_some(()).ok_or_else(|| found.expected(name))
}

fn customer(line: Word<'_>) -> Result<Customer<'_>, Mistake> {
    let [number, x, y, demand, ready, due, service] = line.columns(COLUMNS)?;
    let customer = Customer {
        line,
        number: number.whole("number", 0..=QUANTITY_MAX)?,
        place: point(x.coordinate("x")?, y.coordinate("y")?),
        demand: demand.whole("demand", 0..=QUANTITY_MAX)?,
        window: [ready.seconds("ready")?, due.seconds("due")?],
        service_us: service.seconds("service")?,
    };
    if customer.window[1] < customer.window[0] {
        let (due_text, ready) = (due.shown(), ready.shown());
        return Err(due.wrong(format!("due date {due_text} is before ready time {ready}")));
    }
    Ok(customer)
}

/// All customers but the depot.
fn tasks<'t>(
    lines: &mut impl Iterator<Item = Word<'t>>,
    depot: &Customer<'t>,
) -> Result<Vec<AllocationTask>, Mistake> {
    let mut seen = BTreeMap::from([(depot.number, depot.line.number)]);
    let mut tasks = Vec::new();
    for line in lines {
        let customer = customer(line)?;
        let number = customer.number;
        if tasks.len() == TASKS_MAX {
            return Err(line.wrong(format!("more than {TASKS_MAX} customers besides the depot")));
        }
        if let Some(first) = seen.insert(number, line.number) {
            return Err(line.wrong(format!(
                "customer number {number} is in line {first} already"
            )));
        }
        tasks.push(AllocationTask {
            id: number.to_string(),
            place: Some(customer.place),
            service_duration: Some(from_micros(customer.service_us)),
            windows: vec![window(customer.window)],
            demands: vec![customer.demand],
            ..AllocationTask::default()
        });
    }
    Ok(tasks)
}

/// How many vehicles there are: as chosen, or as the file has it at a place.
pub(crate) fn vehicles(
    at: Option<Word<'_>>,
    given: i64,
    options: &Options,
) -> Result<usize, Mistake> {
    let chosen = options
        .agents
        .map(|count| count.try_into().unwrap_or(i64::MAX));
    let count = chosen.unwrap_or(given);
    let known = usize::try_from(count).ok();
    known
        .filter(|it| (1..=AGENTS_MAX).contains(it))
        .ok_or_else(|| {
            let message =
                format!("{count} vehicles, 1 to {AGENTS_MAX} are supported: choose their number");
            match at.filter(|_| chosen.is_none()) {
                Some(word) => word.wrong(message),
                None => Mistake::new(message),
            }
        })
}

/// Agents that differ in their ids only.
pub(crate) fn fleet_of(agent: &AllocationAgent, count: usize) -> Vec<AllocationAgent> {
    let numbered = (1..=count).map(|number| AllocationAgent {
        id: format!("vehicle {number}"),
        ..agent.clone()
    });
    numbered.collect()
}

pub(crate) fn point(x: f64, y: f64) -> AllocationPlace {
    AllocationPlace {
        at: Some(At::Point(AllocationPoint { x, y })),
    }
}

/// From microseconds.
pub(crate) fn window([open, close]: [i64; 2]) -> AllocationWindow {
    AllocationWindow {
        open_offset: Some(from_micros(open)),
        close_offset: Some(from_micros(close)),
    }
}

pub(crate) fn euclidean(rounding: Rounding) -> AllocationTravel {
    AllocationTravel {
        kind: Some(Kind::Euclidean(AllocationEuclideanTravel {
            rounding: rounding.into(),
        })),
    }
}
