//! Documents, and the comments of the contract and of JavaScript, are written in short sentences
//! and in the words of the house.

use crate::sources::{files, from_root, root};
use crate::tidy::{EXPRESSIONS, WORDS};
use std::fs;

/// Words of a sentence.
const SENTENCE_MAX: usize = 30;
/// Words of a sentence, in the mean over a document.
const SENTENCE_MEAN_MAX: usize = 18;

#[test]
fn sentences_are_short_and_plain() {
    let mut wrong = Vec::new();
    let mut read = 0;
    for path in files(&root()) {
        let name = from_root(&path);
        let Some(prose) = prose(&name) else {
            continue;
        };
        let sentences = sentences(&prose);
        read += sentences.len();
        let words: usize = sentences.iter().map(|text| length(text)).sum();
        let is_run = name.starts_with(RUNS);
        if words > SENTENCE_MEAN_MAX * sentences.len() && !is_run {
            wrong.push(format!("{name}: long sentences in the mean"));
        }
        let length_max = if is_run { usize::MAX } else { SENTENCE_MAX };
        let broken = sentences
            .iter()
            .filter_map(|text| Some((text, fault(text, length_max)?)));
        wrong.extend(broken.map(|(text, fault)| format!("{name}: {fault}: {text}")));
    }
    assert!(read > 4_000, "only {read} sentences");
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), wrong.len());
}

/// A document, or the comments of a part of the contract or of JavaScript. Changes of versions stay
/// as they were written.
fn prose(name: &str) -> Option<String> {
    let read = || fs::read_to_string(root().join(name)).unwrap();
    let is_source = name.starts_with("proto/stratagem/") || is_javascript(name);
    let is_document = name.ends_with(".md") && name != "CHANGELOG.md";
    is_source
        .then(|| comments(&read()))
        .or_else(|| is_document.then(read))
}

/// Of the playground and of the client that it uses.
pub(crate) fn is_javascript(name: &str) -> bool {
    let folders = ["clients/js/src/", "server/service/playground/"];
    name.ends_with(".js") && folders.iter().any(|folder| name.starts_with(folder))
}

fn comments(source: &str) -> String {
    let marks = ["//", "/**", "* "];
    let lines = source.lines().map(|line| {
        let line = line.trim().trim_end_matches("*/");
        let text = marks.iter().find_map(|mark| line.strip_prefix(mark));
        let text = text.unwrap_or_default();
        // Types in tags are left out.
        let is_tag = text.trim_start().starts_with('@');
        let description = text.rsplit('}').next().filter(|_| is_tag);
        description.map_or(text.to_owned(), |it| format!("\n{it}"))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Pronouns that do not say which person or program is meant.
const PRONOUNS: [&str; 4] = ["anybody", "everybody", "nobody", "somebody"];

/// Runs of benches may have long sentences.
const RUNS: &str = "benches/results/";

/// What is wrong with a sentence.
fn fault(sentence: &str, length_max: usize) -> Option<String> {
    let lower = sentence.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let plain = format!(" {} ", words.join(" "));
    let banned = WORDS.iter().chain(&PRONOUNS).chain(&EXPRESSIONS);
    let mut banned = banned.chain(&["at once", "beside"]);
    let word = banned.find(|it| plain.contains(&format!(" {it} ")));
    let is_long = length(sentence) > length_max;
    let long = is_long.then(|| format!("{} words", length(sentence)));
    long.or_else(|| word.map(|word| format!("\"{word}\"")))
}

fn length(sentence: &str) -> usize {
    let words = sentence.split_whitespace();
    words
        .filter(|word| word.contains(|c: char| c.is_alphanumeric()))
        .count()
}

/// Sentences of a document, cells of tables included. Code is left out.
fn sentences(document: &str) -> Vec<String> {
    let mut blocks = vec![String::new()];
    let mut is_code = false;
    for line in document.lines().map(str::trim) {
        if line.starts_with("```") {
            is_code = !is_code;
            blocks.push(String::new());
        } else if is_code || line.is_empty() || line.starts_with(['#', '<']) {
            blocks.push(String::new());
        } else if line.starts_with('|') {
            blocks.extend(without_code(line).split('|').map(str::to_owned));
        } else {
            if is_item(line) {
                blocks.push(String::new());
            }
            let block = blocks.last_mut().expect("there is one");
            *block = format!("{block} {line}");
        }
    }
    let blocks = blocks.iter().map(|block| without_code(block));
    let sentences = blocks.flat_map(|block| split(&block));
    sentences.filter(|text| length(text) > 2).collect()
}

fn is_item(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with("* ") || line.starts_with("- ") || number.starts_with(". ")
}

/// A text with a word for each piece of code, and without anchors and the targets of links.
fn without_code(text: &str) -> String {
    let mut anchors = text.split("<a id=\"");
    let mut text = anchors.next().unwrap_or_default().to_owned();
    text.extend(anchors.filter_map(|part| Some(part.split_once("</a>")?.1)));
    let code = text.split('`').enumerate();
    let code = code.map(|(i, part)| if i % 2 == 0 { part } else { "X" });
    let mut plain = String::new();
    for (i, part) in code.collect::<String>().split("](").enumerate() {
        let link = if i == 0 { None } else { part.split_once(')') };
        plain += link.map_or(part, |(_, rest)| rest);
    }
    plain
}

/// Splits where a sentence ends and something begins that can be one.
fn split(block: &str) -> Vec<String> {
    let mut sentences = vec![String::new()];
    let mut words = block.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let sentence = sentences.last_mut().expect("there is one");
        *sentence = format!("{sentence} {word}").trim_start().to_owned();
        let bare = word.trim_end_matches(['"', '*', ')']);
        let begins = |next: &&str| next.starts_with(|c: char| !c.is_lowercase());
        if bare.ends_with(['.', '!', '?', ':']) && words.peek().is_some_and(begins) {
            sentences.push(String::new());
        }
    }
    sentences
}

#[test]
fn long_sentences_and_replaced_words_are_seen() {
    let long = "word ".repeat(31);
    let faults = |text: &str| {
        sentences(text)
            .iter()
            .filter_map(|s| fault(s, SENTENCE_MAX))
            .count()
    };
    assert_eq!(faults(&long), 1);
    assert_eq!(faults(&format!("```\n{long}\n```\n# {long}\n`{long}`")), 0);
    assert_eq!(faults(&format!("| a | {long} |")), 1);
    assert_eq!(
        faults("The caller is told\nwhat is wrong. They learn it at once."),
        2
    );
    assert_eq!(faults(&format!("{}. Then {}", &long[..99], &long[..50])), 0);
    let source = "// Nobody\n// knows it.\nmessage Who { string told = 1; }\n  // It is told.";
    assert_eq!(faults(&comments(source)), 2);
    let script = source.replace("// Nobody\n//", "/** Nobody\n *");
    let script = script.replace("// It", "/** @type {her} It") + "\nf(\"Go at once.\");";
    assert_eq!(faults(&comments(&script)), 2);
    assert_eq!(
        sentences("* One two three.\n* [Four five](a/b.md) six."),
        ["* One two three.", "* [Four five six."]
    );
}
