//! What the system knows of this process, under the names that Prometheus' own libraries use.

use super::Metrics;
use super::described::{Metric, counter};
use super::seconds::line;
use metrics::gauge;
use rustix::param::clock_ticks_per_second;
use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_gettime};
use std::time::{SystemTime, UNIX_EPOCH};

/// Processor time, which a counter of whole numbers cannot show.
pub(super) const CPU: Metric = counter(
    "process_cpu_seconds_total",
    &[],
    "Processor time of this process, in user and system mode.",
);

/// Sets the levels of the process; what the system does not report stays as it was.
pub(super) fn levels(metrics: &Metrics) {
    let started = since_boot().map(started);
    let limit = getrlimit(Resource::Nofile).current;
    let found = [
        ("process_resident_memory_bytes", resident_bytes()),
        ("process_open_fds", open_fds()),
        ("process_max_fds", limit.map(|limit| limit as f64)),
        ("process_start_time_seconds", started),
    ];
    metrics.record(|| {
        for (name, value) in found {
            if let Some(value) = value {
                gauge!(name).set(value);
            }
        }
    });
}

/// Appends the processor time to a page.
pub(super) fn cpu(page: &mut String) {
    let used = clock_gettime(ClockId::ProcessCPUTime);
    // Exact to a nanosecond for a hundred days, and close enough after.
    let seconds = used.tv_sec as f64 + used.tv_nsec as f64 / 1e9;
    line(page, &CPU, &[(String::new(), seconds)]);
}

/// Memory that this process has.
fn resident_bytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1_024.0)
}

/// Files, connections and the like that this process has open.
fn open_fds() -> Option<f64> {
    // One of them is the folder that is read.
    let open = std::fs::read_dir("/proc/self/fd").ok()?.count();
    Some(open.saturating_sub(1) as f64)
}

/// When this process began, in seconds after the machine did.
fn since_boot() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The program's name, in brackets, may hold anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks: f64 = fields.split_whitespace().nth(19)?.parse().ok()?;
    Some(ticks / clock_ticks_per_second() as f64)
}

/// The same on the calendar.
fn started(since_boot: f64) -> f64 {
    let boot = clock_gettime(ClockId::Boottime);
    let boot = boot.tv_sec as f64 + boot.tv_nsec as f64 / 1e9;
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0.0, |now| now.as_secs_f64());
    // Steady from page to page: the clocks are not read at the same moment.
    ((now - (boot - since_boot)) * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::{Metrics, cpu, since_boot, started};
    use std::time::{SystemTime, UNIX_EPOCH};

    /// The value of a metric without labels.
    fn value(page: &str, name: &str) -> f64 {
        let mut lines = page.lines();
        let line = lines.find_map(|line| line.strip_prefix(&format!("{name} ")));
        line.unwrap_or_else(|| panic!("no {name} in {page}"))
            .parse()
            .unwrap()
    }

    #[test]
    fn the_process_is_described_as_prometheus_does() {
        let page = Metrics::new().page();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let age = now.as_secs_f64() - value(&page, "process_start_time_seconds");
        assert!((-1.0..3_600.0).contains(&age), "it is {age} s old");
        assert!(value(&page, "process_open_fds") >= 3.0);
        let fds = value(&page, "process_max_fds");
        assert!(fds >= value(&page, "process_open_fds"));
        assert!(value(&page, "process_resident_memory_bytes") > 1e6);
        assert!(value(&page, "process_cpu_seconds_total") > 0.0);
        assert!(
            page.contains("# TYPE process_cpu_seconds_total counter\n"),
            "{page}"
        );
    }

    #[test]
    fn processor_time_only_rises_and_the_start_stays() {
        let read = || {
            let mut page = String::new();
            cpu(&mut page);
            (value(&page, "process_cpu_seconds_total"), since_boot())
        };
        let (first, begun) = read();
        let mut sum = 0_u64;
        for number in 0..5_000_000 {
            sum = std::hint::black_box(sum ^ number);
        }
        let (second, still) = read();
        assert!(second > first, "{first} {second} {sum}");
        assert_eq!(begun, still);
        assert!(started(begun.unwrap()) > 0.0);
    }
}
