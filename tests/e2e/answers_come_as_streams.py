#!/usr/bin/env python3
"""--stream: the same answers and the same keys, asked for piece by piece; usage is counted, the pace is told, services
that know it otherwise are asked so, and a stream that falls silent or is cut is tried again."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import CUT, LATE, LATE_S, SILENT, MockServer, status  # noqa: E402

KEYS = {"OPENAI_API_KEY": "sk-test-streams-4711", "ANTHROPIC_API_KEY": "sk-test-streams-4712",
        "GOOGLE_API_KEY": "sk-test-streams-4713", "MISTRAL_API_KEY": "sk-test-streams-4714"}
MODELS = "openai:gpt-4o-mini, openai:gpt-5-pro, anthropic:claude-x, mistral:mistral-x, google:gemini-x"
PAUSE_S = 0.05


def run(folder, mock, *words, env=None):
    urls = [f"--base-url={name}={mock.url}" for name in ("openai", "anthropic", "mistral", "google")]
    result = e2e.assay("run", "suite.yml", "--json", *urls, *words, cwd=folder, env={**KEYS, **(env or {})})
    e2e.expect(result, 0)
    e2e.check(e2e.one_run(result)["mean"] == 1, "expected full scores", result)
    return result


def write_suite(folder, cases, models):
    Path(folder, "suite.yml").write_text(e2e.suite(cases, model=models))


with e2e.scratch() as folder:
    write_suite(folder, 2, MODELS)
    with MockServer(pause=PAUSE_S) as mock:
        result = run(folder, mock, "--stream")
        usage = e2e.one_run(result)["candidate_usage"]
        e2e.check(usage["output_tokens"] == 2 * 4 * 2, f"what streams say of their tokens counts: {usage}", result)
        for request in mock.requests:
            model, body = request["body"].get("model"), request["body"]
            counted = {"include_usage": True} if model == "gpt-4o-mini" else None
            e2e.check(body.get("stream_options") == counted, f"{body}")
            e2e.check(body.get("stream") == (True if model else None), f"google's is another method: {body}")
            e2e.check(model or request["path"].endswith(":streamGenerateContent?alt=sse"), request["path"])
            e2e.check((model == "gpt-5-pro") == request["path"].endswith("/responses"), request["path"])
        for model in ("openai:gpt-4o-mini", "openai:gpt-5-pro", "anthropic:claude-x", "google:gemini-x"):
            told = re.search(rf"{model}: first token after (\S+) s \(median\), (\S+) s \(p95\); (\S+) tokens/s",
                             result.stderr)
            e2e.check(told is not None, f"the pace of {model} is not told", result)
            rate = float(told[3])
            e2e.check(0 < float(told[1]) <= float(told[2]) < 5 and rate < 1 / PAUSE_S, f"{told[0]}", result)

        asked = len(mock.requests)
        run(folder, mock, "--stream")
        again = run(folder, mock)
        e2e.check(len(mock.requests) == asked, "it is the same question, streamed or not", again)
        e2e.check("first token" not in again.stderr, "nothing came, so nothing has a pace", again)

    # Each service knows it otherwise, and says so once.
    write_suite(folder, 6, "openai:gpt-4o-mini")
    refusals = [
        (lambda body: "stream_options" in body, "Unrecognized request argument supplied: stream_options",
         "is asked without stream_options"),
        (lambda body: body["stream"], {"message": "does not support true", "param": "stream",
                                       "code": "unsupported_value"}, "is asked without stream:")]
    for is_refused, error, note in refusals:
        error = error if isinstance(error, dict) else {"message": error}
        body = e2e.json.dumps({"error": error})
        with MockServer(refuse=lambda asked: status(400, body=body) if is_refused(asked) else None) as mock:
            result = run(folder, mock, "--stream", "--fresh", "-j", "1", "--max-retries", "0")
            e2e.check(note in result.stderr and len(mock.requests) == 7, f"{len(mock.requests)} requests", result)

    # Option, environment, assay.toml.
    Path(folder, "assay.toml").write_text("[run]\nstream = true\n\n[limits]\nidle_timeout = 1\n")
    settings = {line["setting"]: (line["value"], line["from"]) for line in
                e2e.json.loads(e2e.assay("doctor", "--config", "--json", cwd=folder).stdout)}
    e2e.check(settings["stream"] == ("true", "assay.toml:2"), f"{settings}")
    e2e.check(settings["idle-timeout"] == ("1", "assay.toml:5"), f"{settings}")
    for fault in (SILENT, CUT):
        with MockServer(fault=lambda text, attempt: fault if attempt == 0 and text.endswith("1") else None) as mock:
            result = run(folder, mock, "--fresh")
            e2e.check(all(request["body"]["stream"] for request in mock.requests), "assay.toml asks for streams")
            e2e.check(len(mock.requests) == 7, "what was cut is tried again", result)
    with MockServer(fault=lambda text, attempt: LATE) as mock:
        result = run(folder, mock, "--fresh", "--max-retries", "0")
        e2e.check(len(mock.requests) == 6, "a model may think for longer than it may be silent later", result)
        told = re.search(r"first token after (\S+) s", result.stderr)
        e2e.check(told and float(told[1]) >= 0.98 * LATE_S, "an event that only opens the reply is no token", result)
    with MockServer(fault=lambda text, attempt: SILENT if text.endswith("1") else None) as mock:
        result = e2e.assay("run", "suite.yml", "--fresh", "--max-retries=0", f"--base-url=openai={mock.url}",
                           cwd=folder, env={**KEYS, "ASSAY_IDLE_TIMEOUT": "0.5"})
        e2e.expect(result, 2, "stopped in the middle of its reply for 0.5 s")
