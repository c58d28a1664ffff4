//! From bytes to a checked narrative, as the server does it: no panic, no hang, no heap of memory.
//!
//! Run 100,000 cases from the seeds, with at most 1 GiB of memory and 5 s a case:
//! ```sh
//! cargo install cargo-fuzz --locked
//! RUSTC_BOOTSTRAP=1 cargo fuzz run decode_narrative \
//!     fuzz/corpus/decode_narrative fuzz/seeds/decode_narrative \
//!     -- -runs=100000 -max_len=65536 -rss_limit_mb=1024 -timeout=5
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::decode::{Rejected, narrative};

fuzz_target!(|bytes: &[u8]| {
    match narrative(bytes) {
        Ok(request) => {
            let spec = request.narrative.spec();
            assert_eq!(spec.events, request.event_ids.len());
            assert_eq!(spec.contingent.len(), request.contingent_link_ids.len());
            assert_eq!(spec.activities.len(), request.activity_ids.len());
            assert!(spec.links.len() >= request.link_ids.len());
            let narrative = &request.narrative;
            assert!(!narrative.storylines().is_empty() || narrative.groups().len() > 1);
        }
        Err(Rejected::Mistakes(mistakes)) => {
            assert!((1..=100).contains(&mistakes.len()));
            assert!(mistakes.iter().all(|mistake| !mistake.field.is_empty()));
        }
        Err(Rejected::TooLarge(_) | Rejected::Malformed(_)) => {}
    }
});
