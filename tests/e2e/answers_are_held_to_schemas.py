#!/usr/bin/env python3
"""A schema in the header goes along with every prompt but those that say null or another; a model's entry leaves it out
with response_format: false. $matches_schema grades by the prompt's own or another one; nothing is checked unasked."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

KEYS = {"OPENAI_API_KEY": "sk-test-schema-4712"}
WORD = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"],
        "additionalProperties": False}
NUMBER = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
          "properties": {"number": {"type": "integer"}}, "required": ["number"]}
FREE = "openai:gpt-4o-mini[response_format:false]"


def suite(**more):
    prompts = [
        {"id": "header", "prompt": 'say {"word":"yes"}', "should": [{"$matches_schema": True}]},
        {"id": "own", "prompt": 'say {"number":1.5}', "response_format": NUMBER,
         "should": [{"$matches_schema": True}, {"$matches_schema": {"required": ["number"]}}]},
        {"id": "none", "prompt": "say no JSON", "response_format": None, "should": [{"$matches_schema": WORD}]},
        {"id": "unchecked", "prompt": "say nothing of it", "should": [{"$contains": "nothing"}]}]
    models = ["openai:gpt-4o-mini", {"model": "openai:gpt-4o-mini", "response_format": False}]
    return {"id": "schemas", "models": models, "response_format": WORD, "prompts": prompts, **more}


def check(folder, content, code, text, *words):
    Path(folder, "suite.json").write_text(json.dumps(content))
    e2e.expect(e2e.assay("check", "suite.json", *words, cwd=folder, env=KEYS), code, text)


with e2e.scratch() as folder, MockServer(answer=lambda text: text.removeprefix("say ")) as mock:
    Path(folder, "suite.json").write_text(json.dumps(suite()))
    result = e2e.assay("run", "suite.json", "--json", "--out", "out", f"--base-url=openai={mock.url}/v1", cwd=folder,
                       env=KEYS)
    e2e.expect(result, 0)
    sent = {}
    for request in mock.requests:
        asked = request["body"].get("response_format")
        question = request["body"]["messages"][-1]["content"]
        sent.setdefault(question, []).append(asked and asked["json_schema"]["schema"])
    key = lambda schemas: sorted(schemas, key=str)  # noqa: E731
    e2e.check({question: key(schemas) for question, schemas in sent.items()} == {
        'say {"word":"yes"}': key([WORD, None]), 'say {"number":1.5}': key([NUMBER, None]),
        "say no JSON": [None], "say nothing of it": key([WORD, None])}, f"{sent}", result)
    shown = e2e.assay("show", "latest", "--json", cwd=folder)
    e2e.expect(shown, 0)
    file = next(Path(folder, "out").rglob("*_comparison.json"))
    told = json.loads(file.read_text())
    e2e.check(sorted(told["effectiveModels"]) == sorted(["openai:gpt-4o-mini", FREE]), f"{told['effectiveModels']}")
    coverage = told["evaluationResults"]["llmCoverageScores"]
    scores = {prompt: by_model[FREE]["avgCoverageExtent"] for prompt, by_model in coverage.items()}
    e2e.check(scores == {"header": 1, "own": 0.5, "none": 0, "unchecked": 1}, f"{scores}")
    points = [point for prompt in ("own", "none") for point in coverage[prompt][FREE]["pointAssessments"]]
    why = [point.get("reflection", point.get("error", "")) for point in points if point["coverageExtent"] == 0]
    e2e.check("/number: expected integer, found number" in why[0], f"{why}")
    e2e.check("the answer is no JSON" in why[1], f"{why}")

    # Each place that does not fit is kept with what was expected there, and shown.
    own = e2e.assay("show", "latest", "--case", "own", "--json", cwd=folder)
    e2e.expect(own, 0)
    items = [point["items"] for cell in json.loads(own.stdout)["attempts"] for point in cell["points"]]
    e2e.check([{key: item[key] for key in ("wanted", "found", "share", "points")} for item in items[0]] ==
              [{"wanted": "integer at /number", "found": "number", "share": 0, "points": None}], f"{items}", own)
    own = e2e.assay("show", "latest", "--case", "own", cwd=folder)
    e2e.check("integer at /number" in own.stdout, "the terminal shows it too", own)

    # What cannot be: told by check, with a place, before anything is asked.
    asked = len(mock.requests)
    check(folder, suite(models=["openai:gpt-3.5-turbo"]), 1, "plan.schema")
    check(folder, suite(models=[{"model": "openai:gpt-3.5-turbo", "response_format": False}]), 0, "")
    check(folder, suite(response_format="json"), 1, "response_format: expected a JSON Schema")
    check(folder, suite(models=[{"model": "openai:gpt-4o", "response_format": WORD}]), 1,
          "response_format: expected false")
    remote = {"$ref": "http://127.0.0.1:9/schema.json"}
    prompt = {"id": "p", "prompt": "say 1", "should": [{"$matches_schema": remote}]}
    check(folder, {"models": ["echo:a"], "prompts": [prompt]}, 1, "none is ever fetched")
    check(folder, {"models": ["echo:a"], "prompts": [{**prompt, "should": [{"$matches_schema": True}]}]}, 1,
          "true means the prompt's response_format, and it has none")
    check(folder, suite(models=["openai:gpt-4o-mini"]), 0, "response_format has no effect", "--compat", "weval")
    e2e.own_settings('[models."openai:gpt-3.5*"]\nschema = true\n')
    check(folder, suite(models=["openai:gpt-3.5-turbo"]), 0, "")
    e2e.check(len(mock.requests) == asked, "checks ask nobody")
