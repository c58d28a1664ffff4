//! What operators do with a file of jobs that no server has.

use super::local::{Contents, files};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Look after files of jobs, without a server.
#[derive(Debug, Clone, PartialEq, Eq, clap::Subcommand)]
pub enum JobsTool {
    /// Write a consistent copy of a file that no server has open. A server that runs writes its
    /// own: see `--jobs-backup`.
    Backup {
        /// File of jobs.
        file: PathBuf,
        /// Where the copy goes; what is there is replaced.
        to: PathBuf,
    },
    /// Repair a file if a crash left it unfinished, check all of it, and count what is in it. Exit
    /// code 1 where records cannot be decoded.
    Check {
        /// File of jobs, or a copy of one.
        file: PathBuf,
    },
    /// Make a file of jobs from a copy, after a check. Jobs that were searched when the copy was
    /// made wait again.
    Restore {
        /// The copy.
        from: PathBuf,
        /// File of jobs; it must not be there.
        to: PathBuf,
    },
}

/// What a tool reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobsReport {
    /// For people.
    pub text: String,
    /// Whether all is well.
    pub is_sound: bool,
}

impl JobsTool {
    /// Does it.
    ///
    /// # Errors
    /// What cannot be opened, as while a server has it, read or written, in one sentence.
    pub fn run(&self) -> Result<JobsReport, String> {
        match self {
            Self::Backup { file, to } => {
                let contents = files::backup(file, to)?;
                Ok(report(format!("{} written", to.display()), &contents))
            }
            Self::Check { file } => {
                let contents = files::check(file)?;
                let state = if contents.corrupt.is_empty() {
                    "sound"
                } else {
                    "damaged"
                };
                Ok(report(format!("{} is {state}", file.display()), &contents))
            }
            Self::Restore { from, to } => {
                let contents = files::restore(from, to)?;
                Ok(report(format!("{} written", to.display()), &contents))
            }
        }
    }
}

fn report(mut text: String, contents: &Contents) -> JobsReport {
    let Contents {
        format,
        tally,
        corrupt,
        quarantined,
    } = contents;
    let states = tally.by_state();
    let states = states.iter().filter(|(_, count)| **count > 0);
    let states: Vec<String> = states
        .map(|(state, count)| format!("{state} {count}"))
        .collect();
    // Writing to a string fails never.
    let _ = write!(
        text,
        "\nformat       {format}\njobs         {}",
        tally.total()
    );
    if !states.is_empty() {
        let _ = write!(text, " ({})", states.join(", "));
    }
    let _ = write!(text, "\nquarantined  {quarantined} records");
    for id in corrupt {
        let _ = write!(text, "\ncorrupt      {id}");
    }
    JobsReport {
        text,
        is_sound: corrupt.is_empty(),
    }
}
