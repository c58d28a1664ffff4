//! Where pictures go.

use clap::Args;
use std::path::PathBuf;

/// Where pictures of an answer go.
#[derive(Debug, Clone, Default, Args)]
pub struct PictureArgs {
    /// Write a picture as an SVG file; `-` for stdout.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write a page with pictures and tables as an HTML file; `-` for stdout.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}
