#!/usr/bin/env python3
"""Of calls that are in no sum of money, a run says whether it is their price or their usage that is not known; usage in
texts or fractions is not known."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

KEYS = {"OPENAI_API_KEY": "sk-test-usage-4711"}
COUNTS = {"whole": 1000, "text": "1000", "fraction": 1000.5}


def reply(path, body):
    count = COUNTS[body["messages"][-1]["content"].removeprefix("say ")]
    return {"choices": [{"index": 0, "message": {"role": "assistant", "content": "rain"}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": count, "completion_tokens": 1000}}


def notes(mock, model, kinds):
    with e2e.scratch() as folder:
        Path(folder, "suite.json").write_text(json.dumps({"id": "rain", "models": [model], "prompts": [
            {"id": kind, "prompt": f"say {kind}", "should": [{"$contains": "rain"}]} for kind in kinds]}))
        result = e2e.assay("run", "suite.json", f"--base-url=openai={mock.url}/v1", cwd=folder, env=KEYS)
        e2e.expect(result, 0)
        return [line for line in result.stderr.splitlines() if line.startswith("cost ")]


with MockServer(reply=reply) as mock:
    for model, kinds, said, unsaid in (
            ("openai:gpt-4.1", ["whole"], "cost $0.01", "known"),
            ("openai:gpt-4.1", ["whole", "text"], " and 1 call whose usage is not known, by the length", "price"),
            ("openai:gpt-4.1", ["text", "fraction"], " and 2 calls whose usage is not known, by the length", "price")):
        lines = notes(mock, model, kinds)
        e2e.check(len(lines) == 1 and said in lines[0] and unsaid not in lines[0], f"{model} {kinds}: {lines}")
