#!/usr/bin/env python3
"""What calls to models cost: runs the release program against the mock server of ../shared/tools, beside the
floor (the smallest libcurl client) in the same run, and prints CPU seconds of assay alone, wall time, memory.

    bench/models.py PROGRAM [NAME...]     all rows, or those named: asked in-flight held judged faults kills

Needs go, gcc and ../shared or $ASSAY_SHARED.
"""
import json
import os
import random
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from measure import SHARED, heading, measure, show

HEX = "$matches: '[0-9a-f]{16}'"
PORT = 18089


class Mock:
    """The mock server with these flags; `stats` are its own counts."""

    def __init__(self, folder, *flags):
        self.address = f"http://127.0.0.1:{PORT}/v1"
        words = [f"{folder}/mockllm", "-listen", f"127.0.0.1:{PORT}", *flags]
        self.child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(100):
            try:
                self.get("/health")
                return
            except OSError:
                time.sleep(0.05)
        sys.exit("the mock server does not start")

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{PORT}{path}", timeout=20) as reply:
            return reply.read()

    def stats(self):
        return json.loads(self.get("/stats"))

    def reset(self):
        self.get("/stats/reset")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.terminate()
        self.child.wait()


def suite(path, prompts, points, judges="", model="openai:mock"):
    lines = [f"id: load\ntitle: Load\nmodels: [{model}]\n{judges}prompts:"]
    should = "".join(f"\n      - {point}" for point in points)
    lines += [f"  - id: p{i}\n    prompt: 'Question {i}: what is the value of item {i * 7}?'\n    should:{should}"
              for i in range(prompts)]
    Path(path).write_text("\n".join(lines) + "\n")


def words(mock, name, tag, *more):
    return ["run", name, "-q", "--base-url", f"openai={mock.address}", "--store", f"{tag}.db", "--out", f"o{tag}",
            *more]


def floor(folder, requests, in_flight, address, shards):
    """(CPU seconds, wall seconds) of the libcurl client in so many processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    command = [f"{folder}/multi", str(requests // shards), str(max(1, in_flight // shards)),
               f"{address}/chat/completions"]
    clients = [subprocess.Popen(command, stderr=subprocess.DEVNULL) for _ in range(shards)]
    for client in clients:
        client.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - started)


def asked(program, folder):
    with Mock(folder) as mock:
        for prompts, repeats in ((1_000, 5), (20_000, 5), (100_000, 1)):
            suite(Path(folder, "asked.yml"), prompts, ["$contains: Mock", HEX])
            numbers = [measure(program, words(mock, "asked.yml", f"a{prompts}-{i}"), folder) for i in range(repeats)]
            cpus, walls, peaks = zip(*numbers)
            show(f"asked: {prompts:,} prompts, contains and regex",
                 (statistics.median(cpus), statistics.median(walls), max(peaks)))
            least = statistics.median(floor(folder, prompts, 64, mock.address, 1)[0] for _ in range(repeats))
            print(f"    {statistics.median(cpus) / prompts * 1000:.3f} ms CPU a prompt; floor, 64 in flight: "
                  f"{least / prompts * 1000:.3f} ms; {statistics.median(cpus) / least:.1f} times the floor", flush=True)


def in_flight_row(program, folder, prompts, width, latency):
    with Mock(folder, "-latency", str(latency)) as mock:
        clients = [(shards, floor(folder, prompts, width, mock.address, shards), mock.stats()["mean_in_flight"],
                    mock.reset()) for shards in (64, 1)]
        suite(Path(folder, "flight.yml"), prompts, ["$contains: Mock", HEX])
        numbers = []
        for i in range(3):
            mock.reset()
            cost = measure(program, words(mock, "flight.yml", f"f{width}-{i}", "-j", str(width)), folder)
            stats = mock.stats()
            numbers.append((*cost, stats["mean_in_flight"], stats["max_in_flight"], stats["wall_s"]))
        cpu, wall, peak, mean, most, served = (statistics.median(column) for column in zip(*numbers))
        show(f"in flight: {prompts:,} prompts, {latency} ms, {width:,} in flight", (cpu, wall, peak))
        print(f"    {cpu / prompts * 1000:.3f} ms CPU a prompt; mean in flight {mean:.0f}, most {most:.0f}; "
              f"first to last request {served:.2f} s")
        for shards, (floor_cpu, floor_wall), floor_mean, _ in clients:
            print(f"    floor, {shards} shards: {floor_cpu:.2f} s CPU, {floor_wall:.2f} s wall, mean in flight "
                  f"{floor_mean:.0f}", flush=True)


def in_flight(program, folder):
    in_flight_row(program, folder, 10_000, 5_000, 200)


def held(program, folder):
    in_flight_row(program, folder, 20_000, 10_000, 2_000)


def judged(program, folder):
    judges = ("evaluationConfig:\n  llm-coverage:\n    judges:\n"
              "      - {id: one, model: 'openai:judge', approach: holistic}\n")
    rules = Path(folder, "rules.json")
    rules.write_text(json.dumps([{"model": "judge", "match": ".",
                                  "reply": "<reflection>fits</reflection><classification>CLASS_EXACT"
                                           "</classification>"}]))
    with Mock(folder, "-rules", str(rules)) as mock:
        suite(Path(folder, "judged.yml"), 500, ["names the value of the item"], judges)
        numbers = [measure(program, words(mock, "judged.yml", f"j{i}", "--eval-method", "llm-coverage"), folder)
                   for i in range(5)]
        cpus, walls, peaks = zip(*numbers)
        print(f"    {mock.stats()['count'] / 5:.0f} requests a run")
        show("judged: 500 prompts with one judge each",
             (statistics.median(cpus), statistics.median(walls), max(peaks)))
        print(f"    {statistics.median(cpus) / 500 * 1000:.3f} ms CPU a sample", flush=True)


FAULTS = ["-p429", "0.05", "-p500", "0.05", "-preset", "0.04", "-ptrunc", "0.03", "-pbadjson", "0.03",
          "-retry-after", "1"]


def faults(program, folder):
    with Mock(folder, *FAULTS, "-dups") as mock:
        suite(Path(folder, "faults.yml"), 200, ["$contains: Mock", HEX])
        cost = measure(program, words(mock, "faults.yml", "w", "--json"), folder)
        show("faults: 200 prompts, a fifth of the calls fails", cost)
        said = subprocess.run([program, *words(mock, "faults.yml", "w", "--json")], cwd=folder, capture_output=True,
                              text=True)
        run = json.loads(said.stdout)[0]
        answered = sum(variant["scored"] for variant in run["variants"])
        print(f"    {mock.stats()['count']} requests; then: exit {said.returncode}, {run['state']}, {answered} of "
              f"{run['cells']} scored", flush=True)


def kills(program, folder):
    with Mock(folder, "-latency", "20", "-dups") as mock:
        suite(Path(folder, "kills.yml"), 2_000, ["$contains: Mock", HEX])
        chance = random.Random(7)
        killed = 0
        at_risk = 0
        width = 64
        command = [program, *words(mock, "kills.yml", "k", "-j", str(width))]
        for _ in range(200):
            child = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                child.wait(timeout=chance.uniform(0.005, 0.12))
                break
            except subprocess.TimeoutExpired:
                at_risk += mock.stats()["in_flight"]
                child.send_signal(signal.SIGKILL)
                child.wait()
                killed += 1
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        stats = mock.stats()
        print(f"kills: {killed} kills, 2,000 prompts: {stats['count']} requests, {stats['repeated_requests']} of them "
              f"repeated (at most {width} in flight at each kill; seen {at_risk})", flush=True)


def allow_files():
    """A connection each for ten thousand calls."""
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(files, min(most, 65_536)), most))


ROWS = {row.__name__.replace("_", "-"): row for row in (asked, in_flight, held, judged, faults, kills)}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    tools = SHARED / "tools"
    with tempfile.TemporaryDirectory(prefix="assay-bench-", dir=os.environ.get("TMPDIR")) as place:
        subprocess.run(["go", "build", "-o", f"{place}/mockllm", "."], cwd=tools / "mockllm", check=True)
        subprocess.run(["gcc", "-O2", "-o", f"{place}/multi", tools / "floor/multi.c", "-lcurl"], check=True)
        os.environ["OPENAI_API_KEY"] = "none-needed"
        allow_files()
        heading(sys.argv[1])
        for wanted in sys.argv[2:] or ROWS:
            ROWS[wanted](os.path.abspath(sys.argv[1]), place)


if __name__ == "__main__":
    main()
