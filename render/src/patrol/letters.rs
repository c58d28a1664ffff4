//! Maps of characters: guard routes, and how well each place is watched.

use super::Drawn;
use super::ground::Ground;
use super::heat::{Heat, Watch};
use super::walk::{Walk, walks};
use super::wishes::Wishes;
use crate::scene::{Content, Layer, Letter, On, Scene, Spots, line};

/// ANSI styles of guards.
const STYLES: [&str; 6] = ["36", "33", "35", "32", "34", "31"];
const SMALL: &str = "abcdefghijklmnopqrstuvwxyz";
const CAPITALS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS: &str = "0123456789";

/// Adds maps: routes, where each vertex has the letter of the guard that comes by on its round (`*`
/// where several do, a capital where it starts), and how likely who enters is caught, in tenths
/// from 0 to 9 (`=` is certain, `!` the worst place). A legend follows. Where there are pauses,
/// gaps or guards who see other places, a third map has them.
pub(super) fn maps(scene: &mut Scene, ground: &Ground<'_>, drawn: Drawn<'_>) {
    if ground.places.is_empty() {
        return;
    }
    let walks = drawn.plan.map(|plan| walks(ground, plan));
    let watch = Watch::new(ground, drawn.evaluation, Heat::Capture);
    let layer = |title: &'static str, mark: &dyn Fn(usize) -> Letter| Layer {
        title,
        letters: (0..ground.places.len()).map(mark).collect(),
    };
    let mut layers = Vec::new();
    if let Some(walks) = &walks {
        let nobody = plain(if ground.are_tiles() {
            ["·", "."]
        } else {
            ["o", "o"]
        });
        layers.push(layer("guard routes", &|v| guard_mark(walks, v, nobody)));
    }
    if watch.is_known() {
        layers.push(layer("caught, in tenths", &|v| heat_mark(&watch, v)));
    }
    let wishes = Wishes::new(ground);
    if !layers.is_empty() && !wishes.are_none() {
        let mark = |v| plain([wishes.letter(v); 2]);
        layers.push(layer(wishes.title(), &mark));
    }
    if layers.is_empty() {
        return;
    }
    let spots = Spots {
        places: ground.places.clone(),
        links: ground.edges.iter().map(|(ends, _)| *ends).collect(),
        spacing: ground.spacing(),
        are_tiles: ground.are_tiles(),
        layers,
    };
    scene.push(On::Terminal, spots);
    let names = walks.iter().flatten().enumerate();
    let names = names.map(|(n, walk)| {
        let style = STYLES[n % STYLES.len()];
        line(style, format!("{} {}", letter(n), walk.name))
    });
    let worst = watch.worst.map(|vertex| {
        let text = format!("! the worst place: {}", ground.label(vertex));
        line("31", text)
    });
    scene.push(On::Terminal, Content::Lines(names.chain(worst).collect()));
}

fn plain(signs: [&'static str; 2]) -> Letter {
    Letter { signs, style: "" }
}

/// The letter of a guard. 16 guards at most; more start over.
pub(super) fn letter(guard: usize) -> &'static str {
    &SMALL[guard % 26..guard % 26 + 1]
}

/// The digit of a small number.
pub(super) fn digit(number: usize) -> &'static str {
    DIGITS.get(number..=number).unwrap_or("+")
}

fn guard_mark(walks: &[Walk<'_>], vertex: usize, nobody: Letter) -> Letter {
    let comes = |w: &Walk<'_>| w.cycle.iter().any(|v| v.vertex == vertex);
    let starts = |w: &Walk<'_>| {
        let first = w.prefix.first().or(w.cycle.first());
        first.is_some_and(|v| v.vertex == vertex)
    };
    let styled = |sign, n: usize| Letter {
        signs: [sign; 2],
        style: STYLES[n % STYLES.len()],
    };
    if let Some(n) = walks.iter().position(starts) {
        return styled(&CAPITALS[n % 26..n % 26 + 1], n);
    }
    let mut found = walks.iter().enumerate().filter(|(_, w)| comes(w));
    match (found.next(), found.next()) {
        (Some((n, _)), None) => styled(letter(n), n),
        (Some(_), Some(_)) => plain(["*"; 2]),
        _ => nobody,
    }
}

fn heat_mark(watch: &Watch<'_>, vertex: usize) -> Letter {
    let (sign, style) = match watch.capture(vertex) {
        _ if watch.worst == Some(vertex) => ("!", "31"),
        None => ("?", ""),
        Some(share) if share >= 1.0 => ("=", "32"),
        Some(share) => {
            let tenths = (share * 10.0).clamp(0.0, 9.0) as usize;
            let style = match tenths {
                0..5 => "31",
                5..9 => "33",
                _ => "32",
            };
            (digit(tenths), style)
        }
    };
    Letter {
        signs: [sign; 2],
        style,
    }
}
