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

use crate::picture::{Drawable, Form, Look, Response};
use stratagem_proto::v1::{PatrolEvaluation, PatrolPlan, PatrolProblem};

/// What is known about a problem of patrol and drawn into its picture.
#[derive(Debug, Clone, Copy, Default)]
pub struct Drawn<'a> {
    /// Where guards go.
    pub plan: Option<&'a PatrolPlan>,
    /// How well each vertex is watched.
    pub evaluation: Option<&'a PatrolEvaluation>,
}

impl Drawable for PatrolProblem {
    fn picture(&self, response: Option<&Response>, look: &Look) -> Option<String> {
        match response {
            Some(Response::MixPatrols(found)) => {
                let mixed = Mixed {
                    mixture: found.plan.as_ref()?,
                    evaluation: found.evaluation.as_ref(),
                };
                return Some(look.rendered(
                    mixed,
                    |it, options| mixture_text(self, it, options),
                    |it| mixture_svg(self, it),
                    |it| mixture_page(self, it),
                ));
            }
            Some(Response::VaryPatrols(found)) => {
                return Some(look.rendered(
                    found.plans.as_slice(),
                    |it, options| variants_text(self, it, options),
                    |it| variants_svg(self, it),
                    |it| variants_page(self, it),
                ));
            }
            _ => {}
        }
        let drawn = match response {
            Some(Response::GeneratePatrol(found)) => Drawn {
                plan: found.plan.as_ref(),
                evaluation: found.evaluation.as_ref(),
            },
            _ => Drawn::default(),
        };
        if look.form == Form::AnimatedSvg {
            return Some(animated_svg(self, drawn));
        }
        Some(look.rendered(
            drawn,
            |it, options| text(self, it, options),
            |it| svg(self, it),
            |it| page(self, it),
        ))
    }
}
