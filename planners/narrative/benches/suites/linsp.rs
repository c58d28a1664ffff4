//! Narratives in the format linsp/1: JSON with vertices, edges, activities, resources and choices.

use narrative::Narrative;
use narrative::problem::{
    Activity, Choice, Chooser, Contingent, Demand, Link, Micros, Node, Resource, Spec,
};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A unit of time of the format.
const UNIT_US: f64 = 1_000_000.0;

/// A file, and what is known about it.
pub(crate) struct Given {
    /// The name of the file, without folder and ending.
    pub(crate) name: String,
    /// What it says.
    pub(crate) narrative: Narrative,
    /// `feasible`, `infeasible`, or nothing.
    pub(crate) status: Option<String>,
}

/// All narratives of a folder, by name.
pub(crate) fn folder(folder: &Path) -> Vec<Given> {
    let answers = std::fs::read_to_string(folder.join("answers.json"));
    let answers: Value = answers.map_or(Value::Null, |text| {
        serde_json::from_str(&text).expect("answers are JSON")
    });
    let files = std::fs::read_dir(folder).expect("the folder can be read");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("readable").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    let given = files.iter().filter_map(|file| {
        let name = file.file_stem()?.to_string_lossy().into_owned();
        let text = std::fs::read_to_string(file).expect("the file can be read");
        let value: Value = serde_json::from_str(&text).expect("the file is JSON");
        (value["format"] == "linsp/1").then(|| {
            let narrative = Narrative::new(spec(&value)).expect("the narrative makes sense");
            let status = answers[&name]["status"].as_str();
            let status = status
                .filter(|status| *status != "unknown")
                .map(str::to_owned);
            Given {
                name,
                narrative,
                status,
            }
        })
    });
    given.collect()
}

fn spec(value: &Value) -> Spec {
    let nodes = nodes(value);
    let node = |name: &Value| -> Node {
        let place = nodes.iter().position(|known| *known == name);
        place.expect("the vertex is known")
    };
    let resources = value["resources"].as_object().expect("resources by name");
    let names: Vec<&String> = resources.keys().collect();
    let mut spec = Spec {
        events: nodes.len() - 1,
        resources: resources
            .values()
            .map(|amount| Resource {
                capacity: number(amount),
            })
            .collect(),
        ..Spec::default()
    };
    for edge in list(&value["edges"]) {
        let (from, to) = (node(&edge["from"]), node(&edge["to"]));
        let (lower_us, upper_us) = (time(&edge["lb"]), time(&edge["ub"]));
        if edge["kind"] == "ctg" {
            let lower_us = lower_us.expect("contingent edges have both bounds");
            let upper_us = upper_us.expect("contingent edges have both bounds");
            spec.contingent
                .push(Contingent::new(from, to, lower_us, upper_us));
        } else {
            spec.links.push(Link::new(from, to, lower_us, upper_us));
        }
    }
    let activities = list(&value["activities"]);
    spec.activities = activities
        .map(|given| activity(given, &names, &node))
        .collect();
    spec.choices = list(&value["choices"])
        .map(|given| choice(given, &node))
        .collect();
    spec
}

/// The names of nodes: the origin is node 0, the others keep their order.
pub(crate) fn nodes(value: &Value) -> Vec<&Value> {
    let origin = &value["origin"];
    let others = list(&value["vertices"]).filter(|vertex| *vertex != origin);
    std::iter::once(origin).chain(others).collect()
}

fn activity(value: &Value, names: &[&String], node: &dyn Fn(&Value) -> Node) -> Activity {
    let demands = value["demand"].as_object().expect("demands by name");
    let demands = demands.iter().map(|(name, amount)| Demand {
        resource: names
            .iter()
            .position(|known| *known == name)
            .expect("a resource"),
        amount: number(amount),
        consumed: false,
    });
    Activity {
        start: node(&value["start"]),
        end: node(&value["end"]),
        demands: demands.collect(),
    }
}

fn choice(value: &Value, node: &dyn Fn(&Value) -> Node) -> Choice {
    let chooser = if value["owner"] == "player" {
        Chooser::Player
    } else {
        Chooser::System
    };
    let nodes = |option: &Value| list(&option["vertices"]).map(node).collect();
    let options = list(&value["options"]).map(nodes).collect();
    Choice { chooser, options }
}

/// The entries of a list; none where there is no list.
pub(crate) fn list(value: &Value) -> std::slice::Iter<'_, Value> {
    value.as_array().map_or(&[][..], Vec::as_slice).iter()
}

fn number(value: &Value) -> u32 {
    let number = value.as_u64().expect("a whole number");
    u32::try_from(number).expect("a small number")
}

/// A time, if it is one.
pub(crate) fn time(value: &Value) -> Option<Micros> {
    value
        .as_f64()
        .map(|units| (units * UNIT_US).round() as Micros)
}
