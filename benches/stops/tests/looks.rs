//! Every search ends after it was asked to stop, and looks at most so often until then. Looks are
//! counted, no time is measured.

use std::sync::{Arc, Mutex};
use std::time::Duration;
use stops::{Wish, families, run};

/// Problems of each family.
const COUNT: u64 = 6;
/// After these looks searches are asked to stop.
const MOMENTS: [u64; 4] = [0, 3, 50, 400];
/// Most looks after the one that returned the request: parts of a search look again while it ends.
const LOOKS_AFTER_MAX: u64 = 64;
/// A search that still runs then does not stop. All of them together take seconds.
const PATIENCE: Duration = Duration::from_secs(120);
/// Families with problems that ran for seconds without a look, each by its seed.
const ONCE_LONG: [(&str, u64); 4] = [
    ("narrative evenings", 313),
    ("patrol solve", 31),
    ("patrol mixture", 31),
    ("heist simulate", 20),
];

/// Stops the searches of a planner, of which each is stopped at several moments.
fn stops(planner: &str) {
    let of = |name: &str| name.split(' ').next() == Some(planner);
    let mut stopped = 0;
    for family in families().iter().filter(|family| of(family.name)) {
        let known = ONCE_LONG.iter().filter(|(name, _)| *name == family.name);
        for seed in (0..COUNT).chain(known.map(|(_, seed)| *seed)) {
            let Some(search) = (family.make)(seed) else {
                continue;
            };
            let search = Arc::new(Mutex::new(search));
            for stop_at in MOMENTS {
                let wish = Wish {
                    stop_at,
                    ..Wish::until(u64::MAX)
                };
                let name = format!("{}, seed {seed}, after look {stop_at}", family.name);
                let report = run(&search, wish, PATIENCE);
                let report = report.unwrap_or_else(|| panic!("{name}: still runs"));
                let after = report.looks_after;
                assert!(after <= LOOKS_AFTER_MAX, "{name}: {after} looks");
                // It ended before that look, and would do the same again.
                if report.stop.is_none() {
                    break;
                }
                stopped += 1;
            }
        }
    }
    assert!(stopped > 0, "no search of {planner} was stopped");
}

/// A test for each planner: they run at the same time.
macro_rules! searches_stop_when_they_are_asked_to {
    ($($planner:ident)*) => {
        const PLANNERS: &[&str] = &[$(stringify!($planner)),*];

        mod searches_stop_when_they_are_asked_to {
            $(#[test]
            fn $planner() {
                super::stops(stringify!($planner));
            })*
        }
    };
}

searches_stop_when_they_are_asked_to! {
    allocation crew heist narrative patrol puzzle schedule story temporal
}

#[test]
fn every_family_is_of_a_planner_that_is_tried() {
    for family in families() {
        let planner = family.name.split(' ').next();
        assert!(
            planner.is_some_and(|it| PLANNERS.contains(&it)),
            "{}",
            family.name
        );
    }
}
