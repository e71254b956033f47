//! Results of a run: a folder of Parquet tables, plots, a report and a manifest.

// Tests may: there a panic is the message.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]
// Its interface is shown by the crate `polhode`.
#![doc(hidden)]

mod accuracy;
mod answer;
mod associations;
mod axes;
pub mod bounds;
mod breaks;
mod cards;
mod chart;
pub mod curves;
mod damage;
mod dashes;
pub mod density;
mod drawing;
mod error;
mod exponents;
mod export;
mod fan_text;
pub mod figures;
pub mod flat;
mod folder;
mod instances;
pub mod listing;
pub mod live;
mod manifest;
pub mod modal_text;
mod motion;
mod new_file;
pub mod numbers;
mod ours;
pub mod page;
mod picture;
mod plots;
mod preview;
mod replot;
mod report;
mod report_data;
mod results;
mod samples;
mod samples_checksum;
pub mod saved;
mod saved_table;
pub mod sensitivity;
mod series;
mod space;
mod speed_report;
pub mod spread;
pub mod stability_map;
pub mod steady;
mod svg;
mod table;

pub use accuracy::{
    Accuracy, AccuracyRow, ChannelAccuracy, MeanBias, Word, Worst, read_accuracy, write_accuracy,
};
pub use answer::{FillTable, NEVER, REPORT, RunOutcome, STUDY, StudyAnswer, table_of};
pub use associations::Associations;
pub use cards::{
    ACCURACY, CONVERGENCE, EXPONENTS, INSTANCES, MODES, SHAPES, STEADY_INSTANCES, TABLES, THROUGHPUT,
    TRANSITION, TableCard, read_back,
};
pub use damage::FileEntry;
pub use drawing::{Film, Gltf, NoFilm, drawn_extent, gltf, player_of_poses, players_of_periods};
pub use error::{OutputError, is_refused};
pub use exponents::{ExponentMap, Exponents, Transition, table_of_instances, write_transition};
pub use export::{ExportError, export_csv};
pub use fan_text::fan_text;
pub use folder::{CHECKPOINT, OutputFolder, abandon, is_unfinished, left_beside, recover, unfinished};
pub use instances::{
    InstancesChunk, InstancesState, InstancesWriter, TableRows, UnknownColumn, append_tables, check_columns,
};
pub use listing::{Cells, Listed, Listing};
pub use manifest::{LargeDeflections, MANIFEST, Manifest, MeanInterval, Timings, now_utc};
pub use motion::{Pose, Track, write_motion};
pub use new_file::{FileWriter, NewFile};
pub use ours::{FIRST_LINE, is_running};
pub use picture::{Format, Picture, Pictures};
pub use plots::draw_shape;
pub use preview::preview;
pub use replot::{LONGEST_LABEL, Plotted, Replot, ReplotError, SelectionError, columns_of, replot};
pub use report_data::{FailedInstance, ReportData};
pub use samples::{copy_samples, write_samples};
pub use samples_checksum::samples_checksum;
pub use saved_table::SavedTable;
pub use series::{Trajectories, quantile_name, write_statistics, write_trajectories};
pub use space::free_space;
pub use speed_report::{convergence_report, throughput_report};
pub use spread::RELIABLE;
pub use table::{Column, ColumnLabel, ROWS_A_GROUP};
