//! The report of a sensitivity study, and its table for the terminal.

use maud::{Markup, html};

use super::super::cards::INDICES;
use super::super::manifest::Manifest;
use super::super::numbers::{number, round3, with_minus, words};
use super::super::page::{doubts, figure, page, resolved_study};
use super::super::picture::Picture;
use super::super::report::{self, failures_table, lead, timings, verdict_table};
use super::{IndexConvergence, MOST_TIMES, MOST_WHOLE, OF_SAMPLES, Output, SensitivityFindings};
use super::{SensitivityReport, When, index_words, is_known, ranked, well_known};
use polhode_description::base::text::WIDEST;
use polhode_description::base::{capital, grouped, known_within, rounded, significant};
use polhode_description::describe::Screening;
use polhode_engine::observe::indices::{Answer, Estimate, RESAMPLES, pairs};

pub(super) fn render(data: &SensitivityReport<'_>, manifest: &Manifest, pictures: &[Picture]) -> String {
    let mut sections = report::accuracy(manifest);
    sections.extend([
        ("Indices", indices(data, manifest, pictures)),
        ("Were there enough samples", convergence(data)),
    ]);
    if data.found.outputs.iter().any(|(_, answer)| !answer.pairs.is_empty()) {
        sections.push(("Pairs of inputs", pairs_table(data)));
    }
    if !data.failures.is_empty() {
        let ended = html! { (verdict_table(manifest)) (failures_table(data.failures, data.study)) };
        sections.push(("How the instances ended", ended));
    }
    sections.extend([
        ("What was run", what_was_run(data, manifest)),
        ("Time spent", timings(manifest)),
        ("One instance again", report::replay(data.failures.first().map_or(0, |failure| failure.instance))),
        ("The study", resolved_study(data.study_toml)),
    ]);
    let mut warnings = Vec::new();
    if !manifest.complete {
        warnings.push(format!(
            "Incomplete: the run was interrupted after {} of {} instances.",
            grouped(manifest.advanced),
            grouped(manifest.instances)
        ));
    }
    warnings.extend(left_out(data));
    let warning = (!warnings.is_empty()).then(|| html! { (warnings.join(" ")) });
    page(&data.study.title, html! { (lead(manifest)) }, warning, sections)
}

/// Warnings about rows that do not count.
fn left_out(data: &SensitivityReport<'_>) -> Vec<String> {
    let ends = data.found.outputs.iter().filter(|(output, _)| output.when == When::End);
    let (some, none): (Vec<_>, Vec<_>) = ends.partition(|(_, answer)| answer.rows > 0);
    let name = |output: &Output| output.when.of(&words(&data.found.columns[output.column].name()));
    let least = some.into_iter().min_by_key(|(_, answer)| answer.rows);
    let least = least.filter(|(_, answer)| answer.left_out > 0).map(|(output, answer)| {
        format!(
            "Of {} rows {} are left out, because an instance in them did not finish or has no such value \
             ({}): the indices are those of the other rows, in which inputs are no longer independent: \
             shares need not add up.",
            grouped((answer.rows + answer.left_out) as u64),
            grouped(answer.left_out as u64),
            name(output)
        )
    });
    let without = |(output, _): &(Output, _)| {
        format!("No row has a value of {} in all its instances: it has no indices.", name(output))
    };
    least.into_iter().chain(none.into_iter().map(without)).collect()
}

fn what_was_run(data: &SensitivityReport<'_>, manifest: &Manifest) -> Markup {
    let study = data.study;
    let measures = match data.asked.method {
        Screening::Sobol { .. } => "shares of the variance (Sobol, Saltelli, Jansen)",
        Screening::Morris { .. } => "elementary effects (Morris)",
    };
    let points = match data.asked.method {
        Screening::Sobol { .. } => report::design(study.ensemble.design).to_owned(),
        Screening::Morris { levels } => format!("trajectories on {levels} levels"),
    };
    let rows = [
        ("Asked", measures.to_owned()),
        ("Mechanism", format!("{}: {}", study.mechanism.name, report::parts_of(&study.mechanism))),
        ("Method", study.method.summary()),
        (
            "Duration",
            format!(
                "{} s = {} steps of {} s",
                number(manifest.step * manifest.steps as f64),
                grouped(manifest.steps),
                number(manifest.step)
            ),
        ),
        (
            "Instances",
            format!("{}: {}", grouped(manifest.instances), data.asked.explained(data.found.inputs.len())),
        ),
        ("Inputs", data.found.inputs.join(", ")),
        ("Sampling", format!("{points}, seed {}", manifest.seed)),
        ("Intervals", format!("95 %, by {RESAMPLES} bootstrap samples of the rows")),
        ("Device", manifest.device.clone()),
        ("Started", manifest.started.clone()),
        ("Program", format!("polhode {}", manifest.polhode)),
    ];
    html! {
        table { tbody { @for (key, value) in rows { tr { th { (key) } td { (value) } } } } }
        (doubts(manifest))
    }
}

fn indices(data: &SensitivityReport<'_>, manifest: &Manifest, pictures: &[Picture]) -> Markup {
    let explained = match data.asked.method {
        Screening::Sobol { .. } => {
            "First order: the share of the output's variance that goes away when this input alone is known. \
             Total: the share that stays when all others are known; above first order the input acts \
             together with others. An input of several numbers drawn together has the indices of the group."
        }
        Screening::Morris { .. } => {
            "An elementary effect is the change of the output per range of one input, the others held. μ*: \
             mean of its size; μ: its mean, less than μ* in size where the effect changes sign; σ: its \
             deviation, large where the input acts nonlinearly or together with others. A group of numbers \
             has no sign, and μ* alone."
        }
    };
    html! {
        p.lead { (explained) }
        @let (asked, others) = data.asked_and_others();
        @for column in asked { (of_column(data, manifest, pictures, column)) }
        @if !others.is_empty() {
            details {
                summary { "Columns that no outcome is about (" (others.len()) ")" }
                @for column in others { (of_column(data, manifest, pictures, column)) }
            }
        }
    }
}

/// Indices of a column: those at the end, and folded those of its extremes and in time.
fn of_column(
    data: &SensitivityReport<'_>,
    manifest: &Manifest,
    pictures: &[Picture],
    column: usize,
) -> Markup {
    let about = &data.found.columns[column];
    let prefix = format!("plots/{}_", about.name());
    let of_it = |picture: &&Picture| picture.name.strip_prefix(&prefix).is_some_and(is_kind);
    let is_end = |picture: &&Picture| picture.name.ends_with("_end");
    let (end, others): (Vec<&Picture>, Vec<&Picture>) = pictures.iter().filter(of_it).partition(is_end);
    let answers = || data.found.outputs.iter().filter(|(output, _)| output.column == column);
    html! {
        h3 { (words(&about.name())) " " span.unit { "(" (about.unit) ")" } }
        @if !about.description.is_empty() { p.lead { (about.description) } }
        @for (output, answer) in answers() {
            @if let Some(told) = data.lacking(manifest, *output, answer, grouped) { p { (told) "." } }
        }
        @for picture in end { div.wide-figure { (figure(picture)) } }
        details {
            summary { "Numbers, extremes and times" }
            div.pair { @for picture in others { (figure(picture)) } }
            @for (output, answer) in answers() { (index_table(data, *output, answer)) }
        }
    }
}

/// Whether this is the end of a picture's name, after the channel's.
fn is_kind(rest: &str) -> bool {
    ["end", "highest", "lowest", "total_in_time", "first_in_time", "mu_star_in_time"].contains(&rest)
}

fn index_table(data: &SensitivityReport<'_>, output: Output, answer: &Answer) -> Markup {
    let quantity = capital(&output.when.of(&words(&data.found.columns[output.column].name())));
    if !is_known(answer) {
        let why = if answer.rows == 0 { "no row has a value" } else { "it does not vary" };
        return html! { p { (quantity) ": " (why) "." } };
    }
    html! {
        details open[output.when == When::End] {
            summary { (quantity) ", " (rows_of(answer)) }
            div.scroll tabindex="0" { table.wide {
                thead { tr {
                    th { "input" }
                    @for measure in &answer.measures {
                        th.number { (index_words(measure.name)) } th.number { "95 %" }
                    }
                } }
                tbody { @for j in ranked(answer) { tr {
                    th { (data.found.inputs[j]) }
                    @for measure in &answer.measures {
                        td.number { (within(measure.of[j].value, measure.of[j])) }
                        td.number.unit { (interval(measure.of[j])) }
                    }
                } } }
            } }
        }
    }
}

/// `512 rows`, or `3 of 512 rows`
pub(super) fn rows_of(answer: &Answer) -> String {
    let rows = grouped(answer.rows as u64);
    match answer.left_out {
        0 => format!("{rows} rows"),
        out => format!("{rows} of {} rows", grouped((answer.rows + out) as u64)),
    }
}

/// A number with as many digits as its interval leaves.
fn within(value: f64, e: Estimate) -> String {
    with_minus(&known_within(value, e.half_width()))
}

fn interval(e: Estimate) -> String {
    if e.low.is_finite() {
        format!("{} to {}", within(e.low, e), within(e.high, e))
    } else {
        "–".to_owned()
    }
}

/// The indices of a column at the end, from few rows to all.
fn parts_of(found: &SensitivityFindings, column: usize) -> Vec<&IndexConvergence> {
    let mut parts: Vec<&IndexConvergence> = found.convergence.iter().filter(|c| c.column == column).collect();
    parts.sort_by_key(|c| c.rows);
    parts
}

/// The pairs of inputs, those that do most together first.
fn strongest(found: &SensitivityFindings, answer: &Answer) -> Vec<((usize, usize), Estimate)> {
    let mut all: Vec<_> = pairs(found.inputs.len()).zip(answer.pairs.iter().copied()).collect();
    all.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
    all
}

/// All that is known about whether N was enough, of the outputs that are asked for.
struct Enough {
    /// The greatest half width of an interval, and of which input and output.
    widest: (f64, usize, usize),
    /// The greatest change from half of the rows to all, likewise.
    change: (f64, usize, usize),
    /// The least share of rows that are whole, and of which output.
    whole: (f64, usize),
}

/// Returns how well the outputs at the end are known: in parts of the variance, or of the largest
/// mu*.
fn enough(data: &SensitivityReport<'_>) -> Option<Enough> {
    let found = data.found;
    let mut enough: Option<Enough> = None;
    let mut raise = |half_width: f64, change: f64, input: usize, column: usize, whole: f64| {
        let e = enough.get_or_insert(Enough {
            widest: (0.0, input, column),
            change: (0.0, input, column),
            whole: (whole, column),
        });
        if whole < e.whole.0 {
            e.whole = (whole, column);
        }
        if half_width > e.widest.0 {
            e.widest = (half_width, input, column);
        }
        if change > e.change.0 {
            e.change = (change, input, column);
        }
    };
    for column in data.asked_and_others().0 {
        let parts = parts_of(found, column);
        let [.., half, all] = &parts[..] else { continue };
        if !is_known(&all.answer) {
            continue;
        }
        let measure = |c: &IndexConvergence, j: usize| c.answer.measures[0].of[j];
        let scale = match data.asked.method {
            Screening::Sobol { .. } => 1.0,
            Screening::Morris { .. } => {
                let largest = (0..found.inputs.len()).map(|j| measure(all, j).value).fold(0.0, f64::max);
                if largest == 0.0 {
                    continue;
                }
                largest
            }
        };
        for j in 0..found.inputs.len() {
            let change = (measure(all, j).value - measure(half, j).value).abs();
            let rows = all.answer.rows as f64;
            let whole = rows / (rows + all.answer.left_out as f64);
            raise(measure(all, j).half_width() / scale, change / scale, j, column, whole);
        }
    }
    enough
}

/// A line that says whether N was enough.
fn verdict_on_samples(data: &SensitivityReport<'_>) -> String {
    let Some(Enough { widest, change, whole }) = enough(data) else {
        return "No output varies, or no row is whole: nothing can be said about the number of samples."
            .to_owned();
    };
    let n = data.asked.samples;
    let (index, of) = match data.asked.method {
        Screening::Sobol { .. } => ("total index", ""),
        Screening::Morris { .. } => ("μ*", " of the largest"),
    };
    let at = |(_, input, column): (f64, usize, usize)| {
        format!("{} on {}", data.found.inputs[input], words(&data.found.columns[column].name()))
    };
    let bound = well_known(data.asked.method);
    let verdict = if widest.0 <= bound && change.0 <= bound {
        "Enough to rank what matters.".to_owned()
    } else {
        // Intervals narrow as 1/sqrt(N).
        let needed = (n as f64 * (widest.0 / bound).powi(2)).max(2.0 * n as f64);
        let most = MOST_TIMES * n.max(OF_SAMPLES);
        let output = words(&data.found.columns[whole.1].name());
        if whole.0 < MOST_WHOLE {
            format!(
                "Only {} % of the rows are whole, because not all instances have a value of {output}. More \
                 samples leave that share as it is: ask for an output that all have.",
                significant(100.0 * whole.0, 2)
            )
        } else if needed > most as f64 {
            format!(
                "More samples help little: intervals narrow as 1/√N, and the widest would need more than {} \
                 to come to ±{bound}{of}. Take the ranking of the others as it is.",
                grouped(most)
            )
        } else {
            let needed = match data.asked.method {
                Screening::Sobol { .. } => (needed as u64).next_power_of_two(),
                Screening::Morris { .. } => (needed as u64).next_multiple_of(10),
            };
            format!(
                "More samples are advised: intervals narrow as 1/√N, and about {} would bring all to \
                 ±{bound}{of}.",
                grouped(needed)
            )
        }
    };
    format!(
        "From N/2 = {} to N = {} no {index} at the end changed by more than {}{of} ({}); the widest interval \
         is ±{}{of} ({}). {verdict}",
        grouped(n / 2),
        grouped(n),
        number(round3(change.0)),
        at(change),
        number(round3(widest.0)),
        at(widest),
    )
}

fn convergence(data: &SensitivityReport<'_>) -> Markup {
    let found = data.found;
    let index = match data.asked.method {
        Screening::Sobol { .. } => "Total index",
        Screening::Morris { .. } => "μ*",
    };
    html! {
        p { strong { (verdict_on_samples(data)) } }
        @for (column, about) in found.columns.iter().enumerate() {
            @let parts = parts_of(found, column);
            @if let Some(last) = parts.last().filter(|last| is_known(&last.answer)) {
                details {
                    summary { (index) " on " (words(&about.name())) " at the end, from the first rows" }
                    div.scroll tabindex="0" { table.wide {
                        thead { tr {
                            th { "input" }
                            @for part in &parts { th.number { (rows_of(&part.answer)) } th.number { "±" } }
                        } }
                        tbody { @for j in ranked(&last.answer) { tr {
                            th { (found.inputs[j]) }
                            @for part in &parts {
                                @let e = part.answer.measures[0].of[j];
                                td.number { (within(e.value, e)) }
                                td.number.unit { (number(rounded(e.half_width(), 2))) }
                            }
                        } } }
                    } }
                }
            }
        }
    }
}

/// Returns tables of the pairs that matter most, for every output at the end.
fn pairs_table(data: &SensitivityReport<'_>) -> Markup {
    const SHOWN: usize = 10;
    let found = data.found;
    let ends = found.outputs.iter().filter(|(output, answer)| output.when == When::End && is_known(answer));
    html! {
        p.lead { "The share of the variance that two inputs have together and neither alone. The strongest \
                  of each output; " (INDICES.file) " has all." }
        @for (output, answer) in ends {
            h3 { (words(&found.columns[output.column].name())) ", " (rows_of(answer)) }
            table {
                thead { tr { th { "inputs" } th.number { "second order" } th.number { "95 %" } } }
                tbody { @for ((j, l), e) in strongest(found, answer).into_iter().take(SHOWN) { tr {
                    th { (found.inputs[j]) ", " (found.inputs[l]) }
                    td.number { (within(e.value, e)) }
                    td.number.unit { (interval(e)) }
                } } }
            }
        }
    }
}

/// For the terminal: of every output at the end the inputs that matter most, and whether N was
/// enough.
pub(super) fn lines(data: &SensitivityReport<'_>, manifest: &Manifest) -> Vec<String> {
    const SHOWN: usize = 6;
    let found = data.found;
    let (asked, others) = data.asked_and_others();
    let at_end = |column: &usize| {
        let wanted = Output { column: *column, when: When::End };
        found.outputs.iter().find(|(output, _)| *output == wanted)
    };
    let ends: Vec<(String, Output, &Answer)> = asked
        .iter()
        .filter_map(at_end)
        .map(|(output, answer)| {
            let about = &found.columns[output.column];
            let unit = match data.asked.method {
                Screening::Sobol { .. } => "shares of the variance",
                Screening::Morris { .. } => &about.unit,
            };
            (format!("{} ({unit})", output.when.of(&about.name())), *output, answer)
        })
        .collect();
    let inputs = found.inputs.iter().map(|name| name.chars().count() + 2);
    let width = ends
        .iter()
        .map(|(quantity, ..)| quantity.chars().count())
        .chain(inputs)
        .max()
        .unwrap_or(0)
        .min(WIDEST);
    let cell = |e: Estimate| match data.asked.method {
        _ if !e.is_known() => String::new(),
        // A share is known to no more decimals than these: 0 here is nothing, of either sign.
        Screening::Sobol { .. } => {
            let [value, low, high] = [e.value, e.low, e.high].map(|share| (1e3 * share).round() / 1e3 + 0.0);
            format!("{value:.3} [{low:.3}, {high:.3}]")
        }
        Screening::Morris { .. } => {
            format!("{} [{}, {}]", significant(e.value, 4), significant(e.low, 4), significant(e.high, 4))
        }
    };
    // The width of the longest cells of either method, with signs.
    let wide = match data.asked.method {
        Screening::Sobol { .. } => 26,
        Screening::Morris { .. } => 37,
    };
    let row = |first: &str, cells: Vec<String>| {
        let cells: String = cells.iter().map(|cell| format!("{cell:<wide$}")).collect();
        format!("{first:<width$}  {cells}").trim_end().to_owned()
    };
    let mut lines = Vec::new();
    for (quantity, output, answer) in ends {
        let lacking = data.lacking(manifest, output, answer, grouped);
        lines.extend(lacking.map(|sentence| format!("{}: {sentence}", found.columns[output.column].name())));
        if !is_known(answer) {
            let why = if answer.rows == 0 { "no row has a value" } else { "does not vary" };
            lines.push(format!("{quantity}: {why}"));
            continue;
        }
        let names = answer.measures.iter().map(|measure| index_words(measure.name).to_owned());
        lines.push(row(&quantity, names.collect()));
        for j in ranked(answer).into_iter().take(SHOWN) {
            let cells = answer.measures.iter().map(|measure| cell(measure.of[j]));
            lines.push(row(&format!("  {}", found.inputs[j]), cells.collect()));
        }
        let more = found.inputs.len().saturating_sub(SHOWN);
        if more > 0 {
            lines.push(format!("  and {more} inputs that matter less"));
        }
    }
    if !others.is_empty() {
        let count = grouped(others.len() as u64);
        lines.push(format!(
            "{count} observed columns that no outcome is about are in the report and in {}",
            INDICES.file
        ));
    }
    lines.extend(left_out(data));
    lines.push(verdict_on_samples(data));
    lines
}
