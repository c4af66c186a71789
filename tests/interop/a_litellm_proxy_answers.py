#!/usr/bin/env python3
"""An example runs through a LiteLLM proxy whose models are mocked, over its OpenAI, Anthropic and Gemini routes and the
Responses API, whole and streamed: every cell is answered and judged."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from litellm_proxy import KEY, Proxy  # noqa: E402
from mock_server import MockServer  # noqa: E402

EXAMPLE = e2e.ROOT / "examples" / "pushback" / "pushback.yml"
MODELS = {"gpt-4o-mini": "openai", "gpt-5-pro": "openai", "claude-haiku-4-5": "anthropic", "gemini-2.5-flash": "gemini",
          "google/gemini-2.5-flash": "openai", "openai/gpt-4.1-mini": "openai"}
ASKED = ["openai:gpt-4o-mini", "openai:gpt-5-pro", "anthropic:claude-haiku-4-5", "google:gemini-2.5-flash"]
ROUTES = {"openai": "/v1", "openrouter": "/v1", "anthropic": "", "google": "/v1beta"}
KEYS = {f"{name}_API_KEY": KEY for name in ("OPENAI", "ANTHROPIC", "GOOGLE", "OPENROUTER")}
VERDICT = "<reflection>It does.</reflection><classification>CLASS_EXACT</classification>"


def answer(text):
    return VERDICT if "CLASS_EXACT" in text else "I am here."


with e2e.scratch() as folder, MockServer(answer=answer) as mock, Proxy(folder, mock, MODELS) as proxy:
    words = ["run", EXAMPLE, "--replay", "none", "--fresh", "--limit", "1", "--json", "-j", "4", "--out", "out",
             "--store", Path(folder, "store.db")]
    words += [word for model in ASKED for word in ("-m", model)]
    words += [f"--base-url={provider}={proxy.url}{path}" for provider, path in ROUTES.items()]
    for more in ([], ["--stream"]):
        result = e2e.assay(*words, *more, cwd=folder, env=KEYS)
        e2e.check(result.returncode == 0, f"{more}: {proxy.said()}", result)
        run = e2e.one_run(result)
        e2e.check(run["request_errors"] == 0, f"{more}: errors", result)
        e2e.check(all(variant["mean"] is not None and variant["errors"] == 0 for variant in run["variants"]),
                  f"{more}: {run['variants']}", result)
        e2e.check(run["candidate_usage"]["output_tokens"] > 0, f"{more}: nobody counted", result)
