//! What a cut cuts: zones of propositions, and the operators between them.

use super::{LandmarkCut, NONE, UNREACHABLE};

/// Zones of a cut: what comes before it, what leads to the goal at no cost, and what is reached
/// only through that.
const BEFORE: u8 = 1;
const GOAL: u8 = 2;
const AFTER: u8 = 3;

impl LandmarkCut<'_> {
    /// Operators that lead from what comes before into what leads to the goal for nothing.
    pub(super) fn find_cut(&mut self, goal: u32) {
        let relaxed = self.relaxed;
        self.zone.fill(0);
        self.goals.clear();
        self.goals.push(goal);
        self.zone[goal as usize] = GOAL;
        let mut next = 0;
        while let Some(&proposition) = self.goals.get(next) {
            next += 1;
            for &operator in relaxed.added_by.row(proposition as usize) {
                let operator = operator as usize;
                let group = relaxed.group_of[operator] as usize;
                let dearest = self.now.dearest[operator];
                if self.now.before[operator] < UNREACHABLE
                    && self.left[group] == 0
                    && dearest != NONE
                {
                    let zone = &mut self.zone[dearest as usize];
                    if *zone == 0 {
                        *zone = GOAL;
                        self.goals.push(dearest);
                    }
                }
            }
        }
        for &proposition in &self.holding {
            let zone = &mut self.zone[proposition as usize];
            *zone = (*zone).max(BEFORE);
        }
        self.cut.clear();
        self.looks += 1;
        for index in 0..self.goals.len() {
            for &operator in relaxed.added_by.row(self.goals[index] as usize) {
                let looked = &mut self.looked[operator as usize];
                if std::mem::replace(looked, self.looks) != self.looks && self.starts(operator) {
                    self.cut.push(operator);
                }
            }
        }
    }

    /// Whether an operator starts from what comes before the goal's zone: needs nothing, or its
    /// dearest need comes before.
    fn starts(&mut self, operator: u32) -> bool {
        match self.now.dearest[operator as usize] {
            NONE => self.relaxed.needs.row(operator as usize).is_empty(),
            dearest => self.comes_before(dearest),
        }
    }

    /// Whether a proposition is reached, by dearest needs, without the goal's zone. Looks back from
    /// it: what holds is mostly near.
    fn comes_before(&mut self, wanted: u32) -> bool {
        match self.zone[wanted as usize] {
            0 => {}
            zone => return zone == BEFORE,
        }
        let relaxed = self.relaxed;
        self.trail.clear();
        self.trail.push((wanted, NONE));
        self.zone[wanted as usize] = AFTER;
        let mut next = 0;
        while let Some(&(proposition, _)) = self.trail.get(next) {
            for &operator in relaxed.added_by.row(proposition as usize) {
                let dearest = self.now.dearest[operator as usize];
                let zone = match dearest {
                    NONE if relaxed.needs.row(operator as usize).is_empty() => BEFORE,
                    NONE => continue,
                    _ => self.zone[dearest as usize],
                };
                let mut adds = relaxed.adds.row(operator as usize).iter();
                if !matches!(zone, 0 | BEFORE) || adds.any(|a| self.zone[*a as usize] == GOAL) {
                    continue;
                }
                if zone == BEFORE {
                    self.lead_back(next);
                    return true;
                }
                self.zone[dearest as usize] = AFTER;
                self.trail.push((dearest, next as u32));
            }
            next += 1;
        }
        false
    }

    /// Marks the path from a place of the trail, which is before the cut, as before it too; the
    /// rest of the trail is unknown.
    fn lead_back(&mut self, place: usize) {
        for (proposition, _) in &self.trail {
            self.zone[*proposition as usize] = 0;
        }
        let mut at = place as u32;
        while at != NONE {
            let (proposition, parent) = self.trail[at as usize];
            self.zone[proposition as usize] = BEFORE;
            at = parent;
        }
    }
}
