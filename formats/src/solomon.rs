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

mod errors;
mod table;
mod write;

pub use errors::SolomonError;
pub use write::{NotSolomon, write};

use std::collections::BTreeMap;
use stratagem_proto::v1::{
    AllocationAgent, AllocationDistanceRounding, AllocationEuclideanTravel, AllocationPlace,
    AllocationPoint, AllocationProblem, AllocationTask, AllocationTravel, AllocationWindow,
    allocation_place::At, allocation_travel::Kind,
};
use stratagem_render::time::from_micros;
use table::{Customer, customer, quantity, shorten};

/// Most agents that a problem may have.
pub const AGENTS_MAX: usize = 200;
/// Most tasks that a problem may have.
pub const TASKS_MAX: usize = 1_000;
/// What the file does not say, or says in a way that is rarely meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Number of agents, 1 to 200. Default: the file's `NUMBER`, which is more than anybody needs
    /// in most files (25 in all of Solomon's).
    pub agents: Option<usize>,
    /// How distances are rounded. Default: one decimal, down, as in the exact literature; never
    /// compare costs across conventions.
    pub rounding: AllocationDistanceRounding,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            agents: None,
            rounding: AllocationDistanceRounding::OneDecimalDown,
        }
    }
}

/// Reads a Solomon file.
///
/// Tasks are called after their customer numbers ("1", "2", ...), agents "vehicle 1", "vehicle 2",
/// ...; the title is the file's first line.
///
/// # Errors
/// [`SolomonError`] with the line of the first mistake.
///
/// # Examples
/// ```
/// use formats::solomon::{Options, read};
/// let text = "TINY\nVEHICLE\nNUMBER CAPACITY\n2 10\nCUSTOMER\nCUST NO. XCOORD. ...\n\
///             0 0 0 0 0 100 0\n1 3 4 7 5 50 9\n";
/// let problem = read(text, &Options::default()).unwrap();
/// assert_eq!(problem.agents[1].id, "vehicle 2");
/// assert_eq!(problem.tasks[0].demands, [7]);
/// ```
pub fn read(text: &str, options: &Options) -> Result<AllocationProblem, SolomonError> {
    let mut lines = Lines::new(text);
    let (_, title) = lines.next("the name of the problem")?;
    lines.section("VEHICLE")?;
    lines.next("the header of the vehicles")?;
    let (number, capacity) = fleet(&mut lines)?;
    lines.section("CUSTOMER")?;
    lines.next("the header of the customers")?;
    let (depot, customers) = customers(&mut lines)?;
    let count = match options.agents {
        Some(count) => i64::try_from(count).unwrap_or(i64::MAX),
        None => number,
    };
    if !(1..=AGENTS_MAX as i64).contains(&count) {
        return Err(SolomonError::Agents { given: count });
    }
    let agent = |i: i64| AllocationAgent {
        id: format!("vehicle {i}"),
        start: Some(place(&depot)),
        end: Some(place(&depot)),
        shift_start_offset: Some(from_micros(depot.ready_us)),
        shift_end_offset: Some(from_micros(depot.due_us)),
        capacities: vec![capacity],
        skills: Vec::new(),
        speed: None,
    };
    Ok(AllocationProblem {
        title: title.chars().take(200).collect(),
        description: String::new(),
        agents: (1..=count).map(agent).collect(),
        tasks: customers.iter().map(task).collect(),
        travel: Some(AllocationTravel {
            kind: Some(Kind::Euclidean(AllocationEuclideanTravel {
                rounding: options.rounding.into(),
            })),
        }),
        objective: None,
        previous_plan: None,
        couplings: None,
        now_offset: None,
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

/// Lines that are not blank, with their numbers.
struct Lines<'a> {
    rest: Box<dyn Iterator<Item = (usize, &'a str)> + 'a>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let numbered = text.lines().enumerate().map(|(i, l)| (i + 1, l.trim()));
        Self {
            rest: Box::new(numbered.filter(|(_, l)| !l.is_empty())),
        }
    }

    fn next(&mut self, wanted: &'static str) -> Result<(usize, &'a str), SolomonError> {
        self.rest.next().ok_or(SolomonError::Ended { wanted })
    }

    fn section(&mut self, wanted: &'static str) -> Result<(), SolomonError> {
        let (line, found) = self.next(wanted)?;
        if found.eq_ignore_ascii_case(wanted) {
            return Ok(());
        }
        Err(SolomonError::Unexpected {
            line,
            wanted,
            found: shorten(found),
        })
    }
}

/// Number and capacity of the vehicles.
fn fleet(lines: &mut Lines<'_>) -> Result<(i64, i64), SolomonError> {
    let (line, text) = lines.next("number and capacity of the vehicles")?;
    let columns: Vec<_> = text.split_whitespace().collect();
    let &[number, capacity] = columns.as_slice() else {
        return Err(SolomonError::Columns {
            line,
            given: columns.len(),
            wanted: 2,
            names: "number, capacity".into(),
        });
    };
    Ok((
        quantity(line, "number", number)?,
        quantity(line, "capacity", capacity)?,
    ))
}

/// The depot, and everybody else.
fn customers(lines: &mut Lines<'_>) -> Result<(Customer, Vec<Customer>), SolomonError> {
    let (line, text) = lines.next("the depot")?;
    let depot = customer(line, text)?;
    if depot.demand != 0 || depot.service_us != 0 {
        return Err(SolomonError::DepotServed { line });
    }
    let mut first_lines = BTreeMap::from([(depot.number, line)]);
    let mut customers = Vec::new();
    for (line, text) in lines.rest.by_ref() {
        let customer = customer(line, text)?;
        let number = customer.number;
        if customers.len() == TASKS_MAX {
            return Err(SolomonError::TooManyTasks { line });
        }
        if let Some(first) = first_lines.insert(number, line) {
            return Err(SolomonError::NumberRepeated {
                line,
                number,
                first,
            });
        }
        customers.push(customer);
    }
    Ok((depot, customers))
}

fn task(customer: &Customer) -> AllocationTask {
    AllocationTask {
        id: customer.number.to_string(),
        place: Some(place(customer)),
        service_duration: Some(from_micros(customer.service_us)),
        windows: vec![AllocationWindow {
            open_offset: Some(from_micros(customer.ready_us)),
            close_offset: Some(from_micros(customer.due_us)),
        }],
        demands: vec![customer.demand],
        required_skills: Vec::new(),
        drop_penalty: None,
        max_lateness_duration: None,
    }
}

fn place(customer: &Customer) -> AllocationPlace {
    AllocationPlace {
        at: Some(At::Point(AllocationPoint {
            x: customer.x,
            y: customer.y,
        })),
    }
}
