//! Evidence for classes of words from relations of ConceptNet (Algorithm 6).

use crate::lines::Lines;
use crate::{Class, Counts, Vocabulary};
use anytime::{Fault, Path, fault};
use std::fmt;

/// `IsA` one of these: an actor. Animals act in fairy tales.
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

const FILE: &str = "relations";
/// Code of the faults of such a file.
const UNUSABLE: &str = "RELATIONS_UNUSABLE";

/// A relation: `AtLocation`, `book`, `library`. Its text is a line as [`Relations`] reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relation<'t> {
    /// Its name.
    pub name: &'t str,
    /// The word that it is about.
    pub head: &'t str,
    /// The other word, or several.
    pub tail: &'t str,
}

impl fmt::Display for Relation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\t{}\t{}", self.name, self.head, self.tail)
    }
}

/// Relations about words, counted by class.
///
/// Lines of three columns between tabs, relation, head, tail (`AtLocation`, `book`, `library`), or
/// of ConceptNet's own dump (URI, `/r/AtLocation`, `/c/en/book/n`, `/c/en/library`, information),
/// of which English is read. Lines that begin with `#` are skipped.
pub struct Relations {
    lines: Lines,
    counted: Counted,
}

/// What was counted.
struct Counted {
    words: Vocabulary,
    counts: Counts,
    used: u64,
}

impl Relations {
    /// Relations about these words; others are not counted.
    #[must_use]
    pub fn new(words: Vocabulary) -> Self {
        let counts = vec![[0.0; 4]; words.words().len()];
        Self {
            lines: Lines::new(FILE, UNUSABLE),
            counted: Counted {
                words,
                counts,
                used: 0,
            },
        }
    }

    /// Reads a piece of the file; `used` gets each relation that is evidence for one of the words.
    ///
    /// # Errors
    /// Lines that are no relations or too long, binary data.
    pub fn push(&mut self, chunk: &[u8], used: &mut impl FnMut(Relation<'_>)) -> Result<(), Fault> {
        let counted = &mut self.counted;
        self.lines.push(chunk, |line, text| {
            counted.add(read(line, text)?, used);
            Ok(())
        })
    }

    /// The evidence for each word.
    ///
    /// # Errors
    /// As [`Relations::push`]; files without evidence for any of the words.
    pub fn finish(mut self, used: &mut impl FnMut(Relation<'_>)) -> Result<Counts, Fault> {
        let counted = &mut self.counted;
        self.lines.finish(|line, text| {
            counted.add(read(line, text)?, used);
            Ok(())
        })?;
        if self.counted.used == 0 {
            let lines = self.lines.count();
            return Err(fault!(
                UNUSABLE,
                Path::root(FILE),
                "none of its {} relations says what a word of the text is",
                lines
            ));
        }
        Ok(self.counted.counts)
    }
}

impl Counted {
    fn add(&mut self, relation: Option<Relation<'_>>, used: &mut impl FnMut(Relation<'_>)) {
        let Some(relation) = relation else {
            return;
        };
        let Relation { name, head, tail } = relation;
        let evidence = [(head, of_head(name, tail)), (tail, of_tail(name))];
        let mut is_used = false;
        for (word, found) in evidence {
            if let (Some((class, weight)), Some(at)) = (found, self.words.find(word)) {
                self.counts[at][class as usize] += weight;
                is_used = true;
            }
        }
        if is_used {
            self.used += 1;
            used(relation);
        }
    }
}

/// Reads a line. None: a comment, or another language.
fn read(line: u64, text: &str) -> Result<Option<Relation<'_>>, Fault> {
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let wrong = || {
        fault!(
            UNUSABLE,
            Path::root(FILE),
            "line {} is no relation: expected are relation, head and tail between tabs, or an \
             assertion of ConceptNet",
            line
        )
    };
    let columns: Vec<&str> = text.split('\t').take(6).collect();
    let (name, head, tail) = match columns[..] {
        [name, head, tail] => (name, head, tail),
        [_, name, head, tail, ..] if name.starts_with("/r/") => {
            let (Some(head), Some(tail)) = (english(head), english(tail)) else {
                return Ok(None);
            };
            (&name[3..], head, tail)
        }
        _ => return Err(wrong()),
    };
    // A relation that is written as a line again has to be read as it was.
    let is_plain = |part: &str| !part.is_empty() && !part.contains(|c: char| c.is_ascii_control());
    if ![name, head, tail].into_iter().all(is_plain) {
        return Err(wrong());
    }
    Ok(Some(Relation { name, head, tail }))
}

/// `/c/en/book/n/wn/artifact`: `book`.
fn english(uri: &str) -> Option<&str> {
    uri.strip_prefix("/c/en/")?.split('/').next()
}

/// The class of a relation's head, with its weight. Hints count half or a quarter: things have
/// places, but so do people.
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

/// The class of a relation's tail, with its weight.
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
