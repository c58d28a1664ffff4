//! Choices as they come up.

use super::policies::Policy;
use super::{News, Stage, Track, forks};

impl Stage<'_> {
    /// Makes choices of ours that have come up.
    pub(super) fn settle(&mut self) {
        for track in 0..self.tracks.len() {
            while let Some(choice) = self.coming(&self.tracks[track]) {
                let possible = self.telling(&self.tracks[track]);
                if possible.iter().all(|p| p.picks[choice] == Some(None)) {
                    self.picks[choice] = Some(None);
                } else if self.script.forks[choice].players || !self.arrived(choice, &possible) {
                    break;
                } else {
                    let later = choice..self.tracks[track].choices.end;
                    let option = forks::ours(self.script, &self.picks, later, &possible);
                    self.make(choice, option.unwrap_or(0));
                }
            }
        }
    }

    /// The next choice of a track in story order.
    fn coming(&self, track: &Track) -> Option<usize> {
        let mut choices = track.choices.clone();
        choices.find(|choice| self.picks[*choice].is_none())
    }

    /// Policies that are still possible, for the groups of a track alone.
    fn telling(&self, track: &Track) -> Vec<&Policy> {
        let possible = self.possible().into_iter();
        possible.filter(|p| p.groups == track.groups).collect()
    }

    /// Whether all has happened that must have when a choice is made.
    fn arrived(&self, choice: usize, possible: &[&Policy]) -> bool {
        let moment = forks::moment(self.script, &self.picks, choice, possible);
        moment.iter().all(|node| self.times[*node].is_some())
    }

    pub(super) fn make(&mut self, choice: usize, option: usize) {
        self.picks[choice] = Some(Some(option));
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
        self.all_pending().next()
    }

    /// All choices of the players that have come up: groups may have one each.
    fn all_pending(&self) -> impl Iterator<Item = usize> {
        self.tracks.iter().filter_map(|track| {
            let choice = self.coming(track)?;
            let is_theirs = self.script.forks[choice].players;
            (is_theirs && self.arrived(choice, &self.telling(track))).then_some(choice)
        })
    }

    /// Makes a choice of the players.
    ///
    /// # Errors
    /// Why it may not be made now, for people.
    pub fn pick(&mut self, choice: usize, option: usize) -> Result<(), String> {
        let id = &self.script.forks[choice].id;
        match self.picks[choice] {
            Some(Some(_)) => return Err(format!("{id} was picked already")),
            Some(None) => return Err(format!("{id} does not come up in this story")),
            None => {}
        }
        // Events of ours at this very moment may come first.
        while self.pending().is_none() && self.step(self.now_us, true) {}
        if !self.script.forks[choice].players && self.picks[choice].is_none() {
            return Err(format!("{id} is ours: the plan decides"));
        }
        if !self.all_pending().any(|pending| pending == choice) {
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
