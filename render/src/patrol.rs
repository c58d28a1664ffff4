//! Pictures of patrols: cyclic routes, and the capture probability at each place.

mod frame;
mod ground;
mod heat;
pub(crate) mod layout;
mod many;
mod map_svg;
mod map_text;
mod mixture;
mod motion;
mod page;
mod svg;
mod text;
mod variants;
mod walk;
mod wishes;

pub use crate::text::TextOptions;
pub use many::{Choice, Together, choices_page, choices_svg};
pub use map_text::map_text;
pub use mixture::{Mixed, mixture_page, mixture_svg, mixture_text};
pub use page::page;
pub use svg::{animated_svg, svg};
pub use text::{route_lines, text};
pub use variants::{variants_page, variants_svg, variants_text};

use stratagem_proto::v1::{PatrolEvaluation, PatrolPlan};

/// What is known about a problem of patrol and drawn into its picture.
#[derive(Debug, Clone, Copy, Default)]
pub struct Drawn<'a> {
    /// Where guards go.
    pub plan: Option<&'a PatrolPlan>,
    /// How well each vertex is watched.
    pub evaluation: Option<&'a PatrolEvaluation>,
}
