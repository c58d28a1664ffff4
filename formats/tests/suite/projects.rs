//! Projects in the formats of PSPLIB and ProGen/max.

use formats::{Format, psplib};
use stratagem_proto::v1::{SchedulePoint, ScheduleProblem};
use stratagem_render::time::micros;

const PROJECT: &str = "\
file with basedata            : small.bas
PRECEDENCE RELATIONS:
jobnr.    #modes  #successors   successors
   1        1          1           2
   2        1          1           3
   3        1          0
************************************************************************
REQUESTS/DURATIONS:
jobnr. mode duration  R 1  R 2
------------------------------------------------------------------------
  1      1     0       0    0
  2      1     8       4    0
  3      1     0       0    0
************************************************************************
RESOURCEAVAILABILITIES:
  R 1  R 2
   12   13
************************************************************************
";

/// Three jobs between two dummies: 2 starts at least 4 after 1, and 1 at most 6 before 2.
const LAGS: &str = "\
3 1 0 0
0 1 2 1 3 [0] [0]
1 1 1 2 [4]
2 1 2 4 1 [3] [-6]
3 1 1 4 [5]
4 1 0
0 1 0 0
1 1 2 1
2 1 3 1
3 1 5 2
4 1 0 0
2
";

fn seconds(problem: &ScheduleProblem) -> Vec<Vec<i64>> {
    let of = |it: &stratagem_proto::v1::ScheduleActivity| {
        let modes = it.modes.iter();
        let seconds = modes.map(|mode| micros(mode.work_duration.as_ref()) / 1_000_000);
        seconds.collect()
    };
    problem.activities.iter().map(of).collect()
}

#[test]
fn a_project_has_an_activity_for_each_job() {
    assert_eq!(Format::of_text(PROJECT), Format::Psplib);
    let problem = psplib::read(PROJECT).unwrap();
    let marked = psplib::read(&format!("\u{feff}{PROJECT}"));
    assert_eq!(marked.as_ref(), Ok(&problem), "with a byte order mark");
    let ids: Vec<_> = problem.activities.iter().map(|it| &*it.id).collect();
    assert_eq!(ids, ["1", "2", "3"]);
    assert_eq!(seconds(&problem), [[0], [8], [0]]);
    let demands = &problem.activities[1].modes[0].demands;
    assert_eq!((demands.len(), demands[0].amount), (1, Some(4)));
    let ends = problem.precedences.iter();
    let ends: Vec<_> = ends
        .map(|it| (&*it.from_activity_id, &*it.to_activity_id))
        .collect();
    assert_eq!(ends, [("1", "2"), ("2", "3")]);
    let capacities: Vec<_> = problem.resources.iter().map(|it| it.capacity).collect();
    assert_eq!(capacities, [Some(12), Some(13)]);
}

#[test]
fn further_modes_stand_below_the_first() {
    let line = "  2      1     8       4    0\n";
    let modes = PROJECT.replace(line, &format!("{line}         2    11       1    2\n"));
    let mistake = psplib::read(&modes).unwrap_err().to_string();
    let expected = "job 2 has 2 modes instead of 1 at line 5 column 4";
    assert_eq!(mistake, expected);
    let modes = modes.replace("2        1          1", "2        2          1");
    let problem = psplib::read(&modes).unwrap();
    assert_eq!(seconds(&problem), [vec![0], vec![8, 11], vec![0]]);
    assert_eq!(problem.activities[1].modes[1].demands.len(), 2);
}

#[test]
fn maximal_lags_are_negative_minimal_ones_in_the_other_direction() {
    let problem = psplib::read(LAGS).unwrap();
    assert_eq!(seconds(&problem), [[0], [2], [3], [5], [0]]);
    let back = &problem.precedences[4];
    assert_eq!((&*back.from_activity_id, &*back.to_activity_id), ("2", "1"));
    assert_eq!(micros(back.lower.as_ref()), -6_000_000);
    assert_eq!(back.from_point(), SchedulePoint::Start);
    assert_eq!(problem.resources[0].capacity, Some(2));
}

/// What is wrong, and in which line, where a part of a text is replaced.
fn mistake(text: &str, old: &str, new: &str) -> String {
    let wrong = text.replacen(old, new, 1);
    assert_ne!(wrong, text);
    let mistake = psplib::read(&wrong).expect_err(new).to_string();
    let place = mistake.split_once(" column ");
    place.map_or(mistake.clone(), |(place, _)| place.to_owned())
}

#[test]
fn mistakes_in_projects_have_their_line() {
    let wanted = "job, mode, duration and demands are expected";
    let mode = "  2      1     8       4    0\n         3    11       1    2\n";
    for (old, new, expected) in [
        (
            "1           3",
            "2           3",
            "there are 1 successors instead of 2 at line 5",
        ),
        (
            "           3\n",
            "           7\n",
            "there is no job 7 at line 5",
        ),
        // It looks like the second mode of job 1.
        (
            "2      1     8       4",
            "2      1     8",
            "there is no job 2 at line 4",
        ),
        (
            "3      1     0       0",
            "3      1     0",
            &format!("{wanted} at line 13"),
        ),
        (
            "3      1     0       0",
            "3      2     0       0",
            &format!("{wanted} at line 13"),
        ),
        (
            "  2      1     8       4    0\n",
            mode,
            &format!("{wanted} at line 13"),
        ),
        (
            "3      1     0 ",
            "2      1     0 ",
            "job 2 is there twice at line 13",
        ),
        (
            "R 1  R 2\n   12",
            "R 1  N 1\n   12",
            "nonrenewable resources are not supported at line 16",
        ),
        ("   12   13\n", "", "there are no RESOURCEAVAILABILITIES"),
        (
            "RESOURCEAVAILABILITIES:",
            "",
            "there is no `RESOURCEAVAILABILITIES:`",
        ),
    ] {
        assert_eq!(mistake(PROJECT, old, new), expected);
    }
    let empty = psplib::read("").unwrap_err().to_string();
    assert_eq!(empty, "there is no `RESOURCEAVAILABILITIES:`");
}

/// The mistake of the first word that is no whole number from 0 to a million, in a line.
fn beyond(changed: &str, line: usize) -> String {
    let is_wrong = |it: &&str| {
        !it.parse::<i64>()
            .is_ok_and(|it| (0..=1_000_000).contains(&it))
    };
    let got = changed
        .split_whitespace()
        .find(is_wrong)
        .expect("a change is wrong");
    format!("expected a whole number from 0 to 1000000, got `{got}` at line {line}")
}

#[test]
fn numbers_of_projects_have_their_range() {
    for (old, new, line) in [
        ("8       4", "8       x", 12),
        ("8       4", "8      -4", 12),
        ("8       4", "-8      4", 12),
        ("8       4", "1e1     4", 12),
        ("8       4", "1000001 4", 12),
        ("   2        1 ", "  -2        1 ", 5),
        ("   12   13", "  -12   13", 17),
    ] {
        assert_eq!(mistake(PROJECT, old, new), beyond(new, line));
    }
    for (old, new, line) in [
        ("3 1 0 0", "3 -1 0 0", 1),
        ("2 1 3 1", "2 1 -3 1", 9),
        ("\n2\n", "\n-2\n", 12),
    ] {
        assert_eq!(mistake(LAGS, old, new), beyond(new, line));
    }
    let expected = "expected a whole number from -1000000 to 1000000, got `-1000001` at line 4";
    assert_eq!(mistake(LAGS, "[-6]", "[-1000001]"), expected);
}

#[test]
fn mistakes_in_projects_with_lags_have_their_line() {
    let amounts = "job, one mode, duration and demands are expected";
    let others = "nonrenewable and doubly constrained resources are not supported at line 1";
    for (old, new, expected) in [
        (
            "3 1 0 0",
            "3",
            "the numbers of jobs and resources are expected at line 1",
        ),
        ("3 1 0 0", "3 1 1 0", others),
        ("3 1 0 0", "3 1 0 2", others),
        ("3 1 0 0", "4 1 0 0", "job 5 is expected at line 7"),
        ("3 1 0 0", "2 1 0 0", "there is no job 4 at line 4"),
        ("1 1 1 2 [4]", "1 1 1 9 [4]", "there is no job 9 at line 3"),
        (
            "1 1 1 2 [4]",
            "1 1 2 2 [4]",
            "2 successors and as many lags are expected at line 3",
        ),
        ("1 1 1 2 [4]", "2 1 1 2 [4]", "job 1 is expected at line 3"),
        ("1 1 1 2 [4]", "-1 1 1 2 [4]", "job 1 is expected at line 3"),
        ("2 1 3 1\n", "3 1 3 1\n", "job 2 is expected at line 9"),
        ("3 1 5 2\n", "3 1 5\n", &format!("{amounts} at line 10")),
        ("\n2\n", "\n2 2\n", "1 capacities are expected at line 12"),
        ("\n2\n", "\n", "the file ends too early at line 11"),
        (
            "\n2\n",
            "\n2\n\n2\n",
            "the capacities must be the last line at line 14",
        ),
    ] {
        assert_eq!(mistake(LAGS, old, new), expected);
    }
}

#[test]
fn projects_with_lags_are_known_by_their_content() {
    assert_eq!(Format::of_text(LAGS), Format::Psplib);
    assert_eq!(Format::of_text(&format!("\n  {LAGS}")), Format::Psplib);
    assert!(psplib::read(&format!("\n  {LAGS}\n")).is_ok());
    for (old, new) in [("3 1 0 0", "3 1 0"), ("3 1 0 0", "3 1 0 x"), ("[", "")] {
        assert_eq!(Format::of_text(&LAGS.replace(old, new)), Format::Yaml);
    }
}
