"""How far a single rounding of every increment to f32 takes tumbling bodies, all else computed in
f64.

The free body of studies/tumbling.toml (inertias 5, 10, 1 kg m^2), angular velocity drawn about (2,
0.1, 0.1) rad/s, 50 s by rk4. Needs NumPy. docs/precision.md has what it prints.
"""

import numpy as np

INSTANCES, STEP, STEPS = 2000, 2e-3, 25_000
UNIT_ROUNDOFF = 2.0**-24
J = np.array([5.0, 10.0, 1.0])
RATES = np.array([(J[1] - J[2]) / J[0], (J[2] - J[0]) / J[1], (J[0] - J[1]) / J[2]])


def rate(w):
    """Euler's equations without torque (rad/s^2)."""
    return np.array([RATES[0] * w[1] * w[2], RATES[1] * w[2] * w[0], RATES[2] * w[0] * w[1]])


def end(w, rounding, seed=5):
    """The angular velocity at the end (rad/s); `rounding`: largest error of an increment, as a
    share of it."""
    drawn = np.random.default_rng(seed)
    for _ in range(STEPS):
        k1 = rate(w)
        k2 = rate(w + STEP / 2 * k1)
        k3 = rate(w + STEP / 2 * k2)
        k4 = rate(w + STEP * k3)
        increment = STEP / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if rounding > 0.0:
            increment *= 1.0 + drawn.uniform(-rounding, rounding, increment.shape)
        w = w + increment
    return w


start = np.array([2.0, 0.1, 0.1])[:, None] + 0.05 * np.random.default_rng(7).standard_normal((3, INSTANCES))
exact = end(start, 0.0)
scale = np.abs(exact).max(axis=1)[:, None]
error = (np.abs(end(start, UNIT_ROUNDOFF) - exact) / scale).max(axis=0)
print(f"worst instance: {error.max():.2g} of the scale; median {np.median(error):.2g}")
print(f"above 1e-4: {(error > 1e-4).sum()} of {INSTANCES}")
