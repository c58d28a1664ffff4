//! What texts and word lists teach, and what is refused.

mod filter;
mod input;
