//! Flags over environment over file over defaults.
//!
//! Each layer becomes a TOML table with only the keys that it sets; tables are laid over each other
//! and the sum is read back as a [`Config`].

use super::described::described;
use super::{Config, injected};
use crate::jobs::tool::JobsTool;
use clap::parser::ValueSource;
use clap::{CommandFactory as _, FromArgMatches as _, Parser};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use toml::Table;

/// What each variable's name begins with.
pub(super) const PREFIX: &str = "STRATAGEM_";
/// Variables with the prefix that are not the server's but the client's.
const NOT_OURS: [&str; 9] = [
    "STRATAGEM_ADDRESS",
    "STRATAGEM_CA",
    "STRATAGEM_CERT",
    "STRATAGEM_CONTEXT",
    "STRATAGEM_DOMAIN",
    "STRATAGEM_KEY",
    "STRATAGEM_TLS",
    "STRATAGEM_TOKEN",
    "STRATAGEM_TOKEN_FILE",
];

/// OpenTelemetry's variables for settings of ours. Our own variables take precedence over them, and
/// a later one over an earlier one for the same setting.
const STANDARD: [(&str, &str); 3] = [
    ("OTEL_SERVICE_NAME", "service_name"),
    ("OTEL_EXPORTER_OTLP_ENDPOINT", "otlp_endpoint"),
    ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "otlp_endpoint"),
];

/// The planning service.
#[derive(Debug, Parser)]
#[command(
    name = "stratagem-server",
    version,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    after_help = "Every setting is also an environment variable (--queue-max is \
        STRATAGEM_QUEUE_MAX) and a key of the configuration file (queue_max = 64). Flags go \
        before variables, variables before the file, the file before the defaults."
)]
struct Flags {
    #[command(flatten)]
    config: Config,
    /// TOML file with settings.
    #[arg(id = "config", long = "config", value_name = "FILE")]
    file: Option<PathBuf>,
    /// Only check the settings: exit code 0 when they are good, 2 when not.
    #[arg(long)]
    check_config: bool,
    /// Print the settings as TOML, all layers together, and exit.
    #[arg(long)]
    print_config: bool,
    #[command(subcommand)]
    tool: Option<Tool>,
}

/// What the program does instead of serving.
#[derive(Debug, clap::Subcommand)]
enum Tool {
    /// Back up, check or restore a file of jobs.
    #[command(subcommand)]
    Jobs(JobsTool),
}

/// What the command line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Serve with these settings.
    Serve(Box<Config>),
    /// Only check settings: these are good.
    Check,
    /// Print these settings.
    Print(Box<Config>),
    /// Look after a file of jobs.
    Jobs(JobsTool),
}

/// Why there are no settings.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The flags are wrong, or ask for help or the version: print it and exit with its code.
    #[error(transparent)]
    Flags(#[from] clap::Error),
    /// A variable has a bad value.
    #[error("environment variable {name}: {why}")]
    Variable {
        /// Its name.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// A variable that begins like ours but is none.
    #[error("unknown environment variable {name}; known are {known}")]
    UnknownVariable {
        /// Its name.
        name: String,
        /// The names of all, in order.
        known: String,
    },
    /// The file cannot be read.
    #[error("configuration file {}: {why}", path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Invalid settings.
    #[error("{}", .0.join("; "))]
    Settings(Vec<String>),
}

/// Settings from `flags` (program name first), `variables` (those of other programs are passed
/// over, and so are [those that Kubernetes injects](injected)) and the file that one of them names.
///
/// # Errors
/// Unknown flags, variables or keys; values that cannot be read; invalid settings
/// ([`Config::check`]).
pub fn load(
    flags: impl IntoIterator<Item = OsString>,
    variables: impl IntoIterator<Item = (OsString, OsString)>,
) -> Result<Action, ConfigError> {
    let (flags, from_flags) = given(flags)?;
    if let Some(Tool::Jobs(tool)) = flags.tool {
        return Ok(Action::Jobs(tool));
    }
    let (file, from_variables) = environment(variables)?;
    let mut sum = match flags.file.or(file) {
        Some(path) => read(&path)?,
        None => Table::new(),
    };
    sum.extend(from_variables);
    sum.extend(from_flags);
    // Keys are known and each value was read before, so that only the file's can still be wrong:
    // see `read`.
    let config: Config = sum
        .try_into()
        .map_err(|error: toml::de::Error| ConfigError::Settings(vec![error.message().into()]))?;
    let wrong = config.check();
    if !wrong.is_empty() {
        return Err(ConfigError::Settings(wrong));
    }
    Ok(match (flags.check_config, flags.print_config) {
        (true, _) => Action::Check,
        (false, true) => Action::Print(Box::new(config)),
        (false, false) => Action::Serve(Box::new(config)),
    })
}

/// The command line, for what documents it.
#[must_use]
pub fn command() -> clap::Command {
    described(Flags::command())
}

/// The flags, and a table of the settings that they name.
fn given(flags: impl IntoIterator<Item = OsString>) -> Result<(Flags, Table), clap::Error> {
    let matches = command().try_get_matches_from(flags)?;
    let flags = Flags::from_arg_matches(&matches)?;
    let mut table = Table::try_from(&flags.config).expect("settings are plain values");
    table.retain(|key, _| matches.value_source(key) == Some(ValueSource::CommandLine));
    Ok((flags, table))
}

/// The file that the environment names, and a table of the settings in it.
fn environment(
    variables: impl IntoIterator<Item = (OsString, OsString)>,
) -> Result<(Option<PathBuf>, Table), ConfigError> {
    let variables: Vec<(String, OsString)> = variables
        .into_iter()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
        .collect();
    let mut table = standard(&variables)?;
    let is_ours = |name: &str| name.starts_with(PREFIX) && !NOT_OURS.contains(&name);
    let ours = variables.into_iter().filter(|(name, _)| is_ours(name));
    let mut ours: Vec<_> = ours.collect();
    ours.sort();
    let mut file = None;
    for (name, value) in ours {
        let key = name[PREFIX.len()..].to_ascii_lowercase();
        if key == "config" {
            file = Some(PathBuf::from(value));
            continue;
        }
        if injected::is_injected(&key, &value) {
            continue;
        }
        if !keys().contains(&key) {
            let known: Vec<String> = keys().iter().map(|key| variable(key)).collect();
            let known = known.join(", ");
            return Err(ConfigError::UnknownVariable { name, known });
        }
        table.extend(setting_of(name, &key, &value)?);
    }
    Ok((file, table))
}

/// A table of the settings that OpenTelemetry's own variables name.
fn standard(variables: &[(String, OsString)]) -> Result<Table, ConfigError> {
    let mut table = Table::new();
    for (name, key) in STANDARD {
        // An empty one is none, says its specification.
        let given = variables
            .iter()
            .find(|(it, value)| it == name && !value.is_empty());
        if let Some((_, value)) = given {
            table.extend(setting_of(name.to_owned(), key, value)?);
        }
    }
    Ok(table)
}

/// The setting of a variable. It is parsed like the flag with its name, so both accept the same
/// values.
fn setting_of(name: String, key: &str, value: &OsStr) -> Result<Table, ConfigError> {
    let mut flag = OsString::from(format!("--{}=", key.replace('_', "-")));
    flag.push(value);
    let read = given([OsString::from("stratagem-server"), flag]);
    let (_, table) = read.map_err(|error| {
        let why = error.to_string();
        let why = why.lines().next().unwrap_or_default();
        let why = why.trim_start_matches("error: ").to_owned();
        ConfigError::Variable { name, why }
    })?;
    Ok(table)
}

/// The file as a table, all of it understood.
fn read(path: &Path) -> Result<Table, ConfigError> {
    let wrong = |why: String| ConfigError::File {
        path: path.to_owned(),
        why,
    };
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    // Once for the keys and values, whose errors carry line and column, and once for what is there.
    toml::from_str::<Config>(&text).map_err(|error| wrong(error.to_string()))?;
    text.parse::<Table>()
        .map_err(|error| wrong(error.to_string()))
}

/// Names of all settings, in the order of the file.
fn keys() -> Vec<String> {
    let table = Table::try_from(Config::default()).expect("settings are plain values");
    table.keys().cloned().collect()
}

fn variable(key: &str) -> String {
    format!("{PREFIX}{}", key.to_ascii_uppercase())
}
