"""Mechanisms that are drawn: a mass on a slide with a choice of stops, friction, kicks, limits,
jumps and outcomes.

    python3 benches/accuracy/drawn.py [--polhode PATH] [--size N] FIRST LAST

Case number K is the same everywhere. Each runs by what is chosen, by what is chosen for another
accuracy, and by a method and step that are drawn too. The truth is SciPy's DOP853 from event to
event. A row is printed for each, and at the end how many are *RESOLVED* over more instances above
what was asked than is said, or *NOT RESOLVED* over none.
"""

import argparse
import math
import pathlib
import random
import tempfile

import numpy as np

import settings
from small import SLIDE, STOP, Case, curves, drive, outcome, piecewise, settled


# Peaks are alike where they differ by less than this share of the range: which is the highest is
# left to what is asked.
ALIKE = 2e-3


def peak(motion, which, end, sign):
    """The largest of x or of -x, and when; NaN: another one is alike."""
    states = motion.states
    ends = [(states[0, 0], 0.0), (states[-1, 0], end)]
    found = [(sign * x, t) for x, t in [*ends, *((y[0], t) for t, y in motion.crossings[which])]]
    highest, when = max(found)
    alike = [t for x, t in found if highest - x < ALIKE * np.ptp(states[:, 0])]
    return sign * highest, when if len(alike) == 1 else np.nan


def drawn(number):
    """A case, and its settings."""
    draw = random.Random(number)
    has = lambda share: draw.random() < share
    near = lambda low, high: round(draw.uniform(low, high), 3)
    spread = lambda low, high: float(f"{math.exp(draw.uniform(math.log(low), math.log(high))):.3g}")
    k, c = spread(1, 100), near(0, 1)
    law, tables, parts, switches, breaks = [f"-{k}*s.displacement - {c}*v"], "", [], [], []
    parts.append(lambda t, x, v, signs, p: -k * x - c * v)
    draws = {"x0": (near(-1, 0), near(0, 1)), "v0": (-near(0, 2), near(0, 2))}

    def switch(g):
        switches.append(g)
        return len(switches) - 1

    if has(0.3):
        law.append("-9.81")
        parts.append(lambda t, x, v, signs, p: -9.81)
    if has(0.5):
        w = near(1, 12)
        draws["push"] = (1.0, spread(2, 20))
        law.append(f"+push*sin({w}*t)")
        parts.append(lambda t, x, v, signs, p: p.push * math.sin(w * t))
    if has(0.2):
        b = near(0.5, 10)
        law.append(f"-{b}*s.displacement^3")
        parts.append(lambda t, x, v, signs, p: -b * x**3)
    if has(0.6):
        limit, hard = near(0.1, 0.6), spread(300, 1e4)
        lossy, deep = (near(1, 30), 0.0) if has(0.5) else (0.0, near(0, 0.8) if has(0.7) else 0.0)
        tables += STOP.format("wall", "s", f"high = {limit}", hard, lossy) + (f"dissipation = {deep}\n" if deep else "")
        at = switch(lambda t, y: y[0] - limit)

        def wall(t, x, v, signs, p):
            e = x - limit
            return -hard * e - (lossy + hard * deep * e) * v if signs[at] > 0 else 0.0

        parts.append(wall)
    if has(0.3):
        f, rate = near(0.2, 3), spread(5e-3, 0.1)
        tables += f'[[mechanism.joint_friction]]\nname = "dry"\njoint = "s"\nforce = {f}\nrate = {rate}\n'
        parts.append(lambda t, x, v, signs, p: -f * math.tanh(v / rate))
    if has(0.2):
        where, wide = near(-0.5, 0.5), near(0.05, 0.2)
        draws["kick"] = (1.0, spread(2, 10))
        law.append(f"+select(abs(s.displacement - {where}) < {wide}, kick, 0)")
        at_low = switch(lambda t, y: y[0] - where + wide)
        at_high = switch(lambda t, y: where + wide - y[0])
        parts.append(lambda t, x, v, signs, p: p.kick if signs[at_low] > 0 and signs[at_high] > 0 else 0.0)
    if has(0.3):
        gain, rate_gain, most = near(2, 20), near(0.5, 4), near(0.5, 5)
        law.append(f"+clamp(-{gain}*s.displacement - {rate_gain}*v, -{most}, {most})")
        over = switch(lambda t, y: -gain * y[0] - rate_gain * y[1] - most)
        under = switch(lambda t, y: gain * y[0] + rate_gain * y[1] - most)

        def limited(t, x, v, signs, p):
            return most if signs[over] > 0 else -most if signs[under] > 0 else -gain * x - rate_gain * v

        parts.append(limited)
    if has(0.3):
        jump, when = near(-5, 5), near(0.2, 1.8)
        law.append(f"+{jump}*step(t - {when})")
        breaks.append(when)
        parts.append(lambda t, x, v, signs, p: jump if signs[-1] > when else 0.0)
    duration = float(draw.choice([2, 3, 4, 6]))
    every = draw.choice([0.02, 0.05, 0.1])
    mark, slow = near(-0.2, 0.4), near(0.02, 0.3)
    above, rest = (lambda t, y: y[0] - mark), (lambda t, y: slow - abs(y[1]))
    condition = f"s.displacement > {mark}"
    # Each of them, for a motion whose watched numbers are, after the switches, v, `above` and
    # `rest`.
    kinds = {
        "far": (outcome("far", "max", "s.displacement", "m"), lambda m, n, T: peak(m, n, T, 1)),
        "low": (outcome("low", "min", "s.displacement", "m"), lambda m, n, T: peak(m, n, T, -1)),
        "passes": (outcome("passes", "first", condition), lambda m, n, T: (m.holds(n + 1, T) or [[np.nan]])[0][0]),
        "beyond": (outcome("beyond", "duration", condition), lambda m, n, T: sum(b - a for a, b in m.holds(n + 1, T))),
        "rests": (outcome("rests", "settled", f"abs(v) < {slow}"), lambda m, n, T: settled(m, n + 2, T)),
        "heat": (outcome("heat", "integral", "v*v", "m^2/s"), lambda m, n, T: m.states[-1, 2]),
    }
    asked = draw.sample(sorted(kinds), draw.choice([0, 1, 2, 3]))

    def truth(p, times):
        def rhs(t, y, signs):
            return [y[1], sum(part(t, y[0], y[1], signs, p) for part in parts), y[1] ** 2]

        watched = [lambda t, y: y[1], above, rest]
        longest = 2e-3 if "kick" in draws else 5e-3
        motion = piecewise(rhs, [p.x0, p.v0, 0.0], times, switches, watched, longest, breaks)
        found = {name: kinds[name][1](motion, len(switches), duration) for name in asked}
        peaks = {name: found[name] for name in ("far", "low") if name in found}
        times_of = {f"{name}.time": when for name, (_, when) in peaks.items()}
        return curves(motion) | found | {name: value for name, (value, _) in peaks.items()} | times_of

    case = Case(
        f"drawn {number}", SLIDE + drive(" ".join(law)) + tables, draws, duration, every,
        ["s.displacement", "v", *asked], truth, "".join(kinds[name][0] for name in asked),
    )
    share = draw.choice([1e-3, 1e-4, 1e-5, 1e-6])
    by_hand = draw.choice([
        ["method.name=rk4", f'method.step="{every / draw.choice([5, 10, 50])!r} s"'],
        ["method.name=staggered", f'method.step="{every / draw.choice([20, 100])!r} s"'],
        ["method.name=dop853", f'method.step="{every / draw.choice([1, 2, 10])!r} s"'],
        ["method.name=tsit5", f"method.tolerance={spread(1e-9, 1e-3):g}", f'method.step="{every!r} s"'],
        ["method.name=dop853", f"method.tolerance={spread(1e-9, 1e-3):g}", f'method.step="{every!r} s"'],
    ])
    other = [f"method.accuracy={draw.choice([1e-3, 1e-5, 1e-6])}"]
    hand = [*by_hand, f"method.accuracy={share}"]
    return case, [("chosen", [[]]), (other[0][7:], [other]), (" ".join(hand).replace("method.", ""), [hand])]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--polhode", default=str(settings.ROOT / "target/release/polhode"))
    parser.add_argument("--size", type=int, default=24)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    given = parser.parse_args()
    counts = {"lies": 0, "false alarms": 0, "runs": 0}
    for number in range(given.first, given.last + 1):
        case, ways = drawn(number)
        with tempfile.TemporaryDirectory() as folder:
            settings.one_small(given.polhode, case, given.size, pathlib.Path(folder), counts, ways)
    print(f"\n{counts}")


if __name__ == "__main__":
    main()
