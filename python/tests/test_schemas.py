"""The JSON Schemas take what the reader takes, and refuse slips."""

import tomllib
from pathlib import Path

import pytest
from polhode import _schema

validators = pytest.importorskip("jsonschema.validators")

ROOT = Path(__file__).parents[2]
# Files of each schema, and where they are shipped.
FOLDERS = {"mechanism": "mechanisms", "study": "studies"}
# Studies with every key of every table; the Rust tests read them too.
EVERY_KEY = sorted((ROOT / "crates" / "cli" / "tests" / "every_key").glob("*.toml"))


@pytest.fixture(scope="module")
def schemas():
    def validator(of: str):
        schema = _schema.schema(of)
        kind = validators.validator_for(schema, default=None)
        kind.check_schema(schema)
        return kind(schema)

    return {of: validator(of) for of in ("mechanism", "study")}


def faults(validator, file: Path) -> list[str]:
    return [
        f"{file.name}: {fault.json_path}: {fault.message}"
        for fault in validator.iter_errors(tomllib.loads(file.read_text()))
    ]


def test_shipped_files_and_every_key_satisfy_the_schemas(schemas):
    shipped = {of: sorted((ROOT / folder).glob("*.toml")) for of, folder in FOLDERS.items()}
    assert len(EVERY_KEY) == 4 and all(len(files) > 10 for files in shipped.values())
    shipped["study"] += EVERY_KEY
    for of, files in shipped.items():
        assert not [fault for file in files for fault in faults(schemas[of], file)]


@pytest.mark.parametrize(
    "slip", ["unknown_key", "unknown_table", "empty", "wrong_type", "size_zero", "support_unknown"]
)
def test_the_schema_refuses_slips(schemas, slip):
    assert faults(schemas["study"], ROOT / "tests" / "wrong" / f"{slip}.toml")
