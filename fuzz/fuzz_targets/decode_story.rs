//! From bytes to a story's domain, as the server does it: no panic, no hang, no heap of memory.
//!
//! Run 100,000 cases from the seeds, with at most 1 GiB of memory and 5 s a case:
//! ```sh
//! cargo install cargo-fuzz --locked
//! RUSTC_BOOTSTRAP=1 cargo fuzz run decode_story \
//!     fuzz/corpus/decode_story fuzz/seeds/decode_story \
//!     -- -runs=100000 -max_len=65536 -rss_limit_mb=1024 -timeout=5
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::decode::{Rejected, story};

fuzz_target!(|bytes: &[u8]| {
    match story(bytes) {
        Ok(problem) => {
            assert!(!problem.goals().is_empty());
            assert!((1..=50).contains(&problem.actions_max()));
            let entities = problem.entities().len();
            let mut known = problem.events().iter().flat_map(|event| &event.args);
            assert!(known.all(|arg| arg.is_none_or(|entity| entity < entities)));
        }
        Err(Rejected::Mistakes(mistakes)) => {
            assert!((1..=100).contains(&mistakes.len()));
            assert!(mistakes.iter().all(|mistake| !mistake.field.is_empty()));
        }
        Err(Rejected::TooLarge(_) | Rejected::Malformed(_)) => {}
    }
});
