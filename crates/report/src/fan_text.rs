//! A column's quantiles in time as text, for a terminal.

use super::table::ColumnLabel;
use polhode_description::base::{in_brackets, shown, significant};
use polhode_engine::observe::Summary;

const ROWS: usize = 7;
const COLUMNS: usize = 60;
/// The first is the outermost pair of quantiles; the others lie within.
const SHADES: [char; 3] = ['░', '▒', '▓'];
const MIDDLE: char = '━';

/// The fan of one column, in lines, from the summaries by time (s) and column, whose quantiles are
/// at the probabilities `p`; `None`: it has no spread that could be seen.
pub fn fan_text(
    columns: &[ColumnLabel],
    times_of: &[f64],
    summaries: &[Vec<Summary>],
    p: &[f64],
    column: usize,
) -> Option<String> {
    let label = columns.get(column)?;
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    let middle = order.iter().copied().find(|k| p[*k] == 0.5);
    let pairs: Vec<[usize; 2]> =
        (0..order.len() / 2).map(|k| [order[k], order[order.len() - 1 - k]]).take(SHADES.len()).collect();
    let [lowest, highest] = *pairs.first()?;
    let quantiles = |time: usize| &summaries[time][column].quantiles;
    let times = times_of.len();
    let bounds = (0..times).flat_map(|time| [quantiles(time)[lowest], quantiles(time)[highest]]);
    let finite: Vec<f64> = bounds.filter(|x| x.is_finite()).collect();
    let low = finite.iter().copied().reduce(f64::min)?;
    let high = finite.iter().copied().reduce(f64::max)?;
    // A channel that rests shows nothing but rounding.
    if times < 2 || high - low <= 1e-12 * low.abs().max(high.abs()) {
        return None;
    }
    let row = |x: f64| (((high - x) / (high - low) * ROWS as f64) as usize).min(ROWS - 1);
    let mut cells = vec![[' '; COLUMNS]; ROWS];
    for place in 0..COLUMNS {
        let of_time = quantiles(place * (times - 1) / (COLUMNS - 1));
        for (pair, shade) in pairs.iter().zip(SHADES) {
            let [below, above] = pair.map(|k| of_time[k]);
            if below.is_finite() && above.is_finite() {
                cells[row(above)..=row(below)].iter_mut().for_each(|cells| cells[place] = shade);
            }
        }
        if let Some(x) = middle.map(|k| of_time[k]).filter(|x| x.is_finite()) {
            cells[row(x)][place] = MIDDLE;
        }
    }
    let percent = |k: usize| significant(100.0 * p[k], 3);
    let bands = pairs.iter().zip(SHADES).rev();
    let bands = bands.map(|([a, b], shade)| format!("{shade} {} to {} %", percent(*a), percent(*b)));
    let legend: Vec<String> = middle.map(|_| format!("{MIDDLE} median")).into_iter().chain(bands).collect();
    let ends = [high, low].map(|x| significant(x, 3));
    let width = ends.iter().map(String::len).max().unwrap_or_default();
    let mut lines = vec![format!("{}{}: {}", label.name(), in_brackets(&label.unit), legend.join(", "))];
    for (k, cells) in cells.iter().enumerate() {
        let end = match k {
            0 => &ends[0],
            _ if k + 1 == ROWS => &ends[1],
            _ => "",
        };
        let text: String = cells.iter().collect();
        lines.push(format!("{end:>width$} │{}", text.trim_end()));
    }
    let [from, until] = [0, times - 1].map(|time| format!("{} s", shown(times_of[time])));
    let apart = COLUMNS.saturating_sub(from.len());
    lines.push(format!("{:width$}  {from}{until:>apart$}", ""));
    Some(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fan of a column with these quantiles over ten seconds.
    fn fan(quantiles: impl Fn(f64) -> [f64; 5], column: usize) -> Option<String> {
        let label = ColumnLabel {
            channel: "arm.angle".to_string(),
            component: String::new(),
            unit: "rad".to_string(),
            description: String::new(),
        };
        let times: Vec<f64> = (0..=100).map(|k| 0.1 * f64::from(k)).collect();
        let summary = |t: &f64| Summary {
            count: 9,
            excluded: 0,
            mean: 0.0,
            std: 0.0,
            min: 0.0,
            max: 0.0,
            quantiles: quantiles(*t).to_vec(),
        };
        let summaries: Vec<Vec<Summary>> = times.iter().map(|t| vec![summary(t)]).collect();
        fan_text(&[label], &times, &summaries, &[0.05, 0.25, 0.5, 0.75, 0.95], column)
    }

    #[test]
    fn a_fan_opens_to_the_right() {
        let text = fan(|t| [-t, -0.5 * t, 0.0, 0.5 * t, t], 0).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "arm.angle (rad): ━ median, ▒ 25 to 75 %, ░ 5 to 95 %");
        assert!(lines[1].starts_with(" 10 │") && lines[1].ends_with("░░░░░░░░░"), "{text}");
        assert!(lines[4].starts_with("    │━━━━━") && lines[4].chars().count() == 65, "{text}");
        assert!(lines[7].starts_with("-10 │"), "{text}");
        assert!(lines[8].trim_start().starts_with("0 s") && lines[8].ends_with("10 s"), "{text}");
        // Bands are symmetric: as many cells above the middle as below.
        let count = |k: usize| lines[k].matches(['░', '▒']).count();
        assert!((1..=3).all(|k| count(k).abs_diff(count(8 - k)) <= 1), "{text}");
    }

    #[test]
    fn what_rests_or_is_no_number_has_no_fan() {
        assert!(fan(|_| [3.0; 5], 0).is_none());
        assert!(fan(|_| [f64::NAN; 5], 0).is_none());
        assert!(fan(|t| [t; 5], 7).is_none());
        let late = |t: f64| if t > 5.0 { [f64::NAN; 5] } else { [0.0, 1.0, 2.0, 3.0, 4.0] };
        let text = fan(late, 0).unwrap();
        assert!(text.lines().nth(1).unwrap().chars().count() < 40, "{text}");
    }
}
