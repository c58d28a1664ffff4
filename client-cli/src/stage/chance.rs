//! Random decisions instead of commands.

use super::Stage;
use crate::exit::Failure;
use std::collections::BTreeMap;

/// Numbers from a seed: `splitmix64`, which is enough for a rehearsal.
struct Random(u64);

impl Random {
    /// A number from 0 to `most`, both included.
    fn up_to(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let z = z ^ (z >> 31);
        most.checked_add(1).map_or(z, |n| z % n)
    }
}

/// Plays to the end, with durations and picks of players drawn by a seed. Whole seconds where a
/// range has more than two of them.
pub(crate) async fn play(stage: &mut Stage<'_>, seed: u64) -> Result<(), Failure> {
    const SECOND: i64 = 1_000_000;
    let mut random = Random(seed);
    let mut ends: BTreeMap<String, i64> = BTreeMap::new();
    loop {
        if let Some((choice, options)) = stage.open() {
            let last = options.len().saturating_sub(1);
            let option = random.up_to(last as u64) as usize;
            stage.make(choice, options[option].clone()).await?;
            continue;
        }
        for (event, earliest, latest) in stage.running() {
            let unit = if latest - earliest > 2 * SECOND {
                SECOND
            } else {
                1
            };
            let steps = ((latest - earliest) / unit).unsigned_abs();
            ends.entry(event)
                .or_insert_with(|| earliest + random.up_to(steps) as i64 * unit);
        }
        let due = ends.iter().map(|(event, at)| (*at, event.clone())).min();
        let ours = stage.next_of_ours().map(|ours| ours.1);
        match due {
            Some((at_us, event)) if ours.is_none_or(|ours_us| at_us <= ours_us) => {
                stage.wait_until(at_us).await?;
                if stage.open().is_none() {
                    ends.remove(&event);
                    stage.end(event, "players").await?;
                }
            }
            _ if stage.step(i64::MAX).await? => {}
            _ => return Ok(()),
        }
    }
}
