//! Forces, contacts, generators and locks in files: keys, readers and writers, made from the cards.

pub mod contact;
pub mod coupling;
pub mod force;
pub mod generator;
pub mod lock;
