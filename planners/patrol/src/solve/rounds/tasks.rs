//! Formations are improved in parallel, on the given threads. Each has its share of iterations and
//! its own seed, and the best of all is offered when all are done, so that the result does not
//! depend on the number of threads.

use super::formation::{Begin, Draft, Formation};
use super::proved;
use crate::context::Context;
use crate::plan::{Cost, Plan};
use crate::solve::offer;
use crate::solve::shortest_paths::Tables;
use anytime::{Control, Limits, Offer, Sink};
use std::panic::resume_unwind;

/// Formations that are improved at a time.
pub(super) const WIDTH: usize = 4;

/// Work on a formation.
pub(super) struct Task {
    pub origin: Origin,
    /// Steps of an improvement, and how many there are.
    pub steps: u64,
    pub times: usize,
}

/// Where a formation comes from.
pub(super) enum Origin {
    Known(Draft),
    /// Teams of these guards, with what they walk at first and a seed. It is offered before it is
    /// improved.
    Fresh(Vec<Vec<usize>>, Begin, u64),
}

/// A place to work at.
struct Place<'w, 's> {
    context: &'w Context<'s>,
    tables: &'w [Tables],
    limits: Limits,
    bound: Option<Cost>,
}

/// What was found.
struct Found {
    draft: Draft,
    best: Best,
    iterations: u64,
}

/// The best plan, what it costs and what found it.
#[derive(Default)]
struct Best(Option<(Plan, Cost, String)>);

impl Sink<Plan, Cost> for Best {
    fn offer(&mut self, offer: Offer<'_, Plan, Cost>) {
        let by = offer.found_by.to_owned();
        self.0 = Some((offer.plan.clone(), offer.cost, by));
    }
}

/// Does tasks, at most one for each scene, and returns their formations, in order.
pub(super) fn side_by_side(
    scenes: &mut [Context<'_>],
    tables: &[Tables],
    tasks: Vec<Task>,
    control: &mut Control<'_, Plan, Cost>,
) -> Vec<Draft> {
    let count = tasks.len();
    let stretch = count.div_ceil(control.limits().threads.max(1)).max(1);
    let share = |index: usize| {
        let (remaining, count) = (control.remaining(), count as u64);
        remaining / count + u64::from((index as u64) < remaining % count)
    };
    let limits = |index| Limits {
        iterations_max: Some(share(index)),
        ..control.limits().clone()
    };
    let bound = control.bound();
    let mut parts: Vec<Vec<_>> = Vec::new();
    for (index, (context, task)) in scenes.iter_mut().zip(tasks).enumerate() {
        if index % stretch == 0 {
            parts.push(Vec::new());
        }
        let part = parts.last_mut().expect("one was begun");
        part.push((context, task, limits(index)));
    }
    let work = |part: Vec<(&mut Context<'_>, Task, Limits)>| {
        let each = part.into_iter().map(|(context, task, limits)| {
            let place = Place {
                context,
                tables,
                limits,
                bound,
            };
            place.work(task)
        });
        each.collect::<Vec<Found>>()
    };
    let work = &work;
    let found = std::thread::scope(|scope| {
        let mut parts = parts.into_iter();
        let first = parts.next();
        let others: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
        let mut found = first.map(work).unwrap_or_default();
        for other in others {
            found.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        found
    });
    let iterations = found.iter().map(|found| found.iterations).sum();
    control.count(iterations);
    let (best, drafts): (Vec<_>, Vec<_>) = found
        .into_iter()
        .map(|found| (found.best.0, found.draft))
        .unzip();
    let best = best.into_iter().flatten();
    if let Some((plan, cost, by)) = best.min_by_key(|(_, cost, _)| *cost) {
        offer(control, &plan, (cost, &by));
    }
    drafts
}

impl Place<'_, '_> {
    fn work(self, task: Task) -> Found {
        let mut best = Best::default();
        // Formations have their own seeds.
        let mut control = Control::new(self.limits, 0, &mut best);
        if let Some(bound) = self.bound {
            control.prove(bound, "known");
        }
        let mut one = match task.origin {
            Origin::Known(draft) => Formation::of(self.context, self.tables, draft),
            Origin::Fresh(sizes, begin, seed) => {
                let mut one = Formation::new(self.context, self.tables, (&sizes, &begin, seed));
                one.offer(&mut control);
                one
            }
        };
        for _ in 0..task.times {
            if proved(self.context, &control) || !one.improve(task.steps, &mut control) {
                break;
            }
        }
        let iterations = control.iterations();
        Found {
            draft: one.draft,
            best,
            iterations,
        }
    }
}
