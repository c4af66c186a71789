#!/usr/bin/env python3
"""An example runs through a LiteLLM proxy whose models are mocked, over its OpenAI, Anthropic and Gemini routes and the
Responses API, whole and streamed: every cell is answered and judged."""
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import interop  # noqa: E402
from mock_server import MockServer  # noqa: E402

place = interop.prepared("litellm")
KEY = "sk-interop-a-key-that-a-proxy-takes-for-a-strong-one-4711"
EXAMPLE = e2e.ROOT / "examples" / "pushback" / "pushback.yml"
MODELS = {"gpt-4o-mini": "openai", "gpt-5-pro": "openai", "claude-haiku-4-5": "anthropic", "gemini-2.5-flash": "gemini",
          "google/gemini-2.5-flash": "openai", "openai/gpt-4.1-mini": "openai"}
ASKED = ["openai:gpt-4o-mini", "openai:gpt-5-pro", "anthropic:claude-haiku-4-5", "google:gemini-2.5-flash"]
ROUTES = {"openai": "/v1", "openrouter": "/v1", "anthropic": "", "google": "/v1beta"}
KEYS = {f"{name}_API_KEY": KEY for name in ("OPENAI", "ANTHROPIC", "GOOGLE", "OPENROUTER")}
VERDICT = "<reflection>It does.</reflection><classification>CLASS_EXACT</classification>"
SECONDS_TO_START = 180


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_proxy(folder, mock, port):
    bases = {"openai": "/v1", "anthropic": "", "gemini": "/v1beta"}
    models = [{"model_name": name, "litellm_params": {"model": f"{kind}/{name.split('/')[-1]}", "api_key": "unused",
                                                      "api_base": mock.url + bases[kind]}}
              for name, kind in MODELS.items()]
    Path(folder, "proxy.json").write_text(json.dumps({"model_list": models}))  # JSON is YAML
    env = {**e2e.clean_environment(), "LITELLM_MASTER_KEY": KEY, "LITELLM_LOCAL_MODEL_COST_MAP": "True",
           "LITELLM_TELEMETRY": "False"}
    command = [place / "bin" / "litellm", "--config", "proxy.json", "--host", "127.0.0.1", "--port", str(port)]
    return subprocess.Popen(command, cwd=folder, env=env, stdout=open(Path(folder, "proxy.log"), "w"),
                            stderr=subprocess.STDOUT, start_new_session=True)


def wait_for(proxy, url, folder):
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and proxy.poll() is None:
        try:
            if urllib.request.urlopen(f"{url}/health/liveliness", timeout=5).status == 200:
                return
        except OSError:
            time.sleep(0.5)
    e2e.check(False, "the proxy does not start:\n" + Path(folder, "proxy.log").read_text()[-3000:])


def answer(text):
    return VERDICT if "CLASS_EXACT" in text else "I am here."


with e2e.scratch() as folder, MockServer(answer=answer) as mock:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    proxy = start_proxy(folder, mock, port)
    try:
        wait_for(proxy, url, folder)
        words = ["run", EXAMPLE, "--replay", "none", "--fresh", "--limit", "1", "--json", "-j", "4", "--out", "out",
                 "--store", Path(folder, "store.db")]
        words += [word for model in ASKED for word in ("-m", model)]
        words += [f"--base-url={provider}={url}{path}" for provider, path in ROUTES.items()]
        for more in ([], ["--stream"]):
            result = e2e.assay(*words, *more, cwd=folder, env=KEYS)
            log = Path(folder, "proxy.log")
            e2e.check(result.returncode == 0, f"{more}: {log.read_text()[-3000:]}", result)
            run = e2e.one_run(result)
            e2e.check(run["request_errors"] == 0, f"{more}: errors", result)
            e2e.check(all(variant["mean"] is not None and variant["errors"] == 0 for variant in run["variants"]),
                      f"{more}: {run['variants']}", result)
            e2e.check(run["candidate_usage"]["output_tokens"] > 0, f"{more}: nobody counted", result)
    finally:
        os.killpg(proxy.pid, signal.SIGTERM)
        proxy.wait(timeout=30)
