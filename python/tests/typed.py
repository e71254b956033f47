"""Checkers of types take this, and refuse the lines that say so. It is not run."""

import numpy
import polhode as ph

m = ph.Mechanism(gravity="9.81 m/s^2")
m.body("arm", mass="2 kg", inertia=[0.002, 0.2, 0.2])
m.revolute("shoulder", "ground", "arm", points=[[0, 0, 0], ["-0.5 m", 0, 0]], axes=[0, -1, 0], angle="30 deg")
m.body("tip", mass=2, inertia=numpy.eye(3)).joint("fixed", "grip", "arm", "tip", points=numpy.zeros((2, 3)))
m.beam("boom", from_=[0, 0, 0], to=[1, 0, 0], EA=1e6).spring(
    "rope", "ground", "arm", points=[[0, 0, 1], [0, 0, 0]]
)
m.body("arm", masss="2 kg")  # wrong
m.body("arm", mass=b"2")  # wrong
m.revolut("shoulder", "ground", "arm")  # wrong
m.lock("catch")  # wrong
ph.Mechanism(gravty=9.81)  # wrong

s = ph.Study(m, accuracy=1e-6, duration="10 s", size=100_000, seed=1,
             vary={"shoulder.angle": ph.normal(std="2 deg"), "arm.mass": ph.list([1, 2])},
             observe=["angle", "energy_drift"], every="20 ms", keep=64)
s = s.set(size=10, method={"name": "rk4"}, vary={"arm.mass": ph.linspace(from_=1, to=2, count=3)})
s = s.set(size=None, every=None)
ph.Study(m, durration="10 s")  # wrong
ph.Study(m, size="many")  # wrong
ph.Study(m, precision="f16")  # wrong
s.set(sede=1)  # wrong
ph.normal(sdt="2 deg")  # wrong
ph.normal(0, 1)  # wrong
ph.unifrom(low=1, high=2)  # wrong

run = s.run("runs/arm", progress=True)
run.trajectories.to_xarray()["shoulder.angle"].plot.line(x="time")
bad = run.instances.to_pandas().query("verdict != 'finished'")
again = s.run("runs/mine", samples=bad[["drawn.shoulder.angle"]])
error: list[str] = again.accuracy
errors = again.table("accuracy").to_pandas()
count: int = again.verdicts["finished"]
text: str = again.verdicts["finished"]  # wrong
again.complete()  # wrong
whole = ph.dask.run(s, "parts", shards=64, client=object(), threads=1)
whole = ph.run_parts(s, "parts", 64, object(), retry=1)  # wrong
