//! The files that a user writes, the command, what it leaves on the disk, and what a browser shows
//! of it.

#[path = "../../../../tests/common/mod.rs"]
mod common;

mod advice;
mod as_given;
mod at_end;
mod attitudes;
#[cfg(feature = "implicit")]
mod bdf;
mod card_pages;
mod checks;
mod cli;
#[cfg(unix)]
mod clusters;
mod command;
mod couplings;
#[cfg(feature = "gpu")]
mod cut;
mod damage;
mod describe;
mod documents;
mod embed;
mod endings;
mod export;
mod extend;
mod figures;
mod floors;
mod gallery;
mod imports;
mod inputs;
mod key_tables;
mod kinds;
mod live;
mod lyapunov;
mod method_pages;
mod mutations;
mod outputs;
mod packages;
mod pages;
mod pairs;
mod parameters;
mod plausible;
mod player;
mod report_coverage;
mod reports;
mod resume;
mod seams;
mod sensitivity;
mod sentences;
mod settings;
mod shards;
mod solids;
mod spreads;
mod stability_map;
mod start;
mod statistics;
mod steady;
mod tables;
mod verify;
mod wrong_files;
