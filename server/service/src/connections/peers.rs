//! How many connections each peer has.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bits of an IPv6 address that name a network: one peer may have all addresses in it.
const IPV6_NETWORK_BITS: u32 = 64;

/// Open connections by peer; clones share them.
#[derive(Debug, Clone)]
pub(super) struct Peers {
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
    max: usize,
}

impl Peers {
    /// No connections yet; each peer may have `max`.
    pub(super) fn new(max: usize) -> Self {
        Self {
            open: Arc::default(),
            max,
        }
    }

    /// A place for one connection more of a peer; `None` when it has all that it may have.
    pub(super) fn enter(&self, address: IpAddr) -> Option<Place> {
        let peer = peer(address);
        let mut open = self.lock();
        let count = open.entry(peer).or_default();
        if *count >= self.max {
            return None;
        }
        *count += 1;
        drop(open);
        Some(Place {
            peers: self.clone(),
            peer,
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        // Nothing panics while it is held.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whom an address belongs to.
fn peer(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = address.to_bits() >> (128 - IPV6_NETWORK_BITS);
            Ipv6Addr::from_bits(network << (128 - IPV6_NETWORK_BITS)).into()
        }
        address @ IpAddr::V4(_) => address,
    }
}

/// The place of a connection, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    peers: Peers,
    peer: IpAddr,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.peers.lock();
        if let Some(count) = open.get_mut(&self.peer) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.peer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Peers;

    #[test]
    fn each_peer_has_its_own_places_and_gives_them_back() {
        let peers = Peers::new(2);
        let enter = |address: &str| peers.enter(address.parse().unwrap());
        let places = [enter("10.0.0.1"), enter("::ffff:10.0.0.1")];
        assert!(places.iter().all(Option::is_some));
        assert!(enter("10.0.0.1").is_none(), "mapped or not, it is one peer");
        assert!(enter("10.0.0.2").is_some());
        let network = [enter("2001:db8::1"), enter("2001:db8::ffff:1")];
        assert!(network.iter().all(Option::is_some));
        assert!(enter("2001:db8::2").is_none(), "a network is one peer");
        assert!(enter("2001:db8:0:1::1").is_some());
        drop((places, network));
        assert!(enter("10.0.0.1").is_some());
        assert_eq!(peers.lock().len(), 0, "nothing is left behind");
    }
}
