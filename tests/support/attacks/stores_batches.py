"""Open batches in a stranger's store: nothing that they name becomes this user's answer, or is deleted with her key."""
import json
import re
import shutil
import subprocess
import time

import e2e
from mock_batches import MockBatches
from mock_server import MockServer, response_of

from . import Attack
from .stores import user
from .stores_forged import KEY, STORE, forge

CASES = 3
ROWS = ("exchange", "exchange_key", "run", "cell", "score", "sitting", "change", "suite", "document", "blob")


class Background:
    """Answers that a service makes in the background; each says GOOD, whatever its request asks."""

    def __init__(self):
        self.calls, self.status = [], "in_progress"

    def takes(self, method, path):
        return "/responses" in path

    def handle(self, method, path, data, reply, text_of):
        name = path.partition("/responses/")[2]
        if not name and not json.loads(data).get("background"):
            return reply(path, json.loads(data))
        self.calls.append((method, name))
        if method == "POST":
            return 200, {"id": "resp_1", "object": "response", "status": "queued", "background": True}
        whole = response_of({"model": "gpt-5", "input": "x"}, "GOOD")
        return 200, {**whole, "id": name, "status": self.status, "background": True}


def suite(place, model):
    place.mkdir(exist_ok=True)
    (place / "suite.yml").write_text(f"id: words\nmodels: ['{model}']\n---\n" + "".join(
        f"- id: c{i}\n  prompt: say word {i}\n  should:\n    - $contains: GOOD\n" for i in range(CASES)))


def words(mock, way, *more):
    provider = "openai" if way == "--batch" else "openai-responses"
    return ["run", "suite.yml", way, f"--base-url={provider}={mock.url}/v1", *more]


def left_open(place, by, mock, way, *more):
    """Ends a run by SIGKILL that waits for what it has handed over."""
    before = len(mock.batch_calls)
    process = e2e.start(*words(mock, way, "-q", *more), cwd=place, env={**by, **KEY}, output=subprocess.DEVNULL)
    until = time.monotonic() + 20
    while all(method == "POST" for method, _ in mock.batch_calls[before:]) and time.monotonic() < until:
        time.sleep(0.05)
    process.kill()
    process.wait()
    e2e.check(len(mock.batch_calls) > before + 1, "no batch is open")


def asked_anew(place, by, mock, way):
    """None if her gate stays closed, and her run gets no answer of what the store names."""
    gate = e2e.assay(*words(mock, way, "--fail-under", "0.5"), cwd=place, env={**by, **KEY})
    if gate.returncode != 1 or not re.search("this (user|job) did not make", gate.stderr):
        return f"the gate opened: exit {gate.returncode}: {gate.stderr}"
    result = e2e.assay(*words(mock, way, "--json"), cwd=place, env={**by, **KEY})
    e2e.expect(result, 0)
    if (mean := e2e.one_run(result)["mean"]) != 0:
        return f"her run has a mean of {mean}"
    if "open batches that this user did not make" not in result.stderr:
        return f"nothing says that batches are open: {result.stderr}"
    return None


def planted(folder, emptied):
    """A batch at her service whose requests have the keys of hers, and other prompts."""
    mallory, alice = user(folder, "mallory"), user(folder, "alice")
    theirs, mine = folder / "theirs", folder / "mine"
    service = MockBatches(polls=None)
    with MockServer(answer=lambda text: "GOOD" if "GOOD" in text else "bad", batches=service) as mock:
        suite(theirs, "openai:gpt-4o-mini")
        left_open(theirs, mallory, mock, "--batch")
        batch = service.batches["batch_1"]
        batch["requests"] = [(name, path, {**body, "messages": [{"role": "user", "content": "say GOOD"}]})
                             for name, path, body in batch["requests"]]
        service.polls = 0
        forge(theirs / STORE, *[(f"DELETE FROM {table}",) for table in ROWS if emptied],
              ("UPDATE keyed SET up_to = 0",))
        shutil.copytree(theirs, mine)
        del mock.batch_calls[:]
        if through := asked_anew(mine, alice, mock, "--batch"):
            return through
        if any("batch_1" in path for _, path in mock.batch_calls):
            return f"the batch was asked for: {mock.batch_calls}"
        # Her own batch in that store goes on after a kill; the planted one stays alone.
        service.polls = None
        left_open(mine, alice, mock, "--batch", "--fresh")
        service.polls = 0
        begun = len(service.batches)
        e2e.expect(e2e.assay(*words(mock, "--batch"), cwd=mine, env={**alice, **KEY}), 0)
        return None if len(service.batches) == begun else "her own open batch was sent again"


def planted_beside_nothing(folder):
    """All that the store contains is an open batch."""
    return planted(folder, True)


def planted_beside_runs(folder):
    """The open batch of a stranger's run."""
    return planted(folder, False)


def planted_in_background(folder):
    """An open answer with the name of one that is hers at her service: it is neither read nor deleted."""
    mallory, alice = user(folder, "mallory"), user(folder, "alice")
    theirs, mine = folder / "theirs", folder / "mine"
    service = Background()
    with MockServer(answer=lambda text: "bad", batches=service) as mock:
        suite(theirs, "openai-responses:gpt-5")
        left_open(theirs, mallory, mock, "--background")
        service.status = "completed"
        forge(theirs / STORE, *[(f"DELETE FROM {table}",) for table in ROWS], ("UPDATE keyed SET up_to = 0",),
              ("UPDATE batch SET id = 'resp_hers', details = replace(details, 'resp_1', 'resp_hers')",))
        shutil.copytree(theirs, mine)
        e2e.assay(*words(mock, "--background"), cwd=mine, env={**alice, **KEY})
        named = [call for call in service.calls if call[1] == "resp_hers"]
        return f"{named}" if named else None


CAUSE = "open batches of a stranger's store are neither read nor deleted"

ATTACKS = [
    Attack("an open batch in a store without runs", CAUSE, planted_beside_nothing, fast=True),
    Attack("an open batch in a store with runs", CAUSE, planted_beside_runs),
    Attack("an open answer in the background", CAUSE, planted_in_background),
]
