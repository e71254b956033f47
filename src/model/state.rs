//! The state channels of motions: names, order, and the way to lists and back.

use super::body::Motion;

/// State channels of a motion, in order.
pub const CHANNELS: [&str; 13] =
    ["q0", "q1", "q2", "q3", "wx", "wy", "wz", "rx", "ry", "rz", "vx", "vy", "vz"];

/// Number of state channels of a motion.
pub const WIDTH: usize = CHANNELS.len();

/// The state channels before position and velocity of the mass centre.
pub const AT_REST: usize = 7;

/// Names of the state channels of so many bodies: those of one stand alone, those of several are numbered.
pub fn channel_names(bodies: usize) -> Vec<String> {
    if bodies == 1 {
        return CHANNELS.iter().map(|name| name.to_string()).collect();
    }
    (0..bodies).flat_map(|b| CHANNELS.iter().map(move |name| format!("b{b}_{name}"))).collect()
}

/// The state channels as a list, in the order of [`CHANNELS`].
pub fn channels<R: Copy>(m: &Motion<R>) -> [R; WIDTH] {
    let Motion { q, w, r, v } = *m;
    [q[0], q[1], q[2], q[3], w[0], w[1], w[2], r[0], r[1], r[2], v[0], v[1], v[2]]
}

/// Those of several bodies, one after another.
pub fn all_channels<R: Copy>(motions: &[Motion<R>]) -> Vec<R> {
    motions.iter().flat_map(channels).collect()
}

/// The motion whose channels are the first [`WIDTH`] of these.
pub fn motion<R: Copy>(c: &[R]) -> Motion<R> {
    Motion {
        q: [c[0], c[1], c[2], c[3]],
        w: [c[4], c[5], c[6]],
        r: [c[7], c[8], c[9]],
        v: [c[10], c[11], c[12]],
    }
}

/// The motions whose channels these are.
pub fn motions<R: Copy>(c: &[R]) -> Vec<Motion<R>> {
    c.chunks_exact(WIDTH).map(motion).collect()
}
