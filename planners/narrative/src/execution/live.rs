//! Dispatch of a story that is played: what has happened is reported, the rest is not known.

use super::{Forecast, OpenChoice};
use crate::problem::{Chooser, Micros, Node, ORIGIN};
use crate::verify::Breakdown;
use crate::verify::simulate::Dispatcher;
use stn::dispatch::{Deviation, Window};

/// Beyond all times that a plan names: a latest time without a bound.
const FAR_US: Micros = 1 << 60;

impl Dispatcher<'_> {
    /// Takes what has happened until now: events that had not, in any order.
    pub(super) fn observe(
        &mut self,
        now_us: Micros,
        events: &[(Node, Micros)],
    ) -> Result<(), Deviation> {
        let mut left = events.to_vec();
        let ends = |node: Node| !self.simulator.known.ours[node];
        left.sort_by_key(|(node, time)| (*time, !ends(*node), *node));
        while let Some(&(_, time)) = left.first() {
            let later = left.split_off(left.partition_point(|event| event.1 == time));
            self.happen_together(time, left)?;
            left = later;
        }
        self.pass(now_us, &[])?;
        self.check_late()
    }

    /// Events that happen at one time: ends of links first, and each after what it waits for.
    fn happen_together(
        &mut self,
        time_us: Micros,
        mut events: Vec<(Node, Micros)>,
    ) -> Result<(), Deviation> {
        while !events.is_empty() {
            self.pass(time_us, &events)?;
            let next = events
                .iter()
                .position(|event| self.can_happen(event.0, time_us));
            let (node, _) = events.remove(next.unwrap_or(0));
            let outside = Deviation::Outside { event: index(node) };
            let ending = self.links().iter().position(|link| link.to == node);
            match ending {
                Some(contingent) => {
                    // What was to happen before it has not.
                    let is_late = time_us > self.state.front.latest(node);
                    self.end(contingent, time_us);
                    self.follow_possible();
                    if is_late || !self.has_policies() {
                        return Err(outside);
                    }
                }
                None if next.is_some() => {
                    self.happen(node, time_us)
                        .map_err(|broken| stopped(&broken))?;
                }
                None => return Err(outside),
            }
        }
        Ok(())
    }

    /// Whether an event can be next, at a time.
    fn can_happen(&self, node: Node, time_us: Micros) -> bool {
        let (front, times) = (&self.state.front, &self.state.times);
        let mut links = self.links().iter();
        match links.find(|link| link.to == node) {
            Some(link) => times[link.from].is_some(),
            None => {
                let earliest_us = front.earliest(node, times, self.links());
                front.is_ready(node) && earliest_us.is_some_and(|earliest| earliest <= time_us)
            }
        }
    }

    /// Time passes: policies are ruled out by links that go on, except those that end now, and
    /// choices are made.
    fn pass(&mut self, now_us: Micros, ending: &[(Node, Micros)]) -> Result<(), Deviation> {
        self.state.now = now_us;
        let mut last = None;
        for contingent in 0..self.links().len() {
            let end = self.links()[contingent].to;
            let is_ending = || ending.iter().any(|(node, _)| *node == end);
            let start_us = self.running_since(contingent).filter(|_| !is_ending());
            let Some((start_us, longest_us)) = start_us.zip(self.longest(contingent)) else {
                continue;
            };
            let lasted_us = now_us - start_us;
            for &policy in &self.state.followed {
                let (_, upper_us) = self.simulator.known.outcomes[policy][contingent];
                // At its very end it can still be observed, but not for a policy with less time
                // than others have.
                if upper_us < lasted_us || upper_us == lasted_us && upper_us < longest_us {
                    self.state.expired[policy] = true;
                    last = Some(index(end));
                }
            }
        }
        if let Some(event) = last {
            self.follow_possible();
            if !self.has_policies() {
                return Err(Deviation::Outside { event });
            }
        }
        self.choose().map_err(|broken| stopped(&broken))?;
        // A pick can be one for which no policy is meant, after what was seen.
        if self.has_policies() {
            Ok(())
        } else {
            Err(Deviation::Stuck)
        }
    }

    /// The longest time that a link lasts in the possible policies.
    fn longest(&self, contingent: usize) -> Option<Micros> {
        let policies = self.state.followed.iter();
        let outcomes = &self.simulator.known.outcomes;
        policies.map(|policy| outcomes[*policy][contingent].1).max()
    }

    /// An event of ours whose latest time has passed, also one that a choice decides about.
    fn check_late(&self) -> Result<(), Deviation> {
        let late = self.open_of_ours().find_map(|node| {
            let latest_us = self.state.front.latest_of_any(node);
            (latest_us < self.state.now).then_some((node, latest_us))
        });
        late.map_or(Ok(()), |(node, latest)| {
            let event = index(node);
            Err(Deviation::Late { event, latest })
        })
    }

    /// Events of ours that have not happened.
    fn open_of_ours(&self) -> impl Iterator<Item = Node> {
        let ours = self.simulator.known.ours.iter();
        let open = ours.zip(&self.state.times).enumerate();
        open.filter_map(|(node, (ours, time))| (*ours && time.is_none()).then_some(node))
    }

    /// What is due at the last reported time, and what comes next then.
    pub(super) fn forecast(&self) -> Result<Forecast, Deviation> {
        let (mut after, mut due) = (self.clone(), Vec::new());
        let now_us = self.state.now;
        loop {
            after.pass(now_us, &[])?;
            match after.next_of_ours() {
                Some((time_us, node)) if time_us <= now_us => {
                    due.push(after.window(node));
                    after
                        .happen(node, now_us)
                        .map_err(|broken| stopped(&broken))?;
                }
                _ => break,
            }
        }
        let next = after.state.front.next(&after.state.times, after.links());
        let mut upcoming: Vec<Window> = next.map(|(_, node)| after.window(node)).collect();
        upcoming.sort_by_key(|window| (window.earliest, window.event));
        let links = 0..after.links().len();
        let expected = links.filter_map(|contingent| after.expected(contingent));
        let mut expected: Vec<Window> = expected.collect();
        expected.sort_by_key(|window| (window.earliest, window.event));
        let first_us = upcoming.first().map(|window| window.earliest);
        let open = after.open();
        if due.is_empty() && first_us.is_none() && expected.is_empty() && open.is_empty() {
            after.check_over()?;
        }
        Ok(Forecast {
            due,
            wake_us: first_us.into_iter().chain(after.next_expiry()).min(),
            upcoming,
            expected,
            picks: after.state.picked(),
            open,
            policies: after.state.followed,
        })
    }

    /// When a node of ours, which all share, may happen.
    fn window(&self, node: Node) -> Window {
        let (front, times) = (&self.state.front, &self.state.times);
        let earliest = front.earliest(node, times, self.links());
        let latest = front.latest(node);
        Window {
            event: index(node),
            earliest: earliest.unwrap_or(self.state.now),
            latest: (latest < FAR_US).then_some(latest),
            until: front
                .awaited(node, times, self.links(), self.state.now)
                .into_iter()
                .map(index)
                .collect(),
        }
    }

    /// When a link ends that runs.
    fn expected(&self, contingent: usize) -> Option<Window> {
        let start_us = self.running_since(contingent)?;
        let outcomes = &self.simulator.known.outcomes;
        let policies = self.state.followed.iter();
        let shortest = policies.map(|policy| outcomes[*policy][contingent].0).min();
        Some(Window {
            event: index(self.links()[contingent].to),
            earliest: start_us + shortest?,
            latest: self.longest(contingent).map(|longest| start_us + longest),
            until: Vec::new(),
        })
    }

    /// When a link that goes on rules out a policy.
    fn next_expiry(&self) -> Option<Micros> {
        let outcomes = &self.simulator.known.outcomes;
        let expiries = (0..self.links().len()).filter_map(|contingent| {
            let start_us = self.running_since(contingent)?;
            let longest_us = self.longest(contingent)?;
            let policies = self.state.followed.iter();
            let ends = policies.map(|policy| outcomes[*policy][contingent].1);
            let ends = ends.filter(|upper_us| *upper_us < longest_us);
            ends.min().map(|upper_us| start_us + upper_us)
        });
        expiries.min()
    }

    /// Choices of players whose moment has come, with their options.
    fn open(&self) -> Vec<OpenChoice> {
        let parts = (0..self.state.pasts.len()).filter_map(|part| {
            let picks = &self.state.pasts[part].picks;
            let story = self.simulator.parts.parts[part].story;
            let moment = story.moment(picks)?;
            let options = story.options(picks);
            let is_open = options.len() > 1
                && story.chooser(picks) == Chooser::Player
                && self.has_come(part, moment);
            is_open.then(|| OpenChoice {
                choice: picks.len(),
                options: options.into_iter().flatten().collect(),
                latest_us: self.latest_pick(),
            })
        });
        parts.collect()
    }

    /// By when players have to pick, so that all options still hold.
    fn latest_pick(&self) -> Option<Micros> {
        let front = &self.state.front;
        let forked = self.open_of_ours().filter(|node| !front.is_shared(*node));
        let latest = forked.map(|node| front.latest_of_any(node)).min();
        latest.filter(|latest_us| *latest_us < FAR_US)
    }

    /// Whether all events have happened.
    fn check_over(&self) -> Result<(), Deviation> {
        let (picks, narrative) = (self.state.picked(), self.simulator.parts.narrative);
        let all = picks.len() == narrative.spec().choices.len();
        let mut nodes = ORIGIN + 1..narrative.nodes();
        let is_over =
            nodes.all(|node| self.state.times[node].is_some() || !narrative.present(&picks, node));
        if all && is_over {
            Ok(())
        } else {
            Err(Deviation::Stuck)
        }
    }
}

/// What stops a dispatch, as a deviation.
fn stopped(broken: &Breakdown) -> Deviation {
    match *broken {
        Breakdown::Late {
            node, latest_us, ..
        } => Deviation::Late {
            event: index(node),
            latest: latest_us,
        },
        _ => Deviation::Stuck,
    }
}

fn index(node: Node) -> u32 {
    u32::try_from(node).expect("at most EVENTS_MAX events")
}
