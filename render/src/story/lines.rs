//! Acts in words.

use super::share_text;
use crate::label::printable;
use std::fmt::Write as _;
use stratagem_proto::v1::{StoryAct, StoryInfluence};

/// An act in a few words: `Steal Bruno, Ada, Will`.
pub(super) fn act_name(act: &StoryAct) -> String {
    let name = printable(&act.action);
    let args = printable(&act.entity_ids.join(", "));
    format!("{name} {args}").trim_end().to_owned()
}

/// What a believability is made of; empty where it is the base alone.
pub(super) fn why(base: f64, influences: &[StoryInfluence], slider: f64) -> String {
    let slides = slider.to_bits() != 1f64.to_bits();
    if influences.is_empty() && !slides {
        return String::new();
    }
    let mut text = share_text(base);
    for one in influences {
        let rule = printable(&one.rule);
        let _ = write!(text, ", {rule}: {}", share_text(one.after));
    }
    if slides {
        let _ = write!(text, ", slider {}", share_text(slider));
    }
    text
}
