//! Validation of a world.

use super::{AGENTS_MAX, Facts, Goal, LockState, Place, ROUTE_MAX, Spec, VISITS_MAX};
use crate::errors::{Picture, Subject, WorldError};
use crate::museum::{
    CAMERAS_MAX, CONTAINERS_MAX, DELAY_MAX, DOORS_MAX, FITTING_MAX, ITEMS_MAX, Layout,
    MACHINES_MAX, ROOMS_MAX, Thing,
};
use std::collections::BTreeSet;

pub(super) fn check(spec: &Spec) -> Vec<WorldError> {
    let mut check = Check {
        spec,
        errors: sizes(spec),
    };
    // What follows looks at every element: not while there are too many.
    if check.errors.is_empty() {
        check.museum();
        check.picture(Picture::Facts, &spec.facts);
        for agent in 0..spec.agents.len() {
            check.agent(agent);
        }
    }
    check.errors
}

fn sizes(spec: &Spec) -> Vec<WorldError> {
    let mut errors = Vec::new();
    let museum = &spec.museum;
    if museum.rooms == 0 {
        errors.push(WorldError::NoRooms);
    }
    let mut most = |given: usize, max: usize, error: fn(usize) -> WorldError| {
        if given > max {
            errors.push(error(given));
        }
    };
    most(museum.rooms, ROOMS_MAX, |given| WorldError::TooManyRooms {
        given,
    });
    most(museum.doors.len(), DOORS_MAX, |given| {
        WorldError::TooManyDoors { given }
    });
    most(museum.containers.len(), CONTAINERS_MAX, |given| {
        WorldError::TooManyContainers { given }
    });
    most(museum.machines.len(), MACHINES_MAX, |given| {
        WorldError::TooManyMachines { given }
    });
    most(museum.cameras.len(), CAMERAS_MAX, |given| {
        WorldError::TooManyCameras { given }
    });
    let items = museum.keys.saturating_add(museum.artifacts);
    most(items, ITEMS_MAX, |given| WorldError::TooManyItems { given });
    let given = spec.agents.len();
    if given == 0 || given > AGENTS_MAX {
        errors.push(WorldError::AgentCount { given });
    }
    errors
}

struct Check<'a> {
    spec: &'a Spec,
    errors: Vec<WorldError>,
}

impl Check<'_> {
    fn museum(&mut self) {
        let museum = &self.spec.museum;
        self.kinds();
        let mut fits = vec![false; museum.keys];
        for (index, door) in museum.doors.iter().enumerate() {
            let thing = Thing::Door(index);
            let [a, b] = door.ends;
            self.room(Subject::Thing(thing), a);
            self.room(Subject::Thing(thing), b);
            if a == b {
                let error = WorldError::DoorToItself {
                    door: index,
                    room: a,
                };
                self.errors.push(error);
            }
            self.lock(thing, &door.keys, &mut fits);
        }
        for (index, container) in museum.containers.iter().enumerate() {
            let thing = Thing::Container(index);
            self.room(Subject::Thing(thing), container.room);
            self.lock(thing, &container.keys, &mut fits);
        }
        for (machine, it) in museum.machines.iter().enumerate() {
            self.room(Subject::Thing(Thing::Machine(machine)), it.room);
            if !(1..=DELAY_MAX).contains(&it.delay) {
                let delay = it.delay;
                self.errors.push(WorldError::Delay { machine, delay });
            }
        }
        for (camera, room) in museum.cameras.iter().enumerate() {
            self.room(Subject::Camera(camera), *room);
        }
        let fitting = fits.iter().enumerate().filter(|(_, fits)| **fits);
        let fitting: BTreeSet<usize> = fitting.map(|(key, _)| museum.kind(key)).collect();
        // Copies are reported once.
        let kinds = (0..museum.keys).filter(|key| museum.kind(*key) == *key);
        let idle = kinds.filter(|key| !fitting.contains(key));
        self.errors
            .extend(idle.map(|key| WorldError::KeyFitsNothing { key }));
    }

    /// Each key names the lowest of its kind.
    fn kinds(&mut self) {
        let museum = &self.spec.museum;
        let (given, keys) = (museum.kinds.len(), museum.keys);
        if given != 0 && given != keys {
            self.errors.push(WorldError::Kinds { given, keys });
        }
        for (key, &kind) in museum.kinds.iter().enumerate() {
            if kind > key || museum.kinds[kind] != kind {
                self.errors.push(WorldError::Kind { key, kind });
            }
        }
    }

    fn lock(&mut self, thing: Thing, keys: &[usize], fits: &mut [bool]) {
        let different: BTreeSet<usize> = keys.iter().copied().collect();
        let kinds = keys.iter().map(|key| self.spec.museum.kind(*key));
        // Copies do not count, and what is named twice does.
        let given = if different.len() == keys.len() {
            kinds.collect::<BTreeSet<_>>().len()
        } else {
            keys.len()
        };
        if given > FITTING_MAX {
            self.errors
                .push(WorldError::TooManyFitting { thing, given });
            return;
        }
        self.items(Subject::Thing(thing), keys);
        for &item in keys {
            match fits.get_mut(item) {
                Some(fits) => *fits = true,
                None if item < items(&self.spec.museum) => {
                    self.errors.push(WorldError::ArtifactAsKey { thing, item });
                }
                // Reported already.
                None => {}
            }
        }
    }

    /// A list of items, which exist and differ.
    fn items(&mut self, subject: Subject, list: &[usize]) {
        let items = items(&self.spec.museum);
        for (index, &item) in list.iter().enumerate() {
            if item >= items {
                self.errors.push(WorldError::UnknownItem {
                    subject,
                    item,
                    items,
                });
            } else if list[..index].contains(&item) {
                self.errors.push(WorldError::ItemRepeated { subject, item });
            }
        }
    }

    fn room(&mut self, subject: Subject, room: usize) -> bool {
        let rooms = self.spec.museum.rooms;
        if room >= rooms {
            self.errors.push(WorldError::UnknownRoom {
                subject,
                room,
                rooms,
            });
        }
        room < rooms
    }

    fn picture(&mut self, picture: Picture, facts: &Facts) {
        let museum = &self.spec.museum;
        let lengths = [
            ("doors", facts.doors.len(), museum.doors.len()),
            (
                "containers",
                facts.containers.len(),
                museum.containers.len(),
            ),
            ("items", facts.items.len(), items(museum)),
            ("cameras", facts.cameras.len(), museum.cameras.len()),
        ];
        for (what, given, expected) in lengths {
            if given != expected {
                self.errors.push(WorldError::Length {
                    picture,
                    what,
                    given,
                    expected,
                });
            }
        }
        self.states(picture, &facts.doors, Thing::Door);
        self.states(picture, &facts.containers, Thing::Container);
        for (item, place) in facts.items.iter().enumerate() {
            let (index, most) = match *place {
                Place::In(container) => (container, museum.containers.len()),
                Place::With(agent) => (agent, self.spec.agents.len()),
                Place::Unknown if picture == Picture::Facts => {
                    self.errors.push(WorldError::ItemNowhere { item });
                    continue;
                }
                Place::Unknown => continue,
            };
            if index >= most {
                self.errors.push(WorldError::UnknownPlace {
                    picture,
                    item,
                    index,
                });
            }
        }
    }

    fn states(&mut self, picture: Picture, states: &[LockState], thing: fn(usize) -> Thing) {
        let both = states.iter().enumerate();
        let both = both.filter(|(_, state)| state.open && state.locked);
        self.errors.extend(both.map(|(index, _)| {
            let thing = thing(index);
            WorldError::OpenAndLocked { picture, thing }
        }));
    }

    fn agent(&mut self, agent: usize) {
        let it = &self.spec.agents[agent];
        let position = it.position;
        let room = position.room;
        if self.room(Subject::Position(agent), room)
            && let Some(thing) = position.at.filter(|thing| !self.stands_in(*thing, room))
        {
            let error = WorldError::AtElsewhere { agent, thing, room };
            self.errors.push(error);
        }
        self.goal(agent, &it.goal);
        self.picture(Picture::Belief(agent), &it.belief.facts);
        let places = self.spec.facts.items.iter().zip(&it.belief.facts.items);
        for (item, (fact, belief)) in places.enumerate() {
            let mine = Place::With(agent);
            if (*fact == mine) != (*belief == mine) {
                self.errors.push(WorldError::HandsUnknown { agent, item });
            }
        }
        if it.belief.agents.len() == self.spec.agents.len() {
            for (other, room) in it.belief.agents.iter().enumerate() {
                if let Some(room) = room {
                    self.room(Subject::Seen(agent, other), *room);
                }
            }
        } else {
            self.errors.push(WorldError::Length {
                picture: Picture::Belief(agent),
                what: "agents",
                given: it.belief.agents.len(),
                expected: self.spec.agents.len(),
            });
        }
    }

    fn goal(&mut self, agent: usize, goal: &Goal) {
        self.items(Subject::Wanted(agent), &goal.items);
        let given = goal.visits.len();
        if given > if goal.in_order { ROUTE_MAX } else { VISITS_MAX } {
            self.errors.push(WorldError::TooManyVisits { agent, given });
            return;
        }
        for (visit, &room) in goal.visits.iter().enumerate() {
            let exists = self.room(Subject::Visit(agent, visit), room);
            if exists && !goal.in_order && goal.visits[..visit].contains(&room) {
                self.errors
                    .push(WorldError::VisitRepeated { agent, visit, room });
            }
        }
        if let Some(room) = goal.room {
            self.room(Subject::End(agent), room);
        }
        if goal.items.is_empty() && goal.visits.is_empty() && goal.room.is_none() {
            self.errors.push(WorldError::NoGoal { agent });
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
