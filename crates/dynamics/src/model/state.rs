//! The state channels of motions: names, order, and the way to lists and back.

use crate::kinematics::body::{ModalCoordinates, Motion};

/// State channels of a motion, in order.
pub const CHANNELS: [&str; 13] =
    ["q0", "q1", "q2", "q3", "wx", "wy", "wz", "rx", "ry", "rz", "vx", "vy", "vz"];

/// Number of state channels of a motion.
pub const WIDTH: usize = CHANNELS.len();

/// The state channels before position and velocity of the mass centre.
pub const AT_REST: usize = 7;

/// Number of state channels of bodies with so many modes each.
pub fn width(modes: &[usize]) -> usize {
    WIDTH * modes.len() + 2 * modes.iter().sum::<usize>()
}

/// Names of the state channels of bodies with so many modes each: those of one body stand alone,
/// those of several are numbered. First come the frames of all bodies, then what deforms.
pub fn channel_names(modes: &[usize]) -> Vec<String> {
    let prefix = |b: usize| if modes.len() == 1 { String::new() } else { format!("b{b}_") };
    let frames =
        (0..modes.len()).flat_map(|b| CHANNELS.iter().map(move |name| format!("{}{name}", prefix(b))));
    let modal = modes.iter().enumerate().flat_map(|(b, modes)| {
        let names = move |kind: &str| {
            let kind = kind.to_string();
            (0..*modes).map(move |k| format!("{}{kind}_{k}", prefix(b)))
        };
        names("amplitude").chain(names("amplitude_rate"))
    });
    frames.chain(modal).collect()
}

/// The state channels of the frame as a list, in the order of [`CHANNELS`].
pub fn channels<R: Copy>(m: &Motion<R>) -> [R; WIDTH] {
    let Motion { q, w, r, v, .. } = *m;
    [q[0], q[1], q[2], q[3], w[0], w[1], w[2], r[0], r[1], r[2], v[0], v[1], v[2]]
}

/// Those of several bodies, one after another, then all modal coordinates and rates.
pub fn all_channels<R: Copy>(motions: &[Motion<R>]) -> Vec<R> {
    let modal = motions.iter().flat_map(|m| m.modal.amplitudes.iter().chain(&m.modal.rates).copied());
    motions.iter().flat_map(channels).chain(modal).collect()
}

/// The motion of a rigid body whose channels are the first [`WIDTH`] of these.
pub fn motion<R: Copy>(c: &[R]) -> Motion<R> {
    Motion {
        q: [c[0], c[1], c[2], c[3]],
        w: [c[4], c[5], c[6]],
        r: [c[7], c[8], c[9]],
        v: [c[10], c[11], c[12]],
        modal: ModalCoordinates::none(),
    }
}

/// The motions whose channels are the first of these, of bodies with so many modes each.
pub fn motions<R: Copy>(modes: &[usize], c: &[R]) -> Vec<Motion<R>> {
    let mut at = WIDTH * modes.len();
    let mut take = |n: usize| {
        at += n;
        c[at - n..at].to_vec()
    };
    let body = |(b, modes): (usize, &usize)| {
        let modal = ModalCoordinates { amplitudes: take(*modes), rates: take(*modes) };
        Motion { modal, ..motion(&c[WIDTH * b..]) }
    };
    modes.iter().enumerate().map(body).collect()
}
