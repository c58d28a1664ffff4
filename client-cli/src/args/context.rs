//! `context`: servers by name.

use clap::{Args, Subcommand};

/// Servers by name.
#[derive(Debug, Subcommand)]
pub enum ContextCommand {
    /// Save a server under a name, with the options of its connection.
    ///
    /// Saves the options --address, --tls, --ca, --cert, --key, --domain, --token and --token-file
    /// of the command line; variables of the environment are ignored.
    #[command(after_long_help = "\
Examples:
  stratagem context add local --address http://127.0.0.1:50051
  stratagem context add prod --address https://plans.example.org --ca ca.pem --token-file token --use
  cat token | stratagem context add prod --address https://plans.example.org --token-stdin --replace")]
    Add(AddContextArgs),
    /// Choose the default server of all commands.
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
    /// Show the saved options of a server, without its secrets.
    #[command(after_long_help = "\
Examples:
  stratagem context show
  stratagem context show prod -o yaml")]
    Show {
        /// Its name. Default: the context in use.
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
    /// Read the token from stdin, and save it.
    #[arg(long, conflicts_with_all = ["token", "token_file"])]
    pub token_stdin: bool,
    /// Replace a context with this name.
    #[arg(long)]
    pub replace: bool,
    /// Choose it, as `context use` does.
    #[arg(long = "use")]
    pub chosen: bool,
}

/// What `context use` takes.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct UseContextArgs {
    /// Its name.
    pub name: Option<String>,
    /// Choose none: the default is http://127.0.0.1:50051 again.
    #[arg(long)]
    pub none: bool,
}
