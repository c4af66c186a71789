#!/usr/bin/env python3
"""Sessions survive what programs and users do: kill -9 loses no finished row and the same command goes on in the
same folder; answers beyond every limit, programs that die, flood or speak in escapes cost their own case and say
why."""
import json
import shutil
import signal
import sqlite3
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

# Answers "word N" and does what else the question asks for; every turn is a line of turns.log.
PROGRAM = r'''
import json, os, sys, time
def send(**message): print(json.dumps(message), flush=True)
sys.stdin.readline()
send(type="ready", protocol="assay-exec/1")
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] != "turn": break
    query = message["query"]
    with open("turns.log", "a") as log: log.write(query.split()[-1] + "\n")
    answer = "word " + query.split()[-1]
    if "slowly" in query: time.sleep(float(os.environ.get("TURN_SECONDS", "0")))
    if "die" in query:
        print("I fell over", file=sys.stderr, flush=True)
        os._exit(3)
    if "flood" in query:
        while True: send(type="event", id=message["id"], event="status", source="preload", message="x" * 60000)
    if "long" in query: answer = "x" * 50_000_000
    if "escape" in query: answer = "\x1b]0;owned\x07\x1b[31mred\u202e ``` <script>alert(1)</script> | pipe"
    send(type="result", id=message["id"], answer=answer)
'''


def prepare(folder, *queries):
    folder.mkdir()
    folder.joinpath("program.py").write_text(PROGRAM)
    e2e.own_settings(f'[models.p]\nmodel = "exec:{sys.executable} program.py"\n')
    folder.joinpath("m.toml").write_text('dataset = "./set.json"\noutput_root = "runs"\n[[runs]]\nid = "one"\n'
                                         'model_alias = "p"\nsource_provider = "live_web"\n')
    tests = [{"id": f"t{i:02}", "doc_id": "d", "query": query, "expected": {"type": "contains", "text": "word"}}
             for i, query in enumerate(queries)]
    docs = [{"id": "d", "title": "Doc", "url": "https://documents.example/d"}]
    folder.joinpath("set.json").write_text(json.dumps({"id": "s", "docs": docs, "tests": tests}))
    return folder


def rows_file(folder):
    return next(folder.glob("runs/*/one/artifacts/results.jsonl"), None)


def rows(folder):
    return [json.loads(line) for line in rows_file(folder).read_text().splitlines()]


def killed_in_the_middle(scratch):
    folder = prepare(scratch / "killed", *(f"slowly say {i}" for i in range(12)))
    process = e2e.start("run", "m.toml", "-j", "1", cwd=folder, env={"TURN_SECONDS": "0.15"})
    end = time.monotonic() + e2e.SECONDS_MAX
    while not (rows_file(folder) and rows_file(folder).read_text().count("\n") >= 3):
        e2e.check(time.monotonic() < end and process.poll() is None, "no row came")
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    text = rows_file(folder).read_text()
    whole = text[:text.rfind("\n") + 1]
    before = [json.loads(line) for line in whole.splitlines()]
    e2e.check(text == whole and [row["test_id"] for row in before] == [f"t{i:02}" for i in range(len(before))],
              f"a whole prefix: {text[-80:]!r}")
    asked = (folder / "turns.log").read_text().splitlines()
    result = e2e.assay("run", "m.toml", "-j", "1", cwd=folder)
    e2e.expect(result, 0, "continuing run")
    e2e.check(len(list((folder / "runs").iterdir())) == 1, "it goes on in its folder", result)
    after = rows(folder)
    e2e.check(len(after) == 12 and all(row["pass"] for row in after) and after[:len(before)] == before,
              f"{len(after)} rows, those of before unchanged", result)
    again = (folder / "turns.log").read_text().splitlines()
    e2e.check(len(again) - 12 <= 1 and len(asked) >= len(before), f"asked twice: {again}", result)
    summary = json.loads(next(folder.glob("runs/*/one/artifacts/summary.json")).read_text())
    e2e.check(summary["total_cases"] == 12 and summary["passed_cases"] == 12, f"{summary}", result)
    third = e2e.assay("run", "m.toml", "-j", "1", cwd=folder)
    e2e.expect(third, 0, "up to date: run ")
    e2e.check(len(list((folder / "runs").iterdir())) == 1, "a finished run is left as it is", third)
    [session] = (folder / "runs").iterdir()
    shutil.rmtree(session)
    e2e.expect(e2e.assay("run", "m.toml", "-j", "1", cwd=folder), 0, "up to date: run ")
    e2e.check(rows(folder) == after and (session / "summary.json").exists(), "what was taken away is made again")
    for sessions in 2, 3:
        asky = e2e.assay("run", "m.toml", "-j", "1", "--compat", "asky", cwd=folder)
        e2e.expect(asky, 0)
        e2e.check(len(list((folder / "runs").iterdir())) == sessions, "asky makes a folder each time", asky)
        newest = max((folder / "runs").iterdir()) / "one/artifacts/results.jsonl"
        passed = [json.loads(line)["pass"] for line in newest.read_text().splitlines()]
        e2e.check(passed == [True] * 12, f"with all of its rows: {passed}", asky)
    e2e.check((folder / "turns.log").read_text().splitlines() == again, "answers are used again", third)


def no_folder_without_its_run(scratch):
    """A run is in the store before it has a folder: one that cannot be stored leaves none, and one that was stopped
    before it had its own gets it from the command that goes on."""
    folder = prepare(scratch / "stored", "slowly say 0", "slowly say 1")
    e2e.expect(e2e.assay("run", "m.toml", cwd=folder), 0)
    store = sqlite3.connect(next(folder.rglob("*.db"), folder / "no store"))
    with store:
        store.execute("CREATE UNIQUE INDEX one_run ON run(title)")
    e2e.check(e2e.assay("run", "m.toml", cwd=folder).returncode != 0, "the second run cannot be stored")
    e2e.check(len(list((folder / "runs").iterdir())) == 1, "a run that is not stored has no folder")
    with store:
        store.execute("DROP INDEX one_run")
    store.close()
    process = e2e.start("run", "m.toml", "--fresh", "-j", "1", cwd=folder, env={"TURN_SECONDS": "60"})
    end = time.monotonic() + e2e.SECONDS_MAX
    while len(list((folder / "runs").iterdir())) < 2:
        e2e.check(time.monotonic() < end and process.poll() is None, "no folder came")
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    its_own = max((folder / "runs").iterdir())
    shutil.rmtree(its_own)
    result = e2e.assay("run", "m.toml", "--fresh", "-j", "1", cwd=folder)
    e2e.expect(result, 0, "continuing run")
    e2e.check(its_own.is_dir() and len(list((folder / "runs").iterdir())) == 2, "its folder is there", result)


def whatever_programs_do(scratch):
    folder = prepare(scratch / "hostile", "say 1", "die 2", "long 3", "flood 4", "escape 5", "say 6")
    result = e2e.assay("run", "m.toml", "--max-retries", "0", "-j", "2", cwd=folder)
    e2e.expect(result, 2)
    found = {row["test_id"]: row for row in rows(folder)}
    for case, words in (("t01", "I fell over"), ("t02", "bytes in one turn"), ("t03", "bytes in one turn")):
        error = found[case]["error"]
        e2e.check(words in error and len(error) < 2000, f"{case}: {error[:300]}")
    e2e.check(found["t00"]["pass"] and found["t05"]["pass"] and found["t04"]["answer"].startswith("\x1b]0;owned"),
              "the others are what they are", result)
    page = next(folder.glob("runs/*/report.html")).read_text()
    e2e.check("<script>alert" not in page, "a page holds no foreign script")
    for text in (result.stdout, result.stderr, e2e.assay("show", "latest", "--case", "t04", cwd=folder).stdout):
        e2e.check("\x1b]" not in text and "\u202e" not in text, "escapes reach no terminal", result)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    e2e.check(size < 60_000_000, f"{size} bytes were kept", result)


def odd_names_of_folders(scratch):
    """A process is told of its folder whatever the folder's name."""
    folder = prepare(scratch / 'an "odd" \\ name\tü', "folder 1")
    text = (folder / "program.py").read_text()
    text = text.replace("sys.stdin.readline()", "init = json.loads(sys.stdin.readline())")
    text = text.replace('"word " +', '"word " + str(os.path.isdir(init["runtime_dir"])) +')
    folder.joinpath("program.py").write_text(text)
    result = e2e.assay("run", "m.toml", "--max-retries", "0", cwd=folder)
    e2e.expect(result, 0)
    e2e.check(rows(folder)[0]["answer"] == "word True1", f"{rows(folder)[0]}", result)


def main():
    with e2e.scratch() as scratch:
        killed_in_the_middle(Path(scratch))
        no_folder_without_its_run(Path(scratch))
        whatever_programs_do(Path(scratch))
        odd_names_of_folders(Path(scratch))


main()
