#!/usr/bin/env python3
"""Several processes work on one run over one PostgreSQL store: the files are those of one machine, equal requests are
sent once, and who is killed is stood in for."""
import json
import re
import shlex
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from sharing import KEY, Gate, end_of, living, run_of, suite, wait_for  # noqa: E402

CASES, QUESTIONS, ATTEMPTS = 96, 24, 2


def make(folder, name):
    place = Path(folder, name)
    place.mkdir()
    (place / "suite.yml").write_text(suite(CASES, QUESTIONS))
    return place


def words(mock, *more):
    return ["run", "suite.yml", f"--base-url=openai={mock.url}/v1", "--attempts", str(ATTEMPTS), "--out", "out",
            "--max-retries", "0", *more]


def shard(mock, place, url, number, of=2, *more):
    return e2e.start(*words(mock, "--store", url, "--shards", of, "--shard", number, "-j", "8", *more), cwd=place,
                     env=KEY)


with e2e.scratch() as folder, PostgresServer() as server:
    # One machine, and two shards of the same.
    alone, first, second, merged, stood_in, outlived = (
        make(folder, name) for name in ("alone", "first", "second", "merged", "stood_in", "outlived"))
    with MockServer() as mock:
        e2e.expect(e2e.assay(*words(mock, "-j", "8"), cwd=alone, env=KEY), 0)
        asked_alone = len(mock.requests)
    url = server.new("shared")
    gate = Gate()
    with MockServer(refuse=gate) as mock:
        shards = [shard(mock, first, url, 1), shard(mock, second, url, 2)]
        wait_for(lambda: living(server, "shared") == 2, "two seats")
        meddler = e2e.assay(*words(mock, "--store", url), cwd=alone, env=KEY)
        e2e.expect(meddler, 2, "is worked on: shard 1 on", "shard 2 on", "runs --watch", "--store", "postgresql://")
        told = Path(folder, "told")
        with told.open("w") as output:
            watched = e2e.start("runs", "--watch", "--store", url, cwd=first, output=output)
        metrics = e2e.start("runs", "--watch", "--json", "--store", url, cwd=first)
        line = json.loads(metrics.stdout.readline())
        e2e.check([shard["shard"] for shard in line["shards"]] == [1, 2] and line["ranges"]["done"] == 0, str(line))
        metrics.terminate()
        metrics.communicate()
        early = e2e.assay(*words(mock, "--store", url, "--fold", run_of(server, "shared")), cwd=first, env=KEY)
        e2e.expect(early, 2, "is worked on")
        wait_for(lambda: "shard" in told.read_text(), "word of who works on the run")
        gate.open()
        for process in shards:
            e2e.expect(end_of(process), 0, "no cells are left for this shard")
        watched.wait(timeout=e2e.SECONDS_MAX)
        e2e.check(watched.returncode == 0 and "nobody works on it" in told.read_text()
                  and "0 open, 0 held" in told.read_text(), f"the run is watched to its end: {told.read_text()}")
        e2e.check(len(mock.requests) == QUESTIONS * ATTEMPTS, f"{len(mock.requests)} requests were sent")
        worked = server.sql("SELECT count(*) FROM seat WHERE number IN (SELECT seat FROM sitting WHERE commits > 0)",
                            "shared")
        e2e.check(worked == ["2"], f"{worked} shards did any work")
        for place in (first, second):
            e2e.nothing_written(place, r"suite\.yml")
        run = run_of(server, "shared")
        shown = e2e.assay("show", "latest", "--store", url, cwd=merged, env=KEY)
        e2e.check(f"--fold={run}" in shown.stdout, "`show` does not say what makes the report", shown)
        folded = e2e.assay(*words(mock, "--store", url, "--fold", run), cwd=merged, env=KEY)
        e2e.expect(folded, 0)
        e2e.check(len(mock.requests) == QUESTIONS * ATTEMPTS, "the fold asked something")
        # The run's own command says what the fold has said, and so does the fold, without reading the suite.
        time.sleep(0.1)  # a file that changed just now is not trusted
        server.sql("UPDATE run SET said = replace(said, 'openai:', 'OPENAI:')", "shared")
        for again in (words(mock, "--store", url), words(mock, "--store", url, "--fold", run)):
            result = e2e.assay(*again, cwd=merged, env=KEY)
            e2e.expect(result, 0, f"up to date: run {run}")
            e2e.check(result.stdout == folded.stdout.replace("openai:", "OPENAI:"), "it is not said again", result)
        stranger = e2e.assay(*words(mock, "--store", url, "--fold", "latest-but-one"), cwd=merged, env=KEY)
        e2e.check(stranger.returncode != 0, "another run's report is said again", stranger)
    here, there = e2e.result_files(alone / "out"), e2e.result_files(merged / "out")
    e2e.check(len(here) > 1 and here == there, f"files differ: {sorted(p for p in here if here[p] != there.get(p))}")
    late = e2e.assay(*words(mock, "--store", url, "--shards", 2, "--shard", 1, "--join", run), cwd=first, env=KEY)
    e2e.expect(late, 0, "up to date")

    # One is killed, and another one takes its ranges and claims over once it counts as dead.
    url = server.new("killed")
    gate = Gate(12)
    with MockServer(refuse=gate) as mock:
        victim, other = shard(mock, first, url, 1), None
        wait_for(lambda: len(mock.requests) > 12, "requests of the first")
        other = shard(mock, second, url, 2)
        wait_for(lambda: living(server, "killed") == 2, "two seats")
        victim.send_signal(signal.SIGKILL)
        victim.communicate()
        server.sql("UPDATE seat SET beat_at = beat_at - interval '61 s' WHERE shard = 1", "killed")
        gate.open()
        e2e.expect(end_of(other), 0, "no cells are left for this shard")
        e2e.check(len(mock.requests) <= QUESTIONS * ATTEMPTS + 8, f"{len(mock.requests)} requests were sent")
        run = run_of(server, "killed")
        e2e.expect(e2e.assay(*words(mock, "--store", url, "--fold", run), cwd=stood_in, env=KEY), 0)
    there = e2e.result_files(stood_in / "out")
    e2e.check(here == there, f"after a kill the files differ: {sorted(p for p in here if here[p] != there.get(p))}")

    # Nobody is left, and cells are: the report says what is missing, who left it, and by which command it goes on.
    url = server.new("undone")
    gate = Gate(12)
    with MockServer(refuse=gate) as mock:
        victim = shard(mock, first, url, 1)
        wait_for(lambda: len(mock.requests) > 12, "requests of the first")
        victim.send_signal(signal.SIGKILL)
        victim.communicate()
        server.sql("UPDATE seat SET beat_at = beat_at - interval '61 s'", "undone")
        gate.open()
        fold = words(mock, "--store", url, "-j", "8", "--fold", run_of(server, "undone"))
        refused = e2e.assay(*fold, cwd=first, env=KEY)
        e2e.expect(refused, 2, "ranges of cells are left", "shard 1 on", "was last heard of 6")
        line = re.search(r"each with its number I: assay (.*)", refused.stderr).group(1)
        e2e.check("--shards=2 --shard=I --join=" in line, f"the command: {line}")
        e2e.expect(e2e.assay(*shlex.split(line.replace("--shard=I", "--shard=1")), cwd=first, env=KEY), 0,
                   "no cells are left for this shard")
        e2e.expect(e2e.assay(*fold, cwd=first, env=KEY), 0)

    # The same shard twice: the newer one stays, and the answers that the older one is waiting for are kept: nothing
    # is asked twice. One that counts another number of shards says so.
    url = server.new("twice")
    gate = Gate(4)
    with MockServer(refuse=gate) as mock:
        older = shard(mock, first, url, 1, 1)
        wait_for(lambda: len(mock.requests) > 4, "requests of the older")
        newer = shard(mock, first, url, 1, 1)
        wait_for(lambda: server.sql("SELECT count(*) FROM seat", "twice") == ["2"], "the newer one's seat")
        another = shard(mock, second, url, 2, 2)
        wait_for(lambda: server.sql("SELECT count(*) FROM seat", "twice") == ["3"], "the other one's seat")
        gate.open()
        e2e.expect(end_of(older), 0, "has taken this one's place")
        e2e.expect(end_of(newer), 0, "no cells are left for this shard")
        e2e.expect(end_of(another), 0, "the run was begun for 1 shard, and this one counts 2")
        e2e.check(len(mock.requests) == asked_alone, f"{len(mock.requests)} requests instead of {asked_alone}")

    # The server goes away in the middle and comes back: what is under way is awaited, and nothing is lost.
    url = server.new("lost")
    gate = Gate()
    with MockServer(refuse=gate, delay=0.15) as mock:
        shards = [shard(mock, first, url, 1), shard(mock, second, url, 2)]
        for how in (signal.SIGINT, signal.SIGQUIT):
            gate.open(6)
            wait_for(gate.is_used_up, "requests")
            server.stop(how)  # while they are answered
            time.sleep(1)
            server.start()
        gate.open()
        for process in shards:
            e2e.expect(end_of(process), 0, "no cells are left for this shard")
        e2e.expect(e2e.assay(*words(mock, "--store", url, "--fold", run_of(server, "lost")), cwd=outlived, env=KEY), 0)
    there = e2e.result_files(outlived / "out")
    lost = [path for path in here if here[path] != there.get(path)]
    e2e.check(not lost, f"after the server was away the files differ: {lost}")

    # What does not go together is told before anything is asked.
    for more, told in ((["--shards", "2", "--shard", "3"], "counts from 1"),
                       (["--shards", "2"], "which starts them all"),
                       (["--shards", "2", "--shard", "1", "--batch"], "--batch"),
                       (["--shards", "9", "--shard", "1", "-j", "8"], "fewer than --shards 9"),
                       (["--join", "x"], "is for a shard")):
        with MockServer() as mock:
            e2e.expect(e2e.assay(*words(mock, "--store", url, *more), cwd=first, env=KEY), 1, told)
            e2e.check(not mock.requests, "something was asked")
    with MockServer() as mock:
        e2e.expect(e2e.assay(*words(mock, "--shards", "2", "--shard", "1"), cwd=first, env=KEY), 1, "on a server")
