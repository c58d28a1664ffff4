//! Strong controllability: can all requirements be satisfied by times fixed in advance?

use super::conflict::{Bound, Verdict};
use super::consistent::{Constraint, Constraints};
use super::network::Stnu;
use super::ticker::Ticker;
use crate::{Edge, Time};

/// Whether one schedule of our own events satisfies all requirements of `network` in each scenario.
///
/// The witness has a time for each event, from 0 on; for a contingent event it is the time at
/// which it would happen if all durations were shortest. The proof of a failure is a negative
/// cycle of worst cases: lower bounds count where Nature may be early, upper bounds where late.
///
/// Vidal and Fargier 1999 (see the [module](super)): a contingent event is one of our own events
/// plus the durations between, so a requirement holds if it does with the worst of those that
/// only one of its ends depends on. O(requirements * links of a chain) for that, then Bellman-Ford.
///
/// # Examples
/// ```
/// use stn::{Edge, uncertain::{Contingent, Stnu, strong}};
/// // Lunch is ready 10 to 15 minutes after it was begun; it should wait for us at most 10 minutes.
/// let lunch = Contingent { from: 0, to: 1, lower: 10, upper: 15, id: 1 };
/// let within = |from, to, weight| Edge { from, to, weight, id: 2 };
/// let hot = vec![within(1, 2, 10), within(2, 1, 0)];
/// let network = Stnu::new(3, hot, vec![lunch]).unwrap();
/// let times = strong(&network).witness().unwrap();
/// assert!((15..=20).contains(&(times[2] - times[0])));
/// ```
pub fn strong(network: &Stnu) -> Verdict<Vec<Time>> {
    strong_within(network, &mut || true)
}

/// As [`strong`], but returns [`Verdict::Stopped`] soon after `go_on` has returned false. It is
/// called now and then while chains of links are followed, and once a pass over the constraints.
pub fn strong_within(network: &Stnu, go_on: &mut dyn FnMut() -> bool) -> Verdict<Vec<Time>> {
    let mut ticker = Ticker::new(go_on);
    let Some(chains) = Chains::new(network, &mut ticker) else {
        return Verdict::Stopped;
    };
    let mut constraints = Constraints::default();
    for (index, edge) in network.requirements().iter().enumerate() {
        let worst = chains.worst_case(network, index, edge);
        if !ticker.tick(worst.terms.len()) {
            return Verdict::Stopped;
        }
        constraints.add(worst);
    }
    match constraints.solve(network, go_on) {
        Verdict::Holds(times) => Verdict::Holds(chains.complete(network, &times)),
        other => other,
    }
}

/// For each event the contingent links that lead to it from one of our own events, in order.
struct Chains {
    root: Vec<u32>,
    links: Vec<Vec<usize>>,
}

impl Chains {
    /// `None` when there is no time.
    fn new(network: &Stnu, ticker: &mut Ticker<'_>) -> Option<Chains> {
        let mut chains = Chains {
            root: Vec::new(),
            links: Vec::new(),
        };
        for event in 0..network.events() {
            let mut links = Vec::new();
            let mut root = event;
            while let Some(link) = network.ending_at(root) {
                links.push(link);
                root = network.contingents()[link].from as usize;
            }
            links.reverse();
            if !ticker.tick(1 + links.len()) {
                return None;
            }
            chains.links.push(links);
            let root = u32::try_from(root).expect("at most EVENTS_MAX events");
            chains.root.push(root);
        }
        Some(chains)
    }

    /// The worst case of a requirement as a constraint between our own events. Durations that both
    /// ends wait for cancel out; the rest of `to` is late, the rest of `from` is early. A simple
    /// cycle comes to each root once and leaves it once, so it names each bound at most once.
    fn worst_case(&self, network: &Stnu, index: usize, edge: &Edge) -> Constraint {
        let (from, to) = (edge.from as usize, edge.to as usize);
        let pairs = self.links[from].iter().zip(&self.links[to]);
        let shared = pairs.take_while(|(one, other)| one == other).count();
        let mut weight = edge.weight;
        let mut terms = vec![(Bound::Requirement(index), 1)];
        for link in &self.links[to][shared..] {
            weight -= network.contingents()[*link].upper;
            terms.push((Bound::Upper(*link), -1));
        }
        for link in &self.links[from][shared..] {
            weight += network.contingents()[*link].lower;
            terms.push((Bound::Lower(*link), 1));
        }
        let (from, to) = (self.root[from], self.root[to]);
        Constraint {
            from,
            to,
            weight,
            terms,
        }
    }

    /// Adds the shortest durations to the times of our own events.
    fn complete(&self, network: &Stnu, times: &[Time]) -> Vec<Time> {
        let shortest = |link: &usize| network.contingents()[*link].lower;
        let events = self.root.iter().zip(&self.links);
        events
            .map(|(root, links)| times[*root as usize] + links.iter().map(shortest).sum::<Time>())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uncertain::{Contingent, consistent_within};

    /// Durations one after the other, and requirements from the first to the last of them.
    fn chain(links: u32) -> Stnu {
        let link = |at| Contingent::new(at, at + 1, 1, 2, at);
        let requirement = |at| Edge::new(0, links, 3 * Time::from(links), at);
        let requirements = (0..links).map(requirement).collect();
        Stnu::new(
            links as usize + 1,
            requirements,
            (0..links).map(link).collect(),
        )
        .unwrap()
    }

    #[test]
    fn a_stop_leads_to_no_verdict_however_late_it_comes() {
        let network = chain(500);
        let mut asked = 0;
        assert!(
            strong_within(&network, &mut || {
                asked += 1;
                true
            })
            .holds()
        );
        // Chains of 500 links for 500 requirements: long enough to be asked in between.
        assert!(asked > 20, "{asked}");
        for most in 0..asked {
            let mut left = most;
            let go_on = &mut || {
                left -= i32::from(left > 0);
                left > 0
            };
            assert_eq!(
                strong_within(&network, go_on),
                Verdict::Stopped,
                "{most} of {asked}"
            );
        }
        assert_eq!(consistent_within(&network, &mut || false), Verdict::Stopped);
        assert!(consistent_within(&network, &mut || true).holds());
    }
}
