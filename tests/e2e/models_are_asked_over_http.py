#!/usr/bin/env python3
"""Models of several services are asked over HTTP, judges too; a second run asks nothing; no key is kept anywhere."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

KEYS = {"OPENAI_API_KEY": "sk-test-openai-4711", "ANTHROPIC_API_KEY": "sk-test-anthropic-4712",
        "GOOGLE_API_KEY": "sk-test-google-4713", "OPENROUTER_API_KEY": "sk-test-openrouter-4714"}
VERDICT = "<reflection>It does.</reflection><classification>CLASS_EXACT</classification>"
SUITE = """title: Live
id: live
models: [openai:gpt-4o-mini, openai:o3-mini, anthropic:claude-x, google:gemini-x]
system: Be brief.
prompts:
  - id: a
    prompt: say word
    should:
      - $contains: word
      - it is polite
"""


def answer(text):
    return VERDICT if "CLASS_EXACT" in text else text.removeprefix("say ") + " " + KEYS["OPENAI_API_KEY"]


with e2e.scratch() as folder, MockServer(answer=answer) as mock:
    Path(folder, "suite.yml").write_text(SUITE)
    urls = [f"--base-url={name}={mock.url}{path}" for name, path in
            [("openai", "/v1"), ("anthropic", ""), ("google", "/v1beta"), ("openrouter", "/api/v1")]]
    words = ["run", "suite.yml", *urls, "--json", "-v"]
    first = e2e.assay(*words, cwd=folder, env=KEYS)
    e2e.expect(first, 0)
    run = e2e.one_run(first)
    e2e.check([v["mean"] for v in run["variants"]] == [1, 1, 1, 1], "expected four full scores", first)
    e2e.check(run["candidate_usage"]["input_tokens"] == 28, "expected the usage of four replies", first)
    # Four equal answers are judged once by each of three judges.
    e2e.check(len(mock.requests) == 4 + 3, f"{len(mock.requests)} requests", first)

    planned = e2e.assay("plan", "suite.yml", *urls, "--json", cwd=folder)
    total = json.loads(planned.stdout)[0]["total"]
    e2e.check((total["calls"], total["answered"]) == (0, 16), f"four answers and twelve verdicts are there: {total}")

    by_path = {}
    for request in mock.requests:
        by_path.setdefault(request["path"], []).append(request)
    e2e.check(sorted(by_path) == ["/api/v1/chat/completions", "/v1/chat/completions", "/v1/messages",
                                  "/v1beta/models/gemini-x:generateContent"], f"paths: {sorted(by_path)}")
    plain, thinker = sorted(by_path["/v1/chat/completions"], key=lambda request: request["body"]["model"])
    e2e.check(plain["headers"]["authorization"] == f"Bearer {KEYS['OPENAI_API_KEY']}", f"{plain['headers']}")
    e2e.check(plain["body"] == {"model": "gpt-4o-mini", "temperature": 0, "max_tokens": 1500, "stream": False,
                                "messages": [{"role": "system", "content": "Be brief."},
                                             {"role": "user", "content": "say word"}]}, f"{plain['body']}")
    # Room for its thoughts, and for the answer what others get.
    e2e.check("temperature" not in thinker["body"] and thinker["body"]["max_completion_tokens"] == 26500,
              f"{thinker['body']}")
    claude = by_path["/v1/messages"][0]
    e2e.check(claude["headers"]["x-api-key"] == KEYS["ANTHROPIC_API_KEY"], f"{claude['headers']}")
    e2e.check(claude["body"]["system"] == "Be brief." and len(claude["body"]["messages"]) == 1, f"{claude['body']}")
    gemini = by_path["/v1beta/models/gemini-x:generateContent"][0]
    e2e.check(gemini["headers"]["x-goog-api-key"] == KEYS["GOOGLE_API_KEY"], f"{gemini['headers']}")
    judges = {request["body"]["model"]: request for request in by_path["/api/v1/chat/completions"]}
    judge = judges["openai/gpt-6-luna"]
    e2e.check("expect" not in judge["headers"], f"{judge}")
    e2e.check(all(each["body"]["max_tokens"] > 500 for each in judges.values()), "a judge that thinks has no room")

    again = e2e.assay(*words, cwd=folder, env=KEYS)
    e2e.expect(again, 0)
    e2e.check(len(mock.requests) == 7, "a finished run asked again", again)

    # The service repeated a key in its answer, and still no byte of any key is kept or shown.
    texts = [first.stdout, first.stderr, again.stdout, again.stderr]
    files = [path for path in Path(folder).rglob("*") if path.is_file()]
    e2e.check(len(files) > 5, f"only {files}")
    for name, key in KEYS.items():
        e2e.check(not any(key in text for text in texts), f"{name} was shown")
        for path in files:
            e2e.check(key.encode() not in path.read_bytes(), f"{name} is in {path}")
