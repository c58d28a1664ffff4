//! What stands in a museum.

use super::Reader;
use super::beliefs::lock_state;
use crate::values::read_each;
use anytime::Path;
use heist::museum::{Container, Door, FITTING_MAX, Machine};
use heist::{LockState, Place};
use stratagem_proto::v1 as pb;

/// Ticks that a vending machine takes when nothing is said.
const DELAY_DEFAULT: u32 = 3;

impl Reader<'_> {
    /// Doors, and how each is.
    pub(super) fn doors(
        &mut self,
        given: Vec<pb::HeistDoor>,
        at: &Path<'_>,
    ) -> (Vec<Door>, Vec<LockState>) {
        let doors = read_each(given, at, |given, at| {
            let pb::HeistDoor {
                id: _,
                a_room_id,
                b_room_id,
                lock_state: state,
                key_ids,
            } = given;
            let a = self.room(&at.field("a_room_id"), &a_room_id);
            let b = self.room(&at.field("b_room_id"), &b_room_id);
            let door = Door {
                ends: [a, b],
                keys: self.keys(&key_ids, &at.field("key_ids")),
            };
            (door, lock_state(state))
        });
        doors.into_iter().unzip()
    }

    /// Containers, and how each is; what is in them is put there.
    pub(super) fn containers(
        &mut self,
        given: Vec<pb::HeistContainer>,
        at: &Path<'_>,
    ) -> (Vec<Container>, Vec<LockState>) {
        let mut index = 0;
        let containers = read_each(given, at, |given, at| {
            let pb::HeistContainer {
                id: _,
                room_id,
                lock_state: state,
                key_ids,
                item_ids,
            } = given;
            let container = Container {
                room: self.room(&at.field("room_id"), &room_id),
                keys: self.keys(&key_ids, &at.field("key_ids")),
            };
            self.put(&item_ids, &at.field("item_ids"), Place::In(index));
            index += 1;
            (container, lock_state(state))
        });
        containers.into_iter().unzip()
    }

    pub(super) fn machines(&mut self, given: Vec<pb::HeistMachine>, at: &Path<'_>) -> Vec<Machine> {
        read_each(given, at, |given, at| {
            let pb::HeistMachine {
                id: _,
                room_id,
                delay_ticks,
            } = given;
            Machine {
                room: self.room(&at.field("room_id"), &room_id),
                delay: delay_ticks.map_or(DELAY_DEFAULT, i32::unsigned_abs),
            }
        })
    }

    /// The rooms of cameras, and whether each is on.
    pub(super) fn cameras(
        &mut self,
        given: Vec<pb::HeistCamera>,
        at: &Path<'_>,
    ) -> (Vec<usize>, Vec<bool>) {
        let cameras = read_each(given, at, |given, at| {
            let pb::HeistCamera {
                id: _,
                room_id,
                active,
            } = given;
            (
                self.room(&at.field("room_id"), &room_id),
                active.unwrap_or(true),
            )
        });
        cameras.into_iter().unzip()
    }

    /// The keys of a lock.
    fn keys(&mut self, ids: &[String], at: &Path<'_>) -> Vec<usize> {
        self.different(ids, at, FITTING_MAX, |names, at, id, wrong| {
            names.key(at, id, wrong)
        })
    }
}
