//! The paper's suites: how many narratives are decided, how soon, and whether the answers agree
//! with known ones.
//!
//! `cargo bench -p stratagem-narrative --bench suites`. Times are those of the first answer, which
//! decides; *explained* is when conflicts were made small and relaxations solved. Each narrative is
//! solved once, on one thread, as a service would; every plan is verified. Read from the
//! environment:
//! * `STRATAGEM_PARTS`: some of `given`, `choices`, `suite1`, `suite2`, `again`, `verify`, with
//!   commas; default all. *Again* is about stories of some 100 events: the first plan, and another
//!   one in the middle of the story. *Verify* is the check of a plan for several groups. Alone:
//!   `memory`, the peak of this process with stories as large as may be.
//! * `STRATAGEM_NARRATIVE`: a folder with folders of narratives in the format linsp/1, with
//!   `answers.json`.
//! * `STRATAGEM_SECONDS`: the time for each, default 60.
//! * `STRATAGEM_EVERY`: of the generated narratives only each n-th.
//! * `STRATAGEM_PLOT`: a folder for pictures like the paper's Figures 7 and 8, and what they are
//!   drawn from.
//! * `STRATAGEM_VERBOSE`: a line for each problem of the suites.

#![expect(
    clippy::disallowed_methods,
    reason = "a bench measures time and takes a directory from the environment"
)]

mod again;
mod linsp;
mod memory;
mod plot;
#[path = "../../../../benches/kit/processor.rs"]
mod processor;
mod run;
mod suite;
mod table;
mod verify;

use narrative::Narrative;
use narrative::generate::choices;
use narrative::problem::Chooser;
use run::run;
use std::path::Path;
use std::time::Duration;
use table::{Table, print_heads};

/// Generated narratives with choices, of each kind.
const CHOICES: usize = 100;

fn main() {
    let seconds = number("STRATAGEM_SECONDS").unwrap_or(60);
    let time = Duration::from_secs(seconds as u64);
    let every = number("STRATAGEM_EVERY").unwrap_or(1);
    let parts = std::env::var("STRATAGEM_PARTS").ok();
    let wanted = |part: &str| {
        let parts = parts.as_ref();
        parts.is_none_or(|parts| parts.split(',').any(|wanted| wanted == part))
    };
    if let Some(folder) = std::env::var_os("STRATAGEM_NARRATIVE").filter(|_| wanted("given")) {
        print_heads("given");
        for suite in ["examples", "choices", "suite1", "suite2"] {
            let mut table = Table::default();
            for given in &linsp::folder(&Path::new(&folder).join(suite)) {
                let run = run(&given.narrative, time);
                table.add(&given.name, &run, given.status.as_deref());
            }
            table.print(suite);
        }
    }
    if wanted("choices") {
        print_heads("choices, generated");
        for (name, chooser) in [("ours", Chooser::System), ("of players", Chooser::Player)] {
            let mut table = Table::default();
            for index in (0..CHOICES).step_by(every) {
                let narrative = forked(index, chooser);
                table.add(&format!("{name} {index}"), &run(&narrative, time), None);
            }
            table.print(name);
        }
    }
    if wanted("suite1") {
        suite::FIRST.measure(every, time);
    }
    if wanted("suite2") {
        suite::SECOND.measure(every, time);
    }
    if wanted("again") {
        again::measure(time);
    }
    if wanted("verify") {
        verify::measure(time);
    }
    if parts.as_deref() == Some("memory") {
        memory::measure(time);
    }
}

fn number(name: &str) -> Option<usize> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().expect("a whole number"))
}

fn forked(index: usize, chooser: Chooser) -> Narrative {
    choices(1 + index as u64, chooser, 2 + index % 3)
}
