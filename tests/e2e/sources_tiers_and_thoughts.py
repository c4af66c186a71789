#!/usr/bin/env python3
"""`thoughts: shown` asks each service in its words to tell what a model thought, and is another question; parameters
are sent and in the key but for the tier and the key of a cache; a reply's tier has its price; what a service's own
tools found is kept with the answer and shown; plan counts cached input at its price."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

KEYS = {"OPENAI_API_KEY": "sk-test-tiers-4711", "ANTHROPIC_API_KEY": "sk-test-tiers-4712",
        "GOOGLE_API_KEY": "sk-test-tiers-4713"}
PAGE = {"url": "https://example.org/rain", "title": "On rain"}
CACHED = 8_000


def reply(path, body):
    if path.endswith("/responses"):
        note = {"type": "url_citation", **PAGE, "start_index": 0, "end_index": 4}
        return {"object": "response", "status": "completed", "service_tier": "default",
                "output": [{"type": "reasoning", "summary": [{"type": "summary_text", "text": "It seems wet."}]},
                           {"type": "message", "role": "assistant", "content": [
                               {"type": "output_text", "text": "rain", "annotations": [note]}]}],
                "usage": {"input_tokens": 10, "output_tokens": 10, "total_tokens": 20}}
    if path.endswith("/messages"):
        cited = {"type": "web_search_result_location", **PAGE, "cited_text": "It rains.", "encrypted_index": "x"}
        return {"content": [{"type": "thinking", "thinking": "It seems wet.", "signature": "s"},
                            {"type": "text", "text": "rain", "citations": [cited]}], "stop_reason": "end_turn",
                "usage": {"input_tokens": 10, "output_tokens": 10}}
    if ":generateContent" in path:
        return {"candidates": [{"content": {"parts": [{"text": "It seems wet.", "thought": True}, {"text": "rain"}]},
                                "groundingMetadata": {"groundingChunks": [{"web": {"uri": PAGE["url"],
                                                                                   "title": PAGE["title"]}}]},
                                "finishReason": "STOP"}],
                "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 10}}
    message = {"role": "assistant", "content": "rain",
               "annotations": [{"type": "url_citation", "url_citation": {**PAGE, "start_index": 0, "end_index": 1}}]}
    return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "service_tier": body.get("service_tier", "default"),
            "usage": {"prompt_tokens": 10_000, "completion_tokens": 1_000, "total_tokens": 11_000,
                      "prompt_tokens_details": {"cached_tokens": CACHED}}}


def suite(models, **more):
    return json.dumps({"id": "rain", "models": models, **more,
                       "prompts": [{"id": "p", "prompt": "say rain", "should": [{"$contains": "rain"}]}]})


def run(folder, mock, content, code=0):
    Path(folder, "suite.json").write_text(content)
    bases = [f"--base-url={name}={mock.url}/v1" for name in ("openai", "openai-responses", "google")]
    start = len(mock.requests)
    result = e2e.assay("run", "suite.json", "--json", *bases, f"--base-url=anthropic={mock.url}", "--out", "out",
                       cwd=folder, env=KEYS)
    e2e.expect(result, code)
    return e2e.one_run(result) if code == 0 else None, mock.requests[start:]


def shown(folder, *words):
    result = e2e.assay("show", "latest", "--case", "p", *words, cwd=folder)
    e2e.expect(result, 0)
    return result.stdout


with e2e.scratch() as folder, MockServer(reply=reply) as mock:
    asked = {  # model -> what asks for its thoughts
        "openai:gpt-5": ("reasoning", {"summary": "auto"}),
        "openai-responses:gpt-5-mini[effort:low]": ("reasoning", {"effort": "low", "summary": "auto"}),
        "anthropic:claude-opus-5-5": ("thinking", {"type": "adaptive", "display": "summarized"}),
        "google:gemini-2.5-flash": ("generationConfig", {"includeThoughts": True})}
    for model, (member, wanted) in asked.items():
        _, requests = run(folder, mock, suite([model]))
        e2e.check(len(requests) == 1 and "summar" not in json.dumps(requests[0]["body"]) and
                  "includeThoughts" not in json.dumps(requests[0]["body"]), f"{model}: {requests[0]['body']}")
        _, requests = run(folder, mock, suite([model + "[thoughts:shown]"]))
        e2e.check(len(requests) == 1, f"{model}: shown thoughts are another question")
        sent = requests[0]["body"][member]
        sent = sent["thinkingConfig"] if member == "generationConfig" else sent
        e2e.check(sent == wanted, f"{model}: {sent}")
        cell = json.loads(shown(folder, "--json"))["attempts"][0]
        e2e.check(cell["reasoning"] == "It seems wet." and cell["answer"] == "rain" and cell["score"] == 1, f"{cell}")
        e2e.check({**cell["citations"][0], "quote": ""} == {**PAGE, "quote": ""}, f"{model}: {cell['citations']}")
        e2e.check(f"sources:\n  {PAGE['title']} · {PAGE['url']}" in shown(folder), f"{model}: {shown(folder)}")
    page = max(Path(folder).rglob("report.html"), key=lambda path: path.stat().st_mtime).read_text()
    e2e.check(f"url: {PAGE['url']}" in e2e.page_text(page), "the page has no sources")
    _, requests = run(folder, mock, suite(["openai:gpt-5"], thoughts="shown"))
    e2e.check(not requests, "the header's word is the model's")

    # Parameters: in the key, but for what only the service looks at; the tier that answered has its price.
    first, requests = run(folder, mock, suite(["openai:gpt-4.1"], parameters={"verbosity": "low"}))
    e2e.check(requests[0]["body"]["verbosity"] == "low", f"{requests[0]['body']}")
    full = first["cost_usd"]
    _, requests = run(folder, mock, suite(["openai:gpt-4.1"], parameters={"verbosity": "high"}))
    e2e.check(len(requests) == 1, "another verbosity is another question")
    flex = {"verbosity": "high", "service_tier": "flex", "prompt_cache_key": "k"}
    _, requests = run(folder, mock, suite(["openai:gpt-4.1"], parameters=flex))
    e2e.check(not requests, "the tier is no part of the question")
    own = {"model": "openai:gpt-4.1", "parameters": {**flex, "logprobs": True}}
    cheap, requests = run(folder, mock, suite([own]))
    e2e.check(requests[0]["body"]["service_tier"] == "flex" and requests[0]["body"]["logprobs"] is True, f"{requests}")
    e2e.check(abs(cheap["cost_usd"] - full / 2) < 1e-9, f"{cheap['cost_usd']} of {full}")
    _, requests = run(folder, mock, suite(["openai-responses:gpt-4.1"], parameters={"verbosity": "low"}))
    e2e.check(requests[0]["body"]["text"] == {"verbosity": "low"}, f"{requests[0]['body']}")
    _, requests = run(folder, mock, suite(["google:gemini-2.5-flash"], max_tokens=77,
                                          parameters={"generationConfig": {"responseLogprobs": True}}))
    config = requests[0]["body"]["generationConfig"]
    e2e.check(config["responseLogprobs"] is True and config["maxOutputTokens"] == 77, f"{config}")
    for limit, streams in ((21_333, False), (21_334, True)):
        _, requests = run(folder, mock, suite(["anthropic:claude-opus-5-5"], max_tokens=limit))
        e2e.check(requests[0]["body"]["stream"] is streams, f"{limit} tokens: {requests[0]['body']['stream']}")
    run(folder, mock, suite(["openai:gpt-4.1"], parameters={"tools": []}), code=1)
    run(folder, mock, suite(["openai:gpt-4.1"], thoughts="all"), code=1)

    # What the store has seen in caches is counted at its price.
    Path(folder, "suite.json").write_text(suite(["openai:gpt-4.1"], parameters={"verbosity": "low"}).replace(
        "say rain", "say snow"))
    plan = json.loads(e2e.assay("plan", "suite.json", "--json", cwd=folder).stdout)
    line = next(each for each in plan[0]["calls"] if each["role"] == "candidate")
    e2e.check(abs(line["cached_tokens"] / line["input_tokens"] - 0.8) < 0.01, f"{line}")
    price = (line["input_tokens"] - line["cached_tokens"]) * 2 + line["cached_tokens"] * 0.5 + line["output_tokens"] * 8
    e2e.check(abs(line["cost_usd"] * 1e6 - price) < 0.02 * price, f"{line}: {price}")
