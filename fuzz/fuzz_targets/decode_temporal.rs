//! From bytes to a checked temporal network, as the server does it: no panic, no hang, no heap of
//! memory.
//!
//! Run 100,000 cases from the seeds, with at most 1 GiB of memory and 5 s a case:
//! ```sh
//! cargo install cargo-fuzz --locked
//! RUSTC_BOOTSTRAP=1 cargo fuzz run decode_temporal \
//!     fuzz/corpus/decode_temporal fuzz/seeds/decode_temporal \
//!     -- -runs=100000 -max_len=65536 -rss_limit_mb=1024 -timeout=5
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::decode::{Rejected, temporal};

fuzz_target!(|bytes: &[u8]| {
    match temporal(bytes) {
        Ok(request) => {
            let network = &request.network;
            assert_eq!(network.owners().len(), request.event_ids.len());
            assert_eq!(network.links().len(), request.link_ids.len());
            assert_eq!(
                network.contingent().len(),
                request.contingent_link_ids.len()
            );
            let links = request.link_ids.iter().chain(&request.contingent_link_ids);
            let names: std::collections::BTreeSet<&String> = links.collect();
            assert_eq!(
                names.len(),
                network.links().len() + network.contingent().len()
            );
        }
        Err(Rejected::Mistakes(mistakes)) => {
            assert!((1..=100).contains(&mistakes.len()));
            assert!(mistakes.iter().all(|mistake| !mistake.field.is_empty()));
        }
        Err(Rejected::TooLarge(_) | Rejected::Malformed(_)) => {}
    }
});
