//! Keys of a study of kind `static`.

use super::declared::declare;
use super::keys::KIND;
use super::read_kind::keyed;
use super::read_modes::{AT, ROTATION, SEARCH, checked};
use polhode_description::describe::{Question, Static};

declare! { Static, Static::CARD.question, part: about;
    @KIND;
    @ROTATION;
    @AT;
    @SEARCH;
    same: Bounded { min: 1e-9, max: 1.0 }, Default("1e-6"),
        "Equilibria this close count as one: root mean square displacement as a share of the mechanism's \
         extent, both weighed by masses.";
}

keyed!(Static, |question, table, context| checked(&question.about, table, context.mechanism)
    .map(|()| question));
