"""One problem, five programs: a double pendulum of two bars (1 m, 1 kg) in hinges, 5 s from drawn
angles.

    pip install numpy scipy heyoka mujoco exudyn
    python3 benches/peers/double_pendulum.py target/release/polhode

prints, for each program and target, the processor time of an instance by the longest step (or
loosest tolerance) that keeps the error of both angles of every instance at the end below the
target. One thread each. heyoka and SciPy get the equations; the others get bodies and joints.
polhode's time is that of the whole command, reading and writing included. The truth is SciPy's
DOP853 at 1e-13.
"""

import csv
import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
from scipy.integrate import solve_ivp

M, L, G, I, END = 1.0, 1.0, 9.81, 1 / 12, 5.0
TARGETS = [1e-3, 1e-6, 1e-9]
rng = np.random.default_rng(1)
POLHODE_INSTANCES, JUDGED = 20_000, 40
STARTS = np.column_stack([rng.uniform(0.5, 1.0, POLHODE_INSTANCES), rng.uniform(-0.3, 0.3, POLHODE_INSTANCES)])


def equations(a, b, wa, wb, cos, sin):
    """Accelerations of the angles of both bars from the vertical."""
    m11, m22, m12 = I + 1.25 * M * L**2, I + M * L**2 / 4, M * L**2 / 2 * cos(a - b)
    s = M * L**2 / 2 * sin(a - b)
    f1 = -s * wb**2 - 1.5 * M * G * L * sin(a)
    f2 = s * wa**2 - 0.5 * M * G * L * sin(b)
    det = m11 * m22 - m12**2
    return (m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det


def right_side(_, y):
    return [y[2], y[3], *equations(*y, np.cos, np.sin)]


def scipy(starts, tolerance):
    ends = []
    for shoulder, elbow in starts:
        y = solve_ivp(right_side, (0, END), [shoulder, shoulder + elbow, 0, 0], "DOP853", rtol=tolerance, atol=tolerance).y[:, -1]
        ends.append((y[0], y[1]))
    return np.array(ends)


def heyoka(starts, tolerance, cache={}):
    import heyoka as hy

    if tolerance not in cache:
        y = hy.make_vars("a", "b", "wa", "wb")
        right = [y[2], y[3], *equations(*y, hy.cos, hy.sin)]
        cache[tolerance] = hy.taylor_adaptive(list(zip(y, right)), [0.0] * 4, tol=tolerance)
    integrator = cache[tolerance]
    ends = []
    for shoulder, elbow in starts:
        integrator.time = 0.0
        integrator.state[:] = [shoulder, shoulder + elbow, 0, 0]
        integrator.propagate_until(END)
        ends.append((integrator.state[0], integrator.state[1]))
    return np.array(ends)


MJCF = f"""<mujoco><option integrator="RK4" gravity="0 0 -{G}"><flag contact="disable" constraint="disable"/></option><worldbody>
<body name="upper"><joint name="shoulder" axis="0 1 0"/><inertial pos="0 0 -.5" mass="{M}" diaginertia="{I} {I} .001"/>
<body name="lower" pos="0 0 -1"><joint name="elbow" axis="0 1 0"/><inertial pos="0 0 -.5" mass="{M}" diaginertia="{I} {I} .001"/>
</body></body></worldbody></mujoco>"""


def mujoco(starts, step):
    import mujoco as mj

    model = mj.MjModel.from_xml_string(MJCF)
    model.opt.timestep = step
    data, ends = mj.MjData(model), []
    for shoulder, elbow in starts:
        mj.mj_resetData(model, data)
        data.qpos[:] = [shoulder, elbow]
        mj.mj_step(model, data, nstep=round(END / step))
        ends.append((data.qpos[0], data.qpos[0] + data.qpos[1]))
    return np.array(ends)


def exudyn(starts, step):
    import exudyn as exu
    from exudyn.rigidBodyUtilities import InertiaRodX, RotationMatrixZ

    exu.config.printToConsole = False
    system, ends = exu.SystemContainer(), []
    mbs = system.AddSystem()
    bar = InertiaRodX(mass=M, length=L)
    for shoulder, elbow in starts:
        mbs.Reset()
        ground = mbs.CreateGround()
        bodies, at, before = [], np.zeros(3), ground
        for angle in (shoulder, shoulder + elbow):
            turn = RotationMatrixZ(angle - np.pi / 2)
            centre = at + turn @ [L / 2, 0, 0]
            body = mbs.CreateRigidBody(
                inertia=bar, referencePosition=centre, referenceRotationMatrix=turn, gravity=[0, -G, 0]
            )
            mbs.CreateRevoluteJoint(itemNumbers=[before, body], position=at, axis=[0, 0, 1], useGlobalFrame=True)
            at, before = at + turn @ [L, 0, 0], body
            bodies.append(body)
        mbs.Assemble()
        settings = exu.SimulationSettings()
        settings.timeIntegration.numberOfSteps = round(END / step)
        settings.timeIntegration.endTime = END
        settings.timeIntegration.generalizedAlpha.spectralRadius = 1
        settings.timeIntegration.newton.useModifiedNewton = True
        settings.timeIntegration.verboseMode = 0
        settings.solution.file.write = False
        mbs.SolveDynamic(settings)
        turns = [np.array(mbs.GetObjectOutputBody(b, exu.OutputVariableType.RotationMatrix)).reshape(3, 3) for b in bodies]
        ends.append([np.arctan2(turn[0, 0], -turn[1, 0]) for turn in turns])
    return np.array(ends)


STUDY = """title = "Double pendulum"
method = {{ name = "{method}", step = "{step} s", duration = "{end} s" }}
observe = {{ channels = ["shoulder.angle", "elbow.angle"], every = "{end} s", keep = 1 }}
output = {{ plots = false, report = false, state = false, instances = ["final.shoulder.angle", "final.elbow.angle"] }}
accuracy = {{ budget = 0 }}
run = {{ backend = "cpu", threads = 1 }}

[mechanism]
gravity = "9.81 m/s^2"
body = [
  {{ name = "upper", mass = 1, inertia = [{i}, {i}, 0.001] }},
  {{ name = "lower", mass = 1, inertia = [{i}, {i}, 0.001] }},
]
joint = [
  {{ name = "shoulder", kind = "revolute", bodies = ["ground", "upper"], points = [[0, 0, 0], [0, 0, 0.5]], axes = [0, 1, 0], angle = 0 }},
  {{ name = "elbow", kind = "revolute", bodies = ["upper", "lower"], points = [[0, 0, -0.5], [0, 0, 0.5]], axes = [0, 1, 0], angle = 0 }},
]

[constraints]
treatment = "exact"
project = 10

[ensemble.vary]
"shoulder.angle" = {{ table = {{ file = "starts.csv", columns = "shoulder" }} }}
"elbow.angle" = {{ table = {{ file = "starts.csv", columns = "elbow" }} }}
"""


def polhode(method):
    def run(starts, step):
        with tempfile.TemporaryDirectory() as home:
            with open(f"{home}/starts.csv", "w", newline="") as file:
                csv.writer(file).writerows([("shoulder", "elbow"), *starts])
            with open(f"{home}/study.toml", "w") as file:
                file.write(STUDY.format(method=method, step=step, end=END, i=I))
            subprocess.run([sys.argv[1], "run", "study.toml", "--quiet"], cwd=home, check=True, capture_output=True)
            text = subprocess.run([sys.argv[1], "export", "runs/study"], cwd=home, check=True, capture_output=True, text=True).stdout
        rows = list(csv.DictReader(text.splitlines()))
        angles = [(float(row["final.shoulder.angle (rad)"]), float(row["final.elbow.angle (rad)"])) for row in rows]
        return np.array([(shoulder, shoulder + elbow) for shoulder, elbow in angles])

    return run


def cpu():
    """Processor time of this process and of those that it has waited for (s)."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def steps(longest, count):
    return [longest / 2**k for k in range(count)]


PROGRAMS = [
    ("polhode tsit5", polhode("tsit5"), steps(0.05, 9), POLHODE_INSTANCES),
    ("polhode dop853", polhode("dop853"), steps(0.1, 8), POLHODE_INSTANCES),
    ("heyoka", heyoka, [1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14], JUDGED),
    ("SciPy DOP853", scipy, [1e-4, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12], JUDGED),
    ("MuJoCo RK4", mujoco, steps(0.02, 11), JUDGED),
    ("Exudyn generalised alpha", exudyn, steps(0.01, 7), 8),
]


def main():
    os.environ.update({name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")})
    truth = scipy(STARTS[:JUDGED], 1e-13)
    print("| program | " + " | ".join(f"{target:g} rad" for target in TARGETS) + " | least error |")
    print("|---|" + "---|" * (len(TARGETS) + 1))
    for name, program, ladder, instances in PROGRAMS:
        cells, best = dict.fromkeys(TARGETS), np.inf
        for rung in ladder:
            program(STARTS[:1], rung)  # what is compiled once
            begun = cpu()
            ends = program(STARTS[:instances], rung)
            taken = (cpu() - begun) / instances
            judged = min(instances, JUDGED)
            error = np.abs(ends[:judged] - truth[:judged]).max()
            best = min(best, error)
            for target in TARGETS:
                if cells[target] is None and error < target:
                    cells[target] = taken
            if error < TARGETS[-1]:
                break
        texts = [f"{1e6 * cell:.3g} µs" if cell else "–" for cell in cells.values()]
        print(f"| {name} | {' | '.join(texts)} | {best:.0e} rad |", flush=True)


main()
