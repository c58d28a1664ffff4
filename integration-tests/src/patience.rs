//! Waiting for something to become true, with a limit.

use std::time::{Duration, Instant};

/// How long a test waits for what should be there at once. Reached only when something is broken.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// What `future` returns, which is there within [`PATIENCE`].
///
/// # Panics
/// When it takes longer than [`PATIENCE`].
pub async fn wait_for<T>(what: &str, future: impl Future<Output = T>) -> T {
    let answer = tokio::time::timeout(PATIENCE, future).await;
    answer.unwrap_or_else(|_| panic!("not within {PATIENCE:?}: {what}"))
}

/// Asks `probe` again and again until it has an answer.
///
/// # Panics
/// When there is none within [`PATIENCE`].
pub async fn eventually<T>(what: &str, mut probe: impl AsyncFnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(answer) = probe().await {
            return answer;
        }
        let waited = begin.elapsed();
        assert!(waited < PATIENCE, "still not after {waited:?}: {what}");
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
}
