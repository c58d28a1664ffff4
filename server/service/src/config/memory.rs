//! How the memory of a process is divided.

use super::{Config, JobsPlace};
use std::fs;
use std::path::Path;

/// What the program takes with nothing to do, and between searches.
const PROGRAM_BYTES: usize = 64 << 20;
/// Parts of the whole that caches, queue, bytes in flight and sessions may have, each.
const PART: usize = 8;

/// Who may take how many bytes. All of them together are no more than the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shares {
    /// The process.
    pub whole: usize,
    /// Answers that are kept.
    pub cache: usize,
    /// Problems that wait.
    pub queue: usize,
    /// Requests and answers.
    pub flight: usize,
    /// Sessions.
    pub sessions: usize,
    /// Searches of callers, all together.
    pub callers: usize,
    /// Searches of jobs, all together.
    pub jobs: usize,
    /// Each search.
    pub each: usize,
}

impl Config {
    /// How memory is divided.
    pub(crate) fn shares(&self) -> Shares {
        let whole = match self.memory_max {
            0 => limit() / 5 * 4,
            given => given,
        };
        self.divided(whole)
    }

    fn divided(&self, whole: usize) -> Shares {
        let (slots, part) = (self.slot_count(), whole / PART);
        let cache = self.cache_bytes_max.min(part);
        let queue = self.queue_bytes_max.min(part);
        let flight = self.inflight_bytes_max.min(part);
        let sessions = self.session_bytes_max.min(part);
        let taken = PROGRAM_BYTES + cache + queue + flight + sessions;
        let searches = whole.saturating_sub(taken);
        let job_slots = match self.jobs {
            JobsPlace::Off => 0,
            _ => self.job_slot_count(),
        };
        let share = searches / (slots + job_slots);
        Shares {
            whole,
            cache,
            queue,
            flight,
            sessions,
            callers: share * slots,
            jobs: share * job_slots,
            each: match self.solve_memory_max {
                0 => share,
                given => given,
            },
        }
    }

    /// Notes what is wrong with it.
    pub(super) fn check_memory(&self, wrong: &mut Vec<String>) {
        let Shares {
            whole,
            callers,
            jobs,
            each,
            ..
        } = self.shares();
        if self.memory_max != 0 && self.memory_max < 4 * PROGRAM_BYTES {
            let least = 4 * PROGRAM_BYTES;
            wrong.push(format!("memory_max is {whole}, less than {least}"));
        }
        for (of, all) in [("callers", callers), ("jobs", jobs)] {
            if all > 0 && each > all {
                wrong.push(format!(
                    "solve_memory_max is {each}, more than all searches of {of} may take together: {all} of memory_max {whole}"
                ));
            }
        }
    }
}

/// What this process may have: the least limit of its control groups, or the machine's memory.
fn limit() -> usize {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let info = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let read = |path: &Path| fs::read_to_string(path).ok();
    // Far from any overflow, and more than there is.
    least_limit(&groups, &read)
        .into_iter()
        .chain(machine(&info))
        .min()
        .unwrap_or(1 << 40)
}

/// The least limit of the control groups (either version) that a process's `/proc/self/cgroup`
/// names.
fn least_limit(groups: &str, read: &dyn Fn(&Path) -> Option<String>) -> Option<usize> {
    let mut limits = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(kinds), Some(group)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let (root, file) = match kinds {
            "" => ("/sys/fs/cgroup", "memory.max"),
            kinds if kinds.split(',').any(|kind| kind == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        // Within a container its group may be shown as the root: what is not there says nothing.
        let path = Path::new(root).join(group.trim_start_matches('/'));
        let above = path.ancestors().take_while(|path| path.starts_with(root));
        let number = |path: &Path| read(&path.join(file))?.trim().parse::<usize>().ok();
        limits.extend(above.filter_map(number));
    }
    limits.into_iter().min()
}

/// The machine's memory, by `/proc/meminfo`.
fn machine(info: &str) -> Option<usize> {
    let line = info
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: usize = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    kib.checked_mul(1 << 10)
}

#[cfg(test)]
mod tests {
    use super::{PROGRAM_BYTES, least_limit, machine};
    use crate::config::Config;
    use std::path::Path;

    #[test]
    fn the_shares_are_the_whole_and_no_more() {
        let config = Config {
            slots: 3,
            jobs: "/var/lib/jobs".parse().unwrap(),
            job_slots: 1,
            ..Config::default()
        };
        for whole in [256 << 20, 1 << 30, 64 << 30] {
            let it = config.divided(whole);
            let all = PROGRAM_BYTES
                + it.cache
                + it.queue
                + it.flight
                + it.sessions
                + it.callers
                + it.jobs;
            assert!(all <= whole && all > whole - 4, "{it:?}");
            assert_eq!(it.callers, 3 * it.jobs);
            assert_eq!(it.each, it.jobs);
        }
        let small = config.divided(512 << 20);
        assert_eq!((small.cache, small.flight), (64 << 20, 64 << 20));
        assert_eq!(config.divided(64 << 30).flight, config.inflight_bytes_max);
    }

    #[test]
    fn a_search_may_not_have_more_than_all() {
        let config = Config {
            slots: 2,
            memory_max: 1 << 30,
            solve_memory_max: 1 << 30,
            ..Config::default()
        };
        let wrong = config.check().join("; ");
        assert!(wrong.contains("solve_memory_max"), "{wrong}");
        let small = Config {
            memory_max: 1 << 20,
            ..Config::default()
        };
        assert!(small.check().join("; ").contains("memory_max is 1048576"));
    }

    #[test]
    fn the_least_limit_counts() {
        let read = |path: &Path| {
            let text = match path.to_str()? {
                "/sys/fs/cgroup/pod/one/memory.max" => "max",
                "/sys/fs/cgroup/pod/memory.max" => "1000",
                "/sys/fs/cgroup/memory.max" => "2000",
                "/sys/fs/cgroup/memory/a/memory.limit_in_bytes" => "500",
                _ => return None,
            };
            Some(text.to_owned() + "\n")
        };
        assert_eq!(least_limit("0::/pod/one\n", &read), Some(1_000));
        assert_eq!(
            least_limit("7:cpu,cpuacct:/a\n8:memory:/a\n", &read),
            Some(500)
        );
        assert_eq!(least_limit("nonsense\n9:name=systemd:/\n", &read), None);
        assert_eq!(machine("MemTotal:       16384 kB\n"), Some(16 << 20));
        assert_eq!(machine(""), None);
    }
}
