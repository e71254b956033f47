//! polhode: ensembles of small mechanisms.

pub mod backend;
pub mod describe;
pub mod ensemble;
pub mod math;
pub mod methods;
pub mod model;
pub mod observe;
pub mod output;
pub mod real;
pub mod reference;
pub mod study;
