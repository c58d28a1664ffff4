//! What marks on a map mean: only those that are on it.

use super::scene::{Scene, Thing};
use crate::text::TextOptions;
use stratagem_proto::v1::HeistLockState;

/// What there is on a map that needs a word.
pub(super) struct Present {
    pub(super) shunned: bool,
    pub(super) surprising: bool,
    pub(super) wrong: bool,
    pub(super) closed: bool,
    pub(super) locked: bool,
    pub(super) cameras: bool,
    pub(super) guards: bool,
    pub(super) machines: bool,
    pub(super) containers: bool,
}

impl Present {
    pub(super) fn new(scene: &Scene<'_>) -> Self {
        let mut rooms = 0..scene.world.rooms.len();
        let doors = (0..scene.world.doors.len()).map(Thing::Door);
        let lids = (0..scene.world.containers.len()).map(Thing::Container);
        let leaf = |leaf: HeistLockState| {
            let mut lids = doors.clone().chain(lids.clone());
            lids.any(|t| scene.believed(t) == leaf)
        };
        Self {
            shunned: rooms.clone().any(|room| scene.shuns(room)),
            surprising: rooms.any(|room| scene.surprises(room)),
            wrong: doors
                .clone()
                .chain(lids.clone())
                .any(|t| scene.believed(t) != scene.truth(t)),
            closed: leaf(HeistLockState::Closed),
            locked: leaf(HeistLockState::Locked),
            cameras: !scene.world.cameras.is_empty(),
            guards: !scene.world.guards.is_empty(),
            machines: !scene.world.machines.is_empty(),
            containers: !scene.world.containers.is_empty(),
        }
    }
}

/// The legend below a map on a terminal.
pub(super) fn text(scene: &Scene<'_>, options: &TextOptions) -> String {
    let here = Present::new(scene);
    let ascii = options.ascii;
    let items = [
        (true, "@ burglar".to_owned()),
        (
            scene.wanted().2.is_some(),
            format!("{} end of the plan", if ascii { '>' } else { '⌂' }),
        ),
        (here.closed, "+ closed".into()),
        (here.locked, "# locked".into()),
        (here.wrong, "? not as believed".into()),
        (
            here.containers,
            "[$] artifact, [k] key in a container".into(),
        ),
        (here.machines, "m vending machine".into()),
        (here.cameras, "C camera (c: off)".into()),
        (here.guards, "G guard".into()),
        (
            here.shunned,
            format!("{} to avoid", if ascii { "####" } else { "═══" }),
        ),
        (
            here.surprising,
            format!("{} an unknown trap", if ascii { "~~~~" } else { "┄┄┄" }),
        ),
    ];
    let mut out = String::new();
    let mut used = 0;
    for (_, item) in items.into_iter().filter(|(present, _)| *present) {
        let wide = crate::label::columns(&item);
        if used > 0 && used + 3 + wide > options.columns() {
            out.push('\n');
            used = 0;
        }
        if used > 0 {
            out += "   ";
            used += 3;
        }
        used += wide;
        out += &item;
    }
    out.push('\n');
    out
}
