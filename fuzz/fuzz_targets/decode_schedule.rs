//! From bytes to a project, as the server does it: no panic, no hang, no heap of memory.
//!
//! Run 100,000 cases from the seeds, with at most 1 GiB of memory and 5 s a case:
//! ```sh
//! cargo install cargo-fuzz --locked
//! RUSTC_BOOTSTRAP=1 cargo fuzz run decode_schedule \
//!     fuzz/corpus/decode_schedule fuzz/seeds/decode_schedule \
//!     -- -runs=100000 -max_len=65536 -rss_limit_mb=1024 -timeout=5
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::decode::{Rejected, schedule};

fuzz_target!(|bytes: &[u8]| {
    match schedule(bytes) {
        Ok(problem) => {
            let spec = problem.spec();
            let count = spec.activities.len();
            let ends = spec.precedences.iter().flat_map(|it| [it.from, it.to]);
            assert!(ends.into_iter().all(|point| point.activity() < count));
            assert!(spec.activities.iter().all(|it| !it.modes.is_empty()));
        }
        Err(Rejected::Mistakes(mistakes)) => {
            assert!((1..=100).contains(&mistakes.len()));
            assert!(mistakes.iter().all(|mistake| !mistake.field.is_empty()));
        }
        Err(Rejected::TooLarge(_) | Rejected::Malformed(_)) => {}
    }
});
