//! Words, names and forms that have better ones.

use crate::packages::packages;
use crate::prose::is_javascript;
use crate::sources::{files, from_root, root, sources_in};
use std::{collections::BTreeMap, fs};

/// Words that have better ones: for programs and people, for values, and for what is random.
pub(crate) const WORDS: [&str; 17] = [
    "anew", "circle", "circles", "endless", "he", "her", "him", "his", "luck", "lucky", "promise",
    "promises", "she", "tell", "tells", "told", "whoever",
];

/// Expressions that have better ones.
pub(crate) const EXPRESSIONS: [&str; 5] = [
    "for ever",
    "make no sense",
    "makes no sense",
    "once more",
    "so many",
];

/// Function words: no function is called so. The standard library's `from` is needed.
const FUNCTION_WORDS: [&str; 39] = [
    "all", "any", "apart", "as", "at", "beside", "both", "by", "each", "else", "few", "has",
    "here", "in", "is", "least", "less", "many", "more", "most", "none", "of", "off", "one",
    "only", "other", "others", "out", "so", "such", "than", "then", "there", "to", "together",
    "told", "with", "within", "without",
];

/// Sources that need these words and forms in texts: the rules, and pronouns of stories.
const TEXTS_EXEMPT: [&str; 4] = [
    "integration-tests/tests/architecture/prose.rs",
    "integration-tests/tests/architecture/tidy.rs",
    "planners/story/src/text/pronouns.rs",
    "planners/story/tests/suite/text.rs",
];

/// Of code and comments. Texts are as long as they are.
const COLUMNS_MAX: usize = 100;

#[test]
fn words_names_and_forms_are_those_of_the_house() {
    assert_eq!(counted(), BTreeMap::new());
}

/// For each room and rule how often it is broken, where it is.
fn counted() -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for package in packages() {
        for mut source in sources_in(&package.room) {
            if TEXTS_EXEMPT.contains(&&*source.path) {
                source.text = without_texts(&source.text);
            }
            if package.room == "render" {
                source.text = without_terms(&source.text);
            }
            for (rule, count) in broken(&source.text) {
                *counts
                    .entry(format!("{} {rule}", package.room))
                    .or_default() += count;
            }
        }
    }
    counts.retain(|_, count| *count > 0);
    counts
}

#[test]
fn words_of_javascript_are_those_of_the_house() {
    let mut scripts = files(&root());
    scripts.retain(|path| is_javascript(&from_root(path)));
    assert!(scripts.len() > 40, "only {} scripts", scripts.len());
    scripts.retain(|path| {
        let text = without_terms(&fs::read_to_string(path).unwrap());
        broken(&text)[0].1 > 0
    });
    assert!(scripts.is_empty(), "{scripts:?}");
}

/// A text without terms of pictures and of JavaScript that are words of the list, too.
fn without_terms(text: &str) -> String {
    text.replace("circle", "shape").replace("Promise", "Future")
}

/// How often a text breaks each rule.
fn broken(text: &str) -> [(&'static str, usize); 5] {
    let words = || text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let banned = |word: &&str| WORDS.contains(&word.to_lowercase().as_str());
    let lower = text.to_lowercase();
    let expressions = EXPRESSIONS.iter().map(|it| lower.matches(it).count());
    let names = words().collect::<Vec<_>>();
    let named = names.windows(2);
    let named = named.filter(|pair| pair[0] == "fn" && FUNCTION_WORDS.contains(&pair[1]));
    [
        (
            "words",
            words().filter(banned).count() + expressions.sum::<usize>(),
        ),
        ("function names", named.count()),
        ("tuple parameters", text.matches("): (").count()),
        ("matches of a bool", bool_matches(text)),
        (
            "long lines",
            without_texts(text)
                .lines()
                .filter(|line| line.chars().count() > COLUMNS_MAX)
                .count(),
        ),
    ]
}

/// A source without what its literals of text have in them, but for ends of lines.
fn without_texts(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(next) = rest.chars().next() {
        let comment = rest
            .starts_with("//")
            .then(|| rest.find('\n').unwrap_or(rest.len()));
        // `'"'` is a character, and no text begins there.
        let quote = rest.starts_with("'\"'").then_some(3);
        let (kept, text) = match (comment.or(quote), raw_text(rest), next) {
            (Some(length), ..) => (length, 0),
            (None, Some(length), _) => (0, length),
            (None, None, '"') => (0, text_length(rest)),
            _ => (next.len_utf8(), 0),
        };
        code += &rest[..kept];
        code.extend(rest[kept..kept + text].matches('\n'));
        rest = &rest[kept + text..];
    }
    code
}

/// Length of the raw text that a source begins with.
fn raw_text(source: &str) -> Option<usize> {
    let marks = source.strip_prefix('r')?;
    let hashes = marks.len() - marks.trim_start_matches('#').len();
    marks[hashes..].starts_with('"').then(|| {
        let (begin, end) = (hashes + 2, format!("\"{}", "#".repeat(hashes)));
        let length = source[begin..].find(&end);
        length.map_or(source.len(), |length| begin + length + end.len())
    })
}

/// Length of the text in quotes that a source begins with.
fn text_length(source: &str) -> usize {
    let mut escaped = false;
    let end = source.char_indices().skip(1).find(|(_, letter)| {
        let ends = *letter == '"' && !escaped;
        escaped = *letter == '\\' && !escaped;
        ends
    });
    end.map_or(source.len(), |(at, _)| at + 1)
}

/// Arms of `match` that say `true` or `false` first.
fn bool_matches(text: &str) -> usize {
    let arms = text
        .split("match ")
        .skip(1)
        .filter_map(|after| after.split_once('{'));
    arms.filter(|(value, arms)| {
        let first = arms.trim_start();
        !value.contains(';') && (first.starts_with("true =>") || first.starts_with("false =>"))
    })
    .count()
}

#[test]
fn what_breaks_rules_is_seen() {
    let counts = |text: &str| broken(text).map(|(_, count)| count);
    assert_eq!(counts("// He told us so many.\n"), [3, 0, 0, 0, 0]);
    assert_eq!(counts("fn of() {}\nfn often() {}\n"), [0, 1, 0, 0, 0]);
    assert_eq!(counts("fn f((a, b): (u8, u8)) {}\n"), [0, 0, 1, 0, 0]);
    assert_eq!(
        counts("match a.b() {\n    true => 1,\n    false => 2,\n}\n"),
        [0, 0, 0, 1, 0]
    );
    assert_eq!(counts(&"x".repeat(101)), [0, 0, 0, 0, 1]);
    let long = "x".repeat(100);
    assert_eq!(counts(&format!("// \"{long}\"")), [0, 0, 0, 0, 1]);
    assert_eq!(counts(&format!("f('\"', \"\\\"{long}\", y)")), [0; 5]);
    assert_eq!(
        counts(&format!("r#\"{{\"{long}\n{long}\"}}\"#;\n{long}y")),
        [0, 0, 0, 0, 1]
    );
    assert_eq!(
        counts("// The agent was told nothing.".trim_end_matches("told nothing.")),
        [0; 5]
    );
}
