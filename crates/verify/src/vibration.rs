//! W84 figure 7.1: three damped modes of a body that does not move otherwise, printed as numbers.

use super::{Claim, Context, Criterion, Evidence, Failure, Judged, Measured, Says, Trial};
use polhode::observe::channels;
use polhode::shipped::part;
use polhode::study_file::mechanism_of_text;

/// Angular frequencies (rad/s) of p. 110. Of the damping ratios our scan has the third, .03, and of
/// the second "o.5".
const FREQUENCIES: [f64; 3] = [12.57, 25.13, 50.27];
/// The first is ours: it fits the digits.
const DAMPING: [f64; 3] = [0.10, 0.05, 0.03];

/// Time between rows (s).
pub const BETWEEN: f64 = 0.01;

/// The rows of p. 110, from t = 0 every 10 ms: eta_1, eta_2, eta_3. NaN: our scan lacks a digit, or
/// reads a 6 for an 8 (eta_2 at .43 s, as it does in the column of times).
const PRINTED: [[f64; 51]; 3] = [
    [
        1.0,
        0.99195,
        0.968872,
        0.931271,
        0.880089,
        0.816459,
        0.741686,
        0.657214,
        0.564597,
        0.465461,
        0.361572,
        0.254608,
        0.146333,
        0.0384653,
        -0.0673237,
        f64::NAN,
        -0.266375,
        -0.356755,
        -0.439331,
        -0.513011,
        -0.576668,
        -0.630149,
        -0.672288,
        -0.702904,
        -0.721806,
        -0.728992,
        -0.724639,
        -0.709102,
        -0.682901,
        -0.646709,
        -0.601337,
        -0.547722,
        -0.486902,
        -0.420006,
        -0.348225,
        -0.2728,
        -0.194996,
        -0.116086,
        f64::NAN,
        0.040061,
        0.114902,
        0.186094,
        0.252619,
        0.313556,
        0.368093,
        0.415541,
        0.455335,
        0.487046,
        0.51038,
        0.525816,
        0.531431,
    ],
    [
        0.6,
        0.58079,
        0.526595,
        0.441078,
        0.330285,
        0.2017,
        0.0637968,
        -0.0746234,
        -0.204978,
        f64::NAN,
        -0.411122,
        -0.475073,
        -0.507951,
        -0.50849,
        -0.477457,
        -0.417561,
        -0.333236,
        -0.230323,
        f64::NAN,
        0.00331938,
        0.119152,
        0.224712,
        0.313701,
        0.380993,
        0.422976,
        0.437688,
        0.424885,
        0.386034,
        0.324192,
        0.243776,
        0.150239,
        0.0497112,
        -0.0514003,
        -0.146808,
        -0.230733,
        -0.298255,
        -0.345592,
        -0.370311,
        -0.37144,
        -0.349497,
        -0.306418,
        -0.2454,
        -0.170676,
        f64::NAN,
        -0.000435721,
        0.0842188,
        0.161542,
        0.226918,
        0.27659,
        0.307865,
        0.319263,
    ],
    [
        0.3,
        0.262383,
        0.163152,
        0.0269495,
        -0.112305,
        -0.220413,
        -0.271372,
        -0.254103,
        f64::NAN,
        -0.054942,
        0.0751242,
        0.183189,
        0.243222,
        0.241898,
        0.181199,
        0.0776841,
        -0.0420452,
        -0.148095,
        f64::NAN,
        -0.227006,
        -0.183069,
        -0.0954012,
        0.0131749,
        0.115137,
        0.185627,
        0.208535,
        0.179822,
        0.108053,
        0.0119533,
        f64::NAN,
        -0.156467,
        -0.187909,
        -0.17204,
        -0.114359,
        -0.0304664,
        0.0581424,
        0.129545,
        0.166749,
        0.161727,
        0.117093,
        0.0451241,
        -0.0355799,
        -0.104878,
        -0.1461,
        -0.150031,
        f64::NAN,
        -0.0561619,
        0.0164238,
        0.0825863,
        0.126267,
        0.137463,
    ],
];

/// The three modes of the shipped mechanism with 1 ms, at every row.
pub fn computed(context: &Context<'_>) -> Result<[Vec<(f64, f64)>; 3], Failure> {
    let modal = format!("'''{}'''", part("vibration.json"));
    let text = part("vibration.toml").replace("\"vibration.json\"", &modal);
    let mechanism =
        mechanism_of_text("vibration", &text).map_err(|_| Failure::Missing("the damped modes"))?;
    let channels = [0, 1, 2].map(|mode| channels::AMPLITUDE.of_mode(mode));
    let history = Trial::new(&mechanism, "dop853", 1e-3, 500).every(10).run(context, &channels)?;
    Ok(channels.map(|channel| history.curve(channel, 0)))
}

/// A mode as printed, at the rows that can be read.
pub fn printed(mode: usize) -> Vec<(f64, f64)> {
    let rows = PRINTED[mode].iter().enumerate().map(|(row, value)| (row as f64 * BETWEEN, *value));
    rows.filter(|(_, value)| value.is_finite()).collect()
}

/// A mode let go at rest at `start`, with angular frequency w (rad/s) and damping ratio z, at time
/// t (s).
fn closed_form(start: f64, [w, z]: [f64; 2], t: f64) -> f64 {
    let root = (1.0 - z * z).sqrt();
    (-z * w * t).exp() * start * ((root * w * t).cos() + z / root * (root * w * t).sin())
}

/// Angular frequency (rad/s) and damping ratio whose motion comes nearest to these rows, by Gauss
/// and Newton; and the root of the mean square of what remains.
fn fitted(rows: &[(f64, f64)], from: [f64; 2]) -> ([f64; 2], f64) {
    let start = rows[0].1;
    let mut x = from;
    for _ in 0..20 {
        let (mut normal, mut right) = ([0.0; 3], [0.0; 2]);
        for &(t, value) in rows {
            let now = closed_form(start, x, t);
            let (dw, dz) = (1e-6 * x[0], 1e-6);
            let slopes = [
                (closed_form(start, [x[0] + dw, x[1]], t) - now) / dw,
                (closed_form(start, [x[0], x[1] + dz], t) - now) / dz,
            ];
            normal[0] += slopes[0] * slopes[0];
            normal[1] += slopes[0] * slopes[1];
            normal[2] += slopes[1] * slopes[1];
            right[0] += slopes[0] * (value - now);
            right[1] += slopes[1] * (value - now);
        }
        let determinant = normal[0] * normal[2] - normal[1] * normal[1];
        x[0] += (normal[2] * right[0] - normal[1] * right[1]) / determinant;
        x[1] += (normal[0] * right[1] - normal[1] * right[0]) / determinant;
    }
    let squares = rows.iter().map(|(t, value)| (value - closed_form(start, x, *t)).powi(2));
    (x, (squares.sum::<f64>() / rows.len() as f64).sqrt())
}

pub const FREE_VIBRATION: Claim = Claim {
    id: "w84-free-vibration",
    title: "Free vibration as printed",
    says: &[Says {
        report: "W84",
        place: "fig. 7.1, p. 110",
        text: "Modes of a body at rest vibrate with the frequencies and damping ratios that they are given.",
    }],
    judged: Judged::Report,
    found: "Of 153 printed numbers 144 can be read. They have six digits, and are off the motion of the \
            modes that they are given by up to 0.0009, 0.0006 and 0.013: frequencies fitted to them are as \
            given for the first two modes and 0.31 % too high for the third, the largest deviation of all, \
            which we take for an error of the integrator of 1984. The first damping ratio, lost in our scan, \
            is 0.10.",
    condition: None,
    measure: |context| {
        let computed = computed(context)?;
        let mut measured = Vec::new();
        let mut legible = 0;
        for (mode, curve) in computed.iter().enumerate() {
            let name = |what: &str| format!("eta_{}: {what}", mode + 1);
            let rows = printed(mode);
            legible += rows.len();
            let off: Vec<f64> =
                curve.iter().zip(&PRINTED[mode]).map(|((_, have), want)| have - want).collect();
            let off: Vec<f64> = off.into_iter().filter(|off| off.is_finite()).collect();
            let largest = off.iter().fold(0.0f64, |most, off| most.max(off.abs()));
            let mean = (off.iter().map(|off| off * off).sum::<f64>() / off.len() as f64).sqrt();
            let ([w, z], remains) = fitted(&rows, [FREQUENCIES[mode], DAMPING[mode]]);
            let near = 0.005;
            measured.extend([
                Measured::new(name("largest difference of polhode from the print"), largest, "1")
                    .found(Criterion::AtMost([0.0009, 0.0006, 0.0135][mode])),
                Measured::new(name("rms difference of polhode from the print"), mean, "1"),
                Measured::new(name("frequency fitted to the print"), w, "rad/s"),
                // As an integrator with an error of its own follows a mode for 0.5 s.
                Measured::new(name("the same, of what is given"), w / FREQUENCIES[mode], "1")
                    .claimed(Criterion::Near(1.0, 0.005)),
                Measured::new(name("rms difference of that fit from the print"), remains, "1"),
            ]);
            let ratio = Measured::new(name("damping ratio fitted to the print"), z, "1");
            let printed = Criterion::Between(DAMPING[mode] - near, DAMPING[mode] + near);
            // The first is not printed where we can read it, so nothing of the report can be asked
            // of it.
            measured.push(if mode == 0 { ratio.found(printed) } else { ratio.claimed(printed) });
        }
        measured.push(Measured::new("numbers that can be read, of 153", legible as f64, "1"));
        Ok(Evidence { measured, figures: vec![] })
    },
};
