//! Treatments of the reports that nobody would choose today, offered and verified as all others.

pub mod staggered_as_printed;
pub mod staggered_once_integrated;
