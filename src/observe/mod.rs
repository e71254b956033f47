pub mod verdict;

pub use verdict::Verdict;
