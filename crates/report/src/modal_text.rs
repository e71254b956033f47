//! The modal data of a flexible body as text, as `polhode check` prints it.

use nalgebra::{DMatrix, Matrix3, Vector3};

use polhode_description::base::{quantity, significant};
use polhode_description::describe::Flexible;
use polhode_description::flexible::Floating;
use polhode_engine::observe::channels;

/// Frequencies farther from a mode's own than this share show that the modes couple.
const COUPLED: f64 = 1e-6;

/// The channel of mode k, by which every line names it.
fn channel(k: usize) -> String {
    channels::AMPLITUDE.of_mode(k as u8).name().into_owned()
}

/// Returns the lines that matter at a glance: modes in the order of their channels, mass, where the
/// frame is if it is attached, the longest step.
///
/// The frequency beside a damping ratio is the mode's own, `sqrt(K_kk / M_kk)/(2 pi)`, to which the
/// ratio refers; those of all modes together, of the body that floats, are listed where modes
/// couple.
pub fn summary(name: &str, flexible: &Flexible) -> Vec<String> {
    let c = &flexible.modal.constants;
    let scale = flexible.stiffness_scale.sqrt() / std::f64::consts::TAU;
    let own: Vec<f64> = (0..flexible.modes())
        .map(|k| (c.stiffness[(k, k)] / c.modal_mass[(k, k)]).max(0.0).sqrt() * scale)
        .collect();
    let together: Vec<f64> = flexible.modal.frequencies().iter().map(|w| w * scale).collect();
    let mut sorted = own.clone();
    sorted.sort_by(f64::total_cmp);
    let couple = sorted.iter().zip(&together).any(|(a, b)| (a - b).abs() > COUPLED * b.abs());
    let mode = |(k, (own, damping)): (usize, (&f64, &f64))| {
        format!("{} {own:.4} Hz (damping ratio {damping})", channel(k))
    };
    let modes: Vec<String> = own.iter().zip(&flexible.damping).enumerate().map(mode).collect();
    let largest = |of: &mut dyn Iterator<Item = f64>| of.fold(0.0, |l: f64, x| l.max(x.abs()));
    let j1 = largest(&mut c.j1.iter().map(|m| m.amax()));
    let g = largest(&mut c.g.iter().flatten().map(|v| v.amax()));
    let mass = c.modal_mass.diagonal();
    let of_inertia = |x: f64, digits: usize| quantity(x, digits, "kg m²");
    let mut lines = vec![
        format!("\"{name}\", {} modes: {}", flexible.modes(), modes.join(", ")),
        format!(
            "mass {}, J0 {} {} {} about x, y, z, modal masses {} to {}, largest J1 {}, G {}",
            quantity(c.mass, 7, "kg"),
            significant(c.inertia[(0, 0)], 5),
            significant(c.inertia[(1, 1)], 5),
            of_inertia(c.inertia[(2, 2)], 5),
            significant(mass.min(), 5),
            of_inertia(mass.max(), 5),
            of_inertia(j1, 4),
            of_inertia(g, 4)
        ),
        match flexible.largest_step() {
            step if step.is_finite() => {
                format!("largest stable step of the staggered method {}", quantity(step, 4, "s"))
            }
            _ => "no mode has stiffness of its own".to_string(),
        },
    ];
    if couple {
        let hertz: Vec<String> = together.iter().map(|f| format!("{f:.4}")).collect();
        lines.insert(1, format!("the modes couple: the floating body vibrates with {} Hz", hertz.join(" ")));
    }
    if let Floating::Attached(at) = flexible.frame {
        let list = |v: [f64; 3]| format!("[{}]", v.map(|x| format!("{x:.4}")).join(", "));
        let by_mode =
            |all: &[Vector3<f64>]| all.iter().map(|v| list((*v).into())).collect::<Vec<_>>().join(" ");
        let text = format!(
            "frame attached at {} m; from there: r_cm {} m; by mode: s {} m, alpha {} kg m²",
            list(at),
            list(c.centre.into()),
            by_mode(&c.s),
            by_mode(&c.alpha)
        );
        lines.insert(lines.len() - 1, text);
    }
    lines
}

/// All that the equations of motion use (see [`polhode_description::flexible::constants`]), body
/// axes about the mass centre, a shape being how far a point goes (m) for a modal coordinate of 1;
/// and the shapes at the points that have names.
pub fn constants(flexible: &Flexible) -> Vec<String> {
    let c = &flexible.modal.constants;
    let n = flexible.modes();
    let mut lines = vec![format!("r_cm {} m", vector(&c.centre)), format!("J0 {} kg m²", matrix(&c.inertia))];
    let largest = |of: &dyn Fn(usize) -> f64| (0..n).map(of).fold(0.0, f64::max);
    let size = |k: usize| c.modal_mass[(k, k)].sqrt();
    let s = largest(&|k| c.s[k].norm() * c.mass.sqrt() / size(k));
    let alpha = largest(&|k| c.alpha[k].norm() / (c.inertia.trace().sqrt() * size(k)));
    lines.push(match flexible.frame {
        Floating::Buckens => format!(
            "Buckens frame: s and alpha vanish, at most {} and {} of sqrt(M_kk/M) and sqrt(tr J0 M_kk)",
            significant(s, 2),
            significant(alpha, 2)
        ),
        Floating::Attached(_) => {
            format!("attached frame: s and alpha up to {s:.3} sqrt(M_kk/M) and {alpha:.3} sqrt(tr J0 M_kk)")
        }
    });
    lines.push(format!("M_ij {} kg m²", square(&c.modal_mass)));
    lines.push(format!("K_ij {} N m", square(&(&c.stiffness * flexible.stiffness_scale))));
    for k in 0..n {
        lines.push(format!(
            "{}: J1 {} kg m², s {} m, alpha {} kg m²",
            channel(k),
            matrix(&c.j1[k]),
            vector(&c.s[k]),
            vector(&c.alpha[k])
        ));
    }
    for i in 0..n {
        for j in i..n {
            let g = if i == j { String::new() } else { format!(", G {} kg m²", vector(&c.g[i][j])) };
            lines.push(format!("{}, {}: J2 {} kg m²{g}", channel(i), channel(j), matrix(&c.j2[i][j])));
        }
    }
    for (name, at) in flexible.modal.named() {
        let Ok(local) = flexible.modal.local(at) else { continue };
        lines.push(format!("point `{name}` at {} m", vector(&at.into())));
        for (k, phi) in local.shapes.iter().enumerate() {
            let theta = match &local.turns {
                Some(turns) => format!("theta {} rad", vector(&turns[k])),
                None => "theta not known".to_string(),
            };
            lines.push(format!("  {}: phi {} m, {theta}", channel(k), vector(phi)));
        }
    }
    lines
}

fn list(numbers: impl Iterator<Item = f64>) -> String {
    // 0 + x, so that no zero has a sign.
    format!("[{}]", numbers.map(|x| significant(0.0 + x, 7)).collect::<Vec<_>>().join(", "))
}

fn vector(v: &Vector3<f64>) -> String {
    list(v.iter().copied())
}

fn matrix(m: &Matrix3<f64>) -> String {
    rows((0..3).map(|i| list((0..3).map(|j| m[(i, j)]))))
}

fn square(m: &DMatrix<f64>) -> String {
    rows((0..m.nrows()).map(|i| list((0..m.ncols()).map(|j| m[(i, j)]))))
}

fn rows(rows: impl Iterator<Item = String>) -> String {
    format!("[{}]", rows.collect::<Vec<_>>().join(", "))
}
