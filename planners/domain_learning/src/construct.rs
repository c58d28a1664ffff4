//! Construction of a domain from learned words.

use crate::domain::{
    Domain, DomainCheck, Entity, EntityType, Goal, StartPlace, Table, UNREACHABLE,
};
use crate::rules::out_of_range;
use crate::{
    ACTIONS_MAX, Believabilities, CHOSEN_MAX, Class, Learned, LearnedWord, NAME_BYTES_MAX, schemas,
};
use anytime::{Fault, Path, Step, fault};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::{BTreeMap, BTreeSet};

/// How a domain is made of what was learned.
#[derive(Debug, Clone, PartialEq)]
pub struct DomainParams {
    /// Most actors, 1 to [`CHOSEN_MAX`]. Default: 8.
    pub actors: usize,
    /// Most items, 1 to [`CHOSEN_MAX`]. Default: 8.
    pub items: usize,
    /// Most places, 1 to [`CHOSEN_MAX`]. Default: 8.
    pub places: usize,
    /// c of [`Learned::believabilities`] and [`Learned::places`], 0 to 1000. Default: 1.
    pub pseudo_count: f64,
    /// Where entities are at the start: drawn by their probabilities with this seed. None: at their
    /// likeliest places.
    pub seed: Option<u64>,
    /// What stories should come to. None given: a theft, a death, an arrest, a wedding, as far as
    /// there are actions for them.
    pub goals: Vec<Goal>,
    /// Most actions of a story, 1 to [`ACTIONS_MAX`]. Default: 12.
    pub actions_max: usize,
}

impl Default for DomainParams {
    fn default() -> Self {
        Self {
            actors: 8,
            items: 8,
            places: 8,
            pseudo_count: 1.0,
            seed: None,
            goals: Vec::new(),
            actions_max: 12,
        }
    }
}

impl DomainParams {
    pub(crate) fn mistakes(&self) -> Vec<Fault> {
        let counts = [
            ("max_actors", self.actors),
            ("max_items", self.items),
            ("max_places", self.places),
        ];
        let root = Path::root("domain");
        let wrong = counts
            .iter()
            .filter(|(_, given)| !(1..=CHOSEN_MAX).contains(given));
        let wrong = wrong.map(|&(name, given)| {
            fault!(
                "OUT_OF_RANGE",
                root.field(name),
                "1 to {} entities are chosen of a class, {} are asked for",
                CHOSEN_MAX,
                given
            )
        });
        let mut found: Vec<Fault> = wrong.collect();
        let (max, actions) = (ACTIONS_MAX as f64, self.actions_max as f64);
        found.extend(out_of_range(
            &root.field("pseudo_count"),
            self.pseudo_count,
            0.0,
            1000.0,
        ));
        found.extend(out_of_range(&root.field("max_acts"), actions, 1.0, max));
        found
    }
}

impl Learned {
    /// A domain of the words for which there is most evidence: types `actor`, `item` and `place`,
    /// tables of believabilities NAME`_actor` and NAME`_item` for each action, places at the start.
    ///
    /// # Errors
    /// Parameters out of their range, names that are too long; texts in which no actor, item or
    /// place was found, or too few for any goal.
    pub fn domain(&self, params: &DomainParams, check: DomainCheck) -> Result<Domain, Vec<Fault>> {
        let mut mistakes = params.mistakes();
        let classes = [
            (Class::Actor, "an actor", params.actors),
            (Class::Item, "an item", params.items),
            (Class::Place, "a place", params.places),
        ];
        let chosen = classes.map(|(class, name, count)| {
            let words = self.chosen(class, count.clamp(1, CHOSEN_MAX));
            if words.is_empty() {
                let at = Path::root("text");
                mistakes.push(fault!(
                    "TEXT_UNUSABLE",
                    at,
                    "no word of the text is {}",
                    name
                ));
            }
            words
        });
        for &at in chosen.iter().flatten() {
            let given = self.words[at].called().len();
            if given > NAME_BYTES_MAX {
                mistakes.push(fault!(
                    "EDIT_REFUSED",
                    Path::root("edits"),
                    "name of '{}': {} is out of range, 1 to {}",
                    self.words[at].text.as_str(),
                    given,
                    NAME_BYTES_MAX
                ));
            }
        }
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let mut domain = self.draft(&chosen, params);
        if params.goals.is_empty() {
            drop_unreachable_goals(&mut domain, check);
        }
        if domain.goals.is_empty() {
            return Err(vec![fault!(
                "DOMAIN_IMPOSSIBLE",
                Path::root("domain").field("goals"),
                "there is no goal that these actions could reach"
            )]);
        }
        Ok(domain)
    }

    /// The domain of these words, its goals not yet checked.
    fn draft(&self, chosen: &[Vec<usize>; 3], params: &DomainParams) -> Domain {
        let [actors, items, places] = chosen;
        let names = self.names(chosen);
        let name = |at: usize| names.get(&at).cloned().unwrap_or_default();
        let types = ["actor", "item", "place"].iter().zip(chosen);
        let types = types.map(|(kind, words)| EntityType {
            name: (*kind).into(),
            entities: words.iter().map(|&at| self.entity(at, name(at))).collect(),
        });
        let mut tables = Vec::new();
        for (class, words) in [("actor", actors), ("item", items)] {
            let believed = self.believabilities(words, params.pseudo_count);
            tables.extend(self.tables(class, &believed, &name));
        }
        let movable: Vec<usize> = actors.iter().chain(items).copied().collect();
        let likely = self.places(&movable, places, params.pseudo_count);
        let mut rng = params.seed.map(Xoshiro256PlusPlus::seed_from_u64);
        let start_places = movable.iter().zip(&likely.rows);
        let start_places = start_places.map(|(&at, row)| StartPlace {
            entity: name(at),
            place: name(places[pick(row, rng.as_mut())]),
        });
        let actions: Vec<_> = self.kinds.iter().filter_map(|k| k.schema.clone()).collect();
        let goals = if params.goals.is_empty() {
            let names: Vec<&str> = actions.iter().map(|action| action.name.as_str()).collect();
            schemas::goals(&names)
        } else {
            params.goals.clone()
        };
        Domain {
            types: types.collect(),
            attributes: schemas::attributes(),
            start_places: start_places.collect(),
            tables,
            actions,
            goals,
            actions_max: params.actions_max,
        }
    }

    /// Unique names of entities, by index of the word.
    fn names(&self, chosen: &[Vec<usize>; 3]) -> BTreeMap<usize, String> {
        let mut taken = BTreeSet::new();
        let mut names = BTreeMap::new();
        for &at in chosen.iter().flatten() {
            let mut name = self.words[at].called();
            // Renamed words may be called like others; lemmas are unique.
            if !taken.insert(name.clone()) {
                name = format!("{name} ({})", self.words[at].text);
                taken.insert(name.clone());
            }
            names.insert(at, name);
        }
        names
    }

    /// The entity of a word: labelled "the king", but "Holmes" as it is.
    fn entity(&self, word: usize, name: String) -> Entity {
        let word = &self.words[word];
        let is_common = word.name.is_none() && !word.is_name;
        Entity {
            label: is_common.then(|| format!("the {name}")),
            name,
        }
    }

    fn tables(
        &self,
        class: &str,
        believed: &Believabilities,
        name: &impl Fn(usize) -> String,
    ) -> Vec<Table> {
        let each = self.kinds.iter().enumerate().map(|(column, kind)| {
            let rows = believed.words.iter().zip(&believed.rows);
            Table {
                name: format!("{}_{class}", kind.name),
                entries: rows.map(|(&at, row)| (name(at), row[column])).collect(),
                default: believed.others[column],
            }
        });
        each.collect()
    }
}

impl LearnedWord {
    /// What it is called: the name that it was given, or the word, a name with a large first
    /// letter.
    #[must_use]
    pub fn called(&self) -> String {
        if let Some(name) = &self.name {
            return name.clone();
        }
        let mut letters = self.text.chars();
        match letters.next() {
            Some(first) if self.is_name => first.to_uppercase().chain(letters).collect(),
            _ => self.text.clone(),
        }
    }
}

/// Removes goals that no story reaches: a wedding where there is one actor.
fn drop_unreachable_goals(domain: &mut Domain, check: DomainCheck) {
    let mut unreachable = check(domain);
    unreachable.retain(|fault| fault.code == UNREACHABLE);
    let mut index = 0;
    domain.goals.retain(|_| {
        let goal = [Step::Field("goals"), Step::Index(index)];
        index += 1;
        !unreachable.iter().any(|fault| fault.at.starts_with(&goal))
    });
}

/// A column by its probability: the likeliest, or drawn.
fn pick(row: &[f64], rng: Option<&mut Xoshiro256PlusPlus>) -> usize {
    let Some(rng) = rng else {
        let better = |best: usize, column: usize| {
            if row[column] > row[best] {
                column
            } else {
                best
            }
        };
        return (1..row.len()).fold(0, better);
    };
    let mut rest = rng.random::<f64>();
    for (column, probability) in row.iter().enumerate() {
        rest -= probability;
        if rest < 0.0 {
            return column;
        }
    }
    row.len() - 1
}
