"""When does each CubeSat of studies/cubesat.toml turn slower than 1 deg/s for good? SciPy beside
polhode.

    polhode run studies/cubesat.toml --out cubesat
    python3 benches/peers/cubesat_scipy.py cubesat [COUNT]

Euler's equations with the saturated torques, by DOP853 with rtol 1e-11, one instance at a time. The
torque has a kink where a wheel reaches its limit: integration ends and begins anew there. SciPy
looks for that between its steps, and misses a limit that is passed twice within one: instances that
are apart are integrated again by steps of at most 5 ms. Needs numpy, scipy, pyarrow.
"""

import multiprocessing
import sys
import time

import numpy as np
import pyarrow.parquet as parquet
from scipy.integrate import solve_ivp

J = np.array([0.0067, 0.033, 0.034])  # kg m^2
END = 120.0  # s
SLOW = np.pi / 180.0  # rad/s
APART = 1e-6  # s


def settled(row, longest=np.inf):
    """The time (s) of the last crossing of the bound from above, by steps of at most `longest`
    (s)."""
    w, gain, limit = np.array(row[:3]), row[3], row[4]
    t, crossing = 0.0, (0.0 if np.linalg.norm(w) < SLOW else np.nan)
    # By axis: -1 or 1 where the wheel is at its limit, 0 where it follows the rate.
    state = np.array([np.sign(x) if abs(gain * x) > limit else 0.0 for x in w])
    while t < END:
        held = state.copy()

        def rate(_, w):
            torque = -np.where(held != 0.0, held * limit, gain * w)
            return (torque - np.cross(w, J * w)) / J

        def edge(axis):
            def event(_, w):
                # A wheel at its limit stays there until the law asks for less; one that follows
                # does so until it reaches either end.
                if held[axis] != 0.0:
                    return held[axis] * gain * w[axis] - limit
                return limit - gain * abs(w[axis])

            event.terminal, event.direction = True, -1
            return event

        def slow(_, w):
            return np.linalg.norm(w) - SLOW

        events = [edge(0), edge(1), edge(2), slow]
        found = solve_ivp(rate, (t, END), w, "DOP853", events=events, rtol=1e-11, atol=1e-15, max_step=longest)
        for at, state_there in zip(found.t_events[3], found.y_events[3]):
            crossing = at if state_there @ rate(0.0, state_there) < 0.0 else np.nan
        t, w = found.t[-1], found.y[:, -1]
        for axis in range(3):
            if len(found.t_events[axis]) and abs(found.t_events[axis][-1] - t) < 1e-12:
                state[axis] = 0.0 if held[axis] != 0.0 else np.sign(w[axis])
    return crossing


def main():
    table = parquet.read_table(f"{sys.argv[1]}/instances.parquet").to_pydict()
    drawn = [table[f"drawn.satellite.angular_velocity.{axis}"] for axis in "xyz"]
    rows = list(zip(*drawn, table["drawn.constants.gain"], table["drawn.constants.limit"]))
    count = int(sys.argv[2]) if len(sys.argv) > 2 else len(rows)
    chosen = np.linspace(0, len(rows) - 1, count).astype(int)
    begun = time.perf_counter()
    with multiprocessing.Pool() as pool:
        expected = np.array(list(pool.imap(settled, [rows[k] for k in chosen], chunksize=8)))
    took = time.perf_counter() - begun
    found = np.array(table["final.detumbled"], dtype=float)[chosen]
    assert (np.isnan(found) == np.isnan(expected)).all(), "one settles where the other does not"
    apart = np.flatnonzero(np.abs(found - expected) > APART)
    for k in apart:
        again = settled(rows[chosen[k]], 5e-3)
        print(f"instance {chosen[k]}: polhode {found[k]:.9f}, SciPy {expected[k]:.9f}, by short steps {again:.9f} s")
        expected[k] = again
    off = np.abs(found - expected)[~np.isnan(found)]
    print(f"{count} instances in {took:.1f} s: detumbled after {np.nanmin(found):.1f} to {np.nanmax(found):.1f} s")
    print(f"polhode and SciPy apart: largest {off.max():.2e} s, median {np.median(off):.2e} s")


if __name__ == "__main__":
    main()
