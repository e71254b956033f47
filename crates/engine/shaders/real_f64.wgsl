// Double precision (needs the adapter feature SHADER_F64).
alias real = f64;

// NaN compares false. Beyond this energies, which are products of two such numbers, would not be
// finite.
fn is_finite_real(x: real) -> bool {
    return abs(x) <= 1e140lf;
}
