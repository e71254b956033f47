//! W84: flexible bodies in a floating frame.

use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

use super::measures::accurate_at;
use super::{Claim, Context, Criterion, Evidence, Failure, Judged, Measured, Says, Trial};
use polhode::describe::{Attached, Mechanism, Point};
use polhode::elements::spring::Spring;
use polhode::flexible::beam::{BeamDeflection, Boundary, ModalBeam, Pull, TransverseDirection};
use polhode::flexible::{Constants, Modal, Particle};
use polhode::math::symmetric::{symmetric_eigen, symmetric_eigenvalues};
use polhode::math::vector::length;
use polhode::methods::gear_nordsieck;
use polhode::observe::channels;
use polhode::study::yardsticks::{double_pendulum, free_body};

/// (m), (N), (Pa), (kg/m³).
const INCH: f64 = 0.0254;
const POUND: f64 = 4.448_221_615_260_5;
const POUND_PER_SQUARE_INCH: f64 = POUND / (INCH * INCH);
const POUND_MASS_PER_CUBIC_INCH: f64 = 0.453_592_37 / (INCH * INCH * INCH);

/// 36 in long and 1/4 in square (p. 110).
pub const LENGTH: f64 = 36.0 * INCH;
pub const SIDE: f64 = 0.25 * INCH;

/// The material is not printed. Handbook values of steel, which give all three printed free
/// frequencies to their last digit.
const YOUNGS_MODULUS: f64 = 30e6 * POUND_PER_SQUARE_INCH;
pub const DENSITY: f64 = 0.28 * POUND_MASS_PER_CUBIC_INCH;

/// Stiffness of bending, either way (N m²).
pub const STIFFNESS: f64 = YOUNGS_MODULUS * SIDE * SIDE * SIDE * SIDE / 12.0;

/// Free frequencies (Hz) of p. 110.
const FREE: [f64; 3] = [40.3, 111.2, 217.9];

/// A case of figure 7.2 with what table 7.1 prints of it: its frequencies (Hz) and its deflections
/// (in) under 1 lb with half a unit of their last digit, each headed "theoretical" and
/// "calculated".
pub struct Case {
    pub boundary: Boundary,
    pub name: &'static str,
    frequencies: [f64; 2],
    deflections: [(f64, f64); 2],
    /// Printed errors of what is headed calculated (%): of the deflection, with half a unit of its
    /// last digit, and of the frequency.
    errors: [(f64, f64); 2],
    /// Distance of the load from the middle, in lengths; the report does not say it, but its
    /// deflections do.
    pub load: f64,
    /// Which places are held, displacements and slopes (`true`).
    rows: &'static [(f64, bool)],
}

const START: f64 = -LENGTH / 2.0;
const END: f64 = LENGTH / 2.0;

/// Our scan has 17.46 for 17.86 Hz, 1.0994 for 0.0994 in and 1.1.45 for 1.145 in; the errors
/// printed beside them are those of these.
pub const CASES: [Case; 4] = [
    Case {
        boundary: Boundary::SimplySupported,
        name: "simply supported",
        frequencies: [17.86, 17.77],
        deflections: [(0.0994, 5e-5), (0.0992, 5e-5)],
        errors: [(0.2, 0.05), (0.5, 0.05)],
        load: 0.0,
        rows: &[(START, false), (END, false)],
    },
    Case {
        boundary: Boundary::Cantilever,
        name: "cantilever",
        frequencies: [7.8125, 6.34],
        deflections: [(1.59, 5e-3), (1.145, 5e-4)],
        errors: [(28.0, 0.05), (19.0, 0.05)],
        load: 0.5,
        rows: &[(START, false), (START, true)],
    },
    Case {
        boundary: Boundary::FixedHinged,
        name: "fixed-hinged",
        frequencies: [35.71, 27.73],
        deflections: [(0.0435, 5e-5), (0.0277, 5e-5)],
        errors: [(36.3, 0.05), (22.3, 0.05)],
        load: 0.0,
        rows: &[(START, false), (START, true), (END, false)],
    },
    Case {
        boundary: Boundary::FixedFixed,
        name: "fixed-fixed",
        frequencies: [62.5, 40.3],
        deflections: [(0.0248, 5e-5), (0.0136, 5e-5)],
        errors: [(45.2, 0.05), (35.5, 0.05)],
        load: 0.0,
        rows: &[(START, false), (START, true), (END, false), (END, true)],
    },
];

/// A pendulum: only one end is held, by a hinge.
const HINGED: &[(f64, bool)] = &[(START, false)];

/// Free modes of the simulations (p. 110).
pub const MODES: usize = 3;

/// Uncertainty that the printed digits and the unknown material leave, as a share.
const NEAR: f64 = 0.005;

/// The frequencies headed theoretical are those of 56, 128, 28 and 16 ms: periods, to 4 ms (s).
const PERIODS: f64 = 0.004;

/// The beam with bending in one plane: modes of these ends, or the deflection alone under a force
/// at `load` (m).
fn beam(boundary: Boundary, modes: usize, load: Option<f64>) -> Result<Modal, Failure> {
    let deflection = |at| BeamDeflection { at, direction: TransverseDirection::Y };
    let beam = ModalBeam {
        length: LENGTH,
        mass: DENSITY * SIDE * SIDE * LENGTH,
        // Nothing turns about the axis.
        polar_inertia: 1e-6,
        bending_stiffness: [STIFFNESS; 2],
        axial_stiffness: 1.0,
        torsional_stiffness: 1.0,
        boundary,
        modes: [modes, 0, 0, 0],
        deflections: load.map(deflection).into_iter().collect(),
        masses: None,
        centrifugal_stiffening: false,
        pull: Pull::NONE,
    };
    beam.modal().map_err(|_| Failure::Missing("the modes of the beam"))
}

/// The beam held by joints, linearised: rigid motion and modes in the null space of the constraint
/// rows. Unknowns are scaled to unit mass.
pub struct Held {
    modal: Modal,
    /// Roots of the masses.
    roots: Vec<f64>,
    /// Motions that the joints leave, and their stiffness.
    basis: DMatrix<f64>,
    stiffness: DMatrix<f64>,
}

impl Held {
    fn new(modal: Modal, rows: &[(f64, bool)]) -> Result<Held, Failure> {
        let n = modal.modes();
        let c = &modal.constants;
        let masses = [c.mass, c.inertia[(2, 2)]].into_iter().chain((0..n).map(|k| c.modal_mass[(k, k)]));
        let roots: Vec<f64> = masses.map(f64::sqrt).collect();
        let stiffness = DMatrix::from_fn(n + 2, n + 2, |i, j| {
            if i < 2 || j < 2 { 0.0 } else { c.stiffness[(i - 2, j - 2)] / (roots[i] * roots[j]) }
        });
        let mut beam = Held { modal, roots, basis: DMatrix::zeros(0, 0), stiffness };
        let rows: Vec<_> = rows.iter().map(|(x, turn)| beam.row(*x, *turn)).collect::<Result<_, _>>()?;
        let constraint = DMatrix::from_columns(&rows);
        let eigen = symmetric_eigen(&constraint * constraint.transpose())
            .ok_or(Failure::Missing("finite shapes at the ends"))?;
        let free: Vec<_> = (0..n + 2)
            .filter(|i| eigen.eigenvalues[*i] < 1e-12 * eigen.eigenvalues.amax())
            .map(|i| eigen.eigenvectors.column(i).into_owned())
            .collect();
        if free.is_empty() {
            return Err(Failure::Missing("a motion that the ends leave"));
        }
        beam.basis = DMatrix::from_columns(&free);
        beam.stiffness = beam.basis.transpose() * beam.stiffness * &beam.basis;
        Ok(beam)
    }

    /// The case by this many free modes and constraints.
    pub fn by_free_modes(case: &Case, modes: usize) -> Result<Held, Failure> {
        Held::new(beam(Boundary::Free, modes, None)?, case.rows)
    }

    /// The case by this many modes of its own ends, freed of rigid motion.
    pub fn by_own_modes(case: &Case, modes: usize) -> Result<Held, Failure> {
        Held::new(beam(case.boundary, modes, None)?, case.rows)
    }

    /// The case by the shape that it takes under its load.
    pub fn by_deflection(case: &Case) -> Result<Held, Failure> {
        Held::new(beam(case.boundary, 0, Some(case.load * LENGTH))?, case.rows)
    }

    /// Returns the coefficients of the unknowns in the displacement or slope at x (m).
    fn row(&self, x: f64, turn: bool) -> Result<DVector<f64>, Failure> {
        let local = self.modal.local([x, 0.0, 0.0]).map_err(|_| Failure::Missing("a point of the beam"))?;
        let turns = local.turns.ok_or(Failure::Missing("the slope of the beam"))?;
        let rigid = if turn { [0.0, 1.0] } else { [1.0, x] };
        let elastic = (0..self.modal.modes()).map(|k| if turn { turns[k].z } else { local.shapes[k].y });
        let values = rigid.into_iter().chain(elastic).zip(&self.roots).map(|(value, root)| value / root);
        Ok(DVector::from_iterator(self.roots.len(), values))
    }

    /// In ascending order, without rigid motion that the joints leave (Hz).
    fn frequency(&self) -> Result<f64, Failure> {
        let values =
            symmetric_eigenvalues(self.stiffness.clone()).ok_or(Failure::Missing("a finite stiffness"))?;
        let elastic = values.iter().copied().filter(|value| *value > 1e-9 * values.amax());
        Ok(elastic.fold(f64::INFINITY, f64::min).sqrt() / std::f64::consts::TAU)
    }

    /// Static deflections (m) at these places (m) under 1 lb at `load` (m).
    pub fn deflections(&self, load: f64, places: &[f64]) -> Result<Vec<f64>, Failure> {
        let force = self.basis.transpose() * self.row(load, false)? * POUND;
        let solved = self.stiffness.clone().lu().solve(&force).ok_or(Failure::Missing("a deflection"))?;
        let moved = &self.basis * solved;
        places.iter().map(|x| Ok(self.row(*x, false)?.dot(&moved))).collect()
    }

    /// Where the load is (in).
    fn deflection(&self, case: &Case) -> Result<f64, Failure> {
        let load = case.load * LENGTH;
        Ok(self.deflections(load, &[load])?[0] / INCH)
    }
}

/// By beam theory (in): L³/48, /3, 7/768 and /192 of P/EI.
fn theory(case: &Case) -> f64 {
    let share = match case.boundary {
        Boundary::SimplySupported => 1.0 / 48.0,
        Boundary::Cantilever => 1.0 / 3.0,
        Boundary::FixedHinged => 7.0 / 768.0,
        Boundary::FixedFixed | Boundary::Free => 1.0 / 192.0,
    };
    share * POUND * LENGTH.powi(3) / STIFFNESS / INCH
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
            those of three free modes and constraints: these are frequencies of periods of 56, 128, 28 and \
            16 ms, to 4 ms, as they are read from rows. Steel of 30e6 psi and 0.28 lb/in^3 has all three \
            free frequencies that are printed.",
    condition: Some("the two columns are interchanged"),
    measure: |_| {
        let mut measured = Vec::new();
        for case in &CASES {
            let ([theoretical, calculated], name) = (case.frequencies, case.name);
            // The beam's own mode is exact.
            let theory = Held::by_own_modes(case, 1)?.frequency()?;
            let simulated = Held::by_free_modes(case, MODES)?.frequency()?;
            let share = |what: String, value: f64| Measured::new(format!("{name}: {what}"), value, "1");
            measured.extend([
                share("theory, of what is headed theoretical".into(), theory / theoretical)
                    .claimed(Criterion::Near(1.0, NEAR)),
                share("theory, of what is headed calculated".into(), theory / calculated)
                    .on_condition(Criterion::Near(1.0, NEAR)),
                share(format!("{MODES} free modes, of what is headed theoretical"), simulated / theoretical),
            ]);
            measured.push(Measured::new(format!("{name}: theory"), theory, "Hz"));
            measured.push(Measured::new(format!("{name}: {MODES} free modes"), simulated, "Hz"));
            let period = (1.0 / theoretical / PERIODS).round() * PERIODS;
            let period = Criterion::Between(period - PERIODS / 2.0, period + PERIODS / 2.0);
            let of_modes =
                Measured::new(format!("{name}: period by {MODES} free modes"), 1.0 / simulated, "s");
            // Nothing finer than the rows can be asked of it.
            measured.push(of_modes.on_condition(period));
        }
        for (free, printed) in beam(Boundary::Free, MODES, None)?.frequencies().iter().zip(FREE) {
            let own =
                Measured::new(format!("free mode, printed {printed}"), free / std::f64::consts::TAU, "Hz");
            measured.push(own.found(Criterion::Between(printed - 0.05, printed + 0.05)));
        }
        Ok(Evidence { measured, figures: vec![] })
    },
};

pub const DEFLECTIONS: Claim = Claim {
    id: "w84-deflections",
    title: "Deflections of a beam with held ends, as printed",
    says: &[Says {
        report: "W84",
        place: "table 7.1, p. 111",
        text: "Under 1 lb a beam of 36 in and 1/4 in square bends by 0.0994, 1.59, 0.0435 and 0.0248 in by \
               theory, and by 0.0992, 1.145, 0.0277 and 0.0136 in with three free modes.",
    }],
    judged: Judged::Report,
    found: "With the thesis's beam and 30e6 psi (ours: it prints no material) theory gives 0.0995, 1.593, \
            0.0435 and 0.0249 in: two of the printed ones are one too low in the last digit. Three free \
            modes give 0.0988, 1.155, 0.0263 and 0.0136 in: only the last is as printed, the others are off \
            by 0.4, 0.9 and 5 %, whatever the material, since shares of theory do not depend on it.",
    condition: None,
    measure: |_| {
        let mut measured = Vec::new();
        for (case, found) in CASES.iter().zip([0.9927, 0.7253, 0.6036, 0.5448]) {
            let simulated = Held::by_free_modes(case, MODES)?.deflection(case)?;
            let theory = theory(case);
            let both = [("theory".to_string(), theory), (format!("{MODES} free modes"), simulated)];
            for ((how, inches), (printed, half)) in both.into_iter().zip(case.deflections) {
                let name = format!("{}: {how}, printed {printed}", case.name);
                // A value as printed must not be refused for rounding in the eleventh digit.
                let room = half * (1.0 + 1e-6);
                let criterion = Criterion::Between(printed - room, printed + room);
                measured.push(Measured::new(name, inches, "in").claimed(criterion));
            }
            let of_theory =
                |what: &str, share: f64| Measured::new(format!("{}: {what}", case.name), share, "1");
            let [(a, _), (b, _)] = case.deflections;
            let share = format!("{MODES} free modes, of theory");
            measured.push(of_theory(&share, simulated / theory).found(Criterion::Near(found, 1e-3)));
            measured.push(of_theory("the same by the print", b / a));
        }
        Ok(Evidence { measured, figures: vec![] })
    },
};

pub const ERRORS: Claim = Claim {
    id: "w84-errors",
    title: "Errors of a beam with held ends, as printed",
    says: &[Says {
        report: "W84",
        place: "table 7.1, p. 111",
        text: "The deflections headed calculated are off by 0.2, 28.0, 36.3 and 45.2 % of those headed \
               theoretical, the frequencies by 0.5, 19.0, 22.3 and 35.5 %.",
    }],
    judged: Judged::Report,
    found: "Seven of the eight follow from the printed columns to the last digit; the cantilever's \
            frequencies give 18.8 %. Against theory the frequencies of three free modes are 0.3, 24.7, 29.5 \
            and 57.3 % too high, since the two columns are interchanged.",
    condition: Some("the cantilever's 19.0 % stands for the 18.8 % of its own columns"),
    measure: |_| {
        let mut measured = Vec::new();
        for (case, found) in CASES.iter().zip([0.003, 0.247, 0.295, 0.573]) {
            let [(theory, _), (simulated, _)] = case.deflections;
            let [theoretical, calculated] = case.frequencies;
            let printed =
                [("deflection", 1.0 - simulated / theory), ("frequency", 1.0 - calculated / theoretical)];
            for ((what, error), (printed, half)) in printed.into_iter().zip(case.errors) {
                let name = format!("{}: error of the {what}, printed {printed} %", case.name);
                let measure = || Measured::new(name.clone(), 100.0 * error, "%");
                let criterion = Criterion::Between(printed - half, printed + half);
                measured.push(measure().claimed(criterion));
                if printed != 19.0 {
                    measured.push(measure().on_condition(criterion));
                }
            }
            let modes = Held::by_free_modes(case, MODES)?.frequency()?;
            let off = modes / Held::by_own_modes(case, 1)?.frequency()? - 1.0;
            let name = format!("{}: frequency of {MODES} free modes, off theory", case.name);
            let near = Criterion::Between(found - 0.0015, found + 0.0015);
            measured.push(Measured::new(name, off, "1").found(near));
        }
        Ok(Evidence { measured, figures: vec![] })
    },
};

pub const FIRST_MODE: Claim = Claim {
    id: "w84-first-mode",
    title: "A simply supported beam by its first free mode alone",
    says: &[Says {
        report: "W84",
        place: "7.2, p. 111",
        text: "Without the second and the third free mode deflection and frequency of the simply supported \
               beam change by less than one percent.",
    }],
    judged: Judged::Report,
    found: "The deflection changes by 0.11 %, the frequency by 1.10 %: to the nearest percent, not to less \
            than one.",
    condition: Some("a percent is meant to the nearest one"),
    measure: |_| {
        let (one, three) = (Held::by_free_modes(&CASES[0], 1)?, Held::by_free_modes(&CASES[0], MODES)?);
        let deflection = 100.0 * (one.deflection(&CASES[0])? / three.deflection(&CASES[0])? - 1.0).abs();
        let frequency = 100.0 * (one.frequency()? / three.frequency()? - 1.0).abs();
        let claims = |name: &str, change: f64| {
            let measure = || Measured::new(name, change, "%");
            [measure().claimed(Criterion::AtMost(1.0)), measure().on_condition(Criterion::AtMost(1.5))]
        };
        let measured =
            [claims("change of the deflection", deflection), claims("change of the frequency", frequency)];
        Ok(Evidence { measured: measured.concat(), figures: vec![] })
    },
};

/// Percent of a cantilever's deflection that the first, second, ... sixth free mode adds (pp.
/// 111-112), half a unit of their last digit, and what six make together.
const SHARES: [(f64, f64); 6] =
    [(53.0, 0.5), (11.0, 0.5), (10.0, 0.5), (4.6, 0.05), (4.2, 0.05), (2.5, 0.05)];
const TOGETHER: f64 = 86.4;

pub const FREE_MODES: Claim = Claim {
    id: "w84-free-modes",
    title: "How much of a cantilever's deflection free modes give",
    says: &[Says {
        report: "W84",
        place: "7.2, pp. 111-112",
        text: "By hand: the first six free modes add 53, 11, 10, 4.6, 4.2 and 2.5 % of a cantilever's \
               deflection, 86.4 % together.",
    }],
    judged: Judged::Report,
    found: "They add 51.8, 10.8, 9.9, 4.4, 4.0 and 2.3 %, 83.3 % together: each is less than printed, two by \
            less than the print rounds. The printed shares add up to 85.3, not 86.4. That free modes \
            converge slowly holds.",
    condition: None,
    measure: |_| {
        let case = &CASES[1];
        let theory = theory(case);
        let mut measured = Vec::new();
        let mut before = 0.0;
        for (k, (printed, half)) in SHARES.into_iter().enumerate() {
            let now = 100.0 * Held::by_free_modes(case, k + 1)?.deflection(case)? / theory;
            let name = format!("what free mode {} adds, printed {printed}", k + 1);
            let criterion = Criterion::Between(printed - half, printed + half);
            measured.push(Measured::new(name, now - before, "%").claimed(criterion));
            before = now;
        }
        let criterion = Criterion::Between(TOGETHER - 0.05, TOGETHER + 0.05);
        measured.push(Measured::new("six free modes, printed 86.4", before, "%").claimed(criterion));
        let printed = SHARES.iter().map(|(share, _)| share).sum();
        measured.push(
            Measured::new("sum of the printed shares", printed, "%").found(Criterion::Between(85.25, 85.35)),
        );
        let many = 100.0 * Held::by_free_modes(case, 20)?.deflection(case)? / theory;
        measured.push(Measured::new("twenty free modes", many, "%").found(Criterion::AtMost(95.0)));
        Ok(Evidence { measured, figures: vec![] })
    },
};

pub const HELD_SHAPES: Claim = Claim {
    id: "w84-held-shapes",
    title: "Shapes of held ends in place of free modes",
    says: &[Says {
        report: "W84",
        place: "7.2, pp. 112-113",
        text: "Modes natural to the held ends, or the static deflection, made orthogonal to rigid motion by \
               Gram and Schmidt, give accurate results.",
    }],
    judged: Judged::Report,
    found: "Three own modes of each of the four kinds of ends give the frequency exactly and the deflection \
            within 0.7 %; the static deflection alone gives the deflection exactly and the frequency within \
            2 %.",
    condition: None,
    measure: |_| {
        let mut measured = Vec::new();
        for case in &CASES {
            let (own, shape) = (Held::by_own_modes(case, MODES)?, Held::by_deflection(case)?);
            let exact = Held::by_own_modes(case, 1)?.frequency()?;
            let share = |what: &str, value: f64| Measured::new(format!("{}: {what}", case.name), value, "1");
            let near = |within| Criterion::Near(1.0, within);
            measured.extend([
                share("frequency by 3 own modes, of theory", own.frequency()? / exact).claimed(near(1e-6)),
                share("deflection by 3 own modes, of theory", own.deflection(case)? / theory(case))
                    .claimed(near(0.01)),
                share("deflection by its own shape, of theory", shape.deflection(case)? / theory(case))
                    .claimed(near(1e-4)),
                share("frequency by the deflection alone, of theory", shape.frequency()? / exact)
                    .claimed(near(0.02)),
            ]);
        }
        Ok(Evidence { measured, figures: vec![] })
    },
};

pub const SUPERPOSITION: Claim = Claim {
    id: "w84-superposition",
    title: "Rigid motion and deformation superposed",
    says: &[Says {
        report: "W84",
        place: "7.2, p. 113",
        text: "Bodies whose deformation is driven by the forces of the rigid motion, and does not act back, \
               vibrate at higher frequencies than in the coupled run; observed in three mechanisms.",
    }],
    judged: Judged::Unprinted,
    found: "The three mechanisms are not printed; ours is the beam of table 7.1. A body that nothing acts \
            back on vibrates with its free modes. With a hinge at one end, or held so that its joints' \
            forces follow from equilibrium, these are higher, as observed. Where rigid motion does not \
            determine the joints' forces, nothing can be superposed; coupled, three free modes between two \
            fixed ends vibrate at 63 Hz, free at 40 Hz.",
    condition: None,
    measure: |_| {
        let free = beam(Boundary::Free, MODES, None)?.frequencies()[0] / std::f64::consts::TAU;
        let mut measured = vec![Measured::new("superposed, any ends", free, "Hz")];
        let cases = CASES.iter().map(|case| (case.name, case.rows));
        for (name, rows) in [("hinge at one end", HINGED)].into_iter().chain(cases) {
            let coupled = Held::new(beam(Boundary::Free, MODES, None)?, rows)?.frequency()?;
            measured.push(Measured::new(format!("{name}: coupled"), coupled, "Hz"));
            let share = Measured::new(format!("{name}: superposed, of coupled"), free / coupled, "1");
            // Two rows are all that rigid motion in a plane needs.
            measured.push(if rows.len() <= 2 { share.claimed(Criterion::AtLeast(1.0)) } else { share });
        }
        Ok(Evidence { measured, figures: vec![] })
    },
};

/// Frequency (rad/s) and damping ratio of a rod that a bob of 1 kg hangs on, as a spring along it.
const ROD_FREQUENCY: f64 = 1000.0;
const ROD_DAMPING: f64 = 2.0;

/// Duration of the swing (s), and the output step of the implicit method (s).
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
    says: &[
        Says {
            report: "W84",
            place: "1.8, pp. 21-23",
            text: "Where fast components have died out, an integrator that is not stable has to cut \
                its step; a stiff one can take large steps and still follow the motion.",
        },
        Says {
            report: "W84",
            place: "1.8, p. 25; app. A",
            text: "Gear's integrator takes mixed sets of second-order, first-order and algebraic equations.",
        },
    ],
    judged: Judged::Report,
    found: "With a rod of 10^6 N/m and 4000 N s/m that holds a bob of 1 kg, ours, rk4 is stable up to 2.785 \
            over the fastest rate; bdf and the thesis's integrator, gear_nordsieck, follow the motion with \
            output steps of 50 ms. gear_nordsieck does so for a double pendulum, whose joints are its \
            algebraic equations.",
    condition: None,
    measure: |context| {
        let pendulum = stiff_pendulum();
        let exact = &accurate_at(&pendulum, &[SWING])?[0].bodies[0].position;
        let off = |method: &'static str, steps: u64| -> Result<f64, Failure> {
            let trial = Trial::new(&pendulum, method, SWING / steps as f64, steps);
            let history = trial.run(context, &[channels::POSITION])?;
            let last =
                |k: usize| history.series(channels::POSITION, k, 0).last().copied().unwrap_or(f64::NAN);
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
            Measured::new(
                "gear_nordsieck: error of the position after 2 s",
                off(gear_nordsieck::CARD.name, implicit)?,
                "m",
            )
            .claimed(Criterion::AtMost(1e-4)),
            Measured::new(
                "gear_nordsieck: error of a double pendulum's tip body after 1 s",
                jointed(context)?,
                "m",
            )
            .claimed(Criterion::AtMost(1e-4)),
        ];
        Ok(Evidence { measured, figures: vec![] })
    },
};

/// The distance (m) of a double pendulum's second body from the accurate motion after 1 s, by the
/// thesis's integrator.
fn jointed(context: &Context<'_>) -> Result<f64, Failure> {
    let pendulum = double_pendulum();
    let exact = &accurate_at(&pendulum, &[1.0])?[0].bodies[1].position;
    let trial = Trial::new(&pendulum, gear_nordsieck::CARD.name, 0.1, 10).held_by("exact", &[]);
    let history = trial.run(context, &[channels::POSITION])?;
    let last = |k: usize| history.of_owner(channels::POSITION, k, 1).last().copied().unwrap_or(f64::NAN);
    Ok(length(std::array::from_fn(|k| last(k) - exact[k])))
}

/// Two masses (kg), their distance (m) and the spring's stiffness (N/m), for the thesis's symbols.
const TWO: [f64; 4] = [2.0, 3.0, 1.5, 7.0];

/// Two masses on a line with one shape each, the first at the origin.
fn two_masses(shapes: [f64; 2]) -> Result<Constants, Failure> {
    let [m1, m2, r, k] = TWO;
    let particle = |mass: f64, x: f64, shape: f64| Particle {
        mass,
        at: Vector3::new(x, 0.0, 0.0),
        // About the line alone, where points have none and a body needs some.
        inertia: Matrix3::from_diagonal(&Vector3::new(1.0, 0.0, 0.0)),
        shapes: vec![Vector3::new(shape, 0.0, 0.0)],
        turns: vec![Vector3::zeros()],
    };
    let particles = [particle(m1, 0.0, shapes[0]), particle(m2, r, shapes[1])];
    let stretch = shapes[1] - shapes[0];
    let stiffness = DMatrix::from_element(1, 1, k * stretch * stretch);
    Constants::of(&particles, stiffness).map_err(|_| Failure::Missing("the two masses"))
}

pub const TWO_MASSES: Claim = Claim {
    id: "w84-two-masses",
    title: "Constants of two masses on a spring",
    says: &[Says {
        report: "W84",
        place: "pp. 61-75",
        text: "Examples 1 and 2: with its frame on mass 1 the body has r_cm = r m2/M, s = m2/M, J0 = m2 r², \
               J1 = 2 m2 r, J2 = m2, mass m2 and stiffness k; with a floating frame r_cm = s = alpha = 0, J0 \
               = m r², J1 = 2 m r, J2 = m and mass m with m = m1 m2/M, stiffness k.",
    }],
    judged: Judged::Report,
    found: "All of them, for masses of 2 and 3 kg, 1.5 m apart, on a spring of 7 N/m, ours for the thesis's \
            symbols. We keep constants about the mass centre, and move those of example 1 to mass 1.",
    condition: None,
    measure: |_| {
        let [m1, m2, r, k] = TWO;
        let (all, reduced) = (m1 + m2, m1 * m2 / (m1 + m2));
        let across = |matrix: &Matrix3<f64>| matrix[(2, 2)];
        let mut measured = Vec::new();
        let mut ask = |name: &str, value: f64, expected: f64, unit: &'static str| {
            let near =
                if expected == 0.0 { Criterion::AtMost(1e-14) } else { Criterion::Near(expected, 1e-14) };
            measured.push(Measured::new(name, value, unit).claimed(near));
        };
        let attached = two_masses([0.0, 1.0])?;
        let (centre, s) = (attached.centre.x, attached.s[0].x);
        ask("frame on mass 1: r_cm", centre, r * m2 / all, "m");
        ask("frame on mass 1: s", s, m2 / all, "1");
        ask("frame on mass 1: J0", across(&attached.inertia) + all * centre * centre, m2 * r * r, "kg m²");
        ask("frame on mass 1: J1", across(&attached.j1[0]) + 2.0 * all * centre * s, 2.0 * m2 * r, "kg m");
        ask("frame on mass 1: J2", across(&attached.j2[0][0]), m2, "kg");
        ask("frame on mass 1: modal mass", attached.modal_mass[(0, 0)], m2, "kg");
        ask("frame on mass 1: stiffness", attached.stiffness[(0, 0)], k, "N/m");
        let floating = two_masses([-m2 / all, m1 / all])?;
        ask("floating frame: s", floating.s[0].x, 0.0, "1");
        ask("floating frame: alpha", floating.alpha[0].norm(), 0.0, "kg m");
        ask("floating frame: J0", across(&floating.inertia), reduced * r * r, "kg m²");
        ask("floating frame: J1", across(&floating.j1[0]), 2.0 * reduced * r, "kg m");
        ask("floating frame: J2", across(&floating.j2[0][0]), reduced, "kg");
        ask("floating frame: modal mass", floating.modal_mass[(0, 0)], reduced, "kg");
        ask("floating frame: stiffness", floating.stiffness[(0, 0)], k, "N/m");
        Ok(Evidence { measured, figures: vec![] })
    },
};

pub const MULTIPLIES: Claim = Claim {
    id: "w84-multiplies",
    title: "Two cross products in a row as a matrix",
    says: &[Says {
        report: "W84",
        place: "(1.4.20), p. 10",
        text: "The matrix of a x (b x .) as b a^T - (a.b) 1 takes 12 multiplies as opposed to 27.",
    }],
    judged: Judged::Report,
    found: "It does: nine products of b a^T and three of a.b against the 27 of two full matrices. Nine \
            suffice, for a.b is the trace of b a^T.",
    condition: None,
    measure: |_| {
        let (a, b) = ([0.3, -1.2, 0.7], [1.1, 0.4, -0.9]);
        let count = std::cell::Cell::new(0u32);
        let product = |x: f64, y: f64| {
            count.set(count.get() + 1);
            x * y
        };
        let tilde = |v: [f64; 3]| [[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]];
        let (first, second) = (tilde(a), tilde(b));
        let full: Vec<f64> =
            (0..9).map(|n| (0..3).map(|k| product(first[n / 3][k], second[k][n % 3])).sum()).collect();
        let of_full = count.take();
        let dot: f64 = (0..3).map(|k| product(a[k], b[k])).sum();
        let short = (0..9).map(|n| product(b[n / 3], a[n % 3]) - if n / 3 == n % 3 { dot } else { 0.0 });
        let off = short.zip(&full).map(|(short, full)| (short - full).abs()).fold(0.0, f64::max);
        Ok(Evidence {
            measured: vec![
                Measured::new("products of two matrices", f64::from(of_full), "1")
                    .claimed(Criterion::Between(27.0, 27.0)),
                Measured::new("products by (1.4.20)", f64::from(count.get()), "1")
                    .claimed(Criterion::Between(12.0, 12.0)),
                Measured::new("largest difference of the two matrices", off, "1")
                    .claimed(Criterion::AtMost(1e-15)),
            ],
            figures: vec![],
        })
    },
};
