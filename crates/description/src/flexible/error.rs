//! The faults of modal data, as the user reads them.

use super::eigen::NoModes;
use crate::base::significant;

/// Why a body has no modal data, or none at a point.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModalError {
    #[error("the body has no points")]
    NoPoints,
    #[error("there is no node at this point; the nearest is{} at [{}, {}, {}] \
             m", quoted(nearest), at[0], at[1], at[2])]
    NoNode { nearest: Option<String>, at: [f64; 3] },
    #[error("the point is off the end of the beam, which reaches from x = {from} m to {to} m")]
    OffTheBeam { from: f64, to: f64 },

    #[error("it is not known how the point turns with the modes: give its `turns`")]
    NoTurns,
    #[error(
        "mode {mode} moves or turns the point to which the frame is attached; give the constants and shapes \
         of the attached frame, with `s` and `alpha`"
    )]
    MovesTheFrame { mode: usize },
    /// `left`: the smallest share of a mode's mass that is not rigid motion.
    #[error(
        "seen from the attached frame the modes are motions of a rigid body: {left:.1e} of their mass is \
         left where it moves and turns as they want"
    )]
    RigidModes { left: f64 },

    #[error("the mass is {mass} kg")]
    BodyMass { mass: f64 },
    #[error("the mass of particle {particle} is {mass} kg")]
    ParticleMass { particle: usize, mass: f64 },
    #[error("the mass of node {node} is {mass} kg")]
    NodeMass { node: usize, mass: f64 },
    #[error("the body has no mass")]
    NoMass,
    #[error("particle {particle} moves with {shapes} modes, the stiffness has {modes}")]
    ParticleShapes { particle: usize, shapes: usize, modes: usize },
    #[error(
        "the inertia matrix of the undeformed body is not positive definite: its smallest principal moment \
         is {} kg m^2",
        significant(*.smallest, 3)
    )]
    Inertia { smallest: f64 },
    #[error("modal mass and stiffness need {modes} rows and columns, one for each mode")]
    ModalSize { modes: usize },
    #[error("the modal mass is not positive definite: the modes depend on each other")]
    ModalMass,
    #[error("the stiffness is not symmetric")]
    Asymmetric,
    #[error("the stiffness is indefinite: its smallest eigenvalue is {}", significant(*.smallest, 3))]
    Indefinite { smallest: f64 },
    #[error("its numbers are too large: the {0} is not finite")]
    TooLarge(&'static str),

    #[error("is no JSON: {0}")]
    NoJson(String),
    /// JSON that is no modal data, in the words of its reader.
    #[error("{0}")]
    Json(String),
    #[error("has neither `nodes` nor `modal_mass`: give nodes with masses and shapes, or the constants")]
    NeitherForm,
    #[error("`{name}` needs {modes} rows of {modes} numbers, one for each mode")]
    NotSquare { name: &'static str, modes: usize },
    #[error("two points have the name `{name}`")]
    SameName { name: String },
    #[error("there are no nodes")]
    NoNodes,
    #[error("node {node} has {shapes} shapes and {turns} turns, the first node has {modes} shapes")]
    NodeShapes { node: usize, shapes: usize, turns: usize, modes: usize },
    #[error("{frequencies} frequencies are given for {modes} modes")]
    FrequencyCount { frequencies: usize, modes: usize },
    #[error("{frequency} Hz is no frequency of a mode")]
    Frequency { frequency: f64 },
    #[error("give either `stiffness` or `frequencies`")]
    StiffnessOrFrequencies,
    #[error(
        "modes {} and {} have frequencies and are not orthogonal to each other: |m_ij| / sqrt(m_ii m_jj) = \
         {share:.3}, at most {allowed}; give `stiffness` instead of frequencies",
        modes[0],
        modes[1]
    )]
    NotApart { modes: [usize; 2], share: f64, allowed: f64 },
    #[error("mode {mode} is made of rigid motion and the modes before it; leave it out")]
    DependentMode { mode: usize },
    #[error("`{name}` has {found} rows, `J1` has {modes} entries")]
    RowCount { name: &'static str, found: usize, modes: usize },
    #[error("each row of `J2` and `G` needs {modes} entries, one for each mode")]
    RowLength { modes: usize },
    #[error("`G` is not antisymmetric in its entries {}, {}", entry[0], entry[1])]
    NotAntisymmetric { entry: [usize; 2] },
    #[error("point {point} does not have {modes} shapes and turns")]
    PointShapes { point: usize, modes: usize },

    #[error("shape {shape} of {kind} is made of rigid motion and the shapes before it; leave it out")]
    DependentBeamShape { shape: usize, kind: &'static str },
    #[error("the beam has no moment of inertia about its axis: give `polar_inertia`")]
    NoPolarInertia,

    #[error(transparent)]
    NoModes(#[from] NoModes),
    #[error(
        "{coordinate} without {} or stiffness: join it to others by a member, or give it {}",
        coordinate.lacks(),
        coordinate.lacks()
    )]
    Loose { coordinate: NodeCoordinate },
    #[error(
        "{coordinate} together with others without {} or stiffness: give one of them {}",
        coordinate.lacks(),
        coordinate.lacks()
    )]
    LooseTogether { coordinate: NodeCoordinate },
    #[error("the body has no modes")]
    Empty,
    #[error("the body has {modes} modes, at most {most} are possible")]
    TooManyModes { modes: usize, most: usize },
    #[error("deflection {deflection}: the frame has no inertia against this load; hold nodes by `held`")]
    LoadWithoutInertia { deflection: usize },
    #[error("deflection {deflection}: the members do not hold all nodes together")]
    LooseNodes { deflection: usize },
    #[error("the member from `{}` to `{}` has no length", nodes[0], nodes[1])]
    NoLength { nodes: [String; 2] },
    #[error("y of the member from `{}` to `{}` lies along it", nodes[0], nodes[1])]
    ParallelY { nodes: [String; 2] },
    #[error("shape {shape}, modes first, is made of rigid motion and the shapes before it; leave it out")]
    DependentFrameShape { shape: usize },
}

/// A displacement or a rotation of a node of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeCoordinate {
    pub node: String,
    /// 0 to 2: along x, y, z; 3 to 5: about them.
    pub direction: usize,
}

impl NodeCoordinate {
    fn lacks(&self) -> &'static str {
        if self.direction < 3 { "mass" } else { "rotary inertia" }
    }
}

impl std::fmt::Display for NodeCoordinate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let how = if self.direction < 3 { "move along" } else { "turn about" };
        write!(f, "node `{}` can {how} {}", self.node, ["x", "y", "z"][self.direction % 3])
    }
}

fn quoted(name: &Option<String>) -> String {
    name.as_ref().map_or(String::new(), |name| format!(" `{name}`"))
}
