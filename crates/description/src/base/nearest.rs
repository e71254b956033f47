//! The name that was meant, where one was mistyped.

/// Letters of a name at most that is taken for a slip of another.
const LONGEST: usize = 100;

/// Letters that begin a longer name, at least.
const BEGINNING: usize = 3;

/// The candidate that `name` is most likely a slip of: at most a third of its letters differ, or it
/// is the beginning of this one alone.
pub fn nearest<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let length = name.chars().count();
    if length > LONGEST {
        return None;
    }
    // A name of one letter must match: once that letter differs, nothing is left to recognise it
    // by.
    let limit = length.div_ceil(3).min(4).min(length.saturating_sub(1));
    let candidates: Vec<&str> =
        candidates.into_iter().filter(|candidate| candidate.chars().count() <= 2 * LONGEST).collect();
    let distances = candidates.iter().map(|candidate| (distance(name, candidate), *candidate));
    let slip = distances.filter(|(distance, _)| *distance <= limit).min_by_key(|(distance, _)| *distance);
    let mut longer = candidates.iter().filter(|candidate| {
        length >= BEGINNING && candidate.to_lowercase().starts_with(&name.to_lowercase())
    });
    let whole = longer.next().filter(|_| longer.next().is_none());
    // A beginning is likelier than a slip of several letters.
    match (slip, whole) {
        (Some((2.., _)) | None, Some(whole)) => Some(whole.to_string()),
        (slip, _) => slip.map(|(_, candidate)| candidate.to_string()),
    }
}

/// The number of letters of one name that have to be put in, taken out, replaced or swapped for the
/// other; capitals are alike.
pub fn distance(a: &str, b: &str) -> usize {
    strsim::damerau_levenshtein(&a.to_lowercase(), &b.to_lowercase())
}

/// "; did you mean `NAME`?", of the [nearest] candidate; empty where none is near.
pub fn meant<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> String {
    nearest(name, candidates).map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let keys = ["size", "seed", "design", "vary"];
        assert_eq!(nearest("sizes", keys).as_deref(), Some("size"));
        assert_eq!(nearest("Seed", keys).as_deref(), Some("seed"));
        assert_eq!(nearest("desing", keys).as_deref(), Some("design"));
        assert_eq!(nearest("gravity", keys), None);
        assert_eq!(nearest("", keys), None);
        // A beginning is meant where it is that of one name.
        assert_eq!(nearest("Grav", ["drag", "gravity"]).as_deref(), Some("gravity"));
        assert_eq!(nearest("ang", ["angular_velocity", "angular_momentum"]), None);
        assert_eq!(nearest("seed", ["seeds", "sees", "seed_of_all"]).as_deref(), Some("seeds"));
        assert_eq!(nearest("an", ["mass", "angular_velocity"]), None);
        assert_eq!(nearest("3", ["0", "1/2", "3/2"]), None);
        assert_eq!(nearest("X", ["x", "y"]).as_deref(), Some("x"));
    }
}
