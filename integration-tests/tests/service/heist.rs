//! Heists on the command line.

mod playing;
