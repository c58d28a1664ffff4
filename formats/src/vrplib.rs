//! VRPLIB's format of vehicle routing (`.vrp`) as allocation problems, and published routes
//! (`.sol`).
//!
//! The format of CVRPLIB, an extension of TSPLIB's: capacities, optional time windows, service
//! times and a limit on the length of a route; coordinates or a matrix. A unit of time is a second,
//! which is also a unit of distance at speed 1. Windows bound the start of the service. Task ids
//! are the numbers of customers in published routes: the node's number, less 1 where the depot is
//! node 1.
//!
//! Unknown parts of a file are errors.

mod matrix;
mod routes;
mod sections;

pub use routes::{looks_like_routes, read_routes, write_routes};

use super::Mistake;
use super::solomon::{AGENTS_MAX, TASKS_MAX};
use crate::durations::parse_seconds;
use sections::{File, Row, wrong};
use std::collections::BTreeMap;
use stratagem_proto::v1::{
    AllocationAgent, AllocationDistanceRounding, AllocationEuclideanTravel, AllocationPlace,
    AllocationPoint, AllocationProblem, AllocationTask, AllocationTravel, AllocationWindow,
    allocation_place::At, allocation_travel::Kind,
};
use stratagem_render::time::from_micros;

/// Largest coordinate, either sign.
const COORDINATE_MAX: f64 = 1e6;
/// Largest capacity and demand.
const QUANTITY_MAX: i64 = 1_000_000_000;

/// What the file does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Number of agents, 1 to 200. Default: the file's `VEHICLES`, else one for each customer, at
    /// most 200.
    pub agents: Option<usize>,
    /// Rounding of distances between coordinates. Default: by the file's `EDGE_WEIGHT_TYPE`.
    pub rounding: Option<AllocationDistanceRounding>,
}

/// Whether a text looks like a file of VRPLIB.
#[must_use]
pub fn looks_like(text: &str) -> bool {
    let has = |word: &str| text.lines().any(|line| line.trim_start().starts_with(word));
    has("DIMENSION") && has("CAPACITY") && has("DEMAND_SECTION")
}

/// Reads a file of VRPLIB.
///
/// # Errors
/// The first mistake, with its line where it has one.
///
/// # Examples
/// ```
/// use formats::vrplib::{Options, read};
/// let text = "NAME : tiny\nTYPE : CVRP\nDIMENSION : 2\nEDGE_WEIGHT_TYPE : EUC_2D\n\
///             CAPACITY : 10\nVEHICLES : 2\nNODE_COORD_SECTION\n1 0 0\n2 3 4\n\
///             DEMAND_SECTION\n1 0\n2 7\nDEPOT_SECTION\n1\n-1\nEOF\n";
/// let problem = read(text, Options::default()).unwrap();
/// assert_eq!(problem.agents.len(), 2);
/// assert_eq!((&*problem.tasks[0].id, problem.tasks[0].demands[0]), ("1", 7));
/// ```
pub fn read(text: &str, options: Options) -> Result<AllocationProblem, Mistake> {
    let file = File::read(text)?;
    file.require_type(&["CVRP", "DCVRP", "VRPTW", "CVRPTW"])?;
    let numbers = nodes(&file)?;
    let depot = depot(&file)?;
    let Some(home) = numbers.iter().position(|number| *number == depot) else {
        return Err(wrong(
            None,
            format!("the depot is node {depot}, which there is not"),
        ));
    };
    let (places, travel) = places(&file, &numbers, options)?;
    let demands = quantities(&file, &numbers)?;
    if demands[home] != 0 {
        return Err(wrong(None, "the depot has a demand".into()));
    }
    let windows = windows(&file, &numbers)?;
    let services = services(&file, &numbers, home)?;
    let longest = file.header("DISTANCE");
    let longest = longest
        .map(|(line, text)| seconds(line, text))
        .transpose()?;
    let agent = |number: usize| AllocationAgent {
        id: format!("vehicle {number}"),
        start: Some(places[home].clone()),
        end: Some(places[home].clone()),
        shift_start_offset: windows[home].map(|[open, _]| from_micros(open)),
        shift_end_offset: match (windows[home], longest) {
            (Some([open, close]), Some(longest)) => Some(from_micros(close.min(open + longest))),
            (Some([_, close]), None) => Some(from_micros(close)),
            (None, longest) => longest.map(from_micros),
        },
        capacities: vec![file.whole("CAPACITY", 0..=QUANTITY_MAX).unwrap_or_default()],
        skills: Vec::new(),
        speed: None,
    };
    let customers = (0..numbers.len()).filter(|at| *at != home);
    let task = |at: usize| AllocationTask {
        id: (numbers[at] - i64::from(depot == 1)).to_string(),
        place: Some(places[at].clone()),
        service_duration: Some(from_micros(services[at])),
        windows: windows[at].iter().map(window).collect(),
        demands: vec![demands[at]],
        ..AllocationTask::default()
    };
    file.whole("CAPACITY", 0..=QUANTITY_MAX)?;
    Ok(AllocationProblem {
        title: file
            .header("NAME")
            .map_or(String::new(), |(_, name)| name.chars().take(200).collect()),
        description: String::new(),
        agents: (1..=fleet(&file, numbers.len() - 1, options)?)
            .map(agent)
            .collect(),
        tasks: customers.map(task).collect(),
        travel: Some(travel),
        objective: None,
        previous_plan: None,
        couplings: None,
        now_offset: None,
    })
}

fn window([open, close]: &[i64; 2]) -> AllocationWindow {
    AllocationWindow {
        open_offset: Some(from_micros(*open)),
        close_offset: Some(from_micros(*close)),
    }
}

/// How many vehicles there are.
fn fleet(file: &File<'_>, customers: usize, options: Options) -> Result<usize, Mistake> {
    let given = match (options.agents, file.header("VEHICLES")) {
        (Some(agents), _) => i64::try_from(agents).unwrap_or(i64::MAX),
        (None, Some(_)) => file.whole("VEHICLES", 1..=QUANTITY_MAX)?,
        (None, None) => return Ok(customers.clamp(1, AGENTS_MAX)),
    };
    let line = file.header("VEHICLES").map(|(line, _)| line);
    let count = usize::try_from(given).ok();
    count
        .filter(|count| (1..=AGENTS_MAX).contains(count))
        .ok_or_else(|| wrong(line, format!("{given} vehicles, 1 to {AGENTS_MAX} are supported: choose their number with --agents")))
}

/// The numbers of all nodes, in order.
fn nodes(file: &File<'_>) -> Result<Vec<i64>, Mistake> {
    let dimension = file.whole("DIMENSION", 2..=QUANTITY_MAX)?;
    let line = file.header("DIMENSION").map(|(line, _)| line);
    if dimension > TASKS_MAX as i64 + 1 {
        return Err(wrong(
            line,
            format!("more than {TASKS_MAX} customers besides the depot"),
        ));
    }
    let rows = file.section("DEMAND_SECTION")?;
    if rows.len() as i64 != dimension {
        let why = format!("{} demands for {dimension} nodes", rows.len());
        return Err(wrong(line, why));
    }
    let mut seen = BTreeMap::new();
    let mut numbers = Vec::new();
    for row in rows {
        let number = row.whole(0, "node", 0..=QUANTITY_MAX)?;
        if let Some(first) = seen.insert(number, row.line) {
            return Err(row.wrong(format!("node {number} is in line {first} already")));
        }
        numbers.push(number);
    }
    Ok(numbers)
}

/// The number of the only depot; what is said besides is `-1`, the end.
fn depot(file: &File<'_>) -> Result<i64, Mistake> {
    let Ok(rows) = file.section("DEPOT_SECTION") else {
        return Ok(1);
    };
    let mut depots = Vec::new();
    for row in rows {
        for at in 0..row.columns.len() {
            let number = row.whole(at, "depot", -1..=QUANTITY_MAX)?;
            match (number, depots.is_empty()) {
                (-1, _) => {}
                (number, true) => depots.push(number),
                (_, false) => {
                    return Err(row.wrong("there are several depots: one is supported".into()));
                }
            }
        }
    }
    Ok(depots.first().copied().unwrap_or(1))
}

/// Where all nodes are, and how far that is.
fn places(
    file: &File<'_>,
    numbers: &[i64],
    options: Options,
) -> Result<(Vec<AllocationPlace>, AllocationTravel), Mistake> {
    let (line, kind) = file.required("EDGE_WEIGHT_TYPE")?;
    let travel = |kind| AllocationTravel { kind: Some(kind) };
    let rounding = match kind {
        "EUC_2D" => AllocationDistanceRounding::IntegerNearest,
        "FLOOR_2D" => AllocationDistanceRounding::IntegerDown,
        "EXACT_2D" => AllocationDistanceRounding::Exact,
        "EXPLICIT" if options.rounding.is_some() => {
            return Err(wrong(
                Some(line),
                "distances are given: there is nothing to round".into(),
            ));
        }
        "EXPLICIT" => {
            let matrix = matrix::read(file, numbers.len())?;
            let ids = || numbers.iter().map(i64::to_string);
            let place = |id| AllocationPlace {
                at: Some(At::LocationId(id)),
            };
            let matrix = stratagem_proto::v1::AllocationMatrixTravel {
                location_ids: ids().collect(),
                durations_us: matrix,
                costs_micro: Vec::new(),
            };
            return Ok((ids().map(place).collect(), travel(Kind::Matrix(matrix))));
        }
        other => {
            return Err(wrong(
                Some(line),
                format!("distances of type {other} are not supported"),
            ));
        }
    };
    let rounding = options.rounding.unwrap_or(rounding).into();
    let place = |row: &Row<'_>| {
        Ok(AllocationPlace {
            at: Some(At::Point(AllocationPoint {
                x: coordinate(row, 1)?,
                y: coordinate(row, 2)?,
            })),
        })
    };
    let rows = file.of_nodes("NODE_COORD_SECTION", numbers, 3)?;
    let places: Result<Vec<AllocationPlace>, Mistake> = rows.into_iter().map(place).collect();
    Ok((
        places?,
        travel(Kind::Euclidean(AllocationEuclideanTravel { rounding })),
    ))
}

fn coordinate(row: &Row<'_>, at: usize) -> Result<f64, Mistake> {
    let number = row.columns[at].parse::<f64>().ok();
    // NaN and infinities fail the comparison.
    let number = number.filter(|number| number.abs() <= COORDINATE_MAX);
    number.ok_or_else(|| row.wrong("a coordinate from -10^6 to 10^6 is wanted".into()))
}

/// The demand of each node.
fn quantities(file: &File<'_>, numbers: &[i64]) -> Result<Vec<i64>, Mistake> {
    let rows = file.of_nodes("DEMAND_SECTION", numbers, 2)?;
    let demand = |row: &Row<'_>| row.whole(1, "demand", 0..=QUANTITY_MAX);
    rows.into_iter().map(demand).collect()
}

/// When each node may be served.
fn windows(file: &File<'_>, numbers: &[i64]) -> Result<Vec<Option<[i64; 2]>>, Mistake> {
    if file.section("TIME_WINDOW_SECTION").is_err() {
        return Ok(vec![None; numbers.len()]);
    }
    let window = |row: &Row<'_>| {
        let ends = [1, 2].map(|at| seconds(row.line, row.columns[at]));
        let [open, close] = ends;
        let (open, close) = (open?, close?);
        if close < open {
            Err(row.wrong("the window closes before it opens".into()))
        } else {
            Ok(Some([open, close]))
        }
    };
    let rows = file.of_nodes("TIME_WINDOW_SECTION", numbers, 3)?;
    rows.into_iter().map(window).collect()
}

/// How long each node takes.
fn services(file: &File<'_>, numbers: &[i64], home: usize) -> Result<Vec<i64>, Mistake> {
    if file.section("SERVICE_TIME_SECTION").is_err() {
        let all = file.header("SERVICE_TIME");
        let all = all.map(|(line, text)| seconds(line, text)).transpose()?;
        let mut services = vec![all.unwrap_or(0); numbers.len()];
        services[home] = 0;
        return Ok(services);
    }
    let rows = file.of_nodes("SERVICE_TIME_SECTION", numbers, 2)?;
    let service = |row: &Row<'_>| seconds(row.line, row.columns[1]);
    rows.into_iter().map(service).collect()
}

/// A time in microseconds.
fn seconds(line: usize, text: &str) -> Result<i64, Mistake> {
    let why = "a number from 0 to ten years in seconds, with at most 6 decimals, is wanted";
    parse_seconds(text).ok_or_else(|| wrong(Some(line), why.into()))
}
