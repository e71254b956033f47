"""Runs: tables in every form, progress, Ctrl-C, threads, own samples."""

import csv
import inspect
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy
import pandas
import polars
import polhode as ph
import pyarrow
import pytest
from conftest import PACKAGE, same_tables, study

STUDIES = Path(__file__).parents[2] / "studies"


def test_tables_have_one_content_in_every_form(tmp_path, small):
    run = small.run(tmp_path / "run")
    assert run.complete and run.verdicts["finished"] == 200
    frame, arrow, other = run.instances.to_pandas(), pyarrow.table(run.instances), run.instances.to_polars()
    assert len(frame.query("verdict == 'finished'")) == len(arrow) == len(other) == 200
    angle = "drawn.shoulder.angle"
    assert (frame[angle].to_numpy() == arrow[angle].to_numpy()).all() and (
        other[angle].to_numpy() == frame[angle]
    ).all()
    assert frame[angle].std() == pytest.approx(numpy.deg2rad(2), rel=0.2)
    assert run.instances.units[angle] == "rad" and arrow.schema.field(angle).metadata[b"unit"] == b"rad"
    with pytest.raises(AttributeError, match="trajectories"):
        run.trajectory
    assert "accuracy" in run.tables and len(run.table("accuracy").to_pandas())
    assert run.table("instances").to_pandas().equals(frame)
    with pytest.raises(KeyError, match="no table 'trajectory'.*trajectories"):
        run.table("trajectory")
    assert run.instances.to_csv(tmp_path / "instances.csv") == 200
    assert pandas.read_csv(tmp_path / "instances.csv")[f"{angle} (rad)"].to_numpy() == pytest.approx(
        frame[angle], abs=0
    )


def test_a_result_is_found_wherever_the_working_folder_goes(tmp_path, monkeypatch, small):
    monkeypatch.chdir(tmp_path)
    first = small.run("a b/é")
    results = [first, ph.open("a b/é"), first.write_to("c"), first.extend(300, "d")]
    parts = [small.run(f"{k}", shard=f"{k}/2") for k in (1, 2)]
    results += [ph.merge(parts, Path("e"))]
    monkeypatch.chdir(os.sep)
    assert [len(run.instances.to_numpy()["instance"]) for run in results] == [200, 200, 200, 300, 200]
    with pytest.raises(ph.ResultError, match="no name|not a name"):
        small.run("")


def test_xarray_has_instances_and_times(small):
    data = small.run().trajectories.to_xarray()
    angle = data["shoulder.angle"]
    assert angle.dims == ("instance", "time") and angle.shape == (8, 21)
    assert angle.attrs["units"] == "rad" and data["time"].attrs["units"] == "s"
    frame = small.run().trajectories.to_pandas()
    row = frame[(frame["instance"] == 3) & (frame["time"] == frame["time"].max())]
    assert angle.sel(instance=3).values[-1] == row["shoulder.angle"].item()
    statistics = small.run().statistics.to_xarray()
    assert statistics["mean"].dims == ("channel", "time")


def test_an_early_end_leaves_no_numbers_behind_it():
    """Half of the arms pass an angle at which they are stopped."""
    run = study(verdict={"when": "shoulder.angle < 0.45"}).run()
    angle = run.trajectories.to_xarray()["shoulder.angle"]
    ends = numpy.isnan(angle.values).any(axis=1)
    assert (
        ends.any()
        and numpy.isnan(angle.values[ends][:, -1]).all()
        and not numpy.isnan(angle.values[:, 0]).any()
    )


@pytest.mark.parametrize("form", ["pandas", "polars", "arrow", "numpy", "dict"])
def test_own_samples_come_from_memory(tmp_path, form, small):
    first = small.run(tmp_path / "first")
    some = first.instances.to_pandas()[["drawn.shoulder.angle"]].iloc[10:40]
    samples = {
        "pandas": lambda: some,
        "polars": lambda: polars.from_dict({"drawn.shoulder.angle": some["drawn.shoulder.angle"].to_numpy()}),
        "arrow": lambda: pyarrow.table({"drawn.shoulder.angle": some["drawn.shoulder.angle"].to_numpy()}),
        "numpy": lambda: numpy.array(
            [(x,) for x in some["drawn.shoulder.angle"]], dtype=[("shoulder.angle", float)]
        ),
        "dict": lambda: {"shoulder.angle (deg)": [*numpy.rad2deg(some["drawn.shoulder.angle"])]},
    }[form]()
    again = small.run(tmp_path / "again", samples=samples)
    final = "final.shoulder.angle"
    was, now = (
        first.instances.to_pandas()[final].iloc[10:40].to_numpy(),
        again.instances.to_pandas()[final].to_numpy(),
    )
    assert len(now) == 30
    assert now == pytest.approx(was, abs=1e-12 if form == "dict" else 0)
    # The folder has all that a replay wants, wherever it goes.
    (tmp_path / "again").rename(tmp_path / "moved")
    replayed = ph.replay(tmp_path / "moved", 7)
    assert replayed.drawn["shoulder.angle"] == pytest.approx(some["drawn.shoulder.angle"].iloc[7], abs=1e-15)
    assert replayed.coding < 1e-8 and len(pyarrow.table(replayed)) == 21


def test_samples_are_taken_with_and_without_the_prefix_of_results(small):
    first, second = [0.1, 0.2], [1.0, 1.5]
    others = {"instance": [3, 7], "verdict": ["finished", "condition"], "final.shoulder.angle": [1.0, 2.0]}
    for table in (
        {"shoulder.angle": first, "drawn.arm.mass": second},
        {"drawn.shoulder.angle": first, "arm.mass": second},
        {"shoulder.angle": first, **others, "drawn.arm.mass (kg)": second},
    ):
        for form in (table, pandas.DataFrame(table), pyarrow.table(table), polars.DataFrame(table)):
            given = csv.reader(small.samples(form)._study.given_samples().splitlines())
            named = {column[0].removeprefix("drawn."): [*map(float, column[1:])] for column in zip(*given)}
            assert {name.split(" ")[0]: column for name, column in named.items()} == {
                "shoulder.angle": first,
                "arm.mass": second,
            }
    wrong = {"shoulder.angel": first, "drawn.arm.mass": second}
    for form in (wrong, pandas.DataFrame(wrong), pyarrow.table(wrong)):
        with pytest.raises(ph.StudyError, match="did you mean `shoulder.angle`"):
            small.samples(form)


def test_drawn_columns_of_correlated_numbers_are_samples(small):
    vary = {"shoulder.angle": ph.normal(std="1 deg"), "arm.mass": {"uniform": "±10 %"}}
    together = [{"of": ["shoulder.angle", "arm.mass"], "correlation": 0.9}]
    study = small.set(vary=vary, correlated=together)
    first = study.run()
    again = study.run(samples=first.instances.to_pandas())
    assert again.instances.to_pandas().equals(first.instances.to_pandas())
    with pytest.raises(ph.StudyError, match="`arm.mass` is laid out, not drawn"):
        study.samples({"arm.mass": [1.0, 2.0]})


def test_samples_that_cannot_be_are_refused(small):
    with pytest.raises(ph.StudyError, match="elbow"):
        small.samples({"elbow.angle": [0.1]})
    with pytest.raises(ph.StudyError, match="row 2, column `shoulder.angle`"):
        small.samples({"shoulder.angle": [0.1, float("nan")]})
    with pytest.raises(TypeError, match="int is no table of samples"):
        small.samples(3)
    time = numpy.array([1], dtype="timedelta64[s]")
    masked = numpy.ma.array([0.1, 0.2, 0.3], mask=[0, 1, 0])
    twice = pandas.DataFrame([[0.1, 0.2]], columns=["shoulder.angle"] * 2)
    for wrong, found in [
        ({"shoulder.angle": ["x"]}, "must be real number"),
        ({"shoulder.angle": []}, "there are none"),
        (pyarrow.table({"shoulder.angle": numpy.zeros(0)}), "there are none"),
        ({"shoulder.angle": numpy.ones((3, 2))}, "has 2 dimensions;"),
        ({"shoulder.angle": time}, r"holds timedelta64\[s\]"),
        (twice, "`shoulder.angle` is a column of `shoulder.angle` too"),
        ({"shoulder.angle": masked}, "row 2 is masked: the cell is empty"),
        ({"shoulder.angle": [0.1], "gravity": [1.0, 2.0]}, "has 2 rows"),
        ({}, "no columns"),
    ]:
        line = inspect.currentframe().f_lineno + 2
        with pytest.raises(ph.StudyError, match=found) as caught:
            small.samples(wrong)
        (problem,) = caught.value.problems
        assert problem.file == "samples" and problem.advice and problem.call == f"{__file__}:{line}"
    named = {"drawn.arm.mass": [1.0, -1.0], "drawn.shoulder.angle (deg)": [1.0, float("inf")]}
    for table in (named, pandas.DataFrame(named), pyarrow.table(named)):
        with pytest.raises(ph.StudyError) as caught:
            small.samples(table)
        assert {problem.file for problem in caught.value.problems} == {"samples"}
        assert {problem.key for problem in caught.value.problems} <= set(named)
    both = {"shoulder.angle": [0.1, 0.2], "drawn.shoulder.angle (deg)": [1.0, 2.0]}
    for table in (both, dict(reversed(both.items())), pyarrow.table(both), polars.DataFrame(both)):
        with pytest.raises(ph.StudyError, match="column") as caught:
            small.samples(table)
        assert all(name in str(caught.value) for name in both) and caught.value.problems[0].call
    series = pandas.Series([0.1], name="shoulder.angle")
    for wrong in (series, polars.Series("shoulder.angle", [0.1]), pyarrow.chunked_array([[0.1]])):
        with pytest.raises(TypeError, match=f"{type(wrong).__name__} is no table of samples: give"):
            small.samples(wrong)
    with pytest.raises(ph.StudyError) as caught:
        small.samples({"shoulder.angle (kg)": [0.1]})
    (problem,) = caught.value.problems
    assert (
        problem.advice == "give e.g. `shoulder.angle (deg)`"
        and "the table of samples: column" in problem.found
    )


def test_flags_are_zero_and_one(small):
    """In every form alike."""
    flags = {"shoulder.angle": numpy.array([True, False])}
    forms = [flags, {"shoulder.angle": [True, False]}, pandas.DataFrame(flags), pyarrow.table(flags)]
    texts = {small.samples(form)._study.given_samples() for form in [*forms, polars.DataFrame(flags)]}
    assert texts == {'"shoulder.angle"\n1.0\n0.0\n'}


def test_instances_that_ended_early_run_again_by_a_method_of_their_own():
    """None of them comes to its end, by which a method could be chosen: what came before tells."""
    s = study(method={}, accuracy=1e-5, duration="2 s", size=300, verdict={"when": "shoulder.angle < -3.70"})
    first = s.run().instances.to_pandas()
    bad = first.query("verdict != 'finished'")
    assert 0 < len(bad) < len(first)
    again = s.run(samples=bad[["drawn.shoulder.angle"]])
    same = again.instances.to_pandas()
    assert (same["verdict"] == "condition").all() and again.accuracy
    assert same["verdict_time"].to_numpy() == pytest.approx(bad["verdict_time"].to_numpy(), rel=1e-2)


def test_parts_of_own_samples_are_merged_to_the_bits_of_the_whole(tmp_path, small):
    own = small.samples({"shoulder.angle": numpy.linspace(0.1, 1.0, 50)})
    parts = [own.run(tmp_path / str(k), shard=f"{k}/3") for k in (1, 2, 3)]
    assert [part["stage"] for part in ph.shards(*(part.folder for part in parts))] == ["done"] * 3
    same_tables(ph.merge(parts, tmp_path / "merged"), own.run(tmp_path / "whole"))


def test_progress_is_told_to_a_callable():
    calls = []
    study(size=20_000, duration="4 s").run(progress=lambda done, total: calls.append((done, total)))
    assert calls and calls == sorted(calls) and len({total for _, total in calls}) == 1
    # The measured error advances some instances once more.
    assert (
        0 < calls[0][0] <= calls[-1][0] <= calls[-1][1]
        and 20_000 * 2000 <= calls[-1][1] < 1.2 * 20_000 * 2000
    )


def test_an_exception_of_the_callable_ends_the_run():
    def fails(done, total):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more") as caught:
        study(size=1_000_000, duration="40 s").run(progress=fails)
    assert "name one by `out`" in caught.value.__notes__[0]


def test_an_exception_says_where_what_was_finished_is(tmp_path):
    def fails(done, total):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError) as caught:
        study(size=1_000_000, duration="40 s").run(tmp_path / "run", progress=fails)
    assert f"what was finished is in {tmp_path / 'run'}" in caught.value.__notes__[0]
    assert repr(ph.open(tmp_path / "run")).endswith(": incomplete>")


def interrupted(begin, after: float):
    """Sends Ctrl-C so long after the beginning: what was raised, and the time of all processors
    until then (s)."""
    sent = []

    def interrupt():
        sent.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        begin()
    return caught.value, time.process_time() - sent[0]


# Ctrl-C ends a run within it (s). Others may work on this machine, too: the time of all processors
# is measured.
SOON = 0.2 * len(os.sched_getaffinity(0))


@pytest.mark.parametrize("after", [0.5, 1.5])
@pytest.mark.parametrize(("name", "keys"), [
    ("tumbling", {"size": 3_000_000}),
    ("arm", {"size": 1_000_000}),
    ("map_oscillator", {"method.steps": 1_000_000}),
    ("furuta_chaos", {"size": 200_448}),
    ("furuta_sensitivity", {"study.samples": 16_384}),
])
def test_ctrl_c_ends_a_run_at_once_and_keeps_what_is_finished(tmp_path, name, keys, after):
    long = ph.Study.from_file(STUDIES / f"{name}.toml").set(backend="cpu", **keys)
    raised, spent = interrupted(lambda: long.run(tmp_path / "run"), after)
    assert spent < SOON
    if isinstance(raised, ph.Interrupted):
        assert (
            not raised.result.complete
            and "incomplete" in str(raised)
            and "incomplete" in raised.result._repr_html_()
        )
        assert not ph.open(tmp_path / "run").complete
        for table in raised.result.tables:
            raised.result.table(table).to_numpy()
    else:
        # Nothing was advanced yet.
        assert "nothing was run" in str(raised) or not (tmp_path / "run").exists()


def test_ctrl_c_ends_a_choice_and_a_check_at_once():
    slow = study(accuracy=1e-9, method={}, duration="200 s", size=100_000)
    for begin in (slow.run, slow.check):
        raised, spent = interrupted(begin, 0.3)
        assert spent < SOON and not isinstance(raised, ph.Interrupted)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Two shards, and an instance over very many steps."""
    home = tmp_path_factory.mktemp("large")
    wide = study(size=400_000, duration="20 ms", every="20 ms")
    long = study(size=1, keep=0, duration="4000 s", every="400 s", accuracy={"budget": 0.0})
    return [wide.run(home / str(k), shard=f"{k}/2") for k in (1, 2)], long.run(home / "long")


def test_ctrl_c_ends_what_follows_a_run_at_once_and_leaves_nothing(tmp_path, large):
    shards, long = large
    whole, out = ph.merge(shards, tmp_path / "whole"), tmp_path / "out"
    for begin in (
        lambda: ph.merge(shards, out),
        lambda: ph.compare(whole, whole, labels=["a", "b"], out=out),
        lambda: long.replay(0),
    ):
        raised, spent = interrupted(begin, 0.03)
        assert spent < SOON and not isinstance(raised, ph.Interrupted)
        assert [file.name for file in tmp_path.iterdir()] == ["whole"]


def forked(work) -> str:
    """The result of work in a copy of this process, or its error, as a text."""
    read, write = os.pipe()
    copy = os.fork()
    if copy == 0:
        # It ends whatever has no end.
        signal.alarm(60)
        try:
            told = repr(work())
        except BaseException as error:
            told = f"{type(error).__name__}: {error}"
        os.write(write, told.encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        told = pipe.read()
    assert os.waitpid(copy, 0)[1] == 0, "it had no end"
    return told


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no process is forked here")
def test_a_forked_process_is_told_to_begin_anew(tmp_path, small):
    run, shard = small.run(tmp_path / "run"), small.run(tmp_path / "1", shard="1/1")
    for work in (
        small.run,
        small.check,
        lambda: run.replay(3),
        lambda: run.extend(300),
        lambda: run.write_to(tmp_path / "again"),
        lambda: ph.merge([shard]),
        lambda: ph.compare(run, run),
        lambda: ph.shards(tmp_path),
    ):
        told = forked(work)
        assert told.startswith("RuntimeError: process ") and f"was forked from {os.getpid()}" in told, told
        assert "spawn" in told
    # Reading waits for no thread.
    assert forked(lambda: len(run.instances.to_numpy()["instance"])) == "200"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no process is forked here")
def test_a_process_may_be_forked_before_anything_is_run():
    code = (
        "from conftest import study\nfrom test_run import forked\n"
        "small = study()\nprint(forked(lambda: small.run().verdicts['finished']))"
    )
    here = Path(__file__).parent
    environment = {**os.environ, "PYTHONPATH": f"{PACKAGE}:{here}"}
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert told.stdout == "200\n", told


def test_a_run_takes_as_many_threads_as_are_wanted(tmp_path, small):
    for threads in (1, 2):
        run = small.run(tmp_path / str(threads), threads=threads)
        assert run.manifest["device"].startswith(f"CPU, {threads} thread"), run.manifest["device"]
    grown = run.extend(300, tmp_path / "grown", threads=1)
    assert grown.manifest["device"].startswith("CPU, 1 thread")
    same_tables(ph.open(tmp_path / "1"), run)
    with pytest.raises(ph.StudyError, match="run.threads"):
        small.run(threads=0)


# A program that is ended while a driver compiles a kernel of 32,000 lines, which takes it seconds.
COMPILES = """
import logging, os, signal, sys, threading, time, polhode as ph
class Ends(logging.Handler):
    def emit(self, record):
        if record.getMessage().startswith("compiling the kernel"):
            threading.Timer(0.1, end).start()
def end():
    sent.append(time.process_time())
    os.kill(os.getpid(), signal.SIGINT)
sent = []
logging.getLogger("polhode").addHandler(Ends())
logging.getLogger("polhode").setLevel(logging.INFO)
try:
    ph.Study.from_file(sys.argv[1]).set(backend="gpu", size=64).run()
except ph.RunRefused as error:
    print("refused", error)
except KeyboardInterrupt:
    print(time.process_time() - sent[0])
"""


def test_ctrl_c_does_not_wait_for_a_driver(tmp_path):
    # Nothing that it has compiled before.
    environment = {**os.environ, "MESA_SHADER_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", COMPILES, STUDIES / "arm.toml"]
    told = subprocess.run(command, capture_output=True, text=True, env=environment)
    if told.stdout.startswith("refused no GPU"):
        pytest.skip("there is no GPU here, and no driver of Mesa")
    assert told.returncode == 0 and float(told.stdout) < SOON, told


def test_other_threads_run_meanwhile():
    turns, ended = [0], threading.Event()

    def turn():
        while not ended.is_set():
            turns[0] += 1

    other = threading.Thread(target=turn)
    other.start()
    begun = time.monotonic()
    study(size=50_000, duration="4 s").run()
    seconds = time.monotonic() - begun
    ended.set()
    other.join()
    assert turns[0] / seconds > 1e4


def test_warnings_are_those_of_python():
    with pytest.warns(ph.StudyWarning, match="no rigid body has the inertia") as caught:
        m = ph.Mechanism()
        m.body("plate", mass=1.0, inertia=[5, 10, 1])
        ph.Study(m, method={"name": "rk4", "step": "1 ms"}, duration="10 ms", size=2, backend="cpu").run()
    assert caught[0].filename == __file__


def test_errors_say_what_is_refused(tmp_path, small):
    small.run(tmp_path / "run")
    with pytest.raises(ph.ResultError, match="not empty; .* `out`, .* `overwrite=True`"):
        small.run(tmp_path / "run")
    with pytest.raises(ph.RunRefused, match="201"):
        small.run(shard="1/201")
    with pytest.raises(ValueError, match="shard"):
        small.run(shard="one")
    with pytest.raises(ph.ResultError, match="begin at 0"):
        ph.replay(tmp_path / "run", -1)
    for nothing in (tmp_path / "nowhere", tmp_path, __file__):
        for call in (ph.open, lambda path: ph.replay(path, 0), lambda path: ph.merge([path])):
            with pytest.raises(ph.ResultError, match="is no result of polhode") as caught:
                call(nothing)
            assert str(caught.value).startswith(str(nothing)) and "``" not in str(caught.value)
    with pytest.raises(ph.ResultError, match="`polhode run --shard` wrote"):
        ph.merge([tmp_path])
    with pytest.raises(ph.ResultError, match="missing"):
        ph.merge([small.run(tmp_path / "part", shard="1/2")])


def test_runs_grow_and_are_compared(tmp_path):
    small, large = study(size=2000).run(tmp_path / "small"), study(size=3000).run(tmp_path / "large")
    same_tables(small.extend(3000, tmp_path / "grown"), large)
    compared = ph.compare(small, large, labels=["a", "b"])
    assert compared.data["first"] and "a" in str(compared)


def test_speed_is_measured(tmp_path, small):
    measured = small.bench(
        tmp_path / "bench", sizes=[50], steps=[20], repeats=1, judged=1, backends=["cpu"], budget=5.0
    )
    assert "throughput" in measured.tables
    assert repr(measured) == f"<result in {tmp_path / 'bench'}>"
    with pytest.raises(ValueError, match="interpreted"):
        small.bench(backends=["gup"])
    for wrong in (0, -1, float("nan"), "-2 s", "2 m", "1e-9 s"):
        with pytest.raises((ph.RunRefused, ValueError), match="budget"):
            small.bench(tmp_path / "none", sizes=[50], steps=[20], judged=1, backends=["cpu"], budget=wrong)
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("name", "keys", "table", "columns"),
    [
        (
            "furuta_sensitivity",
            {"study.samples": 32, "accuracy.budget": 0.0},
            "indices",
            {"input", "index", "estimate"},
        ),
        ("map_oscillator", {"method.steps": 200, "accuracy.budget": 0.0}, "cells", {"x", "share_stable"}),
        (
            "furuta_chaos",
            {"method.duration": "4 s", "accuracy.budget": 0.0},
            "exponents",
            {"instance", "verdict"},
        ),
        ("modes_vibration", {}, "modes", {"frequency", "damping_ratio"}),
        ("static_toggle", {}, "instances", {"outcome", "residual"}),
    ],
)
def test_every_kind_has_its_tables(name, keys, table, columns):
    run = ph.Study.from_file(STUDIES / f"{name}.toml").set(**keys, backend="cpu").run()
    assert table in run.tables, run.tables
    frame = getattr(run, table).to_pandas()
    assert len(frame) and columns <= {*frame.columns}, frame.columns


def test_a_run_shows_itself(tmp_path, small):
    page = small.run(tmp_path / "run")._repr_html_()
    assert "finished</td><td>200" in page and "<img" in page and "report.html" in page and "accuracy:" in page


def test_the_command_is_there(tmp_path):
    told = subprocess.run(
        [sys.executable, "-m", "polhode", "--version"], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == f"polhode {ph.__version__}"
    wrong = subprocess.run(
        [sys.executable, "-m", "polhode", "run", "nowhere.toml"], capture_output=True, text=True
    )
    assert wrong.returncode == 2 and "nowhere.toml" in wrong.stderr


def test_nothing_complains_where_there_is_no_desktop():
    environment = {name: value for name, value in os.environ.items() if name != "XDG_RUNTIME_DIR"}
    code = (
        f"import sys, os\nsys.path.insert(0, {str(Path(__file__).parent)!r})\nfrom conftest import study\n"
        "small = study(backend='auto', size=8)\nsmall.check()\nsmall.run()\n"
        "assert 'XDG_RUNTIME_DIR' not in os.environ"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert told.returncode == 0 and not told.stderr, told


def test_the_package_needs_the_standard_library_alone():
    code = (
        "import sys, polhode\n"
        "others = {'numpy', 'pandas', 'pyarrow', 'polars', 'xarray', 'tqdm', 'distributed'}\n"
        "assert not others & {*sys.modules}"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# A program that reads a table, and prints its peak of memory besides, as a share of the table.
READS = """
import sys, numpy, pandas, polhode as ph
def peak():
    # That of `resource` is not less than what the process that began this one had.
    [line] = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
    return 1024 * int(line.split()[1])
run, before = ph.open(sys.argv[1]), peak()
frame = run.instances.to_pandas()
print((peak() - before) / frame.memory_usage(deep=True).sum())
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of memory is not told here")
def test_tables_take_no_more_than_twice_their_memory(tmp_path):
    """A table of 10^6 rows becomes columns without a second copy of all of it."""
    study(size=1_000_000, duration="4 ms", keep=0, every="4 ms").run(tmp_path / "run")
    told = subprocess.run(
        [sys.executable, "-c", READS, tmp_path / "run"], capture_output=True, text=True, check=True
    )
    assert 1 < float(told.stdout) < 2, told
