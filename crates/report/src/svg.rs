//! The text of pictures: as short as it can be without a change that is seen, and in a page beside
//! others.

use std::fmt::Write as _;

/// Places after the point that are seen: a hundredth of a pixel.
const PLACES: usize = 2;
/// Circles of one kind in a row that become the marks of one path.
const DOTS: usize = 20;

/// With the clipping regions counted from 1: the plotter counts them through all pictures of a
/// process, in the order in which threads happen to draw.
pub fn renumbered(svg: &str) -> String {
    const NAME: &str = "kuva-clip-";
    let mut parts = svg.split(NAME);
    let mut text = parts.next().unwrap_or_default().to_owned();
    let mut known: Vec<&str> = Vec::new();
    for part in parts {
        let digits = &part[..part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len())];
        let place = known.iter().position(|number| *number == digits).unwrap_or(known.len());
        if place == known.len() {
            known.push(digits);
        }
        text.push_str(&format!("clip-{}{}", place + 1, &part[digits.len()..]));
    }
    text
}

/// A shorter text of a picture that looks as this one: numbers are rounded to what is seen, and the
/// dots of a cloud are marks of one path. They are laid one over the other as before.
pub fn compact(svg: &str) -> String {
    dotted(&rounded(svg))
}

/// With the numbers of attributes rounded.
fn rounded(svg: &str) -> String {
    let mut text = String::with_capacity(svg.len());
    let mut rest = svg;
    let mut is_value = false;
    while let Some(at) = rest.find(|c: char| c == '"' || is_value && c.is_ascii_digit()) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(behind) = rest.strip_prefix('"') {
            // Quotes in a text are escaped.
            is_value = !is_value;
            text.push('"');
            rest = behind;
            continue;
        }
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
        let (number, behind) = rest.split_at(end);
        match number
            .split_once('.')
            .map(|(_, places)| places.len() > PLACES)
            .and_then(|is_long| is_long.then(|| number.parse::<f64>().ok()).flatten())
        {
            Some(value) => {
                let short = format!("{value:.PLACES$}");
                text.push_str(short.trim_end_matches('0').trim_end_matches('.'));
            }
            None => text.push_str(number),
        }
        rest = behind;
    }
    text + rest
}

/// With circles that follow each other and differ in their place alone as marks of a path.
fn dotted(svg: &str) -> String {
    const CIRCLE: &str = "<circle cx=\"";
    let mut text = String::with_capacity(svg.len());
    let mut rest = svg;
    let mut clouds = 0;
    while let Some(at) = rest.find(CIRCLE) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let mut behind = rest;
        let mut places = Vec::new();
        let mut kind = None;
        while let Some(circle) =
            Circle::read(behind).filter(|circle| kind.is_none_or(|kind| kind == circle.kind))
        {
            kind = Some(circle.kind);
            places.push(circle.place);
            behind = circle.behind;
        }
        match kind.filter(|_| places.len() >= DOTS) {
            Some(kind) => {
                clouds += 1;
                let radius = kind.split('"').nth(1).unwrap_or("1");
                let mut path = String::new();
                for (k, [x, y]) in places.iter().enumerate() {
                    let _ = write!(path, "{}{x} {y}", if k == 0 { "M" } else { "L" });
                }
                let _ = write!(
                    text,
                    "<marker id=\"clip-dot-{clouds}\" markerUnits=\"userSpaceOnUse\" markerWidth=\"9\" \
                     markerHeight=\"9\" overflow=\"visible\"><circle r=\"{radius}\"{}/></marker><path \
                     d=\"{path}\" fill=\"none\" stroke=\"none\" marker-start=\"url(#clip-dot-{clouds})\" \
                     marker-mid=\"url(#clip-dot-{clouds})\" marker-end=\"url(#clip-dot-{clouds})\"/>",
                    kind.splitn(3, '"').nth(2).unwrap_or_default().trim_end_matches(['/', ' ']),
                );
                rest = behind;
            }
            None => {
                text.push_str(CIRCLE);
                rest = &rest[CIRCLE.len()..];
            }
        }
    }
    text + rest
}

/// The first circle of a text.
struct Circle<'a> {
    place: [&'a str; 2],
    /// Its radius and all else of it: `r="1.8" fill="#0b4a82" /`.
    kind: &'a str,
    behind: &'a str,
}

impl<'a> Circle<'a> {
    fn read(text: &'a str) -> Option<Circle<'a>> {
        let (element, behind) = text.strip_prefix("<circle cx=\"")?.split_once('>')?;
        let (x, element) = element.split_once("\" cy=\"")?;
        let (y, kind) = element.split_once("\" ")?;
        kind.starts_with("r=\"").then_some(Circle {
            place: [x, y],
            kind,
            behind: behind.trim_start_matches('\n'),
        })
    }
}

/// The picture as a part of a page, where it has no names that another one has, and the width that
/// there is.
pub fn inline(svg: &str, name: &str, caption: &str) -> String {
    let own: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let svg =
        svg.replace("id=\"clip-", &format!("id=\"{own}-")).replace("url(#clip-", &format!("url(#{own}-"));
    let size = |side: &str| {
        let found = svg.split_once(&format!(" {side}=\"")).and_then(|(_, rest)| rest.split_once('"'));
        found.map_or("0", |(value, _)| value).to_string()
    };
    let (width, height) = (size("width"), size("height"));
    let given = format!(" width=\"{width}\" height=\"{height}\"");
    let caption = maud::html! { (caption) }.into_string();
    let wanted = format!(" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{caption}\"");
    // A page knows the name space.
    svg.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1).replacen(&given, &wanted, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipping_regions_are_counted_in_each_picture() {
        let svg = "<a id=\"kuva-clip-17\"/><b id=\"kuva-clip-3\"/><c clip=\"url(#kuva-clip-17)\"/>";
        assert_eq!(renumbered(svg), "<a id=\"clip-1\"/><b id=\"clip-2\"/><c clip=\"url(#clip-1)\"/>");
    }

    #[test]
    fn numbers_are_as_long_as_they_are_seen() {
        let svg =
            "<a x=\"244.64000000000001\" d=\"M-1.0049 2,3.14159\" fill=\"#0b4a82\">1.23456</a><b y=\"5\"/>";
        let short = "<a x=\"244.64\" d=\"M-1 2,3.14\" fill=\"#0b4a82\">1.23456</a><b y=\"5\"/>";
        assert_eq!(compact(svg), short);
    }

    #[test]
    fn a_cloud_is_one_path() {
        let circle = |k: usize, color: &str| {
            format!("<circle cx=\"{k}\" cy=\"{k}.5\" r=\"1.8\" fill=\"{color}\" fill-opacity=\"0.45\" />")
        };
        let cloud: String = (0..DOTS).map(|k| circle(k, "red")).collect();
        let few: String = (0..3).map(|k| circle(k, "blue")).collect();
        let short = compact(&format!("<svg>{cloud}{few}</svg>"));
        assert_eq!(short.matches("<circle").count(), 1 + 3, "{short}");
        assert!(short.contains(
            "<circle r=\"1.8\" fill=\"red\" fill-opacity=\"0.45\"/></marker><path d=\"M0 0.5L1 1.5L2"
        ));
        assert!(short.ends_with(&format!("{few}</svg>")), "{short}");
    }

    #[test]
    fn pictures_of_a_page_have_names_of_their_own() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"90\" height=\"40\" fill=\"#222\"><a \
                   id=\"clip-1\"/><b clip=\"url(#clip-1)\"/></svg>";
        assert_eq!(
            inline(svg, "plots/a.x_fan", "a < b"),
            "<svg viewBox=\"0 0 90 40\" role=\"img\" aria-label=\"a &lt; b\" fill=\"#222\">\
             <a id=\"plots-a-x-fan-1\"/><b clip=\"url(#plots-a-x-fan-1)\"/></svg>"
        );
    }
}
