//! Straight lines through points, by least squares.

/// The slope of ln(error) over ln(h), least squares.
pub fn slope(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(h, error)| (h.ln(), error.ln())).collect();
    rate(&logs)
}

/// The slope of a straight line through the points, least squares.
pub fn rate(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let mx = points.iter().map(|p| p.0).sum::<f64>() / n;
    let my = points.iter().map(|p| p.1).sum::<f64>() / n;
    let across: f64 = points.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    across / points.iter().map(|p| (p.0 - mx).powi(2)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_and_rates_of_what_is_known() {
        let square = [1.0f64, 2.0, 4.0].map(|h| (h, 3.0 * h * h));
        assert!((slope(&square) - 2.0).abs() < 1e-12);
        assert!((rate(&[(0.0, 1.0), (1.0, -1.0), (2.0, -3.0)]) + 2.0).abs() < 1e-12);
    }
}
