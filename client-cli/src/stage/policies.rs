//! The storylines of a plan by numbers, and what each lets us do.

use super::script::{NONE, Script};
use stratagem_proto::v1::{NarrativePlan, NarrativePolicy};
use stratagem_render::time::micros;

/// How one storyline is told.
#[derive(Debug, Clone)]
pub(super) struct Policy {
    /// The option of each choice; none where it does not come up.
    pub(super) picks: Vec<Option<usize>>,
    /// Contingent link, shortest and longest duration that it is meant for.
    pub(super) outcomes: Vec<(usize, i64, i64)>,
    /// `time(to) - time(from) <= bound`.
    bounds: Vec<(usize, usize, i64)>,
    waits: Vec<Wait>,
    /// Resource, giving activity or none, getting activity.
    pub(super) hand_overs: Vec<(usize, Option<usize>, usize)>,
}

/// After `from`, `event` waits for `until`, but no longer than `duration_us`.
#[derive(Debug, Clone, Copy)]
struct Wait {
    event: usize,
    from: usize,
    until: usize,
    duration_us: i64,
}

/// All policies of a plan. What is not in the script is left out.
pub(super) fn policies(script: &Script, plan: &NarrativePlan) -> Vec<Policy> {
    let policies = plan.policies.iter();
    policies.map(|p| Policy::new(script, p)).collect()
}

impl Policy {
    fn new(script: &Script, given: &NarrativePolicy) -> Self {
        let mut picks = vec![None; script.forks.len()];
        for pick in &given.picks {
            if let Some((choice, option)) = script.pick(&pick.choice_id, &pick.option_id) {
                picks[choice] = Some(option);
            }
        }
        let outcomes = given.outcomes.iter().filter_map(|o| {
            let link = script.contingent.iter().position(|c| c.id == o.link_id)?;
            let lower = micros(o.lower.as_ref());
            Some((link, lower, micros(o.upper.as_ref())))
        });
        let activity = |id: &str| script.activities.iter().position(|a| a.id == id);
        let hand_overs = given.hand_overs.iter().filter_map(|h| {
            let mut resources = script.resources.iter();
            let resource = resources.position(|(id, _)| *id == h.resource_id)?;
            let to = activity(&h.to_activity_id)?;
            Some((resource, activity(&h.from_activity_id), to))
        });
        let mut policy = Self {
            picks,
            outcomes: outcomes.collect(),
            bounds: Vec::new(),
            waits: Vec::new(),
            hand_overs: hand_overs.collect(),
        };
        policy.add_bounds(script, given);
        policy
    }

    /// What the plan says, and the links that it was made from.
    fn add_bounds(&mut self, script: &Script, given: &NarrativePolicy) {
        let dispatch = given.dispatch.clone().unwrap_or_default();
        for bound in &dispatch.bounds {
            let ends = [&bound.from_event_id, &bound.to_event_id].map(|id| script.find(id));
            if let [Some(from), Some(to)] = ends {
                let us = micros(bound.bound.as_ref()).clamp(-NONE, NONE);
                self.bounds.push((from, to, us));
            }
        }
        let last = script.nodes() - 1;
        let here = |node: usize| script.present(&self.picks, node) == Some(true);
        let links = script.links.iter().chain(&script.contingent);
        for link in links.filter(|l| here(l.from) && here(l.to)) {
            self.bounds.push((link.from, link.to, link.upper_us));
            self.bounds.push((link.to, link.from, -link.lower_us));
        }
        for (link, lower, upper) in &self.outcomes {
            let link = &script.contingent[*link];
            self.bounds.push((link.from, link.to, *upper));
            self.bounds.push((link.to, link.from, -lower));
        }
        let present = (0..script.events.len()).filter(|e| here(*e));
        let horizon = script.horizon_us.unwrap_or(NONE);
        for event in present {
            self.bounds.push((event, last, 0));
            self.bounds.push((last, event, horizon));
        }
        let waits = dispatch.waits.iter().filter_map(|w| {
            Some(Wait {
                event: script.find(&w.event_id)?,
                from: script.find(&w.from_event_id)?,
                until: script.find(&w.until_event_id)?,
                duration_us: micros(w.duration.as_ref()).clamp(0, NONE),
            })
        });
        self.waits = waits.collect();
        self.bounds
            .retain(|(from, to, us)| *us < NONE && from != to);
        self.bounds.sort_unstable();
        self.bounds.dedup();
    }

    /// Whether it is possible after these picks, and these durations so far; `over` tells which have
    /// ended.
    pub(super) fn possible(
        &self,
        picks: &[Option<usize>],
        lasted: impl Fn(usize) -> Option<(i64, bool)>,
    ) -> bool {
        let agrees = picks.iter().zip(&self.picks).all(|(made, own)| made == own);
        agrees
            && self.outcomes.iter().all(|(link, lower, upper)| {
                lasted(*link).is_none_or(|(us, over)| us <= *upper && (!over || us >= *lower))
            })
    }

    /// Earliest times by bounds and waits, given what has happened: Bellman-Ford.
    pub(super) fn earliest(&self, times: &[Option<i64>], now_us: i64) -> Vec<i64> {
        let mut earliest: Vec<i64> = times.iter().map(|t| t.unwrap_or(now_us)).collect();
        for wait in &self.waits {
            if let (Some(begun), None, None) =
                (times[wait.from], times[wait.until], times[wait.event])
            {
                let over = begun + wait.duration_us;
                earliest[wait.event] = earliest[wait.event].max(over);
            }
        }
        // A round more than there are nodes would be a contradiction: left as it is.
        for _ in 0..=times.len() {
            let mut changed = false;
            for (from, to, bound) in &self.bounds {
                let time = earliest[*to].saturating_sub(*bound).min(NONE);
                if times[*from].is_none() && time > earliest[*from] {
                    earliest[*from] = time;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        earliest
    }

    /// Whether an event waits for another to happen first: that of a player, or the begin of a wait.
    pub(super) fn blocked(&self, times: &[Option<i64>], event: usize) -> bool {
        let asleep = |w: &Wait| times[w.from].is_none() && times[w.until].is_none();
        let sleeps = self.waits.iter().any(|w| w.event == event && asleep(w));
        let both = |from: usize, to: usize| {
            let mut back = self.bounds.iter();
            back.any(|(f, t, us)| *f == to && *t == from && *us <= 0)
        };
        let before = self.bounds.iter().filter(|(f, ..)| *f == event);
        let mut open = before.filter(|(_, t, us)| *us <= 0 && times[*t].is_none());
        // Events of one moment do not wait for each other.
        sleeps || open.any(|(f, t, _)| !both(*f, *t))
    }
}
