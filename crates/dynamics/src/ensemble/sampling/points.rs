//! Points of the unit cube, one an instance, by any design: a function of (seed, instance) and
//! nothing else.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::SamplingError;
use super::latin_hypercube::LatinHypercube;
use super::screening::{MorrisTrajectories, Saltelli};
use super::sobol::Sobol;
use super::streams::{Purpose, open_unit, stream};
use crate::describe::Design;

/// A design, ready to give its points.
#[derive(Clone, Debug)]
pub enum Points {
    Plain(Cube),
    /// Two points of a cube a row, mixed; `cube` has twice the dimensions.
    Saltelli {
        design: Saltelli,
        cube: Cube,
    },
    Trajectories(MorrisTrajectories),
}

/// Points that sample the unit cube.
#[derive(Clone, Debug)]
pub enum Cube {
    /// The stream of instance 0; that of another is one `set_stream` away.
    Random(Box<ChaCha8Rng>),
    Sobol(Sobol),
    LatinHypercube(LatinHypercube),
}

impl Cube {
    /// `size` points of `dimensions` numbers. `cells` divides `size`: instances i with equal i mod
    /// `cells` share a cell of the grid.
    pub fn new(
        design: Design,
        seed: u64,
        dimensions: usize,
        size: u64,
        cells: u64,
    ) -> Result<Self, SamplingError> {
        Ok(match design {
            Design::Random => Cube::Random(Box::new(stream(seed, Purpose::Random, 0))),
            Design::Sobol => Cube::Sobol(Sobol::new(seed, dimensions, size, cells)?),
            Design::LatinHypercube => Cube::LatinHypercube(LatinHypercube::new(seed, dimensions, size)),
        })
    }

    /// The point of this number. Inlined, as [`Points::at`] is: a point is some hundred bytes,
    /// which need not be moved about.
    #[inline(always)]
    fn at(&self, index: u64) -> CubeCoordinates<'_> {
        match self {
            Cube::Random(first) => {
                let mut rng = (**first).clone();
                rng.set_stream(index);
                CubeCoordinates::Random(rng)
            }
            Cube::Sobol(sobol) => {
                CubeCoordinates::Sobol { sobol, gray_code: sobol.gray_code(index), dimension: 0 }
            }
            Cube::LatinHypercube(hypercube) => CubeCoordinates::LatinHypercube {
                hypercube,
                index,
                jitter: hypercube.jitter(index),
                dimension: 0,
            },
        }
    }
}

impl Points {
    /// The point of one instance.
    #[inline(always)]
    pub fn at(&self, instance: u64) -> CubePoint<'_> {
        match self {
            Points::Plain(cube) => CubePoint::Plain(cube.at(instance)),
            Points::Saltelli { design, cube } => {
                let row = design.row(instance);
                let (a, mut b) = (cube.at(row), cube.at(row));
                (0..design.dimensions()).for_each(|_| _ = b.next());
                CubePoint::Mixed { design, instance, number: 0, a, b }
            }
            Points::Trajectories(trajectories) => CubePoint::Listed(trajectories.point(instance).into_iter()),
        }
    }
}

/// A point, read coordinate by coordinate. It lives on the stack, but for those of trajectories:
/// drawing allocates nothing.
#[expect(clippy::large_enum_variant, reason = "a point stands on the stack, once a draw")]
pub enum CubePoint<'a> {
    Plain(CubeCoordinates<'a>),
    Mixed {
        design: &'a Saltelli,
        instance: u64,
        number: usize,
        a: CubeCoordinates<'a>,
        b: CubeCoordinates<'a>,
    },
    Listed(std::vec::IntoIter<f64>),
}

impl CubePoint<'_> {
    /// The next coordinate, in the open interval (0, 1).
    #[inline]
    pub fn next(&mut self) -> f64 {
        match self {
            CubePoint::Plain(coordinates) => coordinates.next(),
            CubePoint::Mixed { design, instance, number, a, b } => {
                *number += 1;
                let (of_a, of_b) = (a.next(), b.next());
                if design.takes_b(*instance, *number - 1) { of_b } else { of_a }
            }
            CubePoint::Listed(numbers) => numbers.next().expect("as many as the maps take"),
        }
    }
}

/// Coordinates of a point of the cube, one after the other.
pub enum CubeCoordinates<'a> {
    Random(ChaCha8Rng),
    Sobol { sobol: &'a Sobol, gray_code: u64, dimension: usize },
    LatinHypercube { hypercube: &'a LatinHypercube, index: u64, jitter: ChaCha8Rng, dimension: usize },
}

impl CubeCoordinates<'_> {
    #[inline]
    fn next(&mut self) -> f64 {
        match self {
            CubeCoordinates::Random(rng) => open_unit(rng.next_u64()),
            CubeCoordinates::Sobol { sobol, gray_code, dimension } => {
                *dimension += 1;
                open_unit(sobol.shifted(*gray_code, *dimension - 1))
            }
            CubeCoordinates::LatinHypercube { hypercube, index, jitter, dimension } => {
                *dimension += 1;
                hypercube.coordinate(*index, *dimension - 1, jitter.next_u64())
            }
        }
    }
}
