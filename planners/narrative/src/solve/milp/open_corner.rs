//! Outcomes that no cell covers yet, and policies for those of a cell.

use super::outcome_boxes::Gap;
use crate::problem::Micros;

/// Most boxes of one choice.
const CELLS_MAX: usize = 256;
/// Most outcomes that are looked at to find one that is open.
const CORNERS_MAX: usize = 100_000;

/// The least outcomes that are in no box, link by link; `None`: all are.
pub(super) fn uncovered(
    seen: &[usize],
    ranges: &[(Micros, Micros)],
    boxes: &[Vec<(Micros, Micros)>],
) -> Result<Option<Vec<Micros>>, Gap> {
    // Between these outcomes and the next nothing changes.
    let steps = seen.iter().enumerate().map(|(at, link)| {
        let (least, most) = ranges[*link];
        let after = boxes.iter().map(|sides| sides[at].1 + 1);
        let mut steps: Vec<Micros> = after.chain([least]).filter(|time| *time <= most).collect();
        steps.sort_unstable();
        steps.dedup();
        steps
    });
    let steps: Vec<Vec<Micros>> = steps.collect();
    let corners: usize = steps.iter().map(Vec::len).product();
    if corners > CORNERS_MAX || boxes.len() >= CELLS_MAX {
        return Err(Gap::Open);
    }
    let corners = (0..corners).map(|mut index| {
        let mut corner = vec![0; steps.len()];
        for (time, steps) in corner.iter_mut().zip(&steps).rev() {
            *time = steps[index % steps.len()];
            index /= steps.len();
        }
        corner
    });
    let covers = |sides: &Vec<(Micros, Micros)>, corner: &[Micros]| {
        let mut pairs = sides.iter().zip(corner);
        pairs.all(|((least, most), time)| least <= time && time <= most)
    };
    let mut open = corners.filter(|corner| !boxes.iter().any(|sides| covers(sides, corner)));
    Ok(open.next())
}
