//! Choices as they come up.

use super::{News, Stage, forks};

impl Stage<'_> {
    /// Makes choices of ours that have come up.
    pub(super) fn settle(&mut self) {
        while let Some(choice) = self.coming() {
            let possible = self.possible();
            if possible.is_empty() || possible.iter().all(|p| p.picks[choice].is_none()) {
                self.picks.push(None);
            } else if self.script.forks[choice].players || !self.arrived(choice) {
                return;
            } else {
                let about = (self.picks.as_slice(), choice);
                let option = forks::ours(self.script, about, &possible);
                self.make(choice, option.unwrap_or(0));
            }
        }
    }

    /// The next choice in story order.
    fn coming(&self) -> Option<usize> {
        (self.picks.len() < self.script.forks.len()).then_some(self.picks.len())
    }

    /// Whether all has happened that must have when a choice is made.
    fn arrived(&self, choice: usize) -> bool {
        let possible = self.possible();
        let moment = forks::moment(self.script, (&self.picks, choice), &possible);
        moment.iter().all(|node| self.times[*node].is_some())
    }

    pub(super) fn make(&mut self, choice: usize, option: usize) {
        self.picks.push(Some(option));
        let fork = &self.script.forks[choice];
        self.news.push(News::Picked {
            choice: fork.id.clone(),
            option: fork.options[option].0.clone(),
            players: fork.players,
        });
    }

    /// The choice of the players that time stands still for: its index.
    #[must_use]
    pub fn pending(&self) -> Option<usize> {
        let choice = self.coming()?;
        (self.script.forks[choice].players && self.arrived(choice)).then_some(choice)
    }

    /// Makes a choice of the players.
    ///
    /// # Errors
    /// Why it may not be made now, for people.
    pub fn pick(&mut self, choice: usize, option: usize) -> Result<(), String> {
        let id = &self.script.forks[choice].id;
        match self.picks.get(choice) {
            Some(Some(_)) => return Err(format!("{id} was picked already")),
            Some(None) => return Err(format!("{id} does not come up in this story")),
            None => {}
        }
        // Events of ours at this very moment may come first.
        while self.pending().is_none() && self.step(self.now_us, true) {}
        if !self.script.forks[choice].players && self.picks.len() <= choice {
            return Err(format!("{id} is ours: the plan decides"));
        }
        if self.pending() != Some(choice) {
            return Err(format!("it is not time for {id} yet"));
        }
        let fork = &self.script.forks[choice];
        if !fork.offered.contains(&option) {
            return Err(format!("{} is not offered", fork.options[option].0));
        }
        self.make(choice, option);
        self.settle();
        Ok(())
    }
}
