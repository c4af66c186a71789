#!/usr/bin/env python3
"""The command of a finished run whose inputs are the same says so, and makes only what is missing: nothing is asked,
graded or stored. Whatever a run is made of makes another one when it changes."""
import re
import shutil
import sqlite3
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

UP_TO_DATE = "up to date: run "


def run_ids(folder):
    return [run["run"] for run in e2e.json.loads(e2e.assay("runs", "--json", cwd=folder).stdout)]


def files(folder):
    return {path.relative_to(folder): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def run(folder, *words, code=0, env=None):
    result = e2e.assay("run", "suite.yml", *words, cwd=folder, env=env)
    e2e.expect(result, code)
    return result


def is_repeated(result, *fragments):
    e2e.check(UP_TO_DATE in result.stderr and "--fresh sends every request again" in result.stderr,
              "it is up to date", result)
    for fragment in fragments:
        e2e.check(fragment in result.stdout, f"expected {fragment!r}", result)


def is_new(result, why):
    e2e.check(UP_TO_DATE not in result.stderr, why, result)


def nothing_changes(folder):
    (folder / "suite.yml").write_text(e2e.suite(4) + "      - $contains: nowhere\n")
    first = run(folder)
    made = files(folder / "results")
    again = run(folder)
    is_repeated(again, "echo:a")
    e2e.check(first.stdout == again.stdout, "the same table", again)
    e2e.check(e2e.assay("show", "latest", cwd=folder).stdout == again.stdout, "it is the latest run")
    e2e.check(files(folder / "results") == made and len(run_ids(folder)) == 1, "nothing is made", again)

    page = next((folder / "results").rglob("report.html"))
    text = page.read_text()
    page.unlink()
    is_repeated(run(folder))
    e2e.check(page.read_text() == text and files(folder / "results").keys() == made.keys(), "the page is there again")
    is_repeated(run(folder, "--out", "elsewhere"))
    e2e.check({path for path in files(folder / "elsewhere")} == set(made), "another folder gets all files")

    listed = e2e.one_run(run(folder, "--json"))
    e2e.check(listed["up_to_date"] and listed["run"] == run_ids(folder)[0] and listed["exit"] == 0, f"{listed}")
    e2e.check(sorted(Path(path).name for path in listed["files"]) == sorted(path.name for path in made),
              f"its files are named: {listed['files']}")
    is_repeated(run(folder, "--record", "recording.jsonl"))
    e2e.check((folder / "recording.jsonl").read_text().count("word 3") >= 1, "a recording is written when it is wanted")
    is_repeated(run(folder, "--fail-under", "0.5"))
    is_repeated(run(folder, "--fail-under", "1", code=3))
    is_repeated(run(folder, "--fail-on-regression", run_ids(folder)[0]))
    is_repeated(run(folder, "--fail-on-regression", "latest", code=1))
    several = e2e.assay("run", "suite.yml", "suite.yml", cwd=folder)
    e2e.expect(several, 0)
    e2e.check(several.stderr.count(UP_TO_DATE) == 2 and len(run_ids(folder)) == 1, "each file by itself", several)

    fresh = run(folder, "--fresh")
    is_new(fresh, "--fresh asks again")
    is_repeated(run(folder))
    e2e.check(len(run_ids(folder)) == 2, "the newest answers are what it comes to")
    is_new(run(folder, "--fresh"), "--fresh asks again, always")


def something_changes(folder):
    suite = folder / "suite.yml"
    suite.write_text(e2e.suite(2) + "      - $matches: 'w'\n")
    run(folder)
    is_repeated(run(folder))
    is_new(run(folder, "--attempts", "2"), "another number of attempts")
    is_repeated(run(folder))
    is_new(run(folder, "--allow-host", "127.0.0.1"), "another grant")
    suite.write_text(e2e.suite(2))
    is_new(run(folder), "another check")
    suite.write_text(e2e.suite(2) + "      - $matches: 'w'\n")
    is_repeated(run(folder))
    (folder / "suite.replay.jsonl").write_text("")
    is_new(run(folder), "a recording beside it")
    (folder / "suite.replay.jsonl").unlink()
    with sqlite3.connect(folder / ".assay/store.db") as store:
        store.execute("UPDATE run SET inputs = NULL")
    store.close()
    e2e.expect(e2e.adopt(cwd=folder), 0)  # another program has written to it
    is_new(run(folder), "a run that does not say what it was made of is not known to be the same")


def a_program_changes(folder):
    program = folder / "program.py"
    (folder / "suite.yml").write_text(e2e.suite(1))
    text = ('import json, sys\nfor line in sys.stdin:\n    said = json.loads(line)\n    if said["type"] == "init":\n'
            '        print(json.dumps({"type": "ready", "protocol": "assay-exec/1"}), flush=True)\n'
            '    if said["type"] == "turn":\n        print(json.dumps({"type": "result", "id": said["id"], '
            '"answer": "word 0"}), flush=True)\n    if said["type"] == "shutdown":\n        break\n')
    program.write_text(text)
    words = ["-m", f"exec:{sys.executable} program.py"]
    run(folder, *words)
    is_repeated(run(folder, *words))
    program.write_text(text.replace("word 0", "else"))
    is_new(run(folder, *words), "another program")


def failures_are_asked_again(folder):
    (folder / "suite.yml").write_text(e2e.suite(2, model="openai:gpt-4o-mini"))
    words = ["--offline"]
    failed = run(folder, *words, code=2)
    is_new(failed, "nothing is answered")
    is_new(run(folder, *words, code=2), "what failed is asked again")


def cached_output(folder, *words, env=None):
    """Whether the command says what the store keeps of it, instead of reading the suite: what is kept is marked."""
    with sqlite3.connect(folder / ".assay/store.db") as store:
        marked = store.execute("UPDATE run SET said = replace(said, 'echo:', 'ECHO:')").rowcount
    store.close()
    e2e.check(marked > 0, "there is a run")
    e2e.expect(e2e.adopt(cwd=folder), 0)
    result = run(folder, *words, env=env)
    is_repeated(result)
    return "ECHO:a" in result.stdout


def nothing_is_read(folder):
    suite = folder / "suite.yml"
    suite.write_text(e2e.suite(4))
    time.sleep(0.1)  # a file that was written just now may be written again in the same tick
    first = run(folder)
    e2e.check(cached_output(folder), "the command of a finished run says what it said")
    e2e.check(not cached_output(folder, "--verbose"), "another command has to look")
    again = run(folder)
    e2e.check(again.stdout == first.stdout and "wrote " not in again.stderr
              and again.stderr.count("found ") == first.stderr.count("wrote "), "the same words", again)
    e2e.check(not cached_output(folder, env={"ELSEWHERE": "1"}), "in another environment it has to look")
    run(folder)
    suite.write_text(suite.read_text())
    e2e.check(not cached_output(folder), "a file that was written is read")
    run(folder)
    e2e.check(cached_output(folder), "and then no more")
    run(folder, "--out", "results")
    next((folder / "results").rglob("report.html")).unlink()
    e2e.check(not cached_output(folder), "a missing file is made")
    e2e.check(next((folder / "results").rglob("report.html")).exists(), "it is there again")
    (folder / "assay.toml").write_text("pass_at = 0.5\n")
    e2e.check(not cached_output(folder), "settings that came have to be read")


def results(folder):
    """How many requests a run asked itself is its own."""
    return {path: re.sub(r"[\d,]+ asked for by", "some asked for by", text)
            for path, text in e2e.result_files(folder / ".results").items()}


def sessions_are_made(folder):
    """weval makes a result of each command: a new run, which has the other's cells."""
    (folder / "suite.yml").write_text(e2e.suite(3))
    words = ["--compat", "weval", "--skip-executive-summary", "--eval-method", "llm-coverage"]
    run(folder, *words)
    first = results(folder)
    shutil.rmtree(folder / ".results")
    again = run(folder, *words)
    is_new(again, "a session of its own")
    e2e.check(len(run_ids(folder)) == 2, "another run", again)
    e2e.check(results(folder) == first, "with the same results", again)
    shown = [e2e.json.loads(e2e.assay("show", run_id, "--json", cwd=folder).stdout) for run_id in run_ids(folder)]
    for field in ("cells", "mean", "variants", "requests", "foreign_replies"):
        e2e.check(shown[0][field] == shown[1][field], f"{field}: {shown[0][field]} and {shown[1][field]}")
    e2e.check([each["requests_sent"] for each in shown] == [3, 0], "nothing was asked again")
    with sqlite3.connect(folder / ".assay/store.db") as store:
        rows = store.execute("SELECT run, count(*) FROM cell GROUP BY run").fetchall()
    store.close()
    e2e.check(len(rows) == 1, f"its cells are the first run's: {rows}")
    is_new(run(folder, *words), "and again")
    e2e.check(len(run_ids(folder)) == 3, "a run that has another's cells is not the last")


def other_answers_are_graded(folder):
    """Another question about the same suite, though nothing that the first command read has changed."""
    (folder / "suite.yml").write_text("models: [echo:a]\n---\n- id: p\n  prompt: Say yes.\n"
                                      "  should: [$contains: yes]\n")
    for name in ("one", "two"):
        (folder / name).mkdir()
        (folder / name / "nobody.txt").write_text("yes")
    time.sleep(0.1)  # what was changed just before is looked at again in any case
    for name in ("one", "two"):
        e2e.expect(e2e.assay("grade", "suite.yml", name, cwd=folder), 2, f"nothing was graded of {name}")


for test in (nothing_changes, something_changes, nothing_is_read, a_program_changes, failures_are_asked_again,
             sessions_are_made, other_answers_are_graded):
    with e2e.scratch() as scratch:
        test(Path(scratch))
