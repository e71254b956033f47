// Quotients and roots rounded to the nearest, from reciprocals and roots that may be some last
// digits off. A first correction by the rest that is left brings one within little more than half
// a digit. A second one, a thousandth too long, leads to the neighbour wherever that may be nearer,
// and the smaller rest decides. All are scaled beforehand, so that no rest is lost or infinite:
// MUCH is between 1 and the largest number, SHRINK is 1 over its square, GROW the square. Zero,
// infinities and NaN come out as the device has them, as does what passes LEAST and MOST: it is
// zero or infinite in the end. `rest` and the constants stand before this text.

// A little more than 1.
const LONGER = real(1.0009765625);

fn scale_of(x: real) -> real {
    let size = abs(x);
    return select(select(real(1.0), GROW, size < real(1.0) / MUCH), SHRINK, size >= MUCH);
}

fn is_usual(x: real) -> bool {
    let size = abs(x);
    return size > LEAST && size < MOST;
}

fn nearest_quotient(dividend: real, divisor: real) -> real {
    let of_dividend = scale_of(dividend);
    let of_divisor = scale_of(divisor);
    let a = dividend * of_dividend;
    let b = divisor * of_divisor;
    let inverse = real(1.0) / b;
    let rough = a * inverse;
    let near = corrected(rough, rest(rough, b, a), inverse);
    let left = rest(near, b, a);
    let next = corrected(near, left, inverse * LONGER);
    let nearest = select(near, next, abs(rest(next, b, a)) < abs(left));
    let found = select(rough, nearest, is_usual(rough));
    let back = select(select(real(1.0), SHRINK, of_dividend > real(1.0)), GROW, of_dividend < real(1.0));
    return select((found * of_divisor) * back, found, of_dividend == of_divisor);
}

fn nearest_root(x: real) -> real {
    let scale = scale_of(x);
    let a = x * scale;
    let rough = sqrt(a);
    let inverse = real(0.5) / rough;
    let near = corrected(rough, rest(rough, rough, a), inverse);
    let left = rest(near, near, a);
    let next = corrected(near, left, inverse * LONGER);
    let nearest = select(near, next, abs(rest(next, next, a)) < abs(left));
    let found = select(rough, nearest, is_usual(rough));
    let back = select(select(real(1.0), real(1.0) / MUCH, scale > real(1.0)), MUCH, scale < real(1.0));
    return found * back;
}
