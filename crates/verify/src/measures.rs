//! Numbers computed from histories: errors, azimuths, the motion of a top.

use polhode::describe::Mechanism;
use polhode::math::quaternion::angle;
use polhode::math::vector::{length, sub};
use polhode::observe::channels;
use polhode::reference::{Instance, State, accurate};

use super::Failure;
use super::trial::History;

/// The largest absolute value so far, at all times but the first hundredth of the run, when there
/// has been hardly any.
pub fn largest_so_far(curve: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut largest = 0.0f64;
    let running = curve.iter().map(|(time, value)| {
        largest = largest.max(value.abs());
        (*time, largest)
    });
    let running: Vec<(f64, f64)> = running.collect();
    running[curve.len().div_ceil(100).min(curve.len())..].to_vec()
}

/// The accurate states of the mechanism at these times (s).
pub fn accurate_at(mechanism: &Mechanism, times: &[f64]) -> Result<Vec<State>, Failure> {
    let run = accurate::run(mechanism, &Instance::nominal(mechanism), times, accurate::TOLERANCE);
    Ok(run?.states)
}

/// The larger of the errors of attitude (rad) and angular velocity (rad/s) in the last snapshot of
/// a history with both.
pub fn error(history: &History, exact: &State) -> f64 {
    let last = history.last();
    let w = history.angular_velocity(last);
    let off = length(sub(w, exact.bodies[0].angular_velocity));
    angle(history.attitude(last), exact.bodies[0].attitude).max(off)
}

/// Azimuth of the body's third axis about the vertical since the start (rad), at every snapshot,
/// continuous in time.
pub fn azimuth(history: &History) -> Vec<(f64, f64)> {
    let mut curve: Vec<(f64, f64)> = Vec::with_capacity(history.times.len());
    for (i, &time) in history.times.iter().enumerate() {
        let [q0, q1, q2, q3] = history.attitude(i);
        let (x, y) = (q1 * q3 + q0 * q2, q2 * q3 - q0 * q1);
        let now = y.atan2(x);
        if !now.is_finite() {
            break;
        }
        let turn = std::f64::consts::TAU;
        let before = curve.last().map_or(now, |(_, before)| *before);
        curve.push((time, now - ((now - before) / turn).round() * turn));
    }
    let start = curve.first().map_or(0.0, |(_, start)| *start);
    curve.iter_mut().for_each(|(_, now)| *now -= start);
    curve
}

/// Nutation and precession of a top that is released from rest.
#[derive(Clone, Copy, Debug)]
pub struct TopMotion {
    /// Frequency of theta (rad/s), between the first and the last lowest value of theta.
    pub nutation: f64,
    /// Mean rate of the azimuth over those nutations (rad/s).
    pub precession: f64,
    /// Largest theta (rad).
    pub highest: f64,
}

/// From a history with tilt and attitude that begins at the lowest theta, where the azimuth rests,
/// with some hundred snapshots a nutation. `None`: fewer than two nutations.
pub fn top_motion(history: &History) -> Option<TopMotion> {
    let tilt = history.curve(channels::TILT, 0);
    let (mut count, mut end, mut highest) = (0, 0.0, 0.0f64);
    for three in tilt.windows(3) {
        let [(before, a), (middle, b), (_, c)] = [three[0], three[1], three[2]];
        let curvature = a - 2.0 * b + c;
        // The vertex of the parabola through three neighbours.
        let shift = if curvature == 0.0 { 0.0 } else { 0.5 * (a - c) / curvature };
        if b < a && b <= c {
            count += 1;
            end = middle + shift * (middle - before);
        }
        if b > a && b >= c {
            highest = highest.max(b - 0.25 * (a - c) * shift);
        }
    }
    if count < 2 {
        return None;
    }
    let azimuth = azimuth(history);
    let next = azimuth.iter().position(|(time, _)| *time >= end).filter(|next| *next > 0)?;
    let [(t0, a0), (t1, a1)] = [azimuth[next - 1], azimuth[next]];
    let turned = a0 + (a1 - a0) * (end - t0) / (t1 - t0);
    Some(TopMotion {
        nutation: f64::from(count) * std::f64::consts::TAU / end,
        precession: turned / end,
        highest,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_so_far_never_falls() {
        let curve: Vec<(f64, f64)> = [0.0, -3.0, 1.0, 4.0, 2.0].iter().map(|v| (0.0, *v)).collect();
        let values: Vec<f64> = largest_so_far(&curve).iter().map(|(_, v)| *v).collect();
        assert_eq!(values, [3.0, 3.0, 4.0, 4.0]);
        assert!(largest_so_far(&[]).is_empty());
    }
}
