//! Solomon's files.

use allocation::Problem;
use allocation::problem::{Agent, MICRO, Spec, Task, Window};
use allocation::travel::{Rounding, Travel};
use std::path::Path;

/// An instance, and the least distance known.
pub(crate) struct Instance {
    pub(crate) name: String,
    /// Vehicles of the best plan known.
    pub(crate) vehicles: usize,
    /// Its distance, arcs truncated to one decimal.
    pub(crate) distance: f64,
    capacity: i64,
    /// Depot first: x, y, demand, ready, due, service.
    nodes: Vec<[i64; 6]>,
}

impl Instance {
    /// The problem with `vehicles` agents.
    pub(crate) fn problem(&self, vehicles: usize) -> Problem {
        Problem::new(self.spec(vehicles)).expect("Solomon's problems are valid")
    }

    /// The same before it is checked, so that it can be changed.
    pub(crate) fn spec(&self, vehicles: usize) -> Spec {
        let points = self.nodes.iter().map(|n| (n[0] as f64, n[1] as f64));
        let points: Vec<_> = points.collect();
        let depot = self.nodes[0];
        let agent = Agent {
            start: 0,
            end: Some(0),
            shift_start_us: depot[3] * MICRO,
            shift_end_us: depot[4] * MICRO,
            capacities: vec![self.capacity],
            skills: 0,
            speed_micro: MICRO,
        };
        let task = |index: usize, node: &[i64; 6]| Task {
            location: index + 1,
            service_us: node[5] * MICRO,
            windows: vec![Window::new(node[3] * MICRO, node[4] * MICRO)],
            demands: vec![node[2]],
            skills: 0,
            drop_penalty_micro: None,
            lateness_max_us: None,
        };
        let tasks = self.nodes[1..].iter().enumerate();
        Spec {
            agents: vec![agent; vehicles],
            tasks: tasks.map(|(index, node)| task(index, node)).collect(),
            travel: Travel::euclidean(&points, Rounding::OneDecimalDown),
            objective: Vec::new(),
            previous: None,
            couplings: allocation::problem::Couplings::default(),
            now_us: 0,
        }
    }
}

/// The instances that `best_known.csv` lists and that are there, in its order.
pub(crate) fn load(folder: &Path) -> Vec<Instance> {
    let table = std::fs::read_to_string(folder.join("best_known.csv"));
    let table = table.expect("the folder has a best_known.csv");
    let mut lines = table.lines();
    let names: Vec<_> = lines.next().expect("a header").split(',').collect();
    let column = |name: &str| names.iter().position(|n| *n == name).expect("the columns");
    let [name, vehicles, distance] =
        ["instance", "vehicles_exact", "distance_1dec_truncated"].map(column);
    let rows = lines.map(|line| line.split(',').collect::<Vec<_>>());
    rows.filter_map(|row| {
        let text = std::fs::read_to_string(folder.join(format!("{}.txt", row[name]))).ok()?;
        let (capacity, nodes) = read(&text);
        Some(Instance {
            name: row[name].to_owned(),
            vehicles: row[vehicles].parse().expect("a number of vehicles"),
            distance: row[distance].parse().expect("a distance"),
            capacity,
            nodes,
        })
    })
    .collect()
}

/// Capacity and nodes. Lines of seven numbers are nodes, the line of two is number and capacity.
fn read(text: &str) -> (i64, Vec<[i64; 6]>) {
    let (mut capacity, mut nodes) = (0, Vec::new());
    for line in text.lines() {
        let numbers: Result<Vec<i64>, _> = line.split_whitespace().map(str::parse).collect();
        match numbers.as_deref() {
            Ok(&[_, x, y, demand, ready, due, service]) => {
                nodes.push([x, y, demand, ready, due, service]);
            }
            Ok(&[_, given]) => capacity = given,
            _ => {}
        }
    }
    (capacity, nodes)
}
