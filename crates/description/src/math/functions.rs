//! Elementary functions over [`Real`]: functions of time, and what events and contacts ask for.
//!
//! Nothing here branches, and nothing calls a sine of the target: WGSL's are garbage in f64 and
//! differ between drivers in f32. Arguments are reduced with [`Real::floor`], polynomials do the
//! rest, and [`Real::select_less`] puts the parts together, so that every backend computes the same
//! bits. Over a [`Dual`](crate::real::Dual) the tangent is the derivative of the polynomial, as
//! accurate as the value.
//!
//! ```text
//! sin, cos   x = n pi/2 + r, |r| <= pi/4    s(r) = r + r^3 S(r^2),  c(r) = 1 - r^2/2 + r^4 C(r^2)
//! exp        x = n ln 2 + f, |f| <= ln 2/2  e^f - 1 = f + f^2 E(f)
//! atan       t = tan(pi/4 + a), |u| = |tan a| <= tan(pi/8)   a(u) = u + u^3 A(u^2)
//! log        x = 2^n m, m in [sqrt(1/2), sqrt(2)), s = (m - 1)/(m + 1)   log m = 2 s + s^3 L(s^2)
//! ```
//!
//! pi/2 and ln 2 are taken away in parts (W. J. Cody, W. Waite, Software Manual for the Elementary
//! Functions, 1980): all but the last are so short that their product with n is exact. S, C, E, A
//! and L interpolate at the zeros of a Chebyshev polynomial on their intervals, which is close to
//! the best that their degree allows. Their errors, relative to the function, are below half a
//! rounding.
//!
//! Drivers regard as equal what rounds differently (Mesa: `(a + b) + 1` is `(a + 1) + b`,
//! `(a + b) - a` is `b`). So the literal 1 is added to no sum, and no rounding error is computed
//! here.

use crate::base::Precision;
use crate::real::Real;

/// Constants of the functions, by precision. Polynomials: lowest order first.
struct Numbers {
    /// pi/2 in three parts.
    quarter_turn: [f64; 3],
    sine: &'static [f64],
    cosine: &'static [f64],
    /// ln 2 in two parts.
    ln_2: [f64; 2],
    exponential: &'static [f64],
    arc_tangent: &'static [f64],
    logarithm: &'static [f64],
    /// Numbers below 2 to this have fewer digits, and 2 to the power that brings them back among
    /// the others.
    least_exponent: i32,
    raised: i32,
    /// The largest number.
    largest: f64,
    /// The part of an exponent that multiplies a number of powers of two exactly ends at 2 to minus
    /// this.
    exponent_digits: i32,
    /// Below the first `exp` is 0, above the second infinite.
    exponents: [f64; 2],
    /// Half the number of a power of two that `exp` needs is below 2 to this.
    exponent_bits: usize,
    /// From here on, `tanh` is 1.
    level: f64,
}

const F32: Numbers = Numbers {
    quarter_turn: [1.5703125, 0.0004837512969970703, 7.549789954891882e-8],
    sine: &[-0.16666664661714697, 0.008332748154085032, -0.00019587865702101875],
    cosine: &[0.041666664658901405, -0.0013888302919113633, 2.4547916853691016e-5],
    ln_2: [0.693145751953125, 1.4286068203094173e-6],
    exponential: &[
        0.5,
        0.16666576989698775,
        0.041666554617204574,
        0.008363179052722578,
        0.0013926183587713494,
    ],
    arc_tangent: &[
        -0.33333331760434554,
        0.1999954031495797,
        -0.14263949753605723,
        0.10743668324830098,
        -0.06451718869358958,
    ],
    logarithm: &[0.6666668503957586, 0.3998878056602198, 0.2957994939197279],
    least_exponent: -126,
    raised: 24,
    largest: f32::MAX as f64,
    exponent_digits: 12,
    exponents: [-105.0, 89.0],
    exponent_bits: 7,
    level: 10.0,
};

const F64: Numbers = Numbers {
    quarter_turn: [1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21],
    sine: &[
        -0.16666666666666666,
        0.008333333333330948,
        -0.00019841269836756774,
        2.7557316101617874e-6,
        -2.505113165023518e-8,
        1.5918115263265974e-10,
    ],
    cosine: &[
        0.041666666666666664,
        -0.0013888888888887398,
        2.480158729876456e-5,
        -2.7557317271145144e-7,
        2.087614614655861e-9,
        -1.1382623647474604e-11,
    ],
    ln_2: [0.6931471803691238, 1.9082149292705877e-10],
    exponential: &[
        0.5,
        0.1666666666666667,
        0.04166666666666667,
        0.008333333333326136,
        0.0013888888888883748,
        0.00019841269874820627,
        2.4801587325547743e-5,
        2.7557255400206422e-6,
        2.75572736431103e-7,
        2.5105217004720745e-8,
        2.0914686968086876e-9,
    ],
    arc_tangent: &[
        -0.3333333333333333,
        0.19999999999999804,
        -0.14285714285659779,
        0.11111111105150588,
        -0.09090908753259112,
        0.07692296368042296,
        -0.0666642476020052,
        0.05878927554473807,
        -0.05230443640686948,
        0.045515447340221615,
        -0.03456931506332609,
        0.016284375050043393,
    ],
    logarithm: &[
        0.666666666666667,
        0.39999999999899505,
        0.28571428625975487,
        0.2222221113479508,
        0.18182889125261723,
        0.15331721600556042,
        0.14616449685043406,
    ],
    least_exponent: -1022,
    raised: 53,
    largest: f64::MAX,
    exponent_digits: 26,
    exponents: [-746.0, 710.0],
    exponent_bits: 10,
    level: 22.0,
};

fn numbers<R: Real>(x: R) -> &'static Numbers {
    match x.precision() {
        Precision::F32 | Precision::F32Compensated => &F32,
        Precision::F64 => &F64,
    }
}

/// `c_0 + c_1 x + c_2 x^2 + ...`
fn polynomial<R: Real>(x: R, coefficients: &[f64]) -> R {
    let (last, rest) = coefficients.split_last().expect("a polynomial has a coefficient");
    rest.iter().rev().fold(x.lift(*last), |sum, c| sum.mul_add(x, x.lift(*c)))
}

/// `|x|`
pub fn abs<R: Real>(x: R) -> R {
    x.select_less(x.lift(0.0), -x, x)
}

/// The smaller of the two; `a` where one of them is NaN.
pub fn least<R: Real>(a: R, b: R) -> R {
    b.select_less(a, b, a)
}

/// The larger of the two; `a` where one of them is NaN.
pub fn greatest<R: Real>(a: R, b: R) -> R {
    a.select_less(b, b, a)
}

/// The nearest integer, `floor(x + 1/2)`: halves go up. (The sum is rounded: the number before 1/2
/// gives 1, and beyond 2^23 in f32 or 2^52 in f64, where all numbers are integers, odd ones may
/// become even.)
pub(crate) fn round_half_up<R: Real>(x: R) -> R {
    (x + x.lift(0.5)).floor()
}

/// Returns the angle nearest to `near` among `angle` and all whole turns from it (rad).
pub fn nearest_turn<R: Real>(angle: R, near: R) -> R {
    let turn = angle.lift(std::f64::consts::TAU);
    let turns = round_half_up((near - angle) * angle.lift(1.0 / std::f64::consts::TAU));
    turns.mul_add(turn, angle)
}

/// Sine and cosine of `x` (rad).
///
/// Absolute error: in f64 below 3e-16 for `|x| < 1e5`, in f32 below 1.5e-7 for `|x| < 1e4`. Beyond,
/// the parts of pi/2 times their number are no longer exact, and the error grows with `|x|`. What
/// is not finite gives NaN.
pub fn sin_cos<R: Real>(x: R) -> (R, R) {
    let numbers = numbers(x);
    let [first, second, third] = numbers.quarter_turn.map(|part| x.lift(part));
    let n = x.mul_add(x.lift(std::f64::consts::FRAC_2_PI), x.lift(0.5)).floor();
    let r = n.neg_mul_add(third, n.neg_mul_add(second, n.neg_mul_add(first, x)));
    let z = r * r;
    let sine = (z * r).mul_add(polynomial(z, numbers.sine), r);
    let half = polynomial(z, numbers.cosine).neg_mul_add(z, x.lift(0.5));
    let cosine = half.neg_mul_add(z, x.lift(1.0));
    // Quadrants in turn: s, c, -s, -c; the cosine is a quadrant ahead.
    let pairs = n * x.lift(0.5);
    let whole = pairs.floor();
    let (s, c) = (whole.select_less(pairs, cosine, sine), whole.select_less(pairs, sine, cosine));
    let signed = |quadrant: R, value: R| {
        let turns = (quadrant * x.lift(0.25)).floor();
        turns.neg_mul_add(x.lift(4.0), quadrant).select_less(x.lift(2.0), value, -value)
    };
    (signed(n, s), signed(n + x.lift(1.0), c))
}

/// `n` and `e^f - 1` of `x = n ln 2 + f`.
fn reduced_exponential<R: Real>(x: R) -> (R, R) {
    let numbers = numbers(x);
    let [first, second] = numbers.ln_2.map(|part| x.lift(part));
    let n = x.mul_add(x.lift(std::f64::consts::LOG2_E), x.lift(0.5)).floor();
    let f = n.neg_mul_add(second, n.neg_mul_add(first, x));
    (n, (f * f).mul_add(polynomial(f, numbers.exponential), f))
}

/// `base^n` for an integer `0 <= n < 2^bits`, by the squares of the base: WGSL has no `ldexp` in
/// f64.
fn integer_power<R: Real>(base: R, n: R, bits: usize) -> R {
    let (mut power, mut square, mut rest) = (base.lift(1.0), base, n);
    for bit in 0..bits {
        let half = rest * base.lift(0.5);
        rest = half.floor();
        power = rest.select_less(half, power * square, power);
        if bit + 1 < bits {
            square = square * square;
        }
    }
    power
}

/// `e^x`, within 2 units in the last place, gradually to 0 and at once to infinity at the ends of
/// the range.
pub fn exp<R: Real>(x: R) -> R {
    let [lowest, highest] = numbers(x).exponents.map(|end| x.lift(end));
    let (n, rest) = reduced_exponential(least(greatest(x, lowest), highest));
    scaled_exponential(n, rest)
}

/// `2^n e^f` of `n` and `rest = e^f - 1`; |n| is below 2 to one more than the number of bits of
/// exponents.
fn scaled_exponential<R: Real>(n: R, rest: R) -> R {
    // In two steps, as 2^n alone may be beyond the numbers.
    let pairs = n * n.lift(0.5);
    let whole = pairs.floor();
    // Twice e^f, as a literal 1 would be moved into the sum that `rest` is.
    let twice = rest.mul_add(n.lift(2.0), n.lift(2.0));
    let start = whole.select_less(pairs, twice, twice * n.lift(0.5));
    let base = whole.select_less(n.lift(0.0), n.lift(0.5), n.lift(2.0));
    let power = integer_power(base, abs(whole), numbers(n).exponent_bits);
    start * power * power
}

/// `n` and `m` in [sqrt(1/2), sqrt(2)) of `x = 2^n m`, for finite `x > 0`. All products are exact.
fn binary_parts<R: Real>(x: R) -> (R, R) {
    let numbers = numbers(x);
    let bits = numbers.exponent_bits as i32;
    let power = |e: i32| x.lift(f64::from(e).exp2());
    let few = power(numbers.least_exponent);
    let (mut n, mut m) = (
        x.select_less(few, x.lift(-f64::from(numbers.raised)), x.lift(0.0)),
        x.select_less(few, x * power(numbers.raised), x),
    );
    for e in (0..bits).rev().map(|bit| 1 << bit) {
        let high = power(e);
        (n, m) = (m.select_less(high, n, n + x.lift(f64::from(e))), m.select_less(high, m, m * power(-e)));
    }
    for e in (0..bits).rev().map(|bit| 1 << bit) {
        let low = power(1 - e);
        (n, m) = (m.select_less(low, n - x.lift(f64::from(e)), n), m.select_less(low, m * power(e), m));
    }
    let root = x.lift(std::f64::consts::SQRT_2);
    (m.select_less(root, n, n + x.lift(1.0)), m.select_less(root, m, m * x.lift(0.5)))
}

/// The parts of `log m = f - (h - s r)` for m near 1: f, h, s and r.
fn reduced_logarithm<R: Real>(m: R) -> [R; 4] {
    let f = m - m.lift(1.0);
    let s = f / (m + m.lift(1.0));
    let z = s * s;
    let half = f * f * m.lift(0.5);
    // 2 s = f - s f, and s f = f^2/2 - s f^2/2.
    [f, half, s, z.mul_add(polynomial(z, numbers(m).logarithm), half)]
}

/// The natural logarithm, within 2 units in the last place; minus infinity of 0, NaN of negative
/// numbers.
///
/// ```text
/// log x = n ln 2 + log m,  log m = f - (f^2/2 - s (f^2/2 + s^2 L(s^2))),  f = m - 1,
/// s = f / (2 + f)
/// ```
pub fn log<R: Real>(x: R) -> R {
    let (zero, numbers) = (x.lift(0.0), numbers(x));
    let (n, m) = binary_parts(x);
    let [f, half, s, rest] = reduced_logarithm(m);
    let rest = s.neg_mul_add(rest, half);
    let [first, second] = numbers.ln_2.map(|part| x.lift(part));
    let value = n.mul_add(first, f - n.neg_mul_add(second, rest));
    let value = x.lift(numbers.largest).select_less(x, x, value);
    // The root of a negative number is NaN.
    let outside = x.select_less(zero, x.sqrt(), x.lift(-1.0) / (x * x));
    zero.select_less(x, value, outside)
}

/// `x^y` for `x >= 0`, within `2 + |y|` units in the last place; NaN for `x < 0`. `0^y` is 0, 1 and
/// infinity for y above, at and below 0, with the slope 0.
///
/// ```text
/// x = 2^n m,   y = w + g + l,   x^y = 2^(n w + k) exp((n g - k + n l) ln 2 + y log m)
/// ```
///
/// with w whole, g of so few digits that n g is exact, and k the whole number next to n g: no large
/// logarithm is rounded.
pub fn power<R: Real>(x: R, y: R) -> R {
    let (zero, one, numbers) = (x.lift(0.0), x.lift(1.0), numbers(x));
    let (n, m) = binary_parts(x);
    let [f, half, s, rest] = reduced_logarithm(m);
    // Grouped as drivers group it.
    let logarithm = s.mul_add(rest, f - half);
    let digits = f64::from(numbers.exponent_digits).exp2();
    let size = abs(y);
    let whole = size.floor();
    let behind = size - whole;
    let few = (behind * x.lift(digits)).floor() * x.lift(1.0 / digits);
    let [whole, few, little] = [whole, few, behind - few].map(|part| y.select_less(zero, -part, part));
    let exact = n * few;
    let k = round_half_up(exact);
    let [lowest, highest] = numbers.exponents.map(|end| x.lift(end));
    let exponent = n.mul_add(little, exact - k) * x.lift(std::f64::consts::LN_2);
    let exponent = y.mul_add(logarithm, exponent);
    let (more, rest) = reduced_exponential(least(greatest(exponent, lowest), highest));
    let bound = x.lift(f64::from(1 << (numbers.exponent_bits + 1)) - 2.0);
    let value = scaled_exponential(least(greatest(n.mul_add(whole, k) + more, -bound), bound), rest);
    let square = x * x;
    let at_zero = zero.select_less(y, square, y.select_less(zero, one / square, one));
    let at_zero = x.select_less(zero, x.sqrt(), at_zero);
    zero.select_less(x, value, at_zero)
}

/// The hyperbolic tangent, within 3 units in the last place near 0 as elsewhere.
///
/// ```text
/// tanh |x| = -w / (w + 2),   w = exp(-2 |x|) - 1
/// ```
///
/// Nothing cancels: with `exp(-2 |x|) = p (1 + m)`, p a power of two, `w = p m - (1 - p)`.
pub fn tanh<R: Real>(x: R) -> R {
    let bound = least(abs(x), x.lift(numbers(x).level));
    let (n, rest) = reduced_exponential(bound * x.lift(-2.0));
    let power = integer_power(x.lift(0.5), -n, BITS_OF_TANH);
    let w = power.mul_sub(rest, x.lift(1.0) - power);
    let value = w / (w + x.lift(2.0));
    x.select_less(x.lift(0.0), value, -value)
}

/// `2 level / ln 2` is below 2 to this in both precisions.
const BITS_OF_TANH: usize = 6;

/// The angle of the point (x, y) from the x axis (rad), in (-pi, pi], within 3 units in the last
/// place; 0 for the origin. Both must be finite. Zeros have no sign here: `y = -0` is `y = 0`.
///
/// ```text
/// t = min(|x|, |y|) / max(|x|, |y|),   atan t = pi/4 + atan((t - 1) / (t + 1)) for t > tan(pi/8)
/// ```
pub fn atan2<R: Real>(y: R, x: R) -> R {
    let zero = x.lift(0.0);
    let (width, height) = (abs(x), abs(y));
    // Both selections use the same comparison, so that NaN of either argument is in one of them.
    let (small, large) = (height.select_less(width, height, width), height.select_less(width, width, height));
    let bound = large * x.lift(std::f64::consts::SQRT_2 - 1.0);
    let steep = |yes: R, no: R| bound.select_less(small, yes, no);
    let (above, below) = (steep(small - large, small), steep(small + large, large));
    // The origin: 0 / 1.
    let u = above / zero.select_less(below, below, below + x.lift(1.0));
    let z = u * u;
    let angle = (z * u).mul_add(polynomial(z, numbers(x).arc_tangent), u);
    let angle = steep(angle + x.lift(std::f64::consts::FRAC_PI_4), angle);
    let angle = width.select_less(height, x.lift(std::f64::consts::FRAC_PI_2) - angle, angle);
    let angle = x.select_less(zero, x.lift(std::f64::consts::PI) - angle, angle);
    y.select_less(zero, -angle, angle)
}

/// The angle in [-pi/2, pi/2] whose sine is `x` (rad), within 4 units in the last place; NaN
/// beyond -1 and 1.
pub fn arc_sine<R: Real>(x: R) -> R {
    atan2(x, cosine_of_sine(x))
}

/// The angle in [0, pi] whose cosine is `x` (rad), within 4 units in the last place; NaN beyond -1
/// and 1.
pub fn arc_cosine<R: Real>(x: R) -> R {
    atan2(cosine_of_sine(x), x)
}

/// `sqrt((1 - x)(1 + x))`, as accurate near -1 and 1 as elsewhere.
fn cosine_of_sine<R: Real>(x: R) -> R {
    // Twice each factor, as a literal 1 would be moved into a sum that `x` is.
    let two = x.lift(2.0);
    (x.neg_mul_add(two, two) * x.mul_add(two, two)).sqrt() * x.lift(0.5)
}

/// -1, 0 or 1: the sign of `x`.
pub fn sign<R: Real>(x: R) -> R {
    let (zero, one) = (x.lift(0.0), x.lift(1.0));
    x.select_less(zero, -one, zero.select_less(x, one, zero))
}

/// All functions of two numbers, for tests of backends.
pub mod sample {
    use super::*;
    use crate::real::Element;

    pub const RESULTS: usize = 21;

    /// The functions, of numbers and of products: these are what drivers rearrange.
    pub fn everything<R: Real>(x: R, y: R) -> [R; RESULTS] {
        let (sine, cosine) = sin_cos(x);
        let (sine_of_product, cosine_of_sum) = (sin_cos(x * y).0, sin_cos(x.mul_add(y, x)).1);
        [
            x.floor(),
            x.select_less(y, x * y, y),
            sine,
            cosine,
            sine_of_product,
            cosine_of_sum,
            exp(x),
            exp(x * y),
            tanh(y),
            tanh(x.mul_sub(y, x)),
            atan2(y, x),
            atan2(x * y, y - x),
            round_half_up(least(abs(x), greatest(x * x, y))),
            log(abs(x)),
            log(y.mul_add(y, abs(x))),
            power(abs(x), y),
            power(x.mul_add(x, y * y), y - x),
            arc_sine(sin_cos(x).0),
            arc_sine(sin_cos(x).0 * sin_cos(y).0),
            arc_cosine(sin_cos(y).1),
            sign(x - y),
        ]
    }

    /// Pairs of all signs and sizes, to both ends of the exponential.
    pub fn arguments<E: Element>() -> Vec<(E, E)> {
        let end = match E::default().precision() {
            Precision::F32 | Precision::F32Compensated => 110.0,
            Precision::F64 => 760.0,
        };
        let some = [0.0, 0.5, 1.0, -1.0, -0.25, 2.0, 3.0, 1e-3, -1e-3, 1e-30, 7.5];
        let few = some.into_iter().flat_map(|x| some.map(|y| (x, y)));
        // The stride meets no period of the functions.
        let many = (0..4000).map(|i| {
            let x = f64::from(i * 37 % 4001) / 2000.5 - 1.0;
            let y = f64::from(i * 1009 % 4001) / 2000.5 - 1.0;
            if i % 2 == 0 { (x * end, y * 8.0) } else { (x * 4.0, y * 4.0) }
        });
        few.chain(many).map(|(x, y)| (E::from_f64(x), E::from_f64(y))).collect()
    }

    /// Fails unless the results for (x, y) are the scalar ones: zeros of either sign are equal, and
    /// NaN is NaN.
    pub fn assert_same<E: Element>(what: &str, x: E, y: E, result: impl Fn(usize) -> E) {
        assert_all_same(what, (x, y), everything(x, y), result);
    }

    /// Fails unless the results for (x, y) are `expected`: zeros of either sign are equal, and NaN
    /// is NaN.
    pub fn assert_all_same<E: Element>(
        what: &str,
        (x, y): (E, E),
        expected: impl IntoIterator<Item = E>,
        result: impl Fn(usize) -> E,
    ) {
        for (i, want) in expected.into_iter().enumerate() {
            let got = result(i);
            let same = got == want || (got.to_f64().is_nan() && want.to_f64().is_nan());
            assert!(same, "{what} in {}, result {i} at {x:?}, {y:?}: {got:?} for {want:?}", E::NAME);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::real::{Dual, Element};

    /// Numbers from `from` to `to`, evenly.
    fn even(from: f64, to: f64, count: usize) -> impl Iterator<Item = f64> {
        (0..=count).map(move |i| from + (to - from) * i as f64 / count as f64)
    }

    /// Numbers of either sign whose size goes from 2^`from` to 2^`to`, many for every power of two.
    fn sizes(from: i32, to: i32) -> impl Iterator<Item = f64> {
        even(f64::from(from), f64::from(to), 20_000).flat_map(|e| [e.exp2(), -e.exp2()])
    }

    /// The distance from `x` to the next larger number of the precision of `E`.
    fn unit<E: Element>(x: f64) -> f64 {
        let (digits, smallest) = match E::default().precision() {
            Precision::F32 | Precision::F32Compensated => (23, -126),
            Precision::F64 => (52, -1022),
        };
        let exponent = if x == 0.0 { smallest } else { (x.abs().log2().floor() as i32).max(smallest) };
        f64::from(exponent - digits).exp2()
    }

    /// The largest error, in the unit that is given for the exact value, of a function of numbers
    /// that `E` has.
    fn worst<E: Element>(
        name: &str,
        arguments: impl Iterator<Item = f64>,
        unit: impl Fn(f64) -> f64,
        f: impl Fn(E) -> E,
        exact: impl Fn(f64) -> f64,
    ) -> f64 {
        let (mut worst, mut at) = (0.0, 0.0);
        for x in arguments {
            let x = E::from_f64(x);
            let want = exact(x.to_f64());
            let error = (f(x).to_f64() - want).abs() / unit(want);
            assert!(!error.is_nan(), "{name}({x:?}) = {:?}, {want} is wanted", f(x));
            if error > worst {
                (worst, at) = (error, x.to_f64());
            }
        }
        println!("{name} in {}: {worst:.3} at {at:e}", E::NAME);
        worst
    }

    fn sin_cos_errors<E: Element>(range: f64, unit: f64) -> f64 {
        let near_turns = (-(1 << 16)..1 << 16).map(|n| f64::from(n) * std::f64::consts::FRAC_PI_4);
        let near_turns = near_turns.filter(|x| x.abs() < range);
        let arguments = || {
            let all = even(-10.0, 10.0, 100_000).chain(even(-range, range, 500_000)).chain(sizes(-40, 3));
            all.chain(near_turns.clone())
        };
        let sine = worst::<E>("sin", arguments(), |_| unit, |x| sin_cos(x).0, f64::sin);
        let cosine = worst::<E>("cos", arguments(), |_| unit, |x| sin_cos(x).1, f64::cos);
        sine.max(cosine)
    }

    /// Sums near 1 are rounded by up to a quarter of this unit, and so are the two sums of the
    /// reduction; the polynomial adds about as much, and the library's own sine too.
    #[test]
    fn sine_and_cosine_are_those_of_the_library() {
        assert!(sin_cos_errors::<f64>(1e5, f64::EPSILON) < 1.25);
        assert!(sin_cos_errors::<f32>(1e4, f64::from(f32::EPSILON)) < 1.25);
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(sin_cos(x).0.is_nan() && sin_cos(x).1.is_nan());
        }
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        assert_eq!(sin_cos(0.0f32), (0.0, 1.0));
    }

    #[test]
    fn the_exponential_is_that_of_the_library() {
        // Down to the smallest numbers: 2^-1074 and 2^-149.
        let double = || even(-1.0, 1.0, 100_000).chain(even(-745.0, 709.7, 500_000)).chain(sizes(-60, 9));
        assert!(worst::<f64>("exp", double(), unit::<f64>, exp, f64::exp) < 2.0);
        let single = || even(-1.0, 1.0, 100_000).chain(even(-103.0, 88.7, 500_000)).chain(sizes(-60, 6));
        assert!(worst::<f32>("exp", single(), unit::<f32>, exp, f64::exp) < 2.0);
        fn ends<E: Element>(overflow: f64, underflow: f64) {
            let exponential = |x: f64| exp(E::from_f64(x)).to_f64();
            for x in [overflow, 1e4, E::from_f64(1e30).to_f64(), f64::INFINITY] {
                assert_eq!((exponential(x), exponential(-x)), (f64::INFINITY, exponential(-x)), "{x}");
            }
            for x in [underflow, -1e4, -1e30, f64::NEG_INFINITY] {
                assert_eq!(exponential(x), 0.0, "{x}");
            }
            assert!(exponential(f64::NAN).is_nan());
            assert_eq!(exponential(0.0), 1.0);
        }
        ends::<f64>(709.8, -745.2);
        ends::<f32>(88.73, -104.0);
    }

    /// The library's f64 is off by up to 2 units itself (glibc), f32 shows our own error.
    #[test]
    fn the_hyperbolic_tangent_is_that_of_the_library() {
        let arguments = || even(-2.0, 2.0, 500_000).chain(even(-30.0, 30.0, 100_000)).chain(sizes(-100, 20));
        assert!(worst::<f64>("tanh", arguments(), unit::<f64>, tanh, f64::tanh) < 4.0);
        assert!(worst::<f32>("tanh", arguments(), unit::<f32>, tanh, f64::tanh) < 4.0);
        for (x, y) in
            [(f64::INFINITY, 1.0), (f64::NEG_INFINITY, -1.0), (1e300, 1.0), (-40.0, -1.0), (0.0, 0.0)]
        {
            assert_eq!(tanh(x), y);
            assert_eq!(tanh(x as f32), y as f32);
        }
        assert!(tanh(f64::NAN).is_nan());
    }

    fn atan2_error<E: Element>() -> f64 {
        let round = even(-3.2, 3.2, 100_000).chain(sizes(-40, 1));
        let points = round.flat_map(|a| [0.3, 1.0, 7.0e9].map(|r: f64| (r * a.sin(), r * a.cos())));
        let (mut largest, mut at) = (0.0, (0.0, 0.0));
        for (y, x) in points {
            let (y, x) = (E::from_f64(y), E::from_f64(x));
            let want = y.to_f64().atan2(x.to_f64());
            let error = (atan2(y, x).to_f64() - want).abs() / unit::<E>(want);
            assert!(!error.is_nan());
            if error > largest {
                (largest, at) = (error, (y.to_f64(), x.to_f64()));
            }
        }
        println!("atan2 in {}: {largest:.3} at {at:?}", E::NAME);
        largest
    }

    #[test]
    fn the_angle_of_a_point_is_that_of_the_library() {
        assert!(atan2_error::<f64>() < 3.0);
        assert!(atan2_error::<f32>() < 3.0);
        for y in [-2.0, -0.5, 0.0, 0.5, 2.0] {
            for x in [-2.0, -0.5, 0.0, 0.5, 2.0f64] {
                assert!((atan2(y, x) - f64::atan2(y, x)).abs() < 5e-16, "{y} {x}");
            }
        }
        assert_eq!([atan2(0.0, 0.0), atan2(-0.0, -0.0), atan2(0.0, 1.0)], [0.0; 3]);
        assert_eq!(atan2(0.0f32, 0.0), 0.0);
        assert_eq!(atan2(0.0, -1.0), std::f64::consts::PI);
        // The smallest numbers have angles too.
        assert_eq!(atan2(5e-324, 5e-324), std::f64::consts::FRAC_PI_4);
        assert!(atan2(f64::NAN, 1.0).is_nan() && atan2(1.0, f64::NAN).is_nan());
        assert!(atan2(f64::NAN, 0.0).is_nan() && atan2(0.0, f64::NAN).is_nan());
    }

    #[test]
    fn the_logarithm_is_that_of_the_library() {
        let near_one = || even(0.5, 2.0, 500_000).chain(even(1.0 - 1e-6, 1.0 + 1e-6, 10_000));
        let positive = |x: &f64| *x > 0.0;
        let double = || near_one().chain(sizes(-1074, 1023).filter(positive));
        assert!(worst::<f64>("log", double(), unit::<f64>, log, f64::ln) < 2.0);
        let single = || near_one().chain(sizes(-149, 127).filter(positive));
        assert!(worst::<f32>("log", single(), unit::<f32>, log, f64::ln) < 2.0);
        fn ends<E: Element>() {
            let logarithm = |x: f64| log(E::from_f64(x)).to_f64();
            assert_eq!(
                [logarithm(0.0), logarithm(-0.0), logarithm(1.0)],
                [f64::NEG_INFINITY, f64::NEG_INFINITY, 0.0]
            );
            assert_eq!(logarithm(f64::INFINITY), f64::INFINITY);
            assert!([-1e-30, -2.0, f64::NEG_INFINITY, f64::NAN].map(logarithm).iter().all(|y| y.is_nan()));
        }
        ends::<f32>();
        ends::<f64>();
    }

    /// In the unit that the docstring gives: `2 + |y|`.
    #[test]
    fn real_powers_are_those_of_the_library() {
        fn worst_power<E: Element>(sizes: impl Iterator<Item = f64>, range: f64) -> f64 {
            let mut worst = 0.0f64;
            for (i, x) in sizes.enumerate() {
                let some = [1.5, -0.5, 1.0 / 3.0, 0.1, 2.0, -7.25, 31.0, 1e-9, 300.7];
                let y = E::from_f64(some[i % some.len()]).to_f64();
                let x = E::from_f64(x).to_f64();
                let want = x.powf(y);
                if want.log2().abs() > range {
                    continue;
                }
                let got = power(E::from_f64(x), E::from_f64(y)).to_f64();
                let error = (got - want).abs() / unit::<E>(want) / (2.0 + y.abs());
                assert!(!error.is_nan(), "{x}^{y} = {got:?}, {want} is wanted");
                worst = worst.max(error);
            }
            println!("power in {}: {worst:.3} of the bound", E::NAME);
            worst
        }
        let all = |from, to| {
            let near_one = even(0.5, 2.0, 100_000);
            sizes(from, to).filter(|x| *x > 0.0).chain(near_one)
        };
        assert!(worst_power::<f64>(all(-1074, 1023), 1020.0) < 1.0);
        assert!(worst_power::<f32>(all(-149, 127), 125.0) < 1.0);
        for (x, y, want) in [
            (0.0, 1.5, 0.0),
            (0.0, 0.0, 1.0),
            (0.0, -0.5, f64::INFINITY),
            (7.0, 0.0, 1.0),
            (1.0, 1e300, 1.0),
            (1.5, 1e4, f64::INFINITY),
            (1.5, -1e4, 0.0),
            (0.75, 1e5, 0.0),
            (0.75, -1e5, f64::INFINITY),
            (4.0, 0.5, 2.0),
            (1e-320, 2.0, 0.0),
        ] {
            assert_eq!(power(x, y), want, "{x}^{y}");
        }
        let no_number = [(-1.0f64, 2.0), (f64::NAN, 2.0), (2.0, f64::NAN)];
        assert!(no_number.iter().all(|(x, y)| power(*x, *y).is_nan()));
    }

    #[test]
    fn arc_functions_are_those_of_the_library() {
        let inside = || even(-1.0, 1.0, 500_000).chain(sizes(-40, 0).map(|x| x.clamp(-1.0, 1.0)));
        let near_one = || sizes(-50, -1).map(|x| (1.0 - x.abs()).copysign(x));
        let arguments = || inside().chain(near_one());
        assert!(worst::<f64>("asin", arguments(), unit::<f64>, arc_sine, f64::asin) < 4.0);
        assert!(worst::<f32>("asin", arguments(), unit::<f32>, arc_sine, f64::asin) < 4.0);
        assert!(worst::<f64>("acos", arguments(), unit::<f64>, arc_cosine, f64::acos) < 4.0);
        assert!(worst::<f32>("acos", arguments(), unit::<f32>, arc_cosine, f64::acos) < 4.0);
        for x in [1.0 + f64::EPSILON, -1.5, f64::INFINITY, f64::NAN] {
            assert!(arc_sine(x).is_nan() && arc_cosine(x).is_nan());
        }
    }

    #[test]
    fn comparisons_and_roundings() {
        assert_eq!([sign(-2.0), sign(0.0), sign(-0.0), sign(1e-300)], [-1.0, 0.0, 0.0, 1.0]);
        assert_eq!([abs(-2.0), abs(3.0), least(1.0, 2.0), least(2.0, 1.0)], [2.0, 3.0, 1.0, 1.0]);
        assert_eq!([greatest(1.0, 2.0), greatest(2.0, 1.0)], [2.0, 2.0]);
        assert!(least(f64::NAN, 1.0).is_nan() && greatest(f64::NAN, 1.0).is_nan());
        assert_eq!([least(1.0, f64::NAN), greatest(1.0, f64::NAN)], [1.0, 1.0]);
        assert_eq!([1.5, -1.5, 0.49, -0.5, 2.0].map(round_half_up), [2.0, -1.0, 0.0, 0.0, 2.0]);
    }

    /// Each as accurate as a value: the polynomials are close enough to the functions for their
    /// derivatives.
    #[test]
    fn tangents_are_derivatives() {
        for x in even(-4.0, 4.0, 10_001) {
            let dual = Dual { value: x, tangent: 1.0 };
            let (sine, cosine) = sin_cos(dual);
            // Along a direction that does not vanish with y.
            let y = Dual { value: 0.7 - x, tangent: -2.0 };
            let square = x * x + y.value * y.value;
            // Within their domains.
            let (positive, part) = (dual * dual + dual.lift(0.5), dual * dual.lift(0.2));
            let (p, dp) = (positive.value, positive.tangent);
            let slope_of_angle = 0.2 / (1.0 - part.value * part.value).sqrt();
            let of_power = p.powf(y.value) * (y.tangent * p.ln() + y.value * dp / p);
            let raised = power(positive, y).tangent;
            let pairs = [
                (log(positive).tangent, dp / p),
                (raised / of_power.abs().max(1.0), of_power / of_power.abs().max(1.0)),
                (arc_sine(part).tangent, slope_of_angle),
                (arc_cosine(part).tangent, -slope_of_angle),
                (sign(dual).tangent, 0.0),
                (sine.tangent, x.cos()),
                (cosine.tangent, -x.sin()),
                (exp(dual).tangent / x.exp(), 1.0),
                (tanh(dual).tangent, 1.0 / (x.cosh() * x.cosh())),
                (atan2(y, dual).tangent, (x * -2.0 - y.value) / square),
                (abs(dual).tangent, x.signum()),
                (least(dual, y).tangent, if y.value < x { -2.0 } else { 1.0 }),
                (greatest(dual, y).tangent, if x < y.value { -2.0 } else { 1.0 }),
                (round_half_up(dual).tangent, 0.0),
            ];
            for (i, (tangent, derivative)) in pairs.into_iter().enumerate() {
                assert!((tangent - derivative).abs() < 1e-14, "{i} at {x}: {tangent}, {derivative}");
            }
        }
    }
}
