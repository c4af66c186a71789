#!/usr/bin/env python3
"""A provider that is down ends no run: it is waited for with --patience. A shard that gives up leaves its cells and
ends with 75; started again it goes on, and the report is that of a calm run. Keys and models that are wrong end a
model as ever."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from sharing import KEY, Shared, differ, end_of, run_of  # noqa: E402

CASES, QUESTIONS = 96, 48


class Service:
    """Answers so many requests, and then says something else until it is up again."""

    def __init__(self, answers, code=500):
        self.left, self.code = answers, code

    def __call__(self, _text, _attempt):
        self.left -= 1
        return None if self.left >= 0 else status(self.code)

    def rise(self):
        self.left = 1 << 30


with e2e.scratch() as folder, PostgresServer() as server:
    shared = Shared(folder, CASES, QUESTIONS)
    with MockServer() as mock:
        e2e.expect(shared.run("alone", mock), 0)
    alone = e2e.result_files(shared.place("alone") / "out")
    tries = ("--max-retries", "2", "--patience", "2")

    # By itself: what was not asked is skipped, and the same command asks it.
    service = Service(20)
    with MockServer(fault=service) as mock:
        given_up = shared.run("single", mock, "-j", "16", *tries)
        e2e.expect(given_up, 2, "openai was down for 2 s (--patience), the last time with:")
        sent = len(mock.requests)
        e2e.check(sent <= 20 + 3 * 16, f"{sent} requests to a service that is down")
        service.rise()
        e2e.expect(shared.run("single", mock, *tries), 0)
        e2e.check(len(mock.requests) == sent + QUESTIONS - 20, f"{len(mock.requests) - sent} requests to go on")

    # In shards: 75, the run stays as it is, and the same shards go on with it.
    service = Service(20)
    with MockServer(fault=service) as mock:
        url = server.new("down")
        words = (mock, url)
        first = [end_of(process) for process in
                 [shared.shard(*words, number, 2, "-j", "16", *tries) for number in (1, 2)]]
        for ended in first:
            e2e.expect(ended, 75, "openai was down for 2 s (--patience)", "cells are left; the same command continues")
        run, sent = run_of(server, "down"), len(mock.requests)
        early = shared.run("early", mock, "--store", url, "--fold", run, *tries)
        e2e.expect(early, 2, "is not done")
        service.rise()
        for process in [shared.shard(*words, number, 2, "-j", "16", *tries) for number in (1, 2)]:
            e2e.expect(end_of(process), 0, "no cells are left for this shard")
        e2e.check(server.sql("SELECT count(*) FROM run", "down") == ["1"], "another run was begun")
        e2e.check(len(mock.requests) == sent + QUESTIONS - 20, f"{len(mock.requests) - sent} requests to go on")
        e2e.check(not differ(alone, shared.fold(server, "down", "folded", mock, 0, *tries)), "files differ")

    # A key or a model that is wrong is given up after three, whatever the patience.
    for code in (401, 402, 404):
        with MockServer(fault=Service(0, code)) as mock:
            wrong = shared.run(f"wrong-{code}", mock, "-j", "1", "--patience", "600")
            e2e.expect(wrong, 2, "was not asked 45 times more: 3 calls in a row had failed for good")
            e2e.check(len(mock.requests) == 3, f"{len(mock.requests)} requests with {code}")
