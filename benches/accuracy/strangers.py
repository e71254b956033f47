"""Twenty mechanisms as in small.py, of kinds that were not looked at while the accuracy line was
made: short features at times that are drawn, sticking by a jump, kinks at which an outcome lies,
locks on slides, contacts, a bar that stretches, stiff lags, relaxation, parametric growth, single
precision. settings.py runs them (`--strangers`).
"""

import math

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from scipy.special import erf

from small import (
    A, ATOL, HINGE, J, MGL, S, SLIDE, STOP, TIGHT, V, Case, curves, drive, gravity, outcome, piecewise,
)

SECOND = SLIDE[: SLIDE.index("[[mechanism.signal")].replace('"m"', '"n"').replace('"s"', '"r"')
SECOND = SECOND.replace("mass = 1\n", "mass = 1e-3\n").replace('"x0"', '"y0"').replace('"v0"', "0")


def values(motion, column):
    """A state at the start, the end and wherever the watched numbers passed zero."""
    found = [y[column] for crossing in motion.crossings for _, y in crossing]
    return [motion.states[0, column], motion.states[-1, column], *found]


def linear(matrix, start, times):
    """`y' = matrix y`."""
    return np.array([expm(matrix * t) @ start for t in times])


def late_blip(c, times):
    """A Gaussian push of 3 ms at a time that is drawn: error functions."""
    width, at = 3e-3, c.at

    def one(t):
        z, z0 = (t - at) / width, -at / width
        area = 0.5 * math.sqrt(math.pi) * width * (erf(z) - erf(z0))
        # The integral of the area: width (z E(z) + exp(-z^2)/sqrt(pi)) less that of the start.
        inside = lambda z: z * erf(z) + math.exp(-z * z) / math.sqrt(math.pi)
        twice = 0.5 * math.sqrt(math.pi) * width**2 * (inside(z) - inside(z0) - (z - z0) * erf(z0))
        return c.x0 + c.v0 * t + c.f * twice, c.v0 + c.f * area

    x, v = np.array([one(t) for t in times]).T
    return {S: x, "v": v}


def chirp(c, times):
    """A push of a frequency that grows to 15 Hz."""
    return curves(
        piecewise(lambda t, y, s: [y[1], -9 * y[0] - 0.2 * y[1] + c.f * math.sin(6 * t**3)],
                  [c.x0, c.v0], times, (), (), 2e-3)
    )


def square_wave(c, times):
    """A push that turns around at times that are drawn with its frequency."""
    breaks = [k * math.pi / c.w for k in range(1, int(c.w * times[-1] / math.pi) + 1)]

    def rhs(t, y, signs):
        return [y[1], -4 * y[0] - 0.3 * y[1] + math.copysign(2.0, math.sin(c.w * signs[-1]))]

    return curves(piecewise(rhs, [c.x0, c.v0], times, breaks=breaks))


def at_a_time(c, times):
    """A load that is let go at a drawn time; numbers at a time on no snapshot, means and powers."""

    def rhs(t, y, signs):
        x, v = y[:2]
        return [v, -16 * x - 0.5 * v + (3.0 if signs[-1] < c.gone else 0.0), x, x * x]

    every = np.unique(np.append(times, 1.37))
    motion = piecewise(rhs, [c.x0, c.v0, 0, 0], every, breaks=[c.gone])
    then = motion.states[np.searchsorted(every, 1.37), 1]
    motion.states = motion.states[np.searchsorted(every, times)]
    end = motion.states[-1]
    return curves(motion) | {
        "then": then, "average": end[2] / times[-1], "size": math.sqrt(end[3] / times[-1]), "sum": end[2]
    }


def sticking(c, times):
    """A spring and Coulomb's friction by `sign`: half swings about +-f/k, and rest: closed form."""
    k, f = 40.0, c.f
    w = math.sqrt(k)
    parts, x, at = [], c.x0, 0.0
    while k * abs(x) > f:
        middle = math.copysign(f / k, x)
        parts.append((at, middle, x - middle))
        x, at = 2 * middle - x, at + math.pi / w
    xs, vs = np.full(len(times), x), np.zeros(len(times))
    for n, t in enumerate(times):
        for begun, middle, wide in parts:
            if begun <= t < begun + math.pi / w:
                xs[n] = middle + wide * math.cos(w * (t - begun))
                vs[n] = -wide * w * math.sin(w * (t - begun))
    return {S: xs, "v": vs, "path": sum(2 * abs(wide) for _, _, wide in parts)}


def nearest(c, times):
    """The least distance from a place that it passes, or nearly reaches: a kink. Closed form of the
    motion, whose turns are known."""
    d, w = 0.1, math.sqrt(9 - 0.01)
    x = lambda t: np.exp(-d * t) * (c.x0 * np.cos(w * t) + (c.v0 + d * c.x0) / w * np.sin(w * t))
    b = (c.v0 + d * c.x0) / w
    v = lambda t: np.exp(-d * t) * ((b * w - d * c.x0) * np.cos(w * t) - (c.x0 * w + d * b) * np.sin(w * t))
    first = math.atan2(b * w - d * c.x0, c.x0 * w + d * b) / w
    turns = [first + k * math.pi / w for k in range(-1, 8)]
    turns = [0.0, *[t for t in turns if 0 < t < times[-1]], times[-1]]
    heights = [float(x(t)) - 0.3 for t in turns]
    passes = any(a * b <= 0 for a, b in zip(heights, heights[1:]))
    return {S: x(times), "v": v(times), "near": 0.0 if passes else min(map(abs, heights))}


def van_der_pol(c, times):
    """Relaxation: slow, and then fast, again and again."""
    rhs = lambda t, y: [y[1], c.mu * (1 - y[0] ** 2) * y[1] - y[0]]
    found = solve_ivp(rhs, (0, times[-1]), [c.x0, c.v0], "DOP853", times, rtol=TIGHT, atol=ATOL)
    return {S: found.y[0], "v": found.y[1]}


def hanging_bar(c, times):
    """Two masses on a slide, one light, joined by a stiff spring: powers of a matrix."""
    k, m = c.k, 1e-3
    matrix = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [-4 - k, k, -0.2, 0], [k / m, -k / m, 0, 0]])
    y = linear(matrix, np.array([c.x0, c.x0 + c.y0, 0.0, 0.0]), times)
    return {S: y[:, 0], "r.displacement": y[:, 1], "v": y[:, 2]}


def quick_lag(c, times):
    """A controller that hears the speed through a lag of a tenth of a millisecond: powers of a
    matrix."""
    tau = 1e-4
    matrix = np.array([[0, 1, 0], [-5, 0, -c.g], [0, 1 / tau, -1 / tau]])
    y = linear(matrix, np.array([c.x0, c.v0, 0.0]), times)
    return {S: y[:, 0], "v": y[:, 1]}


def lock_on_a_slide(c, times):
    """A lock on a slide catches at 0.4 m, and a spring tears it off: closed forms."""
    # x'' = c.f t until it is caught; then 0 until c.f t = 3.
    x = lambda t: c.x0 + c.v0 * t + c.f * t**3 / 6
    low, high = 0.0, times[-1]
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if x(middle) < 0.4 else (low, middle)
    caught, freed = high, 3.0 / c.f
    after = np.maximum(times - freed, 0.0)
    return {
        S: np.where(times < caught, x(times), 0.4 + freed * c.f * after**2 / 2 + c.f * after**3 / 6),
        "v": np.where(times < caught, c.v0 + c.f * times**2 / 2, c.f * (freed * after + after**2 / 2)),
        "latch.caught": np.where(times < caught, np.nan, caught),
        "latch.released": np.where(times < freed, np.nan, freed),
    }


def rolls_down(c, times):
    """A ball rolls down a plane against a drag: closed form."""
    rate, pull = 5 / 7 * c.drag, 5 / 7 * 9.81 * math.sin(0.3)
    v = pull / rate + (c.v0 - pull / rate) * np.exp(-rate * times)
    x = pull / rate * times + (c.v0 - pull / rate) / rate * (1 - np.exp(-rate * times))
    return {"ball.position.x": x, "ball.velocity.x": v}


def bead(c, times):
    """A bead on a wave of wire, which just about passes its crest or does not."""

    def rhs(t, y, signs):
        x, v = y
        slope, bend = 0.3 * math.cos(3 * x) * 3, -0.9 * 3 * math.sin(3 * x)
        return [v, -(slope * bend * v * v + 9.81 * slope) / (1 + slope * slope)]

    start = -math.pi / 6
    motion = piecewise(rhs, [start, c.v0], times, (), [lambda t, y: y[0] - math.pi / 6], 5e-3)
    held = motion.holds(0, times[-1])
    x, v = motion.states.T
    return {"bead.position.x": x, "bead.velocity.x": v, "over": held[0][0] if held else np.nan}


def rod_stretches(c, times):
    """A mass on a bar that stretches, EA/L = 2 kN/m, with damping of its strain, is pulled: powers
    of a matrix."""
    matrix = np.array([[0, 1, 0], [-2000.0, -0.4, c.f], [0, 0, 0]])
    y = linear(matrix, np.array([0.0, 0.0, 1.0]), times)
    return {S: y[:, 0], "v": y[:, 1]}


def turns_over(c, times):
    """A free body about its middle axis: when it has turned over for the first time."""
    i = np.array([1.0, 2.0, 3.0])

    def rhs(t, y, signs):
        p, q, r = y
        return [(i[1] - i[2]) * q * r / i[0], (i[2] - i[0]) * r * p / i[1], (i[0] - i[1]) * p * q / i[2]]

    motion = piecewise(rhs, [c.p, 2.0, c.r], times, (), [lambda t, y: -y[1]], 0.1)
    held = motion.holds(0, times[-1])
    names = [f"b.angular_velocity.{x}" for x in "xyz"]
    return dict(zip(names, motion.states.T)) | {"over": held[0][0] if held else np.nan}


def swing_grows(c, times):
    """A pendulum's linear kin whose stiffness swings: it grows a thousandfold."""
    return curves(
        piecewise(lambda t, y, s: [y[1], -(1 + c.e * math.cos(2 * t)) * y[0]], [c.x0, c.v0], times, (), (), 0.1)
    )


def decades(c, times):
    """Springs over four decades; the greatest rate. Closed form."""
    w = math.sqrt(10**c.decade)
    x = c.x0 * np.cos(w * times) + c.v0 / w * np.sin(w * times)
    v = -c.x0 * w * np.sin(w * times) + c.v0 * np.cos(w * times)
    return {S: x, "v": v, "fast": math.hypot(c.x0 * w, c.v0)}


def soft_wall(c, times):
    """Thrown against a wall by Hunt and Crossley, again and again: when it touches for the last
    time, and how deep."""

    def rhs(t, y, signs):
        x, v = y
        deep = x - 0.5
        push = max(5e3 * deep * (1 + 0.4 * v), 0.0) if signs[0] > 0 else 0.0
        return [v, 6.0 - push]

    motion = piecewise(rhs, [c.x0, c.v0], times, [lambda t, y: y[0] - 0.5], [lambda t, y: y[1]], 2e-3)
    touches = motion.holds(0, times[-1])
    deepest = max(values(motion, 0))
    return curves(motion) | {"last": touches[-1][1] if touches else np.nan, "deep": deepest}


def two_walls(c, times):
    """Between two hard walls without loss: fast and exact arcs, how often by a duration."""

    def rhs(t, y, signs):
        x, v = y
        off = x - 0.2 if signs[0] > 0 else (x + 0.2 if signs[1] < 0 else 0.0)
        return [v, -1e5 * off]

    motion = piecewise(rhs, [c.x0, c.v0], times, [lambda t, y: y[0] - 0.2, lambda t, y: y[0] + 0.2], (), 1e-2)
    touched = sum(b - a for a, b in motion.holds(0, times[-1]))
    return curves(motion) | {"right": touched}


def single(c, times):
    """A pendulum in single precision."""
    motion = piecewise(lambda t, y, s: [y[1], (-MGL * math.sin(y[0]) - 0.05 * y[1]) / J],
                       [c.x0, c.v0], times, (), [lambda t, y: y[1]], 0.05)
    return curves(motion, "j.angle") | {"far": max(map(abs, values(motion, 0)))}


def single_stop(c, times):
    """A mass against a stop in single precision."""

    def rhs(t, y, signs):
        held = -800 * (y[0] - 0.2) - 4 * y[1] if signs[0] > 0 else 0.0
        return [y[1], -5 * y[0] - 0.2 * y[1] + held]

    motion = piecewise(rhs, [c.x0, c.v0], times, [lambda t, y: y[0] - 0.2], (), 5e-3)
    return curves(motion) | {"touched": sum(b - a for a, b in motion.holds(0, times[-1]))}


HELD_BALL = """
[mechanism.body]
name = "ball"
mass = 2
inertia = [0.008, 0.008, 0.008]
[mechanism.body.initial]
approximate = true
position = [0, 0, 0.1]
velocity = ["v0", 0, 0]
angular_velocity = [0, "10*v0", 0]
[[mechanism.contact]]
name = "floor"
kind = "rolling"
radius = 0.1
[[mechanism.load]]
name = "wind"
body = "ball"
kind = "force"
axes = "space"
function = ["-2*drag*ball.velocity.x", 0, 0]
"""
# The plane is level, and gravity leans.
LEANS = f"gravity = [{9.81 * math.sin(0.3)!r}, 0, {-9.81 * math.cos(0.3)!r}]\n"
BEAD = """
[mechanism.body]
name = "bead"
mass = 1
inertia = [1, 1, 1]
[mechanism.body.initial]
approximate = true
position = ["-pi/6", -0.3, 0]
velocity = ["v0", 0, 0]
[[mechanism.contact]]
name = "wire"
kind = "curve"
y = "0.3*sin(3*x)"
"""
BAR = """
[[mechanism.beam_element]]
name = "bar"
bodies = ["ground", "m"]
points = [[-1, 0, 0], [0, 0, 0]]
EA = 2000.0
GA = 1e3
GJ = 1.0
EI = 1.0
damping = 2e-4
"""
LAG = '[[mechanism.state]]\nname = "heard"\nrate = "(s.displacement_rate - heard)/1e-4"\n'
STRETCH = "-{0}*(s.displacement - r.displacement)"
BODY = '[mechanism.body]\nname = "b"\nmass = 1\ninertia = [1, 2, 3]\n[mechanism.body.initial]\nangular_velocity = ["p", 2, "r"]\n'
CASES = [
    Case("late_blip", SLIDE + drive("f*exp(-((t - at)/0.003)^2)"),
         {"x0": (-0.1, 0.1), "v0": (-0.1, 0.1), "f": (50.0, 200.0), "at": (0.5, 4.5)}, 5.0, 0.25, [S, V], late_blip,
         closed=True),
    Case("chirp", SLIDE + drive("-9*s.displacement - 0.2*v + f*sin(6*t^3)"),
         {"x0": (-0.2, 0.2), "v0": (-0.2, 0.2), "f": (1.0, 5.0)}, 2.3, 0.1, [S, V], chirp),
    Case("square_wave", SLIDE + drive("-4*s.displacement - 0.3*v + 2*sign(sin(w*t))"),
         {"x0": (-0.5, 0.5), "v0": (-0.5, 0.5), "w": (1.5, 7.0)}, 6.0, 0.1, [S, V], square_wave),
    Case("at_a_time", SLIDE + drive("-16*s.displacement - 0.5*v + select(t < gone, 3, 0)"),
         {"x0": (-0.5, 0.5), "v0": (-0.5, 0.5), "gone": (0.3, 2.5)}, 3.0, 0.1, [S, V, "then", "average", "size", "sum"],
         at_a_time,
         '[[outcome]]\nname = "then"\nat = { time = "1.37 s", value = "v" }\nunit = "m/s"\n'
         + outcome("average", "mean", "s.displacement", "m") + outcome("size", "rms", "s.displacement", "m")
         + outcome("sum", "integral", "s.displacement", "m s")),
    Case("sticking", SLIDE + drive("-40*s.displacement - f*sign(v)"),
         {"x0": (0.3, 1.0), "v0": (0.0, 0.0), "f": (2.0, 8.0)}, 4.0, 0.05, [S, V, "path"], sticking,
         outcome("path", "integral", "abs(v)", "m"), closed=True),
    Case("nearest", SLIDE + drive("-9*s.displacement - 0.2*v"),
         {"x0": (0.32, 1.0), "v0": (-0.5, 0.5)}, 3.0, 0.1, [S, V, "near"], nearest,
         outcome("near", "min", "abs(s.displacement - 0.3)", "m"), closed=True),
    Case("van_der_pol", SLIDE + drive("mu*(1 - s.displacement^2)*v - s.displacement"),
         {"x0": (1.5, 2.0), "v0": (0.0, 0.1), "mu": (20.0, 60.0)}, 60.0, 2.0, [S, V], van_der_pol),
    Case("hanging_bar",
         SLIDE + SECOND.replace('"y0"', '"x0 + y0"')
         + drive("-4*s.displacement - 0.2*v - k*(s.displacement - r.displacement)")
         + drive("k*(s.displacement - r.displacement)", "r").replace('"drive"', '"pull"'),
         {"x0": (0.1, 0.3), "v0": (0.0, 0.0), "y0": (-1e-3, 1e-3), "k": (500.0, 2000.0)}, 1.0, 0.05,
         [S, "r.displacement", V], hanging_bar, closed=True),
    Case("quick_lag", SLIDE + LAG + drive("-5*s.displacement - g*heard"),
         {"x0": (0.2, 0.6), "v0": (-1.0, 1.0), "g": (0.5, 3.0)}, 3.0, 0.1, [S, V], quick_lag, closed=True),
    Case("lock_on_a_slide",
         SLIDE + drive("f*t") + '[[mechanism.lock]]\nname = "latch"\njoint = "s"\nat = 0.4\nrelease = 3\n',
         {"x0": (0.0, 0.1), "v0": (0.3, 1.0), "f": (1.2, 2.5)}, 3.0, 0.05, [S, V, "caught", "released"],
         lock_on_a_slide, closed=True),
    Case("rolls_down", f"[mechanism]\n{LEANS}{HELD_BALL}",
         {"v0": (0.0, 2.0), "drag": (0.2, 1.0)}, 4.0, 0.2, ["ball.position", "ball.velocity"], rolls_down, closed=True),
    Case("bead", f"[mechanism]\ngravity = [0, -9.81, 0]\n{BEAD}",
         {"v0": (2.5, 4.4)}, 3.0, 0.1, ["bead.position", "bead.velocity", "over"], bead,
         outcome("over", "first", "bead.position.x > pi/6")),
    Case("rod_stretches", SLIDE.replace('"x0"', "0").replace('"v0"', "0") + BAR + drive("f"),
         {"f": (10.0, 100.0)}, 1.0, 0.02, [S, V], rod_stretches, closed=True),
    Case("turns_over", BODY, {"p": (0.001, 0.05), "r": (0.001, 0.05)}, 12.0, 0.25, ["b.angular_velocity", "over"],
         turns_over, outcome("over", "first", "b.angular_velocity.y < 0")),
    Case("swing_grows", SLIDE + drive("-(1 + e*cos(2*t))*s.displacement"),
         {"x0": (0.1, 1.0), "v0": (-1.0, 1.0), "e": (0.4, 0.6)}, 60.0, 1.0, [S, V], swing_grows),
    Case("decades", SLIDE + drive("-10^decade*s.displacement"),
         {"x0": (0.1, 1.0), "v0": (-1.0, 1.0), "decade": (0.0, 4.0)}, 3.0, 0.1, [S, V, "fast"], decades,
         outcome("fast", "max", "abs(v)", "m/s"), closed=True),
    Case("soft_wall", SLIDE + drive("6") + STOP.format("wall", "s", "high = 0.5", 5e3, 0) + "dissipation = 0.4\n",
         {"x0": (0.0, 0.3), "v0": (-1.0, 1.0)}, 2.5, 0.05, [S, V, "last", "deep"], soft_wall,
         outcome("last", "last", "s.displacement > 0.5") + outcome("deep", "max", "s.displacement", "m")),
    Case("two_walls", SLIDE + STOP.format("walls", "s", "low = -0.2\nhigh = 0.2", 1e5, 0),
         {"x0": (-0.1, 0.1), "v0": (0.5, 2.0)}, 2.0, 0.05, [S, V, "right"], two_walls,
         outcome("right", "duration", "s.displacement > 0.2")),
    Case("single", gravity(HINGE) + drive("-0.05*v", "j"),
         {"x0": (-1.0, 1.0), "v0": (-1.0, 1.0)}, 5.0, 0.1, [A, V, "far"], single,
         outcome("far", "max", "abs(j.angle)"), precision="f32"),
    Case("single_stop", SLIDE + drive("-5*s.displacement - 0.2*v") + STOP.format("lim", "s", "high = 0.2", 800, 4),
         {"x0": (-0.6, 0.1), "v0": (-1.0, 1.0)}, 4.0, 0.05, [S, V, "touched"], single_stop,
         outcome("touched", "duration", "s.displacement > 0.2"), precision="f32"),
]
