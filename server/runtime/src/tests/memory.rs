//! What searches get of memory.

use super::{Act, Actor, MINUTE, Script, job, metric, runner};
use crate::Meters;
use crate::Refusal;
use crate::Runner;
use crate::admission::{Admission, Room};
use crate::memory::{Memory, Need};
use anytime::Runnable as _;
use std::sync::Arc;
use std::sync::atomic::Ordering;

const MIB: usize = 1 << 20;
/// What every search has.
const BASE: usize = 16 * MIB;

/// What searches of tests may take, unless they say otherwise.
pub(super) const EACH: Memory = Memory {
    each: 64 * MIB,
    nodes_max: 1_000,
};

/// Slots, and more than enough of everything else.
pub(super) fn admission(slots: usize, metrics: &Meters) -> Admission {
    let room = Room {
        queue_max: 10,
        queue_bytes_max: MIB,
        memory_max: 1 << 30,
    };
    Admission::new(slots, room, metrics.clone())
}

fn need(each: usize, bytes: usize) -> Result<Need, Refusal> {
    let memory = Memory {
        each,
        nodes_max: 100_000,
    };
    memory.need::<Actor>(&Script::default(), bytes)
}

#[test]
fn nodes_are_as_many_as_fit_and_no_more_than_there_may_be() {
    let node = Actor::NODE_BYTES;
    let plenty = need(1 << 30, MIB).unwrap();
    assert_eq!(plenty.nodes_max, 100_000);
    assert_eq!(plenty.bytes, BASE + 4 * MIB + 100_000 * node);
    let tight = need(24 * MIB, MIB).unwrap();
    assert_eq!(tight.nodes_max, 4 * MIB / node);
    assert!(tight.bytes <= 24 * MIB && tight.bytes > 24 * MIB - node);
}

#[test]
fn what_never_fits_is_refused() {
    for (each, bytes) in [(BASE, 0), (64 * MIB, 13 * MIB), (MIB, usize::MAX)] {
        let refused = need(each, bytes).unwrap_err();
        assert_eq!(refused.reason(), "SOLVE_TOO_LARGE", "{refused:?}");
    }
    let memory = Memory {
        each: 24 * MIB,
        nodes_max: 1,
    };
    assert_eq!(memory.plain(2 * MIB), Ok(24 * MIB));
    assert!(memory.plain(2 * MIB + 1).is_err());
}

#[tokio::test]
async fn what_a_search_gets_is_reserved_until_it_has_ended() {
    let runner = runner(1);
    let job = job(&[Act::Deaf], MINUTE);
    let script = Arc::clone(&job.problem);
    let search = runner.start(job).await.unwrap();
    let need = runner.memory.need::<Actor>(&script, 0).unwrap();
    let reserved = metric(&runner, "stratagem_reserved_memory_bytes");
    assert_eq!(reserved, need.bytes as f64);
    script.wake.store(true, Ordering::Relaxed);
    search.end().await.unwrap();
    assert_eq!(metric(&runner, "stratagem_reserved_memory_bytes"), 0.0);
}

#[tokio::test]
async fn a_search_that_needs_more_than_one_may_have_is_refused_at_once() {
    let runner = Runner {
        memory: Memory {
            each: BASE,
            nodes_max: 100_000,
        },
        ..runner(1)
    };
    let refused = runner.start(job(&[], MINUTE)).await.err().unwrap();
    assert_eq!(refused.reason(), "SOLVE_TOO_LARGE");
    assert_eq!(runner.admission.load(), (0, 0));
}
