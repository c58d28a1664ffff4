//! From bytes to a checked patrol problem, as the server does it: no panic, no hang, no heap of
//! memory.
//!
//! Run 100,000 cases from the seeds, with at most 1 GiB of memory and 5 s a case:
//! ```sh
//! cargo install cargo-fuzz --locked
//! RUSTC_BOOTSTRAP=1 cargo fuzz run decode_patrol \
//!     fuzz/corpus/decode_patrol fuzz/seeds/decode_patrol \
//!     -- -runs=100000 -max_len=65536 -rss_limit_mb=1024 -timeout=5
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::decode::{Rejected, patrol};

fuzz_target!(|bytes: &[u8]| {
    match patrol(bytes) {
        Ok(request) => {
            let problem = &request.problem;
            assert_eq!(problem.vertices(), request.vertex_ids.len());
            assert_eq!(problem.guards().len(), request.guard_ids.len());
            let shares: u64 = problem.shares().iter().sum();
            assert_eq!(shares, 1 << 60);
        }
        Err(Rejected::Mistakes(mistakes)) => {
            assert!((1..=100).contains(&mistakes.len()));
            assert!(mistakes.iter().all(|mistake| !mistake.field.is_empty()));
        }
        Err(Rejected::TooLarge(_) | Rejected::Malformed(_)) => {}
    }
});
