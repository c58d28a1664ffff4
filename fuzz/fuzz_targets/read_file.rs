//! From a text to a problem, in every format, as files are imported: no panic, no hang, no heap of
//! memory.
//!
//! Run 100,000 cases from the seeds, with at most 1 GiB of memory and 5 s a case:
//! ```sh
//! cargo install cargo-fuzz --locked
//! RUSTC_BOOTSTRAP=1 cargo fuzz run read_file fuzz/corpus/read_file fuzz/seeds/read_file \
//!     -- -runs=100000 -max_len=65536 -rss_limit_mb=1024 -timeout=5
//! ```
#![no_main]

use formats::{Format, Options, Recognised, write};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let format = Format::of_text(text);
    let found = Recognised::new(text, format, "allocation");
    match found.read(text, &Options::default()) {
        Ok(problem) => {
            let written = write(&problem, found.format);
            assert!(!written.is_ok_and(|parts| parts.is_empty()));
        }
        Err(mistakes) => {
            assert!(!mistakes.is_empty());
            assert!(mistakes.iter().all(|mistake| !mistake.message.is_empty()));
        }
    }
});
