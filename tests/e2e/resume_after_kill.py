#!/usr/bin/env python3
"""A run that is killed after any commit goes on by the same command, and ends in the same report.

The service answers as often as the test lets it: a kill comes when just these answers are in the store, on a machine of
any speed. The last one comes with the last answer, in the middle of grading and writing."""
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

CASES, ATTEMPTS, KILLS, WIDTH = 40, 3, 6, 4
ALL = CASES * ATTEMPTS
KEY = {"OPENAI_API_KEY": "sk-test-0821"}
POLL_S = 0.005


class GatedServer(MockServer):
    """Lets so many answers of one sitting pass; a sitting is known by its key, since a killed one's calls come late."""

    def __init__(self):
        super().__init__()
        self.changed = threading.Condition()
        self.open, self.key = 0, ""

    def begin(self, key, count):
        with self.changed:
            self.open, self.key = count, key
            self.changed.notify_all()

    def handle(self, handler):
        key = handler.headers["authorization"].removeprefix("Bearer ")
        with self.changed:
            self.changed.wait_for(lambda: self.open > 0 or self.key != key)
            if self.key != key:
                handler.close_connection = True
                return
            self.open -= 1
        super().handle(handler)


def words(mock):
    return ["run", "suite.yml", f"--base-url=openai={mock.url}/v1", "--attempts", str(ATTEMPTS), "-j", str(WIDTH),
            "--max-retries", "0", "-q", "--json"]


def kept(folder):
    """How many answers are committed; none before there is a store. A copy is looked at: as root, any SQLite dates the
    -wal that it opens, and then it is no longer the one that the killed run left."""
    try:
        with tempfile.TemporaryDirectory() as place:
            for path in sorted(Path(folder, ".assay").glob("store.db*")):
                if path.name in ("store.db", "store.db-wal"):
                    shutil.copy(path, place)
            with sqlite3.connect(f"{place}/store.db") as store:
                return store.execute("SELECT count(*) FROM exchange").fetchone()[0]
    except (OSError, sqlite3.DatabaseError):
        return 0


def ends_before(process, folder, wanted):
    """True if the process ended before so many answers were committed."""
    while kept(folder) < wanted:
        try:
            process.wait(timeout=POLL_S)
            return kept(folder) < wanted
        except subprocess.TimeoutExpired:
            pass
    return False


seed = random.randrange(1 << 30)
print(f"seed {seed}")
dice = random.Random(seed)
with e2e.scratch() as folder, MockServer() as calm, GatedServer() as mock:
    undisturbed, disturbed = Path(folder, "a"), Path(folder, "b")
    for place in (undisturbed, disturbed):
        place.mkdir()
        (place / "suite.yml").write_text(e2e.suite(CASES, model="openai:gpt-4o-mini"))
    whole = e2e.assay(*words(calm), cwd=undisturbed, env=KEY)
    e2e.expect(whole, 0)

    commits = sorted(dice.sample(range(1, ALL), KILLS - 1)) + [ALL]
    for wanted in commits:
        key = f"sk-test-until-{wanted}"
        mock.begin(key, wanted - kept(disturbed))
        process = e2e.start(*words(mock), cwd=disturbed, env={"OPENAI_API_KEY": key}, output=subprocess.DEVNULL)
        e2e.check(not ends_before(process, disturbed, wanted), f"the run ended before {wanted} answers were kept")
        process.send_signal(signal.SIGKILL)
        process.wait()
        mock.begin("", 0)
        e2e.check(kept(disturbed) == wanted, f"{kept(disturbed)} answers outlived the kill, {wanted} were kept")
        left = sorted(disturbed.rglob("*.part"))
        e2e.check(not left, f"a killed process left {left}")
    second = e2e.assay(*words(mock), cwd=disturbed, env=KEY)
    e2e.expect(second, 0)
    e2e.check(kept(disturbed) == ALL, "what was kept was asked again")

    first, second = e2e.one_run(whole), e2e.one_run(second)
    for field in ("cells", "mean", "variants", "requests", "request_errors"):
        e2e.check(first[field] == second[field], f"{field}: {first[field]} and, killed, {second[field]}")
    runs = e2e.json.loads(e2e.assay("runs", "--json", cwd=disturbed).stdout)
    # Killed between its last word to the store and its end, a run is finished and the next one finds all answers.
    states = [run["state"] for run in runs]
    e2e.check(states in (["finished"], ["finished", "finished"]), f"one run was expected to be gone on with: {states}")
    sent = sum(run["requests_sent"] for run in runs)
    e2e.check(sent == first["requests_sent"], f"{first['requests_sent']} requests were kept, {sent} are counted")
    a, b = e2e.result_files(undisturbed / "results"), e2e.result_files(disturbed / "results")
    e2e.check(a.keys() == b.keys(), f"different files: {sorted(a.keys() ^ b.keys())[:5]}")
    for path, text in a.items():
        # A second run has asked nothing itself.
        texts = [e2e.re.sub(r"[\d,]+ asked for by", "some asked for by", each) for each in (text, b[path])]
        e2e.check(texts[0] == texts[1], f"{path} differs after kills")
