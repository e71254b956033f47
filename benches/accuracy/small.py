"""Small mechanisms with stops, friction, outcomes, chaos, tables and sampled laws, each with a
solution that owes nothing to polhode.

A case is a mechanism as TOML, constants that are drawn evenly, and a function from these constants
to the right numbers: a closed form, or SciPy's DOP853 from event to event (`piecewise`).
settings.py runs them (`--small`).
"""

import dataclasses
import math
import typing

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import PchipInterpolator
from scipy.linalg import expm

TIGHT = 2.3e-14  # as small as SciPy takes it
ATOL = 1e-15


@dataclasses.dataclass
class Case:
    name: str
    mechanism: str
    draws: dict  # of constants: low and high
    duration: float  # s
    every: float  # s
    channels: list
    # (constants, times) -> {column: numbers at these times, or one at the end}
    truth: typing.Callable
    outcomes: str = ""
    closed: bool = False  # its truth is a closed form
    precision: str = "f64"
    coarse: float = 0.0  # s: a step that is too long; else as long as snapshots are apart

    def text(self, size):
        """The study, of so many instances, with a start and a mechanism but no method."""
        constants = "\n".join(f"{name} = {0.5 * (low + high)!r}" for name, (low, high) in self.draws.items())
        vary = "\n".join(
            f'"constants.{name}" = {{ uniform = {{ low = {low!r}, high = {high!r} }} }}'
            for name, (low, high) in self.draws.items()
        )
        channels = ", ".join(f'"{name}"' for name in self.channels)
        return f"""title = "{self.name.replace("_", " ")}"
[method]
duration = "{self.duration!r} s"
[ensemble]
size = {size}
seed = 20
[ensemble.vary]
{vary}
{self.outcomes}
[observe]
channels = [{channels}]
every = "{self.every!r} s"
keep = {size}
[run]
precision = "{self.precision}"
[mechanism.constants]
{constants}
{self.mechanism}"""

    def right(self, drawn, times):
        """Columns as `[snapshot][instance]`, of which those of outcomes count at the end."""
        rows = [self.truth(type("Constants", (), row), times) for row in drawn]
        columns = {}
        for name in rows[0]:
            numbers = [np.broadcast_to(np.asarray(row[name], dtype=float), times.shape) for row in rows]
            columns[name] = np.stack(numbers, axis=1)
        return columns


class Motion:
    """A solution from event to event: states at the times asked for, and when switches, then
    watched numbers, passed 0."""

    def __init__(self, states, crossings, began):
        self.states, self.crossings, self.began = states, crossings, began

    def holds(self, which, end):
        """The intervals in which a watched number was positive."""
        edges = [0.0, *[t for t, _ in self.crossings[which]], end]
        first = 0 if self.began[which] > 0 else 1
        return [(edges[k], edges[k + 1]) for k in range(first, len(edges) - 1, 2)]

    def extremes(self, which, column):
        """What a state was wherever a watched number passed zero."""
        return [y[column] for _, y in self.crossings[which]]


def piecewise(rhs, start, times, switches=(), watched=(), longest=np.inf, breaks=()):
    """Advances `rhs(t, y, signs)`, smooth while no sign of the `switches(t, y)` changes, from event
    to event.

    `breaks`: times at which the right side jumps; it is told the middle of the interval it is in by
    `signs[-1]`.
    """
    times, y, at = np.asarray(times), np.asarray(start, dtype=float), 0.0
    signs = [1.0 if g(0.0, y) >= 0 else -1.0 for g in switches]
    began = [g(0.0, y) for g in [*switches, *watched]]
    crossings = [[] for _ in began]
    states = np.empty((len(times), len(y)))
    states[0] = y
    edges = [*sorted(t for t in breaks if 0 < t < times[-1]), times[-1]]
    for before, edge in zip([0.0, *edges], edges):
        just = None
        while at < edge:
            begun, fixed = at, [*signs, 0.5 * (before + edge)]

            def guarded(k):
                def event(t, y):
                    value = switches[k](t, y)
                    # The crossing it starts at is no crossing.
                    return fixed[k] * 1e-300 if k == just and t - begun < 1e-9 else value

                event.terminal = True
                return event

            events = [guarded(k) for k in range(len(switches))] + list(watched)
            part = solve_ivp(
                lambda t, y: rhs(t, y, fixed),
                (at, edge),
                y,
                "DOP853",
                events=events or None,
                dense_output=True,
                rtol=TIGHT,
                atol=ATOL,
                max_step=longest,
            )
            assert part.success, part.message
            end = part.t[-1]
            inside = (times > at) & (times <= end)
            if inside.any():
                states[inside] = part.sol(times[inside]).T
            for k in range(len(switches), len(began)):
                for t, state in zip(part.t_events[k], part.y_events[k]):
                    if t > 0 and not (crossings[k] and t - crossings[k][-1][0] < 1e-9):
                        crossings[k].append((t, state))
            y, at, just = part.y[:, -1], end, None
            for k in range(len(switches)):
                if len(part.t_events[k]) and part.status == 1 and part.t_events[k][-1] == end:
                    signs[k], just = -signs[k], k
                    crossings[k].append((end, y))
    return Motion(states, crossings, began)


SLIDE = """
[[mechanism.body]]
name = "m"
mass = 1
inertia = [1, 1, 1]
[[mechanism.joint]]
name = "s"
kind = "translational"
bodies = ["ground", "m"]
points = [[0, 0, 0], [0, 0, 0]]
axes = [1, 0, 0]
displacement = "x0"
velocity = "v0"
[[mechanism.signal]]
name = "v"
value = "s.displacement_rate"
"""
# A pendulum of 1 kg at half a metre, 0.33 kg m^2 about its hinge: `angle` from hanging.
HINGE = """
[[mechanism.body]]
name = "arm"
mass = 1
inertia = [0.08, 0.08, 0.001]
centre_of_mass = [0, 0, -0.5]
[[mechanism.joint]]
name = "j"
kind = "revolute"
bodies = ["ground", "arm"]
points = [[0, 0, 0], [0, 0, 0]]
axes = [0, 1, 0]
angle = "x0"
angular_velocity = "v0"
[[mechanism.signal]]
name = "v"
value = "j.angle_rate"
"""
WEIGHT = "gravity = 9.81\n"
J, MGL = 0.33, 9.81 * 0.5


def gravity(text):
    """A mechanism with weight: its key stands before the tables."""
    return f"[mechanism]\n{WEIGHT}{text}"


def drive(law, joint="s"):
    return f'[[mechanism.joint_spring]]\nname = "drive"\njoint = "{joint}"\nactuator = "{law}"\n'


def outcome(name, kind, expression, unit=""):
    unit = f'unit = "{unit}"\n' if unit else ""
    return f'[[outcome]]\nname = "{name}"\n{kind} = "{expression}"\n{unit}'


def curves(motion, joint="s.displacement"):
    return {joint: motion.states[:, 0], "v": motion.states[:, 1]}


def settled(motion, which, end):
    held = motion.holds(which, end)
    return held[-1][0] if held and held[-1][1] == end else np.nan


# Stops.


def two_stops(c, times):
    """Driven between two stops of 4 kN/m and 20 N s/m at 0.3 m."""

    def rhs(t, y, signs):
        x, v = y
        off = x - 0.3 if signs[0] > 0 else (x + 0.3 if signs[1] < 0 else 0.0)
        damped = 20 * v if signs[0] > 0 or signs[1] < 0 else 0.0
        return [v, -5 * x - 0.4 * v + c.push * math.sin(6 * t) - 4e3 * off - damped]

    motion = piecewise(
        rhs, [c.x0, c.v0], times, [lambda t, y: y[0] - 0.3, lambda t, y: y[0] + 0.3], [lambda t, y: y[1]], 5e-3
    )
    far = max(map(abs, [c.x0, motion.states[-1, 0], *motion.extremes(2, 0)]))
    return curves(motion) | {"far": far}


def bouncing(c, times):
    """Falls on a stop without loss, from parabola to arc of a sine and back: closed forms."""
    k, g = 2e4, 9.81
    w, rest = math.sqrt(k), g / k
    x, v, at, parts = c.x0, 0.0, 0.0, []
    while at < times[-1]:
        land = (v + math.sqrt(v * v + 2 * g * x)) / g
        parts.append((at, at + land, "air", x, v))
        v, x, at = v - g * land, 0.0, at + land
        # From 0 with v < 0: x = -rest + rest cos(w t) + v/w sin(w t), until 0 again.
        leave = 2 * (math.pi - math.atan2(-v / w, rest)) / w
        parts.append((at, at + leave, "stop", 0.0, v))
        v, at = -v, at + leave
    xs, vs = np.empty(len(times)), np.empty(len(times))
    for k, t in enumerate(times):
        begun, _, kind, x, v = next(part for part in parts if t <= part[1])
        s = t - begun
        if kind == "air":
            xs[k], vs[k] = x + v * s - g * s * s / 2, v - g * s
        else:
            xs[k] = -rest + rest * math.cos(w * s) + v / w * math.sin(w * s)
            vs[k] = -rest * w * math.sin(w * s) + v * math.cos(w * s)
    return {"s.displacement": xs, "v": vs, "landed": parts[0][1]}


def swing_on_a_stop(c, times):
    """A pendulum against a hard, lossy stop on one side: bounces until it leans on it or swings
    free."""

    def rhs(t, y, signs):
        x, v = y
        held = -3e3 * (x - 0.2) - 15 * v if signs[0] > 0 else 0.0
        return [v, (-MGL * math.sin(x) - 0.1 * v + held) / J]

    motion = piecewise(rhs, [c.x0, c.v0], times, [lambda t, y: y[0] - 0.2], (), 4e-3)
    held = motion.holds(0, times[-1])
    touched = sum(b - a for a, b in held)
    first = held[0][0] if held else np.nan
    return curves(motion, "j.angle") | {"touched": touched, "first_touch": first}


# Friction.


def friction_decays(c, times):
    """A spring and smoothed dry friction: comes to a creep."""

    def rhs(t, y, signs):
        x, v, heat = y
        force = c.f * math.tanh(v / 0.02)
        return [v, -40 * x - force, force * v]

    motion = piecewise(rhs, [c.x0, c.v0, 0], times, (), [lambda t, y: 0.02 - abs(y[1])], 5e-3)
    return curves(motion) | {"heat": motion.states[-1, 2], "slow": settled(motion, 0, times[-1])}


def stick_slip(c, times):
    """On a belt whose friction falls with the speed."""

    def rhs(t, y, signs):
        x, v = y
        slip = v - 0.2
        return [v, -50 * x - math.tanh(slip / 0.01) * (c.f - 0.5 * c.f * (1 - math.exp(-abs(slip) / 0.1)))]

    return curves(piecewise(rhs, [c.x0, c.v0], times, [lambda t, y: y[1] - 0.2], (), 0.01))


def brake(c, times):
    """Coulomb's friction by a jump until it stands: braked by `select` on the speed, which never
    changes sign."""

    def rhs(t, y, signs):
        return [y[1], -c.f if signs[0] > 0 else -0.3 * y[1]]

    motion = piecewise(rhs, [c.x0, c.v0], times, [lambda t, y: y[1] - 0.5], [lambda t, y: 1.0 - y[1]])
    held = motion.holds(1, times[-1])
    return curves(motion) | {"slower": held[0][0] if held else np.nan}


def quadratic_drag(c, times):
    """Thrown up against c v|v|: a tangent up, a hyperbolic tangent down."""
    g, k = 9.81, c.k
    w, top = math.sqrt(g * k), math.atan(c.v0 * math.sqrt(k / g)) / math.sqrt(g * k)
    phase = math.atan(c.v0 * math.sqrt(k / g))
    height = c.x0 - math.log(math.cos(phase)) / k

    def at(t):
        if t <= top:
            return (
                c.x0 + math.log(math.cos(phase - w * t) / math.cos(phase)) / k,
                math.sqrt(g / k) * math.tan(phase - w * t),
            )
        s = t - top
        return height - math.log(math.cosh(w * s)) / k, -math.sqrt(g / k) * math.tanh(w * s)

    x, v = np.array([at(t) for t in times]).T
    return {"s.displacement": x, "v": v, "top": height, "top.time": top}


# Laws by cases, tables.


def bang_bang(c, times):
    """A relay: parabolas, joined at 0."""

    def rhs(t, y, signs):
        return [y[1], -c.f * signs[0]]

    motion = piecewise(rhs, [c.x0, c.v0], times, [lambda t, y: y[0]])
    return curves(motion)


def saturated(c, times):
    """A controller with a limit of 2 N and an integral that is drawn back there."""

    def rhs(t, y, signs):
        x, v, z = y
        wanted = -c.k * x - 2 * v - 4 * z
        force = 2.0 if signs[0] > 0 else (-2.0 if signs[1] < 0 else wanted)
        return [v, force, x + 0.2 * (wanted - force)]

    def wanted(y):
        return -c.k * y[0] - 2 * y[1] - 4 * y[2]

    switches = [lambda t, y: wanted(y) - 2, lambda t, y: wanted(y) + 2]
    motion = piecewise(rhs, [c.x0, c.v0, 0], times, switches, (), 0.02)
    above = sum(b - a for a, b in motion.holds(0, times[-1]))
    full = above + times[-1] - sum(b - a for a, b in motion.holds(1, times[-1]))
    return curves(motion) | {"full": full}


def backlash(c, times):
    """A hinge that a spring holds with play of 0.05 rad, under its own weight."""

    def rhs(t, y, signs):
        x, v = y
        off = x - 0.05 if signs[0] > 0 else (x + 0.05 if signs[1] < 0 else 0.0)
        return [v, (-c.k * off - MGL * math.sin(x)) / J]

    switches = [lambda t, y: y[0] - 0.05, lambda t, y: y[0] + 0.05]
    return curves(piecewise(rhs, [c.x0, c.v0], times, switches, (), 0.01), "j.angle")


KNOTS, TORQUES = [0.0, 2.0, 5.0, 8.0], [1.5, 1.6, 0.7, 0.0]


def motor_curve(c, times):
    """A motor whose torque is a table of straight lines over its rate."""

    def rhs(t, y, signs):
        segment = sum(sign > 0 for sign in signs[:-1])
        slope, base = 0.0, TORQUES[-1]
        if segment < len(KNOTS) - 1:
            slope = (TORQUES[segment + 1] - TORQUES[segment]) / (KNOTS[segment + 1] - KNOTS[segment])
            base = TORQUES[segment]
        torque = base + slope * (y[1] - KNOTS[min(segment, len(KNOTS) - 1)])
        return [y[1], (c.k * torque - 0.02 * y[1]) / J]

    switches = [lambda t, y, knot=knot: y[1] - knot for knot in KNOTS[1:]]
    return curves(piecewise(rhs, [c.x0, c.v0], times, switches), "j.angle")


HELD = ([0.0, 0.31, 0.77, 1.234, 1.9], [1.0, -2.0, 3.0, 0.5, -1.0])


def held_table(c, times):
    """Thrust that jumps at times on no grid: parabolas."""
    xs, vs = [], []
    for t in times:
        x, v, at = c.x0, c.v0, 0.0
        for k, force in enumerate(HELD[1]):
            until = min(t, HELD[0][k + 1] if k + 1 < len(HELD[0]) else t)
            h = until - at
            if h <= 0:
                break
            x, v, at = x + v * h + c.f * force * h * h / 2, v + c.f * force * h, until
        xs.append(x)
        vs.append(v)
    return {"s.displacement": np.array(xs), "v": np.array(vs)}


MEASURED = ([-0.5, -0.2, -0.05, 0.05, 0.2, 0.5], [-40.0, -12.0, -1.0, 1.0, 12.0, 40.0])


def measured_spring(c, times):
    """A spring by a table of monotone cubics, constant outside."""
    spring = PchipInterpolator(*MEASURED)
    knots = MEASURED[0]

    def rhs(t, y, signs):
        x = y[0]
        outside = signs[0] < 0 or signs[len(knots) - 1] > 0
        force = math.copysign(40.0, x) if outside else float(spring(x))
        return [y[1], -c.k * force - 0.1 * y[1]]

    switches = [lambda t, y, knot=knot: y[0] - knot for knot in knots]
    return curves(piecewise(rhs, [c.x0, c.v0], times, switches, (), 0.02))


def pulse(c, times):
    """A thrust of a few milliseconds: error functions."""
    a, w = c.f, 4e-3
    erf = np.vectorize(math.erf)
    u = (times - 0.613) / w
    u0 = -0.613 / w
    scale = a * w * math.sqrt(math.pi) / 2
    v = c.v0 + scale * (erf(u) - math.erf(u0))

    def twice(u):
        return u * erf(u) + np.exp(-u * u) / math.sqrt(math.pi)

    x = c.x0 + (c.v0 - scale * math.erf(u0)) * times + scale * w * (twice(u) - twice(np.array(u0)))
    return {"s.displacement": x, "v": v}


# Sampled laws.


def held_states(a, b, every, times, start, sampled):
    """`x' = a x + b u`, u held over `every`; u by sampled(k, x)."""
    n = len(start)
    joint = np.zeros((n + 1, n + 1))
    joint[:n, :n], joint[:n, n] = a, b
    step = expm(joint * every)
    x, rows, k = np.array(start, dtype=float), [], 0
    u = sampled(0, x)
    for t in times:
        while (k + 1) * every <= t + 1e-12:
            x = step[:n, :n] @ x + step[:n, n] * u
            k += 1
            u = sampled(k, x)
        rest = expm(joint * (t - k * every))
        rows.append(rest[:n, :n] @ x + rest[:n, n] * u)
    return np.array(rows)


def sampled_control(c, times):
    """A controller that holds its command for 20 ms: powers of a matrix."""
    a = np.array([[0.0, 1.0], [-9.0, -0.2]])
    rows = held_states(a, [0, 1], 0.02, times, [c.x0, c.v0], lambda k, x: -c.k * x[0] - 4 * x[1])
    return {"s.displacement": rows[:, 0], "v": rows[:, 1]}


def digital_filter(c, times):
    """A filter of the speed that a computer evaluates each 50 ms, and its force a sample late."""
    memory = {"next": 0.0}

    def sampled(k, x):
        now = memory["next"]
        memory["next"] = 0.7 * now + 0.3 * x[1]
        return -c.k * now

    a = np.array([[0.0, 1.0], [-20.0, 0.0]])
    rows = held_states(a, [0, 1], 0.05, times, [c.x0, c.v0], sampled)
    return {"s.displacement": rows[:, 0], "v": rows[:, 1]}


# Outcomes that graze, and chaos.


def threshold(c, times):
    """An oscillation whose peaks pass a threshold by little, or do not: closed form."""
    w, zeta = 3.0, 0.02
    d, damped = zeta * w, w * math.sqrt(1 - zeta * zeta)
    b = (c.v0 + d * c.x0) / damped
    x = np.exp(-d * times) * (c.x0 * np.cos(damped * times) + b * np.sin(damped * times))
    v = np.exp(-d * times) * (
        (b * damped - d * c.x0) * np.cos(damped * times) - (c.x0 * damped + d * b) * np.sin(damped * times)
    )
    motion = piecewise(lambda t, y, s: [y[1], -w * w * y[0] - 2 * d * y[1]], [c.x0, c.v0], times, (), [
        lambda t, y: y[0] - 0.2
    ], 2e-3)  # it is above for 16 ms, in one of 60
    held = motion.holds(0, times[-1])
    return {
        "s.displacement": x,
        "v": v,
        "above": sum(b - a for a, b in held),
        "first_above": held[0][0] if held else np.nan,
        "last_above": held[-1][1] if held else np.nan,
    }


def kepler(c, times):
    """A mass in an orbit of high eccentricity: Kepler's equation."""
    e = c.e
    xs, ys = [], []
    for t in times:
        m = (t + math.pi) % (2 * math.pi)  # of a semi-major axis of 1, from the far end
        ecc = m + e * math.sin(m)
        low, high = 0.0, 2 * math.pi
        for _ in range(200):
            off = ecc - e * math.sin(ecc) - m
            low, high = (low, ecc) if off > 0 else (ecc, high)
            step = ecc - off / (1 - e * math.cos(ecc))
            ecc = step if low < step < high else 0.5 * (low + high)
        xs.append(math.cos(ecc) - e)
        ys.append(math.sqrt(1 - e * e) * math.sin(ecc))
    return {"ball.position.x": np.array(xs), "ball.position.y": np.array(ys), "near": 1 - e, "near.time": math.pi}


def over_the_top(c, times):
    """A pendulum with just about the energy to go over the top."""
    motion = piecewise(
        lambda t, y, s: [y[1], -MGL * math.sin(y[0]) / J], [c.x0, c.v0], times, (), [lambda t, y: y[0] - math.pi]
    )
    held = motion.holds(0, times[-1])
    return curves(motion, "j.angle") | {"over": held[0][0] if held else np.nan}


def duffing(c, times):
    """A driven oscillator with two wells, long enough for neighbours to part."""
    return curves(
        piecewise(lambda t, y, s: [y[1], y[0] - y[0] ** 3 - 0.15 * y[1] + c.f * math.cos(t)], [c.x0, c.v0], times)
    )


def lock_catches(c, times):
    """A pendulum that a lock holds where it hangs, from the first time that it does."""
    motion = piecewise(
        lambda t, y, s: [y[1], (-MGL * math.sin(y[0]) - 0.3 * y[1]) / J], [c.x0, c.v0], times, (), [lambda t, y: y[0]]
    )
    caught = motion.crossings[0][0][0]
    free = times < caught
    return {
        "j.angle": np.where(free, motion.states[:, 0], 0.0),
        "v": np.where(free, motion.states[:, 1], 0.0),
        "latch.caught": np.where(free, np.nan, caught),
    }


# More of the kinds that err: peaks where forces jump, times of rest, rare events, scales far apart.


def settle_bouncing(c, times):
    """Falls on a lossy stop until it lies there: when it has come to rest."""

    def rhs(t, y, signs):
        x, v = y
        return [v, -9.81 - (4e3 * x + 12 * v if signs[0] < 0 else 0.0)]

    motion = piecewise(rhs, [c.x0, c.v0], times, [lambda t, y: y[0]], [lambda t, y: 0.02 - abs(y[1])], 5e-3)
    return curves(motion) | {"rest": settled(motion, 1, times[-1])}


def rate_backlash(c, times):
    """As `backlash`, and the greatest rate."""

    def rhs(t, y, signs):
        x, v = y
        off = x - 0.05 if signs[0] > 0 else (x + 0.05 if signs[1] < 0 else 0.0)
        return [v, (-c.k * off - MGL * math.sin(x)) / J]

    def accelerates(t, y):
        off = max(y[0] - 0.05, 0.0) + min(y[0] + 0.05, 0.0)
        return -c.k * off - MGL * math.sin(y[0])

    switches = [lambda t, y: y[0] - 0.05, lambda t, y: y[0] + 0.05]
    motion = piecewise(rhs, [c.x0, c.v0], times, switches, [accelerates], 0.01)
    rates = [c.v0, motion.states[-1, 1], *motion.extremes(2, 1)]
    return curves(motion, "j.angle") | {"fast": max(map(abs, rates))}


def strikes(c, times):
    """As `two_stops`, whose damped stops push with a jump: the greatest rate is where it
    strikes."""

    def rhs(t, y, signs):
        x, v = y
        off = x - 0.3 if signs[0] > 0 else (x + 0.3 if signs[1] < 0 else 0.0)
        damped = 20 * v if signs[0] > 0 or signs[1] < 0 else 0.0
        return [v, -5 * x - 0.4 * v + c.push * math.sin(6 * t) - 4e3 * off - damped]

    def free(t, y):
        return -5 * y[0] - 0.4 * y[1] + c.push * math.sin(6 * t)

    def held(t, y):
        off = y[0] - math.copysign(0.3, y[0])
        return free(t, y) - 4e3 * off - 20 * y[1]

    switches = [lambda t, y: y[0] - 0.3, lambda t, y: y[0] + 0.3]
    motion = piecewise(rhs, [c.x0, c.v0], times, switches, [free, held], 5e-3)
    rates = [c.v0, motion.states[-1, 1]]
    rates += [y[1] for k in (0, 1) for _, y in motion.crossings[k]]
    rates += [y[1] for _, y in motion.crossings[2] if abs(y[0]) <= 0.3]
    rates += [y[1] for _, y in motion.crossings[3] if abs(y[0]) > 0.3]
    return curves(motion) | {"fast": max(map(abs, rates))}


def kicked(c, times):
    """A stretch of the slide, 0.3 m long, pushes what is inside: when it is left for good, and how
    fast that was."""

    def rhs(t, y, signs):
        return [y[1], -4 * y[0] - 0.1 * y[1] + (c.f if signs[0] > 0 > signs[1] else 0.0)]

    switches = [lambda t, y: y[0] - 0.2, lambda t, y: y[0] - 0.5]
    motion = piecewise(rhs, [c.x0, c.v0], times, switches, [lambda t, y: y[1]], 2e-3)
    # The greatest height: the turns, and both ends.
    far = max([c.x0, motion.states[-1, 0], *motion.extremes(2, 0)])
    above = motion.holds(1, times[-1])
    return curves(motion) | {"far": far, "beyond": sum(b - a for a, b in above)}


def rare_over(c, times):
    """A pendulum of which one in fifty goes over the top: when, where it does."""
    motion = piecewise(
        lambda t, y, s: [y[1], (-MGL * math.sin(y[0]) - 0.05 * y[1]) / J], [c.x0, c.v0], times, (),
        [lambda t, y: y[0] - math.pi],
    )
    held = motion.holds(0, times[-1])
    return curves(motion, "j.angle") | {"over": held[0][0] if held else np.nan}


def far_apart(c, times):
    """Two masses: one swings by hundreds of metres in seconds, one by micrometres in milliseconds.
    Closed forms."""
    w, u = math.sqrt(c.k), 2 * math.pi * 40
    x, z = c.x0 * np.cos(w * times), 1e-6 * c.z0 * np.cos(u * times)
    peak = 1e-6 * abs(c.z0)
    return {"s.displacement": x, "fine.displacement": z, "little": peak}


def at_the_start(c, times):
    """A decaying oscillation, whose peak is its start, alike in all instances: an outcome that
    rests."""
    w, d = c.k, 0.2
    damped = math.sqrt(w * w - d * d)
    x = np.exp(-d * times) * (np.cos(damped * times) + d / damped * np.sin(damped * times))
    v = -np.exp(-d * times) * w * w / damped * np.sin(damped * times)
    low = -math.exp(-d * math.pi / damped)
    return {"s.displacement": x, "v": v, "high": 1.0, "low": low, "low.time": math.pi / damped}


def thrust_and_stop(c, times):
    """A table of thrust that jumps at times on no grid pushes a mass against a stop: how long it
    touches."""
    edges, levels = HELD

    def rhs(t, y, signs):
        level = levels[sum(t0 <= signs[-1] for t0 in edges) - 1]
        held = -2e3 * (y[0] - 0.4) - 30 * y[1] if signs[0] > 0 else 0.0
        return [y[1], 3 * c.f * level - 0.5 * y[1] + held]

    motion = piecewise(rhs, [c.x0, c.v0], times, [lambda t, y: y[0] - 0.4], (), 4e-3, edges[1:])
    return curves(motion) | {"touched": sum(b - a for a, b in motion.holds(0, times[-1]))}


def shaken(c, times):
    """A ball on a lossy, shaken stop: chaos of impacts, cut short."""

    def rhs(t, y, signs):
        x, v = y
        floor, rate = 0.01 * math.sin(20 * t), 0.2 * math.cos(20 * t)
        return [v, -9.81 - (3e3 * (x - floor) + 15 * (v - rate) if signs[0] < 0 else 0.0)]

    motion = piecewise(rhs, [c.x0, c.v0], times, [lambda t, y: y[0] - 0.01 * math.sin(20 * t)], (), 2e-3)
    return curves(motion)


def two_latches(c, times):
    """Two pendulums, each held where it hangs from the first time that it does: when the first of
    them is."""
    columns = {}
    for joint, number, start in (("j", 0, c.x0), ("k", 1, c.y0)):
        motion = piecewise(
            lambda t, y, s: [y[1], (-MGL * math.sin(y[0]) - 0.2 * y[1]) / J], [start, 0.0], times, (),
            [lambda t, y: y[0]],
        )
        caught = motion.crossings[0][0][0] if motion.crossings[0] else np.inf
        columns[f"{joint}.angle"] = np.where(times < caught, motion.states[:, 0], 0.0)
        columns[f"latch{number}.caught"] = np.where(times < caught, np.nan, caught)
    return columns


def lets_go(c, times):
    """A lock catches an arm that a growing torque then tears off."""
    inertia = 0.03

    def rhs(t, y, signs):
        return [y[1], c.f * t / inertia]

    motion = piecewise(rhs, [c.x0, c.v0], times, (), [lambda t, y: y[0]])
    caught = motion.crossings[0][0][0]
    freed = 0.4 / c.f
    after = np.maximum(times - freed, 0.0)
    # From rest at `freed`: c f (freed + s)/J.
    angle = c.f / inertia * (freed * after**2 / 2 + after**3 / 6)
    rate = c.f / inertia * (freed * after + after**2 / 2)
    return {
        "j.angle": np.where(times < caught, motion.states[:, 0], angle),
        "v": np.where(times < caught, motion.states[:, 1], rate),
        "latch.caught": np.where(times < caught, np.nan, caught),
        "latch.released": np.where(times < freed, np.nan, freed),
    }


def sticks(c, times):
    """A block on a slope that friction slows to a creep, in some instances before a mark is
    passed."""

    def rhs(t, y, signs):
        x, v = y
        return [v, 2.0 - c.f * math.tanh(v / 1e-3)]

    motion = piecewise(rhs, [c.x0, c.v0], times, (), [lambda t, y: y[0] - 0.6], 5e-3)
    held = motion.holds(0, times[-1])
    return curves(motion) | {"passes": held[0][0] if held else np.nan}


STOP = '[[mechanism.stop]]\nname = "{}"\njoint = "{}"\n{}\nstiffness = {}\ndamping = {}\n'
TABLE = '[[mechanism.table]]\nname = "curve"\narguments = {}\nvalues = {}\ninterpolation = "{}"\n'
LOCK = '[[mechanism.lock]]\nname = "latch{}"\njoint = "{}"\nat = 0\n'
FINE = SLIDE[: SLIDE.index("[[mechanism.signal")].replace('"m"', '"tip"').replace('"s"', '"fine"')
FINE = FINE.replace('"x0"', '"1e-6*z0"').replace('"v0"', "0")
FREE_HINGE = HINGE.replace("[0.08, 0.08, 0.001]", "[0.001, 0.02, 0.02]").replace("[0, 0, -0.5]", "[0.1, 0, 0]")
FREE_HINGE = FREE_HINGE.replace("[0, 1, 0]", "[0, 0, 1]")
S, A, V = "s.displacement", "j.angle", "v"
CASES = [
    Case(
        "two_stops",
        SLIDE + drive("-5*s.displacement - 0.4*v + push*sin(6*t)")
        + STOP.format("lim", "s", "low = -0.3\nhigh = 0.3", 4e3, 20),
        {"x0": (-0.2, 0.2), "v0": (-1.0, 1.0), "push": (4.0, 8.0)}, 4.0, 0.02, [S, V, "far"], two_stops,
        outcome("far", "max", "abs(s.displacement)", "m"),
    ),
    Case(
        "bouncing",
        SLIDE + drive("-9.81") + STOP.format("floor", "s", "low = 0", 2e4, 0),
        {"x0": (0.1, 0.6), "v0": (0.0, 0.0)}, 3.0, 0.05, [S, V, "landed"], bouncing,
        outcome("landed", "first", "s.displacement < 0"), closed=True,
    ),
    Case(
        "swing_on_a_stop",
        gravity(HINGE) + drive("-0.1*v", "j") + STOP.format("lim", "j", "high = 0.2", 3e3, 15),
        {"x0": (-1.5, 0.0), "v0": (-1.0, 1.0)}, 4.0, 0.02, [A, V, "touched", "first_touch"], swing_on_a_stop,
        outcome("touched", "duration", "j.angle > 0.2") + outcome("first_touch", "first", "j.angle > 0.2"),
    ),
    Case(
        "friction_decays",
        SLIDE + drive("-40*s.displacement")
        + '[[mechanism.joint_friction]]\nname = "dry"\njoint = "s"\nforce = "f"\nrate = 0.02\n',
        {"x0": (0.2, 0.5), "v0": (0.0, 0.0), "f": (0.5, 2.0)}, 4.0, 0.02, [S, V, "heat", "slow"], friction_decays,
        outcome("heat", "integral", "f*tanh(v/0.02)*v", "J") + outcome("slow", "settled", "abs(v) < 0.02"),
    ),
    Case(
        "stick_slip",
        SLIDE
        + drive("-50*s.displacement - tanh((v - 0.2)/0.01)*(f - 0.5*f*(1 - exp(-abs(v - 0.2)/0.1)))"),
        {"x0": (-0.1, 0.1), "v0": (-0.1, 0.1), "f": (1.0, 4.0)}, 5.0, 0.05, [S, V], stick_slip,
    ),
    Case(
        "brake",
        SLIDE + drive("select(v > 0.5, -f, -0.3*v)"),
        {"x0": (0.0, 0.0), "v0": (1.0, 4.0), "f": (0.5, 3.0)}, 5.0, 0.1, [S, V, "slower"], brake,
        outcome("slower", "first", "v < 1"),
    ),
    Case(
        "quadratic_drag",
        SLIDE + drive("-9.81 - k*v*abs(v)"),
        {"x0": (0.0, 0.0), "v0": (5.0, 40.0), "k": (0.005, 0.1)}, 4.0, 0.1, [S, V, "top"], quadratic_drag,
        outcome("top", "max", "s.displacement", "m"), closed=True,
    ),
    Case(
        "bang_bang",
        SLIDE + drive("-f*sign(s.displacement)"),
        {"x0": (0.1, 1.0), "v0": (-0.5, 0.5), "f": (1.0, 3.0)}, 8.0, 0.1, [S, V], bang_bang,
    ),
    Case(
        "saturated",
        SLIDE
        + '[[mechanism.state]]\nname = "z"\nrate = "s.displacement + 0.2*(wanted - clamp(wanted, -2, 2))"\ninitial = 0\n'
        + '[[mechanism.signal]]\nname = "wanted"\nvalue = "-k*s.displacement - 2*v - 4*z"\n'
        + drive("clamp(wanted, -2, 2)"),
        {"x0": (0.2, 2.0), "v0": (-1.0, 1.0), "k": (4.0, 12.0)}, 6.0, 0.05, [S, V, "full"], saturated,
        outcome("full", "duration", "abs(wanted) > 2"),
    ),
    Case(
        "backlash",
        gravity(HINGE) + drive("-k*(max(j.angle - 0.05, 0) + min(j.angle + 0.05, 0))", "j"),
        {"x0": (-0.6, 0.6), "v0": (-0.5, 0.5), "k": (50.0, 400.0)}, 4.0, 0.02, [A, V], backlash,
    ),
    Case(
        "motor_curve",
        HINGE + TABLE.format(KNOTS, TORQUES, "linear") + drive("k*curve(v) - 0.02*v", "j"),
        {"x0": (0.0, 0.0), "v0": (0.0, 1.0), "k": (0.5, 2.0)}, 6.0, 0.1, [A, V], motor_curve,
    ),
    Case(
        "held_table",
        SLIDE + TABLE.format(*HELD, "hold") + drive("f*curve(t)"),
        {"x0": (0.0, 1.0), "v0": (-1.0, 1.0), "f": (0.5, 2.0)}, 3.0, 0.1, [S, V], held_table, closed=True,
    ),
    Case(
        "measured_spring",
        SLIDE + TABLE.format(*MEASURED, "monotone") + drive("-k*curve(s.displacement) - 0.1*v"),
        {"x0": (0.1, 0.7), "v0": (-1.0, 1.0), "k": (0.5, 2.0)}, 5.0, 0.05, [S, V], measured_spring,
    ),
    Case(
        "pulse",
        SLIDE + drive("f*exp(-((t - 0.613)/0.004)^2)"),
        {"x0": (0.0, 0.1), "v0": (-0.1, 0.1), "f": (10.0, 100.0)}, 2.0, 0.1, [S, V], pulse, closed=True,
    ),
    Case(
        "sampled_control",
        SLIDE + drive("-9*s.displacement - 0.2*v + command")
        + '[[mechanism.signal]]\nname = "command"\nvalue = "-k*s.displacement - 4*v"\nevery = "20 ms"\n',
        {"x0": (0.1, 1.0), "v0": (-1.0, 1.0), "k": (5.0, 50.0)}, 3.0, 0.1, [S, V], sampled_control, closed=True, coarse=0.02,
    ),
    Case(
        "digital_filter",
        SLIDE + drive("-20*s.displacement - k*late")
        + '[[mechanism.state]]\nname = "late"\nnext = "0.7*late + 0.3*v"\nevery = "50 ms"\ninitial = 0\n',
        {"x0": (0.1, 1.0), "v0": (-1.0, 1.0), "k": (1.0, 5.0)}, 4.0, 0.1, [S, V], digital_filter, closed=True, coarse=0.05,
    ),
    Case(
        "threshold",
        SLIDE + drive("-9*s.displacement - 0.12*v"),
        {"x0": (0.0, 0.0), "v0": (0.5, 1.0)}, 6.0, 0.1, [S, V, "above", "first_above", "last_above"], threshold,
        outcome("above", "duration", "s.displacement > 0.2")
        + outcome("first_above", "first", "s.displacement > 0.2")
        + outcome("last_above", "last", "s.displacement > 0.2"), closed=True,
    ),
    Case(
        "kepler",
        '[[mechanism.body]]\nname = "ball"\nmass = 1\ninertia = [1, 1, 1]\n'
        'initial = { position = ["-1 - e", 0, 0], velocity = [0, "-sqrt((1 - e)/(1 + e))", 0] }\n'
        '[[mechanism.load]]\nname = "pull"\nbody = "ball"\nkind = "force"\naxes = "space"\n'
        'function = "(-1/norm(ball.position)^3)*ball.position"\n',
        {"e": (0.5, 0.93)}, 8.0, 0.1, ["position", "near"], kepler,
        outcome("near", "min", "norm(ball.position)", "m"), closed=True,
    ),
    Case(
        "over_the_top",
        gravity(HINGE),
        {"x0": (0.0, 0.1), "v0": (7.5, 7.9)}, 5.0, 0.05, [A, V, "over"], over_the_top,
        outcome("over", "first", "j.angle > pi"),
    ),
    Case(
        "duffing",
        SLIDE + drive("s.displacement - s.displacement^3 - 0.15*v + f*cos(t)"),
        {"x0": (-1.0, 1.0), "v0": (-0.5, 0.5), "f": (0.25, 0.35)}, 150.0, 1.0, [S, V], duffing,
    ),
    Case(
        "lock_catches",
        gravity(HINGE) + drive("-0.3*v", "j") + '[[mechanism.lock]]\nname = "latch"\njoint = "j"\nat = 0\n',
        {"x0": (0.3, 1.5), "v0": (-1.0, 1.0)}, 2.0, 0.05, [A, V, "caught"], lock_catches,
    ),
    Case(
        "settle_bouncing",
        SLIDE + drive("-9.81") + STOP.format("floor", "s", "low = 0", 4e3, 12),
        {"x0": (0.1, 0.6), "v0": (-1.0, 1.0)}, 5.0, 0.05, [S, V, "rest"], settle_bouncing,
        outcome("rest", "settled", "abs(v) < 0.02"),
    ),
    Case(
        "rate_backlash",
        gravity(HINGE) + drive("-k*(max(j.angle - 0.05, 0) + min(j.angle + 0.05, 0))", "j"),
        {"x0": (-0.6, 0.6), "v0": (-0.5, 0.5), "k": (50.0, 400.0)}, 4.0, 0.02, [A, V, "fast"], rate_backlash,
        outcome("fast", "max", "abs(v)", "rad/s"),
    ),
    Case(
        "strikes",
        SLIDE + drive("-5*s.displacement - 0.4*v + push*sin(6*t)")
        + STOP.format("lim", "s", "low = -0.3\nhigh = 0.3", 4e3, 20),
        {"x0": (-0.2, 0.2), "v0": (-1.0, 1.0), "push": (4.0, 8.0)}, 4.0, 0.02, [S, V, "fast"], strikes,
        outcome("fast", "max", "abs(v)", "m/s"),
    ),
    Case(
        "kicked",
        SLIDE + drive("-4*s.displacement - 0.1*v + select(abs(s.displacement - 0.35) < 0.15, f, 0)"),
        {"x0": (-1.0, 0.1), "v0": (-1.0, 1.0), "f": (1.0, 5.0)}, 6.0, 0.1, [S, V, "far", "beyond"], kicked,
        outcome("far", "max", "s.displacement", "m") + outcome("beyond", "duration", "s.displacement > 0.5"),
    ),
    Case(
        "rare_over",
        gravity(HINGE) + drive("-0.05*v", "j"),
        {"x0": (0.0, 0.1), "v0": (4.0, 8.1)}, 5.0, 0.05, [A, V, "over"], rare_over,
        outcome("over", "first", "j.angle > pi"),
    ),
    Case(
        "far_apart",
        SLIDE + drive("-k*s.displacement")
        + FINE + drive("-(2*pi*40)^2*fine.displacement", "fine").replace("drive", "stiff"),
        {"x0": (100.0, 900.0), "v0": (0.0, 0.0), "k": (0.2, 2.0), "z0": (1.0, 9.0)}, 10.0, 0.25,
        [S, "fine.displacement", "little"], far_apart,
        outcome("little", "max", "abs(fine.displacement)", "m"), closed=True,
    ),
    Case(
        "at_the_start",
        SLIDE + drive("-k^2*s.displacement - 0.4*v"),
        {"x0": (1.0, 1.0), "v0": (0.0, 0.0), "k": (2.0, 6.0)}, 6.0, 0.1, [S, V, "high", "low"], at_the_start,
        outcome("high", "max", "abs(s.displacement)", "m") + outcome("low", "min", "s.displacement", "m"), closed=True,
    ),
    Case(
        "thrust_and_stop",
        SLIDE + TABLE.format(*HELD, "hold") + drive("3*f*curve(t) - 0.5*v") + STOP.format("lim", "s", "high = 0.4", 2e3, 30),
        {"x0": (0.0, 0.3), "v0": (-1.0, 1.0), "f": (0.5, 2.0)}, 3.0, 0.1, [S, V, "touched"], thrust_and_stop,
        outcome("touched", "duration", "s.displacement > 0.4"),
    ),
    Case(
        "shaken",
        SLIDE + drive("-9.81 - select(s.displacement < 0.01*sin(20*t), 3e3*(s.displacement - 0.01*sin(20*t))"
                      " + 15*(v - 0.2*cos(20*t)), 0)"),
        {"x0": (0.05, 0.2), "v0": (-0.5, 0.5)}, 2.0, 0.02, [S, V], shaken,
    ),
    Case(
        "two_latches",
        gravity(HINGE + HINGE.replace('"arm"', '"other"').replace('"j"', '"k"').replace('"v"', '"w"').replace("j.angle", "k.angle")
                .replace('"x0"', '"y0"'))
        + drive("-0.2*v", "j") + drive("-0.2*w", "k").replace('"drive"', '"other_drive"')
        + LOCK.format(0, "j") + LOCK.format(1, "k"),
        {"x0": (0.3, 1.5), "y0": (-2.0, -0.3), "v0": (0.0, 0.0)}, 2.0, 0.05, [A, "k.angle", "caught"], two_latches,
    ),
    Case(
        "lets_go",
        FREE_HINGE + drive("f*t", "j")
        + '[[mechanism.lock]]\nname = "latch"\njoint = "j"\nat = 0\nrelease = 0.4\n',
        {"x0": (-0.6, -0.3), "v0": (1.0, 3.0), "f": (0.3, 0.6)}, 1.6, 0.05, [A, V, "caught", "released"], lets_go,
    ),
    Case(
        "sticks",
        SLIDE + drive("2.0") + '[[mechanism.joint_friction]]\nname = "dry"\njoint = "s"\nforce = "f"\nrate = 1e-3\n',
        {"x0": (0.0, 0.0), "v0": (0.5, 1.5), "f": (2.2, 4.0)}, 3.0, 0.05, [S, V, "passes"], sticks,
        outcome("passes", "first", "s.displacement > 0.6"),
    ),
]
