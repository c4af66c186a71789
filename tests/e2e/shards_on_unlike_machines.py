#!/usr/bin/env python3
"""Machines that differ: whose clock is an hour off works as any other, since time is the server's; who has another
interpreter, a weaker sandbox or not all documents joins no run, and is told what differs before anything is asked."""
import json
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import research_folder as research  # noqa: E402
from mock_server import MockServer  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from sharing import KEY, Gate, Shared, end_of, living, run_of, wait_for  # noqa: E402

CASES, QUESTIONS, HOUR = 96, 48, 3600
STRANGER = {"OPENAI_API_KEY": "sk-of-who-may-not-join"}


def check_asked_nothing(mock):
    """Whoever may not join; the first shard goes on meanwhile."""
    senders = {each["headers"].get("authorization") for each in mock.requests}
    e2e.check(senders == {f"Bearer {KEY['OPENAI_API_KEY']}"}, f"who may not join asked something: {senders}")


def clock_library(folder):
    """Puts the wall clock of one program forward; None where nothing compiles it."""
    library, source = Path(folder, "shifted_clock.so"), Path(__file__).resolve().parents[1] / "support/shifted_clock.c"
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", source, "-o", library], check=True)
    return library


def ahead(library, hours):
    return {"LD_PRELOAD": str(library), "SHIFTED_BY": str(hours * HOUR)}


def clocks_that_differ(folder, server):
    library = clock_library(folder)
    if library is None:
        print("skipped: cc is not installed: clocks that differ")
        return
    shared = Shared(folder, CASES, QUESTIONS)
    with MockServer() as mock:
        e2e.expect(shared.run("alone", mock), 0)
    alone = e2e.result_files(shared.place("alone") / "out")
    early = e2e.assay("run", "suite.yml", "-m", "echo:a", "--json", cwd=shared.place("early"), env=ahead(library, 1))
    e2e.check(e2e.one_run(early)["started_ms"] > (time.time() + 0.9 * HOUR) * 1000, "no clock is put forward", early)
    url, gate = server.new("clocks"), Gate(8)
    with MockServer(refuse=gate) as mock:
        shards = []
        for number, hours in ((1, 1), (2, -1), (3, 0)):
            words = shared.words(mock, "--store", url, "--shards", 3, "--shard", number, "-j", "9")
            shards.append(e2e.start(*words, cwd=shared.place(f"shard-{number}"), env={**KEY, **ahead(library, hours)}))
            wait_for(lambda: living(server, "clocks") == len(shards), "a seat")
        # All of them are heard of, whatever they think of the time.
        late = server.sql("SELECT count(*) FROM seat WHERE beat_at < clock_timestamp() - interval '20 s'", "clocks")
        e2e.check(late == ["0"], f"{late} seats count as silent")
        gate.open()
        for process in shards:
            e2e.expect(end_of(process), 0, "no cells are left for this shard")
        e2e.check(len(mock.requests) == QUESTIONS, f"{len(mock.requests)} requests were sent")
        apart = int(server.sql("SELECT max(last_ms) - min(last_ms) FROM sitting", "clocks")[0])
        e2e.check(apart < HOUR * 100, f"what they say of the time is {apart} ms apart")
        merged = shared.fold(server, "clocks", "merged", mock, 0)
    e2e.check(merged == alone, f"files differ: {sorted(p for p in alone if alone[p] != merged.get(p))}")


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
        joins = [*words, "--shard", "2"]
        other = e2e.assay(*joins, cwd=place, env={**STRANGER, "ASSAY_TOOLCHAINS": bare})
        e2e.expect(other, 2, "cannot be joined", "python, which is", "where it began and")
        weaker = e2e.assay(*joins, "--sandbox", "none", "--join", run_of(server, "programs"), cwd=place,
                           env=STRANGER)
        e2e.expect(weaker, 2, "cannot be joined", "where it began, and at none on", "--sandbox none")
        check_asked_nothing(mock)
        gate.open()
        e2e.expect(end_of(first), 0, "no cells are left for this shard")


# Answers what it is asked, once it may.
PROGRAM = """
import json, os, sys, time
def send(**message): print(json.dumps(message), flush=True)
sys.stdin.readline()
send(type="ready", protocol="assay-exec/1")
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] != "turn": break
    open("asked", "w").close()
    while not os.path.exists("go"): time.sleep(0.05)
    send(type="result", id=message["id"], answer=message["query"])
"""


def folders_that_differ(folder, server):
    place, url = Path(folder, "kept"), server.new("kept")
    place.mkdir()
    (place / "program.py").write_text(PROGRAM)
    e2e.own_settings(f'[models.p]\nmodel = "exec:{sys.executable} program.py"\n')
    (place / "m.toml").write_text('dataset = "./set.json"\noutput_root = "runs"\n[[runs]]\nid = "one"\n'
                                  'model_alias = "p"\nsource_provider = "live_web"\n')
    tests = [{"id": f"t{i:02}", "doc_id": "d", "query": f"word {i}", "expected": {"type": "contains", "text": "word"}}
             for i in range(64)]
    docs = [{"id": "d", "title": "Doc", "url": "https://documents.example/d"}]
    (place / "set.json").write_text(json.dumps({"id": "s", "docs": docs, "tests": tests}))
    words = ["run", "m.toml", "--store", url, "--shards", "2"]
    first = e2e.start(*words, "--shard", "1", cwd=place)
    wait_for(lambda: first.poll() is not None or (place / "asked").exists(), "a turn")
    # As on a machine that has another disk there.
    runs, elsewhere = place / "runs", place / "elsewhere"
    runs.rename(elsewhere)
    e2e.expect(e2e.assay(*words, "--shard", "2", cwd=place), 2, "is not the folder that shard 1 on",
               "one --out that every machine sees")
    e2e.check(living(server, "kept") == 1, "who may not join has a seat")
    shutil.rmtree(runs)
    elsewhere.rename(runs)
    second = e2e.start(*words, "--shard", "2", cwd=place)
    wait_for(lambda: second.poll() is not None or living(server, "kept") == 2, "two seats")
    first.kill()
    first.communicate()
    server.sql("UPDATE seat SET beat_at = beat_at - interval '61 s' WHERE shard = 1", "kept")
    (place / "go").touch()
    e2e.expect(end_of(second), 0, "no cells are left for this shard")
    e2e.check(len(list(runs.glob("*/.shard-*"))) == 1, "the mark of who was killed")
    e2e.expect(e2e.assay("run", "m.toml", "--store", url, "--fold", run_of(server, "kept"), cwd=place), 0)
    e2e.check(not list(runs.glob("*/.shard-*")), "marks are left")


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
        e2e.expect(e2e.assay(*words, "--shard", "2", cwd=torn, env=STRANGER), 1, *told)
        e2e.check(server.sql("SELECT to_regclass('run')", "documents") == [""], "a run was begun")
        first = e2e.start(*words, "--shard", "1", cwd=whole, env=KEY)
        wait_for(lambda: len(mock.requests) > 0, "a request")
        e2e.expect(e2e.assay(*words, "--shard", "2", cwd=torn, env=STRANGER), 1, *told)
        check_asked_nothing(mock)
        gate.open()
        e2e.expect(end_of(first), 0, "no cells are left for this shard")


with e2e.scratch() as scratch, PostgresServer() as postgres:
    clocks_that_differ(scratch, postgres)
    other_programs(scratch, postgres)
    missing_documents(scratch, postgres)
    folders_that_differ(scratch, postgres)  # from here on the user has settings
