//! The instances of papers on patrols, in JSON with bare numbers.

mod write;

pub use write::write;

use super::super::json::document;
use super::super::{Mistake, Options, note};
use super::pace::{TICK_US, pace, parse_tick};
use super::{edge, guards, ticks};
use serde::Deserialize;
use stratagem_proto::v1::{PatrolIntruder, PatrolMotion, PatrolPoint, PatrolProblem, PatrolVertex};

/// Most vertices and guards: those of the contract, so that a wrong number takes no memory.
const VERTICES_MAX: usize = 2_000;
const ROBOTS_MAX: usize = 16;
/// Longest time, in ticks: that of the contract.
const TICKS_MAX: i64 = 10_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    name: String,
    /// Where it is from.
    #[serde(default)]
    source: String,
    /// How long a tick is, in seconds.
    tick: Option<f64>,
    vertices: usize,
    edges: Vec<Vec<i64>>,
    robots: usize,
    start: Start,
    weights: Option<Vec<f64>>,
    may_stay: Option<bool>,
    coords: Option<Vec<[f64; 2]>>,
    intruder: Intruder,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Start {
    One(i64),
    Each(Vec<i64>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Intruder {
    model: Model,
    t_p: i64,
    walk: Option<Walk>,
    window: Option<Window>,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Model {
    Stationary,
    Dynamic,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Walk {
    Lazy,
    Move,
    BorderStay,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Window {
    Inclusive,
    Exclusive,
}

/// Reads an instance: `name`, `vertices` (how many), `edges` (`[from, to]` or `[from, to, length]`,
/// by number from 0), `robots` (how many), `start` (a vertex for all, or a list with one for each),
/// `weights` and `coords` (lists, one for each vertex), `may_stay`, `source`, and `intruder`:
/// `model` (`stationary` or `dynamic`), `t_p` (ticks of an attack), `walk` of a dynamic one
/// (`lazy`, `move` or `border_stay`), `window` of a stationary one (`inclusive` or `exclusive`);
/// and `tick`, of ours alone: seconds that a tick takes, 1 by default. The tick
/// of the options goes first. Vertices are called by their numbers.
///
/// # Errors
/// All mistakes, by their fields.
pub fn read(text: &str, options: &Options) -> Result<PatrolProblem, Vec<Mistake>> {
    // Twice, for keys that are there twice.
    super::super::json::tree(text).map_err(|m| vec![m])?;
    let given: Document = document(text).map_err(|m| vec![m])?;
    let mut mistakes = Vec::new();
    check(&given, &mut mistakes);
    intruder_mistakes(&given.intruder, &mut mistakes);
    let own_us = match given.tick {
        None => Ok(TICK_US),
        // As it is written: to whole microseconds without a fraction on the way.
        Some(seconds) => parse_tick(&seconds.to_string()),
    };
    if let Err(message) = &own_us {
        mistakes.push(Mistake::in_element("tick", message.clone()));
    }
    match (mistakes.is_empty(), own_us) {
        (true, Ok(own_us)) => {
            let mut problem = problem(given);
            pace(&mut problem, options.tick_us.unwrap_or(own_us));
            Ok(problem)
        }
        _ => Err(mistakes),
    }
}

fn check(given: &Document, mistakes: &mut Vec<Mistake>) {
    let mut add =
        |path: String, message: String| note(mistakes, Mistake::in_element(path, message));
    let vertices = given.vertices;
    if !(1..=VERTICES_MAX).contains(&vertices) {
        let message = format!("{vertices} vertices given, 1 to {VERTICES_MAX} are supported");
        return add("vertices".into(), message);
    }
    let unknown = |v: i64| usize::try_from(v).map_or(true, |v| v >= vertices);
    let last = vertices - 1;
    for (n, edge) in given.edges.iter().enumerate() {
        let path = format!("edges[{n}]");
        if !(2..=3).contains(&edge.len()) {
            add(path, "two vertices are wanted, and maybe a length".into());
            continue;
        }
        for (end, vertex) in edge[..2].iter().enumerate() {
            if unknown(*vertex) {
                let message = format!("there is no vertex {vertex}: they are 0 to {last}");
                add(format!("{path}[{end}]"), message);
            }
        }
        if let Some(length) = edge.get(2)
            && !(1..=TICKS_MAX).contains(length)
        {
            let message = format!("a length of {length} is not within 1 to {TICKS_MAX}");
            add(format!("{path}[2]"), message);
        }
    }
    let robots = given.robots;
    if !(1..=ROBOTS_MAX).contains(&robots) {
        let message = format!("{robots} robots given, 1 to {ROBOTS_MAX} are supported");
        add("robots".into(), message);
    }
    let lists = [
        ("weights", given.weights.as_ref().map(Vec::len)),
        ("coords", given.coords.as_ref().map(Vec::len)),
    ];
    for (name, length) in lists {
        if let Some(length) = length
            && length != vertices
        {
            let message = format!("{length} given for {vertices} vertices");
            add(name.into(), message);
        }
    }
    start_mistakes(given, mistakes);
}

fn start_mistakes(given: &Document, mistakes: &mut Vec<Mistake>) {
    let (robots, vertices) = (given.robots, given.vertices);
    let mut add =
        |path: String, message: String| note(mistakes, Mistake::in_element(path, message));
    let starts = match &given.start {
        Start::One(start) => vec![("start".to_owned(), *start)],
        Start::Each(starts) => {
            if starts.len() != robots {
                let message = format!("{} starts for {robots} robots", starts.len());
                add("start".into(), message);
            }
            let each = starts.iter().enumerate();
            each.map(|(n, start)| (format!("start[{n}]"), *start))
                .collect()
        }
    };
    for (path, start) in starts {
        if usize::try_from(start).map_or(true, |v| v >= vertices) {
            let last = vertices - 1;
            let message = format!("there is no vertex {start}: they are 0 to {last}");
            add(path, message);
        }
    }
}

fn intruder_mistakes(given: &Intruder, mistakes: &mut Vec<Mistake>) {
    let mut add = |name: &str, message: String| {
        mistakes.push(Mistake::in_element(format!("intruder.{name}"), message));
    };
    if !(0..=TICKS_MAX).contains(&given.t_p) {
        let message = format!("{} is not within 0 to {TICKS_MAX}", given.t_p);
        add("t_p", message);
    }
    match given.model {
        Model::Dynamic if given.walk.is_none() => {
            add("walk", "lazy, move or border_stay is wanted".into());
        }
        Model::Stationary if given.walk.is_some() => {
            add("walk", "a stationary intruder does not walk".into());
        }
        _ => {}
    }
}

fn problem(given: Document) -> PatrolProblem {
    let vertex = |n: usize| PatrolVertex {
        id: n.to_string(),
        weight: given.weights.as_ref().map(|w| w[n]),
        point: given.coords.as_ref().map(|c| PatrolPoint {
            x: c[n][0],
            y: c[n][1],
        }),
        ..PatrolVertex::default()
    };
    let vertices = (0..given.vertices).map(vertex).collect();
    let starts = match given.start {
        Start::One(start) => vec![start; given.robots],
        Start::Each(starts) => starts,
    };
    let edges = given.edges.iter().map(|e| {
        let length = e.get(2).copied().unwrap_or(1);
        edge(e[0].to_string(), e[1].to_string(), length)
    });
    let motion = match given.intruder.walk {
        None => PatrolMotion::Stationary,
        Some(Walk::Lazy) => PatrolMotion::Lazy,
        Some(Walk::Move) => PatrolMotion::Moving,
        Some(Walk::BorderStay) => PatrolMotion::BorderStay,
    };
    PatrolProblem {
        title: given.name,
        description: given.source,
        vertices,
        edges: edges.collect(),
        guards: guards(starts.iter().map(i64::to_string).collect()),
        intruder: Some(PatrolIntruder {
            motion: motion.into(),
            penetration_duration: Some(ticks(given.intruder.t_p)),
            exclusive: given.intruder.window == Some(Window::Exclusive),
            ..PatrolIntruder::default()
        }),
        allow_staying: given.may_stay,
        ..PatrolProblem::default()
    }
}
