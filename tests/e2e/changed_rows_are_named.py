#!/usr/bin/env python3
"""Rows of a table change between two commands: `grade` of exported answers, a resumed run and a run that is begun in
place of one that was left name them with their lines. What shows a stored run says what it said before."""
import json
import re
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

KEY = {"OPENAI_API_KEY": "sk-test-rows"}

SUITE = 'models: [echo:a]\ndataset: rows.csv\n---\nprompt: "{{q}}"\nshould: [{$contains: "{{a}}"}]\n'
ROWS = 12


def table(folder, change=lambda lines: lines):
    lines = ["id,q,a"] + [f"r{n},What is {n}?,{n}" for n in range(ROWS)]
    Path(folder, "rows.csv").write_text("\n".join(change(lines)) + "\n")


def other_question(lines):
    return [line.replace("r3,What is 3?", "r3,What is three?") for line in lines]


def other_expected(lines):
    return [line.replace("What is 4?,4", "What is 4?,44") for line in lines]


def one_gone(lines):
    return [line for line in lines if not line.startswith("r5,")]


def all_three(lines):
    return [*one_gone(other_expected(other_question(lines))), "new,What is new?,new"]


def many_others(lines):
    return [line.replace("What", "Which") for line in lines]


def said(folder, *words):
    found = e2e.assay(*words, cwd=folder)
    return re.sub(r"\s+", " ", found.stdout + found.stderr), found


def has(text, wanted, found):
    e2e.check(wanted in text, f"expected {wanted!r} in {text!r}", found)


def graded():
    with e2e.scratch() as folder:
        Path(folder, "s.yml").write_text(SUITE)
        table(folder)
        e2e.check(e2e.assay("run", "s.yml", "-q", cwd=folder).returncode == 0, "it runs")
        told = e2e.assay("export", "latest", "--to", "jsonl", cwd=folder)
        Path(folder, "old.jsonl").write_text(told.stdout)
        text, found = said(folder, "grade", "s.yml", "old.jsonl")
        e2e.check("changed" not in text and found.returncode == 0, "nothing has changed", found)
        table(folder, all_three)
        text, found = said(folder, "grade", "s.yml", "old.jsonl")
        has(text, 'questions that have changed: "r3" (rows.csv:5) asks something else [grade.other-question]', found)
        has(text, 'was graded by has changed: "r4" (rows.csv:6) expects something else [grade.other-criteria]', found)
        has(text, 'that the suite does not list: "r5"', found)
        table(folder, many_others)
        text, found = said(folder, "grade", "s.yml", "old.jsonl")
        has(text, '"r4" (rows.csv:6) asks something else and 7 more', found)


def left_unfinished():
    """A run is interrupted; then its table changes."""
    with e2e.scratch() as folder, MockServer(delay=0.4) as mock:
        Path(folder, "s.yml").write_text(SUITE.replace("echo:a", "openai:gpt-6-luna"))
        table(folder)
        words = ["run", "s.yml", f"--base-url=openai={mock.url}/v1", "-j", "2"]
        process = e2e.start(*words, cwd=folder, env=KEY)
        while len(mock.requests) < 4 and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=e2e.SECONDS_MAX)
        runs = json.loads(e2e.assay("runs", "--json", cwd=folder).stdout)
        e2e.check([run["state"] for run in runs] == ["unfinished"], f"expected one unfinished run: {runs}")
        mock.delay = 0.0
        name = runs[0]["run"]
        table(folder, all_three)
        changed = '3 of 12 cases have changed since: "r3" (rows.csv:5) asks something else, "r4" (rows.csv:6) ' \
                  'expects something else, "r5" is gone; 1 is new'
        resumed = e2e.assay("run", "--resume", name, cwd=folder, env=KEY)
        text = re.sub(r"\s+", " ", resumed.stdout + resumed.stderr)
        e2e.check(resumed.returncode != 0, "a run of other rows is not continued", resumed)
        has(text, f"run {name} cannot be continued with these cases: {changed}", resumed)
        again = e2e.assay(*words, cwd=folder, env=KEY)
        text = re.sub(r"\s+", " ", again.stdout + again.stderr)
        has(text, f"run {name} is not finished, and is not continued: {changed}", again)
        once_more = e2e.assay(*words, cwd=folder, env=KEY)
        e2e.check("not continued" not in once_more.stdout + once_more.stderr, "it is said once", once_more)


def stored_runs():
    """Whatever the table is now, a stored run shows what it was."""
    shows = [("show", "latest"), ("show", "latest", "--json"), ("export", "latest", "--to", "jsonl"),
             ("compare", "latest", "latest")]
    with e2e.scratch() as folder:
        Path(folder, "s.yml").write_text(SUITE)
        table(folder)
        e2e.check(e2e.assay("run", "s.yml", "-q", cwd=folder).returncode == 0, "it runs")
        before = [said(folder, *words)[0] for words in shows]
        for change in (other_question, other_expected, one_gone, None):
            if change is None:
                Path(folder, "rows.csv").unlink()
            else:
                table(folder, change)
            e2e.check([said(folder, *words)[0] for words in shows] == before, f"{change} changes a stored run")
        text, found = said(folder, "run", "s.yml")
        has(text, 'there is no file "rows.csv"', found)


graded()
left_unfinished()
stored_runs()
