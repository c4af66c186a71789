#!/usr/bin/env python3
"""A part too many or too few in an address used to be told as "Not Found": the error names the address that was asked,
without password and query, and where a redirect leads."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402

KEYS = {"OPENAI_API_KEY": "sk-test-where-1", "ANTHROPIC_API_KEY": "sk-test-where-2",
        "GOOGLE_API_KEY": "sk-test-where-3"}
MODELS = {"openai-compatible:m": "/chat/completions", "anthropic:claude-x": "/messages",
          "google:gemini-x": ":generateContent", "openai-responses:gpt-x": "/responses"}


def said(folder, mock, model, path, extra=""):
    Path(folder, "suite.json").write_text(json.dumps(
        {"id": "s", "models": [model], "prompts": [{"id": "p", "prompt": "say x", "should": [{"$contains": "x"}]}]}))
    url = mock.url.replace("http://", "http://me:secret@" if extra else "http://")
    base = f"--base-url={model.partition(':')[0]}={url}{path}{extra}"
    return e2e.assay("run", "suite.json", base, "--max-retries", "0", "--fresh", "-q", cwd=folder, env=KEYS)


with e2e.scratch() as folder:
    for code in (404, 405, 410):
        with MockServer(fault=lambda text, attempt: status(code, body='{"error": {"message": "Not Found"}}')) as mock:
            for model, end in MODELS.items():
                result = said(folder, mock, model, "/v1/v1")
                e2e.check(f"{mock.url}/v1/v1" in result.stderr and end in result.stderr, f"{code} {model}", result)
            result = said(folder, mock, "openai-compatible:m", "/v2", "?api-key=hidden")
            e2e.check("/v2/chat/completions" in result.stderr, "the path", result)
            e2e.check("hidden" not in result.stderr and "secret" not in result.stderr, "no password, no query", result)
    moved = "https://example.org/new/v1/chat/completions"
    for code in (301, 302, 307, 308):
        with MockServer(fault=lambda text, attempt: status(code, {"location": moved + "?token=hidden"})) as mock:
            result = said(folder, mock, "openai-compatible:m", "/v1")
            e2e.check(moved in result.stderr and "hidden" not in result.stderr, f"{code} leads somewhere", result)
    with MockServer(fault=lambda text, attempt: status(500)) as mock:
        result = said(folder, mock, "openai-compatible:m", "/v1")
        e2e.check("the address asked" not in result.stderr, "other errors are no matter of the address", result)
