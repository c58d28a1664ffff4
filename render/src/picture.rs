//! Pictures of any planner's problems, plans and responses.

use crate::text::TextOptions;
use stratagem_proto::v1::any_problem::Kind as Problem;

/// A response of a method that searches: with a plan, and what is known about it.
pub use stratagem_proto::v1::job_response::Method as Response;

/// What a picture is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Lines for a terminal.
    Text(TextOptions),
    /// An SVG document.
    Svg,
    /// An SVG document in which time goes by, where that is drawn; else as [`Form::Svg`].
    AnimatedSvg,
    /// A self-contained page of HTML.
    Html,
}

/// A point of a plan that has several, each number from 0. Default: the first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Part {
    /// Of which event.
    pub event: Option<usize>,
    /// For how many players, less 1.
    pub players: Option<usize>,
    /// Which point.
    pub point: Option<usize>,
}

/// How to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// What the picture is made of.
    pub form: Form,
    /// Which part of the plan is drawn.
    pub part: Part,
}

impl Look {
    /// What is drawn, in this form.
    pub(crate) fn rendered<T>(
        &self,
        drawn: T,
        text: impl FnOnce(T, &TextOptions) -> String,
        svg: impl FnOnce(T) -> String,
        page: impl FnOnce(T) -> String,
    ) -> String {
        match &self.form {
            Form::Text(options) => text(drawn, options),
            Form::Svg | Form::AnimatedSvg => svg(drawn),
            Form::Html => page(drawn),
        }
    }
}

/// A problem that can be drawn, alone and with a response about it.
pub(crate) trait Drawable {
    /// The picture; `None` where there is nothing to draw, or the plan has no such part.
    fn picture(&self, response: Option<&Response>, look: &Look) -> Option<String>;
}

macro_rules! planners {
    ($($kind:ident)*) => {
        /// A picture of a problem and of what was found, if anything was; `None` where there is
        /// nothing to draw, or the plan has no such part.
        #[must_use]
        pub fn picture(
            problem: &Problem,
            response: Option<&Response>,
            look: &Look,
        ) -> Option<String> {
            match problem {
                $(Problem::$kind(problem) => problem.picture(response, look),)*
            }
        }
    };
}

planners! {
    Allocation
    Crew
    Heist
    Narrative
    Patrol
    Puzzle
    Schedule
    Story
    Temporal
}
