#!/usr/bin/env python3
"""What `plan` says is what `run` then sends: exactly, or within the range where it depends on replies."""
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

JUDGED = """title: Judged echoes
id: judged-echoes
models: [echo:one]
evaluationConfig:
  llm-coverage:
    judges: [{ model: openai:judge, approach: holistic }]
prompts:
  - id: two-turns
    messages:
      - user: say word 1
      - assistant: null
      - user: say word 2
    should: [Says the second word, $contains: word 2]
  - id: plain
    prompt: say word 3
    should: [POINT]
"""


def planned(folder, *words):
    result = e2e.assay("plan", "suite.yml", "--json", *words, cwd=folder)
    e2e.expect(result, 0)
    plans = json.loads(result.stdout)
    e2e.check(len(plans) == 1, "expected one plan", result)
    return plans[0]


def sent(folder, *words):
    result = e2e.assay("run", "suite.yml", "--json", *words, cwd=folder, env={"OPENAI_API_KEY": "sk-test-0818"})
    return e2e.one_run(result)["requests_sent"]


def least_and_most(plan):
    return plan["total"]["calls"], plan["total"]["calls_max"]


def check_sent(folder, what, *words):
    """Plans, runs, plans again: the second plan has nothing left to send."""
    least, most = least_and_most(planned(folder, *words))
    count = sent(folder, *words)
    e2e.check(least <= count <= most, f"{what}: planned {least} to {most} calls, {count} were sent")
    left = planned(folder, *words)
    e2e.check(left["total"]["answered"] >= count, f"{what}: the plan does not see what was answered: {left}")
    return least, most


VERDICT = "<reflection>It does.</reflection><classification>CLASS_EXACT</classification>"

with e2e.scratch() as folder, MockServer(answer=lambda _: VERDICT) as judge:
    suite = Path(folder, "suite.yml")
    suite.write_text(e2e.suite(5))
    e2e.check(least_and_most(planned(folder)) == (5, 5), "five calls were expected of a new store")
    e2e.check(not Path(folder, ".assay").exists(), "a plan made a store")
    e2e.check(check_sent(folder, "functions", "--attempts", "3") == (15, 15), "15 calls were expected")
    e2e.check(least_and_most(planned(folder, "--attempts", "3")) == (0, 0), "a finished run would send again")
    e2e.check(least_and_most(planned(folder, "--attempts", "3", "--fresh")) == (15, 15), "--fresh asks all again")
    e2e.check(planned(folder, "--attempts", "4")["total"]["calls"] == 5, "one attempt more is five calls more")

    suite.write_text(JUDGED.replace("POINT", "Says the third word"))
    there = ["--base-url", f"openai={judge.url}/v1"]
    least, most = check_sent(folder, "judged", *there)
    e2e.check(least == 3 + 2 and most > least, f"three answers and two verdicts at least: {least} to {most}")
    rows = e2e.assay("plan", "suite.yml", "--fresh", *there, cwd=folder).stdout.splitlines()
    named = [re.split(" {2,}", row)[:2] for row in rows[2:rows.index(next(r for r in rows if r.startswith("total")))]]
    wanted = {(line["role"], line["model"]) for line in planned(folder, "--fresh", *there)["calls"]}
    e2e.check({tuple(row) for row in named} == wanted and len(named) == len(wanted) > 1, f"each row is named: {rows}")
    suite.write_text(JUDGED.replace("POINT", "Says something else"))
    changed = planned(folder, *there)
    by_role = {(line["role"], line["model"]): line["calls"] for line in changed["calls"]}
    e2e.check(by_role[("candidate", "echo:one")] == 0, f"a changed point asks no model again: {by_role}")
    e2e.check(by_role[("judge", "openai:judge")] == 1, f"a changed point is judged anew: {by_role}")

    suite.write_text(e2e.suite(2, model="nobody:knows"))
    plan = planned(folder)
    e2e.check(plan["unpriced"] == ["nobody:knows"] and plan["calls"][0]["cost_usd"] is None,
              f"an unknown price is said, never 0: {plan}")
    text = e2e.assay("plan", "suite.yml", cwd=folder)
    e2e.check("unknown" in text.stdout and "nobody:knows" in text.stderr, "an unknown price is shown", text)
