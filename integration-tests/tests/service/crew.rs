//! Crews on the command line.

mod lines;
