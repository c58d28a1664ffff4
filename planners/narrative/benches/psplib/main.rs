//! The resource part alone: PSPLIB's J30, proved optimal. `STRATAGEM_PSPLIB` names the folder, with
//! single-mode `.sm` files and their optima in `optima.json`; without it nothing is measured.
//! `STRATAGEM_PSPLIB_SECONDS` is the limit for each file, 10 by default. An argument selects files:
//! part of a name, or `=` and a whole name. Prints a table in Markdown; the columns of the planner
//! are those of the same project as a story. The same files with another solver: `psplib_cpsat.py`.

#![expect(clippy::unwrap_used, reason = "a bench: what is not there ends it")]
#![expect(
    clippy::disallowed_methods,
    reason = "a bench is told where the files are, and measures time"
)]

mod story;

use cp::rcpsp::{
    Activity, Checkpoint, Demand, Effort, Lag, Listener, Outcome, Point, Project, Schedule, broken,
    solve,
};
use std::time::{Duration, Instant};
use story::Told;

/// What takes less than this is repeated, for its processor time.
const AGAIN: Duration = Duration::from_millis(200);

struct Clock {
    end: Instant,
    first: Option<Duration>,
    begin: Instant,
}

impl Listener for Clock {
    fn go_on(&mut self, _: Checkpoint) -> bool {
        Instant::now() < self.end
    }

    fn improved(&mut self, _: &Schedule) {
        self.first = self.first.or(Some(self.begin.elapsed()));
    }
}

struct Row {
    name: String,
    wall: f64,
    processor: f64,
    first: f64,
    effort: Effort,
    outcome: Outcome,
    optimum: Option<i64>,
    told: Told,
}

fn main() {
    let Some(folder) = std::env::var_os("STRATAGEM_PSPLIB") else {
        println!("STRATAGEM_PSPLIB names no folder: nothing is measured");
        return;
    };
    let seconds = std::env::var("STRATAGEM_PSPLIB_SECONDS").ok();
    let seconds: u64 = seconds.map_or(10, |seconds| seconds.parse().unwrap());
    let only = std::env::args()
        .nth(1)
        .filter(|only| !only.starts_with("--"));
    let folder = std::path::PathBuf::from(folder);
    let optima = std::fs::read_to_string(folder.join("optima.json")).unwrap();
    let optima: serde_json::Value = serde_json::from_str(&optima).unwrap();
    let files = std::fs::read_dir(&folder).unwrap();
    let mut names: Vec<String> = files
        .filter_map(|file| file.unwrap().file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".sm").map(str::to_string))
        .filter(|name| {
            only.as_ref()
                .is_none_or(|only| *only == format!("={name}") || name.contains(only))
        })
        .collect();
    names.sort_by_key(|name| (name.len(), name.clone()));
    println!(
        "| file | makespan | bound | optimum | first | wall ms | CPU ms | first ms | conflicts | planner | planner ms | planner first ms |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    let rows: Vec<Row> = names
        .into_iter()
        .map(|name| {
            let text = std::fs::read_to_string(folder.join(format!("{name}.sm"))).unwrap();
            let row = measure(name, &text, &optima, Duration::from_secs(seconds));
            print_row(&row);
            row
        })
        .collect();
    print_totals(&rows);
}

fn measure(name: String, text: &str, optima: &serde_json::Value, limit: Duration) -> Row {
    let tasks = read(text);
    let optimum = optima[&name].as_i64();
    let (begin, used) = (Instant::now(), processor_ms());
    let mut clock = Clock {
        end: begin + limit,
        first: None,
        begin,
    };
    let (outcome, effort) = solve(&tasks, None, &mut clock);
    let wall = begin.elapsed();
    // The system counts a processor's time in steps of some milliseconds: what is quick is done
    // again and again.
    let mut times = 1_u32;
    while begin.elapsed() < AGAIN && times < 1_000 {
        clock.end = Instant::now() + limit;
        std::hint::black_box(solve(&tasks, None, &mut clock));
        times += 1;
    }
    let processor = (processor_ms() - used) / f64::from(times);
    if let Outcome::Optimal(schedule) | Outcome::Feasible(schedule, _) = &outcome {
        assert_eq!(broken(&tasks, schedule), None, "{name}");
    }
    let told = story::ask(&tasks, limit);
    Row {
        name,
        told,
        wall: wall.as_secs_f64() * 1e3,
        processor,
        first: clock.first.unwrap_or(wall).as_secs_f64() * 1e3,
        effort,
        outcome,
        optimum,
    }
}

/// Makespan, if there is a schedule, and bound.
fn known(outcome: &Outcome) -> (Option<i64>, i64) {
    match outcome {
        Outcome::Optimal(schedule) => (Some(schedule.makespan), schedule.makespan),
        Outcome::Feasible(schedule, bound) => (Some(schedule.makespan), *bound),
        Outcome::Infeasible => (None, i64::MAX),
        Outcome::Unknown(bound) => (None, *bound),
    }
}

fn print_row(row: &Row) {
    let Row {
        name,
        wall,
        processor,
        first,
        effort,
        ..
    } = row;
    let shown = |time: Option<i64>| time.map_or("-".into(), |time| time.to_string());
    let (makespan, bound) = known(&row.outcome);
    let (makespan, optimum) = (shown(makespan), shown(row.optimum));
    let (heuristic, conflicts) = (shown(effort.first), effort.conflicts);
    println!(
        "| {name} | {makespan} | {bound} | {optimum} | {heuristic} | {wall:.2} | {processor:.2} | {first:.2} | {conflicts} | {} | {:.2} | {:.2} |",
        shown(row.told.proved),
        row.told.wall_ms,
        row.told.first_ms
    );
}

fn print_totals(rows: &[Row]) {
    let proved = rows
        .iter()
        .filter(|row| matches!(row.outcome, Outcome::Optimal(_)));
    let wrong = rows.iter().filter(|row| {
        let differs = |makespan: i64| row.optimum.is_some_and(|optimum| optimum != makespan);
        let proved = matches!(&row.outcome, Outcome::Optimal(s) if differs(s.makespan));
        proved || row.told.proved.is_some_and(differs)
    });
    println!();
    println!(
        "{} of {} proved, {} by the planner, {} wrong",
        proved.count(),
        rows.len(),
        rows.iter().filter(|row| row.told.proved.is_some()).count(),
        wrong.count()
    );
    for (what, of) in [
        ("wall", (|row| row.wall) as fn(&Row) -> f64),
        ("CPU", |row| row.processor),
        ("first schedule", |row| row.first),
        ("planner", |row| row.told.wall_ms),
        ("planner's first plan", |row| row.told.first_ms),
    ] {
        let mut all: Vec<f64> = rows.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        let (sum, max) = (all.iter().sum::<f64>(), all.last().copied().unwrap_or(0.0));
        let median = all.get(all.len() / 2).copied().unwrap_or(0.0);
        println!("{what}: median {median:.2} ms, max {max:.2} ms, sum {sum:.1} ms");
    }
    let conflicts: u64 = rows.iter().map(|row| row.effort.conflicts).sum();
    println!("conflicts: {conflicts}");
}

/// Time that this process was on a processor, in milliseconds; where the system does not tell, 0.
fn processor_ms() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanos = stat
        .split_whitespace()
        .next()
        .and_then(|nanos| nanos.parse::<f64>().ok());
    nanos.unwrap_or(0.0) / 1e6
}

/// A project in PSPLIB's single-mode format.
fn read(text: &str) -> Project {
    let numbers = |line: &str| -> Vec<i64> {
        let words: Result<_, _> = line.split_whitespace().map(str::parse).collect();
        words.unwrap_or_default()
    };
    let part = |from: &str| -> Vec<Vec<i64>> {
        let lines = text
            .lines()
            .skip_while(|line| !line.starts_with(from))
            .skip(1);
        let lines = lines.skip_while(|line| numbers(line).is_empty());
        lines
            .map(numbers)
            .take_while(|numbers| !numbers.is_empty())
            .collect()
    };
    let index = |job: i64| usize::try_from(job - 1).unwrap();
    let mut tasks = Project::default();
    for line in part("REQUESTS/DURATIONS") {
        let demands = line[3..]
            .iter()
            .enumerate()
            .filter(|(_, amount)| **amount > 0);
        let demands = demands.map(|(resource, amount)| Demand {
            resource,
            amount: *amount,
            consumed: false,
        });
        tasks.activities.push(Activity {
            shortest: line[2],
            longest: line[2],
            demands: demands.collect(),
            ..Activity::default()
        });
        tasks.horizon += line[2];
    }
    for line in part("PRECEDENCE RELATIONS") {
        for next in &line[3..] {
            tasks.lags.push(Lag {
                from: Point::End(index(line[0])),
                to: Point::Start(index(*next)),
                least: 0,
            });
        }
    }
    tasks.capacities = part("RESOURCEAVAILABILITIES").remove(0);
    tasks
}
