import tempfile
from pathlib import Path

import polhode as ph
import pytest

# The folder of the package that is tested: the checkout's or an installed one.
PACKAGE = Path(ph.__file__).resolve().parents[1]


def arm() -> ph.Mechanism:
    m = ph.Mechanism(gravity="9.81 m/s^2")
    m.body("arm", mass="2 kg", inertia=[0.002, 0.2, 0.2])
    m.revolute(
        "shoulder", "ground", "arm", points=[[0, 0, 0], ["-0.5 m", 0, 0]], axes=[0, -1, 0], angle="30 deg"
    )
    return m


def study(**keys) -> ph.Study:
    """An arm, quick and with the same bits everywhere."""
    keys = {
        "method": {"name": "rk4", "step": "2 ms"},
        "duration": "0.4 s",
        "size": 200,
        "seed": 1,
        "every": "20 ms",
        "keep": 8,
        "observe": ["angle", "energy_drift"],
        "backend": "cpu",
        "vary": {"shoulder.angle": ph.normal(std="2 deg")},
    } | keys
    return ph.Study(arm(), **keys)


@pytest.fixture(autouse=True, scope="session")
def temporary_folder(tmp_path_factory):
    """What killed processes leave lies in pytest's folder, which it clears."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(tmp_path_factory.mktemp("t")))
        patch.setattr(tempfile, "tempdir", None)
        yield


@pytest.fixture
def small() -> ph.Study:
    return study()


def same_tables(first, second) -> None:
    """Equal to the last bit: all tables but that of the measured error, which depends on the time
    that was had."""
    names = [name for name in first.tables if name != "accuracy"]
    assert names == [name for name in second.tables if name != "accuracy"]
    for name in names:
        a, b = (side.folder / f"{name}.parquet" for side in (first, second))
        assert a.read_bytes() == b.read_bytes(), name
