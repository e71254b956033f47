"""Parts on executors: the bits of the whole, whatever is killed, damaged or foreign."""

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace

import polhode as ph
import pytest
from conftest import PACKAGE, same_tables, study
from polhode import _parts, _task

# Kills of workers in each test; the release has more of them.
KILLS = int(os.environ.get("POLHODE_KILLS", "2"))
HERE = Path(__file__).parent
# Other programs find the package and these tests.
PATH = {**os.environ, "PYTHONPATH": f"{PACKAGE}:{HERE}"}
# Time that a test may wait for something that takes seconds (s).
LONG = 120


class Never:
    """An executor on which nothing may start."""

    def submit(self, *_):
        raise AssertionError("something has started")


def pool(workers: int = 2, start: str = "spawn") -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, get_context(start))


@contextmanager
def bounded(seconds: float):
    """Ends a wait that has no end."""

    def late(*_):
        raise TimeoutError(f"took more than {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(int(seconds))
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return study(size=600).run(tmp_path_factory.mktemp("whole") / "run")


def changed(parts):
    """When each part was written."""
    times = {}
    for folder in filter(lambda folder: folder.name.isdigit(), parts.iterdir()):
        # It may be renamed meanwhile.
        with suppress(FileNotFoundError):
            times[folder.name] = (folder / "manifest.json").stat().st_mtime_ns
    return times


def test_parts_of_a_process_pool_have_the_bits_of_the_whole(tmp_path, whole):
    with pool() as executor:
        result = ph.run_parts(study(size=600), tmp_path / "parts", 5, executor, out=tmp_path / "out")
    same_tables(result, whole)
    assert result.folder == tmp_path / "out"


def test_sound_parts_are_not_computed_again_and_damaged_ones_are(tmp_path, whole):
    parts = tmp_path / "parts"
    with ThreadPoolExecutor(2) as executor:
        ph.run_parts(study(size=600), parts, 4, executor)
        before = changed(parts)
        table = parts / "3" / "instances.parquet"
        table.write_bytes(table.read_bytes()[:-1] + b"x")
        same_tables(ph.run_parts(study(size=600), parts, 4, executor), whole)
    after = changed(parts)
    assert {name for name in before if before[name] != after[name]} == {"3"}


def test_foreign_parts_are_refused_by_name_before_anything_starts(tmp_path, whole):
    parts = tmp_path / "parts"
    with ThreadPoolExecutor(2) as executor:
        ph.run_parts(study(size=600), parts, 2, executor)
    with pytest.raises(ph.ResultError, match="study.toml: is of another study"):
        ph.run_parts(study(size=600, seed=2), parts, 2, Never())
    with pytest.raises(ph.ResultError, match="1: is part 1/2, and 3 parts"):
        ph.run_parts(study(size=600), parts, 3, Never())
    # Parts of whatever does not change a bit are those of the same study.
    same_tables(ph.run_parts(study(size=600, threads=1, output={"plots": False}), parts, 2, Never()), whole)
    # Every part is of another study, as if somebody had copied them: none of them differs from the
    # others.
    other = tmp_path / "other"
    with ThreadPoolExecutor(2) as executor:
        ph.run_parts(study(size=600, seed=2), other, 2, executor)
    (other / "study.toml").write_bytes((parts / "study.toml").read_bytes())
    with pytest.raises(
        ph.ResultError, match="1: is of another study: ensemble.seed is 2, and 1 in what is asked"
    ):
        ph.run_parts(study(size=600), other, 2, Never())
    # Copied under another name.
    (parts / "2").rename(parts / "copy")
    with pytest.raises(ph.ResultError, match="copy: is part 2/2, whose folder is .*2: rename or remove it"):
        ph.run_parts(study(size=600), parts, 2, Never())
    (parts / "copy").rename(parts / "2")
    single = ph.merge([parts / "1", parts / "2"], tmp_path / "whole")
    (parts / "9").symlink_to(single.folder)
    with pytest.raises(ph.ResultError, match="9: "):
        ph.run_parts(study(size=600), parts, 2, Never())


def test_a_worker_of_another_arithmetic_is_refused_before_its_first_step(tmp_path, whole, monkeypatch):
    with ThreadPoolExecutor(2) as executor:
        ph.run_parts(study(size=600), tmp_path, 2, executor)
        (tmp_path / "2").rename(tmp_path.with_name("away"))
        here = ph.shards(tmp_path)[0]["arithmetic"]

        def shards(folders, study):
            return ph._polhode.shards(folders, study).replace(here, "CPU, f64, of another make")

        monkeypatch.setattr(_parts, "_polhode", SimpleNamespace(**vars(ph._polhode) | {"shards": shards}))
        with pytest.raises(
            ph.RunRefused, match=f"computed by CPU, f64, of another make, and .* be by {here}"
        ):
            ph.run_parts(study(size=600), tmp_path, 2, executor)
        assert not (tmp_path / "2").exists()
        monkeypatch.undo()
        same_tables(ph.run_parts(study(size=600), tmp_path, 2, executor), whole)


def test_tasks_take_as_many_threads_as_are_wanted(tmp_path, whole):
    with ThreadPoolExecutor(2) as executor:
        same_tables(ph.run_parts(study(size=600), tmp_path, 2, executor, threads=1), whole)
        for part in "12":
            assert ph.open(tmp_path / part).manifest["device"].startswith("CPU, 1 thread")
        # They are sound parts for tasks with more threads, too.
        same_tables(ph.run_parts(study(size=600), tmp_path, 2, Never(), threads=2), whole)


def test_a_folder_that_is_renamed_meanwhile_is_not_foreign(tmp_path, whole, monkeypatch):
    looks = []

    def shards(folders, study):
        looks.append(folders)
        gone = [
            {"stage": "foreign", "folder": f"{tmp_path}/2.unfinished", "shard": None, "why": "is no result"}
        ]
        return json.dumps(
            [*json.loads(ph._polhode.shards(folders, study)), *(gone if len(looks) == 1 else [])]
        )

    monkeypatch.setattr(_parts, "_polhode", SimpleNamespace(**vars(ph._polhode) | {"shards": shards}))
    assert _parts.prepare(study(size=600), tmp_path, 2) == ([1, 2], None) and len(looks) == 2


def test_parts_of_samples_in_memory_have_the_bits_of_the_whole(tmp_path):
    own = study().samples({"shoulder.angle (deg)": [10.0 / (k + 3) for k in range(50)]})
    other = study().samples({"shoulder.angle (deg)": [11.0 / (k + 3) for k in range(50)]})
    with ThreadPoolExecutor(2) as executor:
        parts = ph.run_parts(own, tmp_path / "parts", 2, executor)
        for changed in (other, study()):
            with pytest.raises(ph.ResultError, match="is of another study"):
                ph.run_parts(changed, tmp_path / "parts", 2, Never())
    whole = own.run(tmp_path / "whole")
    same_tables(parts, whole)
    assert "samples" in whole.tables
    assert (tmp_path / "parts/1/study.toml").read_text() == (whole.folder / "study.toml").read_text()


def test_wrong_input_is_not_tried_again(tmp_path):
    class Counting(ThreadPoolExecutor):
        calls = 0

        def submit(self, *of):
            Counting.calls += 1
            return super().submit(*of)

    with Counting(1) as executor, pytest.raises(ph.RunRefused, match="cannot be cut into 3 parts"):
        ph.run_parts(study(size=2, keep=0), tmp_path / "parts", 3, executor)
    assert Counting.calls == 3


def test_a_task_that_fails_is_tried_again(tmp_path, whole):
    class Failing(ThreadPoolExecutor):
        failures = 2

        def submit(self, of, *rest):
            def work():
                if Failing.failures > 0:
                    Failing.failures -= 1
                    raise OSError("no such luck")
                return of(*rest)

            return super().submit(work)

    with Failing(1) as executor:
        same_tables(ph.run_parts(study(size=600), tmp_path / "parts", 2, executor), whole)
        Failing.failures = 9
        with pytest.raises(ph.RunError, match=r"no such luck \(0 of 2 parts are done in .*: call again"):
            ph.run_parts(study(size=600), tmp_path / "again", 2, executor)


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_workers_may_be_copies_of_a_process_that_has_run_a_study(tmp_path, whole, start):
    """A forked worker has none of the threads of the extension: whatever it would call waits for
    ever."""
    study(size=64).run()
    executor = pool(2, start)
    try:
        with bounded(LONG):
            same_tables(ph.run_parts(study(size=600), tmp_path / "parts", 3, executor), whole)
    finally:
        for worker in executor._processes.values():
            worker.kill()
        executor.shutdown()


def test_a_task_looks_at_its_own_part_alone(tmp_path, whole, monkeypatch):
    with ThreadPoolExecutor(2) as executor:
        ph.run_parts(study(size=600), tmp_path, 3, executor)
    for file in (tmp_path / "2").iterdir():
        file.unlink()
    (tmp_path / "2").rmdir()
    looked = []

    def shards(folders):
        looked.extend(folders)
        return ph._polhode.shards(folders)

    monkeypatch.setattr(_task, "_polhode", SimpleNamespace(shards=shards))
    _task.compute(tmp_path, 2, 3)
    assert looked and {place.name.removesuffix(".unfinished") for place in looked} == {"2"}


def test_no_task_of_a_broken_executor_is_cancelled(tmp_path):
    """It ends them itself; a pool of Python before 3.12.1 waits for ever if one was cancelled
    meanwhile."""
    cancelled = []

    class Broken:
        def submit(self, *_):
            task = Future()
            task.cancel = lambda: cancelled.append(task)
            if not hasattr(self, "first"):
                self.first = task
                task.set_exception(BrokenProcessPool("a worker was killed"))
            return task

    with pytest.raises(
        ph.RunError, match=r"a worker was killed \(0 of 3 parts are done in .*: make another executor"
    ) as raised:
        ph.run_parts(study(size=600), tmp_path / "parts", 3, Broken())
    assert isinstance(raised.value.__cause__, BrokenProcessPool) and not cancelled


class Jobs:
    """As submitit: what it is given and gives is pickled, errors are texts, jobs are no futures of
    the standard library."""

    def __init__(self):
        self._threads = ThreadPoolExecutor(2)

    def submit(self, of, *given):
        def work():
            work, values = pickle.loads(pickle.dumps((of, given)))
            return pickle.dumps(work(*values))

        task = self._threads.submit(work)
        return SimpleNamespace(done=task.done, result=lambda: pickle.loads(task.result()), cancel=task.cancel)


class Apps:
    """As parsl: futures that cannot be cancelled."""

    def __init__(self):
        self._threads = ThreadPoolExecutor(2)

    def submit(self, of, *given):
        task = self._threads.submit(of, *given)

        def cancel():
            raise NotImplementedError("Cancel not implemented")

        task.cancel = cancel
        return task


class Alone:
    """As mpi4py's with one process: whatever is given is done at once."""

    def submit(self, of, *given):
        task = Future()
        task.set_result(of(*given))
        return task


@pytest.mark.parametrize("executor", [Jobs, Apps, Alone])
def test_any_executor_computes_parts(tmp_path, whole, executor):
    same_tables(ph.run_parts(study(size=600), tmp_path / "parts", 3, executor()), whole)
    with pytest.raises(ph.RunRefused, match="cannot be cut into 3 parts"):
        ph.run_parts(study(size=2, keep=0), tmp_path / "few", 3, executor())


def names(parts) -> dict[str, set[str]]:
    """Copies of each part at an address."""
    import fsspec

    files, root = fsspec.core.url_to_fs(parts)
    found = [
        file.removeprefix(f"{root}/").split("/")
        for file in files.find(root)
        if file.endswith("/manifest.json")
    ]
    return {part: {path[1] for path in found if path[0] == part} for part, *_ in found}


def test_parts_at_an_address_have_the_bits_of_the_whole(whole, tmp_path):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    parts = f"memory://{tmp_path.name}"
    with ThreadPoolExecutor(2) as executor:
        same_tables(ph.run_parts(study(size=600), parts, 3, executor), whole)
        before = names(parts)
        assert set(before) == {"1", "2", "3"} and all(len(copies) == 1 for copies in before.values())
        same_tables(ph.run_parts(study(size=600), parts, 3, Never()), whole)
        # One is damaged, another one half there, as a kill leaves it.
        [copy] = before["2"]
        memory.pipe_file(f"/{tmp_path.name}/2/{copy}/instances.parquet", b"damaged")
        [copy] = before["3"]
        memory.rm(f"/{tmp_path.name}/3/{copy}/manifest.json")
        same_tables(ph.run_parts(study(size=600), parts, 3, executor), whole)
    after = names(parts)
    assert after["1"] == before["1"] and all(
        len(after[part] - before[part]) == 1 == len(after[part]) for part in "23"
    )
    with pytest.raises(ph.ResultError, match=f"^{parts}/study.toml: is of another study"):
        ph.run_parts(study(size=600, seed=2), parts, 3, Never())
    with pytest.raises(ph.ResultError, match=f"^{parts}/1: is part 1/3, and 4 parts"):
        ph.run_parts(study(size=600), parts, 4, Never())
    own = study().samples({"shoulder.angle": [0.01 * k for k in range(50)]})
    with ThreadPoolExecutor(2) as executor:
        same_tables(ph.run_parts(own, f"{parts}-own", 2, executor), own.run())


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_an_address_that_workers_do_not_share_is_told(tmp_path, start):
    pytest.importorskip("fsspec")
    parts = f"memory://{tmp_path.name}"
    with (
        pool(2, start) as executor,
        pytest.raises(ph.RunError, match="is not there.*: give a folder or an address that all"),
    ):
        ph.run_parts(study(size=600), parts, 2, executor)


def test_a_local_address_is_a_folder(tmp_path, whole):
    pytest.importorskip("fsspec")
    with pool() as executor:
        same_tables(ph.run_parts(study(size=600), f"file://{tmp_path}/parts", 2, executor), whole)
    assert set(changed(tmp_path / "parts")) == {"1", "2"}


# Many kills need a run that lasts as long: one comes every one and a half seconds.
PARTS = 6 + KILLS * (2 + KILLS // 5)


def long():
    """Parts of half a second or so each."""
    return study(size=2000 * PARTS, duration="8 s", keep=0)


@pytest.fixture(scope="module")
def long_whole(tmp_path_factory):
    return long().run(tmp_path_factory.mktemp("whole") / "run")


@contextmanager
def computed_once(parts):
    """Holds that no part which is done is computed again."""
    seen, ended = {}, threading.Event()

    def look():
        while not ended.wait(0.02):
            if parts.exists():
                for name, written in changed(parts).items():
                    seen.setdefault(name, set()).add(written)

    looks = threading.Thread(target=look)
    looks.start()
    try:
        yield
    finally:
        ended.set()
        looks.join()
    assert seen and all(len(written) == 1 for written in seen.values()), seen


@contextmanager
def killing(workers, kills=KILLS):
    """Kills a worker about every second, so many in all; how many were."""
    ended, killed = threading.Event(), []

    def kill():
        # Neither at the same moment of a part's life, nor by chance.
        while len(killed) < kills and not ended.wait(0.7 + 0.37 * (len(killed) % 5)):
            if now := [*workers()]:
                killed.append(now[len(killed) % len(now)])
                os.kill(killed[-1], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield killed
    finally:
        ended.set()
        killer.join()


def test_kills_of_pool_workers_cost_time_alone(tmp_path, long_whole):
    parts, executor, broken = tmp_path / "parts", pool(), 0
    with (
        bounded(LONG + 10 * KILLS),
        computed_once(parts),
        killing(lambda: executor._processes or ()) as killed,
    ):
        while True:
            try:
                result = ph.run_parts(long(), parts, PARTS, executor)
                break
            except ph.RunError as error:
                assert isinstance(error.__cause__, BrokenProcessPool) and "make another executor" in str(
                    error
                )
                broken += 1
                executor.shutdown()
                executor = pool()
        executor.shutdown()
    assert broken and len(killed) >= KILLS / 2, (broken, killed)
    same_tables(result, long_whole)


def test_a_folder_that_a_kill_left_empty_stands_in_no_ones_way(tmp_path, small):
    parts = tmp_path / "parts"
    (parts / "2.unfinished").mkdir(parents=True)
    with pool(1) as executor:
        result = ph.run_parts(small, parts, 2, executor)
    assert result.complete and not (parts / "2.unfinished").exists()


def test_a_task_ends_with_its_worker(tmp_path):
    """No process of a killed worker goes on."""
    executor = pool(1)
    ph._parts.prepare(study(size=1_000_000, duration="80 s"), tmp_path, 1)
    future = executor.submit(ph._parts.compute, os.fspath(tmp_path), 1, 1)
    until = time.monotonic() + LONG
    while not [stage for stage in ph.shards(tmp_path) if stage["stage"] == "running"]:
        assert time.monotonic() < until and not future.done(), future
        time.sleep(0.05)
    os.kill(next(iter(executor._processes)), signal.SIGKILL)
    until = time.monotonic() + 5
    while [stage for stage in ph.shards(tmp_path) if stage["stage"] == "running"]:
        assert time.monotonic() < until, "it goes on"
        time.sleep(0.05)
    executor.shutdown()


def test_two_clients_share_a_folder(tmp_path, long_whole):
    parts = tmp_path / "parts"
    with (
        bounded(LONG),
        computed_once(parts),
        ThreadPoolExecutor(2) as clients,
        pool(1) as one,
        pool(1) as other,
    ):
        results = [*clients.map(lambda executor: ph.run_parts(long(), parts, PARTS, executor), [one, other])]
    for result in results:
        same_tables(result, long_whole)


@pytest.fixture
def cluster():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        yield cluster


def test_kills_of_dask_workers_cost_time_alone(tmp_path, long_whole, cluster):
    parts = tmp_path / "parts"

    def workers():
        # Dask gives up a worker that was killed as it started, and would have none in the end.
        return [
            nanny.pid
            for nanny in [*cluster.workers.values()]
            if nanny.worker_address in cluster.scheduler.workers and nanny.pid
        ]

    with cluster.get_client() as client, bounded(LONG + 10 * KILLS), computed_once(parts):
        with killing(workers) as killed:
            result = ph.dask.run(long(), parts, PARTS, client, retries=KILLS + 3)
        assert len(killed) >= KILLS / 2, killed
        same_tables(result, long_whole)
        same_tables(ph.dask.run(long(), parts, PARTS, client), long_whole)


# A program that runs `long()` on the scheduler at this address.
CLIENT = """
import sys, distributed, polhode as ph
from test_parts import PARTS, long
with distributed.Client(sys.argv[1]) as client:
    ph.dask.run(long(), sys.argv[2], PARTS, client)
"""


def test_kills_of_dask_clients_cost_time_alone(tmp_path, long_whole, cluster):
    parts = tmp_path / "parts"
    with bounded(LONG + 10 * KILLS), computed_once(parts):
        for k in range(max(1, KILLS // 4)):
            client = subprocess.Popen([sys.executable, "-c", CLIENT, cluster.scheduler_address, parts],
                                      env=PATH)
            until = time.monotonic() + LONG
            while not (parts / "study.toml").exists():
                assert time.monotonic() < until and client.poll() is None
                time.sleep(0.05)
            time.sleep(0.4 + 0.3 * k)
            client.kill()
            client.wait()
        with cluster.get_client() as client:
            same_tables(ph.dask.run(long(), parts, PARTS, client), long_whole)


def test_kills_of_the_dask_scheduler_end_in_an_error_and_cost_time_alone(tmp_path, long_whole):
    distributed = pytest.importorskip("distributed")
    parts, kills = tmp_path / "parts", max(1, KILLS // 10)

    def started(*arguments):
        command = [sys.executable, "-m", "distributed.cli.dask_scheduler" if arguments[0] == "scheduler" else
                   "distributed.cli.dask_worker", *arguments[1:]]
        return subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path, env=PATH
        )

    with bounded(LONG + 60 * kills), computed_once(parts):
        for k in range(kills + 1):
            place = tmp_path / f"scheduler-{k}.json"
            processes = [
                started("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", os.fspath(place))
            ]
            try:
                until = time.monotonic() + LONG
                while not place.exists():
                    assert time.monotonic() < until
                    time.sleep(0.05)
                processes += [
                    started(
                        "worker", "--scheduler-file", os.fspath(place), "--nthreads", "1", "--no-dashboard"
                    )
                    for _ in range(2)
                ]
                with distributed.Client(scheduler_file=os.fspath(place), timeout=LONG) as client:
                    client.wait_for_workers(2, timeout=LONG)
                    if k < kills:
                        timer = threading.Timer(1.0 + 0.6 * k, processes[0].kill)
                        timer.start()
                        with pytest.raises(ph.RunError, match="parts are done in .*: call again"):
                            ph.dask.run(long(), parts, PARTS, client)
                    else:
                        result = ph.dask.run(long(), parts, PARTS, client)
            finally:
                for process in processes:
                    process.kill()
                    process.wait()
    same_tables(result, long_whole)
