//! Cases: the worlds of the thesis, or those of a folder.

use patrol::generate::{grid, line, museum, ring, staying, walking, world};
use patrol::problem::{Edge, Intruder};
use patrol::{Entry, Motion, Spec};
use serde_json::Value;
use std::path::Path;

/// Problem with a name.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) spec: Spec,
}

/// Capture probability that a plan has to reach, by the name of the case.
pub(crate) const BARS: &[(&str, f64)] = &[
    ("line21_tp09", 0.30143),
    ("line21_tp14", 0.43842),
    ("line21_tp19", 0.57539),
    ("line21_tp24", 0.71233),
    ("line21_tp29", 0.81239),
    ("perimeter15_n3_tp4", 1.0),
    ("perimeter15_n3_tp5x", 1.0),
    ("grid5x5_n1_stationary_tp25", 1.0),
    ("grid5x5_n1_stationary_tp50", 1.0),
    ("grid5x5_n2_dynamic_lazy_tp30", 0.9427),
    ("grid5x5_n2_dynamic_lazy_tp40", 0.9780),
    ("grid5x5_n2_dynamic_lazy_tp50", 0.9918),
    ("grid5x5_n2_dynamic_move_tp30", 0.9686),
    ("grid5x5_n2_dynamic_move_tp40", 0.9907),
    ("grid5x5_n2_dynamic_move_tp50", 0.9972),
    ("grid20x20_n2_dynamic_lazy_tp200", 0.534),
    ("corridor_lab_uniform_n3_tp8", 0.99),
    ("corridor_lab_weighted_n3_tp15", 1.0),
    ("psim_cumberland_n4", 0.556),
    ("psim_grid_n4", 0.745),
    ("psim_DIAG_labs_n3", 0.696),
    ("psim_broughton_n4", 0.279),
];

/// Cases of the thesis that need no file.
pub(crate) fn generated() -> Vec<Case> {
    let case = |name: String, spec: Spec| Case { name, spec };
    let mut all = Vec::new();
    for t_p in [9, 14, 19, 24, 29] {
        let spec = walking(line(21, 1), Motion::BorderStay, t_p);
        all.push(case(format!("line21_tp{t_p:02}"), spec));
    }
    all.push(case("perimeter15_n3_tp4".into(), staying(ring(15, 3), 4)));
    for t_p in [25, 50] {
        let name = format!("grid5x5_n1_stationary_tp{t_p}");
        all.push(case(name, staying(grid(5, 5, 1), t_p)));
    }
    for (name, motion) in [("lazy", Motion::Lazy), ("move", Motion::Moving)] {
        for t_p in [30, 40, 50] {
            let name = format!("grid5x5_n2_dynamic_{name}_tp{t_p}");
            all.push(case(name, walking(grid(5, 5, 2), motion, t_p)));
        }
    }
    all.push(case(
        "grid20x20_n2_dynamic_lazy_tp200".into(),
        walking(grid(20, 20, 2), Motion::Lazy, 200),
    ));
    all.extend(at_any_time());
    all
}

/// Dynamic intruders that enter at any time.
fn at_any_time() -> impl Iterator<Item = Case> {
    let mut museum = museum(6, 4, 3, 1).spec().clone();
    museum.intruder.instants = 12;
    let worlds = [
        ("line21_n2", line(21, 2), 12),
        ("ring15_n3", ring(15, 3), 3),
        ("grid5x5_n2", grid(5, 5, 2), 11),
        ("grid10x10_n4", grid(10, 10, 4), 16),
        ("grid20x20_n2", grid(20, 20, 2), 101),
        ("museum24_n3", museum, 12),
    ];
    let intruders = [
        ("lazy", Motion::Lazy, Entry::Steady),
        ("move", Motion::Moving, Entry::Steady),
        ("mission", Motion::Lazy, Entry::Mission(200)),
    ];
    worlds.into_iter().flat_map(move |(name, spec, instants)| {
        intruders.map(|(intruder, motion, entry)| {
            let mut spec = spec.clone();
            spec.intruder = Intruder {
                motion,
                instants,
                entry,
            };
            Case {
                name: format!("anytime_{name}_{intruder}"),
                spec,
            }
        })
    })
}

/// Every `.json` in a folder, by name.
pub(crate) fn of_folder(folder: &Path) -> Vec<Case> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).expect("the file can be read");
        let value: Value = serde_json::from_str(&text).expect("the file is JSON");
        let name = path.file_stem().expect("it has a name").to_string_lossy();
        Case {
            name: name.into_owned(),
            spec: spec(&value),
        }
    };
    paths.iter().map(read).collect()
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("a number")).expect("a small number")
}

fn short(value: &Value) -> u32 {
    u32::try_from(number(value)).expect("a small number")
}

/// `vertices`, `edges` as `[u, v]` or `[u, v, length]`, `robots`, `start`, `weights`, `intruder`.
fn spec(file: &Value) -> Spec {
    let vertices = number(&file["vertices"]);
    let mut spec = world(vertices, &[], number(&file["robots"]));
    let edge = |edge: &Value| Edge {
        ends: [number(&edge[0]), number(&edge[1])],
        length: edge.get(2).map_or(1, short),
    };
    let edges = file["edges"].as_array().expect("a list");
    spec.edges = edges.iter().map(edge).collect();
    for guard in &mut spec.guards {
        guard.start = number(&file["start"]);
    }
    if let Some(weights) = file["weights"].as_array() {
        let micro = |weight: &Value| (weight.as_f64().expect("a number") * 1e6).round() as u64;
        spec.weights_micro = weights.iter().map(micro).collect();
    }
    let intruder = &file["intruder"];
    let t_p = short(&intruder["t_p"]);
    match (intruder["walk"].as_str(), intruder["window"].as_str()) {
        (Some("lazy"), _) => walking(spec, Motion::Lazy, t_p),
        (Some("move"), _) => walking(spec, Motion::Moving, t_p),
        (Some(_), _) => walking(spec, Motion::BorderStay, t_p),
        (None, Some("exclusive")) => staying(spec, t_p - 1),
        (None, _) => staying(spec, t_p),
    }
}
