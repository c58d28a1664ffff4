//! Valid PDDL names for ids, and back.
//!
//! Names of PDDL have letters, digits, `-` and `_`, begin with a letter and ignore case. Ids that
//! are such names are unchanged; others get a similar name, with a number if that is taken. Names
//! depend on the problem only.

use std::collections::BTreeMap;
use stratagem_render::heist::Scene;

/// Longest name, in letters, before a number is added.
const LETTERS_MAX: usize = 60;
/// Words of PDDL and of our domain, which are no good names for things.
const RESERVED: &[&str] = &[
    "agent",
    "and",
    "approach",
    "artifact",
    "close",
    "connects",
    "container",
    "define",
    "domain",
    "door",
    "due",
    "either",
    "enter",
    "enter-as-due",
    "exists",
    "fits",
    "followed-by",
    "forall",
    "has",
    "heist",
    "heist-in-order",
    "imply",
    "in",
    "item",
    "key",
    "leaf",
    "located",
    "lock",
    "locked",
    "machine",
    "near",
    "not",
    "object",
    "open",
    "opened",
    "operate",
    "operated",
    "or",
    "pick-up",
    "place-on-list",
    "problem",
    "reached",
    "room",
    "thing",
    "unlock",
    "visited",
    "when",
];
/// What somebody stands at who stands at nothing.
const NOTHING: &str = "start";

/// The names of all ids of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    names: BTreeMap<String, String>,
    ids: BTreeMap<String, String>,
    nothing: String,
    places: Vec<String>,
}

impl Names {
    /// Names for a problem.
    #[must_use]
    pub fn new(scene: &Scene<'_>) -> Self {
        Self::with_list(scene, 0)
    }

    /// Names for a problem with a list of rooms to visit: one place more than rooms, if there are
    /// any.
    #[must_use]
    pub fn with_list(scene: &Scene<'_>, visits: usize) -> Self {
        let world = scene.world;
        let things = world.doors.iter().map(|d| d.id.as_str());
        let things = things.chain(world.containers.iter().map(|c| c.id.as_str()));
        let things = things.chain(world.machines.iter().map(|m| m.id.as_str()));
        let rooms = world.rooms.iter().map(|r| r.id.as_str());
        let all = std::iter::once(scene.name()).chain(rooms).chain(things);
        let all: Vec<&str> = all.chain(scene.items()).collect();
        let mut names = Self {
            names: BTreeMap::new(),
            ids: BTreeMap::new(),
            nothing: String::new(),
            places: Vec::new(),
        };
        // Those that can stay come first, so that nobody takes their names.
        for id in all.iter().filter(|id| is_name(id)) {
            names.add(id, (*id).to_owned());
        }
        for id in all.iter().filter(|id| !is_name(id)) {
            let name = names.free(like(id));
            names.add(id, name);
        }
        names.nothing = names.free(NOTHING.into());
        if visits > 0 {
            let places = (0..=visits).map(|n| names.free(format!("place-{n}-on-list")));
            names.places = places.collect();
        }
        names
    }

    fn add(&mut self, id: &str, name: String) {
        self.ids
            .entry(name.clone())
            .or_insert_with(|| id.to_owned());
        self.names.entry(id.to_owned()).or_insert(name);
    }

    fn free(&self, like: String) -> String {
        let taken = |name: &String| self.ids.contains_key(name) || RESERVED.contains(&&**name);
        if !taken(&like) {
            return like;
        }
        let numbered = (2..).map(|n: u64| format!("{like}-{n}"));
        // There are fewer names than numbers.
        numbered
            .into_iter()
            .find(|name| !taken(name))
            .unwrap_or(like)
    }

    /// The name of an id.
    #[must_use]
    pub fn name(&self, id: &str) -> &str {
        self.names.get(id).map_or("unknown", String::as_str)
    }

    /// The id of a name, in capitals or not.
    #[must_use]
    pub fn id(&self, name: &str) -> Option<&str> {
        self.ids.get(&name.to_ascii_lowercase()).map(String::as_str)
    }

    /// Name of what somebody stands at who stands at nothing.
    #[must_use]
    pub fn nothing(&self) -> &str {
        &self.nothing
    }

    /// Names of the places on a list, the first one where it begins.
    pub fn places(&self) -> impl Iterator<Item = &str> {
        self.places.iter().map(String::as_str)
    }

    /// Names with the ids that they are not.
    pub fn changed(&self) -> impl Iterator<Item = (&str, &str)> {
        let differ = self.ids.iter().filter(|(name, id)| name != id);
        differ.map(|(name, id)| (name.as_str(), id.as_str()))
    }
}

fn is_name(id: &str) -> bool {
    let begins = id.starts_with(|c: char| c.is_ascii_lowercase());
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    begins && id.chars().all(letters) && !RESERVED.contains(&id)
}

/// A name that is like an id.
fn like(id: &str) -> String {
    let letter = |c: char| match c.to_ascii_lowercase() {
        c if c.is_ascii_alphanumeric() || c == '_' => c,
        _ => '-',
    };
    let name: String = id.chars().take(LETTERS_MAX).map(letter).collect();
    if name.starts_with(|c: char| c.is_ascii_lowercase()) {
        name
    } else {
        format!("n-{name}")
    }
}
