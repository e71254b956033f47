//! The judge, the methods and the engine on the CPU, by machine code and interpreted, against each
//! other.

#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "implicit")]
mod bdf;
mod bushings;
mod channels;
mod choose_method;
mod closed_loops;
mod compensated;
mod converged;
mod crane;
mod damping;
mod eps_rule;
mod flexible_attached;
mod flexible_forces;
mod flexible_modal;
mod flexible_reference;
#[cfg(feature = "implicit")]
mod gear_nordsieck;
mod groups;
mod impulse;
mod iterations;
mod joined_methods;
mod jumps;
mod laws;
mod light_links;
mod locks;
mod march;
mod mechanism_parts_reference;
mod mechanism_reference;
mod modes;
mod modes_and_rounding;
mod point_masses;
mod reference_methods;
mod reference_solutions;
mod small_vibrations;
mod speed;
mod starts;
mod stops;
mod treatments;
mod wheels;
