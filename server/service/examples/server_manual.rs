//! Man page and completions of `stratagem-server`, for packages: `server_manual FOLDER`.
//!
//! An example, so that the program contains nothing of it. The page is in section 8: in section 1
//! its name is that of the command `stratagem server`.

use clap_complete::Shell;
use clap_mangen::Man;
use std::io::{Error, ErrorKind};
use std::path::PathBuf;
use std::{env, fs};
use stratagem_server::config;

fn main() -> Result<(), Error> {
    let folder = env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or_else(|| Error::new(ErrorKind::InvalidInput, "name a folder"))?;
    fs::create_dir_all(&folder)?;
    Man::new(config::command())
        .section("8")
        .generate_to(&folder)?;
    for shell in [Shell::Bash, Shell::Fish, Shell::Zsh] {
        clap_complete::generate_to(shell, &mut config::command(), "stratagem-server", &folder)?;
    }
    Ok(())
}
