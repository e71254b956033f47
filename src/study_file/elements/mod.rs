//! What joins, drives and touches bodies, in files: one file each with its keys, its reader and its writer.

pub mod contact;
pub mod force;
pub mod generator;
pub mod lock;
