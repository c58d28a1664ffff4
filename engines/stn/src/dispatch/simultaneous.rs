//! Events that happen simultaneously, by bounds of 0.

use super::Dispatcher;

impl Dispatcher {
    /// The ready events that happen now: all but those that an order holds back until another
    /// event has happened that does not happen now. In an order that satisfies all orders.
    pub(super) fn simultaneous(&self) -> Vec<u32> {
        let mut stays = self.is_ready.clone();
        let mut dropped: Vec<u32> = Vec::new();
        for &event in &self.ready {
            if self.open_orders[event as usize] > 0 && self.is_held_back(event, &stays) {
                stays[event as usize] = false;
                dropped.push(event);
            }
        }
        while let Some(event) = dropped.pop() {
            for arc in self.rules.orders_with.leaving(event as usize) {
                let order = &self.rules.orders[arc.edge as usize];
                if stays[order.event as usize] && self.is_open(order.other) {
                    stays[order.event as usize] = false;
                    dropped.push(order.event);
                }
            }
        }
        let mut events: Vec<u32> = self.ready.clone();
        events.retain(|event| stays[*event as usize]);
        events.sort_unstable();
        self.in_order(&events, stays)
    }

    fn is_held_back(&self, event: u32, stays: &[bool]) -> bool {
        let mut orders = self.rules.orders_of.leaving(event as usize).iter();
        orders.any(|arc| {
            let order = &self.rules.orders[arc.edge as usize];
            let follows = order.with.is_some_and(|with| stays[with as usize]);
            self.is_open(order.other) && !follows
        })
    }

    /// Depth first: each event after those that an order leads to, unless these lead back to it.
    fn in_order(&self, events: &[u32], mut left: Vec<bool>) -> Vec<u32> {
        let mut sorted = Vec::with_capacity(events.len());
        let mut path: Vec<(u32, usize)> = Vec::new();
        for &event in events {
            if std::mem::take(&mut left[event as usize]) {
                path.push((event, 0));
            }
            while let Some((event, next)) = path.last_mut() {
                let row = self.rules.orders_of.leaving(*event as usize);
                let Some(arc) = row.get(*next) else {
                    sorted.push(*event);
                    path.pop();
                    continue;
                };
                *next += 1;
                let with = self.rules.orders[arc.edge as usize].with;
                if let Some(with) = with.filter(|with| std::mem::take(&mut left[*with as usize])) {
                    path.push((with, 0));
                }
            }
        }
        sorted
    }
}
