#!/usr/bin/env python3
"""Over real HTTP: passing faults are tried again until answered, lasting ones are errors that the same command asks
again, pauses are kept, and a killed run asks nothing twice but what was under way."""
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import CUT, RESET, MockServer, status  # noqa: E402

KEY = {"OPENAI_API_KEY": "sk-test-0815-faults"}
PAUSE_S = 0.4
# By number of the case: what its first try gets.
PASSING = [status(429, {"Retry-After": str(PAUSE_S)}), status(500), CUT, RESET, status(200, body="{\"choices\":"),
           status(529, {"retry-after-ms": "50"}), status(200, body="")]
WAITS = 2  # of them say "wait": such a reply costs no try


def number(text):
    return int(text.rsplit(" ", 1)[1])


def run(folder, mock, *words):
    return e2e.assay("run", "suite.yml", f"--base-url=openai={mock.url}/v1", "--json", *words, cwd=folder, env=KEY)


def write_suite(folder, cases):
    Path(folder, "suite.yml").write_text(e2e.suite(cases, model="openai:gpt-4o-mini"))


def passing(text, attempt):
    return PASSING[number(text) % len(PASSING)] if attempt == 0 else None


with e2e.scratch() as folder, MockServer(fault=passing) as mock:
    write_suite(folder, len(PASSING))
    result = run(folder, mock, "-j", "1")
    e2e.expect(result, 0)
    done = e2e.one_run(result)
    e2e.check(done["request_errors"] == 0 and done["mean"] == 1, "every passing fault is survived", result)
    # A status of 500 is no fault of the network, and 429 and 529 are no tries.
    for words in "2 told to wait", "2 network", "1 service":
        e2e.check(words in result.stderr, f"expected {words} among the retries", result)
    twice = {f"say word {i}": 2 for i in range(len(PASSING))}
    e2e.check(Counter(mock.texts()) == twice, f"two tries each were expected: {mock.texts()}")
    limited = [request["time"] for request in mock.requests if request["text"] == "say word 0"]
    e2e.check(limited[1] - limited[0] >= PAUSE_S, f"the pause was not kept: {limited[1] - limited[0]:.3f} s")
    between = [request for request in mock.requests if limited[0] < request["time"] < limited[0] + PAUSE_S]
    e2e.check(not between, "others of the pool went on during the pause")

with e2e.scratch() as folder, MockServer(fault=passing) as mock:
    write_suite(folder, len(PASSING))
    failed = e2e.one_run(run(folder, mock, "--max-retries", "0"))
    faults = len(PASSING) - WAITS
    e2e.check(failed["request_errors"] == faults, f"--max-retries 0 tries once: {failed['request_errors']}")
    e2e.check(len(mock.requests) == len(PASSING) + WAITS, "one try each was expected, and one more after a wait")
    again = run(folder, mock, "--max-retries", "0")
    e2e.expect(again, 0)
    e2e.check(e2e.one_run(again)["mean"] == 1, "the same command asks again what failed", again)

with e2e.scratch() as folder, MockServer(fault=lambda text, _: status(400) if number(text) == 1 else None) as mock:
    write_suite(folder, 3)
    result = run(folder, mock)
    done = e2e.one_run(result)
    e2e.check(done["request_errors"] == 1 and len(mock.requests) == 3, "a lasting fault is tried once", result)

with e2e.scratch() as folder, MockServer(delay=0.05) as mock:
    write_suite(folder, 60)
    words = ["run", "suite.yml", f"--base-url=openai={mock.url}/v1", "--json", "-q", "-j", "4"]
    kills = 0
    while kills < 3:
        process = subprocess.Popen([e2e.PROGRAM, *words], cwd=folder, env=e2e.clean_environment(KEY),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            process.communicate(timeout=0.25)
            break
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            kills += 1
    e2e.check(kills > 0, "the run was never killed: it is too fast for this test")
    result = run(folder, mock, "-q", "-j", "4")
    e2e.expect(result, 0)
    e2e.check(e2e.one_run(result)["mean"] == 1, "every case has its answer", result)
    twice = sum(count - 1 for count in Counter(mock.texts()).values())
    # Four under way, and four answers at most that came in the 5 ms before and were not committed yet.
    e2e.check(twice <= 8 * kills, f"{twice} requests were repeated after {kills} kills at four under way")
