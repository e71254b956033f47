//! Reads how a body deforms: its beam, structure or modal data, of which the constants are made at
//! once, so that what is no body is found before anything is computed.

use std::path::{Path, PathBuf};

use super::declared::{Declared, Named, declare, each, named};
use super::document::{Node, Table, tidy};
use super::error::{Problem, Problems};
use super::input::{self, Longest};
use super::keys::{FLEXIBLE, INITIAL, MEMBER, MODAL, MODAL_BEAM, NODE, STATIC_LOAD, STRUCTURE};
use super::modal_table;
use super::read_forms::{direction, identifier};
use super::read_initial::initial;
use super::read_points::place_on;
use polhode_description::base::units::Dimension;
use polhode_description::describe::mechanism::{
    Body, Flexible, FlexibleSource, InertiaAbout, Level, Support,
};
use polhode_description::flexible::beam::{
    BeamAnchor, BeamDeflection, Boundary, ModalBeam, Pull, TransverseDirection,
};
use polhode_description::flexible::constants::NotOrthogonal;
use polhode_description::flexible::frame::{self, Frame, Member, StaticLoad};
use polhode_description::flexible::modal_file::ModalFile;
use polhode_description::flexible::{Floating, Modal, ModalError, modal_file};
use polhode_description::math::inertia::rows;

named! {
    Level { Zero = "0", Half = "1/2", One = "1", OneAndHalf = "3/2", Two = "2" }
    Boundary {
        Free = "free",
        SimplySupported = "simply_supported",
        Cantilever = "cantilever",
        FixedHinged = "fixed_hinged",
        FixedFixed = "fixed_fixed",
    }
    BeamAnchor { Nowhere = "nowhere", Start = "start", Middle = "middle", End = "end" }
    TransverseDirection { Y = "y", Z = "z" }
}

declare! { BeamDeflection, "The deflection of a beam under a force across it.";
    at: Quantity(Dimension::Length), Required, "Where the force acts, from the middle.";
    direction: Choice(TransverseDirection::NAMES), Default("\"y\""), "Its direction.";
}

/// The kinds of floating frames; true: it is attached to a particle.
pub const FRAMES: [(&str, bool); 2] = [("buckens", false), ("attached", true)];

/// Keys of the numbers of a beam's modes.
pub(super) const MODES: [&str; 4] = ["modes_y", "modes_z", "modes_axial", "modes_torsion"];

/// Largest number of modes of a body: the step is written out for every pair of them.
const MOST_MODES: usize = 40;

/// A flexible body; `known`: as it deforms with other constants, if it was read before. Its modal
/// data are the same.
pub(super) fn flexible_body(table: &Table<'_>, known: Option<&Flexible>) -> Option<Body> {
    let name = table.get("name").and_then(|node| identifier(&node));
    let flexible = table.get("flexible").and_then(|node| flexible(&node.table(&FLEXIBLE)?, known));
    let initial = table.get("initial").and_then(|node| initial(&node.table(&INITIAL)?, Some(Support::Free)));
    let flexible = flexible?;
    let constants = &flexible.modal.constants;
    Some(Body {
        name: name?,
        mass: constants.mass,
        inertia: rows(&constants.inertia),
        inertia_axes: [1.0, 0.0, 0.0, 0.0],
        inertia_about: InertiaAbout::MassCentre,
        centre_of_mass: constants.centre.into(),
        support: Support::Free,
        initial: initial?,
        is_point: false,
        flexible: Some(flexible),
    })
}

fn flexible(table: &Table<'_>, known: Option<&Flexible>) -> Option<Flexible> {
    let level = table.read("level");
    let is_attached = table.get("frame").and_then(|node| node.choice(&FRAMES));
    let which = table.exactly_one(&["beam", "structure", "modal"])?;
    let node = table.get(which)?;
    // The file that the modes are from, where they are.
    let mut modes_file: Option<PathBuf> = None;
    let source = match which {
        "beam" => {
            let table = node.table(&MODAL_BEAM)?;
            let beam = beam(&table)?;
            if is_attached == Some(true) && beam.centrifugal_stiffening && !table.has("held_at") {
                table.report(
                    "`held_at` is missing, which stiffening in an attached frame needs",
                    |problem| {
                        problem.advise("say where the beam's centrifugal force is borne, or \"nowhere\"")
                    },
                );
                return None;
            }
            FlexibleSource::Beam(beam)
        }
        "structure" => FlexibleSource::Structure(structure(&node.table(&STRUCTURE)?)?),
        _ if node.is_table() => {
            let (file, read) = modal_table_or_file(&node.table(&MODAL)?)?;
            modes_file = Some(read);
            FlexibleSource::Modal(file)
        }
        _ => {
            let (file, read) = modal_file(&node)?;
            modes_file = read;
            FlexibleSource::Modal(file)
        }
    };
    let made = match (&source, known) {
        (_, Some(known)) => Ok(known.modal.clone()),
        (FlexibleSource::Beam(beam), _) => beam.modal(),
        (FlexibleSource::Structure(frame), _) => frame.modal(),
        (FlexibleSource::Modal(file), _) => file.modal(),
    };
    let counted = made.and_then(|modal| match modal.modes() {
        0 => Err(ModalError::Empty),
        modes if modes > MOST_MODES => Err(ModalError::TooManyModes { modes, most: MOST_MODES }),
        _ => Ok(modal),
    });
    let modal = counted
        .map_err(|found| node.report(in_file(modes_file.as_deref(), &found.to_string()), |problem| problem))
        .ok()?;
    let (frame, modal) = match known {
        // The description differs about another point: a given `at` is read again.
        Some(known) => match (known.frame, table.get("at")) {
            (Floating::Attached(_), Some(node)) if node.is_list() => {
                (Floating::Attached(node.vector3(Dimension::Length)?), modal)
            }
            (frame, _) => (frame, modal),
        },
        None => in_frame(table, &node, modes_file.as_deref(), is_attached?, modal)?,
    };
    let modes = modal.modes();
    let damping = table.get("damping").and_then(|node| {
        let ratios = node.vector_or_repeated(Dimension::Number, modes)?;
        if let Some(ratio) = ratios.iter().find(|ratio| **ratio < 0.0) {
            node.report(format!("the damping ratio {ratio} is negative"), |problem| problem);
            return None;
        }
        Some(ratios)
    });
    let (stiffness_scale, damping_scale) = (table.read("stiffness_scale"), table.read("damping_scale"));
    let start = |key: &str| match table.get(key) {
        None => Some(vec![0.0; modes]),
        Some(node) => node.vector(Dimension::Number, modes),
    };
    let (amplitudes, amplitude_rates) = (start("amplitudes"), start("amplitude_rates"));
    let watch = match table.get("watch") {
        Some(node) => place_on(&node, &modal),
        None => Some(modal.named().last().map_or(modal.constants.centre.into(), |(_, at)| *at)),
    };
    Some(Flexible {
        level: level?,
        frame,
        source,
        damping: damping?,
        stiffness_scale: stiffness_scale?,
        damping_scale: damping_scale?,
        amplitudes: amplitudes?,
        amplitude_rates: amplitude_rates?,
        watch: watch?,
        modal,
    })
}

/// Returns the finding, with the file that it was found in ahead.
fn in_file(file: Option<&Path>, found: &str) -> String {
    file.map_or_else(|| found.to_string(), |file| format!("{}: {found}", tidy(file).display()))
}

/// The modal data of `source`, read from `modes_file` if that is there, in the frame that is asked
/// for.
fn in_frame(
    table: &Table<'_>,
    source: &Node<'_>,
    modes_file: Option<&Path>,
    is_attached: bool,
    modal: Modal,
) -> Option<(Floating, Modal)> {
    if !is_attached {
        if let Some(at) = table.get("at") {
            at.report("a Buckens frame is attached to no point", |problem| {
                problem.advise("add frame = \"attached\", or leave out `at`")
            });
            return None;
        }
        if let Err(found) = modal.constants.check_orthogonal() {
            let advice = "add \"orthonormalise\": true to the data to free the modes of rigid motion, \
                          or take frame = \"attached\"";
            match modes_file.filter(|path| is_csv(path)) {
                Some(path) => source.document().adopt(Problems(vec![of_columns(path, &found)])),
                None => {
                    let found = in_file(modes_file, &found.to_string());
                    source.report(found, |problem| problem.advise(advice));
                }
            }
            return None;
        }
        return Some((Floating::Buckens, modal));
    }
    let Some(node) = table.get("at") else {
        let named = modal.named();
        table.report("`at` is missing, which an attached frame needs", |problem| {
            problem.advise(match named.first() {
                Some((name, _)) => format!("name the point to which it is attached, such as at = \"{name}\""),
                None => "give the place to which it is attached, such as at = [0, 0, 0]".to_string(),
            })
        });
        return None;
    };
    let at = place_on(&node, &modal)?;
    match modal.attached(at) {
        Ok(attached) => Some((Floating::Attached(at), attached)),
        Err(found) => {
            node.report(found.to_string(), |problem| problem);
            None
        }
    }
}

/// EI for bending in y and z.
fn bending(table: &Table<'_>) -> Option<[f64; 2]> {
    let node = table.get("bending_stiffness")?;
    let values: [f64; 2] = node.vector_or_repeated(Dimension::FlexuralRigidity, 2)?.try_into().ok()?;
    if values.iter().any(|value| *value <= 0.0) {
        node.refuse("a positive bending stiffness", &Dimension::FlexuralRigidity.advice());
        return None;
    }
    Some(values)
}

fn beam(table: &Table<'_>) -> Option<ModalBeam> {
    let (length, mass, polar) = (table.read("length"), table.read("mass"), table.read("polar_inertia"));
    let bending = bending(table);
    let boundary: Option<Boundary> = table.read("boundary");
    let counts = MODES.map(|key| table.read::<usize>(key));
    let modes = counts.map(Option::unwrap_or_default);
    // Only some modes need this number: where they are absent it is 1 and has no effect.
    let needed = |key: &str, dimension: Dimension, count: usize| match table.read::<Option<f64>>(key)? {
        Some(value) => Some(value),
        None if count == 0 => Some(1.0),
        None => {
            table.report(&format!("`{key}` is missing, which the modes need"), |problem| {
                problem.advise(dimension.advice())
            });
            None
        }
    };
    let axial = needed("axial_stiffness", Dimension::Force, modes[2]);
    let torsional = needed("torsional_stiffness", Dimension::FlexuralRigidity, modes[3]);
    let deflections = table.get("deflections").and_then(|node| {
        let read = each(&node, |node| {
            let table = node.table(BeamDeflection::SECTION)?;
            let read: BeamDeflection = Declared::read(&table)?;
            if read.at.abs() > length? / 2.0 {
                table.get("at")?.refuse("a place on the beam", "places are counted from its middle");
                return None;
            }
            Some(read)
        })?;
        if boundary == Some(Boundary::Free) && !read.is_empty() {
            node.report("a beam with free ends has no static deflection", |problem| {
                problem.advise("give the `boundary` that holds it")
            });
            return None;
        }
        Some(read)
    });
    let masses = match table.get("masses") {
        None => Some(None),
        Some(node) => {
            let count = table.read("masses");
            let spread = modes[2] + modes[3] > 0 || deflections.as_ref().is_some_and(|d| !d.is_empty());
            if spread || boundary.is_some_and(|boundary| boundary != Boundary::Free) {
                node.report("a lumped beam has free modes of bending alone", |problem| {
                    problem.advise("leave out `masses`, or other shapes")
                });
                return None;
            }
            count
        }
    };
    let stiffening = table.get("centrifugal_stiffening").and_then(|node| {
        let on = node.flag()?;
        if on && table.has("masses") {
            node.report("a lumped beam has no centrifugal stiffening", |problem| {
                problem.advise("leave out `masses`")
            });
            return None;
        }
        Some(on)
    });
    let pull = pull(table, length, stiffening);
    counts.iter().all(Option::is_some).then_some(())?;
    Some(ModalBeam {
        length: length?,
        mass: mass?,
        polar_inertia: polar?,
        bending_stiffness: bending?,
        axial_stiffness: axial?,
        torsional_stiffness: torsional?,
        boundary: boundary?,
        modes,
        deflections: deflections?,
        masses: masses?,
        centrifugal_stiffening: stiffening?,
        pull: pull?,
    })
}

/// Reads the pull along a beam that turns.
fn pull(table: &Table<'_>, length: Option<f64>, stiffening: Option<bool>) -> Option<Pull> {
    let anchor: Option<BeamAnchor> = table.read("held_at");
    let about = table.get("turns_about").map(|node| (node.quantity(Dimension::Length), node));
    if stiffening == Some(false) && anchor.is_some_and(|anchor| anchor != BeamAnchor::Nowhere) {
        table.report("`held_at` says what stiffens a beam that turns", |problem| {
            problem.advise("add centrifugal_stiffening = true, or leave it out")
        });
        return None;
    }
    match about {
        None => Some(Pull { held: anchor?, about: anchor?.place() * length? }),
        Some((_, node)) if anchor == Some(BeamAnchor::Nowhere) => {
            node.report("a beam that is held nowhere turns about its mass centre", |problem| {
                problem.advise("say where it is `held_at`, or leave `turns_about` out")
            });
            None
        }
        Some((about, _)) => Some(Pull { held: anchor?, about: about? }),
    }
}

fn structure(table: &Table<'_>) -> Option<Frame> {
    let nodes = table.get("nodes").and_then(|node| {
        let mut taken: Vec<String> = Vec::new();
        each(&node, |node| {
            let table = node.table(&NODE)?;
            let name = super::read_forms::fresh_name(&table, &mut taken);
            let (at, mass) = (table.read("at"), table.read("mass"));
            let inertia: [f64; 3] = table.read("rotary_inertia")?;
            if inertia.iter().any(|moment| *moment < 0.0) {
                let wanted = "three moments that are not negative";
                table.get("rotary_inertia")?.refuse(wanted, &Dimension::Inertia.advice());
                return None;
            }
            Some(frame::FrameNode { name: name?, at: at?, mass: mass?, inertia })
        })
    });
    let of_nodes = nodes.as_deref();
    let members =
        table.get("members").and_then(|node| each(&node, |node| member(&node.table(&MEMBER)?, of_nodes?)));
    let modes = table.read("modes");
    let fixed = table.get("held").and_then(|node| each(&node, |node| node_of_structure(node, of_nodes?)));
    let deflections = table
        .get("deflections")
        .and_then(|node| each(&node, |node| static_load(&node.table(&STATIC_LOAD)?, of_nodes?)));
    Some(Frame { nodes: nodes?, members: members?, modes: modes?, held: fixed?, deflections: deflections? })
}

/// The position of a node that is named.
fn node_of_structure(node: &Node<'_>, nodes: &[frame::FrameNode]) -> Option<usize> {
    let name = node.text()?;
    let found = nodes.iter().position(|known| known.name == name);
    if found.is_none() {
        node.report(format!("there is no node {}", node.source()), |problem| {
            problem.allow(name, nodes.iter().map(|known| known.name.as_str()))
        });
    }
    found
}

fn static_load(table: &Table<'_>, nodes: &[frame::FrameNode]) -> Option<frame::FrameDeflection> {
    let node = table.get("node").and_then(|node| node_of_structure(&node, nodes));
    let which = table.exactly_one(&["force", "torque"])?;
    let along = direction(&table.get(which)?)?;
    let load = if which == "force" { StaticLoad::Force(along) } else { StaticLoad::Torque(along) };
    Some(frame::FrameDeflection { node: node?, load })
}

fn member(table: &Table<'_>, nodes: &[frame::FrameNode]) -> Option<Member> {
    let ends = table.get("nodes").and_then(|node| {
        let names = node.list()?;
        let [a, b] = &names[..] else {
            node.refuse("two nodes", "give two names, such as [\"left\", \"right\"]");
            return None;
        };
        let (a, b) = (node_of_structure(a, nodes), node_of_structure(b, nodes));
        Some([a?, b?])
    });
    let (mass, axial) = (table.read("mass"), table.read("axial_stiffness"));
    let (bending, torsional) = (bending(table), table.read("torsional_stiffness"));
    let (ends, bending) = (ends?, bending?);
    let y = match table.get("y") {
        Some(node) => direction(&node),
        None if bending[0] != bending[1] => {
            table.report("`y` is missing, and bending differs in y and z", |problem| {
                problem.advise("give a direction in the plane of the member and its y, such as y = [0, 1, 0]")
            });
            None
        }
        None => {
            // Any direction across the member: the axis along which it is shortest.
            let [a, b] = ends.map(|end| nodes[end].at);
            let along: [f64; 3] = std::array::from_fn(|k| (b[k] - a[k]).abs());
            let least = (0..3).min_by(|i, j| along[*i].total_cmp(&along[*j])).unwrap_or(0);
            Some(std::array::from_fn(|k| if k == least { 1.0 } else { 0.0 }))
        }
    };
    Some(Member {
        nodes: ends,
        mass: mass?,
        axial_stiffness: axial?,
        bending_stiffness: bending,
        torsional_stiffness: torsional?,
        y: y?,
    })
}

/// A file of modal data with its path, or its text in place.
fn modal_file(node: &Node<'_>) -> Option<(ModalFile, Option<PathBuf>)> {
    let text = node.text()?;
    if text.trim_start().starts_with('{') {
        let read =
            ModalFile::parse(text).map_err(|found| node.report(found.to_string(), |problem| problem)).ok()?;
        return Some((read, None));
    }
    let path = node.document().beside(text);
    if is_csv(&path) {
        node.report("a CSV table of modes has no frequencies", |problem| {
            problem.advise(format!("give modal = {{ file = {text:?}, frequencies = [..] }}"))
        });
        return None;
    }
    Some((json(node, &path)?, Some(path)))
}

fn is_csv(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
}

fn json(node: &Node<'_>, path: &Path) -> Option<ModalFile> {
    let read = input::read(path, Longest::MODAL).map_err(|refused| refused.to_string());
    let read = read.and_then(|bytes| String::from_utf8(bytes).map_err(|_| "is not UTF-8 text".to_string()));
    let content = match read {
        Ok(content) => content,
        Err(_) if !path.exists() => {
            node.report_missing_file(path);
            return None;
        }
        Err(error) => {
            node.report(in_file(Some(path), &error), |problem| problem);
            return None;
        }
    };
    ModalFile::parse(&content)
        .map_err(|found| node.report(in_file(Some(path), &found.to_string()), |problem| problem))
        .ok()
}

/// A CSV table with what stands beside it, or a JSON file; and its path.
fn modal_table_or_file(table: &Table<'_>) -> Option<(ModalFile, PathBuf)> {
    let orthonormalise = table.read("orthonormalise");
    let frequencies: Option<Option<Vec<f64>>> = table.read("frequencies");
    let stiffness = table.get("stiffness").map(|node| each(&node, |row| row.numbers()));
    let node = table.get("file")?;
    let path = node.document().beside(node.text()?);
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        let beside = ["frequencies", "stiffness", "orthonormalise"].into_iter().find(|key| table.has(key));
        if let Some(node) = beside.and_then(|key| table.get(key)) {
            node.report("stands in the JSON file itself", |problem| problem.advise("leave it out here"));
            return None;
        }
        return Some((json(&node, &path)?, path));
    }
    if !is_csv(&path) {
        node.refuse("a file of modes", "give a .csv or .json file");
        return None;
    }
    if !path.exists() {
        node.report_missing_file(&path);
        return None;
    }
    let given = table.exactly_one(&["frequencies", "stiffness"]);
    let nodes = modal_table::read(&path).map_err(|problems| node.document().adopt(problems)).ok();
    let (given, nodes, orthonormalise) = (given?, nodes?, orthonormalise?);
    let (frequencies, stiffness) = match given {
        "frequencies" => (frequencies?, None),
        _ => (None, Some(stiffness??)),
    };
    let modes = nodes.first().map_or(0, |node| node.shapes.len());
    let fits = match (&frequencies, &stiffness) {
        (Some(frequencies), _) => frequencies.len() == modes,
        (_, Some(rows)) => rows.len() == modes && rows.iter().all(|row| row.len() == modes),
        _ => false,
    };
    if let Some(node) = table.get(given).filter(|_| !fits) {
        let wanted = match given {
            "frequencies" => format!("{modes} frequencies"),
            _ => format!("{modes} rows of {modes} numbers"),
        };
        node.refuse(&wanted, &format!("{} has {modes} modes", tidy(&path).display()));
        return None;
    }
    let nodes = modal_file::Nodes { nodes, frequencies, stiffness, orthonormalise };
    Some((ModalFile::Nodes(nodes), path))
}

/// That the shapes of a mode, which are columns of a table, are not orthogonal to rigid motion.
fn of_columns(path: &Path, found: &NotOrthogonal) -> Problem {
    Problem {
        file: tidy(path),
        line: Some(1),
        key: format!("mode{}", found.mode),
        found: found.motion.to_string(),
        nearest: None,
        advice: Some("add orthonormalise = true beside `file` to free the modes of rigid motion".to_string()),
        allowed: Vec::new(),
    }
}
