//! From bytes to a checked wish for levels, as the server does it: no panic, no hang, no heap of
//! memory.
//!
//! Run 100,000 cases from the seeds, with at most 1 GiB of memory and 5 s a case:
//! ```sh
//! cargo install cargo-fuzz --locked
//! RUSTC_BOOTSTRAP=1 cargo fuzz run decode_puzzle \
//!     fuzz/corpus/decode_puzzle fuzz/seeds/decode_puzzle \
//!     -- -runs=100000 -max_len=65536 -rss_limit_mb=1024 -timeout=5
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::decode::{Rejected, puzzle};

fuzz_target!(|bytes: &[u8]| {
    match puzzle(bytes) {
        Ok(problem) => {
            let spec = problem.spec();
            assert_eq!(spec.template.len(), spec.width * spec.height);
            assert!((3..=64).contains(&spec.width) && (3..=64).contains(&spec.height));
            let (least, most) = (spec.boxes_min, spec.boxes_max);
            assert!(1 <= least && least <= most && most <= 32);
        }
        Err(Rejected::Mistakes(mistakes)) => {
            assert!((1..=100).contains(&mistakes.len()));
            assert!(mistakes.iter().all(|mistake| !mistake.field.is_empty()));
        }
        Err(Rejected::TooLarge(_) | Rejected::Malformed(_)) => {}
    }
});
