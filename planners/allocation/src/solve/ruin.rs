//! Ruin: removal of strings of tasks from neighbouring paths.

use super::draft::Draft;
use super::model::Model;
use super::neighbourhood::Neighbourhood;
use mcts::Rng;
use rand::RngExt;

/// Average number of tasks removed.
const TASKS_MEAN: f64 = 10.0;
/// Longest string removed from a path.
const STRING_MAX: f64 = 10.0;
/// Probability of a split string, of which some tasks in the middle stay.
const SPLIT_SHARE: f64 = 0.5;
/// Probability of one more task that stays in a split string.
const STAY_SHARE: f64 = 0.01;

/// Removes strings of tasks from the paths around a random task.
///
/// SISR: Christiaens, Vanden Berghe, "Slack induction by string removals for vehicle routing
/// problems", Transportation Science 54 (2020), algorithm 2, with their parameters. Committed tasks
/// stay.
pub(crate) fn ruin(
    model: &Model<'_>,
    neighbourhood: &Neighbourhood,
    draft: &mut Draft,
    rng: &mut Rng,
) {
    let done = model.jobs.len() - draft.unassigned.len();
    let busy = draft.terms().agents_used_micro / crate::problem::MICRO;
    if done == 0 || busy == 0 {
        return;
    }
    let string_max = STRING_MAX.min(done as f64 / busy as f64).max(1.0);
    let paths_max = (4.0 * TASKS_MEAN / (1.0 + string_max) - 1.0).max(1.0);
    let mut paths_left = (1.0 + rng.random::<f64>() * paths_max) as usize;
    let seed = rng.random_range(0..model.jobs.len() as u32);
    let mut ruined = Ruined::default();
    for &task in std::iter::once(&seed).chain(neighbourhood.neighbours(seed)) {
        if paths_left == 0 {
            break;
        }
        let place = draft.places[task as usize];
        if !draft.is_assigned(task)
            || model.jobs[task as usize].is_committed
            || ruined.contains(place.agent)
        {
            continue;
        }
        ruined.push(place.agent);
        paths_left -= 1;
        let agent = place.agent as usize;
        let free = draft.paths[agent].visits.len() - model.workers[agent].committed.len();
        let longest = string_max.min(free as f64);
        let count = (1.0 + rng.random::<f64>() * longest) as usize;
        remove_string(
            model,
            draft,
            agent,
            place.position as usize,
            count.min(free),
            rng,
        );
    }
}

/// Removes `count` tasks, the one at `position` among them unless it is one of those in the middle
/// that stay.
fn remove_string(
    model: &Model<'_>,
    draft: &mut Draft,
    agent: usize,
    position: usize,
    count: usize,
    rng: &mut Rng,
) {
    let first = model.workers[agent].committed.len();
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
    // The rear first: positions in front of it stay valid.
    draft.remove(model, agent, start + head + stay..start + span);
    draft.remove(model, agent, start..start + head);
}

/// The paths ruined so far.
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
