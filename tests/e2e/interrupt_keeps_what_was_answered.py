#!/usr/bin/env python3
"""SIGINT ends a run with 130; the same command continues it."""
import signal
import time
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

KEY = {"OPENAI_API_KEY": "sk-test-interrupt"}

with e2e.scratch() as folder, MockServer(delay=1.0) as mock:
    Path(folder, "suite.yml").write_text(e2e.suite(200, "openai:gpt-4o-mini"))
    words = ["run", "suite.yml", f"--base-url=openai={mock.url}/v1", "-j", "20", "--json"]
    process = e2e.start(*words, cwd=folder, env=KEY)
    while len(mock.requests) < 30 and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=e2e.SECONDS_MAX)
    asked = len(mock.requests)
    e2e.check(process.returncode == 130, f"expected exit 130, got {process.returncode}: {stderr}")
    e2e.check("continues run" in stderr, f"expected the way on: {stderr}")
    runs = e2e.json.loads(e2e.assay("runs", "--json", cwd=folder).stdout)
    e2e.check([run["state"] for run in runs] == ["unfinished"], f"expected one unfinished run: {runs}")
    mock.delay = 0.0
    result = e2e.assay(*words, cwd=folder, env=KEY)
    e2e.expect(result, 0, runs[0]["run"])
    e2e.check(e2e.one_run(result)["run"] == runs[0]["run"], "another run was begun", result)
    # What was answered is not asked again: at most what was under way.
    e2e.check(asked <= 60 and len(mock.requests) <= 200 + 20, f"{asked} of {len(mock.requests)} before the signal")
