#!/usr/bin/env python3
"""Budgets, --max-errors and the breaker end a run early: with a report, an exit code of their own, and nothing lost."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402

KEY = {"OPENAI_API_KEY": "sk-test-0123456789"}


def run(folder, mock, *words):
    return e2e.assay("run", "suite.yml", "--json", "--max-retries", "0", "--base-url", f"openai={mock.url}", *words,
                     cwd=folder, env=KEY)


with e2e.scratch() as scratch:
    folder = Path(scratch)
    (folder / "suite.yml").write_text(e2e.suite(20, model="openai:gpt-4o-mini"))
    with MockServer() as mock:
        # An answer is 1,500 tokens at worst: $0.0009 at $0.60 a million. Most cost far less.
        result = run(folder, mock, "--budget-usd", "0.00096", "-j", "1")
        e2e.expect(result, 0)
        e2e.check(len(mock.texts()) == 20, "every call fitted once the one before had been settled", result)

    (folder / "suite.yml").write_text(e2e.suite(20, model="openai:gpt-4o-mini").replace("word ", "token "))
    with MockServer() as mock:
        result = run(folder, mock, "--budget-usd", "0.0000001")
        e2e.expect(result, 5, "20 requests were not sent", "--budget-usd 1e-07: $1e-07 was left, and the first call",
                   "the 20 calls that were not sent up to $0.01",
                   "to send the rest: assay run suite.yml", "--budget-usd 0.037\n")
        variant = e2e.one_run(result)["variants"][0]
        e2e.check(variant["skipped"] == 20 and variant["errors"] == 0, "cells that were not asked are skipped", result)
        e2e.check(not mock.texts(), "nothing fitted", result)
        result = run(folder, mock, "--budget-tokens", "5000", "-j", "1")
        e2e.expect(result, 0)
        e2e.check(e2e.one_run(result)["mean"] == 1, "the same command asks the rest", result)

    (folder / "suite.yml").write_text(e2e.suite(5, model="openai:nobody-knows"))
    with MockServer() as mock:
        result = run(folder, mock, "--budget-usd", "5")
        e2e.expect(result, 1, "no price is known of \"openai:nobody-knows\"", "[prices]")
        e2e.check(not mock.texts(), "something was asked without a price", result)
        e2e.own_settings('[prices]\n"openai:nobody*" = {input = 1, output = 2}\n')
        e2e.expect(run(folder, mock, "--budget-usd", "5"), 0)
        e2e.own_settings("")

    (folder / "suite.yml").write_text(e2e.suite(30, model="openai:gpt-4o"))
    with MockServer(fault=lambda text, attempt: status(404)) as mock:
        result = run(folder, mock, "-j", "1")
        e2e.expect(result, 2, "openai:gpt-4o was not asked 27 times more: 3 calls in a row had failed for good")
        e2e.check(len(mock.texts()) == 3, f"{len(mock.texts())} calls of a model that is not there", result)
    # Answers take a while, so that grading keeps up with them on a machine that is busy.
    with MockServer(fault=lambda text, attempt: status(400) if int(text.split()[-1]) % 2 else None, delay=0.1) as mock:
        result = run(folder, mock, "-j", "1", "--max-errors", "3")
        e2e.expect(result, 3, "requests failed for good")
        e2e.check(8 <= len(mock.texts()) <= 12, f"{len(mock.texts())} calls until the fourth error", result)
        e2e.expect(run(folder, mock, "-j", "1", "--max-errors", "90%"), 0)
    with MockServer(delay=0.2) as mock:
        result = run(folder, mock, "-j", "1", "--fresh", "--max-time", "1")
        e2e.expect(result, 2, "requests were not sent")
        e2e.check(2 <= len(mock.texts()) <= 6, f"{len(mock.texts())} calls of 0.2 s in a second", result)

    with MockServer() as mock:
        result = e2e.assay("run", "suite.yml", "--progress", "json", "--fresh", "--base-url", f"openai={mock.url}",
                           cwd=folder, env=KEY)
        e2e.expect(result, 0)
        last = json.loads([line for line in result.stderr.splitlines() if line.startswith("{")][-1])
        e2e.check(last["event"] == "end" and last["cells_done"] == 30 and last["sent"] == 30 and last["cost_usd"] > 0,
                  f"the last event tells the whole: {last}", result)
