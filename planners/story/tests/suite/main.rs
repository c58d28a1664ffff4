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

use story::Spec;

/// The story of a quarrel, which many tests change.
fn quarrel() -> Spec {
    reader::read(include_str!("quarrel.json"))
}
