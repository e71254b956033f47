//! A film of a motion. A browser draws the frames with the script of the player and leaves them as
//! text in the page; here they are put together.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use super::player::{SCRIPT, json, player};
use super::webp;
use crate::motion::Track;
use polhode_description::base::text::harmless_text;
use polhode_description::describe::Mechanism;

const DRAW: &str = include_str!("film.js");
/// A frame begins so in the page.
const FRAME: &str = "data:image/webp;base64,";

/// The look of a film.
#[derive(Clone, Copy, Debug)]
pub struct Film {
    /// Pixels from left to right; three for two from top to bottom.
    pub width: u32,
    /// It takes so long (s).
    pub seconds: f64,
    /// It ends with this time of the motion (s); `None`: with the last snapshot.
    pub until: Option<f64>,
    /// Frames a second.
    pub rate: u32,
}

/// Why there is no film.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFilm {
    /// The browser has drawn fewer frames than it was asked for.
    #[error("the browser drew {drawn} of {frames} frames")]
    Frames { drawn: usize, frames: usize },
    /// It has drawn them in another format.
    #[error("the browser writes no WebP")]
    Format,
}

#[derive(Serialize)]
struct Frames {
    frames: usize,
    size: [u32; 2],
    until: Option<f64>,
}

impl Film {
    fn frames(&self) -> usize {
        ((self.seconds * f64::from(self.rate)).round() as usize).max(2)
    }

    fn size(&self) -> [u32; 2] {
        [self.width, self.width * 2 / 3]
    }

    /// The page whose script draws the frames; `None`: the motion cannot be drawn.
    pub fn page(&self, mechanism: &Mechanism, track: &Track) -> Option<String> {
        let player = player(mechanism, std::slice::from_ref(track), None, &[])?;
        let style = format!(
            ".player {{ width: {}px; }} .player canvas {{ display: block; width: 100%; aspect-ratio: 3 / 2; \
             }} canvas {{ --text: #1d2429; --soft: #5b6770; --line: #dde3e8; --paper: #ffffff; }}",
            self.width
        );
        let frames = Frames { frames: self.frames(), size: self.size(), until: self.until };
        let script = |text: &'static str| -> Markup {
            html! { script { (PreEscaped(text)) } }
        };
        let page = html! {
            meta charset="utf-8";
            style { (style) }
            (player)
            script id="film" type="application/json" { (json(&frames)) }
            (script(SCRIPT))
            (script(DRAW))
        };
        Some(harmless_text(page.into_string()))
    }

    /// The film, as WebP, from what its page has become in a browser.
    ///
    /// # Errors
    /// Frames are missing, or no WebP.
    pub fn of_page(&self, page: &str) -> Result<Vec<u8>, NoFilm> {
        let frames = page.lines().filter_map(|line| line.strip_prefix(FRAME));
        let frames: Option<Vec<Vec<u8>>> = frames.map(|frame| BASE64.decode(frame).ok()).collect();
        let frames = frames.ok_or(NoFilm::Format)?;
        if frames.len() < self.frames() {
            return match page.contains("data:image/png") {
                true => Err(NoFilm::Format),
                false => Err(NoFilm::Frames { drawn: frames.len(), frames: self.frames() }),
            };
        }
        webp::moving(&frames, self.size(), 1000 / self.rate).ok_or(NoFilm::Format)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_without_its_frames_is_none() {
        let film = Film { width: 300, seconds: 0.1, until: None, rate: 20 };
        assert_eq!(film.of_page("<html>\n</html>"), Err(NoFilm::Frames { drawn: 0, frames: 2 }));
        assert_eq!(film.of_page("data:image/png;base64,AAAA\n"), Err(NoFilm::Format));
        assert_eq!(film.of_page(&format!("{FRAME}AAAA\n{FRAME}AAAA\n")), Err(NoFilm::Format));
    }
}
