//! Counters of seconds. Those of the library count in whole numbers.

use super::described::{Metric, counter};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

/// Seconds by tenant; clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct TenantSeconds(Arc<Mutex<BTreeMap<String, f64>>>);

/// What they are.
pub(super) const SOLVER: Metric = counter(
    "stratagem_tenant_solver_seconds_total",
    &["tenant"],
    "Slot time that searches of a tenant took.",
);

impl TenantSeconds {
    /// Adds to those of a tenant.
    pub(super) fn add(&self, tenant: String, seconds: f64) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *all.entry(tenant).or_default() += seconds;
    }

    /// Appends them to a page.
    pub(super) fn write(&self, page: &mut String) {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Names of tenants hold nothing that has to be escaped.
        let series = all.iter();
        let series: Vec<_> = series
            .map(|(tenant, seconds)| (format!("{{tenant=\"{tenant}\"}}"), *seconds))
            .collect();
        drop(all);
        line(page, &SOLVER, &series);
    }
}

/// Appends a counter with its series: labels as they are written, and values.
pub(super) fn line(page: &mut String, metric: &Metric, series: &[(String, f64)]) {
    let Metric { name, help, .. } = metric;
    // Writing to a text does not fail.
    let _ = write!(page, "# HELP {name} {help}\n# TYPE {name} counter\n");
    for (labels, value) in series {
        let _ = writeln!(page, "{name}{labels} {value}");
    }
    page.push('\n');
}

#[cfg(test)]
mod tests {
    use super::TenantSeconds;

    #[test]
    fn parts_of_a_second_add_up() {
        let seconds = TenantSeconds::default();
        for _ in 0..3 {
            seconds.add("arena".into(), 0.000_5);
        }
        seconds.add("none".into(), 2.0);
        let mut page = String::new();
        seconds.write(&mut page);
        let expected = "# HELP stratagem_tenant_solver_seconds_total Slot time that searches of a tenant took.\n\
            # TYPE stratagem_tenant_solver_seconds_total counter\n\
            stratagem_tenant_solver_seconds_total{tenant=\"arena\"} 0.0015\n\
            stratagem_tenant_solver_seconds_total{tenant=\"none\"} 2\n\n";
        assert_eq!(page, expected);
    }
}
