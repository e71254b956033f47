//! The kernels, on any adapter: `./test.sh` installs a software one.

#[path = "../common/mod.rs"]
mod common;

mod accuracy;
mod backends;
mod beams;
mod compensated;
mod device_loss;
mod expressions;
mod flexible;
mod folding;
mod generated_kernels;
mod long_run;
mod mechanism_accuracy;
mod mechanism_parts;
mod mechanisms;
mod methods;
mod observing;
mod own;
mod own_steps;
mod parameters;
mod point_masses;
mod redundant_rows;
mod rigid_body;
mod segments;
mod tangents;
mod verdicts;
