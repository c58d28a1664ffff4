//! Whether settings make sense, alone and together.

use super::{Config, Span};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::time::Duration;

impl Config {
    /// What is wrong with these settings, one sentence each; empty when nothing is.
    #[must_use]
    pub fn check(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let bytes = 1 << 10..=256 << 20;
        for (name, value, allowed) in [
            ("slots", self.slots, 0..=1_024),
            ("queue_max", self.queue_max, 0..=100_000),
            ("nodes_max", self.nodes_max, 1_000..=100_000_000),
            ("request_bytes_max", self.request_bytes_max, bytes.clone()),
            ("response_bytes_max", self.response_bytes_max, bytes),
        ] {
            range(name, value, allowed, &mut wrong);
        }
        let streams = self.connection_streams_max;
        range("connection_streams_max", streams, 1..=100_000, &mut wrong);
        let headers = self.header_list_bytes_max;
        range(
            "header_list_bytes_max",
            headers,
            1 << 10..=1 << 20,
            &mut wrong,
        );
        self.check_times(&mut wrong);
        if let Err(error) = self.log.parse::<tracing_subscriber::filter::Targets>() {
            wrong.push(format!("log is {:?}: {error}", self.log));
        }
        wrong
    }

    fn check_times(&self, wrong: &mut Vec<String>) {
        let (day, longest) = (Duration::from_secs(86_400), self.budget_max.get());
        for (name, value, least, most) in [
            ("budget_max", self.budget_max, 1, day),
            ("budget_default", self.budget_default, 1, longest),
            (
                "stream_budget_default",
                self.stream_budget_default,
                1,
                longest,
            ),
            ("heartbeat_interval", self.heartbeat_interval, 10, day),
            ("keepalive_interval", self.keepalive_interval, 100, day),
            ("keepalive_timeout", self.keepalive_timeout, 100, day),
            ("lame_duck", self.lame_duck, 0, day),
            ("drain_timeout", self.drain_timeout, 0, day),
        ] {
            range(
                name,
                value,
                Span::from_millis(least)..=Span::from(most),
                wrong,
            );
        }
    }
}

/// Notes a value outside of its range. Values are small and copied.
fn range<T: Copy + PartialOrd + Display>(
    name: &str,
    value: T,
    allowed: RangeInclusive<T>,
    wrong: &mut Vec<String>,
) {
    if !allowed.contains(&value) {
        let (least, most) = (allowed.start(), allowed.end());
        wrong.push(format!("{name} is {value}, outside of {least} to {most}"));
    }
}
