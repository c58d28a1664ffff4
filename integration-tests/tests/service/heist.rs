//! Heists on the command line.

mod hints;
