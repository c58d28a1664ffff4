//! From bytes to what one agent of a heist has to plan, as the server does it: no panic, no hang,
//! no heap of memory.
//!
//! Run 100,000 cases from the seeds, with at most 1 GiB of memory and 5 s a case:
//! ```sh
//! cargo install cargo-fuzz --locked
//! RUSTC_BOOTSTRAP=1 cargo fuzz run decode_heist \
//!     fuzz/corpus/decode_heist fuzz/seeds/decode_heist \
//!     -- -runs=100000 -max_len=65536 -rss_limit_mb=1024 -timeout=5
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::decode::{Rejected, heist};

fuzz_target!(|bytes: &[u8]| {
    match heist(bytes) {
        Ok(request) => {
            let problem = &request.problem;
            assert_eq!(problem.museum().rooms(), request.room_ids.len());
            assert_eq!(problem.museum().items(), request.item_ids.len());
            assert_eq!(problem.world().agents().len(), request.agent_ids.len());
            assert!(problem.agent() < request.agent_ids.len());
        }
        Err(Rejected::Mistakes(mistakes)) => {
            assert!((1..=100).contains(&mistakes.len()));
            assert!(mistakes.iter().all(|mistake| !mistake.field.is_empty()));
        }
        Err(Rejected::TooLarge(_) | Rejected::Malformed(_)) => {}
    }
});
