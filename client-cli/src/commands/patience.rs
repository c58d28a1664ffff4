//! Waiting for an answer that takes its time.

use crate::exit::{Exit, Failure};
use crate::output::progress::Progress;
use std::future::Future;
use std::time::Duration;
use tokio::time::interval;

/// How often the clock on the live line is painted.
const TICK: Duration = Duration::from_millis(100);

/// Waits for a call, shows that time goes by, and hears Ctrl-C, upon which `hint` is shown.
pub(super) async fn patiently<T>(
    call: impl Future<Output = Result<T, Failure>>,
    mut progress: Progress,
    hint: &str,
) -> Result<T, Failure> {
    tokio::pin!(call);
    let mut ticks = interval(TICK);
    let mut interrupt = Box::pin(tokio::signal::ctrl_c());
    loop {
        tokio::select! {
            answer = &mut call => return answer,
            _ = &mut interrupt => return Err(Failure::new(Exit::INTERRUPTED, hint)),
            _ = ticks.tick() => progress.tick(),
        }
    }
}
