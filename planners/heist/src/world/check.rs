//! Validation of a world. Paths are those of the contract's `HeistWorld`.

use super::{AGENTS_MAX, BURGLAR, Facts, Goal, LockState, Place, ROUTE_MAX, Spec, VISITS_MAX};
use crate::museum::{
    CAMERAS_MAX, CONTAINERS_MAX, DELAY_MAX, DOORS_MAX, FITTING_MAX, ITEMS_MAX, Layout,
    MACHINES_MAX, ROOMS_MAX, Thing,
};
use anytime::check::{required, unknown};
use anytime::{Fault, Path, element, fault};
use std::collections::BTreeSet;

pub(super) fn check(spec: &Spec) -> Vec<Fault> {
    let mut check = Check {
        spec,
        faults: sizes(spec),
    };
    // What follows looks at every element: not while there are too many.
    if check.faults.is_empty() {
        check.museum();
        check.facts(&spec.facts, None);
        let guards = Path::root("guards");
        for agent in 0..spec.agents.len() {
            let at = match agent.checked_sub(BURGLAR + 1) {
                None => Path::root("burglar"),
                Some(guard) => guards.index(guard),
            };
            check.agent(agent, &at);
        }
    }
    check.faults
}

fn sizes(spec: &Spec) -> Vec<Fault> {
    let mut faults = Vec::new();
    let museum = &spec.museum;
    let mut count = |field: &'static str, given: usize, min: usize, max: usize| {
        let at = Path::root(field);
        if given == 0 && field == "rooms" {
            faults.push(required(&at));
        } else if !(min..=max).contains(&given) {
            faults.push(fault!(
                "TOO_MANY",
                at,
                "make {}, {} to {} are allowed",
                given,
                min,
                max
            ));
        }
    };
    count("rooms", museum.rooms, 1, ROOMS_MAX);
    count("doors", museum.doors.len(), 0, DOORS_MAX);
    count("containers", museum.containers.len(), 0, CONTAINERS_MAX);
    count("machines", museum.machines.len(), 0, MACHINES_MAX);
    count("cameras", museum.cameras.len(), 0, CAMERAS_MAX);
    let items = museum.keys.saturating_add(museum.artifacts);
    count("artifact_ids", items, 0, ITEMS_MAX);
    // With the burglar.
    count("guards", spec.agents.len(), 1, AGENTS_MAX);
    faults
}

struct Check<'a> {
    spec: &'a Spec,
    faults: Vec<Fault>,
}

impl Check<'_> {
    fn museum(&mut self) {
        let museum = &self.spec.museum;
        self.kinds();
        let mut fits = vec![false; museum.keys];
        let doors = Path::root("doors");
        for (index, door) in museum.doors.iter().enumerate() {
            let at = doors.index(index);
            let ([a, b], b_at) = (door.ends, at.field("b_room_id"));
            self.room(a, &at.field("a_room_id"));
            self.room(b, &b_at);
            if a == b {
                let room = element("room", a);
                let fault = fault!("SELF_LOOP", b_at, "is {}, as is the other side", room);
                self.faults.push(fault);
            }
            self.lock(&door.keys, &mut fits, &at.field("key_ids"));
        }
        let containers = Path::root("containers");
        for (index, container) in museum.containers.iter().enumerate() {
            let at = containers.index(index);
            self.room(container.room, &at.field("room_id"));
            self.lock(&container.keys, &mut fits, &at.field("key_ids"));
        }
        let machines = Path::root("machines");
        for (index, machine) in museum.machines.iter().enumerate() {
            let (at, delay) = (machines.index(index), machine.delay);
            self.room(machine.room, &at.field("room_id"));
            if !(1..=DELAY_MAX).contains(&delay) {
                let at = at.field("delay_ticks");
                let fault = fault!("OUT_OF_RANGE", at, "is {}, not 1 to {}", delay, DELAY_MAX);
                self.faults.push(fault);
            }
        }
        let cameras = Path::root("cameras");
        for (index, room) in museum.cameras.iter().enumerate() {
            self.room(*room, &cameras.index(index).field("room_id"));
        }
        self.idle_keys(&fits);
    }

    /// Each key names the lowest of its kind.
    fn kinds(&mut self) {
        let museum = &self.spec.museum;
        let (kinds, keys) = (museum.kinds.len(), museum.keys);
        let at = Path::root("key_ids");
        if kinds != 0 && kinds != keys {
            let fault = fault!("WRONG_SIZE", at, "are {} with {} kinds", keys, kinds);
            self.faults.push(fault);
        }
        for (key, &kind) in museum.kinds.iter().enumerate() {
            if kind > key || museum.kinds[kind] != kind {
                let (at, kind) = (at.index(key), element("item", kind));
                let fault = fault!("CONTRADICTION", at, "copies {}, itself a copy", kind);
                self.faults.push(fault);
            }
        }
    }

    /// Each key fits something. Copies are reported once.
    fn idle_keys(&mut self, fits: &[bool]) {
        let museum = &self.spec.museum;
        let fitting = fits.iter().enumerate().filter(|(_, fits)| **fits);
        let fitting: BTreeSet<usize> = fitting.map(|(key, _)| museum.kind(key)).collect();
        let kinds = (0..museum.keys).filter(|key| museum.kind(*key) == *key);
        let at = Path::root("key_ids");
        for key in kinds.filter(|key| !fitting.contains(key)) {
            self.faults.push(fault!(
                "FITS_NOTHING",
                at.index(key),
                "is {}, which fits no door and no container",
                element("item", key)
            ));
        }
    }

    /// A list of the keys that fit a lock.
    fn lock(&mut self, keys: &[usize], fits: &mut [bool], at: &Path<'_>) {
        let different: BTreeSet<usize> = keys.iter().copied().collect();
        let kinds = keys.iter().map(|key| self.spec.museum.kind(*key));
        // Copies do not count, and what is named twice does.
        let given = if different.len() == keys.len() {
            kinds.collect::<BTreeSet<_>>().len()
        } else {
            keys.len()
        };
        if given > FITTING_MAX {
            let fault = fault!("TOO_MANY", at, "are {}, at most {} fit", given, FITTING_MAX);
            self.faults.push(fault);
            return;
        }
        self.items(keys, at);
        for &item in keys {
            if let Some(fits) = fits.get_mut(item) {
                *fits = true;
            } else if item < items(&self.spec.museum) {
                let artifact = element("item", item);
                let fault = fault!("WRONG_KIND", at, "name {}, which is an artifact", artifact);
                self.faults.push(fault);
            }
        }
    }

    /// A list of items, which exist and differ.
    fn items(&mut self, list: &[usize], at: &Path<'_>) {
        for (index, &item) in list.iter().enumerate() {
            let (at, name) = (at.index(index), element("item", item));
            if item >= items(&self.spec.museum) {
                let fault = unknown(&at, name);
                self.faults.push(fault);
            } else if list[..index].contains(&item) {
                let fault = fault!(
                    "DUPLICATE",
                    at,
                    "is {}, which is in this list already",
                    name
                );
                self.faults.push(fault);
            }
        }
    }

    /// Whether a room exists.
    fn room(&mut self, room: usize, at: &Path<'_>) -> bool {
        let exists = room < self.spec.museum.rooms;
        if !exists {
            let room = element("room", room);
            let fault = unknown(at, room);
            self.faults.push(fault);
        }
        exists
    }

    /// Facts, or the facts that an agent believes, whose belief is at this path.
    fn facts(&mut self, facts: &Facts, belief: Option<&Path<'_>>) {
        let museum = &self.spec.museum;
        let whole = belief.unwrap_or(&Path::WHOLE);
        for (what, given, wanted) in [
            ("doors", facts.doors.len(), museum.doors.len()),
            (
                "containers",
                facts.containers.len(),
                museum.containers.len(),
            ),
            ("items", facts.items.len(), items(museum)),
            ("cameras", facts.cameras.len(), museum.cameras.len()),
        ] {
            self.length(what, given, wanted, whole);
        }
        self.states("doors", &facts.doors, belief);
        self.states("containers", &facts.containers, belief);
        let (keys, artifacts) = (Path::root("key_ids"), Path::root("artifact_ids"));
        for (item, place) in facts.items.iter().enumerate() {
            let at = match (belief, item.checked_sub(museum.keys)) {
                (Some(belief), _) => belief.field("items"),
                (None, None) => keys.index(item),
                (None, Some(artifact)) => artifacts.index(artifact),
            };
            let exists = match *place {
                Place::In(container) => container < museum.containers.len(),
                Place::With(agent) => agent < self.spec.agents.len(),
                Place::Unknown => true,
            };
            let name = element("item", item);
            if !exists {
                let fault = fault!("UNKNOWN", at, "is {}, in a place that does not exist", name);
                self.faults.push(fault);
            } else if *place == Place::Unknown && belief.is_none() {
                self.faults.push(fault!(
                    "NOWHERE",
                    at,
                    "is {}, which is in no container and with no agent",
                    name
                ));
            }
        }
    }

    fn length(&mut self, what: &str, given: usize, wanted: usize, at: &Path<'_>) {
        if given != wanted {
            let fault = fault!("WRONG_SIZE", at, "has {} {}, not {}", given, what, wanted);
            self.faults.push(fault);
        }
    }

    fn states(&mut self, list: &'static str, states: &[LockState], belief: Option<&Path<'_>>) {
        let list_at = Path::root(list);
        let states = states.iter().enumerate();
        for (index, _) in states.filter(|(_, state)| state.open && state.locked) {
            let thing = list_at.index(index);
            let at = belief.map_or_else(|| thing.field("lock_state"), |at| at.field("states"));
            let thing = thing.to_string();
            let fault = fault!("CONTRADICTION", at, "has {} open and locked", thing);
            self.faults.push(fault);
        }
    }

    fn agent(&mut self, agent: usize, at: &Path<'_>) {
        let it = &self.spec.agents[agent];
        let room = it.position.room;
        if self.room(room, &at.field("room_id"))
            && let Some(thing) = it.position.at.filter(|thing| !self.stands_in(*thing, room))
        {
            let (at, thing, room) = (at.field("at_id"), thing.named(), element("room", room));
            let fault = fault!(
                "ELSEWHERE",
                at,
                "is {}, which does not stand in {}",
                thing,
                room
            );
            self.faults.push(fault);
        }
        self.goal(&it.goal, &at.field("goal"));
        let belief_at = at.field("belief");
        self.facts(&it.belief.facts, Some(&belief_at));
        let places = self.spec.facts.items.iter().zip(&it.belief.facts.items);
        for (item, (fact, belief)) in places.enumerate() {
            let mine = Place::With(agent);
            if (*fact == mine) != (*belief == mine) {
                self.faults.push(fault!(
                    "CONTRADICTION",
                    belief_at.field("items"),
                    "are wrong about {}, which the agent holds or believes to hold",
                    element("item", item)
                ));
            }
        }
        let (given, wanted) = (it.belief.agents.len(), self.spec.agents.len());
        self.length("agents", given, wanted, &belief_at);
        if given == wanted {
            self.believed_rooms(&it.belief.agents);
        }
    }

    /// The rooms of other agents in a belief: on the wire, the rooms where these agents are.
    fn believed_rooms(&mut self, rooms: &[Option<usize>]) {
        let guards = Path::root("guards");
        for (other, room) in rooms.iter().enumerate() {
            let at = match other.checked_sub(BURGLAR + 1) {
                None => Path::root("burglar"),
                Some(guard) => guards.index(guard),
            };
            if let Some(room) = room {
                self.room(*room, &at.field("room_id"));
            }
        }
    }

    fn goal(&mut self, goal: &Goal, at: &Path<'_>) {
        self.items(&goal.items, &at.field("item_ids"));
        let visits_at = at.field("visit_room_ids");
        let given = goal.visits.len();
        let max = if goal.in_order { ROUTE_MAX } else { VISITS_MAX };
        if given > max {
            let fault = fault!(
                "TOO_MANY",
                visits_at,
                "are {}, at most {} are allowed",
                given,
                max
            );
            self.faults.push(fault);
            return;
        }
        for (visit, &room) in goal.visits.iter().enumerate() {
            let at = visits_at.index(visit);
            let exists = self.room(room, &at);
            if exists && !goal.in_order && goal.visits[..visit].contains(&room) {
                let room = element("room", room);
                let fault = fault!(
                    "DUPLICATE",
                    at,
                    "is {}, which is in this list already",
                    room
                );
                self.faults.push(fault);
            }
        }
        if let Some(room) = goal.room {
            self.room(room, &at.field("end_room_id"));
        }
        if goal.items.is_empty() && goal.visits.is_empty() && goal.room.is_none() {
            self.faults.push(fault!(
                "REQUIRED",
                at,
                "names nothing: items, rooms to visit or a room at the end are required"
            ));
        }
    }

    /// Whether a thing exists and stands in a room.
    fn stands_in(&self, thing: Thing, room: usize) -> bool {
        let museum = &self.spec.museum;
        match thing {
            Thing::Door(door) => museum
                .doors
                .get(door)
                .is_some_and(|it| it.ends.contains(&room)),
            Thing::Container(it) => museum.containers.get(it).is_some_and(|it| it.room == room),
            Thing::Machine(it) => museum.machines.get(it).is_some_and(|it| it.room == room),
        }
    }
}

fn items(museum: &Layout) -> usize {
    museum.keys + museum.artifacts
}
