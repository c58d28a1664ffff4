//! Narratives on the command line, and executed as they are planned.

mod groups;
mod lines;
mod rehearsing;
