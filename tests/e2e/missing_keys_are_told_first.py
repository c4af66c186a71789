#!/usr/bin/env python3
"""A model without its key, its URL or its provider is told before anything is asked."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

with e2e.scratch() as folder, MockServer() as mock:
    for model, fragment in [("openai:gpt-4o", "OPENAI_API_KEY is not set"),
                            ("google:gemini", "GOOGLE_API_KEY is not set"),
                            ("openai-compatible:m", "--base-url openai-compatible=URL"),
                            ("opnai:gpt-4o", "did you mean openai?")]:
        Path(folder, "suite.yml").write_text(e2e.suite(2, model=model))
        e2e.expect(e2e.assay("run", "suite.yml", cwd=folder), 1, model, "2 times", fragment)
    Path(folder, "suite.yml").write_text(e2e.suite(2, model="openai:gpt-4o"))
    bad = e2e.assay("run", "suite.yml", "--base-url", f"opnai={mock.url}", cwd=folder)
    e2e.expect(bad, 1, "--base-url", "did you mean openai?")
    e2e.expect(e2e.assay("run", "suite.yml", "--base-url", "openai=ftp://x", cwd=folder), 1, "PROVIDER=URL")
    e2e.nothing_written(folder, "suite.yml")

    # A server of one's own may need no key; the key of the environment twin is taken like the option.
    url = {"OPENAI_BASE_URL": f"{mock.url}/v1"}
    e2e.expect(e2e.assay("run", "suite.yml", cwd=folder, env=url), 0)
    e2e.check("authorization" not in mock.requests[0]["headers"], f"{mock.requests[0]['headers']}")
    e2e.check(mock.texts() == ["say word 0", "say word 1"] or mock.texts() == ["say word 1", "say word 0"],
              f"{mock.texts()}")

    # --offline needs neither and asks nothing.
    offline = e2e.assay("run", "suite.yml", "--offline", "--out", "o", cwd=folder, env=url)
    e2e.expect(offline, 0)
    e2e.check(len(mock.requests) == 2, "--offline asked", offline)
