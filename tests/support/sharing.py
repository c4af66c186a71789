"""What the end-to-end tests of shards share: a suite of several ranges, processes that are started and waited for."""
import subprocess
import threading
import time
from pathlib import Path

import e2e

KEY = {"OPENAI_API_KEY": "sk-test-30-sesame"}


def suite(cases, questions):
    """Cases of several ranges that put the same questions."""
    lines = ["title: Echoes", "id: echoes", "models: ['openai:gpt-4o-mini']", "prompts:"]
    for i in range(cases):
        word = i % questions
        lines += [f"  - id: case-{i}", f"    prompt: say word {word}", "    should:", f"      - $contains: word {word}"]
    return "\n".join(lines) + "\n"


class Gate:
    """For MockServer(refuse=…): so many requests pass, and the others wait until more may. What a test does meanwhile
    may take as long as it will."""

    def __init__(self, passes=0):
        self.left, self.changed = passes, threading.Condition()

    def __call__(self, _body):
        with self.changed:
            self.changed.wait_for(lambda: self.left > 0)
            self.left -= 1

    def open(self, passes=1 << 30):
        with self.changed:
            self.left += passes
            self.changed.notify_all()

    def close(self):
        with self.changed:
            self.left = 0

    def is_used_up(self):
        with self.changed:
            return self.left == 0


class Shared:
    """A suite, and what is run of it."""

    def __init__(self, folder, cases, questions):
        self.folder, self.text = Path(folder), suite(cases, questions)

    def place(self, name):
        place = self.folder / name
        if not place.exists():
            place.mkdir()
            (place / "suite.yml").write_text(self.text)
        return place

    def words(self, mock, *more):
        return ["run", "suite.yml", f"--base-url=openai={mock.url}/v1", "--out", "out", "--max-retries", "0", *more]

    def run(self, name, mock, *more):
        return e2e.assay(*self.words(mock, *more), cwd=self.place(name), env=KEY)

    def shard(self, mock, url, number, of, *more):
        return e2e.start(*self.words(mock, "--store", url, "--shards", of, "--shard", number, *more),
                         cwd=self.place(f"shard-{number}"), env=KEY)

    def shards(self, mock, url, of, *more):
        """All of them, to their ends, which are good."""
        for process in [self.shard(mock, url, number, of, *more) for number in range(1, of + 1)]:
            e2e.expect(end_of(process), 0, "no cells are left for this shard")

    def fold(self, server, database, name, mock, code, *more):
        run = run_of(server, database)
        e2e.expect(self.run(name, mock, "--store", server.url(database), "--fold", run, *more), code)
        return e2e.result_files(self.place(name) / "out")


def differ(here, there):
    """The paths of result files that are not the same there."""
    return sorted(path for path in here if here[path] != there.get(path))


def wait_for(condition, what):
    end = time.monotonic() + e2e.SECONDS_MAX
    while not condition():
        e2e.check(time.monotonic() < end, f"waited in vain for {what}")
        time.sleep(0.05)


def end_of(process):
    output, errors = process.communicate(timeout=e2e.SECONDS_MAX)
    return subprocess.CompletedProcess([], process.returncode, output, errors)


def living(server, database):
    if server.sql("SELECT to_regclass('terms')", database) == [""]:
        return 0
    return int(server.sql("SELECT count(*) FROM seat WHERE ended_at IS NULL", database)[0])


def run_of(server, database):
    return server.sql("SELECT id FROM run ORDER BY number DESC LIMIT 1", database)[0]
