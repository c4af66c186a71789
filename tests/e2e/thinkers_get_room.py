#!/usr/bin/env python3
"""Models that think get room where nobody limits them; what was cut for want of it is asked again, once."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

SUITE = """title: Room
models: [openai:gpt-5]
prompts:
  - prompt: say a whole answer
    should: [$contains: whole answer]
"""
NARROW = '[models."openai:gpt-5"]\nthinking_room = 100\n'
THOUGHTS = 5000


def reply(path, body):
    """Thinks for 5,000 tokens, and answers with what is left."""
    left = body["max_completion_tokens"] - THOUGHTS
    usage = {"prompt_tokens": 7, "completion_tokens": min(THOUGHTS + 3, body["max_completion_tokens"]),
             "completion_tokens_details": {"reasoning_tokens": min(THOUGHTS, body["max_completion_tokens"])}}
    # A little is said even then: a text that was cut is an answer, too.
    text, finish = ("a whole answer", "stop") if left > 0 else ("a", "length")
    return json.dumps({"choices": [{"index": 0, "message": {"role": "assistant", "content": text},
                                    "finish_reason": finish}], "usage": usage})


def silent(path, body):
    return reply(path, body).replace('"content": "a"', '"content": ""')


def run(mock, folder, *words):
    return e2e.assay("run", "suite.yml", f"--base-url=openai={mock.url}/v1", "--json", "--max-retries=0", *words,
                     cwd=folder, env={"OPENAI_API_KEY": "sk-test-openai-4711"})


def limits(mock):
    return [request["body"]["max_completion_tokens"] for request in mock.requests]


with e2e.scratch() as folder, MockServer(reply=reply) as mock:
    Path(folder, "suite.yml").write_text(SUITE)
    e2e.own_settings(NARROW)
    first = run(mock, folder)
    e2e.check(e2e.one_run(first)["variants"][0]["mean"] == 0, "expected half an answer", first)
    e2e.check(limits(mock) == [1600], f"{limits(mock)}")
    again = run(mock, folder)
    e2e.check(limits(mock) == [1600], "the same room, and asked again", again)

    e2e.own_settings("")
    planned = json.loads(e2e.assay("plan", "suite.yml", f"--base-url=openai={mock.url}/v1", "--json",
                                   cwd=folder).stdout)[0]
    e2e.check((planned["total"]["calls"], planned["calls"][0]["output_tokens_max"]) == (1, 26500), f"{planned}")
    wider = run(mock, folder)
    e2e.check(e2e.one_run(wider)["variants"][0]["mean"] == 1, "expected the whole answer", wider)
    e2e.check(limits(mock) == [1600, 26500], f"{limits(mock)}")
    e2e.check("max_tokens" not in mock.requests[-1]["body"], f"{mock.requests[-1]['body']}")
    run(mock, folder)
    e2e.check(limits(mock) == [1600, 26500], "what was whole is asked again")

    # What somebody wrote is another question, and stays as it is.
    for _ in range(2):
        run(mock, folder, "--max-tokens", "900")
    e2e.check(limits(mock) == [1600, 26500, 900], f"{limits(mock)}")
    run(mock, folder, "--compat", "weval", "--skip-executive-summary", "--eval-method", "llm-coverage")
    e2e.check(limits(mock)[-1] in (900, 1500) and 26500 not in limits(mock)[3:], f"{limits(mock)}")

# The remedy of an empty answer works as it is written.
with e2e.scratch() as folder, MockServer(reply=silent) as mock:
    Path(folder, "suite.yml").write_text(SUITE.replace("title: Room", "title: Room\nmax_tokens: 1500"))
    empty = run(mock, folder, "-v")
    words = (empty.stdout + empty.stderr).split()
    e2e.check("--max-tokens" in words, "expected a remedy", empty)
    remedy = words[words.index("--max-tokens"):][:2]
    mended = run(mock, folder, *remedy)
    e2e.check(e2e.one_run(mended)["variants"][0]["mean"] == 1, f"{remedy} did not help", mended)
