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

use super::solomon::{AGENTS_MAX, TASKS_MAX, euclidean, fleet_of, point, vehicles, window};
use super::words::{QUANTITY_MAX, Word};
use super::{Mistake, Options};
use sections::File;
use std::collections::BTreeMap;
use stratagem_proto::v1::{
    AllocationAgent, AllocationDistanceRounding, AllocationMatrixTravel, AllocationPlace,
    AllocationProblem, AllocationTask, AllocationTravel, allocation_place::At,
    allocation_travel::Kind,
};
use stratagem_render::time::from_micros;

/// Most agents of a problem with a matrix.
const MATRIX_AGENTS_MAX: i64 = 200;

/// Whether a text looks like a file of VRPLIB.
#[must_use]
pub fn looks_like(text: &str) -> bool {
    let has = |word: &str| text.lines().any(|line| line.trim_start().starts_with(word));
    has("DIMENSION") && has("CAPACITY") && has("DEMAND_SECTION")
}

/// Reads a file of VRPLIB.
///
/// Agents: as many as the options or the file's `VEHICLES` have, else one for each customer, at
/// most 1,000, and 200 with a matrix. Distances between coordinates are rounded by the file's
/// `EDGE_WEIGHT_TYPE` where the options have no other rounding.
///
/// # Errors
/// The first mistake, with its line where it has one.
///
/// # Examples
/// ```
/// use formats::{Options, vrplib::read};
/// let text = "NAME : tiny\nTYPE : CVRP\nDIMENSION : 2\nEDGE_WEIGHT_TYPE : EUC_2D\n\
///             CAPACITY : 10\nVEHICLES : 2\nNODE_COORD_SECTION\n1 0 0\n2 3 4\n\
///             DEMAND_SECTION\n1 0\n2 7\nDEPOT_SECTION\n1\n-1\nEOF\n";
/// let problem = read(text, &Options::default()).unwrap();
/// assert_eq!(problem.agents.len(), 2);
/// assert_eq!((&*problem.tasks[0].id, problem.tasks[0].demands[0]), ("1", 7));
/// ```
pub fn read(text: &str, options: &Options) -> Result<AllocationProblem, Mistake> {
    let file = File::read(text)?;
    file.require_type(&["CVRP", "DCVRP", "VRPTW", "CVRPTW"])?;
    let numbers = nodes(&file)?;
    let depot = depot(&file)?;
    let home = numbers.iter().position(|number| *number == depot);
    let home = home
        .ok_or_else(|| Mistake::new(format!("the depot is node {depot}, which does not exist")))?;
    let (places, travel) = places(&file, &numbers, options)?;
    let demands = quantities(&file, &numbers)?;
    if demands[home] != 0 {
        return Err(Mistake::new("the depot has a demand"));
    }
    let windows = windows(&file, &numbers)?;
    let services = services(&file, &numbers, home)?;
    let longest = file.header("DISTANCE");
    let longest = longest.map(|it| it.seconds("DISTANCE")).transpose()?;
    let end = match (windows[home], longest) {
        (Some([open, close]), Some(longest)) => Some(close.min(open + longest)),
        (Some([_, close]), None) => Some(close),
        (None, longest) => longest,
    };
    let agent = AllocationAgent {
        start: Some(places[home].clone()),
        end: Some(places[home].clone()),
        shift_start_offset: windows[home].map(|[open, _]| from_micros(open)),
        shift_end_offset: end.map(from_micros),
        capacities: vec![file.whole("CAPACITY", 0..=QUANTITY_MAX)?],
        ..AllocationAgent::default()
    };
    let customers = (0..numbers.len()).filter(|at| *at != home);
    let task = |at: usize| AllocationTask {
        id: (numbers[at] - i64::from(depot == 1)).to_string(),
        place: Some(places[at].clone()),
        service_duration: Some(from_micros(services[at])),
        windows: windows[at].into_iter().map(window).collect(),
        demands: vec![demands[at]],
        ..AllocationTask::default()
    };
    let is_matrix = matches!(travel.kind, Some(Kind::Matrix(_)));
    let agents_max = if is_matrix {
        MATRIX_AGENTS_MAX
    } else {
        AGENTS_MAX as i64
    };
    let given = match file.header("VEHICLES") {
        Some(_) if options.agents.is_none() => file.whole("VEHICLES", 1..=QUANTITY_MAX)?,
        _ => (numbers.len() as i64 - 1).clamp(1, agents_max),
    };
    let title = file.header("NAME").map_or("", |name| name.text);
    Ok(AllocationProblem {
        title: title.chars().take(200).collect(),
        agents: fleet_of(&agent, vehicles(file.header("VEHICLES"), given, options)?),
        tasks: customers.map(task).collect(),
        travel: Some(travel),
        ..AllocationProblem::default()
    })
}

/// The numbers of all nodes, in order.
fn nodes(file: &File<'_>) -> Result<Vec<i64>, Mistake> {
    let dimension = file.whole("DIMENSION", 2..=QUANTITY_MAX)?;
    let header = file.required("DIMENSION")?;
    if dimension > TASKS_MAX as i64 + 1 {
        return Err(header.wrong(format!("more than {TASKS_MAX} customers besides the depot")));
    }
    let rows = file.section("DEMAND_SECTION")?;
    if rows.len() as i64 != dimension {
        return Err(header.wrong(format!("{} demands for {dimension} nodes", rows.len())));
    }
    let mut seen = BTreeMap::new();
    let mut numbers = Vec::new();
    for row in rows {
        // A row has at least one word.
        let number = row.words().next().unwrap_or(*row);
        let number = number.whole("node", 0..=QUANTITY_MAX)?;
        if let Some(first) = seen.insert(number, row.number) {
            return Err(row.wrong(format!("node {number} is in line {first} already")));
        }
        numbers.push(number);
    }
    Ok(numbers)
}

/// The number of the only depot; `-1` is the end of the section.
fn depot(file: &File<'_>) -> Result<i64, Mistake> {
    let rows = file.section("DEPOT_SECTION").unwrap_or_default();
    let mut depot = None;
    for word in rows.iter().flat_map(|row| row.words()) {
        match word.whole("depot", -1..=QUANTITY_MAX)? {
            -1 => {}
            _ if depot.is_some() => {
                return Err(word.wrong("there are several depots: one is supported"));
            }
            number => depot = Some(number),
        }
    }
    Ok(depot.unwrap_or(1))
}

/// Where all nodes are, and how far that is.
fn places(
    file: &File<'_>,
    numbers: &[i64],
    options: &Options,
) -> Result<(Vec<AllocationPlace>, AllocationTravel), Mistake> {
    let kind = file.required("EDGE_WEIGHT_TYPE")?;
    let rounding = match kind.text {
        "EUC_2D" => AllocationDistanceRounding::IntegerNearest,
        "FLOOR_2D" => AllocationDistanceRounding::IntegerDown,
        "EXACT_2D" => AllocationDistanceRounding::Exact,
        "EXPLICIT" if options.rounding.is_some() => {
            return Err(kind.wrong("distances are given: there is nothing to round"));
        }
        "EXPLICIT" => return explicit(file, numbers),
        _ => {
            let message = format!("distances of type {} are not supported", kind.shown());
            return Err(kind.wrong(message));
        }
    };
    let rows = file.of_nodes("NODE_COORD_SECTION", numbers, ["node", "x", "y"])?;
    let place = |[_, x, y]: [Word<'_>; 3]| Ok(point(x.coordinate("x")?, y.coordinate("y")?));
    let places: Result<Vec<AllocationPlace>, Mistake> = rows.into_iter().map(place).collect();
    Ok((places?, euclidean(options.rounding.unwrap_or(rounding))))
}

/// Places without coordinates, and the distances between them.
fn explicit(
    file: &File<'_>,
    numbers: &[i64],
) -> Result<(Vec<AllocationPlace>, AllocationTravel), Mistake> {
    let ids = || numbers.iter().map(i64::to_string);
    let place = |id| AllocationPlace {
        at: Some(At::LocationId(id)),
    };
    let matrix = AllocationMatrixTravel {
        location_ids: ids().collect(),
        durations_us: matrix::read(file, numbers.len())?,
        costs_micro: Vec::new(),
    };
    let kind = Some(Kind::Matrix(matrix));
    Ok((ids().map(place).collect(), AllocationTravel { kind }))
}

/// The demand of each node.
fn quantities(file: &File<'_>, numbers: &[i64]) -> Result<Vec<i64>, Mistake> {
    let rows = file.of_nodes("DEMAND_SECTION", numbers, ["node", "demand"])?;
    let demand = |[_, demand]: [Word<'_>; 2]| demand.whole("demand", 0..=QUANTITY_MAX);
    rows.into_iter().map(demand).collect()
}

/// When each node may be served.
fn windows(file: &File<'_>, numbers: &[i64]) -> Result<Vec<Option<[i64; 2]>>, Mistake> {
    if !file.has_section("TIME_WINDOW_SECTION") {
        return Ok(vec![None; numbers.len()]);
    }
    let window = |[_, open, close]: [Word<'_>; 3]| {
        let ends = [open.seconds("opening")?, close.seconds("closing")?];
        let is_window = ends[0] <= ends[1];
        let wrong = || open.wrong("the window closes before it opens");
        is_window.then_some(Some(ends)).ok_or_else(wrong)
    };
    let rows = file.of_nodes(
        "TIME_WINDOW_SECTION",
        numbers,
        ["node", "opening", "closing"],
    )?;
    rows.into_iter().map(window).collect()
}

/// How long each node takes.
fn services(file: &File<'_>, numbers: &[i64], home: usize) -> Result<Vec<i64>, Mistake> {
    if !file.has_section("SERVICE_TIME_SECTION") {
        let all = file.header("SERVICE_TIME");
        let all = all.map(|it| it.seconds("SERVICE_TIME")).transpose()?;
        let mut services = vec![all.unwrap_or(0); numbers.len()];
        services[home] = 0;
        return Ok(services);
    }
    let rows = file.of_nodes("SERVICE_TIME_SECTION", numbers, ["node", "time"])?;
    let service = |[_, time]: [Word<'_>; 2]| time.seconds("service time");
    rows.into_iter().map(service).collect()
}
