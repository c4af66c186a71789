#!/usr/bin/env python3
"""What a user allows a run holds for all of its shards together: calls under way, requests a minute, a budget, errors
and time; and nearly all of it is used."""
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from sharing import Shared, living, wait_for  # noqa: E402

CASES, SHARDS = 144, 3


class Crowd:
    """How many are asked at once."""

    def __init__(self, delay):
        self.delay, self.now, self.most, self.lock = delay, 0, 0, threading.Lock()

    def __call__(self, _body):
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(self.delay)
        with self.lock:
            self.now -= 1


with e2e.scratch() as folder, PostgresServer() as server:
    shared = Shared(folder, CASES, CASES)

    crowd = Crowd(0.25)
    with MockServer(refuse=crowd) as mock:
        shared.shards(mock, server.new("width"), SHARDS, "-j", "7")
        e2e.check(crowd.most <= 7, f"{crowd.most} calls were under way, and -j says 7")
        e2e.check(crowd.most >= 6, f"{crowd.most} calls were under way of 7")
        e2e.check(len(mock.requests) == CASES, f"{len(mock.requests)} requests were sent")
        narrow = shared.run("narrow", mock, "--store", server.url("width"), "--shards", 3, "--shard", 1, "-j", "2")
        e2e.expect(narrow, 1, "-j 2 is of all shards together, and fewer than --shards 3")

    with MockServer() as mock:
        shared.shards(mock, server.new("pace"), SHARDS, "--requests-per-min", "600")
        times = sorted(request["time"] for request in mock.requests)
        took = times[-1] - times[0]
        e2e.check(len(times) == CASES, f"{len(times)} requests were sent")
        e2e.check(took >= CASES / 10 * 0.93, f"{CASES} requests of 600 a minute took {took:.1f} s")
        e2e.check(took <= CASES / 10 / 0.85, f"{CASES} requests of 600 a minute took {took:.1f} s")
        most = max(sum(1 for other in times if each <= other < each + 5) for each in times)
        e2e.check(most <= 60, f"{most} requests went in five seconds")

    tokens = 700
    with MockServer(delay=0.05) as mock:
        url = server.new("budget")
        shared.shards(mock, url, SHARDS, "--budget-tokens", str(tokens), "--max-tokens", "30", "-j", "6")
        spent = int(server.sql("SELECT sum(input_tokens + output_tokens) FROM exchange", "budget")[0])
        e2e.check(0.85 * tokens <= spent <= tokens, f"{spent} tokens were spent of {tokens}")
        # The same command again spends no more; another budget does.
        before = len(mock.requests)
        shared.shards(mock, url, SHARDS, "--budget-tokens", str(tokens), "--max-tokens", "30", "-j", "6")
        again = int(server.sql("SELECT sum(input_tokens + output_tokens) FROM exchange", "budget")[0])
        e2e.check(again <= tokens, f"{again} tokens were spent of {tokens}")
        shared.shards(mock, url, SHARDS, "--budget-tokens", "100000", "--max-tokens", "30", "-j", "6")
        e2e.check(len(mock.requests) == CASES, f"{len(mock.requests)} requests were sent")

    with MockServer(delay=0.3) as mock:
        url = server.new("other")
        first = shared.shard(mock, url, 1, 2, "--budget-tokens", "90000", "-j", "4")
        wait_for(lambda: living(server, "other") == 1, "a seat")
        other = shared.run("shard-2", mock, "--store", url, "--shards", 2, "--shard", 2, "--budget-usd", "3", "-j", "4")
        e2e.expect(other, 2, "with a budget of 90000 tokens, and this shard was given a budget of $3")
        first.kill()
        first.communicate()

    with MockServer(delay=0.2, fault=lambda text, attempt: status(400)) as mock:
        shared.shards(mock, server.new("errors"), SHARDS, "--max-errors", "9", "-j", "3")
        e2e.check(len(mock.requests) < 60, f"{len(mock.requests)} requests were sent, and 9 may fail")

    with MockServer(delay=0.5) as mock:
        shared.shards(mock, server.new("time"), SHARDS, "--max-time", "4", "-j", "3")
        e2e.check(10 <= len(mock.requests) <= 40, f"{len(mock.requests)} requests were sent in 4 s")
