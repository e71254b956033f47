//! Means, deviations and quantiles of few numbers.

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Standard deviation with n - 1.
pub(super) fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)).sqrt()
}

/// Numbers alone, in ascending order.
pub(super) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|x| !x.is_nan()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

/// As the [`quantile`] at a half, without sorting.
pub(super) fn median(values: &[f64]) -> f64 {
    let mut values: Vec<f64> = values.iter().copied().filter(|x| !x.is_nan()).collect();
    let Some(last) = values.len().checked_sub(1) else { return f64::NAN };
    let (_, &mut low, above) = values.select_nth_unstable_by(last / 2, f64::total_cmp);
    let next = above.iter().copied().min_by(f64::total_cmp);
    if last.is_multiple_of(2) { low } else { next.map_or(low, |next| low + 0.5 * (next - low)) }
}

/// By linear interpolation between the ranks of sorted numbers; NaN of none.
pub(super) fn quantile(sorted: &[f64], p: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let at = p * last as f64;
    let (low, share) = (at.floor() as usize, at.fract());
    sorted[low] + share * (sorted[(low + 1).min(last)] - sorted[low])
}
