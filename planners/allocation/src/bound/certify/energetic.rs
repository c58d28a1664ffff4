//! Energetic reasoning: more work by a deadline than there is time for.
//!
//! Tasks that end by a deadline, each with the quickest arc into it, take their time on some route,
//! one after the other, between the moment its agent can leave and the deadline or the end of its
//! shift. After Erschler, Lopez, Thuriot, "Raisonnement temporel sous
//! contraintes de ressource", Revue d'Intelligence Artificielle 5 (1991), with the interval
//! beginning at the start.

use super::SkillClass;
use crate::certificate::{Certificate, Proof};
use crate::problem::{Micros, Problem};

/// A certificate for the first deadline by which the work takes longer than there is time.
pub(super) fn energetic_bound(class: &SkillClass<'_>, free: &Problem) -> Option<Certificate> {
    let problem = class.incompatibilities.problem;
    let mut due: Vec<(Micros, usize)> = Vec::new();
    for &task in &class.tasks {
        let latest_us = class.best.latest_us[task]?;
        due.push((
            latest_us.saturating_add(problem.tasks()[task].service_us),
            task,
        ));
    }
    due.sort_unstable();
    let mut work_us: i128 = 0;
    for (count, &(deadline_us, task)) in due.iter().enumerate() {
        let travel_us = arc_in_us(class, free, task)?;
        work_us += i128::from(travel_us) + i128::from(problem.tasks()[task].service_us);
        let is_last = due.get(count + 1).is_none_or(|next| next.0 > deadline_us);
        if !is_last {
            continue;
        }
        let room_us = room_us(class, free, deadline_us);
        if work_us > i128::from(room_us) {
            let mut tasks: Vec<usize> = due[..=count].iter().map(|one| one.1).collect();
            tasks.sort_unstable();
            return Some(Certificate {
                tasks,
                left_out: 1,
                proof: Proof::Time {
                    agents: class.agents.clone(),
                    deadline_us,
                    work_us: i64::try_from(work_us).unwrap_or(i64::MAX),
                    room_us,
                },
            });
        }
    }
    None
}

/// The quickest arc to a task, from the source of an agent or from another task.
fn arc_in_us(class: &SkillClass<'_>, free: &Problem, task: usize) -> Option<Micros> {
    let best = &class.best;
    let to = free.tasks()[task].location;
    let speed_micro = best.speed_micro;
    let travel = free.travel();
    let begins = best.sources.iter().map(|source| source.location);
    let others = (0..free.tasks().len()).filter(|other| *other != task && best.able[*other]);
    let from = begins.chain(others.map(|other| free.tasks()[other].location));
    // The arc that is quickest at speed 1 is quickest at any speed.
    let quickest = from.filter_map(|from| Some((travel.duration_us(from, to)?, from)));
    let (_, from) = quickest.min()?;
    travel.duration_at_us(from, to, speed_micro)
}

/// Time of all agents until a deadline.
fn room_us(class: &SkillClass<'_>, free: &Problem, deadline_us: Micros) -> Micros {
    let room = |agent: &usize| {
        let source = crate::bound::earliest_arrival::Source::new(free, *agent);
        let end_us = source.shift_end_us.min(deadline_us);
        (end_us - source.free_us).max(0)
    };
    class.agents.iter().map(room).sum()
}
