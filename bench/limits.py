#!/usr/bin/env python3
"""How long services that limit their rate keep a run. Prints how often the least possible time it took, which is that
of a client that knows the limit, and how many requests were refused.

    bench/limits.py PROGRAM [-j N]

The first table: each family of services, and a proxy before one, lets ten requests through in six seconds, and tells
its limit in its own words; forty questions. The second one: buckets that fill all the time, windows, and both, asked
600 times at one to three seconds for each. Its services listen on this machine's own address, as pools of loopback
addresses do not widen by themselves.

A real LiteLLM proxy is measured where its packages can be had (tests/support/litellm.txt), and skipped aloud where not.
"""
import json
import math
import os
import random
import socket
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

e2e.SECONDS_MAX = 900
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


PER_MINUTE, TOKENS_PER_MINUTE, ASKED, FASTEST_S, SLOWEST_S = 500, 100_000, 600, 1.0, 3.0


class Bucket:
    """Fills all the time, and holds `burst` units at most."""

    def __init__(self, per_minute, burst, units=1):
        self.per_s, self.burst, self.units, self.level, self.at = per_minute / 60, burst, units, burst, time.monotonic()

    def wait_s(self, now):
        self.level, self.at = min(self.burst, self.level + (now - self.at) * self.per_s), now
        return max(0.0, (self.units - self.level) / self.per_s)

    def take(self, now):
        self.level -= self.units

    def left(self):
        return int(self.level / self.units)


class Window:
    """Lets `most` requests in, from the first one on; then it is another window."""

    def __init__(self, most, length_s):
        self.most, self.length_s, self.began, self.count, self.at = most, length_s, None, 0, time.monotonic()

    def wait_s(self, now):
        if self.began is None or now - self.began >= self.length_s:
            self.began, self.count = now, 0
        return 0.0 if self.count < self.most else self.began + self.length_s - now

    def take(self, now):
        self.count += 1

    def left(self):
        return self.most - self.count


class LimitedService:
    """All limits of a key hold at once. `key_of` gives the key of a model. `words` name what every reply says."""

    def __init__(self, limits, words, key_of=lambda model: ""):
        self.limits, self.words, self.key_of, self.keys = limits, words, key_of, {}
        self.lock, self.first, self.last, self.refused, self.let_in = threading.Lock(), None, None, 0, {}
        self.random = random.Random(51)

    def __call__(self, path, body):
        if not body:
            return status(404)
        with self.lock:
            now = time.monotonic()
            self.first = self.first or now
            key = self.key_of(body["model"])
            limits = self.keys.setdefault(key, self.limits())
            wait_s = max(limit.wait_s(now) for limit in limits)
            if wait_s == 0:
                self.let_in[key] = self.let_in.get(key, 0) + 1
                for limit in limits:
                    limit.take(now)
            else:
                self.refused += 1
            left, until_s = min(limit.left() for limit in limits), max(limit.wait_s(now) for limit in limits)
            latency_s = self.random.uniform(FASTEST_S, SLOWEST_S)
        headers = openai(left, until_s) if "headers" in self.words else {}
        if wait_s > 0:
            return status(429, {**headers, **({"retry-after": f"{wait_s:.3f}"} if "retry-after" in self.words else {})})
        time.sleep(latency_s)
        with self.lock:
            self.last = time.monotonic()
        said = body["messages"][-1]["content"]
        said = "<verdict>yes</verdict>" if not said.startswith("say ") else said.removeprefix("say ")
        return 200, headers, json.dumps(reply_of(path, body, said))

    def least_s(self):
        mean_s = (FASTEST_S + SLOWEST_S) / 2
        return mean_s + max(least_seconds(self.limits(), requests) for requests in self.let_in.values())


def least_seconds(limits, requests):
    """When a client that knows all limits sends its last request."""
    start = now = limits[0].at
    for limit in limits:
        limit.at = start
    while True:
        wait_s = max(limit.wait_s(now) for limit in limits)
        if wait_s > 0:
            now += wait_s + 1e-6
            continue
        for limit in limits:
            limit.take(now)
        requests -= 1
        if requests == 0:
            return now - start


def one_bucket(burst, units=1, per_minute=PER_MINUTE):
    return lambda: [Bucket(per_minute, burst * units, units)]


TOKENS_EACH = TOKENS_PER_MINUTE // PER_MINUTE
ALL_WORDS = {"Retry-After": {"retry-after"}, "headers": {"retry-after", "headers"}, "silent": set()}
# name: (limits of each key, models, whether each model has its own key)
LIMITED = {
    **{f"{PER_MINUTE} RPM, burst {burst}": (one_bucket(burst), ["a"], False) for burst in (1, 10, 60)},
    f"{TOKENS_PER_MINUTE} TPM, burst 10": (one_bucket(10, TOKENS_EACH, TOKENS_PER_MINUTE), ["a"], False),
    "100 in 15 s": (lambda: [Window(100, 15)], ["a"], False),
    f"{PER_MINUTE} RPM and 300 in 45 s": (lambda: [Bucket(PER_MINUTE, 10), Window(300, 45)], ["a"], False),
    "two models, one key": (one_bucket(10), ["a", "b"], False),
    "two models, two keys": (one_bucket(10, 1, PER_MINUTE / 2), ["a", "b"], True),
}


def own_address():
    """Of this machine, in its network; loopback where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing
            return probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"


def measure_limited(name, said, words):
    limits, models, has_keys = LIMITED[name]
    service = LimitedService(limits, ALL_WORDS[said], (lambda model: model) if has_keys else (lambda model: ""))
    with tempfile.TemporaryDirectory() as folder, MockServer(reply=service, host="0.0.0.0") as mock:
        url = f"http://{own_address()}:{mock.port}/v1"
        names = ", ".join(f"openai:{model}" for model in models)
        Path(folder, "suite.yml").write_text(e2e.suite(ASKED // len(models), model=names))
        result = e2e.assay("run", "suite.yml", "--json", f"--base-url=openai={url}", *words, cwd=folder,
                           env={"OPENAI_API_KEY": "sk-bench"})
    scored = sum(variant["scored"] for variant in e2e.one_run(result)["variants"])
    return scored, service.last - service.first, service.least_s(), service.refused


def print_limited(words):
    rows = {}

    def row(name, said):
        rows[name, said] = measure_limited(name, said, words)

    threads = [threading.Thread(target=row, args=(name, said)) for name in LIMITED for said in ALL_WORDS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print("\n| limit | it says | answered | s | × the least possible | refused |\n|---|---|---|---|---|---|")
    for name in LIMITED:
        for said in ALL_WORDS:
            scored, took_s, least_s, refused = rows[name, said]
            print(f"| {name} | {said} | {scored} of {ASKED} | {took_s:.1f} | {took_s / least_s:.2f} | "
                  f"{refused} ({100 * refused / ASKED:.1f} %) |")


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
    print_limited(words)


main()
