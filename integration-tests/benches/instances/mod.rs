//! Solomon's instances as problems of the planner.

use allocation::problem::{Agent, MICRO, Spec, Task, Window};
use allocation::travel::{Rounding, Travel};
use allocation::{Problem, problem::Micros};
use formats::{Options, solomon::read};
use std::path::Path;
use stratagem_proto::v1::{AllocationPlace, AllocationProblem, allocation_place::At};

/// An instance and what is known about it.
pub(crate) struct Instance {
    /// Its name, as in `RC101`.
    pub(crate) name: String,
    /// Vehicles of the best known plan.
    pub(crate) vehicles: usize,
    /// Distance of the best known plan, truncated to one decimal on every leg.
    pub(crate) best_known: f64,
    file: AllocationProblem,
}

/// Every instance of `best_known.csv` whose file is there, in the order of the table.
pub(crate) fn load(folder: &Path) -> Vec<Instance> {
    let text = |path: &Path| {
        std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    let table = text(&folder.join("best_known.csv"));
    let mut lines = table
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let column = |name: &str| header.iter().position(|h| *h == name).expect("the column");
    let columns = ["instance", "vehicles_exact", "distance_1dec_truncated"].map(column);
    lines
        .filter_map(|row| {
            let [name, vehicles, distance] = columns.map(|column| row[column]);
            let path = folder.join(format!("{name}.txt"));
            path.is_file().then(|| Instance {
                name: name.to_owned(),
                vehicles: vehicles.parse().expect("a number of vehicles"),
                best_known: distance.parse().expect("a distance"),
                file: read(&text(&path), &Options::default()).expect("Solomon's format"),
            })
        })
        .collect()
}

impl Instance {
    /// The problem with a number of vehicles.
    pub(crate) fn problem(&self, vehicles: usize) -> Problem {
        let file = &self.file;
        // Location 0 is the depot, where every vehicle starts and ends.
        let places =
            std::iter::once(&file.agents[0].start).chain(file.tasks.iter().map(|t| &t.place));
        let points: Vec<_> = places.map(|place| point(place.as_ref())).collect();
        let vehicle = Agent {
            start: 0,
            end: Some(0),
            shift_start_us: micros(file.agents[0].shift_start_offset),
            shift_end_us: micros(file.agents[0].shift_end_offset),
            capacities: file.agents[0].capacities.clone(),
            skills: 0,
            speed_micro: MICRO,
        };
        let task = |i: usize, task: &stratagem_proto::v1::AllocationTask| Task {
            location: i + 1,
            service_us: micros(task.service_duration),
            windows: vec![Window {
                open_us: micros(task.windows[0].open_offset),
                close_us: micros(task.windows[0].close_offset),
            }],
            demands: task.demands.clone(),
            skills: 0,
            drop_penalty_micro: None,
            lateness_max_us: None,
        };
        let spec = Spec {
            agents: vec![vehicle; vehicles],
            tasks: file
                .tasks
                .iter()
                .enumerate()
                .map(|(i, it)| task(i, it))
                .collect(),
            travel: Travel::euclidean(&points, Rounding::OneDecimalDown),
            objective: Vec::new(),
            previous: None,
            couplings: allocation::problem::Couplings::default(),
            now_us: 0,
        };
        Problem::new(spec).expect("Solomon's problems make sense")
    }
}

fn point(place: Option<&AllocationPlace>) -> (f64, f64) {
    match place.and_then(|place| place.at.as_ref()) {
        Some(At::Point(point)) => (point.x, point.y),
        other => panic!("Solomon's places are points: {other:?}"),
    }
}

fn micros(duration: Option<prost_types::Duration>) -> Micros {
    let duration = duration.expect("the reader sets all times");
    duration.seconds * MICRO + i64::from(duration.nanos) / 1_000
}
