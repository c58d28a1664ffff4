//! Takes neighbouring tasks off neighbouring paths.

use super::draft::Draft;
use super::model::Model;
use super::nearest::Nearest;
use mcts::Rng;
use rand::RngExt;

/// How many tasks a ruin takes out on average.
const TASKS_MEAN: f64 = 10.0;
/// Most tasks that it takes off one path.
const STRING_MAX: f64 = 10.0;
/// How often a string is split: some tasks in its middle stay.
const SPLIT_SHARE: f64 = 0.5;
/// How often one more task in the middle of a split string stays.
const STAY_SHARE: f64 = 0.01;

/// Takes strings of tasks off the paths around one task.
///
/// SISR: Christiaens, Vanden Berghe, "Slack induction by string removals for vehicle routing
/// problems", Transportation Science 54 (2020), algorithm 2, with their parameters. Tasks under way
/// stay.
pub(crate) fn ruin(model: &Model<'_>, nearest: &Nearest, draft: &mut Draft, rng: &mut Rng) {
    let done = model.jobs.len() - draft.absent.len();
    let busy = draft.terms().agents_used_micro / crate::problem::MICRO;
    if done == 0 || busy == 0 {
        return;
    }
    let string_max = STRING_MAX.min(done as f64 / busy as f64).max(1.0);
    let paths_max = (4.0 * TASKS_MEAN / (1.0 + string_max) - 1.0).max(1.0);
    let mut paths_left = (1.0 + rng.random::<f64>() * paths_max) as usize;
    let seed = rng.random_range(0..model.jobs.len() as u32);
    let mut ruined = Ruined::default();
    for &task in std::iter::once(&seed).chain(nearest.of(seed)) {
        if paths_left == 0 {
            break;
        }
        let place = draft.places[task as usize];
        if !draft.is_done(task)
            || model.jobs[task as usize].is_started
            || ruined.contains(place.agent)
        {
            continue;
        }
        ruined.push(place.agent);
        paths_left -= 1;
        let agent = place.agent as usize;
        let free = draft.paths[agent].visits.len() - model.workers[agent].started.len();
        let longest = string_max.min(free as f64);
        let count = (1.0 + rng.random::<f64>() * longest) as usize;
        remove_string(
            model,
            draft,
            (agent, place.position as usize),
            (count.min(free), rng),
        );
    }
}

/// Removes `count` tasks, the one at `position` among them unless it is one of those in the middle
/// that stay.
fn remove_string(
    model: &Model<'_>,
    draft: &mut Draft,
    (agent, position): (usize, usize),
    (count, rng): (usize, &mut Rng),
) {
    let first = model.workers[agent].started.len();
    let end = draft.paths[agent].visits.len();
    let mut stay = 0;
    if count > 1 && first + count < end && rng.random::<f64>() < SPLIT_SHARE {
        stay = 1;
        while first + count + stay < end && rng.random::<f64>() < STAY_SHARE {
            stay += 1;
        }
    }
    let span = count + stay;
    let low = first.max((position + 1).saturating_sub(span));
    let start = rng.random_range(low..=position.min(end - span));
    if stay == 0 {
        draft.remove(model, agent, start..start + count);
        return;
    }
    let head = rng.random_range(1..count);
    // The rear first: positions in front of it do not move.
    draft.remove(model, agent, start + head + stay..start + span);
    draft.remove(model, agent, start..start + head);
}

/// The paths that are ruined already: a few.
#[derive(Default)]
struct Ruined {
    agents: [u32; 32],
    count: usize,
}

impl Ruined {
    fn contains(&self, agent: u32) -> bool {
        self.agents[..self.count].contains(&agent)
    }

    fn push(&mut self, agent: u32) {
        if self.count < self.agents.len() {
            self.agents[self.count] = agent;
            self.count += 1;
        }
    }
}
