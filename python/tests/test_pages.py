"""The Python of docs/reading-results.md runs, on the study that `polhode init` writes."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PACKAGE

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reading-results.md"


def test_a_result_is_read_as_the_page_says(tmp_path, monkeypatch):
    for library in ["pandas", "polars", "xarray", "matplotlib"]:
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    # The path may be one from the folder that the tests began in.
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join([str(PACKAGE), os.environ.get("PYTHONPATH", "")])
    )
    for command in ["init my-study", "run my-study/study.toml --set ensemble.size=50 --quiet"]:
        subprocess.run([sys.executable, "-m", "polhode", *command.split()], check=True, capture_output=True)
    names = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL):
        exec(block, names)
    assert len(names["instances"]) == 50 and len(names["failed"]) == 0
    assert names["mean"].columns == ["time", "mean", "q05", "q95"] and len(names["mean"]) == 201
    assert names["angles"].sizes["time"] == 201
