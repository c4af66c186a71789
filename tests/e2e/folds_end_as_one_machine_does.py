#!/usr/bin/env python3
"""Whatever stops the shards of a run, --fold ends with the code of one machine and says what it says: each reason to
stop in two of the formats and modes of compatibility, with --all (tests/slow) in each.

usage: folds_end_as_one_machine_does.py [--all] [FORMAT...]"""
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from sharing import KEY, end_of, run_of  # noqa: E402

CASES = 24


def blueprint(place):
    (place / "suite.yml").write_text(e2e.suite(CASES, "openai:gpt-4o"))
    return ["suite.yml"]


def infibench(place):
    for i in range(CASES):
        (place / f"c{i}.txt").write_text(f"say word {i}")
        (place / f"c{i}.yaml").write_text(f"id: c{i}\nprompt_path: c{i}.txt\ntype: code completion\nlang: python\n"
                                          f"grading:\n  keywords: [word {i}]\n")
    (place / "suite.yml").write_text("version: '1'\ncases: [" + ", ".join(f"c{i}.yaml" for i in range(CASES)) + "]\n")
    return ["suite.yml", "-m", "openai:gpt-4o"]


def research(place):
    """A plain model without tools: each question is one call."""
    tests = "\n".join(f"  - {{id: t{i}, doc_id: a, query: say word {i}, expected: {{type: contains, text: word {i}}}}}"
                      for i in range(CASES))
    (place / "dataset.yaml").write_text(
        f"id: words\ndocs: [{{id: a, title: A, url: 'https://example.invalid/a.txt'}}]\ntests:\n{tests}\n")
    (place / "matrix.toml").write_text("dataset = './dataset.yaml'\noutput_root = './runs'\n[[runs]]\nid = 'lean'\n"
                                       "model_alias = 'openai:gpt-4o'\nresearch_mode = false\nlean = true\n")
    return ["matrix.toml"]


def some(text, _attempt):
    """Never three in a row: then the model would be asked no more. A text to embed says no word and never fails."""
    words = re.findall(r"say word (\d+)", text)
    return status(400) if words and int(words[-1]) % 3 == 1 else None


# By reason: what the service does, and what the user allows.
REASONS = {
    "nothing": ({}, []),
    "errors": ({"fault": some}, ["-j", "2"]),
    "allowed errors": ({"fault": some}, ["--max-errors", "90%", "-j", "2"]),
    "too many errors": ({"fault": some, "delay": 0.05}, ["--max-errors", "2", "-j", "2"]),
    "budget": ({}, ["--budget-usd", "0.0000001"]),
    "half the budget": ({"delay": 0.05}, ["--budget-tokens", "160", "--max-tokens", "20", "-j", "2"]),
    "time": ({"delay": 0.4}, ["--max-time", "1", "-j", "2"]),
    "given up": ({"fault": lambda text, attempt: status(404)}, ["-j", "2"]),
    "service down": ({"fault": lambda text, attempt: status(500)}, ["-j", "2", "--patience", "0"]),
}
MODES = [(blueprint, []), (blueprint, ["--compat", "weval", "--skip-executive-summary"]), (infibench, []),
         (infibench, ["--compat", "infibench"]), (research, []), (research, ["--compat", "asky"])]
SAID = re.compile(r"never asked|not all was asked|cells? (is|are|was|were) |--max-errors|asked no more|not sent$|"
                  r"failed for good")


def outcome(result):
    """What is said of the run, without its numbers: what stops several processes is no matter of one cell."""
    lines = [line for line in result.stderr.splitlines() if SAID.search(line) and not line.startswith("  ")]
    return sorted({re.sub(r"\d+", "N", line).replace("cells are", "cell is").replace("cells were", "cell was")
                   .replace("requests were", "request was").replace("requests failed", "request failed")
                   for line in lines})


def compare(folder, server, name, write, mode, reason):
    """One machine, and two shards and their report: the same code, the same words."""
    service, allowed = REASONS[reason]
    place = Path(folder, name)
    place.mkdir()
    words = ["run", *write(place), *mode, *allowed, "--max-retries", "0"]
    with MockServer(**service) as mock:
        alone = e2e.assay(*words, f"--base-url=openai={mock.url}/v1", "--out", "alone", cwd=place, env=KEY)
    with MockServer(**service) as mock:
        base = [*words, f"--base-url=openai={mock.url}/v1", "--out", "folded", "--store", server.new(name)]
        shards = [e2e.start(*base, "--shards", "2", "--shard", number, cwd=place, env=KEY) for number in "12"]
        for process in shards:
            e2e.expect(end_of(process), 0)
        fold = e2e.assay(*base, "--fold", run_of(server, name), cwd=place, env=KEY)
        again = e2e.assay(*base, "--fold", run_of(server, name), cwd=place, env=KEY)
    what = f"{write.__name__} {mode} {reason}"
    e2e.check(fold.returncode == alone.returncode,
              f"{what}: --fold ends with {fold.returncode}, one machine with {alone.returncode}:\n{alone.stderr}", fold)
    e2e.check(outcome(fold) == outcome(alone),
              f"{what}: --fold says {outcome(fold)}, one machine {outcome(alone)}:\n{alone.stderr}", fold)
    e2e.check(again.returncode == fold.returncode, f"{what}: the same again ends otherwise", again)


formats = [word for word in sys.argv[1:] if word != "--all"]
TRIED = [(i, reason) for i, (write, _) in enumerate(MODES) for j, reason in enumerate(REASONS)
         if write.__name__ in (formats or [write.__name__]) and (formats or "--all" in sys.argv or (i - j) % 3 == 0)]
with e2e.scratch() as scratch, PostgresServer() as postgres, ThreadPoolExecutor(3) as pool:
    rows = [pool.submit(compare, scratch, postgres, f"run_{number}", *MODES[i], reason)
            for number, (i, reason) in enumerate(TRIED)]
    for row in rows:
        row.result()
