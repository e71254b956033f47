//! A list that is open until it is first read: kinds of force and methods of the program around
//! polhode.

use std::sync::{Mutex, OnceLock, PoisonError};

/// Items are added until the first look at them, and none after it: keys of files, once made, do
/// not change.
pub struct Registry<T> {
    waiting: Mutex<Vec<T>>,
    settled: OnceLock<Vec<T>>,
}

impl<T> Default for Registry<T> {
    fn default() -> Registry<T> {
        Registry::new()
    }
}

impl<T> Registry<T> {
    /// Nobody has added to it yet, nor read it.
    pub const fn new() -> Registry<T> {
        Registry { waiting: Mutex::new(Vec::new()), settled: OnceLock::new() }
    }

    /// Adds an item that `check` lets pass beside those that are there.
    ///
    /// # Errors
    /// The error of `check`, or `too_late` where the list has been read.
    pub fn add<E>(&self, item: T, too_late: E, check: impl FnOnce(&[T]) -> Result<(), E>) -> Result<(), E> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if self.settled.get().is_some() {
            return Err(too_late);
        }
        check(&waiting)?;
        waiting.push(item);
        Ok(())
    }

    /// All of them, from now on.
    pub fn settled(&self) -> &[T] {
        self.settled
            .get_or_init(|| std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// Whether a name can be a key or a word of a file: small letters, digits and `_`, a letter first.
pub fn is_key(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Why names cannot be the keys of one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyFault {
    NoKey(&'static str),
    Twice(&'static str),
}

/// Compares keys with each other and with those that the table has already.
///
/// # Errors
/// The first that is no key, or stands there twice.
pub fn check_keys(
    taken: &[&'static str],
    keys: impl IntoIterator<Item = &'static str>,
) -> Result<(), KeyFault> {
    let mut known = taken.to_vec();
    for key in keys {
        if !is_key(key) {
            return Err(KeyFault::NoKey(key));
        }
        if known.contains(&key) {
            return Err(KeyFault::Twice(key));
        }
        known.push(key);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_was_read_takes_no_more() {
        let list = Registry::new();
        assert_eq!(list.add(1, "late", |_| Ok(())), Ok(()));
        assert_eq!(
            list.add(2, "late", |others| if others == [1] { Err("taken") } else { Ok(()) }),
            Err("taken")
        );
        assert_eq!(list.settled(), [1]);
        assert_eq!(list.add(3, "late", |_| Ok(())), Err("late"));
        assert_eq!(list.settled(), [1]);
    }

    #[test]
    fn keys_are_small_letters_digits_and_underscores() {
        assert!(is_key("hard_spring2"));
        for wrong in ["", "2springs", "_spring", "Spring", "hard-spring", "hard spring", "ħ"] {
            assert!(!is_key(wrong), "{wrong}");
        }
    }
}
