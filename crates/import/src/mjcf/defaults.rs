//! Classes of defaults, and the layers of an element that they make.

use super::known;
use crate::fault::Findings;
use crate::xml::{Layered, XmlElement};

/// A class of defaults.
struct DefaultClass<'a> {
    name: &'a str,
    /// Position among the classes; `None`: it is the root.
    above: Option<usize>,
    element: &'a XmlElement,
}

/// All classes of a file.
#[derive(Default)]
pub(super) struct Defaults<'a> {
    classes: Vec<DefaultClass<'a>>,
}

const MAIN: &str = "main";

impl<'a> Defaults<'a> {
    pub fn add_all(&mut self, root: &'a XmlElement, found: &mut Findings) {
        for section in root.all("default") {
            self.add(section, None, found);
        }
    }

    fn add(&mut self, element: &'a XmlElement, above: Option<usize>, found: &mut Findings) {
        let name = element.value("class").unwrap_or(MAIN);
        if above.is_some() && element.attribute("class").is_none() {
            found.fault(&element.at, "a class of defaults within another has no name");
        }
        // Sections of defaults that stand side by side are all of the root, which the first one
        // names.
        let above = above.or_else(|| {
            let root = !self.classes.is_empty() && name != self.classes[0].name && name != MAIN;
            root.then_some(0)
        });
        if above.is_some() && self.classes.iter().any(|class| class.name == name) {
            found.fault(&element.at, format!("the class `{name}` of defaults is there already"));
        }
        known::check_defaults(element, found);
        let own = self.classes.len();
        self.classes.push(DefaultClass { name, above, element });
        for child in element.all("default") {
            self.add(child, Some(own), found);
        }
    }

    /// The classes from the root to this one: all sections of the root together, and each class
    /// below it.
    fn chain(
        &self,
        name: Option<&str>,
        asker: &XmlElement,
        found: &mut Findings,
    ) -> Vec<Vec<&'a XmlElement>> {
        let root = self.classes.first().map_or(MAIN, |root| root.name);
        let name = name.unwrap_or(root);
        let mut at = self.classes.iter().position(|class| class.name == name);
        if at.is_none() && name != MAIN {
            let known = polhode_description::base::meant(name, self.classes.iter().map(|class| class.name));
            found.fault(&asker.at, format!("there is no class `{name}` of defaults{known}"));
        }
        // A class keeps what the root was where it begins: sections of the root behind it do not
        // reach it.
        let below = |class: &usize| self.classes[*class].above.is_some();
        let reach = at.filter(below).unwrap_or(self.classes.len());
        let mut chain = Vec::new();
        while let Some(class) = at.filter(below) {
            chain.push(vec![self.classes[class].element]);
            at = self.classes[class].above;
        }
        let roots = self.classes[..reach].iter().filter(|class| class.above.is_none());
        chain.push(roots.map(|class| class.element).collect());
        chain.reverse();
        chain
    }

    /// The elements of these names in the classes of an element, class by class from the root on.
    pub fn classes(
        &self,
        element: &XmlElement,
        names: &[&str],
        inherited: Option<&str>,
        found: &mut Findings,
    ) -> Vec<Vec<&'a XmlElement>> {
        let named = |section: &'a XmlElement| {
            section.children.iter().filter(|child| names.contains(&child.name.as_str()))
        };
        let chain = self.chain(element.value("class").or(inherited), element, found);
        chain.into_iter().map(|class| class.into_iter().flat_map(named).collect()).collect()
    }

    /// The elements of these names in all sections of the root.
    pub fn root(&self, names: &[&str]) -> Vec<&'a XmlElement> {
        let sections = self.classes.iter().filter(|class| class.above.is_none());
        let children = sections.flat_map(|class| &class.element.children);
        children.filter(|child| names.contains(&child.name.as_str())).collect()
    }

    /// An element with the defaults of its class, of which those with one of these names hold for
    /// it.
    pub fn layered(
        &self,
        element: &'a XmlElement,
        names: &[&str],
        inherited: Option<&'a str>,
        found: &mut Findings,
    ) -> Layered<'a> {
        let mut layers = self.classes(element, names, inherited, found).concat();
        layers.push(element);
        Layered { layers }
    }
}
