//! WordNet's nouns, cut down to those of a text: all of them are more than a request may hold by default.
//!
//! What stays are the lines of the text's words, their hypernyms, and the other senses of the words of these. A learner finds the same classes
//! in them as in the whole files.

use std::collections::{BTreeMap, BTreeSet};

/// `data.noun` and `index.noun`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Nouns {
    /// Sets of synonyms, each on a line that begins with its offset.
    pub data: Vec<u8>,
    /// Words with the offsets of their senses.
    pub index: Vec<u8>,
}

/// Hypernym, and that of an instance.
const ABOVE: [&str; 2] = ["@", "@i"];
/// Without these nouns readers take the files for none of WordNet's.
const TOP: [&str; 2] = ["entity", "location"];
/// Endings of plurals, and what they stand for (morphy(7WN)); besides, readers may know that wolves are wolves.
const ENDINGS: [(&str, &str); 10] = [
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
    ("ves", "f"),
    ("ves", "fe"),
];

impl Nouns {
    /// What of these nouns a reader of a text needs. `irregular`: `noun.exc`, lines of a plural and its singulars; may be empty.
    #[must_use]
    pub fn of_text(&self, text: &[u8], irregular: &[u8]) -> Self {
        let words = words(
            &String::from_utf8_lossy(text),
            &String::from_utf8_lossy(irregular),
        );
        let data: BTreeMap<&str, &str> = lines(&self.data).collect();
        let index: BTreeMap<&str, &str> = lines(&self.index).collect();
        let mut kept_words: BTreeSet<&str> = BTreeSet::new();
        let known = words
            .iter()
            .filter_map(|word| index.get_key_value(word.as_str()));
        kept_words.extend(known.map(|(word, _)| *word));
        kept_words.extend(TOP.iter().filter(|word| index.contains_key(**word)));
        let senses = |word: &&str| senses(index[*word]);
        let mut stack: Vec<&str> = kept_words.iter().flat_map(senses).collect();
        let mut kept: BTreeSet<&str> = BTreeSet::new();
        while let Some(offset) = stack.pop() {
            if let Some(line) = data.get(offset).filter(|_| kept.insert(offset)) {
                stack.extend(above(line));
            }
        }
        // The words of all of these, whose most frequent senses may be looked for.
        let names = kept
            .iter()
            .filter_map(|offset| data.get(offset))
            .flat_map(|line| names(line));
        let names: BTreeSet<String> = names.collect();
        let known = names
            .iter()
            .filter_map(|name| index.get_key_value(name.as_str()));
        kept_words.extend(known.map(|(word, _)| *word));
        kept.extend(kept_words.iter().flat_map(senses));
        Self {
            data: join(&self.data, &kept),
            index: join(&self.index, &kept_words),
        }
    }
}

/// Words of a text in small letters, and what they are plurals of.
fn words(text: &str, irregular: &str) -> BTreeSet<String> {
    let irregular: BTreeMap<&str, Vec<&str>> = irregular
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?, words.collect()))
        })
        .collect();
    let mut all = BTreeSet::new();
    for word in text.split(|letter: char| !letter.is_alphanumeric()) {
        let word = word.to_lowercase();
        let singulars = irregular.get(word.as_str()).into_iter().flatten();
        all.extend(singulars.map(|singular| (*singular).to_owned()));
        for (ending, singular) in ENDINGS {
            all.extend(
                word.strip_suffix(ending)
                    .map(|stem| format!("{stem}{singular}")),
            );
        }
        all.insert(word);
    }
    all
}

/// Lines that are no licence, with their first words.
fn lines(file: &[u8]) -> impl Iterator<Item = (&str, &str)> {
    let lines = file.split(|byte| *byte == b'\n');
    let lines = lines.filter_map(|line| std::str::from_utf8(line).ok());
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with(' '));
    lines.map(|line| (line.split(' ').next().unwrap_or_default(), line))
}

/// Offsets of the senses of a word: eight digits each, at the end of its line.
fn senses(line: &str) -> impl Iterator<Item = &str> {
    let is_offset = |field: &&str| field.len() == 8 && field.bytes().all(|b| b.is_ascii_digit());
    line.split(' ').skip(1).filter(is_offset)
}

/// Offsets of the hypernyms of a set of synonyms.
fn above(line: &str) -> impl Iterator<Item = &str> {
    let signs = line.split(' ').zip(line.split(' ').skip(1));
    signs
        .filter(|(sign, _)| ABOVE.contains(sign))
        .map(|(_, offset)| offset)
}

/// The words of a set of synonyms, as `index.noun` has them.
fn names(line: &str) -> impl Iterator<Item = String> {
    let mut fields = line.split(' ').skip(3);
    let count = fields
        .next()
        .and_then(|count| usize::from_str_radix(count, 16).ok());
    fields
        .step_by(2)
        .take(count.unwrap_or(0))
        .map(str::to_lowercase)
}

/// The lines that begin with some words.
fn join(file: &[u8], kept: &BTreeSet<&str>) -> Vec<u8> {
    let mut out = Vec::new();
    for (_, line) in lines(file).filter(|(first, _)| kept.contains(first)) {
        out.extend_from_slice(line.as_bytes());
        out.push(b'\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: &str = "  1 A licence.\n\
        00000001 03 n 01 entity 0 000 | all\n\
        00000002 03 n 01 location 0 001 @ 00000001 n 0000 | where\n\
        00000003 15 n 02 Forest 0 wood 1 001 @ 00000002 n 0000 | trees\n\
        00000004 27 n 01 wood 0 001 @ 00000006 n 0000 | timber\n\
        00000005 05 n 01 mouse 0 002 @ 00000001 n 0000 ~ 00000007 n 0000 | small\n\
        00000006 27 n 01 material 0 001 @ 00000001 n 0000 | stuff\n\
        00000007 05 n 01 shrew 0 001 @ 00000005 n 0000 | smaller\n";
    const INDEX: &str = "  1 A licence.\n\
        entity n 1 1 ~ 1 1 00000001  \n\
        forest n 1 1 @ 1 1 00000003  \n\
        location n 1 1 @ 1 1 00000002  \n\
        material n 1 1 @ 1 1 00000006  \n\
        mouse n 1 2 @ ~ 1 1 00000005  \n\
        shrew n 1 1 @ 1 1 00000007  \n\
        wood n 2 1 @ 2 1 00000004 00000003  \n";

    fn kept(text: &str) -> (Vec<String>, Vec<String>) {
        let all = Nouns {
            data: DATA.into(),
            index: INDEX.into(),
        };
        let some = all.of_text(text.as_bytes(), b"mice mouse\n");
        let firsts = |file: &[u8]| lines(file).map(|(first, _)| first.to_owned()).collect();
        (firsts(&some.data), firsts(&some.index))
    }

    #[test]
    fn words_of_the_text_stay_with_what_is_above_them_and_all_their_senses() {
        let (data, index) = kept("The Forests were dark.");
        // A forest is a wood; that may be timber, too.
        assert_eq!(data, ["00000001", "00000002", "00000003", "00000004"]);
        assert_eq!(index, ["entity", "forest", "location", "wood"]);
        let (data, index) = kept("Two MICE!");
        assert_eq!(data, ["00000001", "00000002", "00000005"]);
        assert_eq!(index, ["entity", "location", "mouse"]);
    }

    #[test]
    fn files_that_are_none_leave_nothing() {
        let none = Nouns {
            data: vec![0xff, b'\n', 0xfe],
            index: b"no index at all".to_vec(),
        };
        assert_eq!(
            none.of_text(b"no", b""),
            Nouns {
                data: Vec::new(),
                index: b"no index at all\n".to_vec(),
            }
        );
    }
}
