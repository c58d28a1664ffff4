//! What documents say of the command line is so.

use clap::{Parser as _, error::ErrorKind};
use std::fs::{read_dir, read_to_string};
use std::path::PathBuf;
use stratagem_cli::args::Cli;

/// The README, and all of docs/ but what is generated.
fn documents() -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut all = vec![root.join("README.md")];
    let mut folders = vec![root.join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "md")
                && !path.ends_with("reference/cli.md")
            {
                all.push(path);
            }
        }
    }
    all.sort();
    all
}

/// The calls of our program in a line: what stands between backticks, or the line itself in a block
/// of code.
fn calls(line: &str) -> Vec<&str> {
    let line = line.strip_prefix("$ ").unwrap_or(line);
    let between = line.split('`').skip(1).step_by(2);
    let all = between.chain([line]);
    all.filter_map(|call| call.strip_prefix("stratagem "))
        .collect()
}

/// The words of a call, as a shell has them, without what else a shell does.
fn words(call: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in call.chars() {
        match (letter, quote) {
            ('"' | '\'', None) => quote = Some(letter),
            (letter, Some(end)) if letter == end => quote = None,
            ('|' | '>' | '<' | '#' | '&' | ';' | '\\' | '…' | '(' | ')', None) => break,
            (' ', None) => words.push(String::new()),
            (letter, _) => words.last_mut().unwrap().push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn commands_and_options_that_documents_name_are_there() {
    let mut count = 0;
    for path in documents() {
        let text = read_to_string(&path).unwrap();
        for (number, line) in text.lines().enumerate() {
            for call in calls(line) {
                count += 1;
                let words = ["stratagem".to_owned()].into_iter().chain(words(call));
                // What is left out of an example, or stands for something, is no mistake.
                let kind = Cli::try_parse_from(words).err().map(|error| error.kind());
                let wrong = [ErrorKind::InvalidSubcommand, ErrorKind::UnknownArgument];
                let place = format!("{}:{}: {call}", path.display(), number + 1);
                assert!(kind.is_none_or(|kind| !wrong.contains(&kind)), "{place}");
            }
        }
    }
    assert!(count > 40, "{count}");
}
