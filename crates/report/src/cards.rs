//! The tables of results: a card for each says what file it is, what a row is, what its columns
//! mean, and which commands read it back. Writers make their columns of it, readers ask it what to
//! check, and `docs/reference/files.md` is printed from it: a new table is its card here and the
//! file that fills it.

use arrow_schema::Field;

use super::error::OutputError;
use super::listing::{Cells, Listed, Listing};
use super::new_file::NewFile;
use super::table::{ColumnType, TableWriter, field};
use polhode_description::base::Precision;
use polhode_files::GIVEN_SAMPLES;

/// A table of a result.
pub struct TableCard {
    pub file: &'static str,
    /// The meaning of a row, as the file has it.
    pub row: &'static str,
    pub columns: &'static [ColumnCard],
    /// The columns behind them, which follow from the study, in a sentence; empty: none.
    pub further: &'static str,
    /// The commands that read it back.
    pub read_by: &'static [&'static str],
}

/// A column of a table.
pub struct ColumnCard {
    pub name: &'static str,
    pub(super) kind: ColumnType,
    /// `1` for a pure number, empty for text.
    pub unit: &'static str,
    pub meaning: &'static str,
}

/// The name, unit and meaning of a column, where unit and meaning follow from the study.
pub(super) type Resolved<'a> = (&'a str, &'a str, &'a str);

impl TableCard {
    /// Begins the table in a file: its columns, of which some have their units and meanings of the
    /// study, and `further` ones.
    pub(super) fn create(
        &self,
        file: &NewFile,
        resolved: &[Resolved<'_>],
        further: impl IntoIterator<Item = Field>,
    ) -> Result<TableWriter, OutputError> {
        let fields = self.fields(resolved).chain(further).collect();
        TableWriter::create(file, fields, self.row)
    }

    /// The fields of its columns.
    pub(super) fn fields(&self, resolved: &[Resolved<'_>]) -> impl Iterator<Item = Field> {
        self.columns.iter().map(|column| {
            let of_study = resolved.iter().find(|(name, ..)| *name == column.name);
            let (_, unit, meaning) = of_study.copied().unwrap_or((column.name, column.unit, column.meaning));
            field(column.name, unit, meaning, column.kind)
        })
    }

    /// The table as a listing, with these cells column by column.
    pub fn listing<const N: usize>(&self, cells: [Cells; N]) -> Listing {
        assert_eq!(N, self.columns.len(), "{} has other columns", self.file);
        let column = |(column, cells): (&'static ColumnCard, Cells)| {
            Listed::new(column.name, column.unit, column.meaning.into(), cells)
        };
        Listing { description: self.row, columns: self.columns.iter().zip(cells).map(column).collect() }
    }
}

/// These files, and those of all tables that a command reads back.
pub fn read_back<const N: usize>(command: &str, also: [&'static str; N]) -> Vec<&'static str> {
    let read = TABLES.iter().filter(|card| card.read_by.contains(&command));
    also.into_iter().chain(read.map(|card| card.file)).collect()
}

const COUNT: ColumnType = ColumnType::Integer;
const TEXT: ColumnType = ColumnType::Text;
const NUMBER: ColumnType = ColumnType::Float(Precision::F64);

/// Columns, one a line: name, kind of cells, unit, meaning.
macro_rules! columns {
    ($($name:literal $kind:ident $unit:literal $meaning:literal;)*) => {
        &[$(ColumnCard { name: $name, kind: $kind, unit: $unit, meaning: $meaning }),*]
    };
}

/// The cards by their names, and [`TABLES`], the list of all.
macro_rules! tables {
    ($($name:ident $card:expr;)*) => {
        $(pub static $name: TableCard = $card;)*

        /// The cards of all tables.
        pub static TABLES: &[&TableCard] = &[$(&$name),*];
    };
}

/// The columns with which every table of advanced instances begins.
const OF_INSTANCES: &[ColumnCard] = columns! {
    "instance" COUNT "1" "index of the instance";
    "verdict" TEXT "" "how the instance ended";
    "verdict_step" COUNT "1" "step at which the verdict was passed";
    "verdict_time" NUMBER "s" "time at which the verdict was passed";
};

tables! {
    INSTANCES TableCard {
        file: "instances.parquet",
        row: "one row an instance of the ensemble",
        columns: OF_INSTANCES,
        further: "`drawn.NAME`: the numbers that were drawn; `final.CHANNEL`: channels at the end, or in the \
                  last sound state. A stability map has `variant` before them, and `largest.energy_drift`, \
                  `largest.constraint_violation`, `energy_drift_rate`; a sensitivity study has \
                  `highest.CHANNEL` and `lowest.CHANNEL` behind them.",
        read_by: &["plot", "compare", "replay", "merge", "extend"],
    };
    SAMPLES TableCard {
        file: GIVEN_SAMPLES,
        row: "one row an instance: samples that were given in memory",
        columns: &[],
        further: "The columns that `ensemble.vary` of the study names, in SI. Only in a run whose samples \
                  came from a program.",
        read_by: &["replay"],
    };
    STATISTICS TableCard {
        file: "statistics.parquet",
        row: "one row per time and channel component, over all instances",
        columns: columns! {
            "time" NUMBER "s" "time since the start";
            "channel" TEXT "" "observed channel";
            "component" TEXT "" "component of the channel; empty for a scalar";
            "unit" TEXT "" "unit of mean, std, min, max and quantiles";
            "count" COUNT "1" "instances with a finite value, not stopped before";
            "excluded" COUNT "1" "instances without";
            "share" NUMBER "1" "share of the instances that are counted: mean, std and quantiles are theirs";
            "share_low" NUMBER "1" "lower end of its 95 % interval (Wilson)";
            "share_high" NUMBER "1" "upper end of its 95 % interval (Wilson)";
            "mean" NUMBER "see column unit" "mean over the counted instances";
            "std" NUMBER "see column unit" "standard deviation, with count - 1";
            "min" NUMBER "see column unit" "least value";
            "max" NUMBER "see column unit" "greatest value";
        },
        further: "`q05`, `q25` and so on: the quantiles of `observe.quantiles`, in percent.",
        read_by: &["plot", "compare"],
    };
    HISTOGRAMS TableCard {
        file: "histograms.parquet",
        row: "one row per bar of a channel component at the last time",
        columns: columns! {
            "channel" TEXT "" "observed channel";
            "component" TEXT "" "component of the channel; empty for a scalar";
            "unit" TEXT "" "unit of from and until";
            "from" NUMBER "see column unit" "where the bar begins; empty: all below the first bar";
            "until" NUMBER "see column unit" "where the bar ends; empty: all above the last bar";
            "count" COUNT "1" "instances with a value between";
            "least" NUMBER "see column unit" "least value in the bar, to a thousandth of the spread; empty: \
                                              none";
            "greatest" NUMBER "see column unit" "greatest value in the bar";
        },
        further: "",
        read_by: &["plot"],
    };
    TRAJECTORIES TableCard {
        file: "trajectories.parquet",
        row: "one row per kept instance and time",
        columns: columns! {
            "instance" COUNT "1" "index of the instance";
            "time" NUMBER "s" "time since the start";
        },
        further: "A column for each component of an observed channel, empty after an instance has stopped.",
        read_by: &["plot"],
    };
    MOTION TableCard {
        file: "motion.parquet",
        row: "one row per snapshot of one instance, until it stopped",
        columns: columns! {
            "instance" COUNT "1" "index of the instance";
            "time" NUMBER "s" "time since the start";
        },
        further: "`BODY.position.x` to `.z` (m): the body's origin, space axes; `BODY.attitude.q0` to `.q3`: \
                  its attitude, a unit quaternion body to space, scalar first and not negative; of a body \
                  that bends `BODY.amplitude_K`, its modal coordinates.",
        read_by: &["plot", "view"],
    };
    CORRELATIONS TableCard {
        file: "correlations.parquet",
        row: "one row an input and final value",
        columns: columns! {
            "input" TEXT "" "varied number";
            "channel" TEXT "" "observed channel, at the end";
            "component" TEXT "" "component of the channel; empty for a scalar";
            "count" COUNT "1" "instances that count";
            "pearson" NUMBER "1" "Pearson's correlation; empty: one of them does not vary";
            "pearson_low" NUMBER "1" "lower end of its 95 % interval";
            "pearson_high" NUMBER "1" "upper end of its 95 % interval";
            "spearman" NUMBER "1" "Spearman's correlation of ranks; empty: one of them does not vary";
            "spearman_low" NUMBER "1" "lower end of its 95 % interval";
            "spearman_high" NUMBER "1" "upper end of its 95 % interval";
            "partial" NUMBER "1" "partial correlation of ranks, the other inputs held; empty: one of them \
                                  does not vary, or the value follows from another input alone";
            "partial_low" NUMBER "1" "lower end of its 95 % interval";
            "partial_high" NUMBER "1" "upper end of its 95 % interval";
        },
        further: "",
        read_by: &[],
    };
    ACCURACY TableCard {
        file: "accuracy.parquet",
        row: "one row per snapshot and channel component, over the judged instances; outcomes at the last \
              time alone",
        columns: columns! {
            "time" NUMBER "s" "time since the start";
            "channel" TEXT "" "observed channel";
            "component" TEXT "" "component of the channel; empty for a scalar";
            "unit" TEXT "" "unit of all errors and of the scale";
            "count" COUNT "1" "instances of the sub-ensemble that are compared";
            "largest_error" NUMBER "see column unit" "largest error of an instance";
            "median_error" NUMBER "see column unit" "median error of the instances";
            "mean_error" NUMBER "see column unit" "error of the mean over the sub-ensemble: run less \
                                                   accurate";
            "mean_error_interval" NUMBER "see column unit" "twice the standard error of mean_error";
            "mean_statistical_error" NUMBER "see column unit"
                "standard error of the mean over the whole ensemble; in studies of kinds lyapunov and \
                 sensitivity, and in a shard: estimated from instances spread over the ensemble";
            "own_error" NUMBER "see column unit" "largest estimated error of the accurate values themselves";
            "scale" NUMBER "see column unit" "what errors are compared with to be called resolved";
        },
        further: "`q05_error` and so on: errors of the quantiles of `observe.quantiles` over the \
                  sub-ensemble.",
        read_by: &["merge"],
    };
    EXPONENTS TableCard {
        file: "exponents.parquet",
        row: INSTANCES.row,
        columns: OF_INSTANCES,
        further: "`drawn.NAME`: the numbers that were drawn; `final.exponent.1` and so on, and \
            `final.exponent_of_pairs`: the exponents at the end (1/s).",
        read_by: &["plot", "compare", "merge", "extend"],
    };
    TRANSITION TableCard {
        file: "transition.parquet",
        row: "one row an instance, initial and final coordinate: rotations and angular velocities in body \
              axes, mass centres in space axes",
        columns: columns! {
            "instance" COUNT "1" "index of the instance";
            "initial" TEXT "" "coordinate pushed at the start, as far as joints allow";
            "initial_unit" TEXT "" "unit of the initial coordinate";
            "final" TEXT "" "coordinate seen at the end";
            "final_unit" TEXT "" "unit of the final coordinate";
            "derivative" NUMBER "final_unit / initial_unit"
                "of the final coordinate by the initial one; empty for an instance that did not finish";
        },
        further: "",
        read_by: &[],
    };
    INDICES TableCard {
        file: "indices.parquet",
        row: "one row per output, index and input",
        columns: columns! {
            "channel" TEXT "" "observed channel";
            "component" TEXT "" "component of the channel; empty for a scalar";
            "of" TEXT "" "which value: end, highest or lowest of all snapshots, time (see there)";
            "time" NUMBER "s" "time of the snapshot; empty: not of one";
            "input" TEXT "" "varied number, or group of numbers that are drawn together";
            "with" TEXT "" "the other input of a pair; else empty";
            "index" TEXT "" "total, first, second: shares of the variance; mu_star, mu, sigma: elementary \
                             effects";
            "unit" TEXT "" "unit of the index";
            "rows" COUNT "1" "rows of the design it is from; fewer than all: the first, to show convergence";
            "left_out" COUNT "1" "rows left out because an instance has no such value";
            "estimate" NUMBER "see column unit" "the index; empty: the output does not vary";
            "low" NUMBER "see column unit" "lower end of the 95 % interval";
            "high" NUMBER "see column unit" "upper end of the 95 % interval";
        },
        further: "",
        read_by: &[],
    };
    CELLS TableCard {
        file: "cells.parquet",
        row: "one row a cell of the map",
        columns: columns! {
            "variant" TEXT "" "what is compared";
            "x" NUMBER "of x" "the number that varies across";
            "y" NUMBER "of y" "the number that varies upwards";
            "x_shown" NUMBER "see the report" "x as the report shows it";
            "y_shown" NUMBER "see the report" "y as the report shows it";
            "samples" NUMBER "1" "steps a period; empty without a period";
            "verdict" TEXT "" "of the worst instance; not_run: the end of none is known";
            "instances" COUNT "1" "instances whose end is known";
            "share_stable" NUMBER "1" "share of them that came to their end within all bounds";
            "failed_step" NUMBER "1" "earliest step at which one failed; empty: none did";
            "energy_drift" NUMBER "1" "largest |E - E0| / (T0 + |V0|) seen";
            "constraint_violation" NUMBER "m or 1" "largest |Phi| seen";
            "energy_drift_rate" NUMBER "1/s" "slope of the energy drift of largest magnitude";
        },
        further: "`outcome`: the first outcome, the largest of the cell's instances, where there is one; \
                  `share.VERDICT`: the share that ended so.",
        read_by: &[],
    };
    BOUNDARY TableCard {
        file: "boundary.parquet",
        row: "one row for each y: how far along x all is stable",
        columns: columns! {
            "variant" TEXT "" "what is compared";
            "y" NUMBER "of y" "the number that varies upwards";
            "y_shown" NUMBER "see the report" "y as the report shows it";
            "stable_from" NUMBER "of x" "the least stable x; empty: none is";
            "last_unstable_before" NUMBER "of x" "the largest x below it that is not stable; empty: none is \
                                                  known";
            "largest_stable" NUMBER "of x" "largest x up to which all from the least stable one on is; \
                                            empty: none is";
            "first_unstable" NUMBER "of x" "the least x above it that is not; empty: none is known";
            "last_stable" NUMBER "of x" "the largest stable x of all";
            "largest_stable_shown" NUMBER "see the report" "the largest stable x as the report shows it";
            "samples" NUMBER "1" "steps a period at the largest stable x; empty without a period";
            "failure" TEXT "" "how the first unstable one ended";
            "theory" NUMBER "of x" "largest stable x of theory, of an undamped vibration; empty: it is not \
                                    known";
        },
        further: "",
        read_by: &[],
    };
    STEADY_INSTANCES TableCard {
        file: "instances.parquet",
        row: "one row an instance of the ensemble",
        columns: columns! {
            "instance" COUNT "1" "index of the instance";
            "outcome" TEXT "" "found, no_equilibrium or invalid_sample";
            "why" TEXT "" "why there is no equilibrium; where there is one, what is to be known of it";
            "steps" COUNT "1" "steps of the search";
            "residual" NUMBER "m/s²" "root mean square of the accelerations that are left, weighed by masses";
            "moved" NUMBER "1" "root mean square displacement from the start, as a share of the extent";
            "rotation" NUMBER "rad/s" "steady rotation of the whole mechanism";
            "rigid" COUNT "1" "motions that nothing resists";
            "stability" TEXT "" "damped, stable, neutral or unstable";
            "growth" NUMBER "1/s" "largest real part of an eigenvalue; above zero: unstable";
            "slowest" NUMBER "Hz" "lowest frequency of a mode that vibrates";
        },
        further: "Of studies of kind `static`: `group`, the number of the group of equal equilibria, from 1, \
                  and `equilibrium.CHANNEL`; of all: `drawn.NAME`.",
        read_by: &[],
    };
    MODES TableCard {
        file: "modes.parquet",
        row: "one row an instance and mode",
        columns: columns! {
            "instance" COUNT "1" "index of the instance";
            "mode" COUNT "1" "number of the mode, from the slowest on";
            "curve" COUNT "1" "number of the curve: modes of like shape in all instances";
            "frequency" NUMBER "Hz" "imaginary part of the eigenvalue over 2 pi; 0 of a motion that does not \
                                     vibrate";
            "natural_frequency" NUMBER "rad/s" "size of the eigenvalue";
            "damping_ratio" NUMBER "1" "-Re/|eigenvalue|; below zero the mode grows";
            "growth" NUMBER "1/s" "real part of the eigenvalue";
            "body" TEXT "" "body with the largest share of the kinetic energy";
            "share" NUMBER "1" "its share";
        },
        further: "`rotation` (rad/s): the steady rotation of the whole mechanism; `drawn.NAME`.",
        read_by: &[],
    };
    SHAPES TableCard {
        file: "mode_shapes.parquet",
        row: "one row an instance, mode and quantity",
        columns: columns! {
            "instance" COUNT "1" "index of the instance";
            "mode" COUNT "1" "number of the mode, from the slowest on";
            "owner" TEXT "" "body or joint";
            "quantity" TEXT "" "energy: share of the kinetic energy; displacement of the mass centre and \
                                rotation, space axes; amplitude of a body's mode; angle or displacement of a \
                                joint";
            "unit" TEXT "" "unit of both parts";
            "real" NUMBER "unit" "real part; the largest entry of a shape is 1";
            "imaginary" NUMBER "unit" "imaginary part: a quarter of a period apart";
        },
        further: "",
        read_by: &[],
    };
    CONVERGENCE TableCard {
        file: "convergence.parquet",
        row: "One row a step of a method.",
        columns: columns! {
            "method" TEXT "" "Method with its settings.";
            "treatment" TEXT "" "How joints are held.";
            "precision" TEXT "" "Of the computation.";
            "step" NUMBER "s" "Full step h.";
            "steps" COUNT "1" "Steps from start to end.";
            "attitude_error" NUMBER "rad" "Error of attitude, or of deformation, at the end, of all bodies \
                                           the largest; median of the instances.";
            "largest_attitude_error" NUMBER "rad" "The same, largest of the instances.";
            "angular_velocity_error" NUMBER "rad/s" "Distance from the accurate angular velocity at the end; \
                                                     median of the instances.";
            "largest_angular_velocity_error" NUMBER "rad/s" "The same, largest of the instances.";
            "position_error" NUMBER "m" "Distance from the accurate position of the bodies' origins at the \
                                         end; median of the instances.";
            "largest_position_error" NUMBER "m" "The same, largest of the instances.";
            "violation" NUMBER "m or rad" "Largest |Phi| of what holds the bodies at the end; median of the \
                                           instances.";
            "largest_violation" NUMBER "m or rad" "The same, largest of the instances.";
            "largest_energy_drift" NUMBER "1" "|E - E0| / (T0 + |V0|) at the end, largest of the instances.";
            "failed" COUNT "1" "Instances that did not reach the end.";
            "operations" NUMBER "1/s" "Operations of an instance a second of motion, a fused multiply-add \
                                       counted as two.";
            "cpu_time" NUMBER "us" "Time of one thread for an instance from start to end, median of the \
                                    turns.";
            "spread" NUMBER "1" "Half the distance of the quartiles of that time, as a share of it.";
        },
        further: "",
        read_by: &[],
    };
    THROUGHPUT TableCard {
        file: "throughput.parquet",
        row: "One row a backend, size and number of steps.",
        columns: columns! {
            "backend" TEXT "" "What computes, and in which precision.";
            "precision" TEXT "" "Of the computation.";
            "size" COUNT "1" "Instances.";
            "steps" COUNT "1" "Steps that are taken before the host looks on.";
            "rate" NUMBER "1/s" "Instance-steps a second of the kernel.";
            "cost" NUMBER "ns" "Time of the kernel an instance-step.";
            "spread" NUMBER "1" "Half the distance of the quartiles of that time, as a share of it.";
            "operations" NUMBER "1" "Of an instance-step, a fused multiply-add counted as two.";
            "peak" NUMBER "1/s" "Operations a second of a loop of fused multiply-adds on the same device and \
                                 threads, in the same turns.";
            "peak_spread" NUMBER "1" "Half the distance of the quartiles of that peak, as a share of it.";
            "share_of_peak" NUMBER "1" "Operations a second of the kernel, as a share of that; above 1 is \
                                        impossible, one of both measurements is wrong.";
            "end_to_end_rate" NUMBER "1/s" "Instance-steps a second with drawing, transfer, observing and \
                                            the table of instances; for the most steps of a size.";
            "end_to_end_spread" NUMBER "1" "Half the distance of the quartiles of the time from end to end, \
                                            as a share of it.";
            "failed" COUNT "1" "Instances that did not reach the end.";
            "attitude_error" NUMBER "rad" "Largest error of attitude, or of deformation, of the judged \
                                           instances after the study's duration.";
            "position_error" NUMBER "m" "Largest distance of a body from its accurate place, likewise.";
        },
        further: "",
        read_by: &[],
    };
}
