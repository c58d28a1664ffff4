//! Maps for terminals: who comes by where, and how well each place is watched.

use super::Drawn;
use super::ground::Ground;
use super::heat::{Heat, Watch};
use super::walk::{Walk, walks};
use super::wishes::Wishes;
use crate::text::TextOptions;
use stratagem_proto::v1::PatrolProblem;

/// Most rows of a map.
const ROWS_MAX: usize = 48;
/// Columns between two maps side by side.
const BETWEEN: usize = 4;
/// ANSI styles of guards.
const STYLES: [&str; 6] = ["36", "33", "35", "32", "34", "31"];

/// Returns small maps, side by side where there is room: routes, where each vertex has the letter
/// of the guard that comes by on its round (`*` where several do, a capital where it starts), and
/// how likely who enters is caught, in tenths from 0 to 9 (`=` is certain, `!` the worst place). A
/// legend follows. Where there are pauses, gaps or guards who see other places, a third map has
/// them: `P` pause, `V` gap, `B` both, else how many other places are seen from there. What there
/// is nothing to say about is left out; nothing for a problem without vertices.
#[must_use]
pub fn map_text(problem: &PatrolProblem, drawn: Drawn<'_>, options: &TextOptions) -> String {
    let ground = Ground::new(problem);
    if ground.places.is_empty() {
        return String::new();
    }
    let walks = drawn.plan.map(|plan| walks(&ground, plan));
    let watch = Watch::new(&ground, drawn.evaluation, Heat::Capture);
    let grid = Grid::new(&ground, options);
    let mut maps = Vec::new();
    if let Some(walks) = &walks {
        let nobody = match (grid.ways, options.ascii) {
            (true, _) => 'o',
            (false, true) => '.',
            (false, false) => '·',
        };
        let mark = |vertex| guard_mark(walks, vertex, nobody);
        maps.push(("who comes by", grid.paint(&ground, options, &mark)));
    }
    if watch.is_known() {
        let mark = |vertex| heat_mark(&watch, vertex);
        maps.push(("caught, in tenths", grid.paint(&ground, options, &mark)));
    }
    let wishes = Wishes::new(&ground);
    if !maps.is_empty() && !wishes.are_none() {
        let mark = |vertex| (wishes.letter(vertex), None);
        maps.push((wishes.title(), grid.paint(&ground, options, &mark)));
    }
    let mut out = if maps.is_empty() {
        String::new()
    } else {
        side_by_side(&maps, grid.width, options)
    };
    for (n, walk) in walks.iter().flatten().enumerate() {
        let letter = options.styled(STYLES[n % STYLES.len()], &letter(n).to_string());
        out += &format!("{letter} {}\n", crate::label::printable(walk.name));
    }
    if let Some(vertex) = watch.worst {
        let name = crate::label::printable(ground.label(vertex));
        out += &format!("{} the worst place: {name}\n", options.styled("31", "!"));
    }
    out
}

/// A letter and its style.
type Mark = (char, Option<&'static str>);

/// The letter of a guard: `a` to `p`.
pub(super) fn letter(guard: usize) -> char {
    // 16 guards at most; more start over.
    char::from(b'a' + (guard % 26) as u8)
}

fn guard_mark(walks: &[Walk<'_>], vertex: usize, nobody: char) -> Mark {
    let comes = |w: &Walk<'_>| w.cycle.iter().any(|v| v.vertex == vertex);
    let starts = |w: &Walk<'_>| {
        let first = w.prefix.first().or(w.cycle.first());
        first.is_some_and(|v| v.vertex == vertex)
    };
    if let Some(n) = walks.iter().position(starts) {
        let capital = letter(n).to_ascii_uppercase();
        return (capital, Some(STYLES[n % STYLES.len()]));
    }
    let mut found = walks.iter().enumerate().filter(|(_, w)| comes(w));
    match (found.next(), found.next()) {
        (Some((n, _)), None) => (letter(n), Some(STYLES[n % STYLES.len()])),
        (Some(_), Some(_)) => ('*', None),
        _ => (nobody, None),
    }
}

fn heat_mark(watch: &Watch<'_>, vertex: usize) -> Mark {
    if watch.worst == Some(vertex) {
        return ('!', Some("31"));
    }
    match watch.capture(vertex) {
        None => ('?', None),
        Some(share) if share >= 1.0 => ('=', Some("32")),
        Some(share) => {
            let tenths = (share * 10.0).clamp(0.0, 9.0) as u8;
            let style = match tenths {
                0..5 => "31",
                5..9 => "33",
                _ => "32",
            };
            (char::from(b'0' + tenths), Some(style))
        }
    }
}

/// Where vertices stand on a terminal.
struct Grid {
    /// Column and row of each vertex.
    cells: Vec<(usize, usize)>,
    width: usize,
    height: usize,
    /// Whether ways are drawn: on tiles they are plain to see.
    ways: bool,
}

impl Grid {
    fn new(ground: &Ground<'_>, options: &TextOptions) -> Self {
        let places = &ground.places;
        let least = |of: fn(&(f64, f64)) -> f64| places.iter().map(of).fold(f64::MAX, f64::min);
        let most = |of: fn(&(f64, f64)) -> f64| places.iter().map(of).fold(f64::MIN, f64::max);
        let (left, top) = (least(|p| p.0), least(|p| p.1));
        let (wide, tall) = (most(|p| p.0) - left, most(|p| p.1) - top);
        let columns = options.columns() - 2;
        let whole = places
            .iter()
            .all(|p| p.0.fract() == 0.0 && p.1.fract() == 0.0);
        let fits = 2.0 * wide < columns as f64 && tall < ROWS_MAX as f64;
        let tiles = whole && fits && ground.spacing() <= 1.0;
        // A row is as high as two columns are wide; neighbours are at most four rows apart.
        let scale = if tiles {
            1.0
        } else {
            ((columns - 1) as f64 / (2.0 * wide.max(1e-9)))
                .min((ROWS_MAX - 1) as f64 / tall.max(1e-9))
                .min(4.0 / ground.spacing().max(1e-9))
        };
        // At most as wide and high as there is room.
        let cell = |(x, y): &(f64, f64)| {
            let (x, y) = (2.0 * (x - left) * scale, (y - top) * scale);
            (x.round() as usize, y.round() as usize)
        };
        let cells: Vec<_> = places.iter().map(cell).collect();
        Self {
            width: 1 + cells.iter().map(|c| c.0).max().unwrap_or(0),
            height: 1 + cells.iter().map(|c| c.1).max().unwrap_or(0),
            ways: !tiles,
            cells,
        }
    }

    /// The lines of a map, each `width` columns wide.
    fn paint(
        &self,
        ground: &Ground<'_>,
        options: &TextOptions,
        mark: &dyn Fn(usize) -> Mark,
    ) -> Vec<String> {
        let mut canvas: Vec<Vec<Mark>> = vec![vec![(' ', None); self.width]; self.height];
        if self.ways {
            let dot = if options.ascii { '.' } else { '·' };
            for ([from, to], _) in &ground.edges {
                for (column, row) in line(self.cells[*from], self.cells[*to]) {
                    canvas[row][column] = (dot, Some("2"));
                }
            }
        }
        // Backwards: of two in one cell the first is seen.
        for vertex in (0..self.cells.len()).rev() {
            let (column, row) = self.cells[vertex];
            canvas[row][column] = mark(vertex);
        }
        let text = |(letter, style): &Mark| match style {
            Some(style) => options.styled(style, &letter.to_string()),
            None => letter.to_string(),
        };
        let rows = canvas.iter();
        rows.map(|row| row.iter().map(text).collect()).collect()
    }
}

/// The cells between two others.
fn line(from: (usize, usize), to: (usize, usize)) -> Vec<(usize, usize)> {
    let steps = from.0.abs_diff(to.0).max(from.1.abs_diff(to.1));
    let between = |a: usize, b: usize, n: usize| {
        // Rounded to the nearest.
        (2 * (a * (steps - n) + b * n) + steps) / (2 * steps)
    };
    (1..steps)
        .map(|n| (between(from.0, to.0, n), between(from.1, to.1, n)))
        .collect()
}

/// Maps side by side where there is room, else one after the other.
fn side_by_side(maps: &[(&str, Vec<String>)], width: usize, options: &TextOptions) -> String {
    let wide = maps.iter().map(|m| m.0.len()).max().unwrap_or(0).max(width);
    let fits = maps.len() * (wide + BETWEEN) <= options.columns() + BETWEEN;
    let groups: Vec<&[(&str, Vec<String>)]> = if fits {
        vec![maps]
    } else {
        maps.chunks(1).collect()
    };
    let mut out = String::new();
    for group in groups {
        let titles = group.iter().map(|m| format!("{:wide$}", m.0));
        let titles = titles.collect::<Vec<_>>().join(&" ".repeat(BETWEEN));
        out += &format!("{}\n", options.styled("1", titles.trim_end()));
        let rows = group.iter().map(|m| m.1.len()).max().unwrap_or(0);
        for row in 0..rows {
            // What has styles is as wide as the map all the same.
            let blank = " ".repeat(wide - width + BETWEEN);
            let cells: Vec<_> = group.iter().map(|m| m.1[row].as_str()).collect();
            out += cells.join(&blank).trim_end();
            out.push('\n');
        }
        out.push('\n');
    }
    out
}
