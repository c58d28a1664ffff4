//! From bytes to a checked problem, as the server does it: no panic, no hang, no heap of memory.
//!
//! Run 100,000 cases from the seeds, with at most 1 GiB of memory and 5 s a case:
//! ```sh
//! cargo install cargo-fuzz --locked
//! RUSTC_BOOTSTRAP=1 cargo fuzz run decode_allocate \
//!     fuzz/corpus/decode_allocate fuzz/seeds/decode_allocate \
//!     -- -runs=100000 -max_len=65536 -rss_limit_mb=1024 -timeout=5
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::decode::{Rejected, allocate};

fuzz_target!(|bytes: &[u8]| {
    match allocate(bytes) {
        Ok(request) => {
            assert_eq!(request.problem.tasks().len(), request.task_ids.len());
            assert_eq!(request.problem.agents().len(), request.agent_ids.len());
        }
        Err(Rejected::Mistakes(mistakes)) => {
            assert!((1..=100).contains(&mistakes.len()));
            assert!(mistakes.iter().all(|mistake| !mistake.field.is_empty()));
        }
        Err(Rejected::TooLarge(_) | Rejected::Malformed(_)) => {}
    }
});
