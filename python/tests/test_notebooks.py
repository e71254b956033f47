"""The notebooks run, take seconds, and find what docs/notebooks.md says."""

import os
import re
import resource
from pathlib import Path

import pytest
from conftest import PACKAGE

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "python" / "notebooks").glob("*.ipynb"))
# Time of the processors that a notebook may take: 20 s of two (s). By the clock, a busy machine
# would fail.
MOST = 2 * 20


def processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_notebooks_find_what_the_docs_say(file, monkeypatch):
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join([str(PACKAGE), os.environ.get("PYTHONPATH", "")])
    )
    notebook = nbformat.read(file, 4)
    assert not any(cell.get("outputs") for cell in notebook.cells), (
        "outputs are not stored: docs/notebooks.md shows them"
    )
    before = processor_time()
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": file.parent}}).execute()
    assert 0 < processor_time() - before < MOST
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert not [output for output in outputs if output.get("name") == "stderr"]
    found = "".join(output["text"] for output in outputs if output.get("name") == "stdout")
    section = re.search(
        rf"notebooks/{file.name}\).*?```text\n(.*?)```",
        (ROOT / "docs" / "notebooks.md").read_text(),
        re.DOTALL,
    )
    assert section is not None and found == section[1]


def test_all_five_are_there():
    assert [file.stem for file in NOTEBOOKS] == [
        "lyapunov",
        "monte_carlo",
        "parts",
        "sensitivity",
        "stability_map",
    ]
