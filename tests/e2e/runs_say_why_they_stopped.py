#!/usr/bin/env python3
"""What stopped a run is kept with it: budget, --max-time, --max-errors, a signal, a kill, a model that was given up;
and what it was to cost."""
import json
import re
import signal
import sqlite3
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402

KEY = {"OPENAI_API_KEY": "sk-test-why"}


def words(mock, *more):
    return ["run", "suite.yml", "--json", "--max-retries", "0", "--base-url", f"openai={mock.url}", *more]


def stop_of(folder):
    return e2e.json.loads(e2e.assay("runs", "--json", cwd=folder).stdout)[-1]


def told(mock, *more):
    """A new suite in a new folder is run; what is kept of it, and what `show` prints."""
    with e2e.scratch() as scratch:
        folder = Path(scratch)
        (folder / "suite.yml").write_text(e2e.suite(20, model="openai:gpt-4o"))
        result = e2e.assay(*words(mock, *more), cwd=folder, env=KEY)
        return stop_of(folder), e2e.assay("show", "latest", cwd=folder).stdout, result


def expect(stopped, run, shown, text, result):
    e2e.check(run["stopped"] == stopped and run["state"] == "finished", f"{stopped} is kept, not {run}", result)
    e2e.check(text in shown, f"`show` says {text!r}: {shown}")


with MockServer() as mock:
    run, shown, result = told(mock)
    e2e.check(run["stopped"] is None and run["given_up"] == [], f"nothing stopped it: {run}", result)
    expect("budget", *(told(mock, "--budget-usd", "0.0000001")[:2]), "20 cells were never asked (budget)", None)
with MockServer(delay=0.2) as mock:
    run, shown, result = told(mock, "-j", "1", "--max-time", "1")
    expect("max-time", run, shown, "never asked (max-time)", result)
with MockServer(fault=lambda text, attempt: status(400) if int(text.split()[-1]) % 2 else None, delay=0.1) as mock:
    run, shown, result = told(mock, "-j", "1", "--max-errors", "3")
    expect("max-errors", run, shown, "(max-errors)", result)
with MockServer(fault=lambda text, attempt: status(404)) as mock:
    run, shown, result = told(mock, "-j", "1")
    e2e.check(run["given_up"] == ["openai:gpt-4o"], f"the model that was given up is kept: {run}", result)
    e2e.check("openai:gpt-4o failed again and again, and was asked no more" in shown, shown)

for sent, stopped in ((signal.SIGINT, "interrupted"), (signal.SIGTERM, "interrupted"), (signal.SIGHUP, "interrupted"),
                      (signal.SIGKILL, "cut off")):
    with e2e.scratch() as scratch, MockServer(delay=0.5) as mock:
        folder = Path(scratch)
        (folder / "suite.yml").write_text(e2e.suite(60, model="openai:gpt-4o"))
        # Of one that asks afresh the command says so, or another run would have the answers of older ones.
        afresh = ("--fresh",) if sent == signal.SIGTERM else ()
        process = e2e.start(*words(mock, "-j", "4", *afresh), cwd=folder, env=KEY)
        while len(mock.requests) < 9 and process.poll() is None:
            time.sleep(0.01)
        run = stop_of(folder)
        e2e.check(run["stopped"] is None, f"a run that goes on was stopped by nothing: {run}")
        e2e.check("in progress" in e2e.assay("show", "latest", cwd=folder).stdout, "`show` says that it goes on")
        process.send_signal(sent)
        process.communicate(timeout=e2e.SECONDS_MAX)
        run = stop_of(folder)
        e2e.check((run["state"], run["stopped"]) == ("unfinished", stopped), f"{sent.name}: {run}")
        e2e.check(f"unfinished ({stopped})" in e2e.assay("runs", cwd=folder).stdout, "`runs` says it")
        shown = e2e.assay("show", "latest", cwd=folder).stdout
        e2e.check(f"unfinished ({stopped}): " in shown, f"`show` says it: {shown}")
        command = re.search("to continue: assay (.*)", shown)[1]
        e2e.check(("--fresh" in command) == bool(afresh), command)
        mock.delay = 0.0
        # Where requests go is said by who ran it, never by a store of somebody else's.
        stranger = {"XDG_STATE_HOME": str(folder / "state-of-another")}
        foreign = e2e.assay("show", "latest", cwd=folder, env=stranger).stdout
        told = "more options, which grant or send something: --base-url" in foreign
        e2e.check(f"openai={mock.url}" not in foreign and told, foreign)
        e2e.check(f"--base-url openai={mock.url}" in command, shown)
        e2e.expect(e2e.assay(*command.split(), cwd=folder, env=KEY), 0)
        run = stop_of(folder)
        e2e.check((run["state"], run["stopped"]) == ("finished", None), f"what went on is whole: {run}")

# The plan stands beside it, as `assay plan` told it before anything was asked.
with e2e.scratch() as scratch, MockServer() as mock:
    folder = Path(scratch)
    (folder / "suite.yml").write_text(e2e.suite(20, model="openai:gpt-4o"))
    plan = json.loads(e2e.assay("plan", "suite.yml", "--json", cwd=folder, env=KEY).stdout)
    e2e.expect(e2e.assay(*words(mock), cwd=folder, env=KEY), 0)
    store = sqlite3.connect(folder / ".assay/store.db")
    planned = json.loads(store.execute("SELECT planned FROM run").fetchone()[0])
    text = json.dumps(plan)
    e2e.check(planned["calls"] == 20 and planned["cells"] == 20, f"20 calls were planned: {planned}")
    e2e.check(planned["assumed"] == ["openai:gpt-4o"] and planned["unpriced"] == [], f"{planned}")
    e2e.check(0 < planned["usd"] <= planned["usd_most"], f"{planned}")
    e2e.check(f"{planned['usd']:.6f}"[:6] in text, f"as `plan` says: {planned} in {text[:600]}")
    (folder / "suite.yml").write_text(e2e.suite(3, model="echo:a"))
    e2e.expect(e2e.assay("run", "suite.yml", cwd=folder), 0)
    e2e.check(store.execute("SELECT planned FROM run ORDER BY number DESC").fetchone()[0] is None,
              "what costs nothing has no plan of costs")
