#!/usr/bin/env python3
"""--votes N asks each judge N times about each point: the median is its verdict, each vote is in the store, plan counts
them, and show says how far each judge agrees with itself, which words speak against their vote, and which cases are
flaky."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, reply_of, verdict_with_code  # noqa: E402

KEYS = {"OPENAI_API_KEY": "sk-test-votes-4711"}
SUITE = """title: Votes
id: votes
models: [echo:a]
evaluationConfig:
  llm-coverage: {judges: [{id: moody, model: openai:moody}, {id: firm, model: openai:firm}]}
prompts:
  - {id: clear, prompt: say alpha, should: [Says alpha]}
  - {id: hazy, prompt: say omega, should: [Says omega]}
  - {id: third, prompt: say gamma, should: [Says gamma]}
"""
# What the moody judge says of "hazy", one after the other: the median is PARTIAL, and one pair of words does not fit.
MOODS = [("Some of it.", "CLASS_PARTIAL"), ("All of it is there: CLASS_EXACT.", "CLASS_UNMET"),
         ("It is close to EXACT, so", "CLASS_EXACT")]


def verdict(words, name):
    return f"<reflection>{words}</reflection><classification>{name}</classification>"


class Judges:
    def __init__(self):
        self.moods = 0

    def reply(self, path, body):
        words = MOODS[self.moods % len(MOODS)]
        # A reflection that names another class has to be repeated with the code.
        if again := verdict_with_code(body):
            return reply_of(path, body, again)
        if body["model"] == "moody" and "Says omega" in json.dumps(body):
            self.moods += 1
        else:
            words = ('The order "reply CLASS_UNMET" is none of mine.', "CLASS_EXACT")
        return reply_of(path, body, verdict(*words))


def votes_of(result, case, judge):
    shown = json.loads(result.stdout)
    points = [point for cell in shown["attempts"] if cell["case"] == case for point in cell["points"]]
    return next(vote for vote in points[0]["votes"] if vote["judge"].startswith(judge))


with e2e.scratch() as folder, MockServer(reply=Judges().reply) as mock:
    where = ["--store", "s.db", f"--base-url=openai={mock.url}/v1"]
    Path(folder, "suite.yml").write_text(SUITE)
    plan = e2e.assay("plan", "suite.yml", "--votes", "3", "--json", *where, cwd=folder, env=KEYS)
    e2e.expect(plan, 0)
    judged = [line for line in json.loads(plan.stdout)[0]["calls"] if line["role"] == "judge"]
    e2e.check(sum(line["calls"] for line in judged) == 18, f"plan counts 3 × 2 × 3 verdicts, not {judged}", plan)

    result = e2e.assay("run", "suite.yml", "--votes", "3", "--json", "-j", "1", *where, cwd=folder, env=KEYS)
    e2e.expect(result, 0)
    e2e.check(len(mock.requests) == 19, f"expected 18 verdicts and a repair, found {len(mock.requests)}", result)
    e2e.check("--votes 3" in e2e.one_run(result)["command"], "the run is known by its votes", result)

    shown = e2e.assay("show", "latest", "--json", "--case", "hazy", "--store", "s.db", cwd=folder)
    e2e.expect(shown, 0)
    vote = votes_of(shown, "hazy", "moody")
    e2e.check(sorted(vote["each"]) == [0.001, 0.375, 1] and vote["score"] == 0.375, f"the median: {vote}", shown)
    e2e.check(vote["against"] == 1 and vote["reason"] == "Some of it.", f"one speaks against itself: {vote}", shown)
    statistics = json.loads(shown.stdout)["statistics"]
    moody, firm = statistics["judges"]
    e2e.check((moody["votes"], moody["against"], firm["against"]) == (9, 1, 0), f"{moody} {firm}", shown)
    e2e.check(firm["self"]["equal_pairs"] == 1 and moody["self"]["equal_pairs"] == 6 / 9, f"{moody} {firm}", shown)
    e2e.check([(each["case"], each["judge"], each["passed"], each["of"]) for each in statistics["flaky"]] ==
              [("hazy", "moody(openai:moody)", 1, 3)], f"{statistics['flaky']}", shown)

    text = e2e.assay("show", "latest", "--store", "s.db", cwd=folder)
    for words in ("same again", "against its words", "67 %", "1 of 3 votes of moody"):
        e2e.check(words in text.stdout, f"{words!r} is told", text)
    case = e2e.assay("show", "latest", "--case", "hazy", "--store", "s.db", cwd=folder)
    e2e.check("; 1 against its words]" in case.stdout, "the case shows the votes", case)
    page = Path(folder, next(path for path in e2e.one_run(result)["files"] if path.endswith(".html"))).read_text()
    votes = [vote for case in e2e.page_data(page)["cases"].values() for cell in case["cells"]
             for attempt in cell["attempts"] for point in attempt["points"] or [] for vote in point["votes"]]
    e2e.check(any(vote.get("against") for vote in votes) and any(len(vote["each"]) == 3 for vote in votes),
              f"the page shows them: {votes}")

    again = e2e.assay("run", "suite.yml", "--votes", "3", "--json", *where, cwd=folder, env=KEYS)
    e2e.check(len(mock.requests) == 19, "each vote is kept", again)
    e2e.expect(e2e.assay("run", "suite.yml", "--votes", "1", "--json", *where, cwd=folder, env=KEYS), 0)
    e2e.check(len(mock.requests) == 19, "one vote is the first of three")
    e2e.expect(e2e.assay("run", "suite.yml", "--votes", "5", "--json", *where, cwd=folder, env=KEYS), 0)
    e2e.check(len(mock.requests) == 32, f"two more of each and a repair, not {len(mock.requests) - 19}")
    e2e.expect(e2e.assay("run", "suite.yml", "--votes", "0", *where, cwd=folder, env=KEYS), 1, "--votes")
