//! How a rehearsal stands, for people.

use super::Stage;
use super::policies::Policy;
use crate::narrative::Names;
use std::fmt::Write as _;
use stratagem_render::time::span_text;

impl Stage<'_> {
    /// What time it is, what comes, and what the players may do.
    #[must_use]
    pub fn status(&self, names: &Names<'_>) -> String {
        let id = |node: usize| self.script.events[node].as_str();
        let mut out = format!("now {}\n", span_text(self.now_us));
        if let Some(choice) = self.pending() {
            let fork = &self.script.forks[choice];
            let offered = fork.offered.iter().map(|at| fork.options[*at].0.as_str());
            let options: Vec<_> = offered.collect();
            let options = options.join(", ");
            let _ = writeln!(out, "  yours: pick {} ({options})", fork.id);
        } else if let Some((at, event)) = self.next_of_ours() {
            let name = names.event(id(event));
            let _ = writeln!(out, "  ours: {name} at {}", span_text(at));
        } else if !self.over() {
            out.push_str("  ours: nothing until the players act\n");
        }
        for (event, earliest, latest) in self.running() {
            let earliest = span_text(earliest.max(self.now_us));
            let latest = span_text(latest);
            let id = id(event);
            let _ = writeln!(out, "  yours: {id} from {earliest} to {latest}");
        }
        // What two groups have between them is no storyline.
        let own = |p: &&Policy| self.tracks.iter().any(|track| track.groups == p.groups);
        let possible = self.possible().into_iter().filter(own).count();
        let all = self.policies.iter().filter(own).count();
        if possible < all || possible > self.tracks.len() {
            let _ = writeln!(out, "  storylines still possible: {possible} of {all}");
        }
        out
    }
}
