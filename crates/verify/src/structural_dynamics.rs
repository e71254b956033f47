//! H92 2: central differences and Tamma and Namburu's algorithm on M X'' + K X = F, by the report's
//! own recurrences in f64.

use super::{Claim, Criterion, Evidence, Judged, Measured, Says};

/// A chain of N unit masses between unit springs, the first held by the ground, the last free.
#[derive(Clone, Copy, Debug)]
struct Chain<const N: usize>;

/// Displacements (m) and velocities (m/s).
type Pair<const N: usize> = ([f64; N], [f64; N]);

impl<const N: usize> Chain<N> {
    /// M^-1 (F - K d), `load` (N) on the last mass.
    fn acceleration(d: &[f64; N], load: f64) -> [f64; N] {
        std::array::from_fn(|i| {
            let before = if i == 0 { 0.0 } else { d[i - 1] };
            let after = d.get(i + 1).map_or(load, |next| next - d[i]);
            before - d[i] + after
        })
    }

    /// (4)-(6): d, then a from the equations, then v.
    fn three_values((d, v): Pair<N>, a: [f64; N], h: f64, load: f64) -> (Pair<N>, [f64; N]) {
        let next: [f64; N] = std::array::from_fn(|i| d[i] + h * v[i] + 0.5 * h * h * a[i]);
        let after = Self::acceleration(&next, load);
        ((next, std::array::from_fn(|i| v[i] + 0.5 * h * (a[i] + after[i]))), after)
    }

    /// (4)-(7): a is that of the step's start.
    fn central_difference(start: Pair<N>, h: f64, loads: [f64; 3]) -> Pair<N> {
        Self::three_values(start, Self::acceleration(&start.0, loads[0]), h, loads[2]).0
    }

    /// (10)-(14): the momentum by the impulse of both forces in the middle, then d by the mean
    /// velocity.
    fn tamma_namburu((d, v): Pair<N>, h: f64, loads: [f64; 3]) -> Pair<N> {
        let middle: [f64; N] = std::array::from_fn(|i| d[i] + 0.5 * h * v[i]);
        let a = Self::acceleration(&middle, loads[1]);
        let after: [f64; N] = std::array::from_fn(|i| v[i] + h * a[i]);
        (std::array::from_fn(|i| d[i] + 0.5 * h * (v[i] + after[i])), after)
    }

    /// The root mean squares of the errors of displacement and velocity over 20 s, against Tamma
    /// and Namburu's algorithm with a 64th of the step, which no jump on a step disturbs: the
    /// reference's own error is a 4096th of its error.
    fn errors(start: Pair<N>, h: f64, load: fn(f64) -> f64) -> [[f64; 2]; 2] {
        const FINER: usize = 64;
        let steps = (20.0 / h).round() as usize;
        let loads = |k: usize, h: f64| {
            let from = k as f64 * h;
            [load(from), load(from + 0.5 * h), load(from + h)]
        };
        let mut fine = start;
        let (mut central, mut tamma) = (start, start);
        let mut sums = [[0.0; 2]; 2];
        for k in 0..steps {
            central = Self::central_difference(central, h, loads(k, h));
            tamma = Self::tamma_namburu(tamma, h, loads(k, h));
            let finer = h / FINER as f64;
            for j in 0..FINER {
                fine = Self::tamma_namburu(fine, finer, loads(FINER * k + j, finer));
            }
            for (sum, (d, v)) in sums.iter_mut().zip([central, tamma]) {
                for i in 0..N {
                    sum[0] += (d[i] - fine.0[i]).powi(2);
                    sum[1] += (v[i] - fine.1[i]).powi(2);
                }
            }
        }
        sums.map(|sum| sum.map(|square: f64| (square / steps as f64).sqrt()))
    }
}

/// Trace and determinant of a step on one mass: they are its spectrum.
fn spectrum(step: fn(Pair<1>, f64, [f64; 3]) -> Pair<1>, h: f64) -> [f64; 2] {
    let column = |start| {
        let (d, v) = step(start, h, [0.0; 3]);
        [d[0], v[0]]
    };
    let (first, second) = (column(([1.0], [0.0])), column(([0.0], [1.0])));
    [first[0] + second[1], first[0] * second[1] - first[1] * second[0]]
}

/// Error of Tamma and Namburu's algorithm in that of central differences, in displacement and in
/// velocity.
fn ratios<const N: usize>(start: Pair<N>, h: f64, load: fn(f64) -> f64) -> [f64; 2] {
    let [central, tamma] = Chain::<N>::errors(start, h, load);
    [tamma[0] / central[0], tamma[1] / central[1]]
}

/// Zero but for the last mass.
fn last<const N: usize>(value: f64) -> [f64; N] {
    std::array::from_fn(|i| if i + 1 == N { value } else { 0.0 })
}

/// A way to set a chain going: its name, the start, and the load (N) on the last mass at a time
/// (s).
type Case<const N: usize> = (&'static str, Pair<N>, fn(f64) -> f64);

fn rest<const N: usize>() -> Pair<N> {
    ([0.0; N], [0.0; N])
}

/// At rest from a displacement, from a velocity, from both, or by a load.
fn cases<const N: usize>() -> [Case<N>; 6] {
    let free = |_: f64| 0.0;
    [
        ("from a displacement of 1 m", (last(1.0), [0.0; N]), free),
        ("from a velocity of 1 m/s", ([0.0; N], last(1.0)), free),
        ("from both", (last(1.0), last(1.0)), free),
        ("by a load of 1 N", rest(), |_| 1.0),
        ("by a load of sin(2 t) N", rest(), |time| (2.0 * time).sin()),
        ("by a load of cos(2 t) N", rest(), |time| (2.0 * time).cos()),
    ]
}

/// A load that ends during the motion.
fn pulse<const N: usize>() -> Case<N> {
    ("by a load of 1 N for 1 s", rest(), |time| if time < 1.0 { 1.0 } else { 0.0 })
}

pub const CENTRAL_DIFFERENCE: Claim = Claim {
    id: "h92-central-difference",
    title: "Central differences and Tamma-Namburu",
    says: &[Says {
        report: "H92",
        place: "2.2, (4)-(14)",
        text: "On linear structures Tamma and Namburu's algorithm and the central difference have the same \
               spectral properties, and thus the same largest stable step; the error of Tamma and Namburu's \
               is smaller.",
    }],
    judged: Judged::Report,
    found: "The spectra are identical, the errors are not smaller: of one mass and of a chain of three (w h \
            = 0.1 and at most 0.18, 20 s, both ours) they are the same in displacement after a displacement \
            or under a constant load, 5 % to 9 % smaller in displacement and 10 % to 13 % larger in velocity \
            under a load of sin 2t, 13 % to 24 % larger from displacement and velocity together. Under a \
            load that ends after 1 s they are 6 to 15 times smaller: the impulse in the middle of a step \
            never meets the jump, where (4) has to take one side of it.",
    condition: Some("the load ends or jumps during the motion"),
    measure: |_| {
        let off = [0.2, 1.0, 1.9].map(|h| {
            let (central, tamma) =
                (spectrum(Chain::<1>::central_difference, h), spectrum(Chain::<1>::tamma_namburu, h));
            (central[0] - tamma[0]).abs().max((central[1] - tamma[1]).abs())
        });
        let off = off.into_iter().fold(0.0, f64::max);
        let mut measured = vec![
            Measured::new("difference of trace and determinant of a step, w h = 0.2, 1, 1.9", off, "1")
                .claimed(Criterion::AtMost(1e-14)),
        ];
        let h = 0.1;
        let one = cases::<1>().map(|(label, start, load)| ("one mass", label, ratios::<1>(start, h, load)));
        let three =
            cases::<3>().map(|(label, start, load)| ("three masses", label, ratios::<3>(start, h, load)));
        for (what, label, [displacement, velocity]) in one.into_iter().chain(three) {
            let smaller = Criterion::AtMost(0.9999);
            let name = |quantity: &str| format!("{quantity}: ratio of errors, {what}, {label}");
            measured.push(Measured::new(name("displacement"), displacement, "1").claimed(smaller));
            measured.push(Measured::new(name("velocity"), velocity, "1").claimed(smaller));
        }
        let ((label, one, load), (_, three, _)) = (pulse::<1>(), pulse::<3>());
        for (what, ratios) in [("one mass", ratios(one, h, load)), ("three masses", ratios(three, h, load))] {
            for (quantity, ratio) in ["displacement", "velocity"].into_iter().zip(ratios) {
                let name = format!("{quantity}: ratio of errors, {what}, {label}");
                measured.push(Measured::new(name, ratio, "1").on_condition(Criterion::AtMost(0.2)));
            }
        }
        Ok(Evidence { measured, figures: vec![] })
    },
};

/// The root mean square of the displacement's error over 20 s from a displacement of the last of
/// three masses, by the three-value form with this first acceleration.
fn started_with(first: [f64; 3], h: f64) -> f64 {
    const FINER: usize = 64;
    let start: Pair<3> = (last(1.0), [0.0; 3]);
    let (mut state, mut a, mut fine) = (start, first, start);
    let steps = (20.0 / h).round() as usize;
    let mut sum = 0.0;
    for _ in 0..steps {
        (state, a) = Chain::three_values(state, a, h, 0.0);
        for _ in 0..FINER {
            fine = Chain::tamma_namburu(fine, h / FINER as f64, [0.0; 3]);
        }
        sum += (0..3).map(|i| (state.0[i] - fine.0[i]).powi(2)).sum::<f64>();
    }
    (sum / steps as f64).sqrt()
}

pub const FIRST_ACCELERATION: Claim = Claim {
    id: "h92-first-acceleration",
    title: "The first acceleration of central differences",
    says: &[Says {
        report: "H92",
        place: "2.1, (7)",
        text: "Where the first loads do not balance the first internal forces, second order needs the first \
               acceleration from the equations of motion.",
    }],
    judged: Judged::Report,
    found: "A chain of three masses, ours, let go from a displacement: with (7) the error is of order 2, \
            from an acceleration of zero of order 1.",
    condition: None,
    measure: |_| {
        let order = |first: [f64; 3]| (started_with(first, 0.1) / started_with(first, 0.05)).log2();
        let of_equations = Chain::<3>::acceleration(&last(1.0), 0.0);
        Ok(Evidence {
            measured: vec![
                Measured::new("order with (7)", order(of_equations), "1")
                    .claimed(Criterion::Between(1.9, 2.1)),
                Measured::new("order from zero", order([0.0; 3]), "1").claimed(Criterion::Between(0.8, 1.2)),
            ],
            figures: vec![],
        })
    },
};

pub const TWO_RULES: Claim = Claim {
    id: "h92-two-rules",
    title: "Midpoint and trapezoidal rule for linear forces",
    says: &[Says {
        report: "H92",
        place: "2, (19)-(22)",
        text: "Remark 2: for the impulse of linear internal forces the midpoint rule and the trapezoidal \
               rule are equivalent.",
    }],
    judged: Judged::Report,
    found: "They are, to rounding, at 200 states of a chain of three masses, ours.",
    condition: None,
    measure: |_| {
        let (h, mut state, mut off) = (0.1, (last(1.0), last(1.0)), 0.0f64);
        for _ in 0..200 {
            let (d, v): Pair<3> = state;
            let moved = |s: f64| std::array::from_fn(|i| d[i] + s * v[i]);
            let middle = Chain::acceleration(&moved(0.5 * h), 0.0);
            let ends = [Chain::acceleration(&d, 0.0), Chain::acceleration(&moved(h), 0.0)];
            off = (0..3).map(|i| (middle[i] - 0.5 * (ends[0][i] + ends[1][i])).abs()).fold(off, f64::max);
            state = Chain::tamma_namburu(state, h, [0.0; 3]);
        }
        // Forces are about 1 N.
        let off = Measured::new("largest difference of the mean forces of a step", off, "N");
        Ok(Evidence { measured: vec![off.claimed(Criterion::AtMost(1e-15))], figures: vec![] })
    },
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_algorithms_are_of_second_order() {
        for (label, start, load) in cases::<3>() {
            let (coarse, fine) =
                (Chain::<3>::errors(start, 0.1, load), Chain::<3>::errors(start, 0.05, load));
            for (coarse, fine) in coarse.iter().flatten().zip(fine.iter().flatten()) {
                let order = (coarse / fine).log2();
                assert!((1.9..2.1).contains(&order), "{label}: {order}");
            }
        }
    }

    #[test]
    fn the_spectrum_is_the_one_of_central_differences() {
        // z = (w h)²: the trace is 2 - z, the determinant 1.
        for h in [0.3, 1.7] {
            for step in [Chain::<1>::central_difference, Chain::<1>::tamma_namburu] {
                let [trace, determinant] = spectrum(step, h);
                assert!((trace - (2.0 - h * h)).abs() < 1e-14 && (determinant - 1.0).abs() < 1e-14);
            }
        }
    }
}
