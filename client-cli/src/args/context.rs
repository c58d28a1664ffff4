//! `context`: servers by name.

use clap::{Args, Subcommand};

/// Servers by name.
#[derive(Debug, Subcommand)]
pub enum ContextCommand {
    /// Keep a server under a name, with the options that lead to it.
    ///
    /// What is kept are the options of the command line, and not the environment: --address, --tls,
    /// --ca, --cert, --key, --domain, --token and --token-file.
    #[command(after_long_help = "\
Examples:
  stratagem context add local --address http://127.0.0.1:50051
  stratagem context add prod --address https://plans.example.org --ca ca.pem --token-file token --use
  cat token | stratagem context add prod --address https://plans.example.org --token-stdin --replace")]
    Add(AddContextArgs),
    /// Choose the server of all commands that name no other.
    #[command(after_long_help = "\
Examples:
  stratagem context use prod
  stratagem context use --none")]
    Use(UseContextArgs),
    /// List the servers by name.
    #[command(visible_alias = "ls")]
    #[command(after_long_help = "\
Examples:
  stratagem context list
  stratagem context list -o json")]
    List,
    /// Show all that is kept about a server but its secrets.
    #[command(after_long_help = "\
Examples:
  stratagem context show
  stratagem context show prod -o yaml")]
    Show {
        /// Its name. Default: the one that commands use now.
        name: Option<String>,
    },
    /// Forget a server. Files that it names are left alone.
    #[command(visible_alias = "rm")]
    #[command(after_long_help = "\
Examples:
  stratagem context remove prod")]
    Remove {
        /// Its name.
        name: String,
    },
}

/// What `context add` takes.
#[derive(Debug, Args)]
pub struct AddContextArgs {
    /// Its name: 1 to 63 letters, digits, -, _ and . of ASCII.
    pub name: String,
    /// Read the token from stdin, and keep it.
    #[arg(long, conflicts_with_all = ["token", "token_file"])]
    pub token_stdin: bool,
    /// Put it in the place of one with this name.
    #[arg(long)]
    pub replace: bool,
    /// Use it from now on.
    #[arg(long = "use")]
    pub chosen: bool,
}

/// What `context use` takes.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct UseContextArgs {
    /// Its name.
    pub name: Option<String>,
    /// None of them: http://127.0.0.1:50051 again.
    #[arg(long)]
    pub none: bool,
}
