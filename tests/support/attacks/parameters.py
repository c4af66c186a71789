"""Parameters that a suite passes on replace nothing of what is asked."""
import json

import e2e
from mock_server import MockServer

from . import Attack

KEY = {"OPENAI_API_KEY": "sk-test-0820"}
DATASET = """id: d
docs:
  - {id: a, title: A, url: "https://orchard.example/a.txt"}
tests:
  - id: one
    query: say word
    doc_id: a
    expected: {type: contains, text: word}
"""
NAMES = {"model": '"gpt-9"', "messages": "[]", "input": '"say other"', "n": "9", "stream": "true", "tools": "[]",
         "tool_choice": '"none"', "store": "true", "Model": '"gpt-9"', "toolChoice": '"none"', "models": '["gpt-9"]',
         "system": '"lie"', "functions": "[]", "prompt": '"say other"', "previous_response_id": '"a"',
         "preset": '"a"', "plugins": "[]", "mcp_servers": "[]", "web_search_options": "{}", "prediction": "{}",
         "container": '"a"', "search_parameters": "{}", "candidateCount": "9", "cachedContent": '"a"'}


def research(name, value, *words, alias=False):
    def write(folder):
        (folder / "d.yaml").write_text(DATASET)
        where = f"[models.mine]\nmodel = \"openai:m\"\nparameters = {{{name} = {value}}}\n" if alias else ""
        own = "" if alias else f"[runs.parameters]\n{name} = {value}\n"
        (folder / "assay.toml").write_text(where)
        (folder / "m.toml").write_text(
            f'dataset = "d.yaml"\n[[runs]]\nid = "r"\nmodel_alias = "{"mine" if alias else "openai:m"}"\n'
            f'research_mode = false\nsource_provider = "live_web"\n{own}')
        return ["run", "m.toml", *words]
    return write


def blueprint(name, value):
    return described(parameters={name: json.loads(value)})


def described(inherit="openai", **members):
    """A model that a suite describes."""
    def write(folder):
        model = {"id": "custom:x", "modelName": "m", "inherit": inherit, "url": "http://127.0.0.1:9/v1", **members}
        (folder / "suite.yml").write_text(
            f"title: T\nid: t\nmodels: [{json.dumps(model)}]\nprompts: [{{id: a, prompt: say a, "
            "should: [{$contains: a}]}]\n")
        return ["run", "suite.yml", "--allow-host", "127.0.0.1"]
    return write


def refused(write, name):
    def tries(folder):
        words = write(folder)
        with MockServer() as mock:
            result = e2e.assay(*words, f"--base-url=openai={mock.url}/v1", cwd=folder, env=KEY)
            if mock.requests:
                return f"asked: {mock.requests[0]['body']}"
        e2e.expect(result, 1, "would replace what is asked")
        return None if name in result.stderr else "the parameter is not named"
    return tries


def passed(name, value, *words):
    """What is allowed, or sent because the original sends it: it is in the request."""
    def tries(folder):
        command = research(name, value, *words)(folder)
        with MockServer() as mock:
            result = e2e.assay(*command, f"--base-url=openai={mock.url}/v1", cwd=folder, env=KEY)
            e2e.check(mock.requests and result.returncode == 0, "the model is asked", result)
            sent = mock.requests[0]["body"].get(name)
        return None if json.dumps(sent) == value else f"{name} is sent as {sent!r}"
    return tries


def priced(answers):
    """What is sent all the same is in the bound that a budget holds."""
    def tries(folder):
        most = []
        for n in (1, answers):
            research("n", str(n))(folder)
            result = e2e.assay("plan", "m.toml", "--compat", "asky", "--json", cwd=folder, env=KEY)
            e2e.expect(result, 0)
            most.append(json.loads(result.stdout)[0]["total"]["output_tokens_max"])
        return None if most[1] == answers * most[0] else f"{most[1]} tokens at most, not {answers} × {most[0]}"
    return tries


ATTACKS = [
    Attack("max_tokens of a matrix", "parameters that are no question are sent", passed("max_tokens", "77")),
    Attack("n of a matrix, as the original", "--compat asky sends all", passed("n", "2", "--compat", "asky")),
    Attack("n of a matrix has a price", "--compat asky prices what it sends", priced(4)),
    *[Attack(f"{name} of a matrix", "parameters of a matrix", refused(research(name, value), name))
      for name, value in NAMES.items()],
    *[Attack(f"{name} of a name in [models]", "parameters of a name in [models]",
             refused(research(name, value, alias=True), name)) for name, value in NAMES.items()],
    *[Attack(f"{name} of a custom model", "parameters of a custom model", refused(blueprint(name, value), name))
      for name, value in NAMES.items()],
    *[Attack(f"{usual} mapped to {name}", "names of parameters",
             refused(described(parameterMapping={usual: name}), name))
      for usual in ("max_tokens", "temperature") for name in ("n", "model", "Messages", "candidateCount", "store")],
    *[Attack(f"{name} in {config}", "parameters of a custom model",
             refused(described("google", parameters={config: {name: 9}}), name))
      for config in ("generationConfig", "generation_config")
      for name in ("candidateCount", "candidate_count", "cachedContent", "model")],
    Attack("generationConfig of a matrix", "parameters of a matrix",
           refused(research("generationConfig", "{candidateCount = 9}"), "candidateCount")),
]
