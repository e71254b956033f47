//! Quantities as text: a number and a unit, such as "1 ms", "30 deg" or "0.5 kg m^2", turned into
//! SI.
//!
//! A unit is a product of factors, each a (prefixed) unit with an optional integer exponent:
//! `kg m^2`, `kg m2`, `kg m²`, `N*m`, `m/s^2`, `m/s/s`, `m s^-1`, `kg/(m s)`. After a `/` a further
//! product needs parentheses, because readers disagree about `kg/m s`. The angle counts as a
//! dimension of its own, so that `rad/s` is not mistaken for a frequency.
//!
//! Powers of ten go into the decimal exponent of the number before it is converted to binary: "1.1
//! ms" is exactly the double nearest to 0.0011, as if the user had written that.

use std::borrow::Cow;
use std::f64::consts::PI;

use super::nearest::nearest;

/// The physical dimension that a key wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dimension {
    /// A plain number.
    Number,
    /// s
    Time,
    /// m
    Length,
    /// kg
    Mass,
    /// rad
    Angle,
    /// m/s
    Speed,
    /// m/s²
    Acceleration,
    /// rad/s
    AngularSpeed,
    /// kg m²
    Inertia,
    /// N
    Force,
    /// N m
    Torque,
    /// N/m
    Stiffness,
    /// N s/m
    Damping,
    /// N m/rad
    TorsionalStiffness,
    /// N m s/rad
    TorsionalDamping,
    /// N s²/m²
    QuadraticDrag,
    /// N m s²/rad²
    AngularQuadraticDrag,
    /// Hz
    Frequency,
    /// Force times area: of a beam that is bent or twisted.
    FlexuralRigidity,
    /// Mass per length.
    LinearDensity,
    /// Moment of inertia per length.
    RotaryInertia,
    /// Pa
    Pressure,
    /// kg/m³
    Density,
    /// m/rad
    LengthPerAngle,
    /// rad/m
    AnglePerLength,
    /// s/m
    TimePerLength,
    /// s/rad
    TimePerAngle,
}

/// Exponents of mass, length, time and angle.
pub type UnitExponents = [i32; 4];

impl Dimension {
    /// All of them.
    pub const ALL: [Dimension; 27] = [
        Dimension::Number,
        Dimension::Time,
        Dimension::Length,
        Dimension::Mass,
        Dimension::Angle,
        Dimension::Speed,
        Dimension::Acceleration,
        Dimension::AngularSpeed,
        Dimension::Inertia,
        Dimension::Force,
        Dimension::Torque,
        Dimension::Stiffness,
        Dimension::Damping,
        Dimension::TorsionalStiffness,
        Dimension::TorsionalDamping,
        Dimension::QuadraticDrag,
        Dimension::AngularQuadraticDrag,
        Dimension::Frequency,
        Dimension::FlexuralRigidity,
        Dimension::LinearDensity,
        Dimension::RotaryInertia,
        Dimension::Pressure,
        Dimension::Density,
        Dimension::LengthPerAngle,
        Dimension::AnglePerLength,
        Dimension::TimePerLength,
        Dimension::TimePerAngle,
    ];

    fn exponents(self) -> UnitExponents {
        match self {
            Dimension::Number => [0, 0, 0, 0],
            Dimension::Time => [0, 0, 1, 0],
            Dimension::Length => [0, 1, 0, 0],
            Dimension::Mass => [1, 0, 0, 0],
            Dimension::Angle => [0, 0, 0, 1],
            Dimension::Speed => [0, 1, -1, 0],
            Dimension::Acceleration => [0, 1, -2, 0],
            Dimension::AngularSpeed => [0, 0, -1, 1],
            Dimension::Inertia => [1, 2, 0, 0],
            Dimension::Force => [1, 1, -2, 0],
            Dimension::Torque => [1, 2, -2, 0],
            Dimension::Stiffness => [1, 0, -2, 0],
            Dimension::Damping => [1, 0, -1, 0],
            Dimension::TorsionalStiffness => [1, 2, -2, -1],
            Dimension::TorsionalDamping => [1, 2, -1, -1],
            Dimension::QuadraticDrag => [1, -1, 0, 0],
            Dimension::AngularQuadraticDrag => [1, 2, 0, -2],
            Dimension::Frequency => [0, 0, -1, 0],
            Dimension::FlexuralRigidity => [1, 3, -2, 0],
            Dimension::LinearDensity => [1, -1, 0, 0],
            Dimension::RotaryInertia => [1, 1, 0, 0],
            Dimension::Pressure => [1, -1, -2, 0],
            Dimension::Density => [1, -3, 0, 0],
            Dimension::LengthPerAngle => [0, 1, 0, -1],
            Dimension::AnglePerLength => [0, -1, 0, 1],
            Dimension::TimePerLength => [0, -1, 1, 0],
            Dimension::TimePerAngle => [0, 0, 1, -1],
        }
    }

    /// Returns its name in messages, with its article.
    pub fn noun(self) -> &'static str {
        match self {
            Dimension::Number => "a number",
            Dimension::Time => "a time",
            Dimension::Length => "a length",
            Dimension::Mass => "a mass",
            Dimension::Angle => "an angle",
            Dimension::Speed => "a velocity",
            Dimension::Acceleration => "an acceleration",
            Dimension::AngularSpeed => "an angular velocity",
            Dimension::Inertia => "a moment of inertia",
            Dimension::Force => "a force",
            Dimension::Torque => "a torque",
            Dimension::Stiffness => "a stiffness",
            Dimension::Damping => "a damping coefficient",
            Dimension::TorsionalStiffness => "a torsional stiffness",
            Dimension::TorsionalDamping => "a torsional damping coefficient",
            Dimension::QuadraticDrag => "a quadratic drag coefficient",
            Dimension::AngularQuadraticDrag => "a quadratic angular drag coefficient",
            Dimension::Frequency => "a frequency",
            Dimension::FlexuralRigidity => "a flexural rigidity",
            Dimension::LinearDensity => "a mass per length",
            Dimension::RotaryInertia => "a moment of inertia per length",
            Dimension::Pressure => "a pressure",
            Dimension::Density => "a density",
            Dimension::LengthPerAngle => "a length per angle",
            Dimension::AnglePerLength => "an angle per length",
            Dimension::TimePerLength => "a time per length",
            Dimension::TimePerAngle => "a time per angle",
        }
    }

    /// As `noun`, without the article.
    pub fn name(self) -> &'static str {
        let noun = self.noun();
        noun.split_once(' ').map_or(noun, |(_, name)| name)
    }

    /// The SI unit of plain numbers; empty for a pure number.
    pub fn si(self) -> &'static str {
        match self {
            Dimension::Number => "",
            Dimension::Time => "s",
            Dimension::Length => "m",
            Dimension::Mass => "kg",
            Dimension::Angle => "rad",
            Dimension::Speed => "m/s",
            Dimension::Acceleration => "m/s^2",
            Dimension::AngularSpeed => "rad/s",
            Dimension::Inertia => "kg m^2",
            Dimension::Force => "N",
            Dimension::Torque => "N m",
            Dimension::Stiffness => "N/m",
            Dimension::Damping => "N s/m",
            Dimension::TorsionalStiffness => "N m/rad",
            Dimension::TorsionalDamping => "N m s/rad",
            Dimension::QuadraticDrag => "N s^2/m^2",
            Dimension::AngularQuadraticDrag => "N m s^2/rad^2",
            Dimension::Frequency => "Hz",
            Dimension::FlexuralRigidity => "N m^2",
            Dimension::LinearDensity => "kg/m",
            Dimension::RotaryInertia => "kg m",
            Dimension::Pressure => "Pa",
            Dimension::Density => "kg/m^3",
            Dimension::LengthPerAngle => "m/rad",
            Dimension::AnglePerLength => "rad/m",
            Dimension::TimePerLength => "s/m",
            Dimension::TimePerAngle => "s/rad",
        }
    }

    /// Examples of quantities with this dimension, the first the most typical.
    pub fn examples(self) -> &'static [&'static str] {
        match self {
            Dimension::Number => &["0.5"],
            Dimension::Time => &["1 ms", "2 s", "3 min"],
            Dimension::Length => &["0.5 m", "20 mm"],
            Dimension::Mass => &["2 kg", "350 g"],
            Dimension::Angle => &["30 deg", "0.5 rad"],
            Dimension::Speed => &["3 m/s", "20 km/h"],
            Dimension::Acceleration => &["9.81 m/s^2"],
            Dimension::AngularSpeed => &["2 rad/s", "30 deg/s", "12 rpm", "2.5 rev/s"],
            Dimension::Inertia => &["0.5 kg m^2", "80 g cm^2"],
            Dimension::Force => &["20 N", "3 mN"],
            Dimension::Torque => &["20 N m", "3 mN m"],
            Dimension::Stiffness => &["50 N/m", "2 kN/m"],
            Dimension::Damping => &["3 N s/m"],
            Dimension::TorsionalStiffness => &["2 N m/rad"],
            Dimension::TorsionalDamping => &["0.1 N m s/rad"],
            Dimension::QuadraticDrag => &["0.5 N s^2/m^2"],
            Dimension::AngularQuadraticDrag => &["0.01 N m s^2/rad^2"],
            Dimension::Frequency => &["2 Hz"],
            Dimension::FlexuralRigidity => &["60 N m^2"],
            Dimension::LinearDensity => &["1.2 kg/m", "350 g/m"],
            Dimension::RotaryInertia => &["1e-4 kg m", "80 g mm"],
            Dimension::Pressure => &["70 GPa", "200 N/mm^2"],
            Dimension::Density => &["2700 kg/m^3", "7.8 g/cm^3"],
            Dimension::LengthPerAngle => &["20 mm/rad", "2 mm/turn"],
            Dimension::AnglePerLength => &["50 rad/m", "0.5 turn/mm"],
            Dimension::TimePerLength => &["0.5 s/m"],
            Dimension::TimePerAngle => &["0.5 s/rad"],
        }
    }

    /// "give e.g. ..." for a message.
    pub fn advice(self) -> String {
        let quote = if self == Dimension::Number { "" } else { "\"" };
        let quoted: Vec<String> =
            self.examples().iter().map(|text| format!("{quote}{text}{quote}")).collect();
        format!("give e.g. {}", quoted.join(", "))
    }
}

/// A unit: `value in SI = number x 10^tens x numerator / denominator`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    tens: i32,
    numerator: f64,
    denominator: f64,
    exponents: UnitExponents,
}

/// Why a text is no quantity of the wanted dimension.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum UnitError {
    #[error("does not start with a number")]
    NoNumber,
    #[error("has no unit")]
    NoUnit,
    #[error("is too large")]
    TooLarge,
    #[error("has the unknown unit `{name}`")]
    UnknownUnit { name: String, nearest: Option<String> },
    #[error("has a unit that cannot be read at `{rest}`")]
    Syntax { rest: String },
    #[error("has an ambiguous unit: a product after `/` needs parentheses, as in `kg/(m s)`")]
    Ambiguous,
    #[error("is {found}, not {wanted}")]
    Dimension { found: String, wanted: &'static str },
}

/// The quantity in `text`, in SI.
pub fn parse_quantity(text: &str, dimension: Dimension) -> Result<f64, UnitError> {
    let text = text.trim();
    let (number, rest) = split_number(text).ok_or(UnitError::NoNumber)?;
    if rest.trim().is_empty() && dimension != Dimension::Number {
        return Err(UnitError::NoUnit);
    }
    let unit = if rest.trim().is_empty() { Unit::ONE } else { parse_unit(rest)? };
    unit.check(dimension)?;
    unit.apply(number)
}

/// The quantity in `text`, of whatever dimension, in SI, with the name of its SI unit; a plain
/// number is one, of unit 1.
pub fn parse_any_quantity(text: &str) -> Result<(f64, Cow<'static, str>), UnitError> {
    let (number, rest) = split_number(text.trim()).ok_or(UnitError::NoNumber)?;
    let unit = if rest.trim().is_empty() { Unit::ONE } else { parse_unit(rest)? };
    Ok((unit.apply(number)?, unit.si()))
}

/// The unit in `text`.
pub fn parse_unit(text: &str) -> Result<Unit, UnitError> {
    let mut parser = Parser { rest: text };
    let unit = parser.product()?;
    if parser.rest.is_empty() { Ok(unit) } else { Err(parser.syntax()) }
}

impl Unit {
    /// That of pure numbers.
    pub const ONE: Unit = Unit { tens: 0, numerator: 1.0, denominator: 1.0, exponents: [0; 4] };

    /// Its exponents of mass, length, time and angle.
    pub fn exponents(&self) -> UnitExponents {
        self.exponents
    }

    /// Whether it measures `dimension`.
    pub fn check(&self, dimension: Dimension) -> Result<(), UnitError> {
        if self.exponents == dimension.exponents() {
            return Ok(());
        }
        let found = match Dimension::ALL.iter().find(|d| d.exponents() == self.exponents) {
            Some(known) => known.noun().to_string(),
            None => format!("in {}", spell(self.exponents)),
        };
        Err(UnitError::Dimension { found, wanted: dimension.noun() })
    }

    /// The SI unit of what it measures; "1" of pure numbers.
    pub fn si(&self) -> Cow<'static, str> {
        match Dimension::ALL.iter().find(|dimension| dimension.exponents() == self.exponents) {
            Some(Dimension::Number) => "1".into(),
            Some(dimension) => dimension.si().into(),
            None => spell(self.exponents).into(),
        }
    }

    /// `number` (decimal text) of this unit, in SI.
    pub fn apply(&self, number: &str) -> Result<f64, UnitError> {
        let number: String = number.chars().filter(|c| *c != '_').collect();
        let (mantissa, exponent) = match number.find(['e', 'E']) {
            Some(at) => (&number[..at], number[at + 1..].parse::<i32>().map_err(|_| UnitError::TooLarge)?),
            None => (number.as_str(), 0),
        };
        let shifted = format!("{mantissa}e{}", exponent.saturating_add(self.tens));
        let value: f64 = shifted.parse().map_err(|_| UnitError::NoNumber)?;
        let value = value * self.numerator / self.denominator;
        if value.is_finite() { Ok(value) } else { Err(UnitError::TooLarge) }
    }

    fn times(self, other: Unit, sign: i32) -> Unit {
        let other = if sign < 0 { other.inverse() } else { other };
        let mut exponents = self.exponents;
        for (sum, term) in exponents.iter_mut().zip(other.exponents) {
            *sum += term;
        }
        Unit {
            tens: self.tens + other.tens,
            numerator: self.numerator * other.numerator,
            denominator: self.denominator * other.denominator,
            exponents,
        }
    }

    fn inverse(self) -> Unit {
        Unit {
            tens: -self.tens,
            numerator: self.denominator,
            denominator: self.numerator,
            exponents: self.exponents.map(|e| -e),
        }
    }

    fn power(self, exponent: i32) -> Unit {
        let base = if exponent < 0 { self.inverse() } else { self };
        (0..exponent.abs()).fold(Unit::ONE, |product, _| product.times(base, 1))
    }
}

/// Splits `text` after its leading decimal number: optional sign, digits, fraction, decimal
/// exponent.
fn split_number(text: &str) -> Option<(&str, &str)> {
    let bytes = text.as_bytes();
    let digits =
        |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit() || **b == b'_').count() + from;
    let start = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let mut end = digits(start);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if !bytes[start..end].iter().any(u8::is_ascii_digit) {
        return None;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        // "5 eV" has no exponent: an `e` counts only with digits behind it.
        let stop = digits((end + 1 + sign).min(bytes.len()));
        if stop > end + 1 + sign {
            end = stop;
        }
    }
    Some((&text[..end], &text[end..]))
}

/// Recursive descent over `product := factor (('*' | ' ')? factor | '/' factor)*`.
struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn syntax(&self) -> UnitError {
        UnitError::Syntax { rest: self.rest.trim().to_string() }
    }

    fn take(&mut self, symbols: &[char]) -> bool {
        match self.rest.strip_prefix(symbols) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn product(&mut self) -> Result<Unit, UnitError> {
        self.rest = self.rest.trim_start();
        let mut unit = self.factor()?;
        let mut divided = false;
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() || self.rest.starts_with(')') {
                return Ok(unit);
            }
            let sign = if self.take(&['/']) {
                divided = true;
                -1
            } else {
                self.take(&['*', '·', '⋅']);
                if divided {
                    return Err(UnitError::Ambiguous);
                }
                1
            };
            self.rest = self.rest.trim_start();
            unit = unit.times(self.factor()?, sign);
        }
    }

    fn factor(&mut self) -> Result<Unit, UnitError> {
        let base = if self.take(&['(']) {
            let inner = self.product()?;
            if !self.take(&[')']) {
                return Err(self.syntax());
            }
            inner
        } else {
            let end = self
                .rest
                .find(|c: char| !(c.is_alphabetic() || matches!(c, '°' | 'µ' | 'μ')))
                .unwrap_or(self.rest.len());
            if end == 0 {
                return Err(self.syntax());
            }
            let (name, rest) = self.rest.split_at(end);
            self.rest = rest;
            named(name)?
        };
        Ok(base.power(self.exponent()?))
    }

    /// `^2`, `^-1`, `2`, `-1`, `²`, `⁻¹`; 1 if there is none. At most 9 in size.
    fn exponent(&mut self) -> Result<i32, UnitError> {
        const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
        let marked = self.take(&['^']);
        let negative = self.take(&['-', '⁻']);
        self.take(&['+']);
        let mut characters = self.rest.chars();
        let digit = characters.next().and_then(|c| {
            c.to_digit(10).or_else(|| RAISED.iter().position(|raised| *raised == c).map(|d| d as u32))
        });
        match digit {
            Some(digit) => {
                let rest = characters.as_str();
                if rest.starts_with(|c: char| c.is_ascii_digit() || c == '.' || RAISED.contains(&c)) {
                    return Err(self.syntax());
                }
                self.rest = rest;
                Ok(if negative { -(digit as i32) } else { digit as i32 })
            }
            None if marked || negative => Err(self.syntax()),
            None => Ok(1),
        }
    }
}

/// Units that take a prefix. `g` is the base of mass in names, not in SI: 10^-3.
const PREFIXED: [(&str, i32, UnitExponents); 9] = [
    ("m", 0, [0, 1, 0, 0]),
    ("g", -3, [1, 0, 0, 0]),
    ("s", 0, [0, 0, 1, 0]),
    ("rad", 0, [0, 0, 0, 1]),
    ("N", 0, [1, 1, -2, 0]),
    ("Nm", 0, [1, 2, -2, 0]),
    ("J", 0, [1, 2, -2, 0]),
    ("Hz", 0, [0, 0, -1, 0]),
    ("Pa", 0, [1, -1, -2, 0]),
];

const PREFIXES: [(&str, i32); 10] = [
    ("n", -9),
    ("µ", -6),
    ("μ", -6),
    ("u", -6),
    ("m", -3),
    ("c", -2),
    ("d", -1),
    ("k", 3),
    ("M", 6),
    ("G", 9),
];

/// Units without prefix: tens, numerator, denominator.
const PLAIN: [(&str, i32, f64, f64, UnitExponents); 15] = [
    ("min", 0, 60.0, 1.0, [0, 0, 1, 0]),
    ("h", 0, 3600.0, 1.0, [0, 0, 1, 0]),
    ("day", 0, 86400.0, 1.0, [0, 0, 1, 0]),
    ("deg", 0, PI, 180.0, [0, 0, 0, 1]),
    ("°", 0, PI, 180.0, [0, 0, 0, 1]),
    ("arcmin", 0, PI, 10_800.0, [0, 0, 0, 1]),
    ("arcsec", 0, PI, 648_000.0, [0, 0, 0, 1]),
    ("rev", 0, 2.0 * PI, 1.0, [0, 0, 0, 1]),
    ("turn", 0, 2.0 * PI, 1.0, [0, 0, 0, 1]),
    ("rpm", 0, PI, 30.0, [0, 0, -1, 1]),
    ("t", 3, 1.0, 1.0, [1, 0, 0, 0]),
    ("in", -4, 254.0, 1.0, [0, 1, 0, 0]),
    ("ft", -4, 3048.0, 1.0, [0, 1, 0, 0]),
    ("lb", -8, 45_359_237.0, 1.0, [1, 0, 0, 0]),
    ("lbf", 0, 4.448_221_615_260_5, 1.0, [1, 1, -2, 0]),
];

fn named(name: &str) -> Result<Unit, UnitError> {
    if let Some((_, tens, numerator, denominator, exponents)) = PLAIN.into_iter().find(|unit| unit.0 == name)
    {
        return Ok(Unit { tens, numerator, denominator, exponents });
    }
    let prefixes = [("", 0)].into_iter().chain(PREFIXES);
    for (prefix, shift) in prefixes {
        let Some(stem) = name.strip_prefix(prefix) else { continue };
        if let Some((_, tens, exponents)) = PREFIXED.into_iter().find(|unit| unit.0 == stem) {
            return Ok(Unit { tens: tens + shift, numerator: 1.0, denominator: 1.0, exponents });
        }
    }
    let usual = ["ms", "kg", "mm"].into_iter();
    let known = usual.chain(PREFIXED.iter().map(|unit| unit.0)).chain(PLAIN.iter().map(|unit| unit.0));
    Err(UnitError::UnknownUnit { name: name.to_string(), nearest: nearest(name, known) })
}

/// A quotient of base units, for dimensions that have no name here: `kg m/(s^2 rad)`.
fn spell(exponents: UnitExponents) -> String {
    let factors_signed = |sign: i32| -> Vec<String> {
        let factors = ["kg", "m", "s", "rad"].iter().zip(exponents.map(|exponent| sign * exponent));
        let spelt = |(name, exponent): (&&str, i32)| match exponent {
            ..=0 => None,
            1 => Some((*name).to_string()),
            _ => Some(format!("{name}^{exponent}")),
        };
        factors.filter_map(spelt).collect()
    };
    let (above, below) = (factors_signed(1), factors_signed(-1));
    // `1/s` would be read as a number.
    if above.is_empty() {
        let one = |(name, exponent): (&&str, i32)| (exponent != 0).then(|| format!("{name}^{exponent}"));
        return ["kg", "m", "s", "rad"].iter().zip(exponents).filter_map(one).collect::<Vec<_>>().join(" ");
    }
    let above = above.join(" ");
    match below.len() {
        0 => above,
        1 => format!("{above}/{}", below[0]),
        _ => format!("{above}/({})", below.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn si(text: &str, dimension: Dimension) -> f64 {
        parse_quantity(text, dimension).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn units_without_a_name_are_quotients() {
        let spelt = [[1, 1, -2, -1], [0, 0, -1, 0], [2, -1, 0, 0], [0, 0, 0, 0]].map(spell);
        assert_eq!(spelt, ["kg m/(s^2 rad)", "s^-1", "kg^2/m", ""]);
        assert!(spelt[..3].iter().all(|unit| parse_unit(unit).is_ok()));
    }

    #[test]
    fn every_example_has_its_dimension() {
        for dimension in Dimension::ALL {
            for example in dimension.examples() {
                si(example, dimension);
            }
            let plain = format!("1 {}", dimension.si());
            assert_eq!(si(&plain, dimension), 1.0);
        }
    }

    #[test]
    fn values_in_si() {
        assert_eq!(si("1 ms", Dimension::Time), 0.001);
        assert_eq!(si("1.1ms", Dimension::Time), 0.0011);
        assert_eq!(si("-2_000 µm", Dimension::Length), -0.002);
        assert_eq!(si("180 deg", Dimension::Angle), PI);
        assert!((si("30 rpm", Dimension::AngularSpeed) - PI).abs() <= PI * f64::EPSILON);
        assert_eq!(si("2.5 rev/s", Dimension::AngularSpeed), 5.0 * PI);
        assert_eq!(si("36 km/h", Dimension::Speed), 10.0);
        assert!((si("1 in", Dimension::Length) - 0.0254).abs() <= 0.0254 * f64::EPSILON);
        assert_eq!(si("5e2 g cm^2", Dimension::Inertia), 5e-5);
        assert_eq!(si("2 kNm", Dimension::Torque), 2000.0);
    }

    /// The size of every unit without a prefix, by hand: from its definition, in SI.
    #[test]
    fn every_plain_unit_has_its_size() {
        use Dimension::{Angle, AngularSpeed, Force, Length, Mass, Time};
        let sizes = [
            ("min", Time, 60.0),
            ("h", Time, 3600.0),
            ("day", Time, 86_400.0),
            ("deg", Angle, 0.017453292519943295),
            ("°", Angle, 0.017453292519943295),
            ("arcmin", Angle, 2.908882086657216e-4),
            ("arcsec", Angle, 4.84813681109536e-6),
            ("rev", Angle, 2.0 * PI),
            ("turn", Angle, 2.0 * PI),
            ("rpm", AngularSpeed, 0.10471975511965977),
            ("t", Mass, 1000.0),
            ("in", Length, 0.0254),
            ("ft", Length, 0.3048),
            ("lb", Mass, 0.45359237),
            ("lbf", Force, 4.4482216152605),
        ];
        assert_eq!(sizes.map(|size| size.0), PLAIN.map(|unit| unit.0));
        for (name, dimension, size) in sizes {
            let found = si(&format!("1 {name}"), dimension);
            assert!((found / size - 1.0).abs() <= 2.0 * f64::EPSILON, "{name}: {found:?}");
        }
    }

    #[test]
    fn spellings_of_one_unit_agree() {
        for text in ["3 m/s^2", "3 m/s2", "3 m/s²", "3 m/s/s", "3 m s^-2", "3 m*s-2", "3 m·s⁻²", "3 m/(s s)"]
        {
            assert_eq!(si(text, Dimension::Acceleration), 3.0, "{text}");
        }
    }

    #[test]
    fn refusals() {
        let refuse = |text| parse_quantity(text, Dimension::Time).unwrap_err();
        assert_eq!(refuse("ms"), UnitError::NoNumber);
        assert_eq!(refuse(""), UnitError::NoNumber);
        assert_eq!(refuse("."), UnitError::NoNumber);
        assert_eq!(refuse("3"), UnitError::NoUnit);
        assert_eq!(refuse("1e400 s"), UnitError::TooLarge);
        assert_eq!(refuse("1e99999999999 s"), UnitError::TooLarge);
        assert_eq!(refuse("3 kg/m s"), UnitError::Ambiguous);
        assert!(matches!(refuse("3 s^"), UnitError::Syntax { .. }));
        assert!(matches!(refuse("3 s^22"), UnitError::Syntax { .. }));
        assert!(matches!(refuse("3 (s"), UnitError::Syntax { .. }));
        assert!(matches!(refuse("3 s)"), UnitError::Syntax { .. }));
        assert_eq!(refuse("3 secs"), UnitError::UnknownUnit { name: "secs".into(), nearest: None });
        assert_eq!(refuse("3 kg").to_string(), "is a mass, not a time");
        assert_eq!(refuse("3 s^2").to_string(), "is in s^2, not a time");
    }

    proptest! {
        /// A number written with its SI unit comes back bit for bit, and a decimal prefix
        /// moves only its exponent.
        #[test]
        fn decimal_prefixes_are_exact(value in -1e30..1e30f64) {
            prop_assert_eq!(si(&format!("{value:?} s"), Dimension::Time), value);
            let text = format!("{value:e}");
            let (mantissa, exponent) = text.split_once('e').unwrap();
            let milli: f64 = format!("{mantissa}e{}", exponent.parse::<i32>().unwrap() - 3).parse().unwrap();
            prop_assert_eq!(si(&format!("{text} ms"), Dimension::Time), milli);
        }

        /// Multiplying by a unit and its inverse is a pure number.
        #[test]
        fn a_unit_times_its_inverse_is_one(
            unit in "(m|kg|ms|deg|rpm|mN|lb)(\\^[1-4])?",
            value in 1e-3..1e3f64,
        ) {
            let back = si(&format!("{value:?} {unit}/({unit})"), Dimension::Number);
            prop_assert!((back - value).abs() <= 1e-14 * value);
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC*") {
            for dimension in Dimension::ALL {
                let _ = parse_quantity(&text, dimension);
            }
        }
    }
}
