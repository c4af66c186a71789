#!/usr/bin/env python3
"""Machines that differ: who has another interpreter, a weaker sandbox or not all documents joins no run, and is told
what differs before anything is asked."""
import socket
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import research_folder as research  # noqa: E402
from mock_server import MockServer  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from sharing import KEY, Gate, end_of, living, run_of, wait_for  # noqa: E402

def write_programs(place):
    """Questions whose answers are run."""
    place.mkdir()
    for i in range(4):
        (place / f"case-{i}.yaml").write_text(
            f"id: case-{i}\nprompt_path: case-{i}.txt\ntype: code completion\nlang: python\ngrading:\n"
            "  unit_test:\n    tests:\n    - 'assert True'\n")
        (place / f"case-{i}.txt").write_text(f"say pass {i}\n")
    (place / "suite.yaml").write_text("cases:\n" + "".join(f"- case-{i}.yaml\n" for i in range(4)))


def other_programs(folder, server):
    place, url = Path(folder, "programs"), server.new("programs")
    write_programs(place)
    with MockServer(refuse=(gate := Gate())) as mock, e2e.bare_toolchains() as bare:
        words = ["run", "suite.yaml", "-m", "openai:gpt-4o-mini", f"--base-url=openai={mock.url}/v1", "--max-retries",
                 "0", "--store", url, "--out", "out", "--shards", "2"]
        first = e2e.start(*words, "--shard", "1", cwd=place, env=KEY)
        wait_for(lambda: first.poll() is not None or living(server, "programs") == 1, "a seat")
        if first.poll() is not None and "no sandbox works here" in (said := end_of(first)).stderr:
            print(f"skipped: {said.stderr.strip()}")
            return
        wait_for(lambda: len(mock.requests) > 0, "a request")
        asked = len(mock.requests)
        joins = [*words, "--shard", "2"]
        other = e2e.assay(*joins, cwd=place, env={**KEY, "ASSAY_TOOLCHAINS": bare})
        e2e.expect(other, 2, "cannot be joined", "python, which is", "where it began and")
        weaker = e2e.assay(*joins, "--sandbox", "none", "--join", run_of(server, "programs"), cwd=place, env=KEY)
        e2e.expect(weaker, 2, "cannot be joined", "where it began, and at none on", "--sandbox none")
        e2e.check(len(mock.requests) == asked, "who may not join asked something")
        gate.open()
        e2e.expect(end_of(first), 0, "no cells are left for this shard")


def missing_documents(folder, server):
    whole, torn = Path(folder, "whole"), Path(folder, "torn")
    for place in (whole, torn):
        place.mkdir()
        research.write(place, {"a.txt": b"Valves close at 4 degrees.", "b.txt": b"Apples keep until May."})
    with MockServer(refuse=(gate := Gate())) as mock:
        url = server.new("documents")
        words = ["run", "matrix.toml", f"--base-url=openai={mock.url}/v1", "--max-retries", "0", "--store", url,
                 "--out", folder, "--shards", "2"]
        lost = next(path for path in torn.rglob("*") if path.is_file() and path.read_bytes().startswith(b"Apples"))
        lost.unlink()
        told = (str(lost.relative_to(torn)), f"on {socket.gethostname()}: each shard reads", "all machines see it")
        # Nobody has begun it.
        e2e.expect(e2e.assay(*words, "--shard", "2", cwd=torn, env=KEY), 1, *told)
        e2e.check(server.sql("SELECT to_regclass('run')", "documents") == [""], "a run was begun")
        first = e2e.start(*words, "--shard", "1", cwd=whole, env=KEY)
        wait_for(lambda: len(mock.requests) > 0, "a request")
        asked = len(mock.requests)
        e2e.expect(e2e.assay(*words, "--shard", "2", cwd=torn, env=KEY), 1, *told)
        e2e.check(len(mock.requests) == asked, "who cannot read a document asked something")
        gate.open()
        e2e.expect(end_of(first), 0, "no cells are left for this shard")


with e2e.scratch() as scratch, PostgresServer() as postgres:
    other_programs(scratch, postgres)
    missing_documents(scratch, postgres)
