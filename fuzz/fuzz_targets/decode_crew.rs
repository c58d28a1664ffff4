//! From bytes to a ship and its crew, as the server does it: no panic, no hang, no heap of memory.
//!
//! Run 100,000 cases from the seeds, with at most 1 GiB of memory and 5 s a case:
//! ```sh
//! cargo install cargo-fuzz --locked
//! RUSTC_BOOTSTRAP=1 cargo fuzz run decode_crew \
//!     fuzz/corpus/decode_crew fuzz/seeds/decode_crew \
//!     -- -runs=100000 -max_len=65536 -rss_limit_mb=1024 -timeout=5
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::decode::{Rejected, crew};

fuzz_target!(|bytes: &[u8]| {
    match crew(bytes) {
        Ok(request) => {
            let spec = request.problem.spec();
            assert_eq!(spec.vertices, request.node_ids.len());
            assert_eq!(spec.players.len(), request.player_ids.len());
            assert_eq!(spec.tools.len(), request.tool_ids.len());
            assert_eq!(spec.events.len(), request.event_ids.len());
            assert!(spec.arcs.iter().all(|arc| arc.from != arc.to));
        }
        Err(Rejected::Mistakes(mistakes)) => {
            assert!((1..=100).contains(&mistakes.len()));
            assert!(mistakes.iter().all(|mistake| !mistake.field.is_empty()));
        }
        Err(Rejected::TooLarge(_) | Rejected::Malformed(_)) => {}
    }
});
