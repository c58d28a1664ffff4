//! Networks with known verdicts, from a directory.

use super::measure::Question;
use serde_json::Value;
use std::path::Path;
use temporal::problem::{Link, Owner, Spec};
use temporal::{Network, Strategy, Verdict};

/// A network and what is known about it.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) name: String,
    pub(crate) network: Network,
    pub(crate) verdict: Verdict,
}

/// The networks of `stnit/answers.json`.
///
/// # Panics
/// When a file is not what it should be.
pub(crate) fn networks(directory: &Path) -> Vec<Known> {
    let answers = std::fs::read_to_string(directory.join("stnit/answers.json"));
    let answers = answers.expect("the directory has answers");
    let answers: Value = serde_json::from_str(&answers).expect("answers are JSON");
    let answers = answers.as_object().expect("answers are by name");
    let known = answers.iter().map(|(name, answer)| Known {
        name: name.clone(),
        network: read(&directory.join(format!("stnit/{name}.json"))),
        verdict: match answer["verdict"].as_str() {
            Some("sc") => Verdict::Holds,
            _ => Verdict::Fails,
        },
    });
    known.collect()
}

/// Prints the verdicts of two strategies beside the known ones.
///
/// # Panics
/// When they differ.
pub(crate) fn check(networks: &[Known]) {
    println!(
        "\n| network | strategy | verdict | known | us | iterations |\n|---|---|---|---|---|---|"
    );
    for known in networks {
        for strategy in [Strategy::Auto, Strategy::Search] {
            let run = Question::bare(strategy).ask(&known.network);
            let (us, iterations) = (run.time.as_micros(), run.iterations);
            let (name, verdict, right) = (&known.name, run.verdict(), known.verdict);
            println!("| {name} | {strategy:?} | {verdict:?} | {right:?} | {us} | {iterations} |");
            assert_eq!(verdict, right, "{name}");
        }
    }
}

fn read(path: &Path) -> Network {
    let text = std::fs::read_to_string(path).expect("a network is there");
    let json: Value = serde_json::from_str(&text).expect("it is JSON");
    let points = json["timepoints"]
        .as_array()
        .expect("timepoints are a list");
    let owner = |point: &Value| match point["agent"].as_str() {
        Some("C") => Owner::Controllable,
        _ => Owner::Uncontrollable,
    };
    let place = |id: &Value| points.iter().position(|point| point["id"] == *id);
    let node = |id: &Value| place(id).map_or(0, |at| at + 1);
    let links = json["constraints"]
        .as_array()
        .expect("constraints are a list");
    let links = links.iter().map(|link| Link {
        from: node(&link["from"]),
        to: node(&link["to"]),
        lower_us: link["lb"].as_i64(),
        upper_us: link["ub"].as_i64(),
    });
    Network::new(Spec {
        owners: points.iter().map(owner).collect(),
        links: links.collect(),
        contingent: Vec::new(),
        horizon_us: None,
        progress: None,
    })
    .expect("the networks make sense")
}
