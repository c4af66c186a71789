#!/usr/bin/env python3
"""A JSON Schema in a prompt's response_format goes along with the question, wrapped or not, and is part of it;
--json-judges asks judges for JSON; --compat weval sends neither."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

KEYS = {"OPENAI_API_KEY": "sk-test-schema-4711"}
SCHEMA = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"],
          "additionalProperties": False}
SENT = {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True}}


def suite(schema):
    judges = {"llm-coverage": {"judges": [{"id": "one", "model": "openai:gpt-4.1", "approach": "standard"}]}}
    header = {"title": "Schema", "id": "schema", "models": ["openai:gpt-4o-mini"], "evaluationConfig": judges}
    prompts = [{"id": "json", "prompt": 'say {"word":"yes"}', "response_format": schema,
                "should": [{"$is_json": True}, "it is polite"]},
               {"id": "plain", "prompt": "say yes", "should": [{"$contains": "yes"}]}]
    return json.dumps({**header, "prompts": prompts})


def answer(text):
    if "CLASS_EXACT" not in text:
        return text.removeprefix("say ")
    if '{"reflection"' in text:
        return json.dumps({"reflection": "Fine.", "classification": "CLASS_EXACT"})
    return "<reflection>Fine.</reflection><classification>CLASS_EXACT</classification>"


def run(folder, mock, *words, code=0):
    result = e2e.assay("run", "suite.yml", "--json", f"--base-url=openai={mock.url}/v1", *words, cwd=folder, env=KEYS)
    e2e.expect(result, code)
    return result


def formats(mock, start=0):
    return [(request["body"]["model"], request["body"].get("response_format")) for request in mock.requests[start:]]


with e2e.scratch() as folder, MockServer(answer=answer) as mock:
    Path(folder, "suite.yml").write_text(suite(SCHEMA))
    result = run(folder, mock)
    e2e.check(e2e.one_run(result)["mean"] == 1, "expected full scores", result)
    e2e.check(sorted(formats(mock), key=str) == sorted([("gpt-4.1", None), ("gpt-4o-mini", None),
                                                        ("gpt-4o-mini", SENT)], key=str), f"{formats(mock)}")
    Path(folder, "suite.yml").write_text(suite({"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA}}))
    run(folder, mock)
    e2e.check(len(mock.requests) == 3, "the same schema is the same question, wrapped or not")

    result = run(folder, mock, "--json-judges")
    e2e.check(e2e.one_run(result)["mean"] == 1, "expected full scores", result)
    model, asked = formats(mock, 3)[0]
    e2e.check(len(mock.requests) == 4 and model == "gpt-4.1", "only the judge is asked anew", result)
    e2e.check(asked["json_schema"]["strict"] and "CLASS_EXACT" in json.dumps(asked), f"{asked}")

    Path(folder, "suite.yml").write_text(suite({**SCHEMA, "required": []}))
    run(folder, mock)
    model, asked = next(each for each in formats(mock, 4) if each[1])
    e2e.check(asked["json_schema"]["strict"] is False, f"a schema that is not strict is not called so: {asked}")

    start = len(mock.requests)
    result = run(folder, mock, "--compat", "weval", "--skip-executive-summary", "--eval-method", "llm-coverage")
    e2e.check(len(mock.requests) > start and not any(sent for _, sent in formats(mock, start)), "weval sends none")
    e2e.check("response_format has no effect" in result.stderr, "nobody was told", result)
    e2e.expect(e2e.assay("run", "suite.yml", "--compat", "weval", "--json-judges", cwd=folder, env=KEYS), 1,
               "--json-judges")
    Path(folder, "suite.yml").write_text(suite("json"))
    e2e.expect(e2e.assay("check", "suite.yml", cwd=folder), 1, "expected a JSON Schema")
