#!/usr/bin/env python3
"""A limiter of ten requests in a while answers all of forty, in whatever words the provider asks for a pause; a model
that takes no temperature is asked without it, known or not; and the plan and the check say so before."""
import json
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402

KEYS = {name: "sk-test-0815-pace" for name in
        ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "OPENROUTER_API_KEY", "OPENAI_COMPATIBLE_API_KEY")}
PATHS = {"openai": "/v1", "anthropic": "", "google": "/v1beta", "openrouter": "/api/v1", "openai-compatible": "/v1"}
WINDOW_S = 1.5
REQUESTS = 10


class Limiter:
    """`too_fast(wait_s)` makes the 429 of a provider."""

    def __init__(self, too_fast):
        self.too_fast, self.lock, self.start, self.count = too_fast, threading.Lock(), 0.0, 0

    def __call__(self, text, attempt):
        with self.lock:
            now = time.monotonic()
            if now - self.start >= WINDOW_S:
                self.start, self.count = now, 0
            self.count += 1
            return None if self.count <= REQUESTS else self.too_fast(self.start + WINDOW_S - now + 0.05)


def google_429(wait_s):
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{wait_s:.3f}s"}
    return status(429, body=json.dumps({"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "quota",
                                                  "details": [info]}}))


def openrouter_429(wait_s):
    moment = str(int((time.time() + wait_s) * 1000) + 1)
    return status(429, {"X-RateLimit-Limit": "10", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": moment})


for model, too_fast in [
        ("openai:gpt-4o-mini", lambda wait_s: status(429, {"retry-after-ms": str(int(wait_s * 1000) + 1)})),
        ("anthropic:claude-haiku-4-5", lambda wait_s: status(429, {"retry-after": f"{wait_s:.3f}"})),
        ("google:gemini-2.5-flash", google_429), ("openrouter:openai/gpt-4.1-mini", openrouter_429)]:
    provider = model.split(":")[0]
    with e2e.scratch() as folder, MockServer(fault=Limiter(too_fast)) as mock:
        Path(folder, "suite.yml").write_text(e2e.suite(40, model=model))
        result = e2e.assay("run", "suite.yml", f"--base-url={provider}={mock.url}{PATHS[provider]}", "--json",
                           cwd=folder, env=KEYS)
        e2e.expect(result, 0)
        done = e2e.one_run(result)
        e2e.check(done["request_errors"] == 0 and done["mean"] == 1, f"{model}: 40 of 40 were expected", result)


def no_temperature(body):
    """Refuses it in the words of Anthropic."""
    if "temperature" not in body:
        return None
    message = "`temperature` is deprecated for this model."
    return status(400, body=json.dumps({"type": "error", "error": {"type": "invalid_request_error",
                                                                   "message": message}}))


for model, refused in [("anthropic:claude-opus-5-5", 0), ("anthropic:claude-of-next-year", 1)]:
    with e2e.scratch() as folder, MockServer(refuse=no_temperature) as mock:
        Path(folder, "suite.yml").write_text(
            e2e.suite(30, model=model).replace("prompts:", "temperatures: [0, 0.5]\nprompts:"))
        result = e2e.assay("run", "suite.yml", f"--base-url=anthropic={mock.url}", "--json", cwd=folder, env=KEYS)
        e2e.expect(result, 0, "is asked without temperature")
        e2e.check(e2e.one_run(result)["request_errors"] == 0, "every question was answered", result)
        e2e.check(len(mock.requests) == 60 + refused, f"{model}: {len(mock.requests)} requests", result)
        e2e.check(all("temperature" not in request["body"] for request in mock.requests[refused:]),
                  f"{model}: the temperature was sent again")
        known = refused == 0
        plan = e2e.assay("plan", "suite.yml", cwd=folder)
        e2e.check(("takes no temperature" in plan.stderr) == known, f"{model}: what the plan says", plan)
        check = e2e.assay("check", "suite.yml", cwd=folder)
        e2e.check(("are the same request" in check.stderr) == known, f"{model}: what the check says", check)
