//! Files of VRPLIB.

use formats::vrplib::{looks_like, read};
use formats::{Format, Options};
use stratagem_proto::v1::allocation_place::At;
use stratagem_proto::v1::allocation_travel::Kind;
use stratagem_proto::v1::{
    AllocationDistanceRounding, AllocationEuclideanTravel, AllocationProblem,
};

/// Four customers around a depot.
const CVRP: &str = "NAME : ring-n5-k2\nCOMMENT : \"made here: by hand\"\nTYPE : CVRP\nDIMENSION : 5\n\
EDGE_WEIGHT_TYPE : EUC_2D\nCAPACITY : 10\nNODE_COORD_SECTION\n1 0 0\n2 10 0\n3 0 10\n4 -10 0\n5 0 -10\n\
DEMAND_SECTION\n1 0\n2 5\n3 5\n4 5\n5 5\nDEPOT_SECTION\n 1\n -1\nEOF\nwhat comes after the end\n";

/// Three nodes with windows and a matrix.
const WINDOWS: &str = "NAME: w\r\nTYPE: VRPTW\r\nDIMENSION: 3\r\nVEHICLES: 2\r\nCAPACITY: 4\r\nEDGE_WEIGHT_TYPE: EXPLICIT\r\n\
EDGE_WEIGHT_FORMAT: FULL_MATRIX\r\nEDGE_WEIGHT_SECTION\r\n0 1.5 2\r\n3 0 4\r\n5 6 0\r\nDEMAND_SECTION\r\n0 0\r\n1 1\r\n2 2\r\n\
TIME_WINDOW_SECTION\r\n0 0 100\r\n1 5 20\r\n2 7 30\r\nSERVICE_TIME_SECTION\r\n0 0\r\n1 2\r\n2 3\r\nDEPOT_SECTION\r\n0\r\n-1\r\nEOF\r\n";

fn good(text: &str) -> AllocationProblem {
    read(text, &Options::default()).unwrap_or_else(|m| panic!("{m}"))
}

fn bad(text: &str) -> (String, Option<usize>) {
    let mistake = read(text, &Options::default()).expect_err("it is no problem");
    (mistake.message, mistake.at.map(|at| at.0))
}

#[test]
fn coordinates_capacities_and_the_depot_are_read() {
    assert!(looks_like(CVRP));
    assert_eq!(Format::of_text(CVRP), Format::Vrplib);
    let problem = good(CVRP);
    assert_eq!(problem.title, "ring-n5-k2");
    let ids: Vec<&str> = problem.tasks.iter().map(|task| &*task.id).collect();
    assert_eq!(ids, ["1", "2", "3", "4"], "as published routes call them");
    // Nobody says how many there are.
    assert_eq!(problem.agents.len(), 4);
    assert_eq!(problem.agents[0].capacities, [10]);
    assert!(problem.agents[0].end.is_some() && problem.agents[0].shift_end_offset.is_none());
    let rounding = AllocationDistanceRounding::IntegerNearest.into();
    let travel = problem.travel.unwrap().kind;
    assert_eq!(
        travel,
        Some(Kind::Euclidean(AllocationEuclideanTravel { rounding }))
    );
}

#[test]
fn a_limit_on_routes_and_one_service_time_are_for_all() {
    let limited = CVRP.replace("CAPACITY", "DISTANCE : 50\nSERVICE_TIME : 3\nCAPACITY");
    let problem = good(&limited);
    let seconds = |of: &Option<prost_types::Duration>| of.as_ref().map(|d| d.seconds);
    assert_eq!(seconds(&problem.agents[0].shift_end_offset), Some(50));
    assert_eq!(seconds(&problem.tasks[3].service_duration), Some(3));
    let few = Options {
        agents: Some(2),
        rounding: Some(AllocationDistanceRounding::Exact),
        ..Options::default()
    };
    assert_eq!(read(CVRP, &few).unwrap().agents.len(), 2);
}

/// The depot closes, or a route is too long.
#[test]
fn shifts_end_at_whichever_comes_first() {
    let end = |text: &str| {
        let end = good(text).agents[0].shift_end_offset;
        end.map(|end| (end.seconds, end.nanos))
    };
    let limited = |text: &str| text.replace("CAPACITY", "DISTANCE : 0.1\nCAPACITY");
    assert_eq!(end(CVRP), None);
    assert_eq!(end(&limited(CVRP)), Some((0, 100_000_000)));
    assert_eq!(end(WINDOWS), Some((100, 0)));
    let opens = limited(WINDOWS).replace("\n0 0 100", "\n0 0.2 100");
    assert_eq!(end(&opens), Some((0, 300_000_000)));
    let closes = limited(WINDOWS).replace("\n0 0 100", "\n0 0 0");
    assert_eq!(end(&closes), Some((0, 0)));
}

#[test]
fn windows_services_and_matrices_are_read() {
    let problem = good(WINDOWS);
    assert_eq!(problem.agents.len(), 2);
    let Some(Kind::Matrix(matrix)) = problem.travel.unwrap().kind else {
        panic!("a matrix is wanted");
    };
    assert_eq!(matrix.location_ids, ["0", "1", "2"]);
    assert_eq!(matrix.durations_us[1], 1_500_000);
    assert_eq!(matrix.durations_us[3], 3_000_000, "it is not symmetric");
    let task = &problem.tasks[1];
    // The depot is not node 1: customers keep their numbers.
    assert_eq!(task.id, "2");
    assert_eq!(task.windows[0].close_offset.as_ref().unwrap().seconds, 30);
    assert_eq!(task.service_duration.as_ref().unwrap().seconds, 3);
    let at = task.place.clone().unwrap().at;
    assert_eq!(at, Some(At::LocationId("2".into())));
}

#[test]
fn triangles_are_matrices_too() {
    let triangle = |format: &str, numbers: &str| {
        let text = WINDOWS.replace("FULL_MATRIX", format);
        let text = text.replace("0 1.5 2\r\n3 0 4\r\n5 6 0", numbers);
        let Some(Kind::Matrix(matrix)) = good(&text).travel.unwrap().kind else {
            panic!("a matrix is wanted");
        };
        let seconds = matrix.durations_us.iter().map(|us| us / 1_000_000);
        seconds.collect::<Vec<i64>>()
    };
    let whole = [0, 1, 2, 1, 0, 3, 2, 3, 0];
    assert_eq!(triangle("LOWER_ROW", "1\n2 3"), whole);
    assert_eq!(triangle("UPPER_ROW", "1 2\n3"), whole);
    assert_eq!(triangle("LOWER_DIAG_ROW", "0 1 0 2\n3 0"), whole);
    assert_eq!(triangle("UPPER_DIAG_ROW", "0 1 2 0 3 0"), whole);
}

/// In which text, what is written instead of what, the mistake then, and its line.
type Case = (&'static str, [&'static str; 2], &'static str, Option<usize>);

const CASES: &[Case] = &[
    (
        CVRP,
        ["TYPE : CVRP", "TYPE : SDVRP"],
        "problems of type SDVRP",
        Some(3),
    ),
    (CVRP, ["EUC_2D", "GEO"], "distances of type GEO", Some(5)),
    (
        CVRP,
        ["COMMENT", "BACKHAULS"],
        "`BACKHAULS` is not supported",
        Some(2),
    ),
    (
        CVRP,
        ["4 -10 0", "4 nan 0"],
        "x must be a number from",
        Some(11),
    ),
    (
        CVRP,
        ["5 0 -10\n", ""],
        "NODE_COORD_SECTION lacks node 5",
        None,
    ),
    (
        CVRP,
        ["4 -10 0", "3 -10 0"],
        "node 3 is there twice",
        Some(11),
    ),
    (
        CVRP,
        ["1 0\n2 5", "1 1\n2 5"],
        "the depot has a demand",
        None,
    ),
    (
        CVRP,
        [" 1\n -1", " 1\n 2\n -1"],
        "there are several depots",
        Some(21),
    ),
    (CVRP, [" 1\n -1", " 9\n -1"], "the depot is node 9", None),
    (
        CVRP,
        ["DIMENSION : 5", "DIMENSION : 6"],
        "5 demands for 6 nodes",
        Some(4),
    ),
    (
        CVRP,
        ["CAPACITY : 10", "CAPACITY : ten"],
        "CAPACITY must be",
        Some(6),
    ),
    (
        WINDOWS,
        ["3 0 4", "3 0"],
        "8 distances instead of 9",
        Some(7),
    ),
    (
        CVRP,
        ["TYPE : CVRP", "TYPE : CVRP\nCAPACITY : 9"],
        "CAPACITY is there twice",
        Some(7),
    ),
    (
        CVRP,
        ["CAPACITY : 10", "CAPACITY :"],
        "CAPACITY must be",
        Some(6),
    ),
    (
        CVRP,
        ["TYPE : CVRP", "TYPE : CVRP\nDISTANCE : far"],
        "DISTANCE must be",
        Some(4),
    ),
    (
        CVRP,
        ["4 -10 0", "9 -10 0"],
        "NODE_COORD_SECTION lacks node 4",
        None,
    ),
    (
        WINDOWS,
        ["1 5 20", "1 25 20"],
        "the window closes before",
        Some(18),
    ),
    (
        WINDOWS,
        ["1 5 20", "1 -5 20"],
        "opening must be a number from 0",
        Some(18),
    ),
    (
        CVRP,
        ["NAME", "1 2 3\nNAME"],
        "numbers before any section",
        Some(1),
    ),
];

#[test]
fn what_is_wrong_or_not_supported_is_told_with_its_line() {
    for (text, [before, after], wanted, line) in CASES {
        assert!(text.contains(before), "{before}");
        let (mistake, at) = bad(&text.replace(before, after));
        assert!(mistake.starts_with(wanted), "{mistake}, not {wanted}");
        assert_eq!(at, *line, "{mistake}");
    }
}

/// A matrix allows fewer agents than coordinates do.
#[test]
fn there_is_an_agent_for_each_customer_as_far_as_allowed() {
    let head = "NAME: n\nTYPE: CVRP\nDIMENSION: 252\nCAPACITY: 4\nEDGE_WEIGHT_TYPE: EXPLICIT\n\
                EDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n";
    let rows = "1 ".repeat(252 * 252);
    let demands: String = (0..252).map(|node| format!("{node} 0\n")).collect();
    let tail = format!("DEMAND_SECTION\n{demands}DEPOT_SECTION\n0\n-1\nEOF\n");
    let with_matrix = format!("{head}{rows}\n{tail}");
    assert_eq!(good(&with_matrix).agents.len(), 200);
}
