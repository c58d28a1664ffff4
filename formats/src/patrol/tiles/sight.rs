//! Who sees what on a map.

use super::super::super::Mistake;
use super::{Map, Place, Tile};

/// Most places that are seen, from all places together: those of the contract.
const SEEN_MAX: usize = 200_000;

/// The other floor places seen from each place, by number: within a Euclidean distance of `range`
/// tiles, on a line that crosses neither wall nor door.
pub(super) fn seen(map: &Map, range: u32) -> Result<Vec<Vec<usize>>, Mistake> {
    let mut seen = vec![Vec::new(); map.floor.len()];
    if range == 0 {
        return Ok(seen);
    }
    let far = u64::from(range) * u64::from(range);
    let mut count = 0;
    for (n, one) in map.floor.iter().enumerate() {
        for (m, other) in map.floor.iter().enumerate().skip(n + 1) {
            let (x, y) = (
                one.0.abs_diff(other.0) as u64,
                one.1.abs_diff(other.1) as u64,
            );
            // By rows: whatever follows is farther down.
            if y * y > far {
                break;
            }
            // One line for both ways, so that sight is mutual.
            if x * x + y * y <= far && is_free(map, [*one, *other]) {
                seen[n].push(m);
                seen[m].push(n);
                count += 2;
            }
        }
        if count > SEEN_MAX {
            let message = format!(
                "guards who see {range} tiles far see more than {SEEN_MAX} tiles from all places \
                 together: less sight or --rooms is wanted"
            );
            return Err(Mistake::new(message).placed(map.line, 1));
        }
    }
    seen.iter_mut().for_each(|list| list.sort_unstable());
    Ok(seen)
}

/// Whether nothing stands between two places: Bresenham's line, ends not counted.
fn is_free(map: &Map, [from, to]: [Place; 2]) -> bool {
    let signed = |p: Place| (p.0 as i64, p.1 as i64);
    let ((mut x, mut y), (to_x, to_y)) = (signed(from), signed(to));
    let (wide, tall) = ((to_x - x).abs(), -(to_y - y).abs());
    let (right, down) = ((to_x - x).signum(), (to_y - y).signum());
    let mut error = wide + tall;
    loop {
        let twice = 2 * error;
        if twice >= tall {
            error += tall;
            x += right;
        }
        if twice <= wide {
            error += wide;
            y += down;
        }
        if (x, y) == (to_x, to_y) {
            return true;
        }
        // Between two places of the map, so neither is negative.
        let tile = map.tile((x as usize, y as usize));
        if !tile.is_floor() || tile == Tile::Door {
            return false;
        }
    }
}
