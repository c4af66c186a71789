#!/usr/bin/env python3
"""Tokens of embeddings are neither the candidates' usage nor the judges': they are told apart, as each role's."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

SUITE = """title: Embedded
id: embedded
models: [openai:gpt-4o-mini]
prompts:
  - {id: a, prompt: say word, ideal: word, should: [{$contains: word}]}
"""

with e2e.scratch() as folder, MockServer() as mock:
    Path(folder, "suite.yml").write_text(SUITE)
    words = ["run", "suite.yml", f"--base-url=openai={mock.url}/v1", "--json", "--fresh"]
    usages = []
    for method in ("llm-coverage", "all"):
        result = e2e.assay(*words, "--eval-method", method, cwd=folder, env={"OPENAI_API_KEY": "sk-test-embed"})
        e2e.expect(result, 0)
        run = e2e.one_run(result)
        usages.append((run["candidate_usage"], run["judge_usage"]))
    e2e.check(any(request["path"].endswith("/embeddings") for request in mock.requests), "nothing was embedded", result)
    e2e.check(set(run["usage"]) == {"candidate", "embedding"}, f"expected both roles: {run['usage']}", result)
    e2e.check(run["usage"]["candidate"] == run["candidate_usage"] and run["usage"]["embedding"]["input_tokens"] > 0,
              f"expected what each used: {run['usage']}", result)
    e2e.check(usages[0] == usages[1], f"embeddings were counted: {usages}", result)
