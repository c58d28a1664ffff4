//! From bytes to all requests that have no target of their own, as the server reads them: no panic,
//! no hang, no heap of memory. The first line is the name of the method.
//!
//! Run 100,000 cases from the seeds, with at most 1 GiB of memory and 5 s a case:
//! ```sh
//! cargo install cargo-fuzz --locked
//! RUSTC_BOOTSTRAP=1 cargo fuzz run decode_any_request \
//!     fuzz/corpus/decode_any_request fuzz/seeds/decode_any_request \
//!     -- -runs=100000 -max_len=65536 -rss_limit_mb=1024 -timeout=5
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::decode::{Rejected, any_request};

fuzz_target!(|bytes: &[u8]| {
    match any_request(bytes) {
        Err(Rejected::Mistakes(mistakes)) => {
            assert!((1..=100).contains(&mistakes.len()));
            assert!(mistakes.iter().all(|mistake| !mistake.field.is_empty()));
        }
        Ok(_) | Err(Rejected::TooLarge(_) | Rejected::Malformed(_)) => {}
    }
});
