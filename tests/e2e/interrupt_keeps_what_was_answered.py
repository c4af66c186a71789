#!/usr/bin/env python3
"""SIGINT ends a run with 130; the same command goes on with it."""
import signal
import time
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(e2e.suite(500))
    words = ["run", "suite.yml", "--attempts", "40", "--json"]
    process = e2e.start(*words, cwd=folder)
    while not Path(folder, ".assay/store.db").exists() and process.poll() is None:
        time.sleep(0.005)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=e2e.SECONDS_MAX)
    e2e.check(process.returncode == 130, f"expected exit 130, got {process.returncode}: {stderr}")
    e2e.check("goes on" in stderr, f"expected the way on: {stderr}")
    runs = e2e.json.loads(e2e.assay("runs", "--json", cwd=folder).stdout)
    e2e.check([run["state"] for run in runs] == ["unfinished"], f"expected one unfinished run: {runs}")
    result = e2e.assay(*words, cwd=folder)
    e2e.expect(result, 0, runs[0]["run"])
    e2e.check(e2e.one_run(result)["run"] == runs[0]["run"], "another run was begun", result)
