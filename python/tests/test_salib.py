"""SALib's analysis of the instances of a sensitivity study beside our own indices."""

from pathlib import Path

import polhode as ph
import pytest

analyze = pytest.importorskip("SALib.analyze.sobol")
STUDIES = Path(__file__).parents[2] / "studies"
# Rows of the design.
ROWS = 256


def test_salib_finds_our_indices_in_our_instances(tmp_path):
    """Furuta's pendulum: 6 inputs, both angles and their rates at the end."""
    study = ph.Study.from_file(STUDIES / "furuta_sensitivity.toml")
    run = study.set(samples=ROWS, output={"plots": False, "report": False}).run(tmp_path / "run")
    instances = run.instances.to_numpy()
    inputs = [name.removeprefix("drawn.") for name in instances if name.startswith("drawn.")]
    indices = (
        run.indices.to_pandas()
        .query(f"of == 'end' and rows == {ROWS}")
        .set_index(["channel", "index", "input"])
    )
    assert len(inputs) == 6
    for output in ("shoulder.angle", "hinge.angle", "shoulder.angle_rate", "hinge.angle_rate"):
        # Our rows are a, b, and a with one input of b; SALib's end with b.
        rows = instances[f"final.{output}"].reshape(ROWS, 8)[:, [0, 2, 3, 4, 5, 6, 7, 1]]
        theirs = analyze.analyze(
            {"num_vars": 6, "names": inputs}, rows.ravel(), calc_second_order=False, seed=1
        )
        for kind, key in (("first", "S1"), ("total", "ST")):
            ours = indices.loc[output].loc[kind].loc[inputs]
            width = ours["high"] - ours["low"]
            # Both have the estimators of Saltelli (2010) and Jansen (1999). Intervals are of other
            # bootstraps.
            assert ((ours["estimate"] - theirs[key]).abs() < 1e-3).all(), (output, kind)
            assert (width - 2 * theirs[f"{key}_conf"]).abs().max() < 0.35 * width.max(), (output, kind)
