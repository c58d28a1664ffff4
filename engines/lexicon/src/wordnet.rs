//! Evidence for classes of words from WordNet's nouns.

use crate::lines::Lines;
use crate::{Class, Counts, Vocabulary};
use anytime::{Fault, Path, fault};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Weight of a sense that is no actor, item or place. A word that *can* be one is one in a story:
/// "school" is an institution first, then a building, and people go to it.
const ABSTRACT: f64 = 0.5;
/// Files of lexicographers, by number (lexnames(5WN)).
const ANIMAL: u8 = 5;
const ARTIFACT: u8 = 6;
const COMMUNICATION: u8 = 10;
const FOOD: u8 = 13;
const GROUP: u8 = 14;
const OBJECT: u8 = 17;
const PERSON: u8 = 18;
const PLANT: u8 = 20;
const POSSESSION: u8 = 21;
const SUBSTANCE: u8 = 27;
const TOPS: u8 = 3;
/// Everything below one of these is a place, although room, house and street are artifacts.
const PLACES: [(&str, u8); 7] = [
    ("location", TOPS),
    ("structure", ARTIFACT),
    ("way", ARTIFACT),
    ("area", ARTIFACT),
    ("geological_formation", OBJECT),
    ("body_of_water", OBJECT),
    ("land", OBJECT),
];
/// Each of these, and everything below, is an actor.
const ACTORS: [(&str, u8); 3] = [("person", TOPS), ("animal", TOPS), ("people", GROUP)];
/// Everything below one of these is written, and is an item.
const WRITTEN: [(&str, u8); 4] = [
    ("writing", COMMUNICATION),
    ("message", COMMUNICATION),
    ("print_media", COMMUNICATION),
    ("medium", COMMUNICATION),
];
/// Most hypernyms above a sense that are looked at.
const ABOVE_MAX: usize = 200;
/// Maximum of sets of synonyms, and of senses of a word.
const SYNSETS_MAX: usize = 500_000;

const DATA: &str = "wordnet_data";
const INDEX: &str = "wordnet_index";
/// Code of the faults of both files.
const UNUSABLE: &str = "WORDNET_UNUSABLE";

/// Reads `data.noun` and `index.noun` of WordNet 3, both in pieces and in any order.
pub struct WordNet {
    data: Lines,
    index: Lines,
    nouns: Nouns,
}

/// What was read of WordNet.
pub struct Nouns {
    words: Vocabulary,
    synsets: BTreeMap<u32, Synset>,
    /// Senses of the wanted words and of the names of places, the most frequent first.
    senses: BTreeMap<String, Vec<u32>>,
}

struct Synset {
    file: u8,
    above: Vec<u32>,
}

impl WordNet {
    /// WordNet about these words; the senses of others are not kept.
    #[must_use]
    pub fn new(words: Vocabulary) -> Self {
        Self {
            data: Lines::new(DATA, UNUSABLE),
            index: Lines::new(INDEX, UNUSABLE),
            nouns: Nouns {
                words,
                synsets: BTreeMap::new(),
                senses: BTreeMap::new(),
            },
        }
    }

    /// Reads a piece of `data.noun`.
    ///
    /// # Errors
    /// Lines that are not as in WordNet or too long, binary data.
    pub fn data(&mut self, chunk: &[u8]) -> Result<(), Fault> {
        let nouns = &mut self.nouns;
        self.data.push(chunk, |line, text| nouns.synset(line, text))
    }

    /// Reads a piece of `index.noun`.
    ///
    /// # Errors
    /// As [`WordNet::data`].
    pub fn index(&mut self, chunk: &[u8]) -> Result<(), Fault> {
        let nouns = &mut self.nouns;
        self.index.push(chunk, |line, text| nouns.entry(line, text))
    }

    /// What was read.
    ///
    /// # Errors
    /// As [`WordNet::data`]; one file without the other, or without the noun `location`.
    pub fn finish(mut self) -> Result<Nouns, Fault> {
        let nouns = &mut self.nouns;
        self.data.finish(|line, text| nouns.synset(line, text))?;
        self.index.finish(|line, text| nouns.entry(line, text))?;
        let missing = if nouns.synsets.is_empty() {
            "data.noun"
        } else if nouns.senses.is_empty() {
            "index.noun"
        } else if nouns.roots(&PLACES).is_empty() {
            "the noun 'location'"
        } else {
            return Ok(self.nouns);
        };
        // Of one file without the other the index is the one to add.
        let at = Path::root(INDEX);
        Err(fault!(
            UNUSABLE,
            at,
            "nothing can be concluded from it: {} is missing",
            missing
        ))
    }
}

impl Nouns {
    /// The evidence for each word; the i-th sense of a word counts 1 / i.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let roots = [&PLACES[..], &WRITTEN, &ACTORS].map(|names| self.roots(names));
        let [places, written, actors] = &roots;
        let counts = self.words.words().map(|word| {
            let mut counts = [0.0; 4];
            let senses = self.senses.get(word).into_iter().flatten();
            for (rank, &sense) in senses.enumerate() {
                let class = self.class(sense, [places, written, actors]);
                let weight = if class == Class::Other { ABSTRACT } else { 1.0 };
                counts[class as usize] += weight / (rank as f64 + 1.0);
            }
            counts
        });
        counts.collect()
    }

    /// `data.noun` and `index.noun` with what [`Nouns::counts`] looks at and nothing else: synsets
    /// without words, glosses and pointers other than to hypernyms.
    #[must_use]
    pub fn files(&self) -> [String; 2] {
        let senses = self.senses.values().flatten();
        let used: BTreeSet<u32> = senses.flat_map(|&sense| self.above(sense)).collect();
        let [mut data, mut index] = [String::new(), String::new()];
        for (offset, Synset { file, above }) in &self.synsets {
            if used.contains(offset) {
                let count = above.len();
                // Writing into a string does not fail.
                let _ = write!(data, "{offset:08} {file:02} n 00 {count:03}");
                for hypernym in above {
                    let _ = write!(data, " @ {hypernym:08} n 0000");
                }
                data.push('\n');
            }
        }
        for (word, senses) in &self.senses {
            let count = senses.len();
            let _ = write!(index, "{word} n {count} 0 {count} 0");
            for sense in senses {
                let _ = write!(index, " {sense:08}");
            }
            index.push('\n');
        }
        [data, index]
    }

    /// The most frequent sense of each that is in its file.
    fn roots(&self, names: &[(&str, u8)]) -> Vec<u32> {
        let root = |&(name, file): &(&str, u8)| {
            let is = |sense: &&u32| self.synsets.get(sense).is_some_and(|s| s.file == file);
            self.senses.get(name)?.iter().find(is).copied()
        };
        names.iter().filter_map(root).collect()
    }

    fn class(&self, sense: u32, [places, written, actors]: [&[u32]; 3]) -> Class {
        let Some(synset) = self.synsets.get(&sense) else {
            return Class::Other;
        };
        let above = self.above(sense);
        let below = |roots: &[u32]| above.iter().any(|sense| roots.contains(sense));
        match synset.file {
            PERSON | ANIMAL => Class::Actor,
            _ if below(actors) => Class::Actor,
            _ if below(places) => Class::Place,
            ARTIFACT | FOOD | OBJECT | PLANT | POSSESSION | SUBSTANCE => Class::Item,
            COMMUNICATION if below(written) => Class::Item,
            _ => Class::Other,
        }
    }

    /// A sense and its hypernyms.
    fn above(&self, sense: u32) -> Vec<u32> {
        let mut found = vec![sense];
        let mut next = 0;
        while next < found.len() && found.len() < ABOVE_MAX {
            let above = self.synsets.get(&found[next]);
            for &hypernym in above.iter().flat_map(|synset| &synset.above) {
                if !found.contains(&hypernym) {
                    found.push(hypernym);
                }
            }
            next += 1;
        }
        found
    }

    /// Reads a line of `data.noun`: offset, file, type, number of words (hexadecimal), words with
    /// numbers, number of pointers, pointers.
    fn synset(&mut self, line: u64, text: &str) -> Result<(), Fault> {
        if text.is_empty() || text.starts_with(' ') {
            return Ok(()); // The licence.
        }
        let read = || {
            let mut fields = text.split(' ');
            let offset: u32 = fields.next()?.parse().ok()?;
            let file: u8 = fields.next()?.parse().ok()?;
            let words = usize::from_str_radix(fields.nth(1)?, 16).ok()?;
            let pointers: usize = fields.nth(words.checked_mul(2)?)?.parse().ok()?;
            let mut above = Vec::new();
            for _ in 0..pointers {
                let (sign, target) = (fields.next()?, fields.next()?.parse().ok()?);
                fields.nth(1)?;
                if matches!(sign, "@" | "@i") {
                    above.push(target);
                }
            }
            Some((offset, Synset { file, above }))
        };
        match read() {
            Some((offset, synset)) if self.synsets.len() < SYNSETS_MAX => {
                self.synsets.insert(offset, synset);
                Ok(())
            }
            _ => Err(not_wordnet(DATA, line, "data.noun")),
        }
    }

    /// Reads a line of `index.noun`: lemma, type, number of senses, number of pointers, pointers,
    /// two numbers, offsets.
    fn entry(&mut self, line: u64, text: &str) -> Result<(), Fault> {
        if text.is_empty() || text.starts_with(' ') {
            return Ok(());
        }
        let read = || {
            let mut fields = text.split(' ').filter(|field| !field.is_empty()).skip(2);
            let count: usize = fields.next()?.parse().ok()?;
            let pointers: usize = fields.next()?.parse().ok()?;
            let offsets = fields.skip(pointers.checked_add(2)?).take(count);
            let offsets: Option<Vec<u32>> = offsets.map(|offset| offset.parse().ok()).collect();
            offsets.filter(|offsets| offsets.len() == count)
        };
        // Every line is checked: which words a text has does not change what is refused.
        let Some(offsets) = read() else {
            return Err(not_wordnet(INDEX, line, "index.noun"));
        };
        let lemma = text.split(' ').next().unwrap_or_default();
        let mut roots = PLACES.iter().chain(&WRITTEN).chain(&ACTORS);
        if roots.any(|(name, _)| *name == lemma) || self.words.find(lemma).is_some() {
            self.senses.insert(lemma.to_owned(), offsets);
        }
        Ok(())
    }
}

/// A line that no file of nouns of WordNet has.
fn not_wordnet(file: &'static str, line: u64, name: &'static str) -> Fault {
    let at = Path::root(file);
    fault!(
        UNUSABLE,
        at,
        "line {} is not as in WordNet's {}",
        line,
        name
    )
}
