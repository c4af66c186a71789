#!/usr/bin/env python3
"""Replies that this user did not make are counted wherever a run is told of; what a killed run left is its user's."""
import json
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

TOLD = "3 replies that this user did not make"


def others(folder, name):
    """A clone of a project whose store somebody else made."""
    theirs = Path(folder, "theirs")
    theirs.mkdir()
    (theirs / "suite.yml").write_text(e2e.suite(3))
    e2e.expect(e2e.assay("run", "suite.yml", cwd=theirs, env={"XDG_STATE_HOME": str(Path(folder, "their state"))}), 0)
    return Path(shutil.copytree(theirs, Path(folder, name)))


with e2e.scratch() as folder:
    mine = others(folder, "mine")
    run = e2e.assay("run", "suite.yml", cwd=mine, env={"CI": ""})
    e2e.expect(run, 0, "this user did not make", "assay cache adopt --store .assay/store.db")
    e2e.check(TOLD in run.stdout, "the heading counts them", run)
    for words in (["show", "latest"], ["run", "suite.yml"]):
        as_json = e2e.assay(*words, "--json", cwd=mine)
        value = json.loads(as_json.stdout)
        e2e.check((value if words[0] == "show" else value[0])["foreign_replies"] == 3, f"{words}: --json", as_json)
    junit = e2e.assay("export", "latest", "--to", "junit", cwd=mine)
    e2e.check('<property name="foreign_replies" value="3"/>' in junit.stdout, "JUnit counts them", junit)
    page = e2e.assay("export", "latest", "--to", "html", cwd=mine).stdout
    e2e.check("replies that this user did not make" in e2e.page_text(page), "the page counts them")

    fresh = e2e.assay("run", "suite.yml", "--fresh", "--json", cwd=mine)
    e2e.check(e2e.one_run(fresh)["foreign_replies"] == 0, "her own answers are her own", fresh)
    gate = e2e.assay("run", "suite.yml", "--fresh", "--fail-under", "0.1", cwd=mine, env={"CI": ""})
    e2e.expect(gate, 1, "--fail-under: the store .assay/store.db has answers that this user did not make")

    adopted = e2e.adopt(cwd=mine)
    e2e.expect(adopted, 0)
    e2e.check("runs count as made by this user from now on" in adopted.stdout, "what was adopted is said", adopted)
    e2e.expect(e2e.assay("run", "suite.yml", "--fail-under", "0.1", cwd=mine), 0)
    e2e.check(TOLD not in e2e.assay("show", "latest", cwd=mine).stdout, "what was adopted is nobody else's")
    e2e.expect(e2e.adopt("suite.yml", cwd=mine), 1, "is no recording that assay can read")
    e2e.expect(e2e.adopt("--store", "none.db", cwd=mine), 1, "there is no store yet")
    e2e.check(not (mine / "none.db").exists(), "adopting made a store")


class StuckServer(MockServer):
    """Answers one question and then none, until it is let go."""

    def __init__(self):
        super().__init__()
        self.answered, self.free = 0, threading.Event()
        self.asked = threading.Semaphore(0)

    def handle(self, handler):
        with self.lock:
            self.answered += 1
            turn = self.answered
        if turn > 1:
            self.asked.release()
            self.free.wait(e2e.SECONDS_MAX)
        super().handle(handler)


# A killed run leaves a -wal. It is this user's, and the gate after it opens.
with e2e.scratch() as folder, StuckServer() as mock:
    mine = Path(folder)
    (mine / "suite.yml").write_text(e2e.suite(2, model="openai:gpt-4o-mini"))
    words = ["run", "suite.yml", f"--base-url=openai={mock.url}/v1", "-j", "1", "--json"]
    key = {"OPENAI_API_KEY": "sk-test-0821"}
    process = e2e.start(*words, cwd=mine, env=key, output=subprocess.DEVNULL)
    e2e.check(mock.asked.acquire(timeout=e2e.SECONDS_MAX), "the second question was never asked")
    process.send_signal(signal.SIGKILL)
    process.wait()
    left = mine / ".assay/store.db-wal"
    e2e.check(left.exists() and left.stat().st_size > 0, "expected a -wal after the kill")
    mock.free.set()
    runs = e2e.assay("runs", "--json", cwd=mine)
    unfinished = json.loads(runs.stdout)[0]["run"]
    second = e2e.assay(*words, "--fail-under", "0.1", cwd=mine, env=key)
    e2e.expect(second, 0)
    e2e.check(e2e.one_run(second)["foreign_replies"] == 0, "what the killed run left is its user's", second)
    e2e.check(e2e.one_run(second)["run"] == unfinished, "the killed run is gone on with", second)
    e2e.check(not left.exists(), "a closed store has no -wal")
