//! Whether settings make sense, alone and together.

use super::{Config, JobsPlace, OptionalFile, Span, Switch, WebAccess};
use std::fmt::{Display, Formatter, Result as FmtResult};
use std::ops::RangeInclusive;
use std::time::Duration;

/// The values that a setting may have, and the one that it has.
pub(super) struct Range {
    pub name: &'static str,
    value: String,
    pub least: String,
    pub most: String,
    holds: bool,
}

impl Config {
    /// What is wrong with these settings, one sentence each; empty when nothing is.
    #[must_use]
    pub fn check(&self) -> Vec<String> {
        let ranges = self.ranges().into_iter().filter(|range| !range.holds);
        let mut wrong: Vec<String> = ranges.map(|range| range.to_string()).collect();
        if self.otlp_endpoint.has_tls() != self.otlp_ca.path().is_some() {
            wrong
                .push("otlp_ca is needed with an otlp_endpoint of https, and with no other".into());
        }
        if self.service_name.is_empty() {
            wrong.push("service_name is empty".into());
        }
        self.check_jobs(&mut wrong);
        self.check_files(&mut wrong);
        self.check_memory(&mut wrong);
        if self.playground == Switch::On && self.web == WebAccess::Off {
            wrong.push("playground is on, and web is off: its pages could not call".into());
        }
        if let Some(folder) = self.books.path().filter(|folder| !folder.is_dir()) {
            let folder = folder.display();
            wrong.push(format!("books is {folder}, where there is no folder"));
        }
        if let Err(error) = self.log.parse::<tracing_subscriber::filter::Targets>() {
            wrong.push(format!("log is {:?}: {error}", self.log));
        }
        wrong
    }

    fn check_jobs(&self, wrong: &mut Vec<String>) {
        if self.jobs_cert.path().is_some() != self.jobs_key.path().is_some() {
            wrong.push("jobs_cert and jobs_key need each other".into());
        }
        if self.jobs_backup.path().is_some() && !matches!(self.jobs, JobsPlace::File(_)) {
            wrong.push(format!(
                "jobs_backup is {}, and jobs is no file: there is nothing to copy",
                self.jobs_backup
            ));
        }
    }

    fn check_files(&self, wrong: &mut Vec<String>) {
        let has = |file: &OptionalFile| file.path().is_some();
        if has(&self.tls_cert) != has(&self.tls_key) {
            wrong.push("tls_cert and tls_key are needed together".into());
        }
        if has(&self.tls_client_ca) && !has(&self.tls_cert) {
            wrong.push("tls_client_ca needs tls_cert and tls_key".into());
        }
        if has(&self.jwks) {
            for (name, value) in [
                ("jwt_issuer", &self.jwt_issuer),
                ("jwt_audience", &self.jwt_audience),
                ("jwt_tenant_claim", &self.jwt_tenant_claim),
            ] {
                if value.is_empty() {
                    wrong.push(format!("{name} is empty, but needed with jwks"));
                }
            }
        }
    }

    /// Settings that are numbers or times, in their ranges.
    pub(super) fn ranges(&self) -> Vec<Range> {
        let bytes = 1 << 10..=256 << 20;
        let mut ranges = Vec::from([
            range("slots", self.slots, 0..=1_024),
            range("queue_max", self.queue_max, 0..=100_000),
            range("jobs_max", self.jobs_max, 1..=1_000_000),
            range("sessions_max", self.sessions_max, 0..=1_000_000),
            range("jobs_replicas", self.jobs_replicas, 1..=5),
            range("job_slots", self.job_slots, 0..=1_024),
            range(
                "inflight_bytes_max",
                self.inflight_bytes_max,
                1 << 20..=1 << 40,
            ),
            range("connections_max", self.connections_max, 1..=1_000_000),
            range(
                "peer_connections_max",
                self.peer_connections_max,
                1..=1_000_000,
            ),
            range("nodes_max", self.nodes_max, 1_000..=100_000_000),
            range("request_bytes_max", self.request_bytes_max, bytes.clone()),
            range("response_bytes_max", self.response_bytes_max, bytes),
            range(
                "connection_streams_max",
                self.connection_streams_max,
                1..=100_000,
            ),
            range(
                "header_list_bytes_max",
                self.header_list_bytes_max,
                1 << 10..=1 << 20,
            ),
        ]);
        self.add_times(&mut ranges);
        ranges
    }

    fn add_times(&self, ranges: &mut Vec<Range>) {
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
            ("job_budget_max", self.job_budget_max, 1, day),
            (
                "job_budget_default",
                self.job_budget_default,
                1,
                self.job_budget_max.get(),
            ),
            ("job_lease", self.job_lease, 1_000, Duration::from_secs(600)),
            ("heartbeat_interval", self.heartbeat_interval, 10, day),
            (
                "jobs_backup_interval",
                self.jobs_backup_interval,
                1_000,
                30 * day,
            ),
            ("keepalive_interval", self.keepalive_interval, 100, day),
            ("keepalive_timeout", self.keepalive_timeout, 100, day),
            ("connection_age", self.connection_age, 0, day),
            ("connection_idle", self.connection_idle, 0, day),
            ("connection_age_grace", self.connection_age_grace, 0, day),
            ("handshake_timeout", self.handshake_timeout, 100, day),
            ("send_timeout", self.send_timeout, 100, day),
            ("header_timeout", self.header_timeout, 100, day),
            ("reload_interval", self.reload_interval, 100, day),
            ("lame_duck", self.lame_duck, 0, day),
            ("drain_timeout", self.drain_timeout, 0, day),
        ] {
            let allowed = Span::from_millis(least)..=Span::from(most);
            ranges.push(range(name, value, allowed));
        }
    }
}

/// Values are small and copied.
fn range<T: Copy + Display + PartialOrd>(
    name: &'static str,
    value: T,
    allowed: RangeInclusive<T>,
) -> Range {
    Range {
        name,
        holds: allowed.contains(&value),
        value: value.to_string(),
        least: allowed.start().to_string(),
        most: allowed.end().to_string(),
    }
}

impl Display for Range {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        let (name, value, least, most) = (self.name, &self.value, &self.least, &self.most);
        write!(f, "{name} is {value}, outside of {least} to {most}")
    }
}
