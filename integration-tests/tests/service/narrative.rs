//! Narratives on the command line, and executed as they are planned.

mod lines;
mod rehearsing;
