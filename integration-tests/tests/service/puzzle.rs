//! Puzzles on the command line.

mod lines;
mod terminal;
