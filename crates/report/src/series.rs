//! `statistics.parquet`, one row per time and channel component, `histograms.parquet`, one row per
//! bar of a component at the last time, and `trajectories.parquet`, one row per kept instance and
//! time.

use super::cards::{HISTOGRAMS, STATISTICS, TRAJECTORIES};
use super::error::OutputError;
use super::new_file::NewFile;
use super::table::{ColumnLabel, ColumnType, field, float_array, integer_array, text_array};
use polhode_description::base::Precision;
use polhode_engine::observe::{Histogram, Share, Summary};

/// Rows made into arrays at once.
const ROWS: usize = 1 << 16;

/// Trajectories of the kept instances.
#[derive(Clone, Debug, Default)]
pub struct Trajectories {
    pub instances: Vec<u64>,
    /// For each channel column the values of all times, the instances of a time adjacent:
    /// `values[column][time * instances + k]`; NaN after an instance has stopped.
    pub values: Vec<Vec<f64>>,
    /// Precision in which the values are stored.
    pub precision: Option<Precision>,
}

impl Trajectories {
    /// Values of the k-th kept instance in a column, time after time.
    pub fn series(&self, column: usize, k: usize) -> impl Iterator<Item = f64> + '_ {
        self.values[column].iter().copied().skip(k).step_by(self.instances.len())
    }
}

/// The name of a quantile's column: `q05`, `q50`, `q97_5`.
pub fn quantile_name(probability: f64) -> String {
    // Percent with at most 6 decimals: 0.55 * 100 is not 55.
    let percent = format!("{:09.6}", probability * 100.0);
    let percent = percent.trim_end_matches('0').trim_end_matches('.');
    format!("q{}", percent.replace('.', "_"))
}

/// Writes `summaries[time][column]`.
pub fn write_statistics(
    file: &NewFile,
    columns: &[ColumnLabel],
    times: &[f64],
    probabilities: &[f64],
    summaries: &[Vec<Summary>],
) -> Result<(), OutputError> {
    let share = |summary: &Summary, end: fn(Share) -> f64| {
        Share::new(summary.count, summary.count + summary.excluded).map_or(f64::NAN, end)
    };
    let quantile = |&p: &f64| {
        let about = format!("quantile of probability {p}");
        field(&quantile_name(p), "see column unit", &about, ColumnType::Float(Precision::F64))
    };
    let mut table = STATISTICS.create(file, &[], probabilities.iter().map(quantile))?;

    let rows: Vec<(f64, &ColumnLabel, &Summary)> = times
        .iter()
        .zip(summaries)
        .flat_map(|(&time, row)| {
            columns.iter().zip(row).map(move |(column, summary)| (time, column, summary))
        })
        .collect();
    for rows in rows.chunks(ROWS) {
        let number = |value: &dyn Fn(&Summary) -> f64| {
            float_array(rows.iter().map(|(_, _, summary)| value(summary)), Precision::F64)
        };
        let mut arrays = vec![
            float_array(rows.iter().map(|row| row.0), Precision::F64),
            text_array(rows.iter().map(|row| row.1.channel.as_str())),
            text_array(rows.iter().map(|row| row.1.component.as_str())),
            text_array(rows.iter().map(|row| row.1.unit.as_str())),
            integer_array(rows.iter().map(|row| row.2.count)),
            integer_array(rows.iter().map(|row| row.2.excluded)),
            number(&|summary| share(summary, Share::value)),
            number(&|summary| share(summary, |share| share.interval()[0])),
            number(&|summary| share(summary, |share| share.interval()[1])),
            number(&|summary| summary.mean),
            number(&|summary| summary.std),
            number(&|summary| summary.min),
            number(&|summary| summary.max),
        ];
        arrays.extend((0..probabilities.len()).map(|q| number(&|summary| summary.quantiles[q])));
        table.write(arrays)?;
    }
    table.finish()
}

/// Writes the histograms of the values at the last time, as they are drawn.
pub fn write_histograms(
    file: &NewFile,
    columns: &[ColumnLabel],
    histograms: &[Histogram],
) -> Result<(), OutputError> {
    let mut table = HISTOGRAMS.create(file, &[], [])?;
    /// Column, edges, count, and the least and the greatest value between them.
    type Row<'a> = (&'a ColumnLabel, [f64; 2], u64, [f64; 2]);
    const NONE: [f64; 2] = [f64::NAN; 2];
    let mut rows: Vec<Row<'_>> = Vec::new();
    for (column, Histogram { edges, counts, ends, below, above }) in columns.iter().zip(histograms) {
        let end = |edge: Option<&f64>| edge.copied().unwrap_or(f64::NAN);
        rows.push((column, [f64::NAN, end(edges.first())], *below, NONE));
        let bars = edges.windows(2).zip(counts).zip(ends);
        rows.extend(bars.map(|((edge, count), ends)| (column, [edge[0], edge[1]], *count, *ends)));
        rows.push((column, [end(edges.last()), f64::NAN], *above, NONE));
    }
    let numbers = |value: fn(&Row<'_>) -> f64| float_array(rows.iter().map(value), Precision::F64);
    table.write(vec![
        text_array(rows.iter().map(|row| row.0.channel.as_str())),
        text_array(rows.iter().map(|row| row.0.component.as_str())),
        text_array(rows.iter().map(|row| row.0.unit.as_str())),
        numbers(|row| row.1[0]),
        numbers(|row| row.1[1]),
        integer_array(rows.iter().map(|row| row.2)),
        numbers(|row| row.3[0]),
        numbers(|row| row.3[1]),
    ])?;
    table.finish()
}

/// Writes the kept trajectories, one instance after the other; null after an instance has stopped.
pub fn write_trajectories(
    file: &NewFile,
    columns: &[ColumnLabel],
    times: &[f64],
    trajectories: &Trajectories,
) -> Result<(), OutputError> {
    let precision = trajectories.precision.unwrap_or(Precision::F64);
    let number = |column: &ColumnLabel| {
        field(&column.name(), &column.unit, &column.description, ColumnType::Float(precision))
    };
    let mut table = TRAJECTORIES.create(file, &[], columns.iter().map(number))?;

    let together = (ROWS / times.len().max(1)).max(1);
    let kept: Vec<usize> = (0..trajectories.instances.len()).collect();
    for kept in kept.chunks(together) {
        let mut arrays = vec![
            integer_array(kept.iter().flat_map(|&k| times.iter().map(move |_| trajectories.instances[k]))),
            float_array(kept.iter().flat_map(|_| times.iter().copied()), Precision::F64),
        ];
        arrays.extend((0..columns.len()).map(|column| {
            float_array(
                kept.iter().flat_map(|&k| trajectories.series(column, k).take(times.len())),
                precision,
            )
        }));
        table.write(arrays)?;
    }
    table.finish()
}
