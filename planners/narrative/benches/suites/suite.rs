//! The two suites of the paper, problem by problem: tables by size and by copies or contingent
//! share, and pictures.

use crate::plot;
use crate::run::run;
use crate::table::{Table, print_heads};
use narrative::Narrative;
use narrative::generate::{SUITE1, SUITE2, suite1, suite2};
use std::collections::BTreeMap;
use std::time::Duration;

/// One problem, and what came of it.
pub(crate) struct Dot {
    pub(crate) events: usize,
    /// Copies, or contingent links for each thousand events.
    pub(crate) kind: usize,
    pub(crate) ms: f64,
    pub(crate) is_open: bool,
}

/// A suite.
pub(crate) struct Suite {
    pub(crate) name: &'static str,
    /// The paper's figure that shows the same.
    pub(crate) title: &'static str,
    /// The name of the files that are written.
    file: &'static str,
    draw: fn(u64, usize) -> Narrative,
    count: usize,
    /// What is counted by the index of a problem modulo 4, and in words.
    kinds: [(usize, &'static str); 4],
}

pub(crate) const FIRST: Suite = Suite {
    name: "suite 1",
    title: "Time to a verdict by events and copies (the paper's Figure 7)",
    file: "narrative-suite1",
    draw: suite1,
    count: SUITE1,
    kinds: [
        (2, "2 copies"),
        (3, "3 copies"),
        (4, "4 copies"),
        (5, "5 copies"),
    ],
};

pub(crate) const SECOND: Suite = Suite {
    name: "suite 2",
    title: "Time to a verdict by events and contingent share (the paper's Figure 8)",
    file: "narrative-suite2",
    draw: suite2,
    count: SUITE2,
    kinds: [
        (0, "0 %"),
        (125, "12.5 %"),
        (250, "25 %"),
        (500, "50 % contingent"),
    ],
};

impl Suite {
    /// What each kind of problem is called.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = (usize, &'static str)> + '_ {
        self.kinds.iter().copied()
    }

    /// Runs every `every`th problem, at most so long each.
    pub(crate) fn measure(&self, every: usize, time: Duration) {
        let mut whole = Table::default();
        let mut sizes: BTreeMap<usize, Table> = BTreeMap::new();
        let mut kinds: BTreeMap<usize, Table> = BTreeMap::new();
        let mut dots = Vec::new();
        for index in (0..self.count).step_by(every) {
            let narrative = (self.draw)(1, index);
            let events = narrative.spec().events;
            let run = run(&narrative, time);
            let (kind, _) = self.kinds[index % self.kinds.len()];
            let name = format!("{} {index}, {events} events", self.name);
            whole.add(&name, &run, None);
            let size = sizes.entry(events.saturating_sub(1) / 25).or_default();
            size.add(&name, &run, None);
            kinds.entry(kind).or_default().add(&name, &run, None);
            if std::env::var_os("STRATAGEM_VERBOSE").is_some() {
                println!(
                    "{name}: {} in {:.1?}, first {:.1?}, all {:.1?}",
                    run.found(),
                    run.verdict,
                    run.first,
                    run.all
                );
            }
            dots.push(Dot {
                events,
                kind,
                ms: run.verdict.as_secs_f64() * 1e3,
                is_open: run.found() == "unknown",
            });
        }
        print_heads(self.name);
        whole.print("all");
        for (size, table) in sizes {
            table.print(&format!("{} to {} events", 25 * size + 1, 25 * size + 25));
        }
        for (kind, table) in kinds {
            let named = self.kinds.iter().find(|(known, _)| *known == kind);
            table.print(named.map_or("", |(_, name)| name));
        }
        plot::save(self.file, &plot::picture(self, &dots), &csv(&dots));
    }
}

fn csv(dots: &[Dot]) -> String {
    let lines = dots.iter().map(|dot| {
        let Dot {
            events, kind, ms, ..
        } = dot;
        format!("{events},{kind},{ms:.3},{}\n", !dot.is_open)
    });
    let head = "events,copies or contingent links per thousand,ms to a verdict,decided\n";
    std::iter::once(head.to_owned()).chain(lines).collect()
}
