#!/usr/bin/env python3
"""$call and $factcheck over real HTTP: passing faults are survived, replies are recorded and replayed offline, and a
suite that sends a secret to its own URL, or calls into the private network, is refused."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import HANG, MockServer, status  # noqa: E402

SECRETS = {"GRADER_TOKEN": "token-0815-grader", "BACKGROUND_FUNCTION_AUTH_TOKEN": "token-0816-facts"}
SUITE = """title: Services
id: services
models: [echo:a]
externalServices:
  grader: {{url: "{url}/score", headers: {{x-mine: "a ${{GRADER_TOKEN}} b"}}, retry_backoff_ms: 5, timeout_ms: 500}}
prompts:
  - id: a
    prompt: say word
    should:
      - $call: {{service: grader, claim: "{{modelId}} says {{response}}"}}
      - $factcheck: words
"""
SCORE = status(200, body='{"score": 0.5, "explain": "half of it"}')


def write(folder, url):
    Path(folder, "suite.yml").write_text(SUITE.format(url=url))


def run(folder, *words, secrets=SECRETS):
    return e2e.assay("run", "suite.yml", "--json", *words, cwd=folder, env=secrets)


def answers(fault_of_grader):
    """The grader's first two tries get faults; facts are all right."""
    def fault(text, attempt):
        if text == "say word":
            return status(200, body='{"score": 1}')
        return SCORE if attempt > 1 else fault_of_grader(attempt)
    return fault


def grants(mock):
    return ["--allow-env", "GRADER_TOKEN", "--allow-host", "127.0.0.1", f"--base-url=factcheck={mock.url}"]


with e2e.scratch() as folder, MockServer(fault=answers(lambda attempt: [status(503), HANG][attempt])) as mock:
    write(folder, mock.url)
    result = run(folder, *grants(mock), "--record", "all.jsonl")
    e2e.expect(result, 0)
    done = e2e.one_run(result)
    e2e.check(done["request_errors"] == 0 and done["mean"] == 0.75, "two faults are survived", result)
    calls = [request for request in mock.requests if request["path"] == "/score"]
    e2e.check(len(calls) == 3, f"three tries were expected, came {len(calls)}")
    e2e.check(calls[0]["body"] == {"response": "say word", "modelId": "echo:a", "promptId": "a",
                                   "claim": "echo:a says say word"}, f"{calls[0]['body']}")
    e2e.check(calls[0]["headers"]["x-mine"] == "a token-0815-grader b", f"{calls[0]['headers']}")
    facts = [request for request in mock.requests if request["path"] == "/api/internal/factcheck"]
    e2e.check(len(facts) == 1 and facts[0]["headers"]["x-background-function-auth-token"] == "token-0816-facts",
              f"{facts}")
    e2e.check("token-0815-grader" not in json.dumps(facts) and "token-0816-facts" not in json.dumps(calls),
              "each secret goes to its own service")
    for path in Path(folder).rglob("*"):
        e2e.check(not path.is_file() or b"token-081" not in path.read_bytes(), f"a secret is in {path}")

    count = len(mock.requests)
    again = run(folder, *grants(mock))
    e2e.expect(again, 0)
    e2e.check(len(mock.requests) == count, "what is answered is not asked again")
    (Path(folder) / "elsewhere").mkdir()
    write(Path(folder) / "elsewhere", mock.url)
    replayed = run(Path(folder) / "elsewhere", "--offline", "--replay", "../all.jsonl", secrets={})
    e2e.expect(replayed, 0)
    e2e.check(e2e.one_run(replayed)["mean"] == 0.75 and len(mock.requests) == count, "the recording answers", replayed)

with e2e.scratch() as folder, MockServer(fault=lambda *_: status(404, body="no such page")) as mock:
    write(folder, mock.url)
    result = run(folder, *grants(mock))
    e2e.expect(result, 2, "2 requests failed for good", "404", "1 of 1 cell is graded in part")
    count = len(mock.requests)
    e2e.check(count == 2, f"a 404 is tried once: {count}")
    run(folder, *grants(mock))
    e2e.check(len(mock.requests) == 2 * count, "a failed call is asked again by the same command")

with e2e.scratch() as folder, MockServer(fault=lambda *_: SCORE) as mock:
    write(folder, mock.url)
    allowed_host = ["--allow-host", "127.0.0.1"]
    e2e.expect(run(folder, "--fresh", *allowed_host), 2, "--allow-env GRADER_TOKEN")
    facts_alone = "prompts: [{id: a, prompt: say word, should: [$factcheck]}]\nmodels: [echo:a]\n"
    Path(folder, "suite.yml").write_text(facts_alone)
    result = run(folder, f"--base-url=factcheck={mock.url}", secrets={})
    e2e.expect(result, 2, "BACKGROUND_FUNCTION_AUTH_TOKEN is not set")
    alone = SUITE.replace("$factcheck: words", "$is_json")
    Path(folder, "suite.yml").write_text(alone.format(url=mock.url))
    e2e.expect(run(folder, "--fresh", "--allow-env", "GRADER_TOKEN"), 2, "--allow-host")
    Path(folder, "suite.yml").write_text(alone.replace("GRADER_TOKEN", "OPENAI_API_KEY").format(url=mock.url))
    result = run(folder, "--fresh", *allowed_host, secrets={"OPENAI_API_KEY": "sk-test-0817"})
    e2e.expect(result, 2, "--allow-env OPENAI_API_KEY")
    e2e.check(not mock.requests, f"something went out: {mock.requests}")
