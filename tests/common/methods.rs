//! Every method in every variant.

use polhode::base::{Options, Setting};
use polhode::describe::{Study, TimeIntegration};
use polhode::methods::{AnyMethod, Kind, cards};

/// A method with settings, and how its name is printed.
#[derive(Clone, Debug)]
pub struct Variant {
    pub name: &'static str,
    pub options: Options,
}

impl Variant {
    pub fn new(name: &'static str) -> Variant {
        Variant { name, options: Options::default() }
    }

    pub fn with(mut self, key: &'static str, value: Setting) -> Variant {
        self.options = self.options.with(key, value);
        self
    }

    /// For messages.
    pub fn label(&self) -> String {
        let settings: Vec<String> =
            self.options.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        [self.name.to_string(), settings.join(", ")].join(" ").trim().to_string()
    }

    /// The study with this method; one that has nothing to resynchronise is not.
    pub fn apply(&self, mut study: Study) -> Study {
        let card = cards().iter().find(|card| card.name == self.name).expect("a method of this name");
        let resynchronise = if card.resynchronises { study.method.resynchronise } else { 0 };
        study.method =
            TimeIntegration { name: self.name, options: self.options.clone(), resynchronise, ..study.method };
        study
    }
}

/// Every method whose step can be recorded with its defaults, and with every choice and every flag.
pub fn variants() -> Vec<Variant> {
    let mut variants = Vec::new();
    let recorded = cards().iter().filter(|card| AnyMethod::new(card.name, &Options::default()).is_some());
    for card in recorded {
        variants.push(Variant::new(card.name));
        for key in card.keys {
            match key.kind {
                Kind::Choice(names) => variants.extend(
                    names[1..]
                        .iter()
                        .map(|name| Variant::new(card.name).with(key.name, Setting::Choice(name))),
                ),
                Kind::Flag => variants.push(Variant::new(card.name).with(key.name, Setting::Flag(true))),
                Kind::Count(..) | Kind::Number(..) | Kind::Derived { .. } | Kind::Optional { .. } => {}
            }
        }
    }
    variants
}
