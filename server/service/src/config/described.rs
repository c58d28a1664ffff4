//! Settings as help and documents show them: in sections, with the ranges of their values.

use super::Config;
use clap::Command;

/// Titles of sections, each with the setting that it begins with.
const SECTIONS: [(&str, &str); 13] = [
    ("listen", "Addresses"),
    ("slots", "Slots, queue and budgets"),
    ("jobs", "Jobs"),
    ("sessions_max", "Sessions"),
    ("memory_max", "Memory and sizes"),
    ("heartbeat_interval", "Streams and keepalive"),
    ("tls_cert", "TLS"),
    ("tokens", "Access"),
    ("connections_max", "Connections"),
    ("lame_duck", "Shutdown"),
    ("otlp_endpoint", "Traces"),
    ("log", "Log"),
    ("config", "Other options"),
];

/// The command line with its flags in sections, and ranges in their help.
pub(super) fn described(command: Command) -> Command {
    let ranges = Config::default().ranges();
    in_sections(command).mut_args(|arg| {
        let Some(range) = ranges.iter().find(|range| arg.get_id() == range.name) else {
            return arg;
        };
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        arg.help(format!("{help} [{} to {}]", range.least, range.most))
    })
}

fn in_sections(command: Command) -> Command {
    let mut section = None;
    command.mut_args(|arg| {
        let begins = SECTIONS.iter().find(|(first, _)| arg.get_id() == *first);
        section = begins.map(|(_, title)| *title).or(section);
        arg.help_heading(section)
    })
}

#[cfg(test)]
mod tests {
    use super::{Config, in_sections};
    use crate::reference::{compare, table};
    use clap::{Arg, Args as _, Command};

    #[test]
    fn the_page_of_settings_is_that_of_the_program() {
        let settings = in_sections(Config::augment_args(Command::new("settings")));
        let settings = settings.get_arguments().map(|arg| {
            let section = arg.get_help_heading().expect("each is in a section");
            (section, row(arg))
        });
        let columns = ["setting", "default", "range", "meaning"];
        compare("settings.md", &table(columns, settings));
    }

    fn row(arg: &Arg) -> [String; 4] {
        let units = arg.get_value_names().expect("each has a value");
        let is_bytes = units[0] == "BYTES";
        let default = &arg.get_default_values()[0];
        let default = shown(default.to_str().expect("plain text"), is_bytes);
        let ranges = Config::default().ranges();
        let range = ranges.iter().find(|range| arg.get_id() == range.name);
        let range = range.map_or_else(String::new, |range| {
            let [least, most] = [&range.least, &range.most].map(|it| shown(it, is_bytes));
            format!("{least} to {most}")
        });
        let help = arg.get_help().expect("each has a help text");
        [
            format!("`{}`", arg.get_id()),
            default,
            range,
            format!("{help}."),
        ]
    }

    /// A value as the table writes it: numbers of bytes with units, other numbers with commas,
    /// texts as code.
    fn shown(value: &str, is_bytes: bool) -> String {
        let units = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)];
        match value.parse::<u64>() {
            Err(_) if value.is_empty() => String::new(),
            Err(_) => format!("`{value}`"),
            Ok(bytes) if is_bytes && bytes > 0 => {
                let fits = |unit: &&(&str, u32)| bytes.trailing_zeros() >= unit.1;
                let unit = units.iter().find(fits);
                unit.map_or(value.into(), |(name, shift)| {
                    format!("{} {name}", bytes >> shift)
                })
            }
            Ok(_) => {
                let digits = value.as_bytes().rchunks(3).rev();
                let digits = digits.map(String::from_utf8_lossy);
                digits.collect::<Vec<_>>().join(",")
            }
        }
    }
}
