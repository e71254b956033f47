"""Types of keys are those of the JSON Schemas, and checkers of types see them."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]
TYPED = Path(__file__).with_name("typed.py")


def lines(marked: str) -> set[int]:
    return {number for number, line in enumerate(TYPED.read_text().splitlines(), 1) if marked in line}


def mypy() -> set[int]:
    told = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--output=json",
            "--no-incremental",
            "--disable-error-code=import-untyped",
            "--follow-imports=silent",
            TYPED,
        ],
        capture_output=True,
        text=True,
        cwd=PACKAGE,
    )
    faults = [json.loads(line) for line in told.stdout.splitlines()]
    assert {Path(fault["file"]).name for fault in faults} == {TYPED.name}, told
    return {fault["line"] for fault in faults}


def pyright() -> set[int]:
    told = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, TYPED],
        capture_output=True,
        text=True,
        cwd=PACKAGE,
    )
    faults = json.loads(told.stdout)["generalDiagnostics"]
    assert {Path(fault["file"]).name for fault in faults} == {TYPED.name}, told
    return {fault["range"]["start"]["line"] + 1 for fault in faults if fault["severity"] == "error"}


@pytest.mark.parametrize("checker", [mypy, pyright])
def test_checkers_of_types_find_what_is_wrong_and_nothing_else(checker):
    assert checker() == lines("# wrong")


def test_stubs_are_made_from_the_schemas():
    spec = importlib.util.spec_from_file_location("stubs", PACKAGE / "stubs.py")
    stubs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(stubs)
    assert stubs.FILE.read_text() == stubs.text(), "make them anew: python python/stubs.py"
