//! Worlds, from the wire.

mod agents;
mod beliefs;
mod ids;
mod places;
mod things;

pub(super) use beliefs::{known_to, knows, set, states};
pub(super) use places::{ItemBeliefs, item_places};

use super::names::{NOTHING, Named, Names};
use crate::mistakes::{Code, Mistakes};
use crate::values::shown;
use anytime::Path;
use heist::museum::{ITEMS_MAX, Layout};
use heist::{Facts, Place, Spec, World};
use stratagem_proto::v1 as pb;

/// A world as read, and its names.
pub(super) struct Read {
    pub spec: Spec,
    pub names: Names,
}

/// What is read, and where the mistakes go.
struct Reader<'w> {
    names: Names,
    wrong: &'w mut Mistakes,
    /// Where each item is, as far as it was read.
    places: Vec<Option<Place>>,
}

/// Reads a world; `None` when there is too much of something.
pub(super) fn read(given: pb::HeistWorld, at: &Path<'_>, wrong: &mut Mistakes) -> Option<Read> {
    if !fits(&given, at, wrong) {
        return None;
    }
    let names = named(&given, at, wrong)?;
    let mut reader = Reader {
        places: vec![None; names.items.len()],
        names,
        wrong,
    };
    let pb::HeistWorld {
        title: _,
        description: _,
        // Their ids are taken, and pictures ask for no more.
        rooms,
        doors,
        containers,
        machines,
        cameras,
        key_ids: _,
        artifact_ids,
        burglar,
        guards,
        costs: _,
    } = given;
    let (doors, door_states) = reader.doors(doors, &at.field("doors"));
    let (containers, container_states) = reader.containers(containers, &at.field("containers"));
    let machines = reader.machines(machines, &at.field("machines"));
    let (cameras, on) = reader.cameras(cameras, &at.field("cameras"));
    let positions = reader.positions(burglar.as_ref(), &guards, at);
    let facts = Facts {
        doors: door_states,
        containers: container_states,
        items: reader.all_placed(),
        cameras: on,
    };
    let agents = reader.agents(burglar, guards, &facts, &positions, at);
    let spec = Spec {
        museum: Layout {
            rooms: rooms.len(),
            doors,
            containers,
            machines,
            cameras,
            keys: reader.names.keys,
            kinds: reader.names.kinds.clone(),
            artifacts: artifact_ids.len(),
        },
        facts,
        agents,
    };
    Some(Read {
        spec,
        names: reader.names,
    })
}

/// The names of a world; `None`: its keys have too many copies.
fn named(given: &pb::HeistWorld, at: &Path<'_>, wrong: &mut Mistakes) -> Option<Names> {
    let names = ids::ids(given, at, wrong);
    let (items, copies) = (names.items.len(), names.keys - given.key_ids.len());
    if items <= ITEMS_MAX {
        return Some(names);
    }
    let why = format!(
        "make {items} keys and artifacts with {copies} further copies of keys, \
         at most {ITEMS_MAX} are allowed"
    );
    wrong.add(&at.field("key_ids"), Code::TooMany, why);
    None
}

/// A valid world; `None` when there are mistakes.
///
/// Also called after mistakes of single fields: what could not be read names nothing, which is
/// reported already, so that the caller gets all mistakes together.
pub(super) fn checked(
    spec: Spec,
    names: &Names,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<World> {
    match World::new(spec) {
        Ok(world) => wrong.is_empty().then_some(world),
        Err(mut faults) => {
            // Elements are found by their ids: only what could not be read names one that does
            // not exist, and that is reported already.
            faults.retain(|fault| fault.code != "UNKNOWN");
            wrong.add_faults(&faults, names, at);
            None
        }
    }
}

/// Whether there are few enough keys and artifacts together.
fn fits(given: &pb::HeistWorld, at: &Path<'_>, wrong: &mut Mistakes) -> bool {
    let items = given.key_ids.len() + given.artifact_ids.len();
    if items > ITEMS_MAX {
        let why = format!("make {items} keys and artifacts, at most {ITEMS_MAX} are allowed");
        wrong.add(&at.field("artifact_ids"), Code::TooMany, why);
    }
    items <= ITEMS_MAX
}

impl Reader<'_> {
    /// A list of different things; those that could be read.
    fn different<T: PartialEq + Copy>(
        &mut self,
        ids: &[String],
        at: &Path<'_>,
        most: usize,
        find: impl Fn(&Names, &Path<'_>, &str, &mut Mistakes) -> Option<T>,
    ) -> Vec<T> {
        let mut found = Vec::new();
        if !self.wrong.size(at, ids.len(), most) {
            return found;
        }
        for (index, id) in ids.iter().enumerate() {
            let at = at.index(index);
            let Some(one) = find(&self.names, &at, id, self.wrong) else {
                continue;
            };
            if found.contains(&one) {
                let why = format!("is {}, which is in this list already", shown(id));
                self.wrong.add(&at, Code::Duplicate, why);
            } else {
                found.push(one);
            }
        }
        found
    }

    /// Puts items into one place each.
    fn put(&mut self, ids: &[String], at: &Path<'_>, place: Place) {
        for (index, id) in ids.iter().enumerate() {
            let at = at.index(index);
            let found = match place {
                // A container in a container gets a message of its own.
                Place::In(_) => {
                    let wanted = "containers hold keys and artifacts: one of these";
                    let take = |named| match named {
                        Named::Item(item) => Some(item),
                        _ => None,
                    };
                    self.names.find(&at, id, wanted, &mut *self.wrong, take)
                }
                _ => self.names.item(&at, id, self.wrong),
            };
            let Some(item) = found else {
                continue;
            };
            let copies = self.names.copies(item);
            let here = copies.iter().any(|it| self.places[*it] == Some(place));
            let free = copies.iter().find(|it| self.places[**it].is_none());
            match free.filter(|_| !here) {
                Some(free) => self.places[*free] = Some(place),
                None => {
                    let before = self.places[item].unwrap_or(place);
                    let before = if here { place } else { before };
                    let (id, before) = (shown(id), self.names.place(before));
                    let why = format!("is {id}, which is {before} already");
                    self.wrong.add(&at, Code::Duplicate, why);
                }
            }
        }
    }

    /// Where items are; the planner reports those that are nowhere.
    fn all_placed(&self) -> Vec<Place> {
        let places = self.places.iter();
        places
            .map(|place| place.unwrap_or(Place::Unknown))
            .collect()
    }

    /// A room, or an index that none has.
    fn room(&mut self, at: &Path<'_>, id: &str) -> usize {
        self.names.room(at, id, self.wrong).unwrap_or(NOTHING)
    }
}
