//! What WordNet's nouns tell about words.

use super::lines::{File, Lines};
use super::relations::Counts;
use super::{Class, Corpus, LearnError, LearnReason, WORDNET_BYTES_MAX};
use std::collections::BTreeMap;

/// What a sense of a word counts that is no actor, item or place. A word that *can* be one is one in a story: "school" is an
/// institution first, then a building, and people go to it.
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
/// Whatever is below one of these is a place, although room, house and street are artifacts.
const PLACES: [(&str, u8); 7] = [
    ("location", TOPS),
    ("structure", ARTIFACT),
    ("way", ARTIFACT),
    ("area", ARTIFACT),
    ("geological_formation", OBJECT),
    ("body_of_water", OBJECT),
    ("land", OBJECT),
];
/// Whatever is one of these, or below one, acts.
const ACTORS: [(&str, u8); 3] = [("person", TOPS), ("animal", TOPS), ("people", GROUP)];
/// Whatever is below one of these is written, and can be had.
const WRITTEN: [(&str, u8); 4] = [
    ("writing", COMMUNICATION),
    ("message", COMMUNICATION),
    ("print_media", COMMUNICATION),
    ("medium", COMMUNICATION),
];
/// Most hypernyms above a sense that are looked at.
const ABOVE_MAX: usize = 200;
/// Most sets of synonyms, and most senses of a word.
const SYNSETS_MAX: usize = 500_000;

const DATA: File = File {
    path: "wordnet_data",
    bytes_max: WORDNET_BYTES_MAX,
    too_many: || LearnReason::WordNetBytes,
};
const INDEX: File = File {
    path: "wordnet_index",
    bytes_max: WORDNET_BYTES_MAX,
    too_many: || LearnReason::WordNetBytes,
};

/// Reads `data.noun` and `index.noun` of WordNet 3, both in pieces and in any order.
pub struct WordNet<'c> {
    corpus: &'c Corpus,
    data: Lines,
    index: Lines,
    synsets: BTreeMap<u32, Synset>,
    /// Senses of words of the text and of what places are known by, the most frequent first.
    senses: BTreeMap<String, Vec<u32>>,
}

struct Synset {
    file: u8,
    above: Vec<u32>,
}

impl<'c> WordNet<'c> {
    /// WordNet about the words of `corpus`; others are not kept.
    #[must_use]
    pub fn new(corpus: &'c Corpus) -> Self {
        Self {
            corpus,
            data: Lines::default(),
            index: Lines::default(),
            synsets: BTreeMap::new(),
            senses: BTreeMap::new(),
        }
    }

    /// Reads a piece of `data.noun`.
    ///
    /// # Errors
    /// Lines that are not as in WordNet, binary data, files beyond the limits.
    pub fn data(&mut self, chunk: &[u8]) -> Result<(), LearnError> {
        let synsets = &mut self.synsets;
        self.data
            .push(chunk, DATA, |line, text| synset(synsets, line, text))
    }

    /// Reads a piece of `index.noun`.
    ///
    /// # Errors
    /// As [`WordNet::data`].
    pub fn index(&mut self, chunk: &[u8]) -> Result<(), LearnError> {
        let (corpus, senses) = (self.corpus, &mut self.senses);
        self.index.push(chunk, INDEX, |line, text| {
            entry(corpus, senses, (line, text))
        })
    }

    /// What it tells of each word: counts by class, the i-th sense of a word counting 1 / i.
    ///
    /// # Errors
    /// As [`WordNet::data`]; one file without the other.
    pub fn finish(mut self) -> Result<Counts, LearnError> {
        let synsets = &mut self.synsets;
        self.data
            .finish(DATA, |line, text| synset(synsets, line, text))?;
        let (corpus, senses) = (self.corpus, &mut self.senses);
        self.index
            .finish(INDEX, |line, text| entry(corpus, senses, (line, text)))?;
        let lacks = |missing| {
            let reason = LearnReason::WordNetPart { missing };
            Err(LearnError::new("wordnet", reason))
        };
        if self.synsets.is_empty() {
            return lacks("data.noun");
        }
        if self.senses.is_empty() {
            return lacks("index.noun");
        }
        let [places, written, actors] =
            [&PLACES[..], &WRITTEN, &ACTORS].map(|names| self.roots(names));
        if places.is_empty() {
            return lacks("the noun 'location'");
        }
        let counts = corpus.words().map(|word| {
            let mut counts = [0.0; 4];
            let senses = self.senses.get(&word.text).into_iter().flatten();
            for (rank, &sense) in senses.enumerate() {
                let class = self.class(sense, [&places, &written, &actors]);
                let weight = if class == Class::Other { ABSTRACT } else { 1.0 };
                counts[class as usize] += weight / (rank as f64 + 1.0);
            }
            counts
        });
        Ok(Counts(counts.collect()))
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
}

/// Reads a line of `data.noun`: offset, file, type, number of words (hexadecimal), words with numbers, number of pointers, pointers.
fn synset(synsets: &mut BTreeMap<u32, Synset>, line: u64, text: &str) -> Result<(), LearnError> {
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
        Some((offset, synset)) if synsets.len() < SYNSETS_MAX => {
            synsets.insert(offset, synset);
            Ok(())
        }
        _ => {
            let file = "data.noun";
            let reason = LearnReason::NotWordNet { line, file };
            Err(LearnError::new(DATA.path, reason))
        }
    }
}

/// Reads a line of `index.noun`: lemma, type, number of senses, number of pointers, pointers, two numbers, offsets.
fn entry(
    corpus: &Corpus,
    senses: &mut BTreeMap<String, Vec<u32>>,
    (line, text): (u64, &str),
) -> Result<(), LearnError> {
    if text.is_empty() || text.starts_with(' ') {
        return Ok(());
    }
    let lemma = text.split(' ').next().unwrap_or_default();
    let root = PLACES
        .iter()
        .chain(&WRITTEN)
        .chain(&ACTORS)
        .any(|(name, _)| *name == lemma);
    if !root && corpus.find(lemma).is_none() {
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
    let Some(offsets) = read() else {
        let file = "index.noun";
        let reason = LearnReason::NotWordNet { line, file };
        return Err(LearnError::new(INDEX.path, reason));
    };
    senses.insert(lemma.to_owned(), offsets);
    Ok(())
}
