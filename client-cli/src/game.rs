//! A game against a plan: the plan acts, somebody else decides when the events of others happen.
//!
//! Nothing sleeps: time is a number of microseconds that moves when the player says so. The plan is
//! what the server answered, either fixed times ([`Plan::Schedule`]) or a dispatchable network
//! ([`Plan::Dispatch`]), and this is its executor: it knows no more than what has happened so far.
//!
//! * `bounds`: the network by numbers, and its closure.
//! * `plan`: what we do next.
//! * `others`: what Nature and teammates may do now.
//! * `referee`: which requirements were kept.

mod bounds;
mod others;
mod plan;
mod referee;

pub use bounds::{Mistake, Rules};
pub use others::Choice;
pub use plan::Plan;
pub use referee::broken;

/// What happened, or what cannot be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// An event happened.
    Happened {
        /// Which, as an index of the network.
        event: usize,
        /// When, in microseconds.
        at_us: i64,
        /// Why, for people: `our plan`, `you`, `at the latest`.
        by: &'static str,
    },
    /// An event of others can be kept no more: its time is over before it may happen.
    Stuck {
        /// Which, as an index of the network.
        event: usize,
    },
}

/// A game that goes on.
pub struct Game<'a> {
    rules: &'a Rules,
    plan: Plan,
    /// When each event happened; the last is the origin, at 0.
    times: Vec<Option<i64>>,
    now_us: i64,
    news: Vec<News>,
}

impl<'a> Game<'a> {
    /// A game at its begin.
    #[must_use]
    pub fn new(rules: &'a Rules, plan: Plan) -> Self {
        let mut times = vec![None; rules.events.len()];
        times.push(Some(0));
        // The plan may begin before the origin.
        let now_us = plan.begin_us();
        Self {
            rules,
            plan,
            times,
            now_us,
            news: Vec::new(),
        }
    }

    /// The moment that it is, in microseconds.
    #[must_use]
    pub fn now_us(&self) -> i64 {
        self.now_us
    }

    /// When each event happened, in the order of the network.
    #[must_use]
    pub fn times(&self) -> &[Option<i64>] {
        &self.times[..self.rules.events.len()]
    }

    /// What the player may do, now or later, by what has happened so far.
    #[must_use]
    pub fn choices(&self) -> Vec<Choice> {
        others::choices(self.rules, &self.times, self.now_us)
    }

    /// Our next event and its time, by what has happened so far: it may change.
    #[must_use]
    pub fn next_of_ours(&self) -> Option<(i64, usize)> {
        self.plan.next(self.rules, &self.times, self.now_us)
    }

    /// What happened since this was asked before.
    pub fn news(&mut self) -> Vec<News> {
        std::mem::take(&mut self.news)
    }

    /// Lets time go by until `until_us`. Our events before that moment happen, and those of others
    /// whose time is over. Events of ours at the very moment still wait: others may go first.
    pub fn wait_until(&mut self, until_us: i64) {
        while self.step(until_us, false) {}
        self.now_us = self.now_us.max(until_us);
    }

    /// Makes an event of others happen now.
    ///
    /// # Errors
    /// Why it may not, for people.
    pub fn happen(&mut self, event: usize) -> Result<(), String> {
        loop {
            let refused = match self.allowed(event) {
                Ok(()) => break,
                Err(refused) => refused,
            };
            // Our event at this very moment may be what it waits for.
            let ours = self.next_of_ours().filter(|(at, _)| *at <= self.now_us);
            let Some((_, next)) = ours else {
                return Err(refused);
            };
            self.execute(next, "our plan");
        }
        self.execute(event, "you");
        Ok(())
    }

    /// Plays on to the end: what others have not done happens at the latest moment.
    pub fn finish(&mut self) {
        // Everything happens at most once.
        for _ in 0..self.times.len() {
            if !self.step(i64::MAX, true) {
                break;
            }
        }
    }

    fn allowed(&self, event: usize) -> Result<(), String> {
        let id = &self.rules.events[event];
        if let Some(at) = self.times[event] {
            let at = stratagem_render::time::span_text(at);
            return Err(format!("{id} happened at {at}"));
        }
        let choices = self.choices();
        let Some(choice) = choices.iter().find(|c| c.event == event) else {
            return Err(format!("{id} is ours: the plan decides"));
        };
        choice.allowed(self.rules, self.now_us)
    }

    /// Lets the next thing happen if that is before `until_us` (or at it, if `included`); those of
    /// others first. False when there is nothing.
    fn step(&mut self, until_us: i64, included: bool) -> bool {
        let choices = self.choices();
        let overdue = choices
            .iter()
            .filter_map(|c| Some((c.latest_us?.max(self.now_us), c.event)))
            .min();
        let ours = self.next_of_ours();
        let forced = overdue.filter(|(at, _)| {
            let before_ours = ours.is_none_or(|(ours_at, _)| *at <= ours_at);
            before_ours && *at <= until_us
        });
        if let Some((at, event)) = forced {
            // At the player's moment there is still time to do it, unless the moment is over.
            if at == until_us && !included {
                return false;
            }
            self.now_us = at;
            let late = choices.iter().any(|c| c.event == event && c.overdue(at));
            if late {
                self.news.push(News::Stuck { event });
            }
            self.execute(event, "at the latest");
            return true;
        }
        match ours {
            Some((at, event)) if at < until_us || included && at == until_us => {
                self.now_us = self.now_us.max(at);
                self.execute(event, "our plan");
                true
            }
            _ => false,
        }
    }

    fn execute(&mut self, event: usize, by: &'static str) {
        let at_us = self.now_us;
        self.times[event] = Some(at_us);
        self.news.push(News::Happened { event, at_us, by });
    }
}
