//! Reads `[[ensemble.correlated]]`: varied numbers that are drawn together, each with its own
//! distribution.

use super::declared::section;
use super::writer::{Writer, text};
use nalgebra::DMatrix;

use super::document::{Node, Table};
use super::input::GIVEN_SAMPLES;
use polhode_description::base::significant;
use polhode_description::describe::study::Correlated;
use polhode_description::describe::{Distribution, Vary};
use polhode_description::math::symmetric::least_eigenvalue;
use polhode_dynamics::ensemble::sampling::{drawn_alone, names_of};
use toml::Value;

/// Asymmetry and negative eigenvalue of a matrix of correlations that are taken for rounding.
const SLACK: f64 = 1e-9;

section! { pub static CORRELATED =
        "Varied numbers that are drawn together, by a Gaussian copula: each keeps its own distribution.";
    of: List(&Text), Required,
        "Two or more numbers of [ensemble.vary] that are drawn: names of single numbers, or of components \
         (\"arm.inertia.xx\").";
    correlation: Either(&[&Bounded { min: -1.0, max: 1.0 }, &NumberRows]), Required,
        "Correlation of the normal numbers behind them, of normal quantities their own: one number for every \
         pair, or a symmetric positive semidefinite matrix with ones on its diagonal.";
}

/// All that is drawn together.
pub(super) fn read_correlated(node: &Node<'_>, vary: &[Vary]) -> Option<Vec<Correlated>> {
    let mut taken: Vec<String> = Vec::new();
    let of_samples = |vary: &&Vary| match &vary.distribution {
        Distribution::Table { file, .. } => file == GIVEN_SAMPLES,
        _ => false,
    };
    let sampled: Vec<String> = vary.iter().filter(of_samples).flat_map(|v| names_of(&v.target)).collect();
    let entries = node.list()?;
    // Samples that give all numbers of an entry take its place.
    let is_drawn = |node: &&Node<'_>| {
        let Some(members) = node.entry("of").filter(Node::is_list) else { return true };
        let is_sampled =
            |node: &Node<'_>| node.text_if_any().is_some_and(|name| sampled.iter().any(|s| s == name));
        !members.list().is_some_and(|members| !members.is_empty() && members.iter().all(is_sampled))
    };
    let read = |node: &Node<'_>| {
        let table = node.table(&CORRELATED)?;
        let members = table.get("of").and_then(|node| numbers(&node, vary, &mut taken));
        let given = table.get("correlation")?;
        let correlation = correlations(&given, &table, members.as_ref().map(Vec::len));
        Some(Correlated { of: members?, correlation: correlation? })
    };
    let read: Vec<Option<Correlated>> = entries.iter().filter(is_drawn).map(read).collect();
    read.into_iter().collect()
}

fn numbers(node: &Node<'_>, vary: &[Vary], taken: &mut Vec<String>) -> Option<Vec<String>> {
    let nodes = node.list()?;
    if nodes.len() < 2 {
        node.report(format!("names {} number, not two or more", nodes.len()), |problem| {
            problem.advise("give e.g. [\"arm.mass\", \"coil.stiffness\"]")
        });
        return None;
    }
    let mut names = Vec::new();
    let mut sound = true;
    for node in &nodes {
        let name = node.text()?.to_string();
        sound &= number(node, &name, vary).is_some();
        if taken.contains(&name) {
            node.report(format!("`{name}` is drawn together with others already"), |problem| {
                problem.advise("name all that are drawn together in one list, with a matrix")
            });
            sound = false;
        }
        taken.push(name.clone());
        names.push(name);
    }
    sound.then_some(names)
}

/// Whether this is a number that is drawn by itself.
fn number(node: &Node<'_>, name: &str, vary: &[Vary]) -> Option<()> {
    let position_in = |vary: &Vary| names_of(&vary.target).iter().position(|own| own == name);
    if let Some((vary, k)) = vary.iter().find_map(|vary| Some((vary, position_in(vary)?))) {
        if drawn_alone(vary, k) {
            return Some(());
        }
        let found = match vary.distribution.is_drawn() {
            true => format!("`{}` is drawn as a whole", vary.target.key),
            false => format!("`{}` is laid out, not drawn", vary.target.key),
        };
        node.report(found, |problem| {
            problem.advise("name numbers with a distribution of their own, such as normal or uniform")
        });
        return None;
    }
    let drawn = vary.iter().flat_map(|vary| {
        let names = names_of(&vary.target).into_iter().enumerate();
        names.filter(|(k, _)| drawn_alone(vary, *k)).map(|(_, name)| name).collect::<Vec<_>>()
    });
    let drawn: Vec<String> = drawn.collect();
    node.report(format!("{} is no number of [ensemble.vary]", node.source()), |problem| {
        problem.allow(name, drawn.iter().map(String::as_str))
    });
    None
}

/// The matrix of `count` numbers; `None`: these could not be read.
fn correlations(node: &Node<'_>, table: &Table<'_>, count: Option<usize>) -> Option<Vec<Vec<f64>>> {
    let given: Vec<Vec<f64>> = if node.is_list() {
        let read: Vec<Option<Vec<f64>>> = node.list()?.iter().map(Node::numbers).collect();
        read.into_iter().collect::<Option<_>>()?
    } else {
        let (each, count) = (node.bounded(-1.0, 1.0)?, count?);
        (0..count).map(|i| (0..count).map(|j| if i == j { 1.0 } else { each }).collect()).collect()
    };
    let count = count?;
    if given.len() != count || given.iter().any(|row| row.len() != count) {
        node.report(format!("is not {count} rows of {count} numbers, as many as `of` names"), |problem| {
            problem.advise("give one correlation for all pairs, or a matrix")
        });
        return None;
    }
    let matrix = DMatrix::from_fn(count, count, |i, j| given[i][j]);
    if let Some(i) = (0..count).find(|i| matrix[(*i, *i)] != 1.0) {
        let found = format!("row {} has {} on the diagonal, not 1", i + 1, matrix[(i, i)]);
        node.report(found, |problem| problem.advise("the spreads are those of [ensemble.vary]"));
        return None;
    }
    if (&matrix - matrix.transpose()).amax() > SLACK {
        node.report("the matrix of correlations is not symmetric", |problem| problem);
        return None;
    }
    let symmetric = &matrix / 2.0 + matrix.transpose() / 2.0;
    let smallest = least_eigenvalue(symmetric.clone());
    if smallest.is_nan() || smallest < -SLACK {
        let found = format!(
            "the matrix of correlations is not positive semidefinite: it has the eigenvalue {}",
            significant(smallest, 6)
        );
        table.report(&found, |problem| {
            problem.advise("no random numbers have these correlations; bring the entries nearer to 0")
        });
        return None;
    }
    Some((0..count).map(|i| (0..count).map(|j| symmetric[(i, j)]).collect()).collect())
}

pub(super) fn write_correlated(out: &mut Writer, correlated: &Correlated) {
    out.heading("[[ensemble.correlated]]");
    out.key("of", Value::Array(correlated.of.iter().map(|name| text(name)).collect()));
    out.key("correlation", correlated.correlation.clone());
}
