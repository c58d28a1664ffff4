//! What the measurements share: percentiles, settings, and a line about the machine.

use std::fmt::Write as _;
use std::str::FromStr;
use std::time::Duration;

/// Durations that were measured, in rising order.
#[derive(Debug, Clone)]
pub struct Sample(Vec<Duration>);

impl Sample {
    /// Sorts what was measured.
    ///
    /// # Panics
    /// When nothing was.
    #[must_use]
    pub fn new(mut measured: Vec<Duration>) -> Self {
        assert!(!measured.is_empty(), "nothing was measured");
        measured.sort_unstable();
        Self(measured)
    }

    /// The smallest value that at least this share (0 to 1) of all values does not exceed.
    #[must_use]
    pub fn percentile(&self, share: f64) -> Duration {
        let rank = (share * self.0.len() as f64).ceil() as usize;
        self.0[rank.clamp(1, self.0.len()) - 1]
    }

    /// Median, 99th percentile and maximum in milliseconds, as cells of a table.
    #[must_use]
    pub fn cells(&self) -> String {
        let shares = [0.5, 0.99, 1.0];
        let cells = shares.map(|share| ms(self.percentile(share)));
        cells.join(" | ")
    }
}

/// Whether this is a run of `cargo bench`. `cargo test` starts benches too; then they have nothing
/// to do.
#[must_use]
pub fn is_wanted() -> bool {
    let wanted = std::env::args().any(|argument| argument == "--bench");
    if !wanted {
        println!("skipped: figures are made by `cargo bench`");
    }
    wanted
}

/// Milliseconds with as many decimals as make sense here.
#[must_use]
pub fn ms(duration: Duration) -> String {
    format!("{:.2}", duration.as_secs_f64() * 1e3)
}

/// A setting from the environment.
///
/// # Panics
/// When it is there and cannot be read.
#[must_use]
pub fn setting<T: FromStr>(name: &str, default: T) -> T {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name} is {text:?}, which cannot be read")),
        Err(_) => default,
    }
}

/// What the figures were measured on.
#[must_use]
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut text = format!("{cores} cores");
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name"));
    if let Some((_, model)) = model.and_then(|line| line.split_once(':')) {
        let _ = write!(text, " of {}", model.trim());
    }
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    if let Some(load) = load.split(' ').next() {
        let _ = write!(text, ", load {load} at the start");
    }
    if cfg!(debug_assertions) {
        text += "; NOT optimised: these figures mean nothing";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_were_measured() {
        let sample = Sample::new((1..=100).rev().map(Duration::from_millis).collect());
        let percentile = |share| sample.percentile(share).as_millis();
        assert_eq!([0.0, 0.5, 0.99, 1.0].map(percentile), [1, 50, 99, 100]);
        assert_eq!(sample.cells(), "50.00 | 99.00 | 100.00");
    }
}
