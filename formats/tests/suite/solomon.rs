//! Solomon files: what is read, what is refused and where, and the way back.

use formats::solomon::{looks_like, read, write};
use formats::{Mistake, Options};
use proptest::prelude::*;
use stratagem_proto::v1::{
    AllocationDistanceRounding, AllocationOrder, AllocationProblem, allocation_place::At,
    allocation_travel::Kind,
};
use stratagem_render::time::micros;

const TINY: &str = "TINY3\n\nVEHICLE\nNUMBER     CAPACITY\n  2         50\n\nCUSTOMER\n\
CUST NO.  XCOORD.   YCOORD.    DEMAND   READY TIME  DUE DATE   SERVICE   TIME\n \n\
    0      40         50          0          0       1236          0\n\
    1      45         68         10        912        967         90\n\
    2      45         70         30        825        870         90\n\
    3      42         66         10         65        146         90\n";

fn problem(text: &str) -> AllocationProblem {
    read(text, &Options::default()).unwrap()
}

fn refused(text: &str) -> Mistake {
    read(text, &Options::default()).unwrap_err()
}

/// The file with one of its lines replaced; lines count from 1.
fn with_line(line: usize, text: &str) -> String {
    let mut lines: Vec<_> = TINY.lines().collect();
    lines[line - 1] = text;
    lines.join("\n")
}

#[test]
fn every_column_gets_where_it_belongs() {
    let problem = problem(TINY);
    assert_eq!(problem.title, "TINY3");
    let ids: Vec<_> = problem.agents.iter().map(|a| a.id.as_str()).collect();
    assert_eq!(ids, ["vehicle 1", "vehicle 2"]);
    let agent = &problem.agents[1];
    assert_eq!(agent.capacities, [50]);
    assert_eq!(micros(agent.shift_start_offset.as_ref()), 0);
    assert_eq!(micros(agent.shift_end_offset.as_ref()), 1_236_000_000);
    assert_eq!(agent.start, agent.end);
    let Some(At::Point(depot)) = agent.start.as_ref().unwrap().at else {
        panic!("no point");
    };
    assert_eq!((depot.x, depot.y), (40.0, 50.0));
    let task = &problem.tasks[1];
    assert_eq!(
        (task.id.as_str(), task.demands.as_slice()),
        ("2", &[30_i64][..])
    );
    assert_eq!(micros(task.service_duration.as_ref()), 90_000_000);
    assert_eq!(task.windows.len(), 1);
    assert_eq!(micros(task.windows[0].open_offset.as_ref()), 825_000_000);
    assert_eq!(micros(task.windows[0].close_offset.as_ref()), 870_000_000);
}

#[test]
fn distances_are_rounded_as_in_the_exact_literature_unless_told() {
    let rounding = |options| {
        let problem = read(TINY, &options).unwrap();
        match problem.travel.unwrap().kind.unwrap() {
            Kind::Euclidean(travel) => travel.rounding(),
            Kind::Matrix(_) => panic!("a matrix"),
        }
    };
    assert_eq!(
        rounding(Options::default()),
        AllocationDistanceRounding::OneDecimalDown
    );
    let exact = Options {
        rounding: Some(AllocationDistanceRounding::Exact),
        ..Options::default()
    };
    assert_eq!(rounding(exact), AllocationDistanceRounding::Exact);
}

#[test]
fn the_number_of_agents_can_be_chosen() {
    let agents = |agents| {
        let options = Options {
            agents: Some(agents),
            ..Options::default()
        };
        read(TINY, &options).map(|p| p.agents.len())
    };
    assert_eq!(agents(7), Ok(7));
    for count in [0, 1_001] {
        let mistake = agents(count).unwrap_err();
        assert!(mistake.message.starts_with(&format!("{count} vehicles")));
        assert_eq!(mistake.at, None);
    }
    let many = with_line(5, "1250 200");
    let message = "1250 vehicles, 1 to 1000 are supported: choose their number at line 5 column 1";
    assert_eq!(refused(&many).to_string(), message);
}

#[test]
fn what_is_found_in_the_wild_reads_the_same() {
    let crlf = TINY.replace('\n', "  \r\n");
    let lower = TINY
        .replace("VEHICLE", "Vehicle")
        .replace("CUSTOMER", "customer");
    let tabs = TINY.replace("  ", "\t");
    let dense: Vec<_> = TINY.lines().filter(|l| !l.trim().is_empty()).collect();
    let marked = format!("\u{feff}{TINY}\n\n");
    for text in [crlf, lower, tabs, dense.join("\n"), marked] {
        assert_eq!(problem(&text), problem(TINY));
        assert!(looks_like(&text));
    }
}

/// A line of the file, what stands there instead, the column of the mistake, and its text.
type Case = (usize, &'static str, usize, &'static str);

const CASES: &[Case] = &[
    (3, " VEHICLES", 2, "expected VEHICLE, got `VEHICLES`"),
    (5, "2", 1, "1 columns instead of 2: number, capacity"),
    (
        5,
        "-2 50",
        1,
        "number must be a whole number from 0 to 1000000000, got `-2`",
    ),
    (7, "CLIENTS", 1, "expected CUSTOMER, got `CLIENTS`"),
    (
        11,
        "1 45 68 10 912 967",
        1,
        "6 columns instead of 7: number, x, y, demand, ready, due, service",
    ),
    (
        11,
        "1 NaN 68 10 912 967 90",
        3,
        "x must be a number from -10^6 to 10^6, got `NaN`",
    ),
    (
        11,
        "1 1e300 68 10 0 9 90",
        3,
        "x must be a number from -10^6 to 10^6, got `1e300`",
    ),
    (
        11,
        "1 45 68 1.5 912 967 90",
        9,
        "demand must be a whole number from 0 to 1000000000, got `1.5`",
    ),
    (
        12,
        "2 45 70 30 825 -1 90",
        16,
        "due must be a number from 0 to ten years in seconds, with at most 6 decimals, got `-1`",
    ),
    (
        12,
        "2 45 70 30 870 825 90",
        16,
        "due date 825 is before ready time 870",
    ),
    (
        13,
        "1 45 70 30 825 870 90",
        1,
        "customer number 1 is in line 11 already",
    ),
    (
        13,
        "0 45 70 30 825 870 90",
        1,
        "customer number 0 is in line 10 already",
    ),
    (
        10,
        "0 40 50 0 0 1236 9",
        1,
        "the first customer is the depot, its demand and service must be 0",
    ),
];

#[test]
fn mistakes_name_their_line() {
    for (line, text, column, message) in CASES {
        let mistake = refused(&with_line(*line, text));
        assert_eq!(mistake.message, *message);
        assert_eq!(mistake.at, Some((*line, *column)), "{message}");
    }
}

#[test]
fn a_file_that_ends_early_says_what_is_missing() {
    for (lines, wanted) in [
        (0, "the name of the problem"),
        (1, "VEHICLE"),
        (4, "number and capacity of the vehicles"),
        (6, "CUSTOMER"),
        (9, "the depot"),
    ] {
        let text = TINY.lines().take(lines).collect::<Vec<_>>().join("\n");
        assert_eq!(
            refused(&text).message,
            format!("the file ends before {wanted}")
        );
    }
}

#[test]
fn ten_thousand_tasks_are_read_and_not_one_more() {
    let text = |tasks: usize| {
        let rows: String = (4..=tasks).map(|n| format!("{n} 1 1 1 0 10 0\n")).collect();
        TINY.to_owned() + &rows
    };
    assert_eq!(problem(&text(10_000)).tasks.len(), 10_000);
    let mistake = refused(&text(10_001));
    assert_eq!(
        mistake.message,
        "more than 10000 customers besides the depot"
    );
    assert_eq!(mistake.at, Some((10_011, 1)));
}

#[test]
fn what_was_read_is_written_and_reads_the_same() {
    let problem = problem(TINY);
    let text = write(&problem).unwrap();
    assert_eq!(read(&text, &Options::default()).unwrap(), problem);
}

/// A change that makes a problem something else than Solomon's.
type Spoil = fn(&mut AllocationProblem);

#[test]
fn what_the_format_cannot_say_is_refused() {
    let spoils: [(&str, Spoil); 10] = [
        ("agent `vehicle 2` differs", |p| {
            p.agents[1].capacities[0] = 3;
        }),
        ("agents have skills", |p| {
            p.agents.iter_mut().for_each(|a| a.skills.push("x".into()));
        }),
        ("end elsewhere", |p| {
            p.agents
                .iter_mut()
                .for_each(|a| a.end = p.tasks[0].place.clone());
        }),
        ("start and end", |p| {
            p.agents.iter_mut().for_each(|a| a.end = None);
        }),
        ("task `2` is optional", |p| {
            p.tasks[1].drop_penalty = Some(1.0);
        }),
        ("task `1` has several windows", |p| {
            let window = p.tasks[0].windows[0];
            p.tasks[0].windows.push(window);
        }),
        ("several capacity dimensions", |p| {
            p.tasks[0].demands.push(1);
        }),
        ("there are no agents", |p| p.agents.clear()),
        ("it has couplings", |p| {
            let order = AllocationOrder::default();
            p.couplings.get_or_insert_default().orders.push(order);
        }),
        ("it has a now", |p| {
            p.now_offset.get_or_insert_default().nanos = 1_000;
        }),
    ];
    let mut nothing = problem(TINY);
    nothing.couplings.get_or_insert_default();
    nothing.now_offset.get_or_insert_default();
    assert!(write(&nothing).is_ok(), "the plan begins");
    for (what, spoil) in spoils {
        let mut problem = problem(TINY);
        spoil(&mut problem);
        let message = write(&problem).unwrap_err();
        assert!(message.contains(what), "{message}");
    }
}

#[test]
fn names_that_are_no_numbers_are_numbered_anew() {
    let mut named = problem(TINY);
    named.tasks[1].id = "burn the mill".into();
    let again = problem(&write(&named).unwrap());
    let ids: Vec<_> = again.tasks.iter().map(|t| t.id.as_str()).collect();
    assert_eq!(ids, ["1", "2", "3"]);
}

/// Opening, x, demand and width of a window, in sensible ranges.
fn rows() -> impl Strategy<Value = Vec<(u32, i16, u32, u32)>> {
    let row = (
        0_u32..2_000_000,
        any::<i16>(),
        0_u32..1_000,
        0_u32..5_000_000,
    );
    prop::collection::vec(row, 0..40)
}

proptest! {
    /// Whatever comes in, the reader answers.
    #[test]
    fn the_reader_never_panics(text in ".{0,400}") {
        let _ = read(&text, &Options::default());
    }

    /// The same for what looks like a file: the right sections with any columns.
    #[test]
    fn the_reader_never_panics_on_odd_columns(
        rows in prop::collection::vec("[0-9.eE+\\-]{0,22}( +[0-9a-zN.\\-]{1,20}){0,8}", 0..12),
    ) {
        let text = format!("x\nVEHICLE\nn c\n2 3\nCUSTOMER\nhead\n{}", rows.join("\n"));
        let _ = read(&text, &Options::default());
    }

    /// Any table of sensible numbers survives reading, writing and reading again.
    #[test]
    fn sensible_tables_survive_the_round_trip(rows in rows()) {
        let mut text = String::from("x\nVEHICLE\nn c\n2 3\nCUSTOMER\nhead\n0 0 0 0 0 99999.5 0\n");
        for (i, (open, x, demand, width)) in rows.iter().enumerate() {
            let (open, close) = (f64::from(*open) / 1e3, f64::from(open + width) / 1e3);
            let x = f64::from(*x) / 8.0;
            text += &format!("{} {x} {} {demand} {open} {close} 0.25\n", i + 1, -x);
        }
        let problem = problem(&text);
        let again = read(&write(&problem).unwrap(), &Options::default()).unwrap();
        prop_assert_eq!(again, problem);
    }
}
