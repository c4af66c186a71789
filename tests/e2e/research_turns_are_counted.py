#!/usr/bin/env python3
"""Stored turns of the research agent are there for `plan`, and stay there when some cases are asked afresh: the time
that prompts tell is the suite's, until all of it is asked again."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

DATASET = """docs: [{id: a, title: A, url: "https://e.invalid/a"}]
tests:
  - {id: one, doc_id: a, query: say word, expected: {type: contains, text: word}}
  - {id: two, doc_id: a, query: say another word, expected: {type: contains, text: word}}
"""
MATRIX = """dataset = "./set.yaml"
output_root = "runs"
[[runs]]
id = "r"
model_alias = "openai-compatible:m"
research_mode = false
preload_shortlist = false
"""

AWAY = {"TZ": "AWAY-9"}


def told(service):
    """The system prompt that was sent last."""
    return service.requests[-1]["body"]["messages"][0]["content"]


with e2e.scratch() as scratch, MockServer() as service:
    folder = Path(scratch)
    folder.joinpath("set.yaml").write_text(DATASET)
    folder.joinpath("m.toml").write_text(MATRIX)
    base = ("--base-url", f"openai-compatible={service.url}/v1")

    def planned():
        result = e2e.assay("plan", "m.toml", "--json", *base, cwd=folder)
        e2e.expect(result, 0)
        total = json.loads(result.stdout)
        total = (total[0] if isinstance(total, list) else total)["total"]
        return total["calls"], total["calls_max"], total["answered"]

    e2e.check(planned()[2] == 0, f"nothing is there: {planned()}")
    e2e.expect(e2e.assay("run", "m.toml", *base, cwd=folder), 0)
    e2e.check(len(service.requests) == 2 and planned() == (0, 0, 2), f"all of it is there: {planned()}")
    # The clock of nine hours away: whoever takes it over tells another time, however soon.
    e2e.expect(e2e.assay("run", "m.toml", "--fresh", "--filter", "one", *base, cwd=folder, env=AWAY), 0)
    e2e.check("+09:00" not in told(service), f"the others' clock stays: {told(service)}")
    e2e.check(len(service.requests) == 3 and planned() == (0, 0, 2), f"one was asked again: {planned()}")
    e2e.expect(e2e.assay("run", "m.toml", *base, cwd=folder), 0)
    e2e.check(len(service.requests) == 3, f"nobody is asked a second time: {len(service.requests)}")
    e2e.expect(e2e.assay("run", "m.toml", "--fresh", *base, cwd=folder, env=AWAY), 0)
    e2e.check("+09:00" in told(service), f"all of it tells the time of now: {told(service)}")
    e2e.check(len(service.requests) == 5, f"all are asked again: {len(service.requests)}")
