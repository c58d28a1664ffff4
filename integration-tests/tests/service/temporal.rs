//! Temporal networks on the command line.

mod words;
