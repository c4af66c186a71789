#!/usr/bin/env python3
"""A turn that is answered without a word, or by calls of tools alone, is answered: the same is never asked again,
neither at once nor in a later run, and what came of calls goes back in the service's own form. Where nobody writes
max_tokens none is sent, but for services that need one. A blueprint that is answered without a word asks again."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

DATASET = """id: notes
docs: [{id: a, title: A, url: "https://example.invalid/a.txt"}]
tests:
  - {id: silent, doc_id: a, query: "silence?", expected: {type: not, of: {type: contains, text: word}}}
  - {id: cut, doc_id: a, query: "thoughts?", expected: {type: contains, text: word}}
  - {id: calls, doc_id: a, query: "calls?", expected: {type: contains, text: look_up}}
"""
MATRIX = """dataset = "./notes.yaml"
output_root = "./runs"
[[runs]]
id = "chat"
model_alias = "openai:plain"
research_mode = false
lean = true
[[runs]]
id = "claude"
model_alias = "anthropic:claude-haiku-4-5"
research_mode = false
lean = true
"""
BLUEPRINT = """title: Silence
models: [{}]
---
- prompt: "{}"
  should: [$contains: look_up]
"""
CALL = {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": "{ \"q\": 1 }"}}


def reply(path, body):
    told = json.dumps(body["messages"])
    calls = "calls?" in told and "no such tool" not in told.lower() and "c1" not in told
    words = "I had no use for look_up." if "calls?" in told and not calls else ""
    if path.endswith("/messages"):
        blocks = [{"type": "tool_use", "id": "c1", "name": "look_up", "input": {"q": 1}}] if calls else \
            [{"type": "text", "text": words}] if words else []
        return {"content": blocks, "stop_reason": "max_tokens" if "thoughts?" in told else "end_turn",
                "usage": {"input_tokens": 3, "output_tokens": 0}}
    message = {"role": "assistant", "content": None, "tool_calls": [CALL]} if calls else \
        {"role": "assistant", "content": words}
    return {"choices": [{"message": message, "finish_reason": "length" if "thoughts?" in told else "stop"}],
            "usage": {"prompt_tokens": 3, "completion_tokens": 0}}


def rows(folder, run):
    session = sorted(Path(folder, "runs").iterdir())[-1]
    lines = session.joinpath(run, "artifacts", "results.jsonl").read_text().splitlines()
    return {row["test_id"]: row for row in map(json.loads, lines)}


with e2e.scratch() as folder, MockServer(reply=lambda path, body: json.dumps(reply(path, body))) as mock:
    Path(folder, "notes.yaml").write_text(DATASET)
    Path(folder, "matrix.toml").write_text(MATRIX)
    to_mock = [f"--base-url=openai={mock.url}/v1", f"--base-url=anthropic={mock.url}", "--max-retries=2"]
    env = {"OPENAI_API_KEY": "sk-test-1122", "ANTHROPIC_API_KEY": "sk-test-1122"}
    result = e2e.assay("run", "matrix.toml", *to_mock, cwd=folder, env=env)
    e2e.expect(result, 0)
    for run in ("chat", "claude"):
        got = rows(folder, run)
        e2e.check({name: row["pass"] for name, row in got.items()} == {"silent": True, "cut": False, "calls": True},
                  f"{run}: {got}", result)
        e2e.check(not any(row.get("error") for row in got.values()), f"{run}: no row is an error: {got}")
    asked = [json.dumps(request["body"], sort_keys=True) for request in mock.requests]
    e2e.check(len(set(asked)) == len(asked), f"nothing is asked twice: {asked}", result)
    answered = [request["body"]["messages"] for request in mock.requests if "c1" in json.dumps(request["body"])]
    e2e.check(len(answered) == 2, f"what came of a call goes back: {answered}", result)
    for messages in answered:
        call, came = messages[-2], messages[-1]
        if came["role"] == "tool":
            e2e.check(call["tool_calls"] == [CALL] and came["tool_call_id"] == "c1", f"as it was written: {messages}")
        else:
            e2e.check(call["content"] == [{"type": "tool_use", "id": "c1", "name": "look_up", "input": {"q": 1}}]
                      and [block["tool_use_id"] for block in came["content"]] == ["c1"], f"in blocks: {messages}")
    for request in mock.requests:
        body = request["body"]
        limits = [name for name in body if "max" in name and "tokens" in name]
        e2e.check(limits == (["max_tokens"] if request["path"].endswith("/messages") else []), f"limits: {body}")
        e2e.check(body.get("max_tokens", 64_000) == 64_000, f"Claude's own limit: {body}")
    before = len(mock.requests)
    again = e2e.assay("run", "matrix.toml", *to_mock, cwd=folder, env=env)
    e2e.expect(again, 0)
    e2e.check(len(mock.requests) == before, "a silent answer is found again", again)

    # The same question of somebody who wants words.
    for model, question, asked in (("openai:plain", "silence?", 3), ("anthropic:claude-haiku-4-5", "calls?", 1)):
        Path(folder, "suite.yml").write_text(BLUEPRINT.format(model, question))
        before = len(mock.requests)
        wordy = e2e.assay("run", "suite.yml", *to_mock, cwd=folder, env=env)
        got = len(mock.requests) - before
        e2e.check(got == asked, f"{model}: {question}: {got} tries instead of {asked}", wordy)
