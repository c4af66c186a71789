#!/usr/bin/env python3
"""A service that says "wait" costs no answer and no try: the window and the hints it gives are waited for, for as long
as --patience says; like asky and weval a 429 is a try."""
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402

KEY = {"OPENAI_API_KEY": "sk-test-4711-waits"}
WIDTH, WINDOW_S, CASES = 5, 2, 20


class Window:
    """So many requests in a window; the others are refused, without a word on how long."""

    def __init__(self):
        self.lock = threading.Lock()
        self.began, self.count = time.monotonic(), 0

    def __call__(self, _path, _body):
        with self.lock:
            if time.monotonic() - self.began >= WINDOW_S:
                self.began, self.count = time.monotonic(), 0
            self.count += 1
            return status(429) if self.count > WIDTH else None


def run(folder, mock, *words):
    return e2e.assay("run", "suite.yml", f"--base-url=openai={mock.url}/v1", "--json", *words, cwd=folder, env=KEY)


def refused(code=429, body=None, hint=None):
    headers = {"retry-after-ms": hint} if hint else None
    return MockServer(reply=lambda _path, _body: status(code, headers, body))


with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(e2e.suite(CASES, model="openai:gpt-4o-mini"))
    with MockServer(reply=Window()) as mock:
        result = run(folder, mock, "--max-retries", "0")
        e2e.expect(result, 0, "told to wait")
        done = e2e.one_run(result)
        e2e.check(done["request_errors"] == 0 and done["mean"] == 1, "every question has its answer", result)

with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(e2e.suite(3, model="openai:gpt-4o-mini"))
    for body in None, '{"error": {"status": "UNAVAILABLE"}}':
        with refused(503 if body else 429, body) as mock:
            result = run(folder, mock, "--patience", "0.5", "--fresh", "-j", "1")
            e2e.expect(result, 2, "(--patience)")
            e2e.check("the same command sends it again" in result.stderr, "what to do is told", result)
    for compat in "weval", "asky":
        with refused(hint="50") as mock:
            run(folder, mock, "--compat", compat, "--max-retries", "1", "--limit", "1", "--fresh")
            e2e.check(len(mock.requests) == 2, f"--compat {compat}: two tries were expected, not {len(mock.requests)}")
    e2e.expect(e2e.assay("run", "suite.yml", "--patience", "soon", cwd=folder), 1, "--patience")
    Path(folder, "assay.toml").write_text("[limits]\npatience = 0.25\n")
    with refused() as mock:
        e2e.expect(run(folder, mock, "--fresh"), 2, "for 0.25 s that calls are to wait")
