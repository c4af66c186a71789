#!/usr/bin/env python3
"""An unfinished run is found by what shapes it, whatever its grants and pace."""
import signal
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

WORDS = ["run", "suite.yml", "--attempts", "40", "--json", "-q"]


def has_begun(folder):
    try:
        with closing(sqlite3.connect(f"file:{folder}/.assay/store.db?mode=ro", uri=True)) as store:
            return store.execute("SELECT count(*) FROM run").fetchone() != (0,)
    except sqlite3.OperationalError:  # no file, or no table so far
        return False


def stopped(folder):
    """The id of a run that was interrupted: at this pace it takes hours."""
    process = e2e.start(*WORDS, "--requests-per-min", "60", cwd=folder)
    while not has_begun(folder) and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=e2e.SECONDS_MAX)
    e2e.check(process.returncode == 130, f"expected exit 130, got {process.returncode}: {stderr}")
    runs = e2e.json.loads(e2e.assay("runs", "--json", cwd=folder).stdout)
    return next(run["run"] for run in runs if run["state"] == "unfinished")


def run(folder, *more):
    result = e2e.assay(*WORDS, *more, cwd=folder)
    e2e.expect(result, 0)
    return e2e.one_run(result)["run"]


with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(e2e.suite(500))
    first = stopped(folder)
    spec = e2e.json.loads(e2e.assay("show", first, "--json", cwd=folder).stdout)["spec"]
    e2e.check(spec == {"file": "suite.yml", "attempts": 40}, f"unexpected spec {spec}")
    e2e.check(run(folder, "--pass-at", "0.9") != first, "what passes shapes a run")
    again = run(folder, "--allow-env", "NOBODY", "--sandbox", "none", "-j", "3", "--out", "elsewhere")
    e2e.check(again == first, f"{again} was begun in place of {first}")
