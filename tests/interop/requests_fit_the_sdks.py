#!/usr/bin/env python3
"""Every request of every provider's row, whole and streamed, is one that the provider's official client could have
sent: no member that its types do not know, no value of another type, the same path and the same key header."""
import json
import re
import sys
from pathlib import Path
from urllib.parse import unquote

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import interop  # noqa: E402

interop.enter("sdks")
import sdk_types  # noqa: E402
from mock_batches import MockBatches  # noqa: E402
from mock_server import MockServer  # noqa: E402

# Models of today and of yesterday: what they take differs.
MODELS = {
    "openai": ["gpt-4o-mini", "gpt-5-mini", "gpt-5-pro", "gpt-6-astra", "gpt-5.2[effort:high]",
               "gpt-5-pro[effort:high]"],
    "openai-responses": ["gpt-4o", "o3-pro", "o3[effort:low]", "gpt-5-mini[effort:low][thoughts:shown]"],
    "anthropic": ["claude-3-5-haiku-20241022[response_format:false]", "claude-haiku-4-5", "claude-opus-5-5",
                  "claude-opus-5-5[effort:high]", "claude-opus-5-5[thoughts:shown]",
                  "claude-haiku-4-5[thinking:2000][thoughts:shown]",
                  "claude-haiku-4-5[thinking:2000]"],
    "google": ["gemini-2.0-flash", "gemini-2.5-flash", "gemini-3-pro-preview", "gemini-3-pro-preview[effort:low]",
               "gemini-2.5-flash[thinking:2000]", "gemini-3-pro-preview[effort:low][thoughts:shown]"],
    "mistral": ["mistral-large-latest", "magistral-medium-latest", "mistral-medium-3-5[effort:high]"],
    "together": ["meta-llama/Llama-3.3-70B-Instruct-Turbo", "openai/gpt-oss-20b[effort:low]"],
    "xai": ["grok-4"],
    "openrouter": ["anthropic/claude-opus-5.5", "openai/gpt-6-astra", "openai/gpt-6-astra[effort:high]"],
    "groq": ["llama-3.3-70b-versatile[response_format:false]", "openai/gpt-oss-120b",
             "openai/gpt-oss-120b[effort:low]"],
    "deepseek": ["deepseek-v4-pro"],
    "fireworks": ["accounts/fireworks/models/gpt-oss-120b", "accounts/fireworks/models/gpt-oss-120b[effort:low]"],
    "cohere": ["command-a-03-2025", "command-a-reasoning-08-2025[thinking:2000]"],
    "perplexity": ["sonar"],
    "cerebras": ["gpt-oss-120b[effort:low]"],
    "azure-openai": ["gpt-4o", "gpt-5-mini[effort:low]"],
    "vertex": ["gemini-2.5-flash[thinking:2000]", "claude-haiku-4-5@20251001", "claude-opus-5-5[effort:high]"],
    "bedrock": ["amazon.nova-lite-v1:0", "us.anthropic.claude-haiku-4-5-20251001-v1:0[thinking:2000]"],
    "ollama": ["llama3.2", "gpt-oss:20b[effort:low]"],
    "openai-compatible": ["any", "any[effort:low]"],
}
BATCHED = ["openai:gpt-4o-mini", "openai:gpt-5-pro", "anthropic:claude-haiku-4-5", "google:gemini-2.5-flash",
           "mistral:mistral-large-2512"]
OTHERS = {"custom", "exec", "echo"}  # no service of its own
VARIABLES = {"openai-responses": "OPENAI_API_KEY", "vertex": "VERTEX_ACCESS_TOKEN",
             "bedrock": "AWS_BEARER_TOKEN_BEDROCK"}
SUITE = """title: Interop
id: interop
models: [%s]
systems: [null, "LONG"]
temperatures: [0, 0.7]
prompts:
  - id: one
    messages:
      - user: say yes
      - assistant: yes
      - user: say yes again
    ideal: yes again
    should:
      - $contains: yes again
      - it is polite
  - id: two
    prompt: say {"ok":true}
    response_format:
      type: object
      properties: {ok: {type: boolean}}
      required: [ok]
      additionalProperties: false
    should:
      - $is_json: true
"""
VERDICT = "<reflection>It is.</reflection><classification>CLASS_EXACT</classification>"
JSON_VERDICT = json.dumps({"reflection": "It is.", "classification": "CLASS_EXACT"})


def base_urls(mock):
    paths = {"anthropic": "", "bedrock": "", "cohere": "", "google": "/v1beta",
             "vertex": "/v1/projects/p/locations/global"}
    return [f"--base-url={provider}={mock.url}/{provider}{paths.get(provider, '/v1')}" for provider in MODELS]


def answer(text, words):
    if "CLASS_EXACT" not in text:
        return text.removeprefix("say ")
    return JSON_VERDICT if "--json-judges" in words else VERDICT


def captured(folder, *words):
    keys = {VARIABLES.get(provider, provider.upper().replace("-", "_") + "_API_KEY"): f"sk-interop-{provider}"
            for provider in MODELS if provider != "openai-responses"}
    with MockServer(answer=lambda text: answer(text, words)) as mock:
        result = e2e.assay("run", "suite.yml", "--fresh", "--out", "out", *base_urls(mock), *words, cwd=folder,
                           env=keys)
        e2e.expect(result, 0)
        return [(request["path"].split("/")[1], request) for request in mock.requests]


def batch_requests(folder):
    """What the batch interfaces are asked to create: (provider, path, body)."""
    calls = []
    batches = MockBatches(polls=0)
    handle = batches.handle

    def note(method, path, data, *more):
        if method == "POST" and path.endswith(("/batches", "/batch/jobs", ":batchGenerateContent")):
            calls.append((path.split("/")[1], path, json.loads(data)))
        return handle(method, path, data, *more)

    batches.handle = note
    with MockServer(batches=batches) as mock:
        models = [word for model in BATCHED for word in ("-m", model)]
        keys = {f"{name}_API_KEY": "sk-interop" for name in ("OPENAI", "ANTHROPIC", "GOOGLE", "MISTRAL")}
        result = e2e.assay("run", "suite.yml", "--fresh", "--batch", "--eval-method", "none", "--out", "out", *models,
                           *base_urls(mock), cwd=folder, env=keys)
        e2e.expect(result, 0)
        e2e.check(len(calls) == len(BATCHED) and not mock.requests, f"{calls} {mock.requests}", result)
    return calls


with e2e.scratch() as folder:
    listed = e2e.json.loads(e2e.assay("list", "providers", "--json", cwd=folder).stdout)
    names = {row["name"] for row in listed}
    e2e.check(names == set(MODELS) | OTHERS, f"rows that this test does not know: {names ^ (set(MODELS) | OTHERS)}")
    # The long system prompt is more than what Anthropic's cache keeps.
    names = ", ".join(f'"{provider}:{model}"' for provider, models in MODELS.items() for model in models)
    suite = SUITE.replace("LONG", "Be brief. " * 2000) % names
    Path(folder, "suite.yml").write_text(suite)

    wrong = {}
    for provider, path, body in batch_requests(folder):
        try:
            sdk_types.check_batch(provider, path, body)
        except Exception as error:
            wrong.setdefault((provider, str(error)), body)
    for words in ([], ["--stream"], ["--eval-method", "embedding"], ["--json-judges"]):
        seen = {}
        for provider, request in captured(folder, *words):
            try:
                sdk_types.check_path(provider, request["path"])
                sdk_types.check_request(provider, request["path"], request["body"])
            except Exception as error:
                wrong.setdefault((provider, str(error)), request["body"])
            is_stream = bool(request["body"].get("stream") or re.search(":stream|-stream$", request["path"]))
            # Claude's own client streams whatever may take more than ten minutes.
            is_claude = provider == "anthropic" or "/publishers/anthropic/" in request["path"]
            is_long = is_claude and request["body"]["max_tokens"] > 21_333
            may_stream = "--stream" in words and not request["path"].endswith("/embeddings")
            e2e.check(is_stream == (may_stream or is_long), f"{request['path']} {request['body'].get('model')}")
            model = request["body"].get("model") or unquote(re.search(r"/models?/([^/:]+)", request["path"])[1])
            seen.setdefault(provider, set()).add(model)
        for provider, models in MODELS.items():
            models = {model.split("[")[0] for model in models}
            e2e.check(models <= seen.get(provider, set()), f"{provider}: asked were only {seen.get(provider)}")
    for (provider, error), body in wrong.items():
        print(f"{provider}: {error}\n  {body}")
    e2e.check(not wrong, f"{len(wrong)} kinds of requests are none of the clients'")
