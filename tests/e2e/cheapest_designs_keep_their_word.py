#!/usr/bin/env python3
"""`plan --for POINTS` proposes numbers of cases, attempts, judges and votes; a run with these numbers knows its mean as
closely as promised. Answers, judges and votes are drawn here, so each adds its part to the variance."""
import hashlib
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, reply_of  # noqa: E402

KEY = {"OPENAI_API_KEY": "sk-test-0123456789"}
CLASSES = ["UTTERLY_UNMET", "UNMET", "SLIGHT", "PARTIAL", "MAJOR", "EXACT"]
JUDGES = ["gpt-4o-mini", "gpt-4.1-mini", "gpt-4.1-nano", "gpt-4o", "gpt-4.1"]
CASES = 600


def draw(*words):
    """One of -1, 0 and 1, which depends on the words alone."""
    return hashlib.sha256(" ".join(map(str, words)).encode()).digest()[0] % 3 - 1


class Models:
    """The candidate names a level in its answer; judges give this level, one class more or one less."""

    def __init__(self):
        self.seen = {}

    def reply(self, path, body):
        asked = json.dumps(body["messages"])
        case = re.search(r"Question (\d+)", asked)[1]
        level = re.search(r"level (-?\d)", asked)
        key = (body["model"], case, level and level[0])
        self.seen[key] = times = self.seen.get(key, 0) + 1
        if not level:
            usual = 2 + draw("case", case) + (draw("case again", case) > 0)
            return reply_of(path, body, f"Question {case}, try {times}: level {usual + draw('try', case, times)}")
        given = int(level[1]) + draw("judge", *key) + draw("vote", times, *key)
        name = CLASSES[min(max(given, 0), len(CLASSES) - 1)]
        return reply_of(path, body, f"<reflection>So it is.</reflection><classification>CLASS_{name}</classification>")


def write_suite(folder, judges, cases=CASES):
    listed = ", ".join(f"{{id: j{i}, model: openai:{model}}}" for i, model in enumerate(judges))
    lines = ["title: Drawn", "id: drawn", "models: [openai:gpt-4.1]", "evaluationConfig:",
             f"  llm-coverage: {{judges: [{listed}]}}", "prompts:"]
    lines += [f"  - {{id: q{i}, prompt: Question {i}, should: [Answers it]}}" for i in range(cases)]
    Path(folder, "suite.yml").write_text("\n".join(lines) + "\n")


def planned(folder, *words):
    result = e2e.assay("plan", "suite.yml", "--json", *words, cwd=folder)
    e2e.expect(result, 0)
    return json.loads(result.stdout)[0]


def ran(folder, mock, *words):
    result = e2e.assay("run", "suite.yml", "--json", "-j", "32", f"--base-url=openai={mock.url}/v1", *words, cwd=folder,
                       env=KEY)
    e2e.expect(result, 0)
    return e2e.one_run(result)


with e2e.scratch() as folder, MockServer(reply=Models().reply) as mock:
    # Without a run the variance is assumed, and the numbers of judges and votes stay. Prices are those of the list.
    write_suite(folder, JUDGES[:2])
    plan = planned(folder, "--for", "3")
    design = plan["design"]
    e2e.check(design["run"] is None and "assumed" in design["basis"], str(design))
    e2e.check(design["variance"] == {"cases": 1 / 12, "attempts": 1 / 6, "judges": None, "votes": None}, str(design))
    e2e.check(design["priced_in"] == "usd" and abs(design["today"]["price"] - plan["total"]["cost_usd"]) < 1e-9,
              f"today's price: {design} {plan['total']}")
    e2e.check({(each["judges"], each["votes"]) for each in design["cheapest"]} == {(2, 1)}, str(design))
    e2e.check([each["attempts"] for each in design["cheapest"]] == [1, 2, 3], str(design))
    e2e.check(design["in_suite"] is None or design["in_suite"]["cases"] <= CASES, str(design))
    prices = [each["price"] for each in design["cheapest"]]
    e2e.check(prices == sorted(prices) and all(each["half_width"] <= 0.03 for each in design["cheapest"]), str(design))

    # A run tells the parts; text and JSON agree.
    first = ran(folder, mock, "--limit", "100", "--attempts", "3", "--votes", "2")
    design = planned(folder, "--attempts", "3", "--votes", "2", "--for", "4")["design"]
    e2e.check(design["run"] == first["run"] and design["variant"] == "openai:gpt-4.1", str(design))
    e2e.check(all(part > 0.001 for part in design["variance"].values()), f"each part is found: {design}")
    shown = e2e.assay("plan", "suite.yml", "--attempts", "3", "--votes", "2", "--for", "4", cwd=folder)
    e2e.check(shown.stdout.startswith("To know each mean to ± 4 points:\n") and design["basis"] in shown.stdout,
              "the text", shown)
    best = design["cheapest"][0]
    row = re.search(r"^cheapest +(\S+) +(\d+) +(\d+) +(\d+) +(\S+) ", shown.stdout, re.M)
    e2e.check(row and [int(row[1].replace(",", "")), *map(int, row.groups()[1:4])] ==
              [best[key] for key in ("cases", "attempts", "judges", "votes")], "the table", shown)

    # The proposed design keeps its promise.
    e2e.check(best["cases"] <= CASES and best["judges"] <= len(JUDGES), f"the test can try it: {best}")
    write_suite(folder, JUDGES[:best["judges"]], best["cases"])
    run = ran(folder, mock, "--attempts", str(best["attempts"]), "--votes", str(best["votes"]), "--fresh")
    low, high = run["statistics"]["ranking"][0]["interval"]
    half = (high - low) / 2
    print(f"promised {best['half_width']:.4f}, found {half:.4f}: {best}")
    e2e.check(abs(half / best["half_width"] - 1) < 0.12, f"promised {best['half_width']}, found {half}: {best}")

    # Answers that need no request are no reason for a hundred attempts.
    suite = str(e2e.ROOT / "examples/infibench-small/suite.yaml")
    recorded = e2e.assay("plan", suite, "--for", "5", "--json", cwd=folder)
    design = json.loads(recorded.stdout)[0]["design"]
    e2e.check(design["priced_in"] == "calls" and design["today"]["price"] > 0, str(design))
    e2e.check([each["attempts"] for each in design["cheapest"]] == [1, 2, 3], str(design))

    # Numbers are points.
    wrong = e2e.assay("plan", "suite.yml", "--for", "0.03", cwd=folder)
    e2e.expect(wrong, 1, "--for: points: 3, not 0.03")
