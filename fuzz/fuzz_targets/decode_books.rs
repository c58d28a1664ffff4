//! From bytes to books and what is learned from them in a round, as the server does it: no panic,
//! no hang, no heap of memory.
//!
//! Run 100,000 cases from the seeds, with at most 1 GiB of memory and 5 s a case:
//! ```sh
//! cargo install cargo-fuzz --locked
//! RUSTC_BOOTSTRAP=1 cargo fuzz run decode_books \
//!     fuzz/corpus/decode_books fuzz/seeds/decode_books \
//!     -- -runs=100000 -max_len=65536 -rss_limit_mb=1024 -timeout=5
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::decode::{Rejected, books};

fuzz_target!(|bytes: &[u8]| {
    match books(bytes) {
        Ok(None) => {}
        Ok(Some(lesson)) => {
            assert!(lesson.mistakes.is_empty());
            for word in &lesson.words {
                let sum: f64 = word.probabilities.iter().sum();
                assert!((sum - 1.0).abs() < 1e-6);
            }
        }
        Err(Rejected::Mistakes(mistakes)) => {
            assert!((1..=100).contains(&mistakes.len()));
            assert!(mistakes.iter().all(|mistake| !mistake.field.is_empty()));
        }
        Err(Rejected::TooLarge(_) | Rejected::Malformed(_)) => {}
    }
});
