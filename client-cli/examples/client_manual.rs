//! Man pages of `stratagem` and each of its commands, and completions, for packages: `client_manual
//! FOLDER`.
//!
//! An example, so that the program contains nothing of it.

use clap::CommandFactory as _;
use clap_complete::Shell;
use std::fs::{self, OpenOptions};
use std::io::{Error, ErrorKind, Write as _};
use std::path::PathBuf;
use stratagem_cli::args::Cli;

/// `man stratagem-server` finds this page, of the command `stratagem server`, before that of the
/// server.
const NAMESAKE: &str = "stratagem-server.1";
const SEE_ALSO: &str =
    ".SH \"SEE ALSO\"\n\\fBstratagem\\-server\\fR(8), the program of the server\n";

fn main() -> Result<(), Error> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or_else(|| Error::new(ErrorKind::InvalidInput, "name a folder"))?;
    fs::create_dir_all(&folder)?;
    clap_mangen::generate_to(Cli::command(), &folder)?;
    let mut namesake = OpenOptions::new()
        .append(true)
        .open(folder.join(NAMESAKE))?;
    namesake.write_all(SEE_ALSO.as_bytes())?;
    for shell in [Shell::Bash, Shell::Fish, Shell::Zsh] {
        clap_complete::generate_to(shell, &mut Cli::command(), "stratagem", &folder)?;
    }
    Ok(())
}
