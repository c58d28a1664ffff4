//! The ids of a world, all of them before anything refers to them.

use super::super::names::{Named, Names};
use crate::mistakes::Mistakes;
use anytime::Path;
use heist::{BURGLAR, Thing};
use std::collections::{BTreeMap, BTreeSet};
use stratagem_proto::v1 as pb;

/// Id of a burglar that has none.
const BURGLAR_ID: &str = "burglar";

/// Takes all ids; notes bad and repeated ones, and that there are rooms and a burglar.
pub(super) fn ids(given: &pb::HeistWorld, at: &Path<'_>, wrong: &mut Mistakes) -> Names {
    let mut names = Names::default();
    let rooms = given.rooms.iter().map(|it| &it.id);
    names.take_list(rooms, Named::Room, &at.field("rooms"), "id", wrong);
    let door = |door| Named::Thing(Thing::Door(door));
    let doors = given.doors.iter().map(|it| &it.id);
    names.take_list(doors, door, &at.field("doors"), "id", wrong);
    let container = |container| Named::Thing(Thing::Container(container));
    let containers = given.containers.iter().map(|it| &it.id);
    let list = at.field("containers");
    names.take_list(containers, container, &list, "id", wrong);
    let machine = |machine| Named::Thing(Thing::Machine(machine));
    let machines = given.machines.iter().map(|it| &it.id);
    names.take_list(machines, machine, &at.field("machines"), "id", wrong);
    let cameras = given.cameras.iter().map(|it| &it.id);
    names.take_list(cameras, Named::Camera, &at.field("cameras"), "id", wrong);
    let keys = given.key_ids.iter();
    names.take_list(keys, Named::Item, &at.field("key_ids"), "", wrong);
    names.take_copies(given);
    let keys = names.keys;
    let artifact = |artifact| Named::Item(keys + artifact);
    let artifacts = given.artifact_ids.iter();
    names.take_list(artifacts, artifact, &at.field("artifact_ids"), "", wrong);
    let burglar = given.burglar.as_ref().map(|it| it.id.as_str());
    let id = match burglar.unwrap_or_default() {
        "" => BURGLAR_ID,
        id => id,
    };
    let burglar_at = at.field("burglar");
    let named = Named::Agent(BURGLAR);
    names.take(&burglar_at.field("id"), id.into(), named, wrong);
    let guard = |guard| Named::Agent(BURGLAR + 1 + guard);
    let guards = given.guards.iter().map(|it| &it.id);
    let list = at.field("guards");
    // Of agents only guards have no usual id.
    for (index, _) in guards.clone().enumerate().filter(|(_, id)| id.is_empty()) {
        wrong.required(&list.index(index).field("id"), None::<()>);
    }
    names.take_list(guards, guard, &list, "id", wrong);
    names
}

impl Names {
    /// Counts keys, of which several have one id: one for each list of a container or agent that
    /// names it.
    fn take_copies(&mut self, given: &pb::HeistWorld) {
        let containers = given.containers.iter().map(|it| &it.item_ids);
        let agents = given.burglar.iter().chain(&given.guards);
        let lists = containers.chain(agents.map(|it| &it.item_ids));
        let mut placed: BTreeMap<&str, usize> = BTreeMap::new();
        for list in lists {
            let ids: BTreeSet<&str> = list.iter().map(String::as_str).collect();
            for id in ids {
                *placed.entry(id).or_default() += 1;
            }
        }
        self.kinds = (0..given.key_ids.len()).collect();
        for (key, id) in given.key_ids.iter().enumerate() {
            // Of keys that are called alike, which is a mistake, the first has all copies.
            let copies = placed.remove(id.as_str()).unwrap_or(1);
            for _ in 1..copies {
                self.items.push(id.clone());
                self.kinds.push(key);
            }
        }
        self.keys = self.items.len();
    }

    /// Takes the ids of a list; without a field, they are its elements.
    fn take_list<'a>(
        &mut self,
        ids: impl Iterator<Item = &'a String>,
        named: impl Fn(usize) -> Named,
        list: &Path<'_>,
        field: &'static str,
        wrong: &mut Mistakes,
    ) {
        for (index, id) in ids.enumerate() {
            let at = list.index(index);
            match field {
                "" => self.take(&at, id.clone(), named(index), wrong),
                field => self.take(&at.field(field), id.clone(), named(index), wrong),
            }
        }
    }
}
