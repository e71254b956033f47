"""The first study of docs/python.md, from a mechanism to a figure, own samples and parts, with
fewer instances."""

import matplotlib
import polhode as ph
import pytest


def test_the_first_study_runs_from_mechanism_to_parts(tmp_path):
    distributed = pytest.importorskip("distributed")
    matplotlib.use("Agg")
    m = ph.Mechanism(gravity="9.81 m/s^2")
    m.body("arm", mass="2 kg", inertia=[0.002, 0.2, 0.2])
    m.revolute(
        "shoulder", "ground", "arm", points=[[0, 0, 0], ["-0.5 m", 0, 0]], axes=[0, -1, 0], angle="30 deg"
    )
    s = ph.Study(
        m,
        accuracy=1e-6,
        duration="10 s",
        size=2000,
        seed=1,
        verdict={"when": "shoulder.angle < -3.70"},
        vary={"shoulder.angle": ph.normal(std="2 deg")},
        observe=["angle", "energy_drift"],
        every="20 ms",
        keep=64,
        backend="cpu",
    )
    run = s.run(tmp_path / "arm", progress=True)
    lines = run.trajectories.to_xarray()["shoulder.angle"].plot.line(x="time")
    assert len(lines) == 64 and len(lines[0].get_xdata()) == 501
    bad = run.instances.to_pandas().query("verdict != 'finished'")
    assert 0 < len(bad) < 2000
    # By the method that was chosen: of these alone, none of which comes to its end, none could be.
    again = ph.Study.from_file(run.folder / "study.toml").run(
        tmp_path / "mine", samples=bad[["drawn.shoulder.angle"]]
    )
    same = again.instances.to_pandas()
    assert len(same) == len(bad) and (same["verdict"] == "finished").sum() == 0
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        whole = ph.dask.run(s, tmp_path / "parts", shards=8, client=client)
    for name in ("instances", "statistics", "trajectories"):
        assert (whole.folder / f"{name}.parquet").read_bytes() == (
            run.folder / f"{name}.parquet"
        ).read_bytes(), name
