//! Sights of guards.

use crate::mistakes::{Code, Mistakes};
use crate::patrol::names::Names;
use crate::values::{read_each, shown};
use anytime::Path;
use patrol::problem::SIGHTS_MAX;
use stratagem_proto::v1 as pb;

/// Visible vertices by vertex.
type Sight = Vec<Vec<usize>>;

/// Kinds of sight. Guards with equal sight share one, so that they are interchangeable.
pub(super) struct Sights {
    list: Vec<Sight>,
    /// Index of the sight that the vertices define; `None` where they define none.
    common: Option<usize>,
    vertices: usize,
}

impl Sights {
    /// The sight that the vertices define: ids of the vertices visible from each.
    pub(super) fn new(
        seen: Vec<Vec<String>>,
        at: &Path<'_>,
        names: &Names,
        wrong: &mut Mistakes,
    ) -> Self {
        let vertices = seen.len();
        let count = seen.iter().map(Vec::len).sum::<usize>();
        if count > SIGHTS_MAX {
            let why = format!("list {count} seen vertices, at most {SIGHTS_MAX} are allowed");
            wrong.add(at, Code::TooMany, why);
        }
        if count == 0 || count > SIGHTS_MAX {
            return Self {
                list: Vec::new(),
                common: None,
                vertices,
            };
        }
        let sight = read_each(seen, at, |seen, at| {
            ids(seen, &at.field("seen_vertex_ids"), names, &mut *wrong)
        });
        Self {
            list: vec![sight],
            common: Some(0),
            vertices,
        }
    }

    /// Index of the sight of a guard; `None`: it sees only the vertex where it is.
    pub(super) fn of_guard(
        &mut self,
        given: Vec<pb::PatrolSight>,
        at: &Path<'_>,
        names: &Names,
        wrong: &mut Mistakes,
    ) -> Option<usize> {
        if given.is_empty() {
            return self.common;
        }
        if !wrong.size(at, given.len(), self.vertices) {
            return None;
        }
        let mut sight: Sight = vec![Vec::new(); self.vertices];
        let mut known = vec![false; self.vertices];
        read_each(given, at, |given, at| {
            let pb::PatrolSight {
                vertex_id,
                seen_vertex_ids,
            } = given;
            let vertex_at = at.field("vertex_id");
            let vertex = names.vertices.find(&vertex_at, &vertex_id, wrong);
            let seen = ids(
                seen_vertex_ids,
                &at.field("seen_vertex_ids"),
                names,
                &mut *wrong,
            );
            let Some(vertex) = vertex else {
                return;
            };
            if std::mem::replace(&mut known[vertex], true) {
                let why = format!("is {}, which is there already", shown(&vertex_id));
                wrong.add(&vertex_at, Code::Duplicate, why);
            }
            sight[vertex] = seen;
        });
        let alike = self.list.iter().position(|known| *known == sight);
        Some(alike.unwrap_or_else(|| {
            self.list.push(sight);
            self.list.len() - 1
        }))
    }

    /// Kinds of sight by index.
    pub(super) fn into_list(self) -> Vec<Sight> {
        self.list
    }
}

/// Vertices by their ids, in rising order, each once.
fn ids(given: Vec<String>, at: &Path<'_>, names: &Names, wrong: &mut Mistakes) -> Vec<usize> {
    let seen = read_each(given, at, |id, at| names.vertices.find(at, &id, wrong));
    let mut seen: Vec<usize> = seen.into_iter().flatten().collect();
    seen.sort_unstable();
    seen.dedup();
    seen
}
