#!/usr/bin/env python3
"""--watch: a saved file is run again and only what changed is asked; a mistake is told and waited over; editors that
put a new file in the place of the old one are noticed; Ctrl-C ends with 130 and everything kept."""
import os
import queue
import signal
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402


class Watched:
    """`assay run ... --watch`, line by line of its standard error."""

    def __init__(self, folder, *words):
        self.process = e2e.start("run", *words, "--watch", "--json", cwd=folder)
        self.lines, self.seen = queue.Queue(), []
        threading.Thread(target=lambda: [self.lines.put(line) for line in self.process.stderr], daemon=True).start()

    def until(self, text, seconds=e2e.SECONDS_MAX):
        """The lines up to the one that holds the text."""
        lines, end = [], time.monotonic() + seconds
        while not lines or text not in lines[-1]:
            try:
                lines.append(self.lines.get(timeout=max(0.01, end - time.monotonic())))
            except queue.Empty:
                e2e.check(False, f"expected {text!r}, found {self.seen + lines}")
        self.seen += lines
        return "".join(lines)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        stdout, _ = self.process.communicate(timeout=e2e.SECONDS_MAX)
        return self.process.returncode, stdout


def runs(folder):
    return e2e.json.loads(e2e.assay("runs", "--json", cwd=folder).stdout)


def replace(path, text):
    path.with_suffix(".new").write_text(text)
    os.replace(path.with_suffix(".new"), path)


def blueprint():
    with e2e.scratch() as name:
        folder = Path(name)
        suite = folder / "suite.yml"
        suite.write_text(e2e.suite(5))
        watched = Watched(folder, "suite.yml")
        watched.until("watching 1 file;")
        suite.write_text(e2e.suite(6))
        watched.until("suite.yml has changed")
        watched.until("watching 1 file;")
        replace(suite, e2e.suite(6).replace("say word 3", "say word 3 again"))
        watched.until("suite.yml has changed")
        watched.until("watching 1 file;")
        suite.write_text("title: [\n")
        told = watched.until("watching 1 file;")
        e2e.check("error" in told and "suite.yml:" in told, f"expected the mistake, found {told}")
        replace(suite, e2e.suite(2))
        watched.until("watching 1 file;")
        # A recording beside the suite is one of its files as soon as it is there.
        (folder / "suite.replay.jsonl").write_text("")
        watched.until("suite.replay.jsonl has changed")
        watched.until("watching 2 files;")
        code, stdout = watched.stop()
        e2e.check(code == 130, f"expected exit 130, found {code}: {watched.seen}")
        e2e.check(stdout.count('"requests_sent"') == 5, f"expected five runs in {stdout}")
        sent = [run["requests_sent"] for run in runs(folder)]
        e2e.check(sent == [5, 1, 1, 0, 0], f"requests of the runs: {sent}")
        e2e.check(all(run["state"] == "finished" for run in runs(folder)), f"{runs(folder)}")


def files_of_a_suite():
    with e2e.scratch() as name:
        folder = Path(name)
        (folder / "suite.yaml").write_text("cases: [case.yaml]\n")
        (folder / "case.yaml").write_text(
            "id: a\nprompt_path: ask.txt\ntype: code completion\nlang: python\ngrading:\n  keywords: [word]\n")
        (folder / "ask.txt").write_text("say word")
        watched = Watched(folder, "suite.yaml", "-m", "echo:a")
        watched.until("watching 3 files;")
        (folder / "ask.txt").write_text("say another word")
        watched.until("ask.txt has changed")
        watched.until("watching 3 files;")
        e2e.check(watched.stop()[0] == 130, "expected exit 130")
        e2e.check([run["requests_sent"] for run in runs(folder)] == [1, 1], f"{runs(folder)}")


def interrupted_in_the_middle():
    with e2e.scratch() as name:
        folder = Path(name)
        (folder / "agent.sh").write_text('read first; echo \'{"type":"ready","protocol":"assay-exec/1"}\'; sleep 600\n')
        (folder / "suite.yml").write_text(e2e.suite(1))
        watched = Watched(folder, "suite.yml", "-m", "exec:sh agent.sh", "-m", "echo:a", "--progress", "json")
        watched.until('"in_flight":1')
        code, _ = watched.stop()
        e2e.check(code == 130, f"expected exit 130, found {code}: {watched.seen}")
        e2e.check([run["requests_sent"] for run in runs(folder)] == [1], f"expected echo's answer: {runs(folder)}")


blueprint()
files_of_a_suite()
interrupted_in_the_middle()
missing = e2e.assay("run", "no-such-file.yml", "--watch", cwd=".")
e2e.expect(missing, 1, "no-such-file.yml")
