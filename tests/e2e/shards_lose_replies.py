#!/usr/bin/env python3
"""A server commits and its reply is lost: the commit is sent again, changes nothing, and nothing is asked twice."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402
from postgres import CuttingProxy, PostgresServer  # noqa: E402
from sharing import Shared, differ  # noqa: E402

CASES, QUESTIONS = 96, 48


with e2e.scratch() as folder, PostgresServer() as server:
    shared = Shared(folder, CASES, QUESTIONS)
    with MockServer() as mock:
        e2e.expect(shared.run("alone", mock), 0)
    alone = e2e.result_files(shared.place("alone") / "out")

    # Of one commit in so many, whichever these are.
    for each in (3, 7):
        with MockServer(delay=0.05) as mock, CuttingProxy(server, each) as proxy:
            name = f"cut{each}"
            server.new(name)
            shared.shards(mock, proxy.url(name), 2, "-j", "8")
            e2e.check(proxy.cuts > 3, f"{proxy.cuts} replies of commits were lost")
            e2e.check(len(mock.requests) == QUESTIONS, f"{len(mock.requests)} requests were sent")
            e2e.check(not differ(alone, shared.fold(server, name, f"off-{each}", mock, 0)), "after cuts files differ")
