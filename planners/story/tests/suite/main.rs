//! What domains, stories, bounds and the search do, each claim in a module.

mod attack;
mod bound;
mod branch;
mod diverse;
mod domain;
mod language;
mod mistakes;
mod oracle;
mod random;
mod reader;
mod searched;
mod solve;
mod text;

use story::spec::Slider;
use story::{Problem, Spec};

/// The story of a quarrel, which many tests change.
fn quarrel() -> Spec {
    reader::read(include_str!("quarrel.json"))
}

/// The same with sliders of actions.
fn quarrel_with(sliders: &[(&str, f64)]) -> Problem {
    let sliders = sliders.iter().map(|(action, factor)| Slider {
        action: (*action).to_owned(),
        factor: *factor,
    });
    let mut spec = quarrel();
    spec.sliders = sliders.collect();
    Problem::new(&spec).expect("the story stays valid")
}
