pub mod channels;
pub mod verdict;

pub use verdict::Verdict;
