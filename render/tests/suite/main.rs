//! What pictures, pages and texts show, each kind of problem in a module.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod any_network;
mod crew;
mod golden;
mod heist;
mod narrative;
mod pages;
mod patrol;
mod puzzle;
mod schedule;
mod story;
mod svg;
mod temporal;
mod timeline;

use stratagem_render::text::TextOptions;
use stratagem_render::time::from_micros;

/// What begins a command to a terminal, as one that moves the cursor.
const ESCAPE: char = '\u{1b}';

const NARROW: TextOptions = TextOptions {
    width: 76,
    ascii: false,
    colour: false,
};

fn seconds(s: i64) -> Option<prost_types::Duration> {
    Some(from_micros(s * 1_000_000))
}
