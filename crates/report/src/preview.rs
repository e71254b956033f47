//! A page with a motion alone, for a study that has not run.

use maud::html;

use super::drawing::player;
use super::motion::Track;
use super::page::skeleton;
use polhode_description::describe::Mechanism;

/// The page; `None`: the motions cannot be drawn.
pub fn preview(title: &str, lead: &str, mechanism: &Mechanism, tracks: &[Track]) -> Option<String> {
    let player = player(mechanism, tracks, None, &[])?;
    Some(skeleton(title, html! { (lead) }, None, html! { section { (player) } }, "Nothing has run."))
}
