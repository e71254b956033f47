//! W84: flexible bodies in a floating frame.

use nalgebra::DMatrix;

use super::measures::accurate_at;
use super::{Claim, Criterion, Evidence, Failure, Judged, Measured, Says, Trial};
use crate::describe::{Attached, Channel, Mechanism, Point};
use crate::elements::spring::Spring;
use crate::flexible::Modal;
use crate::flexible::beam::{Boundary, ModalBeam, Pull};
use crate::math::symmetric::{least_eigenvalue, symmetric_eigen};
use crate::math::vector::length;
use crate::study::yardsticks::free_body;

/// 36 in long and 1/4 in square (p. 110); the material is not printed: E and density fitted to the printed deflections and 217.9 Hz.
const LENGTH: f64 = 0.9144;
const SIDE: f64 = 0.00635;
const YOUNGS_MODULUS: f64 = 206_842_718_795.050_8;
const DENSITY: f64 = 7_752.902_889_460_331;

/// Ends, their name, and the frequencies (Hz) that table 7.1 prints under "theoretical" and "calculated". (Our scan has 17.46 for
/// 17.86; the printed error of 0.5 % is that of 17.86.)
const PRINTED: [(Boundary, &str, f64, f64); 4] = [
    (Boundary::SimplySupported, "simply supported", 17.86, 17.77),
    (Boundary::Cantilever, "cantilever", 7.8125, 6.34),
    (Boundary::FixedHinged, "fixed-hinged", 35.71, 27.73),
    (Boundary::FixedFixed, "fixed-fixed", 62.5, 40.3),
];

/// Free modes of the simulations (p. 110).
const MODES: usize = 3;

/// What the printed digits and the unknown material leave open.
const NEAR: f64 = 0.015;

/// The beam with bending in one plane.
fn beam(boundary: Boundary, modes: usize) -> Result<Modal, Failure> {
    let stiffness = YOUNGS_MODULUS * SIDE.powi(4) / 12.0;
    let beam = ModalBeam {
        length: LENGTH,
        mass: DENSITY * SIDE * SIDE * LENGTH,
        // Nothing turns about the axis.
        polar_inertia: 1e-6,
        bending_stiffness: [stiffness; 2],
        axial_stiffness: 1.0,
        torsional_stiffness: 1.0,
        boundary,
        modes: [modes, 0, 0, 0],
        deflections: Vec::new(),
        masses: None,
        centrifugal_stiffening: false,
        pull: Pull::NONE,
    };
    beam.modal().map_err(|_| Failure::Missing("the modes of the beam"))
}

/// The lowest frequency (Hz) of the beam held at its ends by joints, linearised: rigid motion and modes in the null space of the
/// constraint rows.
fn held(modal: &Modal, boundary: Boundary) -> Result<f64, Failure> {
    let n = modal.modes();
    let (a, b) = (-LENGTH / 2.0, LENGTH / 2.0);
    let rows: &[(f64, bool)] = match boundary {
        Boundary::Free => &[],
        Boundary::SimplySupported => &[(a, false), (b, false)],
        Boundary::Cantilever => &[(a, false), (a, true)],
        Boundary::FixedHinged => &[(a, false), (a, true), (b, false)],
        Boundary::FixedFixed => &[(a, false), (a, true), (b, false), (b, true)],
    };
    let c = &modal.constants;
    let roots: Vec<f64> = [c.mass, c.inertia[(2, 2)]]
        .into_iter()
        .chain((0..n).map(|k| c.modal_mass[(k, k)]))
        .map(f64::sqrt)
        .collect();
    let mut constraint = DMatrix::zeros(rows.len(), n + 2);
    for (i, (x, turn)) in rows.iter().enumerate() {
        let local = modal.local([*x, 0.0, 0.0]).map_err(|_| Failure::Missing("a point of the beam"))?;
        let turns = local.turns.ok_or(Failure::Missing("the slope of the beam"))?;
        let rigid = if *turn { [0.0, 1.0] } else { [1.0, *x] };
        let elastic = (0..n).map(|k| if *turn { turns[k].z } else { local.shapes[k].y });
        for (j, value) in rigid.into_iter().chain(elastic).enumerate() {
            constraint[(i, j)] = value / roots[j];
        }
    }
    let stiffness = DMatrix::from_fn(n + 2, n + 2, |i, j| {
        if i < 2 || j < 2 { 0.0 } else { c.stiffness[(i - 2, j - 2)] / (roots[i] * roots[j]) }
    });
    let eigen = symmetric_eigen(constraint.transpose() * &constraint)
        .ok_or(Failure::Missing("finite shapes at the ends"))?;
    let free: Vec<_> = (0..n + 2)
        .filter(|i| eigen.eigenvalues[*i] < 1e-12 * eigen.eigenvalues.amax())
        .map(|i| eigen.eigenvectors.column(i).into_owned())
        .collect();
    if free.is_empty() {
        return Err(Failure::Missing("a motion that the ends leave"));
    }
    let basis = DMatrix::from_columns(&free);
    let least = least_eigenvalue(basis.transpose() * stiffness * &basis);
    if least.is_nan() {
        return Err(Failure::Missing("a finite stiffness"));
    }
    Ok(least.max(0.0).sqrt() / std::f64::consts::TAU)
}

pub const BEAM_FREQUENCIES: Claim = Claim {
    id: "w84-beam-frequencies",
    title: "Frequencies of a beam with held ends",
    says: &[Says {
        report: "W84",
        place: "table 7.1, p. 111",
        text: "The column headed theoretical has the correct frequencies of a beam with held \
                ends, the column headed calculated those of simulations with free modes and \
                constraints.",
    }],
    judged: Judged::Report,
    found: "The column headed calculated has the frequencies of beam theory, the column headed theoretical \
        those of three free modes and constraints.",
    condition: Some("the two columns are interchanged"),
    measure: |_| {
        let mut measured = Vec::new();
        for (boundary, name, theoretical, calculated) in PRINTED {
            // The beam's own mode is exact.
            let theory = held(&beam(boundary, 1)?, boundary)?;
            let simulated = held(&beam(Boundary::Free, MODES)?, boundary)?;
            measured.push(
                Measured::new(
                    format!("{name}: theory, of what is headed theoretical"),
                    theory / theoretical,
                    "1",
                )
                .claimed(Criterion::Near(1.0, NEAR)),
            );
            measured.push(
                Measured::new(
                    format!("{name}: theory, of what is headed calculated"),
                    theory / calculated,
                    "1",
                )
                .on_condition(Criterion::Near(1.0, NEAR)),
            );
            measured.push(
                Measured::new(
                    format!("{name}: {MODES} free modes, of what is headed theoretical"),
                    simulated / theoretical,
                    "1",
                )
                .on_condition(Criterion::Near(1.0, NEAR)),
            );
            measured.push(Measured::new(format!("{name}: theory"), theory, "Hz"));
            measured.push(Measured::new(format!("{name}: {MODES} free modes"), simulated, "Hz"));
        }
        Ok(Evidence { measured, figures: vec![] })
    },
};

/// Frequency (rad/s) and damping ratio of a rod that a bob of 1 kg hangs on, as a spring along it.
const ROD_FREQUENCY: f64 = 1000.0;
const ROD_DAMPING: f64 = 2.0;

/// How long it swings (s), and the output step of the implicit method (s).
const SWING: f64 = 2.0;
const OUTPUT: f64 = 0.05;

/// As far along the negative axis classical Runge-Kutta is stable.
const REAL_LIMIT: f64 = 2.785;

/// A pendulum of 1 m let go level.
fn stiff_pendulum() -> Mechanism {
    let mut pendulum = free_body([0.01; 3], [1.0, 0.0, 0.0, 0.0], [0.0; 3]);
    pendulum.gravity = [0.0, 0.0, -9.81];
    pendulum.bodies[0].initial.position = [1.0, 0.0, 0.0];
    let rod = Spring {
        stiffness: ROD_FREQUENCY * ROD_FREQUENCY,
        damping: 2.0 * ROD_DAMPING * ROD_FREQUENCY,
        free_length: 1.0,
        actuator: 0.0,
    };
    let ends = [Point { body: None, at: [0.0; 3] }, Point { body: Some(0), at: [0.0; 3] }];
    pendulum.forces = vec![rod.force("rod", Attached::Points(ends))];
    pendulum
}

pub const IMPLICIT: Claim = Claim {
    id: "w84-implicit",
    title: "Stiff parts, by explicit and implicit methods",
    says: &[Says {
        report: "W84",
        place: "1.8, pp. 21-23",
        text: "Where fast components have died out, an integrator that is not stable has to cut \
                its step; a stiff one can take large steps and still follow the motion.",
    }],
    judged: Judged::Report,
    found: "With a rod of 10^6 N/m and 4000 N s/m that holds a bob of 1 kg, rk4 is stable up to 2.785 over the \
        fastest rate; bdf follows the motion with output steps of 50 ms.",
    condition: None,
    measure: |context| {
        let pendulum = stiff_pendulum();
        let exact = &accurate_at(&pendulum, &[SWING])?[0].bodies[0].position;
        let off = |method: &'static str, steps: u64| -> Result<f64, Failure> {
            let trial = Trial::new(&pendulum, method, SWING / steps as f64, steps);
            let history = trial.run(context, &[Channel::POSITION])?;
            let last = |k: usize| history.series(Channel::POSITION, k, 0).last().copied().unwrap_or(f64::NAN);
            Ok(length(std::array::from_fn(|k| last(k) - exact[k])))
        };
        // Fewest steps of rk4 that stay near the motion.
        let (mut few, mut enough) = (1000, 8000);
        while enough - few > 10 {
            let middle = (few + enough) / 2;
            if off("rk4", middle)? < 0.01 { enough = middle } else { few = middle }
        }
        let explicit = SWING / enough as f64;
        let fastest = ROD_FREQUENCY * (ROD_DAMPING + (ROD_DAMPING * ROD_DAMPING - 1.0).sqrt());
        let implicit = (SWING / OUTPUT).round() as u64;
        let measured = vec![
            Measured::new(
                "rk4: largest stable step, of 2.785 / the fastest rate",
                explicit * fastest / REAL_LIMIT,
                "1",
            )
            .claimed(Criterion::Near(1.0, 0.05)),
            Measured::new("rk4: largest stable step", explicit, "s"),
            Measured::new("rk4: error of the position after 2 s there", off("rk4", enough)?, "m"),
            // A choice of ours: nothing is asked of it.
            Measured::new("bdf: output step, of rk4's largest", OUTPUT / explicit, "1"),
            Measured::new("bdf: error of the position after 2 s", off("bdf", implicit)?, "m")
                .claimed(Criterion::AtMost(1e-5)),
        ];
        Ok(Evidence { measured, figures: vec![] })
    },
};
