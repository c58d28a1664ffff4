//! Mistakes of requests, by their codes and fields, and ids of links.

mod link_ids;
mod mistakes;
