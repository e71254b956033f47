"""A clean room: a wheel in an empty environment, with nothing but the standard library beside
it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

WHEEL = os.environ.get("POLHODE_WHEEL")

FIRST = """
import polhode as ph
m = ph.Mechanism(gravity="9.81 m/s^2")
m.body("arm", mass="2 kg", inertia=[0.002, 0.2, 0.2])
m.revolute("shoulder", "ground", "arm", points=[[0, 0, 0], ["-0.5 m", 0, 0]], axes=[0, -1, 0], angle="30 deg")
s = ph.Study(m, accuracy=1e-6, duration="1 s", size=100, seed=1,
             vary={"shoulder.angle": ph.normal(std="2 deg")}, observe=["angle"], every="20 ms", backend="cpu")
run = s.run("run")
assert run.verdicts["finished"] == 100, run.verdicts
try:
    ph.Study(m, acuracy=1e-6)
except ph.StudyError as fault:
    assert "accuracy" in str(fault), fault
else:
    raise AssertionError("a wrong key is taken")
"""


@pytest.mark.skipif(not WHEEL, reason="POLHODE_WHEEL names the wheel to be tried")
def test_a_wheel_needs_nothing_else(tmp_path):
    place = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}

    def run(*command):
        subprocess.run(command, check=True, cwd=tmp_path, env=clean)

    # Without an index: the wheel asks for no other package.
    run(programs / "python", "-m", "pip", "install", "--quiet", "--no-index", Path(WHEEL).resolve())
    run(programs / "python", "-c", FIRST)
    run(programs / "polhode", "replay", "run", "--instance", "7")
    run(programs / "python", "-m", "polhode", "list")
