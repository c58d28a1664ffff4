//! Lines that somebody types, or another program writes, while a command goes on.

use crate::exit::{Exit, Failure};
use std::io::{BufRead as _, Read as _};

/// The next line on stdin, of at most this number of bytes; none at its end.
///
/// # Errors
/// Stdin cannot be read, or is no text; [`Exit::INTERRUPTED`] upon Ctrl-C.
pub(super) async fn typed(bytes_max: u64) -> Result<Option<String>, Failure> {
    // Elsewhere than on this thread, so that Ctrl-C is heard: once a call has listened for it, it
    // ends nothing by itself any more.
    let reading = tokio::task::spawn_blocking(move || {
        let mut line = String::new();
        let mut stdin = std::io::stdin().lock().take(bytes_max);
        stdin
            .read_line(&mut line)
            .map(|bytes| (bytes > 0).then_some(line))
    });
    tokio::select! {
        line = reading => match line {
            Ok(Ok(line)) => Ok(line),
            Ok(Err(e)) => Err(Failure::usage(format!("cannot read stdin: {e}"))),
            Err(e) => Err(Failure::new(Exit::IO, format!("cannot read stdin: {e}"))),
        },
        _ = tokio::signal::ctrl_c() => Err(Failure::new(Exit::INTERRUPTED, "interrupted")),
    }
}
