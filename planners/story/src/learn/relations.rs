//! What relations of ConceptNet tell about words (Algorithm 6).

use super::lines::{File, Lines};
use super::{Class, Corpus, LearnError, LearnReason, RELATION_BYTES_MAX};

/// `IsA` one of these: somebody. Animals act in fairy tales.
const ACTORS: [&str; 34] = [
    "adult",
    "animal",
    "bird",
    "boy",
    "character",
    "child",
    "creature",
    "girl",
    "human",
    "job",
    "leader",
    "mammal",
    "man",
    "occupation",
    "parent",
    "people",
    "person",
    "pet",
    "profession",
    "professional",
    "relative",
    "ruler",
    "somebody",
    "someone",
    "title",
    "woman",
    "worker",
    "being",
    "monarch",
    "royalty",
    "animals",
    "humans",
    "persons",
    "family",
];
/// `IsA` one of these: somewhere.
const PLACES: [&str; 17] = [
    "area",
    "building",
    "city",
    "country",
    "district",
    "land",
    "landform",
    "location",
    "place",
    "region",
    "road",
    "room",
    "state",
    "street",
    "structure",
    "town",
    "water",
];
/// `IsA` one of these: something to have.
const ITEMS: [&str; 26] = [
    "clothing",
    "container",
    "device",
    "food",
    "fruit",
    "furniture",
    "garment",
    "gun",
    "instrument",
    "item",
    "jewelry",
    "knife",
    "machine",
    "material",
    "money",
    "object",
    "ornament",
    "tool",
    "toy",
    "utensil",
    "vehicle",
    "weapon",
    "thing",
    "book",
    "currency",
    "footwear",
];

const FILE: File = File {
    path: "relations",
    bytes_max: RELATION_BYTES_MAX,
    too_many: || LearnReason::RelationBytes,
};

/// Relations about the words of a text, counted by what they tell.
///
/// Lines of three columns between tabs, relation, head, tail (`AtLocation`, `book`, `library`), or of ConceptNet's own dump (URI,
/// `/r/AtLocation`, `/c/en/book/n`, `/c/en/library`, information), of which English is read. Lines that begin with `#` are skipped.
pub struct Relations<'c> {
    corpus: &'c Corpus,
    lines: Lines,
    counts: Vec<[f64; 4]>,
    used: u64,
}

impl<'c> Relations<'c> {
    /// Relations about the words of `corpus`; those about others are not kept.
    #[must_use]
    pub fn new(corpus: &'c Corpus) -> Self {
        Self {
            corpus,
            lines: Lines::default(),
            counts: vec![[0.0; 4]; corpus.words().len()],
            used: 0,
        }
    }

    /// Reads a piece of the file.
    ///
    /// # Errors
    /// Lines that are no relations, binary data, files beyond the limits.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), LearnError> {
        let (corpus, counts, used) = (self.corpus, &mut self.counts, &mut self.used);
        self.lines.push(chunk, FILE, |line, text| {
            *used += u64::from(read(corpus, counts, (line, text))?);
            Ok(())
        })
    }

    /// What they tell of each word: counts by class.
    ///
    /// # Errors
    /// As [`Relations::push`]; files none of whose relations is about a word of the text.
    pub fn finish(mut self) -> Result<Counts, LearnError> {
        let (corpus, counts, used) = (self.corpus, &mut self.counts, &mut self.used);
        self.lines.finish(FILE, |line, text| {
            *used += u64::from(read(corpus, counts, (line, text))?);
            Ok(())
        })?;
        if self.used == 0 {
            let lines = self.lines.count();
            let reason = LearnReason::NoRelation { lines };
            return Err(LearnError::new(FILE.path, reason));
        }
        Ok(Counts(self.counts))
    }
}

/// How much speaks for which class, for each word of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Counts(pub(super) Vec<[f64; 4]>);

/// Counts a line; whether it is about a word of the text.
fn read(
    corpus: &Corpus,
    counts: &mut [[f64; 4]],
    (line, text): (u64, &str),
) -> Result<bool, LearnError> {
    if text.is_empty() || text.starts_with('#') {
        return Ok(false);
    }
    let wrong = || LearnError::new(FILE.path, LearnReason::NotRelation { line });
    let columns: Vec<&str> = text.split('\t').take(6).collect();
    let (relation, head, tail) = match columns[..] {
        [relation, head, tail] => (relation, head, tail),
        [_, relation, head, tail, ..] if relation.starts_with("/r/") => {
            let (Some(head), Some(tail)) = (english(head), english(tail)) else {
                return Ok(false);
            };
            (&relation[3..], head, tail)
        }
        _ => return Err(wrong()),
    };
    if relation.is_empty() || head.is_empty() || tail.is_empty() {
        return Err(wrong());
    }
    let (head_at, tail_at) = (corpus.find(head), corpus.find(tail));
    if let Some(word) = head_at {
        add(&mut counts[word], of_head(relation, tail));
    }
    if let Some(word) = tail_at {
        add(&mut counts[word], of_tail(relation));
    }
    Ok(head_at.is_some() || tail_at.is_some())
}

/// `/c/en/book/n/wn/artifact`: `book`.
fn english(uri: &str) -> Option<&str> {
    uri.strip_prefix("/c/en/")?.split('/').next()
}

fn add(counts: &mut [f64; 4], told: Option<(Class, f64)>) {
    if let Some((class, weight)) = told {
        counts[class as usize] += weight;
    }
}

/// What a relation tells of its head. Hints count half or a quarter: things have places, but so do people.
fn of_head(relation: &str, tail: &str) -> Option<(Class, f64)> {
    match relation {
        "IsA" => Some(is_a(tail)),
        "Desires" | "CapableOf" | "NotDesires" => Some((Class::Actor, 1.0)),
        "UsedFor" | "MadeOf" | "ReceivesAction" => Some((Class::Item, 1.0)),
        "AtLocation" | "LocatedNear" => Some((Class::Item, 0.5)),
        "HasProperty" | "PartOf" => Some((Class::Other, 0.25)),
        _ => None,
    }
}

/// What a relation tells of its tail.
fn of_tail(relation: &str) -> Option<(Class, f64)> {
    match relation {
        "AtLocation" | "LocatedNear" => Some((Class::Place, 1.0)),
        "HasA" => Some((Class::Item, 0.5)),
        "HasProperty" | "Desires" | "CapableOf" | "UsedFor" => Some((Class::Other, 1.0)),
        _ => None,
    }
}

fn is_a(tail: &str) -> (Class, f64) {
    let lists = [&ACTORS[..], &PLACES, &ITEMS];
    let classes = [Class::Actor, Class::Place, Class::Item];
    let any = |list: &[&str]| tail.split([' ', '_']).any(|word| list.contains(&word));
    let found = lists.iter().zip(classes).find(|(list, _)| any(list));
    found.map_or((Class::Other, 0.5), |(_, class)| (class, 1.0))
}
