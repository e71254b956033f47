//! polhode: ensembles of small mechanisms.

pub mod describe;
pub mod ensemble;
pub mod observe;
pub mod output;
pub mod reference;
