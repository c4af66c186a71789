#!/usr/bin/env python3
"""Ten requests in six seconds, each service saying in its own way when to come again: all of forty are answered, of
each provider, with the retries that are there by default."""
import json
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402

REQUESTS, WINDOW_S, CASES = 10, 6, 40
PATHS = {"openai": "/v1", "anthropic": "", "google": "/v1beta", "openrouter": "/v1", "mistral": "/v1"}
KEYS = {f"{name.upper()}_API_KEY": "sk-test-limits-4711" for name in PATHS}


def retry_info(wait_s):
    detail = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{wait_s:.3f}s"}
    error = {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "Quota exceeded.", "details": [detail]}
    return status(429, body=json.dumps({"error": error}))


def reset_at(wait_s):
    at_ms = str(int((time.time() + wait_s) * 1000))
    return status(429, {"X-RateLimit-Limit": str(REQUESTS), "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": at_ms})


REFUSALS = {"google": retry_info, "openrouter": reset_at}


class Limiter:
    def __init__(self):
        self.lock = threading.Lock()
        self.taken = {}

    def __call__(self, path, body):
        name = path.split("/")[1]
        with self.lock:
            now = time.monotonic()
            began, count = self.taken.get(name, (now, 0))
            if now - began >= WINDOW_S:
                began, count = now, 0
            self.taken[name] = (began, count + 1)
            if count < REQUESTS:
                return None
            wait_s = began + WINDOW_S - now
        refuse = REFUSALS.get(name, lambda wait_s: status(429, {"retry-after": f"{wait_s:.3f}"}))
        return refuse(wait_s)


with e2e.scratch() as folder, MockServer(reply=Limiter()) as mock:
    models = ", ".join(f"{name}:model-x" for name in PATHS)
    Path(folder, "suite.yml").write_text(e2e.suite(CASES, model=models))
    urls = [f"--base-url={name}={mock.url}/{name}{path}" for name, path in PATHS.items()]
    result = e2e.assay("run", "suite.yml", "--json", *urls, cwd=folder, env=KEYS)
    e2e.expect(result, 0)
    for variant in e2e.one_run(result)["variants"]:
        e2e.check((variant["scored"], variant["errors"], variant["mean"]) == (CASES, 0, 1), f"{variant}", result)
