// Double precision (needs the adapter feature SHADER_F64).
alias real = f64;

// NaN compares false. Written as two comparisons of different values, which no driver was seen to fold.
fn is_finite_real(x: real) -> bool {
    return abs(x) <= 1.7976931348623157e308lf;
}
