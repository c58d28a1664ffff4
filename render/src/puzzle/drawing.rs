//! Boards as shapes, with boxes and a player that move.

use super::board::{Board, Heading, Moved};
use super::caption::in_lines;
use super::{Marked, Picture};
use crate::scene::{Clock, Drawing, Form, Panel, Picture as Drawn, Point, Shape, Track};

/// Largest side of a level in pixels: alone, among a few others, and among many.
const SIDES: [f64; 3] = [720.0, 240.0, 168.0];
/// Levels that are few.
const FEW: usize = 9;
/// Largest cell in pixels, and pixels around a board.
const CELL_MAX: f64 = 44.0;
const MARGIN: f64 = 16.0;
/// Least pixels for notes, and those of a letter.
const NOTES_MIN: f64 = 150.0;
const LETTER: f64 = 6.2;
/// Most steps that are played, and seconds of a step.
const STEPS_MAX: usize = 2_000;
const STEP_SECONDS: f64 = 0.22;

/// The largest side of one of several levels.
pub(super) fn side(levels: usize) -> f64 {
    match levels {
        0 | 1 => SIDES[0],
        2..=FEW => SIDES[1],
        _ => SIDES[2],
    }
}

/// A level with its name and notes below.
pub(super) fn picture(picture: &Picture, side: f64) -> Drawn {
    let board = Board::of_rows(&picture.rows);
    let [_, _, rows, across] = board.crop();
    let cell = (side / rows.max(across).max(1) as f64).min(CELL_MAX);
    let mut tile = Tile {
        board: &board,
        cell: cell.floor().max(2.0),
        origin: board.origin(),
        all: Drawing::default(),
    };
    let least = if picture.notes.is_empty() {
        0.0
    } else {
        NOTES_MIN
    };
    let width = (tile.cell * across as f64).max(least);
    tile.all.width = width + 2.0 * MARGIN;
    tile.all.height = tile.cell * rows as f64 + MARGIN + 4.0;
    tile.ground();
    let played = played(&board, &picture.solution);
    tile.pieces(&played);
    if let Some(marked) = picture.marked {
        tile.arrow(marked);
    }
    let mut panels = vec![Panel::Drawing(tile.all)];
    if !picture.name.is_empty() {
        panels.push(Panel::Head(picture.name.clone()));
    }
    let notes = in_lines(&picture.notes, (width / LETTER) as usize);
    panels.extend(notes.into_iter().map(Panel::Note));
    Drawn {
        caption: String::new(),
        panels,
        clock: Clock::of_steps(played.steps, "step", STEP_SECONDS),
    }
}

/// Where pieces are: a cell, and the step after which they are there.
type Stops = Vec<(usize, usize)>;

struct Played {
    boxes: Vec<Stops>,
    player: Stops,
    steps: usize,
}

/// The pieces along a solution, up to a step that cannot be made.
fn played(board: &Board, solution: &str) -> Played {
    let mut now = board.clone();
    let boxes = board.boxes().iter();
    let mut played = Played {
        boxes: boxes.map(|cell| vec![(*cell, 0)]).collect(),
        player: Vec::from_iter(board.player().map(|cell| (cell, 0))),
        steps: 0,
    };
    let headings = solution.chars().filter_map(Heading::of_letter);
    for heading in headings.take(STEPS_MAX) {
        let before = now.boxes().to_vec();
        let Some(moved) = now.step(heading) else {
            break;
        };
        played.steps += 1;
        let mut both = before.iter().zip(now.boxes());
        if moved == Moved::Pushed
            && let Some(index) = both.position(|(before, after)| before != after)
        {
            played.boxes[index].push((now.boxes()[index], played.steps));
        }
        let player = now.player().map(|cell| (cell, played.steps));
        played.player.extend(player);
    }
    played
}

/// A board under construction.
struct Tile<'a> {
    board: &'a Board,
    /// Pixels of a cell's side.
    cell: f64,
    /// Row and column of the first cell that is drawn.
    origin: (usize, usize),
    all: Drawing,
}

impl Tile<'_> {
    /// The top left of a cell.
    fn corner(&self, cell: usize) -> Point {
        let (row, column) = self.board.place(cell);
        let (top, left) = self.origin;
        let (x, y) = (column as f64 - left as f64, row as f64 - top as f64);
        (MARGIN + x * self.cell, MARGIN + y * self.cell)
    }

    /// Floor, walls and goals.
    fn ground(&mut self) {
        let board = self.board;
        let inside = |cell: usize| board.is_inside(cell) || board.is_goal(cell);
        let floor = self.runs(1.0, inside);
        self.all.add(Form::Cells(floor), "").fill("#efe9dc");
        let lines = self.grid();
        self.all.add(Form::Cells(lines), "").fill("#e2dac8");
        for cell in 0..board.width() * board.height() {
            if board.is_goal(cell) {
                let (x, y) = self.corner(cell);
                let (x, y) = (x + self.cell / 2.0, y + self.cell / 2.0);
                let ring = self.all.disc([x, y, 0.26 * self.cell], "none", "line");
                ring.stroke("#c8523a");
                self.all.disc([x, y, 0.1 * self.cell], "#c8523a", "");
            }
        }
        let walls = self.runs(1.0, |cell| board.is_edge(cell));
        self.all.add(Form::Cells(walls), "").fill("#5c6773");
        // A lighter top where no wall is above, so that walls stand up.
        let tops = self.runs(0.18, |cell| {
            let above = cell.checked_sub(board.width());
            board.is_edge(cell) && !above.is_some_and(|above| board.is_edge(above))
        });
        self.all.add(Form::Cells(tops), "").fill("#76838f");
    }

    /// Runs of cells in a row as rectangles of a share of their height.
    fn runs(&self, height: f64, is_one: impl Fn(usize) -> bool) -> Vec<[f64; 4]> {
        let [top, left, rows, across] = self.board.crop();
        let mut runs = Vec::new();
        for y in top..top + rows {
            let first = y * self.board.width();
            let mut x = left;
            while x < left + across {
                let long = (x..left + across)
                    .take_while(|&x| is_one(first + x))
                    .count();
                if long > 0 {
                    let (at_x, at_y) = self.corner(first + x);
                    let wide = long as f64 * self.cell;
                    runs.push([at_x, at_y, wide, height * self.cell]);
                }
                x += long.max(1);
            }
        }
        runs
    }

    /// Lines between cells of the floor.
    fn grid(&self) -> Vec<[f64; 4]> {
        let board = self.board;
        let cells = (0..board.width() * board.height()).filter(|cell| board.is_inside(*cell));
        let mut lines = Vec::new();
        for cell in cells {
            let (x, y) = self.corner(cell);
            let right = board.neighbour(cell, Heading::Right);
            if right.is_some_and(|next| board.is_inside(next)) {
                lines.push([x + self.cell - 0.5, y, 1.0, self.cell]);
            }
            let below = board.neighbour(cell, Heading::Down);
            if below.is_some_and(|next| board.is_inside(next)) {
                lines.push([x, y + self.cell - 0.5, self.cell, 1.0]);
            }
        }
        lines
    }

    /// Boxes and the player.
    fn pieces(&mut self, played: &Played) {
        for stops in &played.boxes {
            let shapes = self.crate_of(stops, played.steps);
            self.piece(stops, shapes);
        }
        if !played.player.is_empty() {
            let shapes = self.player();
            self.piece(&played.player, shapes);
        }
    }

    fn piece(&mut self, stops: &Stops, shapes: Vec<Shape>) {
        let mut track = Track::default();
        let mut before = None;
        for &(cell, step) in stops {
            let place = self.corner(cell);
            if let Some(before) = before.filter(|_| step > 0) {
                track.stop(step as i64 * 1_000 - 1_000, before);
            }
            track.stop(step as i64 * 1_000, place);
            before = Some(place);
        }
        let group = Form::Group((0.0, 0.0), shapes);
        self.all.add(group, "").track(track);
    }

    /// A box; it is green while it is on a goal.
    fn crate_of(&self, stops: &Stops, steps: usize) -> Vec<Shape> {
        let unit = self.cell;
        let outline = |fill: &str, stroke: &str| {
            let rect = [0.1 * unit, 0.1 * unit, 0.8 * unit, 0.8 * unit];
            let mut shape = Shape::new(Form::Rect(rect, 0.09 * unit), "line");
            shape.fill(fill).stroke(stroke);
            shape
        };
        let ends = stops.iter().skip(1).map(|stop| stop.1 as i64 * 1_000);
        let spans = stops.iter().zip(ends.chain([i64::MAX]));
        let on_goals = spans.filter(|((cell, _), _)| self.board.is_goal(*cell));
        let shown = on_goals.map(|((_, step), end)| [*step as i64 * 1_000, end]);
        let shown: Vec<_> = shown.collect();
        let mut shapes = vec![outline("#d29a4a", "#8a5a1c")];
        if !shown.is_empty() {
            let mut done = outline("#7fae5a", "#45702a");
            if steps > 0 {
                done.shown = shown;
            }
            shapes.push(done);
        }
        let line = |from: Point, to: Point| {
            let points = [from, to].map(|(x, y)| (x * unit, y * unit));
            let mut line = Shape::new(Form::Line(points.to_vec()), "line pale");
            line.stroke("#8a5a1c");
            line
        };
        shapes.push(line((0.24, 0.24), (0.76, 0.76)));
        shapes.push(line((0.76, 0.24), (0.24, 0.76)));
        shapes
    }

    fn player(&self) -> Vec<Shape> {
        let unit = self.cell;
        let disc = |[x, y, radius]: [f64; 3], fill: &str| {
            let disc = [x * unit, y * unit, radius * unit];
            let mut shape = Shape::new(Form::Disc(disc), "");
            shape.fill(fill);
            shape
        };
        let mouth = [(0.37, 0.6), (0.45, 0.68), (0.55, 0.68), (0.63, 0.6)];
        let mouth = mouth.map(|(x, y)| (x * unit, y * unit));
        let mut mouth = Shape::new(Form::Curve(mouth), "line");
        mouth.stroke("#fff");
        vec![
            disc([0.5, 0.5, 0.34], "#2f6fb3"),
            disc([0.39, 0.43, 0.075], "#fff"),
            disc([0.61, 0.43, 0.075], "#fff"),
            mouth,
        ]
    }

    /// An arrow from a box to where it is pushed; nothing beyond what is drawn.
    fn arrow(&mut self, marked: Marked) {
        let [top, left, rows, across] = self.board.crop();
        let row = marked.row.wrapping_sub(top);
        let column = marked.column.wrapping_sub(left);
        if row >= rows || column >= across {
            return;
        }
        let (x, y) = self.corner(marked.row * self.board.width() + marked.column);
        let from = (x + self.cell / 2.0, y + self.cell / 2.0);
        let (along, down) = match marked.heading {
            Heading::Left => (-self.cell, 0.0),
            Heading::Up => (0.0, -self.cell),
            Heading::Right => (self.cell, 0.0),
            Heading::Down => (0.0, self.cell),
        };
        let to = (from.0 + along, from.1 + down);
        self.all.line(&[from, to], "heavy marked", "#c0392b");
        self.all.head(from, to, "#c0392b");
    }
}
