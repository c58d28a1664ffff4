//! The cases of `proto/vectors/dispatch`, which clients run too: by the dispatcher of the engine,
//! and by the independent check of this planner, which closes networks first.

use crate::verify_stories::{kept, lasts, narrative, plan, policy, wait};
use narrative::problem::Spec;
use narrative::verify::simulate;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use stn::dispatch::{Deviation, DispatchableNetwork, Dispatcher, Observation, StepError};
use stn::uncertain::{Contingent, DispatchBound, Wait};

struct Case {
    name: String,
    events: Vec<String>,
    bounds: Vec<DispatchBound>,
    waits: Vec<Wait>,
    links: Vec<Contingent>,
    steps: Vec<Step>,
    end: String,
}

struct Step {
    at: i64,
    observed: Vec<Observation>,
    /// Events that happen, sorted, and the next wake-up. `None`: the run deviates.
    decision: Option<(Vec<u32>, Option<i64>)>,
}

impl Step {
    /// `index`: of the event with a name.
    fn new(step: &Value, index: &dyn Fn(&Value) -> u32) -> Self {
        let seen = |row: &Value| Observation {
            event: index(&row[0]),
            at: us(&row[1]),
        };
        let observed = step["observe"].as_array().map_or(&[][..], Vec::as_slice);
        let decision = step["fire"].as_array().map(|fire| {
            let mut fire: Vec<u32> = fire.iter().map(index).collect();
            fire.sort_unstable();
            (fire, step["wake"].as_i64())
        });
        Self {
            at: us(&step["at"]),
            observed: observed.iter().map(seen).collect(),
            decision,
        }
    }
}

fn rows<'v>(value: &'v Value, list: &str) -> impl Iterator<Item = &'v Vec<Value>> {
    let rows = value[list].as_array().expect("a list").iter();
    rows.map(|row| row.as_array().expect("a row"))
}

fn us(value: &Value) -> i64 {
    value.as_i64().expect("microseconds")
}

impl Case {
    fn new(case: &Value) -> Self {
        let network = &case["network"];
        let given = rows(network, "events").map(|row| row[0].as_str().expect("a name"));
        let events: Vec<String> = std::iter::once("origin")
            .chain(given)
            .map(Into::into)
            .collect();
        let at = |name: &Value| {
            let mut all = events.iter();
            all.position(|event| name == event.as_str())
                .expect("an event") as u32
        };
        let links = rows(network, "links").zip(0..);
        let links = links.map(|(row, id)| Contingent {
            from: at(&row[0]),
            to: at(&row[1]),
            lower: us(&row[2]),
            upper: us(&row[3]),
            id,
        });
        let links: Vec<Contingent> = links.collect();
        let bounds = rows(network, "bounds").map(|row| DispatchBound {
            from: at(&row[0]),
            to: at(&row[1]),
            weight: us(&row[2]),
        });
        let waits = rows(network, "waits").map(|row| {
            let is_link = |link: &Contingent| (link.from, link.to) == (at(&row[1]), at(&row[2]));
            let link = links.iter().position(is_link).expect("a link") as u32;
            let (event, least) = (at(&row[0]), us(&row[3]));
            Wait { event, link, least }
        });
        let steps = case["steps"].as_array().expect("steps").iter();
        let natures = links.iter().map(|link| &events[link.to as usize]);
        let natures: Vec<&String> = natures.collect();
        for row in rows(network, "events") {
            let kind = if natures.iter().any(|name| row[0] == name.as_str()) {
                "nature"
            } else {
                "ours"
            };
            assert_eq!(row[1], kind, "{}", case["name"]);
        }
        Self {
            name: case["name"].as_str().expect("a name").into(),
            bounds: bounds.collect(),
            waits: waits.collect(),
            steps: steps.map(|step| Step::new(step, &at)).collect(),
            end: case["end"].as_str().expect("an end").into(),
            links,
            events,
        }
    }

    /// How the run ends, and the times of events.
    fn play(&self) -> (String, Vec<Option<i64>>) {
        let network = DispatchableNetwork {
            events: self.events.len(),
            bounds: &self.bounds,
            waits: &self.waits,
            links: &self.links,
        };
        let mut run = Dispatcher::new(&network).unwrap_or_else(|e| panic!("{}: {e}", self.name));
        for Step {
            at,
            observed,
            decision,
        } in &self.steps
        {
            let made = match run.step(*at, observed) {
                Ok(made) => made,
                Err(StepError::Deviated(deviation)) => {
                    assert_eq!(*decision, None, "{} at {at}", self.name);
                    return (self.text(deviation), run.times().to_vec());
                }
                Err(error) => panic!("{}: {error}", self.name),
            };
            self.check_order(&made.fire);
            let mut fire = made.fire;
            fire.sort_unstable();
            assert_eq!(*decision, Some((fire, made.wake)), "{} at {at}", self.name);
        }
        let end = if run.is_over() { "done" } else { "running" };
        (end.into(), run.times().to_vec())
    }

    /// In one step the event that a bound of 0 leads to comes first, unless it leads back.
    fn check_order(&self, fired: &[u32]) {
        let place = |event: u32| fired.iter().position(|other| *other == event);
        let orders = self.bounds.iter().filter(|bound| bound.weight == 0);
        for order in orders {
            if let (Some(after), Some(before)) = (place(order.from), place(order.to)) {
                let rigid = self.precedes(order.from, order.to);
                assert!(rigid || before < after, "{}: {fired:?}", self.name);
            }
        }
    }

    /// Whether bounds of 0 lead from one event to another, so that it is not before that.
    fn precedes(&self, event: u32, from: u32) -> bool {
        let mut found = vec![from];
        let mut next = 0;
        while let Some(&from) = found.get(next) {
            next += 1;
            let leaving = self
                .bounds
                .iter()
                .filter(|bound| (bound.from, bound.weight) == (from, 0));
            for bound in leaving {
                if !found.contains(&bound.to) {
                    found.push(bound.to);
                }
            }
        }
        found.contains(&event)
    }

    fn text(&self, deviation: Deviation) -> String {
        let name = |event: u32| &self.events[event as usize];
        match deviation {
            Deviation::Late { event, .. } => format!("late:{}", name(event)),
            Deviation::Outside { event } => format!("outside:{}", name(event)),
            Deviation::Stuck => "stuck".into(),
        }
    }

    /// Whether every step comes when it is due, and every observation in time.
    fn is_punctual(&self) -> bool {
        let wakes = self
            .steps
            .iter()
            .map(|step| step.decision.as_ref().and_then(|made| made.1));
        let next = self.steps.iter().skip(1);
        let in_time = |step: &Step| step.observed.iter().all(|seen| seen.at == step.at);
        self.steps.iter().all(in_time)
            && next
                .zip(wakes)
                .all(|(step, wake)| wake.is_none_or(|wake| step.at <= wake))
    }

    /// The run by the check of the planner: the times of all events.
    fn simulated(&self, times: &[Option<i64>]) -> Vec<Option<i64>> {
        let node = |event: u32| event as usize;
        let links = self.links.iter();
        let contingent = links.map(|l| lasts(node(l.from), node(l.to), l.lower, l.upper));
        let story = narrative(Spec {
            events: self.events.len() - 1,
            contingent: contingent.collect(),
            ..Spec::default()
        });
        let mut only = policy(&[], &[]);
        let bounds = self
            .bounds
            .iter()
            .map(|b| kept(node(b.from), node(b.to), b.weight));
        only.bounds = bounds.collect();
        let waits = self
            .waits
            .iter()
            .map(|w| wait(node(w.event), node(w.link), w.least));
        only.waits = waits.collect();
        only.bounds.sort_unstable();
        only.waits.sort_unstable();
        let time = |event: u32| times[event as usize].expect("the run is over");
        let durations = self
            .links
            .iter()
            .map(|link| time(link.to) - time(link.from));
        let durations: Vec<i64> = durations.collect();
        let run = simulate(&story, &plan(1_000_000, &[only]), &durations, &[]);
        let run = run.unwrap_or_else(|wrong| panic!("{}: {wrong:?}", self.name));
        assert_eq!(run.breakdown, None, "{}", self.name);
        run.times_us
    }
}

/// All files of cases.
const FILES: [&str; 6] = [
    "bounds.json",
    "deviations.json",
    "frames.json",
    "links.json",
    "waits.json",
    "zero.json",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto/vectors/dispatch")
}

fn cases_of(file: &str) -> Vec<Case> {
    let text = fs::read_to_string(folder().join(file)).expect("a text");
    let file: Value = serde_json::from_str(&text).expect("it is JSON");
    let cases: Vec<Case> = file
        .as_array()
        .expect("a list of cases")
        .iter()
        .map(Case::new)
        .collect();
    assert!(!cases.is_empty());
    cases
}

fn cases() -> impl Iterator<Item = Case> {
    FILES.into_iter().flat_map(cases_of)
}

#[test]
fn every_file_is_in_the_list() {
    let files = fs::read_dir(folder()).expect("the folder of cases");
    let name = |file: std::io::Result<fs::DirEntry>| file.expect("a file").file_name();
    let mut names: Vec<_> = files.map(name).collect();
    names.sort_unstable();
    assert_eq!(names, FILES);
}

#[test]
fn every_case_runs_as_written() {
    for case in cases() {
        assert_eq!(case.play().0, case.end, "{}", case.name);
    }
}

#[test]
fn the_independent_check_runs_punctual_cases_alike() {
    let check = |case: Case| {
        let (end, times) = case.play();
        let comparable = end == "done" && case.is_punctual();
        if comparable {
            assert_eq!(case.simulated(&times), times, "{}", case.name);
        }
        comparable
    };
    for file in FILES.into_iter().filter(|file| *file != "deviations.json") {
        let checked = cases_of(file).into_iter().map(check);
        assert!(checked.filter(|checked| *checked).count() > 0, "{file}");
    }
}

#[test]
fn every_finished_run_satisfies_its_bounds() {
    for case in cases() {
        let (end, times) = case.play();
        let time = |event: u32| times[event as usize].unwrap_or(0);
        let broken = case
            .bounds
            .iter()
            .find(|b| time(b.to) - time(b.from) > b.weight);
        assert!(
            end != "done" || broken.is_none(),
            "{}: {broken:?}",
            case.name
        );
    }
}
