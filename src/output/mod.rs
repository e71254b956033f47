//! What a run leaves: a folder of Parquet tables, plots, a report and a manifest.

mod drawing;
mod error;
mod folder;
mod instances;
mod manifest;
pub mod method_page;
mod motion;
pub(crate) mod plots;
pub(crate) mod report;
mod results;
mod series;
mod table;

pub use error::OutputError;
pub use folder::OutputFolder;
pub use instances::{InstancesChunk, InstancesWriter};
pub use manifest::{FileEntry, MANIFEST, Manifest, Timings, now_utc};
pub use motion::{Pose, Track, write_motion};
pub use plots::{Picture, Pictures};
pub use report::{Failure, ReportData};
pub use results::{INSTANCES, MOTION, REPORT, STATISTICS, STUDY, TRAJECTORIES, write_results};
pub use series::{Trajectories, quantile_name, write_statistics, write_trajectories};
pub use table::{ChannelColumn, Column};
