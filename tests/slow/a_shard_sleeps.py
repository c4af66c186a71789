#!/usr/bin/env python3
"""A shard that stands still for 90 s: another one takes its cells over in 70 s, and when it wakes it sends nothing."""
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from sharing import Shared, end_of, wait_for  # noqa: E402

CASES, QUESTIONS, WIDTH = 96, 96, 8

with e2e.scratch() as folder, PostgresServer() as server:
    shared = Shared(folder, CASES, QUESTIONS)
    with MockServer() as mock:
        e2e.expect(shared.run("alone", mock), 0)
    alone = e2e.result_files(shared.place("alone") / "out")
    with MockServer(delay=0.5) as mock:
        url = server.new("sleeps")
        sleeper = shared.shard(mock, url, 1, 2, "-j", 2 * WIDTH)
        other = shared.shard(mock, url, 2, 2, "-j", 2 * WIDTH)
        wait_for(lambda: len(mock.requests) >= 3 * WIDTH, "requests")
        sleeper.send_signal(signal.SIGSTOP)
        began = time.monotonic()
        e2e.expect(end_of(other), 0, "no cells are left for this shard")
        took = time.monotonic() - began
        e2e.check(took < 80, f"the other one was done after {took:.0f} s")
        before = len(mock.requests)
        e2e.check(before <= QUESTIONS + 2 * WIDTH, f"{before} requests were sent")
        time.sleep(max(0, 90 - took))
        sleeper.send_signal(signal.SIGCONT)
        e2e.expect(end_of(sleeper), 0, "has taken this one's place")
        e2e.check(len(mock.requests) == before, f"it sent {len(mock.requests) - before} requests when it woke")
        merged = shared.fold(server, "sleeps", "merged", mock, 0)
    e2e.check(merged == alone, "files differ")
