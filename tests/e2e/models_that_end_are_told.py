#!/usr/bin/env python3
"""`assay doctor SUITE` says which models and judges end: by the day that their service names in its list of models
(`shutdown_date`), else by the table. It asks only services of models whose key is set, and nobody with --offline or
without a suite."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402

SUITE = """id: ends
models: [openai:one, openai:two, openai:three]
evaluationConfig: {llm-coverage: {judges: [{model: "openai:judge", approach: holistic},
                                           {model: "openrouter:openai/gpt-4.1-mini", approach: holistic}]}}
prompts:
  - {id: a, prompt: "say word", should: [Says the word.]}
"""
LIST = {"object": "list", "data": [
    {"id": "one", "object": "model", "shutdown_date": "2020-01-31"},
    {"id": "two", "object": "model", "shutdown_date": None},
    {"id": "three", "object": "model"},
    {"id": "judge", "object": "model", "shutdown_date": "2999-12-31"},
    {"id": "strange", "object": "model", "shutdown_date": "soon"}, {"object": "model"}, 7]}


def models(folder, mock, *words, key=True):
    env = {"OPENAI_BASE_URL": f"{mock.url}/v1", **({"OPENAI_API_KEY": "sk-0123456789"} if key else {})}
    done = e2e.assay("doctor", *words, "--json", cwd=folder, env=env)
    e2e.expect(done, 0)
    return json.loads(done.stdout)["models"], done


with e2e.scratch() as scratch:
    folder = Path(scratch)
    (folder / "suite.yml").write_text(SUITE)
    with MockServer(reply=lambda path, body: json.dumps(LIST) if path.endswith("/models") else None) as mock:
        said, done = models(folder, mock, "suite.yml")
        paths = [each["path"] for each in mock.requests]
        e2e.check(paths == ["/v1/models"], f"one list of one service: {paths}")
        e2e.check(mock.requests[0]["headers"].get("Authorization", mock.requests[0]["headers"].get("authorization")) ==
                  "Bearer sk-0123456789", "with the key")
        e2e.check("candidate: openai:one has ended on 2020-01-31" in said["openai:one"], f"{said}")
        e2e.check("judge: openai:judge ends on 2999-12-31, in " in said["openai:judge"], f"{said}")
        e2e.check(f"{mock.url}/v1/models" in said["openai:judge"], f"its source: {said}")
        e2e.check("openai:two" not in said and "openai:three" not in said, f"no day, no line: {said}")
        e2e.check("sk-0123456789" not in done.stdout + done.stderr, "no key is shown", done)

        before = len(mock.requests)
        for words, key in ((["suite.yml", "--offline"], True), ([], True), (["suite.yml"], False)):
            said, _ = models(folder, mock, *words, key=key)
            e2e.check(len(mock.requests) == before, f"nobody is asked: {words}")
            e2e.check("openai:one" not in said, f"nothing is known without the list: {said}")

    # An alias with an address of its own, and --base-url: like a run, they need no key.
    (folder / "questions.yaml").write_text(
        'id: q\ndocs: [{id: d, title: D, url: "https://example.org/d"}]\n'
        'tests: [{id: a, doc_id: d, query: "When?", expected: {type: contains, text: it}}]\n')
    (folder / "matrix.toml").write_text(
        'dataset = "./questions.yaml"\noutput_root = "./runs"\n[[runs]]\nid = "p"\nmodel_alias = "gf"\n'
        'source_provider = "live_web"\n[[runs]]\nid = "q"\nmodel_alias = "anthropic:claude-3-7-sonnet-20250219"\n'
        'source_provider = "live_web"\n')
    with MockServer(reply=lambda path, body: json.dumps(LIST) if path.endswith("/models") else None) as mock:
        (folder / "assay.toml").write_text(f'[models.gf]\nmodel = "openai:one"\nbase_url = "{mock.url}/own"\n')
        done = e2e.assay("doctor", "matrix.toml", "--trust", "--json", cwd=folder, env={"CI": ""})
        e2e.expect(done, 0)
        e2e.check([each["path"] for each in mock.requests] == ["/own/models"], f"{mock.requests}", done)
        said = json.loads(done.stdout)["models"]
        e2e.check("has ended on 2020-01-31" in said["openai:one"], "the alias's service", done)
        done = e2e.assay("doctor", "suite.yml", "--base-url", f"openai={mock.url}/v1", "--json", cwd=folder)
        e2e.expect(done, 0)
        e2e.check(mock.requests[-1]["path"] == "/v1/models", f"{mock.requests}", done)
        e2e.check("has ended on 2020-01-31" in json.loads(done.stdout)["models"]["openai:one"], "--base-url", done)

    # `check` of a matrix says what `plan` says, once for each model, and of judges too.
    (folder / "assay.toml").unlink()
    text = (folder / "matrix.toml").read_text().replace('"gf"', '"anthropic:claude-3-7-sonnet-20250219"')
    (folder / "matrix.toml").write_text(text)
    asked = (folder / "questions.yaml").read_text().replace("contains, text: it", "judge, criterion: Says it")
    (folder / "questions.yaml").write_text(asked)
    done = e2e.assay("check", "matrix.toml", "--judge", "anthropic:claude-3-opus-20240229", cwd=folder)
    e2e.expect(done, 0, "the judge anthropic:claude-3-opus-20240229 has ended on 2026-01-05")
    line = "anthropic:claude-3-7-sonnet-20250219 has ended on 2026-02-19"
    e2e.check(done.stderr.count(line) == 1, "each model once", done)

    for fault, words in ((status(500), "status 500"), ("[]", "no list of models"), ("half", "")):
        with MockServer(reply=lambda path, body, fault=fault: fault) as mock:
            said, _ = models(folder, mock, "suite.yml")
            e2e.check("gave no list of models" in said["openai"] and words in said["openai"], f"{fault}: {said}")
