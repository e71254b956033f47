//! The page of a table of figures: one section a part, one row a case, one column a figure.

use std::path::Path;

use polhode::output::spread::measured;

use crate::rows::{LEFT_OUT, Row};

/// A part, the title of its section, and what its figures are.
const SECTIONS: [(&str, &str, &str); 11] = [
    ("devices", "Devices and limits", ""),
    (
        "bits",
        "Bits: the kernel against the CPU's arithmetic, unfused and fused",
        "Shipped studies, all numbers of the state of 256 instances. The generated kernel and the CPU do the \
         same operations in the same order: what differs, the driver fuses, flushes or approximates. \
         Differences after more steps than one are those of the first, as the motion carries them on. The \
         scale of a number is the largest of its kind in the mechanism: of all attitudes, rates, positions \
         or velocities.",
    ),
    (
        "kernels",
        "The free body: generated kernel against crates/engine/shaders/rigid_body.wgsl",
        "Medians of turns in which both kernels and the peak of fused multiply-adds \
         (crates/engine/shaders/peak.wgsl) took part one after another. An operation is an addition or a \
         multiplication; a fused multiply-add counts as two.",
    ),
    (
        "cuda",
        "By hand in CUDA",
        "gpu_ceiling.cu: one thread an instance, the state in registers, one launch.",
    ),
    (
        "mechanisms",
        "Mechanisms",
        "Shipped studies by their own methods, each turn from the start. Bobs on springs choose their own \
         steps inside steps of the study of .1 s, or take 1.25 ms, \
         which in f64 leaves the same error. \"motion\": seconds of motion of all instances together, \
         a second. \"failed\" are instances that did not reach the end.",
    ),
    (
        "chains",
        "Chains of rods in ball joints",
        "staggered, h = 0.1 ms. \"kernel ready\" is the time to compile it, \
         and to take the first hundred steps.",
    ),
    (
        "flow",
        "There and back",
        "Free bodies, loaded and fetched whole; and tumbling bodies whose snapshots, ten steps apart, the \
         device adds up. A snapshot's time has its steps in it. The host waits, and submits work, less than \
         once a snapshot where several are under way.",
    ),
    (
        "end_to_end",
        "From study to folder",
        "polhode run of shipped studies: drawing, steps, statistics, tables, plots and report, \
         the start of the process included, once each. Stages overlap, \
         and the time of a run is less than their sum. \"auto\" is what the program takes by itself.",
    ),
    (
        "peers",
        "Other programs on the same card",
        "gpu_peers.py, where Python with JAX is there: one row a program.",
    ),
    (
        "largest",
        "The largest ensemble",
        "Free bodies, doubled until something ended it; each size was tried once.",
    ),
    (
        "loss",
        "A device lost on purpose",
        "A run whose device is destroyed at its third snapshot, beside one that is left alone.",
    ),
];

fn cell(row: &Row) -> String {
    let Ok(value) = row.value.parse::<f64>() else { return row.value.clone() };
    if row.figure.contains("share of the peak") && value > 1.0 {
        return format!("impossible ({value:.1})");
    }
    match row.spread.as_str() {
        "" if row.value.contains('e') => measured(value, 0.0),
        "" => row.value.clone(),
        "unknown" => measured(value, f64::NAN),
        spread => match spread.parse::<f64>() {
            Ok(spread) => format!("{} ± {:.0} %", measured(value, spread), 100.0 * spread),
            Err(_) => row.value.clone(),
        },
    }
}

fn grouped(digits: &str) -> String {
    digits.parse().map_or_else(|_| digits.to_string(), polhode::base::grouped)
}

/// A table of these rows, one line for each device, case, precision, number of instances and steps.
fn table(rows: &[&Row]) -> String {
    let mut keys: Vec<[&str; 5]> = Vec::new();
    let mut figures: Vec<(&str, &str)> = Vec::new();
    for row in rows {
        let key = key(row);
        if !keys.contains(&key) {
            keys.push(key);
        }
        if !figures.contains(&(&row.figure, &row.unit)) {
            figures.push((&row.figure, &row.unit));
        }
    }
    // A column that all rows leave empty is not shown.
    let heads = ["device", "case", "precision", "instances", "steps"];
    let columns: Vec<usize> =
        (0..heads.len()).filter(|k| keys.iter().any(|key| !key[*k].is_empty())).collect();
    let mut names: Vec<String> = columns.iter().map(|k| heads[*k].to_string()).collect();
    names.extend(figures.iter().map(|(figure, unit)| match *unit {
        "" | "1" => (*figure).to_string(),
        unit => format!("{figure} ({unit})"),
    }));
    let mut text = format!("| {} |\n|{}\n", names.join(" | "), "---|".repeat(names.len()));
    for wanted in &keys {
        let mut cells: Vec<String> = columns.iter().map(|k| grouped(wanted[*k])).collect();
        cells.extend(figures.iter().map(|figure| {
            let found = rows
                .iter()
                .find(|row| key(row) == *wanted && (row.figure.as_str(), row.unit.as_str()) == *figure);
            found.map_or("–".to_string(), |row| cell(row))
        }));
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    text
}

fn key(row: &Row) -> [&str; 5] {
    [&row.device, &row.case, &row.precision, &row.instances, &row.steps]
}

fn of(rows: &[Row]) -> String {
    let kinds: Vec<&Row> = rows.iter().filter(|row| row.part == "devices" && row.figure == "kind").collect();
    let names: Vec<&str> = kinds.iter().map(|row| row.device.as_str()).collect();
    let mut text =
        format!("# {}\n\n", if names.is_empty() { "no GPU".to_string() } else { names.join(", ") });
    if kinds.iter().all(|row| row.value == "software") {
        text.push_str(
            "**Dry run on a software GPU: it computes on the processor, \
             and says nothing of the speed of any GPU.** It shows that all parts run, and compares bits.\n\n",
        );
    }
    text.push_str(
        "± is half the distance of the quartiles of the repeats over their median. \"about\" stands before \
         what spreads by more than 10 %, or was measured once: it is not to be relied on. A share of the \
         peak above 1 is impossible: of the kernel and the peak, what spreads more is in doubt.\n",
    );
    for (part, title, meaning) in SECTIONS {
        let own: Vec<&Row> = rows.iter().filter(|row| row.part == part).collect();
        let (left_out, measured): (Vec<&Row>, Vec<&Row>) =
            own.into_iter().partition(|row| row.figure == LEFT_OUT);
        text.push_str(&format!("\n## {title}\n\n"));
        if !meaning.is_empty() {
            text.push_str(&format!("{meaning}\n\n"));
        }
        if part == "bits" {
            let differ: Vec<&Row> = measured.iter().copied().filter(|row| row.figure == "differ").collect();
            let equal = differ.iter().filter(|row| row.value == "0").count();
            text.push_str(&format!("{equal} of {} comparisons are equal bit for bit.\n\n", differ.len()));
        }
        match (measured.is_empty(), left_out.is_empty()) {
            (false, _) => text.push_str(&table(&measured)),
            (true, true) => text.push_str("Nothing came of this part: it was ended, or never began.\n"),
            (true, false) => {}
        }
        if !left_out.is_empty() {
            text.push_str("\nLeft out:\n\n");
        }
        for row in left_out {
            let words = key(row).map(grouped);
            let named: Vec<&str> =
                words.iter().map(String::as_str).filter(|word| !word.is_empty() && *word != "0").collect();
            let named = if named.is_empty() { "all of it".to_string() } else { named.join(", ") };
            text.push_str(&format!("- {named}: {}\n", row.value));
        }
    }
    text
}

/// Writes the page of a CSV file beside it.
pub fn write(file: &str) -> Result<(), String> {
    let path = Path::new(file);
    let mut reader = csv::Reader::from_path(path).map_err(|error| format!("{file}: {error}"))?;
    let rows: Result<Vec<Row>, _> =
        reader.records().map(|record| record.map(|cells| Row::read(&cells))).collect();
    let rows = rows.map_err(|error| format!("{file}: {error}"))?;
    let page = path.with_extension("md");
    std::fs::write(&page, of(&rows)).map_err(|error| format!("{}: {error}", page.display()))
}
