#!/usr/bin/env python3
"""Three shards and a fold through pgbouncer in transaction mode, with fewer connections to the server than they have to
the pooler."""
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402
from postgres import Pooler, PostgresServer  # noqa: E402
from sharing import Shared, run_of  # noqa: E402

CASES, QUESTIONS = 96, 48

with e2e.scratch() as folder, PostgresServer() as server, Pooler(server, 2) as pooler:
    shared = Shared(folder, CASES, QUESTIONS)
    server.new("pooled")
    url = pooler.url("pooled")
    with MockServer(delay=0.05) as mock:
        e2e.expect(shared.run("alone", mock), 0)
        before = len(mock.requests)
        shared.shards(mock, url, 3, "-j", "9", "--requests-per-min", "6000", "--budget-tokens", "1000000")
        e2e.check(len(mock.requests) - before == QUESTIONS, f"{len(mock.requests) - before} requests were sent")
        e2e.expect(shared.run("merged", mock, "--store", url, "--fold", run_of(server, "pooled"), "-j", "9"), 0)
    here, there = (e2e.result_files(shared.place(name) / "out") for name in ("alone", "merged"))
    e2e.check(len(here) > 1 and here == there, f"files differ: {sorted(p for p in here if here[p] != there.get(p))}")

    # More shards than the server has connections are refused, and not where a pooler stands between.
    programs = Path(folder, "programs")
    programs.mkdir()
    (programs / "sbatch").write_text("#!/bin/sh\necho 17\n")
    (programs / "sbatch").chmod(0o755)
    (shared.place("many") / "suite.yml").write_text(e2e.suite(CASES))
    words = ["run", "suite.yml", "--cluster", "slurm", "--shards", "30", "-j", "30"]
    path = {"PATH": f"{programs}:{os.environ['PATH']}"}
    many = [e2e.assay(*words, "--store", store, cwd=shared.place("many"), env=path)
            for store in (server.new("many"), pooler.url("many"))]
    e2e.expect(many[0], 2, "30 shards need 60, 2 each", "put pgbouncer between")
    e2e.expect(many[1], 0, "shards: job 17")
