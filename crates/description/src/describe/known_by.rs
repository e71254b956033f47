//! Cards of kinds, each known by its unique name.

/// A card is compared, shown and serialised by this field alone.
macro_rules! known_by {
    ($card:ty, $name:ident) => {
        impl PartialEq for $card {
            fn eq(&self, other: &$card) -> bool {
                self.$name == other.$name
            }
        }

        impl Eq for $card {}

        impl std::fmt::Debug for $card {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.$name)
            }
        }
    };
}

pub(super) use known_by;
