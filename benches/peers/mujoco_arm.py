"""The arm of mechanisms/arm.toml by MuJoCo's batch (f64, RK4), beside a finished run of polhode:
the same payloads and frictions, the same law and step. It prints how far the tips are apart, and
what a step of one instance costs on one thread.

    mujoco_arm.py RUN [--step SECONDS] [--turns N]     RUN: the folder of `polhode run studies/arm.toml` by rk4

Needs mujoco 4, numpy, pyarrow and a C compiler: a law in Python would be timed instead of
MuJoCo."""
import argparse, ctypes, pathlib, subprocess, tempfile, time
import mujoco, mujoco.batch, numpy as np, pyarrow.parquet as pq

parser = argparse.ArgumentParser()
parser.add_argument("run", type=pathlib.Path)
parser.add_argument("--step", type=float, default=2e-3)
parser.add_argument("--duration", type=float, default=1.5)
parser.add_argument("--turns", type=int, default=5)
args = parser.parse_args()

MODEL = """
<mujoco><option timestep="{step}" integrator="RK4" gravity="0 0 -9.81"><flag contact="disable" constraint="disable"/></option>
<worldbody><body name="column"><joint name="yaw" axis="0 0 1" armature="0.2"/>
  <inertial pos="0 0 0.15" mass="4" diaginertia="0.04 0.04 0.02"/>
  <body name="upper" pos="0 0 0.3"><joint name="shoulder" axis="0 1 0" armature="0.2"/>
    <inertial pos="0 0 0.2" mass="2" diaginertia="0.0274666666666667 0.0274666666666667 0.0016"/>
    <body name="fore" pos="0 0 0.4"><joint name="elbow" axis="0 1 0" armature="0.1"/>
      <inertial pos="0 0 0.175" mass="1.2" diaginertia="0.01252 0.01252 0.00054"/>
      <body name="load" pos="0 0 0.35"><inertial pos="0 0 0" mass="1" diaginertia="1e-12 1e-12 1e-12"/></body>
</body></body></body></worldbody></mujoco>"""

def install_law():
    here, package = pathlib.Path(__file__).parent, pathlib.Path(mujoco.__file__).parent
    library = next(package.glob("libmujoco.so*"))
    made = pathlib.Path(tempfile.mkdtemp()) / "law.so"
    subprocess.run(["cc", "-O3", "-march=native", "-shared", "-fPIC", f"-I{package}/include", here / "arm_law.c", library,
                    f"-Wl,-rpath,{package}", "-o", made], check=True)
    ctypes.CDLL(str(made)).install()

table = pq.read_table(args.run / "instances.parquet")
column = lambda name: np.asarray(table[name])
n, steps = table.num_rows, round(args.duration / args.step)
model = mujoco.MjModel.from_xml_string(MODEL.format(step=args.step))
batch = mujoco.batch.Batch(model, nsim=n, nthread=1)
batch.body("load").mass = column("drawn.constants.payload")[:, None]
friction = batch.expand("dof_frictionloss")
friction[:] = [1.5, 1.5, 0.8]
for k, joint in enumerate(["yaw", "shoulder", "elbow"]):
    if f"drawn.{joint}_friction.force" in table.column_names:
        friction[:, k] = column(f"drawn.{joint}_friction.force")
install_law()
times = []
for _ in range(args.turns):
    batch.reset()
    before = time.thread_time()
    batch.step(nstep=steps)
    times.append(time.thread_time() - before)
batch.forward()
xpos, xmat = batch.bind("xpos"), batch.bind("xmat")
batch.forward()
fore = model.body("fore").id
tip = xpos[:, fore] + xmat.reshape(n, -1, 3, 3)[:, fore, :, 2] * 0.35
ours = np.stack([column(f"final.tip.position.{x}") for x in "xyz"], axis=1)
apart = np.linalg.norm(tip - ours, axis=1)
print(f"mujoco {mujoco.__version__}, RK4, {steps} steps of {args.step:g} s, {n} instances, one thread")
print(f"tips are apart by at most {apart.max():.2e} m, median {np.median(apart):.2e} m")
print(f"a step of one instance: {np.median(times)/n/steps*1e6:.3f} us (least {min(times)/n/steps*1e6:.3f} us)")
