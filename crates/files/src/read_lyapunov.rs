//! Keys of a study of kind `lyapunov`.

use super::declared::declare;
use super::keys::KIND;
use polhode_description::describe::{Lyapunov, Question};

/// Exponents that can be asked for: every one of them is a copy of the step.
const MOST_EXPONENTS: u64 = 48;

declare! { Lyapunov, Lyapunov::CARD.question;
    @KIND;
    exponents: Count { min: 1, max: MOST_EXPONENTS }, Default("1"),
        "How many exponents (1/s) are followed, the largest first; the others are from the largest down in \
         the limit of long times.";
    pairs: Flag, Default("true"), "The largest again, from a neighbour of every instance.";
    distance: Bounded { min: 1e-12, max: 1.0 }, Optional,
        "How far neighbours are, in numbers of the state in SI. Absent: 1e-7 in f64, 1e-2 in f32.";
    transition: Flag, Default("false"),
        "The derivative of the end by the start, of the kept instances: into transition.parquet.";
}
