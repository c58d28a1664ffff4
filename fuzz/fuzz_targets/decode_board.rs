//! From bytes to a board, after what was played on it, as the server does it: no panic, no hang, no
//! heap of memory.
//!
//! Run 100,000 cases from the seeds, with at most 1 GiB of memory and 5 s a case:
//! ```sh
//! cargo install cargo-fuzz --locked
//! RUSTC_BOOTSTRAP=1 cargo fuzz run decode_board \
//!     fuzz/corpus/decode_board fuzz/seeds/decode_board \
//!     -- -runs=100000 -max_len=65536 -rss_limit_mb=1024 -timeout=5
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::decode::{Rejected, board};

fuzz_target!(|bytes: &[u8]| {
    match board(bytes) {
        Ok(board) => {
            assert!((1..=32).contains(&board.boxes().len()));
            assert_eq!(board.boxes().len(), board.goals().len());
            assert!(!board.is_wall(board.player()));
            assert!(board.boxes().iter().all(|&cell| !board.is_wall(cell)));
        }
        Err(Rejected::Mistakes(mistakes)) => {
            assert!((1..=100).contains(&mistakes.len()));
            assert!(mistakes.iter().all(|mistake| !mistake.field.is_empty()));
        }
        Err(Rejected::TooLarge(_) | Rejected::Malformed(_)) => {}
    }
});
