#!/usr/bin/env python3
"""`$use` looks at an answer's calls as they were first made: a run that finds the replies again gives the same scores,
and what is not known is an error, never 0."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

SUITE = """models: [openai:gpt-6-luna, {unpriced}]
---
id: a
prompt: Say it
should:
  - $use: {{of: latency_ms, at_most: {ms}}}
  - $use: {{of: output_tokens, at_most: 100000}}
  - $use: {{of: cost_usd, at_most: 5}}
"""


def points(folder, *words):
    """By variant: the score of each point, or its error."""
    ran = e2e.assay("run", "s.yml", "--max-errors", "9", *words, cwd=folder, env=key)
    e2e.check(ran.returncode in (0, 2), "it runs", ran)
    shown = e2e.assay("show", "latest", "--case", "a", "--json", cwd=folder)
    e2e.expect(shown, 0)
    return {attempt["variant"]: [point["error"] or point["score"] for point in attempt["points"]]
            for attempt in json.loads(shown.stdout)["attempts"]}


with e2e.scratch() as folder, MockServer(answer=lambda text: "It.") as mock:
    key = {"OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": mock.url}
    unpriced = "openai:no-such-model-of-anyone"
    Path(folder, "s.yml").write_text(SUITE.format(unpriced=unpriced, ms=60000))
    first = points(folder)
    priced = next(value for name, value in first.items() if "luna" in name)
    e2e.check(priced == [1, 1, 1], f"{first}")
    other = next(value for name, value in first.items() if "luna" not in name)
    e2e.check(other[:2] == [1, 1] and str(other[2]).startswith("check.unknown-use: "), f"{first}")

    # Replies that are found again took what they took: a limit below it is missed, though nothing is sent now.
    sent = len(mock.requests)
    Path(folder, "s.yml").write_text(SUITE.format(unpriced=unpriced, ms=0))
    again = points(folder)
    e2e.check(len(mock.requests) == sent, "nothing is asked again")
    e2e.check(all(value[0] == 0 for value in again.values()), f"{again}")

    for args, said in (("{of: price, at_most: 1}", "cost_usd"), ("{of: cost_usd}", "at_most"), ("5", "expected"),
                       ("{of: cost_usd, at_most: -1}", "0 or more")):
        Path(folder, "s.yml").write_text(f"models: [echo:a]\n---\nprompt: a\nshould: [{{$use: {args}}}]\n")
        checked = e2e.assay("check", "s.yml", cwd=folder)
        e2e.check(checked.returncode == 1 and said in checked.stdout + checked.stderr and
                  "check.argument" in checked.stdout + checked.stderr, args, checked)
    for name in ("cost", "latency"):
        Path(folder, "s.yml").write_text(f"models: [echo:a]\n---\nprompt: a\nshould: [{{${name}: 5}}]\n")
        checked = e2e.assay("check", "s.yml", cwd=folder)
        e2e.check('did you mean "$use"?' in checked.stdout + checked.stderr, name, checked)
