//! A drawn picture, as SVG and as pixels, and the files that it becomes.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use kuva::backend::raster::RasterBackend;
use kuva::backend::svg::SvgBackend;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use kuva::render::render::{Scene, render_multiple};
use rayon::prelude::*;

use super::chart::Chart;
use super::dashes::cut_dashes;
use super::error::OutputError;
use super::svg::{compact, renumbered};
use polhode_description::base::text::harmless_text;

/// A drawn plot.
pub struct Picture {
    /// Relative to the output folder and without extension: `plots/angular_velocity.x_fan`.
    pub name: String,
    /// The content of the picture, in words.
    pub caption: String,
    pub svg: String,
    /// Its colours may be those of the page: nothing in it fades to white paper.
    pub themed: bool,
    /// Its plots, for a page that draws them itself; none: the page shows the SVG.
    pub charts: Vec<Chart>,
    /// The picture as pixels, drawn where somebody wants them: that takes most of the time of a
    /// picture.
    pub raster: Raster,
}

/// A picture that becomes pixels.
pub struct Raster {
    pub scene: Scene,
    /// Pixels to a unit of the picture.
    pub scale: f32,
}

/// A picture before it is drawn.
pub(crate) struct Sketch {
    pub name: String,
    pub caption: String,
    pub plots: Vec<Plot>,
    pub layout: Layout,
}

impl Sketch {
    pub fn render(self) -> Picture {
        let Sketch { name, caption, plots, layout } = self;
        let charts = Chart::of(&plots, &layout).into_iter().collect();
        Picture { charts, ..Picture::render(name, caption, render_multiple(plots, layout)) }
    }
}

impl Picture {
    pub(super) fn render(name: String, caption: String, mut scene: Scene) -> Picture {
        let svg = harmless_text(compact(&renumbered(&SvgBackend::new().render_scene(&scene))));
        cut_dashes(&mut scene);
        let raster = Raster { scene, scale: 1.5 };
        Picture { name, caption, svg, themed: true, charts: Vec::new(), raster }
    }

    /// Its file of this format, as name and content.
    ///
    /// # Errors
    /// The plotter refuses it; `target` is the folder that the error names.
    fn file(&self, format: Format, target: &Path) -> Result<NamedFile, OutputError> {
        let (extension, content) = match format {
            Format::Svg => ("svg", Ok(self.svg.clone().into_bytes())),
            Format::Png => ("png", self.raster.png()),
        };
        let name = format!("{}.{extension}", self.name);
        match content {
            Ok(content) => Ok((name, content)),
            Err(message) => Err(OutputError::Plot { file: target.join(name), message }),
        }
    }
}

/// A format of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Png,
    Svg,
}

/// A file to be written: its name and its bytes.
pub type NamedFile = (String, Vec<u8>);

/// The files of pictures, as names and contents, of one format or of all; `None`: interrupted.
/// `target`: the folder, for messages.
pub fn files(
    pictures: &[Picture],
    format: Option<Format>,
    target: &Path,
    interrupted: &AtomicBool,
) -> Result<Option<Vec<NamedFile>>, OutputError> {
    let formats =
        [Format::Svg, Format::Png].into_iter().filter(|of| format.is_none_or(|wanted| wanted == *of));
    let jobs: Vec<(&Picture, Format)> =
        pictures.iter().flat_map(|picture| formats.clone().map(move |format| (picture, format))).collect();
    let go_on = || !interrupted.load(Ordering::Relaxed);
    let jobs = jobs.into_par_iter().take_any_while(|_| go_on());
    let files = jobs.map(|(picture, format)| picture.file(format, target)).collect::<Result<_, _>>()?;
    Ok(go_on().then_some(files))
}

impl Raster {
    /// Returns it as PNG, or the message of the plotter that refuses it.
    pub fn png(&self) -> Result<Vec<u8>, String> {
        RasterBackend::new().with_scale(self.scale).render_scene(&self.scene)
    }
}

/// All pictures of an answer, known by their names.
pub struct Pictures(pub Vec<Picture>);

impl Pictures {
    /// The picture of this name in the folder of plots, where it was drawn.
    pub fn named(&self, name: &str) -> Option<&Picture> {
        self.0.iter().find(|picture| picture.name.strip_prefix("plots/") == Some(name))
    }

    /// Those whose names are so, and all others.
    pub fn split(&self, is_so: impl Fn(&str) -> bool) -> (Vec<&Picture>, Vec<&Picture>) {
        self.0.iter().partition(|picture| is_so(&picture.name))
    }
}
