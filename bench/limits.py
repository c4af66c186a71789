#!/usr/bin/env python3
"""How long services that let ten requests through in six seconds keep forty questions: each family of services, and a
proxy before one, tells its limit in its own words. Prints how often the ideal (three windows and one latency) it took,
and how many requests were refused.

    bench/limits.py PROGRAM [-j N]

A real LiteLLM proxy is measured where its packages can be had (tests/support/litellm.txt), and skipped aloud where not.
"""
import json
import math
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

os.environ.setdefault("ASSAY", sys.argv[1])
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))
import e2e  # noqa: E402
from litellm_proxy import KEY, Proxy  # noqa: E402
from mock_server import MockServer, reply_of, status  # noqa: E402

REQUESTS, WINDOW_S, CASES, LATENCY_S = 10, 6, 40, 0.2
IDEAL_S = (CASES / REQUESTS - 1) * WINDOW_S + LATENCY_S


def openai(left, wait_s):
    return {"x-ratelimit-limit-requests": str(REQUESTS), "x-ratelimit-remaining-requests": str(left),
            "x-ratelimit-reset-requests": f"{wait_s:.3f}s"}


def anthropic(left, wait_s):
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(math.ceil(time.time() + wait_s)))
    return {"anthropic-ratelimit-requests-limit": str(REQUESTS), "anthropic-ratelimit-requests-remaining": str(left),
            "anthropic-ratelimit-requests-reset": at}


def mistral(left, wait_s):
    return {"x-ratelimit-limit-req-minute": str(REQUESTS), "x-ratelimit-remaining-req-minute": str(left)}


def behind_litellm(left, wait_s):
    return {f"llm_provider-{name}": value for name, value in openai(left, wait_s).items()}


def retry_after(wait_s):
    return status(429, {"retry-after": f"{wait_s:.3f}"})


def retry_info(wait_s):
    detail = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{wait_s:.3f}s"}
    error = {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "Quota exceeded.", "details": [detail]}
    return status(429, body=json.dumps({"error": error}))


def reset_at(wait_s):
    at_ms = str(int((time.time() + wait_s) * 1000))
    return status(429, {"X-RateLimit-Limit": str(REQUESTS), "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": at_ms})


def bare(wait_s):
    return status(429)


# name: (provider, path, headers of every reply, what a refusal says)
FAMILIES = {
    "OpenAI chat": ("openai", "/v1", openai, retry_after),
    "OpenAI Responses": ("openai-responses", "/v1", openai, retry_after),
    "Azure": ("azure-openai", "/openai/v1", openai, retry_after),
    "Anthropic": ("anthropic", "", anthropic, retry_after),
    "Groq": ("groq", "/v1", openai, retry_after),
    "OpenAI behind LiteLLM": ("openai-compatible", "/v1", behind_litellm, retry_after),
    "Google": ("google", "/v1beta", None, retry_info),
    "Mistral": ("mistral", "/v1", mistral, bare),
    "OpenRouter": ("openrouter", "/v1", None, reset_at),
    "Together": ("together", "/v1", None, retry_after),
}
VARIABLES = {"openai-responses": "OPENAI_API_KEY"}


class Service:
    """One window after the other, from the first request on."""

    def __init__(self, headers, refuse):
        self.headers, self.refuse = headers, refuse
        self.lock, self.began, self.count = threading.Lock(), None, 0
        self.refused, self.first, self.last = 0, None, None

    def __call__(self, path, body):
        if not body:
            return status(404)  # a proxy that looks around
        with self.lock:
            now = time.monotonic()
            self.first = self.first or now
            if self.began is None or now - self.began >= WINDOW_S:
                self.began, self.count = now, 0
            self.count += 1
            left, wait_s = REQUESTS - self.count, self.began + WINDOW_S - now
            if left < 0:
                self.refused += 1
                code, headers, text = self.refuse(wait_s)
                return code, {**headers, **(self.headers(0, wait_s) if self.headers else {})}, text
        time.sleep(LATENCY_S)
        with self.lock:
            self.last = time.monotonic()
        text = (body.get("messages") or body.get("input") or body.get("contents"))[-1]
        said = text.get("content") or text["parts"][0]["text"]
        return 200, self.headers(left, wait_s) if self.headers else {}, json.dumps(
            reply_of(path, body, said.removeprefix("say ")))


def measure(name, words):
    provider, path, headers, refuse = FAMILIES[name]
    service = Service(headers, refuse)
    variable = VARIABLES.get(provider, provider.upper().replace("-", "_") + "_API_KEY")
    with tempfile.TemporaryDirectory() as folder, MockServer(reply=service) as mock:
        Path(folder, "suite.yml").write_text(e2e.suite(CASES, model=f"{provider}:model-x"))
        result = e2e.assay("run", "suite.yml", "--json", f"--base-url={provider}={mock.url}{path}", *words, cwd=folder,
                           env={variable: "sk-bench"})
    scored = e2e.one_run(result)["variants"][0]["scored"]
    return scored, service.last - service.first, service.refused


def measure_proxy(words):
    """The same service behind a proxy of LiteLLM's, which tries and cools down as it is installed."""
    service = Service(openai, retry_after)
    with tempfile.TemporaryDirectory() as folder, MockServer(reply=service) as mock:
        with Proxy(folder, mock, {"model-x": "openai"}) as proxy:
            Path(folder, "suite.yml").write_text(e2e.suite(CASES, model="openai-compatible:model-x"))
            result = e2e.assay("run", "suite.yml", "--json", f"--base-url=openai-compatible={proxy.url}/v1", *words,
                               cwd=folder, env={"OPENAI_COMPATIBLE_API_KEY": KEY})
    scored = e2e.one_run(result)["variants"][0]["scored"]
    return scored, service.last - service.first, service.refused


def main():
    words = sys.argv[2:]
    print(f"| family | answered | × the ideal of {IDEAL_S:.1f} s | refused |\n|---|---|---|---|")
    rows = {}
    def row(name):
        rows[name] = measure(name, words)

    threads = [threading.Thread(target=row, args=(name,)) for name in FAMILIES]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    try:
        rows["a LiteLLM proxy"] = measure_proxy(words)
    except SystemExit as skipped:
        print(f"skipped: the proxy of LiteLLM cannot be had ({skipped})", file=sys.stderr)
    for name in [name for name in [*FAMILIES, "a LiteLLM proxy"] if name in rows]:
        scored, took_s, refused = rows[name]
        print(f"| {name} | {scored} of {CASES} | {took_s / IDEAL_S:.2f} | {refused} of {CASES + refused} |")


main()
