//! The uniform (Haar) distribution of attitudes.

use std::sync::Arc;

use super::{DistributionCard, DistributionError, Fits, MOST_DIMENSIONS, Map, require};
use crate::describe::{Target, Values};
use crate::ensemble::sampling::directions;

pub const CARD: DistributionCard = DistributionCard {
    name: "uniform_attitude",
    word: Some("uniform"),
    title: "Attitude: every one is equally likely.",
    heading: "A uniform attitude.",
    law: "Haar measure on SO(3)",
    map_in_words: "Shoemake's, of 3 unit numbers",
    fits: Fits::Attitude,
    parameters: &[],
    rules: &[],
    ends: None,
    takes_share: false,
    spread: None,
    inputs: |_, _| vec![3],
    map,
};

fn map(_: &Values, target: &Target) -> Result<Arc<dyn Map>, DistributionError> {
    require(Fits::Attitude.target(target), DistributionError::NoAttitude)?;
    Ok(Arc::new(UniformAttitude))
}

#[derive(Debug)]
struct UniformAttitude;

impl Map for UniformAttitude {
    fn dimension(&self) -> usize {
        3
    }

    fn values(&self, u: [f64; MOST_DIMENSIONS], out: &mut [f64]) {
        out.copy_from_slice(&directions::uniform_attitude(u));
    }
}
