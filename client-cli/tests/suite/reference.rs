//! docs/reference/cli.md is generated from the program. `UPDATE_REFERENCE=1` renews it.

use clap::{Arg, Command, CommandFactory as _};
use std::fmt::Write as _;
use std::{env, fs, path::PathBuf};
use stratagem_cli::args::Cli;

const HEAD: &str = "\
# Command line: reference

For users of `stratagem` who look up a command or an option. The page is generated from the
program: `--help` prints the same. [The guide](../how-to/command-line.md) explains
files, answers and exit codes.
";

#[test]
fn the_reference_of_the_command_line_is_what_the_program_has() {
    let mut command = Cli::command();
    command.build();
    let mut page = String::from(HEAD);
    index(&command, &mut page);
    page += "\n## Options of all commands\n";
    table(
        command.get_arguments().filter(|arg| arg.is_global_set()),
        &mut page,
    );
    describe(&command, "stratagem", &mut page);
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/reference/cli.md");
    if env::var_os("UPDATE_REFERENCE").is_some() {
        fs::write(&path, &page).unwrap();
    }
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        page,
        "UPDATE_REFERENCE=1 renews it"
    );
}

/// A list of all commands with a sentence for each.
fn index(command: &Command, page: &mut String) {
    *page += "\n| command | purpose |\n|---|---|\n";
    for group in visible(command) {
        for leaf in visible(group).chain([group]) {
            if leaf.has_subcommands() {
                continue;
            }
            let name = if std::ptr::eq(leaf, group) {
                group.get_name().to_owned()
            } else {
                format!("{} {}", group.get_name(), leaf.get_name())
            };
            let about = leaf.get_about().map(ToString::to_string);
            let about = cell(&about.unwrap_or_default());
            let anchor = name.replace(' ', "-");
            writeln!(page, "| [`{name}`](#stratagem-{anchor}) | {about} |").unwrap();
        }
    }
}

fn visible(command: &Command) -> impl Iterator<Item = &Command> {
    let all = command.get_subcommands();
    all.filter(|inner| !inner.is_hide_set() && inner.get_name() != "help")
}

/// A section for each command that does something.
fn describe(command: &Command, name: &str, page: &mut String) {
    for inner in visible(command) {
        let name = format!("{name} {}", inner.get_name());
        if inner.has_subcommands() {
            describe(inner, &name, page);
            continue;
        }
        let about = inner.get_long_about().or(inner.get_about());
        let about = about.map(ToString::to_string).unwrap_or_default();
        let mut usage = inner.clone();
        let usage = usage.render_usage().to_string();
        let usage = usage.trim_start_matches("Usage: ");
        write!(page, "\n## {name}\n\n{about}\n\n```text\n{usage}\n```\n").unwrap();
        let own = inner.get_arguments().filter(|arg| !arg.is_global_set());
        table(own, page);
        if let Some(after) = inner.get_after_long_help().or(inner.get_after_help()) {
            write!(page, "\n```text\n{}\n```\n", after.to_string().trim_end()).unwrap();
        }
    }
}

fn table<'a>(arguments: impl Iterator<Item = &'a Arg>, page: &mut String) {
    let shown =
        |arg: &&Arg| !arg.is_hide_set() && !["help", "version"].contains(&arg.get_id().as_str());
    let mut arguments = arguments.filter(shown).peekable();
    if arguments.peek().is_some() {
        *page += "\n| option | meaning | default |\n|---|---|---|\n";
    }
    for arg in arguments {
        let help = arg.get_long_help().or(arg.get_help());
        let mut help = help.map(ToString::to_string).unwrap_or_default();
        for value in arg.get_possible_values() {
            if let Some(meaning) = value.get_help().filter(|_| !value.is_hide_set()) {
                write!(help, "; `{}`: {meaning}", value.get_name()).unwrap();
            }
        }
        let takes_values = arg.get_action().takes_values();
        let defaults = arg.get_default_values().iter().filter(|_| takes_values);
        let defaults: Vec<_> = defaults.map(|it| it.to_string_lossy()).collect();
        let (name, help, default) = (spelled(arg), cell(&help), defaults.join(", "));
        writeln!(page, "| `{name}` | {help} | {default} |").unwrap();
    }
}

/// An argument as it is written, as in `-o, --output FORMAT`.
fn spelled(arg: &Arg) -> String {
    let value = arg.get_action().takes_values().then(|| {
        let names = arg.get_value_names().unwrap_or_default();
        let names = names.iter().map(ToString::to_string);
        names.collect::<Vec<_>>().join(" ")
    });
    let value = value.unwrap_or_default();
    let Some(long) = arg.get_long() else {
        return value;
    };
    let short = arg
        .get_short()
        .map(|it| format!("-{it}, "))
        .unwrap_or_default();
    format!("{short}--{long} {value}").trim_end().to_owned()
}

/// A text as a cell of a table.
fn cell(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").replace('|', "\\|").replace('<', "&lt;")
}
