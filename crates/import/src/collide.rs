//! The shapes of a model that may touch.

use crate::fault::{Feature, FilePlace, Findings, NotePlace};
use crate::source::SourceModel;

/// A shape that others may touch.
#[derive(Clone, Debug)]
pub(crate) struct CollisionShape {
    pub name: String,
    pub at: FilePlace,
    pub body: Option<usize>,
    /// MJCF's `contype` and `conaffinity`.
    pub masks: [i64; 2],
    /// A plane or a field of heights, which never touch each other.
    pub is_ground: bool,
}

/// All that a model says of contact.
#[derive(Debug, Default)]
pub(crate) struct CollisionRules {
    pub shapes: Vec<CollisionShape>,
    /// Pairs of bodies that never touch, by their names.
    pub excluded: Vec<[Option<usize>; 2]>,
    /// Pairs that the file names.
    pub pairs: Vec<FilePlace>,
    /// Whether a body may touch what carries it.
    pub with_parents: bool,
}

impl CollisionRules {
    /// Reports the pairs that may touch. (MuJoCo's rules: not within what moves as one; not with
    /// what it hangs on, unless that is the ground; by masks; but for what is excluded.)
    pub fn report(&self, model: &SourceModel, found: &mut Findings) {
        let carrier = |body: Option<usize>| body.and_then(|body| model.carrier(body).0);
        let above = |carrier: Option<usize>| -> Option<Option<usize>> {
            carrier.map(|body| model.bodies[body].parent.and_then(|parent| model.carrier(parent).0))
        };
        let mut count = self.pairs.len();
        let mut first: Option<(FilePlace, String)> =
            self.pairs.first().map(|at| (at.clone(), "a pair of geoms may touch".to_string()));
        for (k, one) in self.shapes.iter().enumerate() {
            for other in &self.shapes[..k] {
                let [a, b] = [carrier(one.body), carrier(other.body)];
                let masked = one.masks[0] & other.masks[1] != 0 || other.masks[0] & one.masks[1] != 0;
                let hangs = above(a).is_some_and(|on| on.is_some() && on == b)
                    || above(b).is_some_and(|on| on.is_some() && on == a);
                let excluded = |pair: &[Option<usize>; 2]| {
                    *pair == [one.body, other.body] || *pair == [other.body, one.body]
                };
                if a == b
                    || !masked
                    || one.is_ground && other.is_ground
                    || hangs && !self.with_parents
                    || self.excluded.iter().any(excluded)
                {
                    continue;
                }
                count += 1;
                first.get_or_insert_with(|| {
                    let message =
                        format!("`{}` and `{}` (line {}) may touch", one.name, other.name, other.at.line);
                    (one.at.clone(), message)
                });
            }
        }
        let Some((at, message)) = first else { return };
        let more = match count - 1 {
            0 => String::new(),
            1 => ", and so may another pair".to_string(),
            more => format!(", and so may {more} other pairs"),
        };
        let message = format!("contact: {message}{more}; bodies of polhode pass through each other");
        found.lacks(Feature::Contact, &at, NotePlace::Head, message);
    }
}
