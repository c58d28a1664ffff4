//! The most that activities which may overlap need at once, and who hands what to whom.
//!
//! Dilworth, "A decomposition theorem for partially ordered sets", Annals of Mathematics 51 (1950),
//! with weights: the heaviest set of activities of which none precedes another weighs as much as
//! the least stock from which all can be served, when each hands on what it had. Both are the two
//! sides of one maximum flow.

/// Activities that need one resource, with who may hand on to whom: a transitive order.
#[derive(Debug)]
pub(crate) struct Flow {
    amounts: Vec<u32>,
    /// By activity, those that come after it, rising.
    after: Vec<Vec<u32>>,
    /// By pair, row by row of who hands on.
    passed: Vec<u32>,
    /// What each can still hand on, and what each still needs.
    spare: Vec<u32>,
    needed: Vec<u32>,
    /// Receivers met by the search.
    met: Vec<bool>,
}

impl Flow {
    /// A greatest flow.
    pub(crate) fn new(amounts: Vec<u32>, after: Vec<Vec<u32>>) -> Flow {
        let size = amounts.len();
        let mut flow = Flow {
            spare: amounts.clone(),
            needed: amounts.clone(),
            passed: vec![0; size * size],
            met: vec![false; size],
            amounts,
            after,
        };
        flow.greedy();
        while flow.phase() {}
        flow
    }

    /// What the heaviest set of activities needs of which none comes after another.
    pub(crate) fn weight(&self) -> u64 {
        self.needed.iter().map(|needed| u64::from(*needed)).sum()
    }

    /// The heaviest set of activities of which none comes after another, rising.
    pub(crate) fn heaviest(&self) -> Vec<usize> {
        // The last search met every receiver that it could. Givers that can hand on more have
        // spare, or have given to a receiver that was met.
        let size = self.amounts.len();
        let can = |giver: &usize| {
            let row = &self.passed[giver * size..][..size];
            let passed = row.iter().zip(&self.met);
            self.spare[*giver] > 0 || passed.into_iter().any(|(p, met)| *p > 0 && *met)
        };
        (0..size).filter(can).filter(|v| !self.met[*v]).collect()
    }

    /// From whom to whom how much goes, rising; what is missing comes from the stock.
    pub(crate) fn passed(&self) -> impl Iterator<Item = (usize, usize, u32)> + '_ {
        let size = self.amounts.len();
        let passed = self.passed.iter().enumerate();
        let some = passed.filter(|(_, amount)| **amount > 0);
        some.map(move |(pair, amount)| (pair / size, pair % size, *amount))
    }

    /// What an activity takes from the stock.
    pub(crate) fn stock_for(&self, activity: usize) -> u32 {
        self.needed[activity]
    }

    fn greedy(&mut self) {
        for giver in 0..self.amounts.len() {
            for index in 0..self.after[giver].len() {
                let taker = self.after[giver][index] as usize;
                let amount = self.spare[giver].min(self.needed[taker]);
                self.pass(giver, taker, amount);
                self.spare[giver] -= amount;
                self.needed[taker] -= amount;
            }
        }
    }

    fn pass(&mut self, giver: usize, taker: usize, amount: u32) {
        self.passed[giver * self.amounts.len() + taker] += amount;
    }

    /// Sends more from everybody who has some to spare; whether anybody could.
    fn phase(&mut self) -> bool {
        self.met.fill(false);
        let mut found = false;
        for giver in 0..self.amounts.len() {
            while self.spare[giver] > 0 {
                let sent = self.send(giver, self.spare[giver]);
                if sent == 0 {
                    break;
                }
                self.spare[giver] -= sent;
                found = true;
            }
        }
        found
    }

    /// Sends up to `most` from `giver` to one who needs it, over others if need be.
    fn send(&mut self, giver: usize, most: u32) -> u32 {
        // A stack of givers: each with how many takers were tried, and what may pass.
        let size = self.amounts.len();
        let mut way: Vec<Hop> = vec![Hop::new(giver, most)];
        while let Some(top) = way.last_mut() {
            let at = top.giver;
            let Some(&taker) = self.after[at].get(top.tried) else {
                // Nobody: go on with another from whom the taker before has something.
                let Some(next) = way.pop().and_then(|_| way.last_mut()) else {
                    return 0;
                };
                next.lender += 1;
                self.lend(&mut way);
                continue;
            };
            let taker = taker as usize;
            if self.met[taker] {
                top.tried += 1;
                continue;
            }
            self.met[taker] = true;
            if self.needed[taker] > 0 {
                let sent = top.most.min(self.needed[taker]);
                self.needed[taker] -= sent;
                self.met[taker] = false;
                self.settle(&way, sent);
                return sent;
            }
            top.lender = 0;
            self.lend(&mut way);
            debug_assert!(way.len() <= size + 1);
        }
        0
    }

    /// Extends the path `way` by the next activity that gives something to the taker that its last
    /// hop has reached.
    fn lend(&self, way: &mut Vec<Hop>) {
        let size = self.amounts.len();
        let Some(top) = way.last_mut() else {
            return;
        };
        let taker = self.after[top.giver][top.tried] as usize;
        while top.lender < size && self.passed[top.lender * size + taker] == 0 {
            top.lender += 1;
        }
        if top.lender == size {
            top.tried += 1;
            return;
        }
        let most = top.most.min(self.passed[top.lender * size + taker]);
        let next = Hop::new(top.lender, most);
        way.push(next);
    }

    /// Sends `sent` along a way that was found.
    fn settle(&mut self, way: &[Hop], sent: u32) {
        let size = self.amounts.len();
        for (index, hop) in way.iter().enumerate() {
            let taker = self.after[hop.giver][hop.tried] as usize;
            self.passed[hop.giver * size + taker] += sent;
            if index + 1 < way.len() {
                self.passed[hop.lender * size + taker] -= sent;
            }
        }
    }
}

/// One who hands on, on the way to one who needs something.
struct Hop {
    giver: usize,
    most: u32,
    /// Index of the taker that is tried.
    tried: usize,
    /// The giver that takes back what that taker has from it.
    lender: usize,
}

impl Hop {
    fn new(giver: usize, most: u32) -> Hop {
        let (tried, lender) = (0, 0);
        Hop {
            giver,
            most,
            tried,
            lender,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(size: usize, order: impl Fn(usize, usize) -> bool) -> Vec<Vec<u32>> {
        let row = |i: usize| -> Vec<u32> {
            let after = (0..size).filter(|j| order(i, *j));
            after.map(|j| j as u32).collect()
        };
        (0..size).map(row).collect()
    }

    #[test]
    fn the_heaviest_set_is_that_of_a_search_through_all() {
        let mut lot = 7_u64;
        let mut pick = |below: u64| {
            lot = lot.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            (lot >> 33) % below
        };
        for _ in 0..400 {
            let size = 1 + pick(8) as usize;
            let amounts: Vec<u32> = (0..size).map(|_| 1 + pick(4) as u32).collect();
            let spans: Vec<(u64, u64)> = (0..size)
                .map(|_| (pick(12), pick(5)))
                .map(|(start, length)| (start, start + 1 + length))
                .collect();
            // Intervals and a second order make posets that are no interval orders.
            let other: Vec<u64> = (0..size).map(|_| pick(3)).collect();
            let order = |i: usize, j: usize| spans[i].1 <= spans[j].0 && other[i] <= other[j];
            let flow = Flow::new(amounts.clone(), after(size, order));
            let best = (0..1_usize << size)
                .filter(|set| {
                    let has = |v: usize| set >> v & 1 == 1;
                    (0..size).all(|i| (0..size).all(|j| !(has(i) && has(j) && order(i, j))))
                })
                .map(|set| {
                    (0..size)
                        .filter(|v| set >> v & 1 == 1)
                        .map(|v| u64::from(amounts[v]))
                        .sum()
                })
                .max();
            let heaviest = flow.heaviest();
            let weight: u64 = heaviest.iter().map(|v| u64::from(amounts[*v])).sum();
            assert_eq!((Some(weight), flow.weight()), (best, weight));
            assert!(
                heaviest
                    .iter()
                    .all(|i| heaviest.iter().all(|j| !order(*i, *j)))
            );
            for (j, amount) in amounts.iter().enumerate() {
                let got: u32 = flow
                    .passed()
                    .filter(|(_, to, _)| *to == j)
                    .map(|(_, _, n)| n)
                    .sum();
                assert_eq!(got + flow.stock_for(j), *amount);
                let gave: u32 = flow
                    .passed()
                    .filter(|(from, _, _)| *from == j)
                    .map(|(_, _, n)| n)
                    .sum();
                assert!(gave <= *amount);
            }
        }
    }
}
