//! The study to start from.

use super::Writing;
use crate::toml::{Page, number, text};

impl Writing<'_> {
    pub(super) fn study(&mut self) -> String {
        let mut page = Page::default();
        page.comment(
            "A study to start from: one motion of the mechanism. `polhode schema study` lists all keys.",
        );
        page.key("title", text(&self.title()));
        page.key("mechanism", text("mechanism.toml"));
        page.table("[method]");
        page.key("accuracy", "1e-5                         # method and step are chosen for it");
        page.key("duration", text("5 s"));
        page.blank();
        page.comment("Lines that begin with \"#:\" make an ensemble of it: take these two characters away.");
        page.line("#: [ensemble]");
        page.line("#: size = 1000");
        page.line("#: [ensemble.vary]");
        for joint in &self.assembly.joints {
            let placed = !joint.starts.is_empty();
            if let Some((key, value)) = joint.starts.first().filter(|_| placed) {
                let (unit, spread) = if *key == "displacement" { ("m", 0.01) } else { ("rad", 0.05) };
                let mean = number(*value);
                page.line(&format!(
                    "#: \"{}.{key}\" = {{ normal = {{ mean = \"{mean} {unit}\", \
                     std = \"{spread} {unit}\" }} }}",
                    joint.name
                ));
            }
        }
        for (name, value, _) in &self.constants {
            let low = value.parse::<f64>().unwrap_or(0.0);
            let high = if low == 0.0 { 1.0 } else { 1.1 * low };
            let [low, high] = [low.min(high), low.max(high)].map(number);
            page.line(&format!("#: \"constants.{name}\" = {{ uniform = {{ low = {low}, high = {high} }} }}"));
        }
        page.table("[observe]");
        let mut channels: Vec<String> = Vec::new();
        for joint in self.assembly.joints.iter() {
            channels.extend(
                joint
                    .starts
                    .iter()
                    .map(|(key, _)| *key)
                    .filter(|key| !key.contains("rate") && !key.contains("velocity"))
                    .map(|key| format!("{}.{key}", joint.name)),
            );
        }
        channels.append(&mut self.channels);
        let mut visited = std::collections::BTreeSet::new();
        channels.retain(|channel| visited.insert(channel.clone()));
        channels.push("energy".to_string());
        let lines: Vec<String> = channels.iter().map(|channel| text(channel)).collect();
        match lines.len() {
            0..=5 => page.key("channels", format!("[{}]", lines.join(", "))),
            _ => page.key("channels", format!("[\n    {},\n]", lines.join(",\n    "))),
        }
        page.key("every", text("20 ms"));
        page.done()
    }
}
