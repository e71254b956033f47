//! A part of an ensemble: neighbouring instances, as many as in any other part or one more.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Part `part` of `of`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// From 1.
    pub part: u64,
    /// Number of parts.
    pub of: u64,
}

impl Shard {
    /// Its instances, of an ensemble of `size`: from `size (part - 1) / of` to before
    /// `size part / of`.
    pub fn instances(self, size: u64) -> Range<u64> {
        let cut = |k: u64| (u128::from(size) * u128::from(k) / u128::from(self.of)) as u64;
        cut(self.part - 1)..cut(self.part)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

/// Why a text names no shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    #[error("give part and number of parts, e.g. 3/16")]
    NoSlash,
    #[error("{digits:?} is not a whole number; give part and number of parts, e.g. 3/16")]
    NoNumber { digits: String },
    #[error("an ensemble has at least one part: 1/1")]
    NoParts,
    #[error("parts are counted from 1: 1/{of} to {of}/{of}")]
    Zero { of: u64 },
    #[error("there is no part {part} of {of}: 1/{of} to {of}/{of}")]
    Beyond { part: u64, of: u64 },
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let (part, of) = text.split_once('/').ok_or(ShardError::NoSlash)?;
        let number = |digits: &str| {
            digits.parse::<u64>().map_err(|_| ShardError::NoNumber { digits: digits.to_string() })
        };
        let (part, of) = (number(part)?, number(of)?);
        match (part, of) {
            (_, 0) => Err(ShardError::NoParts),
            (0, of) => Err(ShardError::Zero { of }),
            (part, of) if part > of => Err(ShardError::Beyond { part, of }),
            _ => Ok(Shard { part, of }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_the_ensemble_once() {
        for (size, of) in [(1, 1), (300, 7), (16, 16), (1_000_000_000, 16), (17, 3)] {
            let mut next = 0;
            for part in 1..=of {
                let instances = Shard { part, of }.instances(size);
                assert_eq!(instances.start, next);
                assert!(instances.end - next == size / of || instances.end - next == size / of + 1);
                next = instances.end;
            }
            assert_eq!(next, size);
        }
    }

    #[test]
    fn what_is_no_part_is_refused() {
        assert_eq!("3/16".parse(), Ok(Shard { part: 3, of: 16 }));
        for wrong in ["0/0", "0/4", "5/4", "3", "", "/", "3/", "-1/4", "1/4/2", "a/b", "1.5/4"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
