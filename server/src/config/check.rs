//! Whether settings make sense, alone and together.

use super::Config;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::time::Duration;

impl Config {
    /// What is wrong with these settings, one sentence each; empty when nothing is.
    #[must_use]
    pub fn check(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let day = Duration::from_secs(86_400);
        range("slots", &self.slots, 0..=1_024, &mut wrong);
        range("queue_max", &self.queue_max, 0..=100_000, &mut wrong);
        range(
            "nodes_max",
            &self.nodes_max,
            1_000..=100_000_000,
            &mut wrong,
        );
        let bytes = 1 << 10..=256 << 20;
        range(
            "request_bytes_max",
            &self.request_bytes_max,
            bytes.clone(),
            &mut wrong,
        );
        range(
            "response_bytes_max",
            &self.response_bytes_max,
            bytes,
            &mut wrong,
        );
        range(
            "connection_streams_max",
            &self.connection_streams_max,
            1..=100_000,
            &mut wrong,
        );
        range(
            "header_list_bytes_max",
            &self.header_list_bytes_max,
            1 << 10..=1 << 20,
            &mut wrong,
        );
        for (name, span, least, most) in [
            ("budget_max", self.budget_max, 1, day),
            (
                "budget_default",
                self.budget_default,
                1,
                self.budget_max.get(),
            ),
            (
                "stream_budget_default",
                self.stream_budget_default,
                1,
                self.budget_max.get(),
            ),
            ("heartbeat_interval", self.heartbeat_interval, 10, day),
            ("keepalive_interval", self.keepalive_interval, 100, day),
            ("keepalive_timeout", self.keepalive_timeout, 100, day),
            ("lame_duck", self.lame_duck, 0, day),
            ("drain_timeout", self.drain_timeout, 0, day),
        ] {
            let allowed = Duration::from_millis(least)..=most;
            if !allowed.contains(&span.get()) {
                let most = super::Span::from(most);
                wrong.push(format!("{name} is {span}, outside of {least}ms to {most}"));
            }
        }
        if let Err(error) = self.log.parse::<tracing_subscriber::filter::Targets>() {
            wrong.push(format!("log is {:?}: {error}", self.log));
        }
        wrong
    }
}

fn range<T: PartialOrd + Display>(
    name: &str,
    value: &T,
    allowed: RangeInclusive<T>,
    wrong: &mut Vec<String>,
) {
    if !allowed.contains(value) {
        let (least, most) = (allowed.start(), allowed.end());
        wrong.push(format!("{name} is {value}, outside of {least} to {most}"));
    }
}
