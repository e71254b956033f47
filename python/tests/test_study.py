"""Studies made in Python are those of the files, faults included."""

import copy
import inspect
import os
import pickle
import tomllib
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy
import polhode as ph
import pytest
from conftest import arm, study, same_tables

STUDIES = Path(__file__).parents[2] / "studies"

TEXT = """
mechanism = "mechanism.toml"
title = "study"
method = { name = "rk4", step = "2 ms", duration = "0.4 s" }
ensemble = { size = 200, seed = 1, vary = { "shoulder.angle" = { normal = { std = "2 deg" } } } }
observe = { channels = ["angle", "energy_drift"], every = "20 ms", keep = 8 }
run = { backend = "cpu" }
"""
MECHANISM = """
name = "mechanism"
gravity = "9.81 m/s^2"
[[body]]
name = "arm"
mass = "2 kg"
inertia = [0.002, 0.2, 0.2]
[[joint]]
name = "shoulder"
kind = "revolute"
bodies = ["ground", "arm"]
points = [[0, 0, 0], ["-0.5 m", 0, 0]]
axes = [0, -1, 0]
angle = "30 deg"
"""


def files(folder):
    (folder / "mechanism.toml").write_text(MECHANISM)
    (folder / "study.toml").write_text(TEXT)
    return folder / "study.toml"


def test_a_study_has_the_bits_of_the_same_study_in_a_file(tmp_path, small):
    from_file = ph.Study.from_file(files(tmp_path))
    assert small.toml() == from_file.toml()
    same_tables(small.run(tmp_path / "a"), from_file.run(tmp_path / "b"))


def test_a_fault_has_its_key_its_advice_and_the_line_of_its_call():
    m = arm()
    line = inspect.currentframe().f_lineno + 1
    m.body("tip", mas=1.0, inertia=[1, 1, 1])
    with pytest.raises(ph.StudyError) as caught:
        ph.Study(m, duration="1 s", size=3, method="rk4", step="-1 s")
    made = inspect.currentframe().f_lineno - 1
    mass, *rest = [problem for problem in caught.value.problems if problem.key.endswith("body[1].mas")]
    assert not rest and mass.nearest == "mass" and mass.file == "study"
    assert mass.call == f"{__file__}:{line}"
    step = [problem for problem in caught.value.problems if problem.key == "method.step"]
    assert len(step) == 1 and step[0].call == f"{__file__}:{made}"
    assert f"{__file__}:{line}: study: " in str(caught.value)
    line = inspect.currentframe().f_lineno + 2
    with pytest.raises(ph.StudyError) as caught:
        study().set(durration="2 s")
    (problem,) = caught.value.problems
    assert (problem.key, problem.nearest, problem.call) == (
        "method.durration",
        "duration",
        f"{__file__}:{line}",
    )


def test_values_that_hold_themselves_or_lie_too_deep_are_faults():
    own, table, deep = [], {}, [1]
    own.append(own)
    table["arm.mass"] = table
    for _ in range(100_000):
        deep = [deep]
    for inertia in (own, deep, numpy.array([own, 1], dtype=object)):
        m = ph.Mechanism()
        m.body("arm", mass=1, inertia=inertia)
        with pytest.raises(ph.StudyError, match="lie in each other more than 32 deep") as caught:
            ph.Study(m, method="rk4", step="1 ms", duration="10 ms")
        assert caught.value.problems[0].key == "mechanism"
    with pytest.raises(ph.StudyError, match="holds itself") as caught:
        study(vary={"arm.mass": table})
    assert caught.value.problems[0].key == "arm.mass"
    thirty = [1.0]
    for _ in range(29):
        thirty = [thirty]
    with pytest.raises(ph.StudyError) as caught:
        study(vary={"arm.mass": ph.list(thirty)})
    assert "deep" not in str(caught.value) and "recurse" not in str(caught.value)


def test_a_fault_of_a_file_has_its_line(tmp_path):
    path = files(tmp_path)
    path.write_text(TEXT.replace("seed", "sede"))
    with pytest.raises(ph.StudyError) as caught:
        ph.Study.from_file(path)
    (problem,) = caught.value.problems
    assert (problem.line, problem.key, problem.nearest) == (5, "ensemble.sede", "seed")


def test_a_file_is_found_wherever_the_working_folder_goes(tmp_path, monkeypatch):
    files(tmp_path)
    monkeypatch.chdir(tmp_path)
    studies = [
        ph.Study.from_file("study.toml"),
        ph.Study.from_file(Path("study.toml")).set(seed=2),
        ph.Study("mechanism.toml", duration="1 s", accuracy=1e-3),
    ]
    texts = [study.toml() for study in studies]
    monkeypatch.chdir(os.sep)
    assert texts == [study.toml() for study in studies]


def test_quantities_are_drawn_in_the_order_that_they_are_given_in():
    """TOML has texts before tables below a heading: `uniform` would come first."""
    vary = {"body.angular_velocity": ph.normal(mean=[2.0, 0.1, 0.1], std=0.05), "body.attitude": "uniform"}
    file = ph.Study.from_file(STUDIES / "tumbling.toml")
    assert [*tomllib.loads(file.toml())["ensemble"]["vary"]] == [*vary]
    for made in (file.set(vary=vary), file.set(seed=1), file.set(vary=None).set(vary=vary)):
        assert [*tomllib.loads(made.toml())["ensemble"]["vary"]] == [*vary]


def test_a_key_is_left_out_by_none(small):
    def keys(study):
        return tomllib.loads(study.toml())

    longer = small.set(duration=None, steps=300)
    assert keys(longer)["method"]["steps"] == 300
    assert keys(small.set(keep=None))["observe"]["keep"] != 8 == keys(small)["observe"]["keep"]
    two = small.set(vary={"arm.mass": ph.list([1, 2])}, size=None)
    assert set(keys(two)["ensemble"]["vary"]) == {"shoulder.angle", "arm.mass"}
    one = two.set(vary={"shoulder.angle": None})
    assert set(keys(one)["ensemble"]["vary"]) == {"arm.mass"}
    assert not keys(small.set(vary=None, size=1, keep=1))["ensemble"]["vary"]
    assert study(threads=None).toml() == study().toml()
    unknown = {"sise": None}, {"vary": {"arm.mas": None}}
    for wrong, found in zip(unknown, ["did you mean `size`", "does not vary"], strict=True):
        line = inspect.currentframe().f_lineno + 2
        with pytest.raises(ph.StudyError, match=found) as caught:
            small.set(**wrong)
        assert caught.value.problems[0].call == f"{__file__}:{line}"


def checked(study):
    """The work of a worker."""
    return study.toml(), study.run().instances


def test_studies_results_and_tables_go_to_other_processes_and_back(tmp_path, small):
    given = small.samples({"shoulder.angle (deg)": [10.0, 20.0, 31.7]}).set(
        vary={"arm.mass": ph.uniform(low=1, high=2)}
    )
    of_file = ph.Study.from_file(files(tmp_path))
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        for k, one in enumerate([small, given, of_file]):
            run = one.run(tmp_path / str(k))
            text, there = pool.submit(checked, one).result()
            assert text == one.toml()
            assert there.to_pandas().equals(run.instances.to_pandas()) and there.units == run.instances.units
            again = pool.submit(copy.copy, run).result()
            assert again.folder == run.folder and again.verdicts == run.verdicts
            assert there.to_polars().equals(run.instances.to_polars())
    for whole in (copy.copy(given), copy.deepcopy(given)):
        assert whole.toml() == given.toml()
    # A temporary folder goes with the last of a result and its copies.
    other = copy.deepcopy(small.run())
    assert len(other.instances.to_numpy()["instance"]) == 200
    assert pickle.loads(pickle.dumps(other.table("accuracy"))).to_pandas().equals(
        other.table("accuracy").to_pandas()
    )


@pytest.mark.parametrize("path", sorted(STUDIES.glob("*.toml")), ids=lambda path: path.stem)
def test_a_study_is_pickled_to_its_last_digit(path):
    study = ph.Study.from_file(path)
    assert pickle.loads(pickle.dumps(study)).toml() == study.toml()


def test_what_a_study_leaves_to_polhode_is_left_to_it_by_a_copy(tmp_path):
    first = study(method=None, accuracy=1e-5, size=20)
    (tmp_path / "study.toml").write_text(first.toml())
    others = [pickle.loads(pickle.dumps(first)), ph.Study.from_file(tmp_path / "study.toml")]
    run = first.run(tmp_path / "first")
    assert tomllib.loads((run.folder / "study.toml").read_text())["method"]["name"] != "staggered"
    for number, other in enumerate(others):
        assert other.toml() == first.toml()
        again = other.run(tmp_path / str(number))
        assert (again.folder / "study.toml").read_text() == (run.folder / "study.toml").read_text()
        same_tables(again, run)


def test_all_but_names_is_given_by_keywords():
    for call, found in [
        (lambda: ph.normal(0, 1), "normal takes keywords alone: mean, std, "),
        (lambda: ph.linspace(0, 1, 3), "from_, to, count"),
        (lambda: ph.uniform("1 deg"), "low, high"),
        (lambda: ph.list(1, 2), r"list takes one list: list\(\[...\]\)"),
        (lambda: ph.mixture(weight=1), "mixture takes one list"),
        (lambda: arm().body("tip", "2 kg"), "body takes a name, and all else by keywords"),
        (lambda: arm().body(2.0), "body takes a name, and"),
        (lambda: arm().spring("s", "ground", 3.0), "spring takes a name and its bodies, and"),
        (lambda: arm().revolute("s", "ground", "arm", [0, 0, 0]), "revolute takes a name and its bodies"),
    ]:
        with pytest.raises(TypeError, match=found):
            call()


def test_keys_stand_without_their_tables_where_one_has_them():
    resolved = tomllib.loads(study(threads=1).toml())
    assert resolved["run"]["threads"] == 1 and resolved["ensemble"]["size"] == 200
    with pytest.raises(ph.StudyError, match="durration: unknown key"):
        study(durration="1 s")
    assert tomllib.loads(study(accuracy={"budget": "2 s"}).toml())["accuracy"]["budget"]
    assert tomllib.loads(study().set(size=9).toml())["ensemble"]["size"] == 9


def test_names_are_those_of_the_reader():
    assert ph.uniform(low=1, high=2) == {"uniform": {"low": 1, "high": 2}}
    with pytest.raises(AttributeError, match="no attribute 'unifrom'"):
        ph.unifrom
    with pytest.raises(AttributeError, match="spherical"):
        arm().sphercal("a", "ground", "arm")
    assert {"normal", "linspace"} <= set(dir(ph)) and {"spring", "revolute"} <= set(dir(arm()))


def test_what_varies_is_given_in_every_way():
    wanted = tomllib.loads(
        study(vary={"shoulder.angle": ph.linspace(from_="1 deg", to="2 deg", count=5)}).toml()
    )["ensemble"]
    for other in [
        study().set(vary={"shoulder.angle": {"linspace": {"from": "1 deg", "to": "2 deg", "count": 5}}}),
        study(
            vary={},
            ensemble={
                "size": 200,
                "seed": 1,
                "vary": {"shoulder.angle": ph.linspace(**{"from": "1 deg", "to": "2 deg", "count": 5})},
            },
        ),
    ]:
        assert tomllib.loads(other.toml())["ensemble"] == wanted
    listed = study(vary={"shoulder.angle": ph.list(["1 deg", "2 deg"]), "arm.mass": ph.mixture([
        {"weight": 1, "normal": {"mean": 2, "std": 0.1}}, {"weight": 2, "uniform": {"low": 1, "high": 2}}])})
    assert {"list", "mixture"} == {
        name for of in tomllib.loads(listed.toml())["ensemble"]["vary"].values() for name in of
    }
    assert tomllib.loads(study(step={"value": 4, "unit": "ms"}, method="rk4").toml())["method"][
        "step"
    ] == pytest.approx(4e-3)


def test_a_key_that_is_a_word_of_python_ends_with_a_line():
    m = arm().beam("boom", from_=[0, 0, 0], to=[1, 0, 0], EA=1e6, GA=1e6, GJ=1e3, EI=1e3, mass_per_length=1,
                   rotary_inertia=1e-3, elements=2)
    assert "boom" in ph.Study(m, method={"name": "rk4", "step": "1 us"}, duration="1 ms").toml()


def test_help_has_the_keys_of_the_files():
    assert (
        "mass: Mass, positive" in arm().body.__doc__
        and "std: " in ph.normal.__doc__
        and "angle: " in arm().revolute.__doc__
    )


def test_a_value_that_is_none_of_a_file_is_refused():
    with pytest.raises(TypeError, match="object is no value of a key"):
        study(size=object())


def test_check_tells_what_the_command_tells(small):
    checked = small.check()
    told = dict(checked.lines)
    assert told["instances"] == "200" and "shoulder.angle" in told["varied"]
    assert checked.seconds > 0 and checked.tables > 0 and not checked.warnings
    assert "<td style='text-align:left'>200</td>" in small._repr_html_()


@pytest.mark.parametrize("path", sorted(STUDIES.glob("*.toml")), ids=lambda path: path.stem)
def test_shipped_studies_are_the_same_by_their_keys(path):
    """Equal to the last digit when they are resolved, and so is what they compute."""
    keys = tomllib.loads(path.read_text())
    mechanism = keys.pop("mechanism")
    if isinstance(mechanism, str):
        mechanism = path.parent / mechanism
    made = tomllib.loads(ph.Study(mechanism, **keys).toml())
    assert made == tomllib.loads(ph.Study.from_file(path).toml())
