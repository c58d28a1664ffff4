//! The file of tenants: what each may have.
//!
//! ```toml
//! known_only = true            # who is not named below may not call
//!
//! [default]                    # of those who are not named
//! calls_per_second = 20
//!
//! [tenants.arena]
//! calls_per_second = 200
//! calls_burst = 400
//! slots_max = 2
//! solver_seconds_per_minute = 60
//! queue_share = 0.5
//! jobs_max = 100
//! sessions_max = 50
//! weight = 2
//! methods = ["stratagem.v1.AllocationService"]
//! ```

use super::is_name;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Most tenants with quotas of their own: each has numbers of its own in the metrics.
const NAMED_MAX: usize = 1_000;
/// Largest weight, and one divided by the smallest.
const WEIGHT_MAX: f64 = 1_000.0;
/// Most jobs of one tenant, and most sessions: as many as a server may keep.
const JOBS_MAX: f64 = 1e6;
/// Largest rate.
const RATE_MAX: f64 = 1e9;

/// All tenants that have quotas.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Book {
    known_only: bool,
    default: Quota,
    tenants: BTreeMap<String, Quota>,
}

/// What a tenant may have. Absent is as much as there is.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Quota {
    /// Calls in a second, in the long run.
    pub calls_per_second: Option<f64>,
    /// Calls at once; absent: as many as in a second, at least one.
    pub calls_burst: Option<f64>,
    /// Slots at once.
    pub slots_max: Option<usize>,
    /// Seconds of slots in a minute, in the long run.
    pub solver_seconds_per_minute: Option<f64>,
    /// Part of the queue.
    pub queue_share: Option<f64>,
    /// Its part of slots that others want, too, against their weights; absent: 1.
    pub weight: Option<f64>,
    /// Jobs that are kept, whether they wait, run or have ended.
    pub jobs_max: Option<usize>,
    /// Sessions that are held simultaneously on each server.
    pub sessions_max: Option<usize>,
    /// Services or methods that it may call, by full name; absent: all.
    pub methods: Option<Vec<String>>,
}

impl Quota {
    /// Whether it may call the method of this path.
    pub(super) fn allows(&self, path: &str) -> bool {
        let Some(methods) = &self.methods else {
            return true;
        };
        let method = path.trim_start_matches('/');
        let service = method.split('/').next().unwrap_or_default();
        methods.iter().any(|one| one == method || one == service)
    }

    /// What is invalid in it.
    fn mistakes(&self) -> Vec<String> {
        let numbers = [
            ("calls_per_second", self.calls_per_second, 1e-6, RATE_MAX),
            ("calls_burst", self.calls_burst, 1.0, RATE_MAX),
            (
                "solver_seconds_per_minute",
                self.solver_seconds_per_minute,
                1e-6,
                RATE_MAX,
            ),
            ("queue_share", self.queue_share, 1e-6, 1.0),
            ("weight", self.weight, 1.0 / WEIGHT_MAX, WEIGHT_MAX),
        ];
        let slots = self.slots_max.map(|slots| slots as f64);
        let jobs = self.jobs_max.map(|jobs| jobs as f64);
        let sessions = self.sessions_max.map(|sessions| sessions as f64);
        let counts = [
            ("slots_max", slots, 1.0, 1_024.0),
            ("jobs_max", jobs, 1.0, JOBS_MAX),
            ("sessions_max", sessions, 1.0, JOBS_MAX),
        ];
        let all = numbers.into_iter().chain(counts);
        all.filter_map(|(name, value, least, most)| {
            let value = value.filter(|value| !(least..=most).contains(value))?;
            Some(format!("{name} is {value}, outside of {least} to {most}"))
        })
        .collect()
    }
}

impl Book {
    /// Whether a tenant is served.
    pub(super) fn takes(&self, name: &str) -> bool {
        !self.known_only || self.names(name)
    }

    /// Whether it has an entry of its own.
    pub(super) fn names(&self, name: &str) -> bool {
        self.tenants.contains_key(name)
    }

    /// What it may have.
    pub(super) fn quota(&self, name: &str) -> Quota {
        self.tenants.get(name).unwrap_or(&self.default).clone()
    }

    /// From the text of a file.
    ///
    /// # Errors
    /// All that is wrong, or the first that cannot be read.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let book: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut wrong = Vec::new();
        if book.tenants.len() > NAMED_MAX {
            wrong.push(format!("more than {NAMED_MAX} tenants"));
        }
        let default = ("default", &book.default);
        let named = book.tenants.iter().map(|(name, quota)| (&**name, quota));
        for (name, quota) in [default].into_iter().chain(named) {
            if !is_name(name) {
                wrong.push(format!(
                    "{name:?} is no name: 1 to 63 letters, digits, -, _ and ."
                ));
            }
            let mistakes = quota.mistakes().into_iter();
            wrong.extend(mistakes.map(|mistake| format!("{name}: {mistake}")));
        }
        if wrong.is_empty() {
            Ok(book)
        } else {
            Err(wrong.join("; "))
        }
    }
}

/// Reads the file.
///
/// # Errors
/// What is wrong with it.
pub(super) fn read(path: &Path) -> Result<Book, String> {
    let wrong = |why: String| format!("{}: {why}", path.display());
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    Book::parse(&text).map_err(wrong)
}
