#!/usr/bin/env python3
"""A current model of each large provider answers an example with one key and no option: what it does not take is not
sent, it has room to think, and is asked where it can be."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, reply_of, status  # noqa: E402

EXAMPLE = e2e.ROOT / "examples" / "pushback" / "pushback.yml"
THOUGHTS = 3000  # tokens that each spends before it answers
VERDICT = "<reflection>It does.</reflection><classification>CLASS_EXACT</classification>"
MODELS = {"openai:gpt-6-astra": ("OPENAI", "/v1"), "openai:gpt-5.5-pro": ("OPENAI", "/v1"),
          "anthropic:claude-opus-5-5": ("ANTHROPIC", ""), "google:gemini-3-pro-preview": ("GOOGLE", "/v1beta")}


def refusal(message, **more):
    return status(400, body=json.dumps({"error": {"message": message, "type": "invalid_request_error", **more}}))


def of_openai(path, body):
    if "temperature" in body or "top_p" in body:
        return refusal("Unsupported value: 'temperature' does not support 0 with this model.", param="temperature",
                       code="unsupported_value")
    if "max_tokens" in body:
        return refusal("Unsupported parameter: 'max_tokens' is not supported with this model.", param="max_tokens",
                       code="unsupported_parameter")
    if body["model"].endswith("-pro") and not path.endswith("/responses"):
        return status(404, body=json.dumps({"error": {"message": "This is not a chat model."}}))
    if body.get("max_completion_tokens", body.get("max_output_tokens", 1 << 20)) > THOUGHTS:
        return None
    if path.endswith("/responses"):
        return {"object": "response", "status": "incomplete", "output": [],
                "incomplete_details": {"reason": "max_output_tokens"}}
    return {"choices": [{"message": {"role": "assistant", "content": ""}, "finish_reason": "length"}]}


def of_anthropic(path, body):
    for name in ("temperature", "top_p", "top_k"):
        if name in body:
            return refusal(f"`{name}` is deprecated for this model.")
    thought = {"type": "thinking", "thinking": "hm", "signature": "s"}
    if body["max_tokens"] <= THOUGHTS:
        return {"type": "message", "content": [thought], "stop_reason": "max_tokens", "usage": {"output_tokens": 1}}
    return {"type": "message", "content": [thought, {"type": "text", "text": "No."}], "stop_reason": "end_turn",
            "usage": {"input_tokens": 7, "output_tokens": THOUGHTS + 1}}


def of_google(path, body):
    if body["generationConfig"].get("maxOutputTokens", 1 << 20) <= THOUGHTS:
        return {"candidates": [{"content": {}, "finishReason": "MAX_TOKENS"}],
                "usageMetadata": {"thoughtsTokenCount": 1}}
    return None


def reply(path, body):
    if path.startswith("/judges"):
        return reply_of(path, body, VERDICT)
    services = {"anthropic": of_anthropic, "google": of_google}
    return services.get(path.split("/")[1], of_openai)(path, body)


for model, (name, path) in MODELS.items():
    with e2e.scratch() as folder, MockServer(answer=lambda text: "No.", reply=reply) as mock:
        # Where they are is the environment's; the judges behind another address need no key.
        env = {f"{name}_API_KEY": "sk-test-one-key-4711", f"{name}_BASE_URL": f"{mock.url}/{name.lower()}{path}",
               "OPENROUTER_BASE_URL": f"{mock.url}/judges/v1"}
        result = e2e.assay("run", EXAMPLE, "-m", model, "--json", cwd=folder, env=env)
        e2e.expect(result, 0)
        run = e2e.one_run(result)
        e2e.check(run["request_errors"] == 0, f"{model}: errors", result)
        e2e.check(all(v["errors"] == 0 and v["scored"] == v["cells"] for v in run["variants"]), f"{model}", result)
        refused = [request["body"] for request in mock.requests
                   if isinstance(made := reply(request["path"], request["body"]), tuple)]
        e2e.check(len(refused) <= 1, f"{model}: a refusal costs one request: {len(refused)} {refused[:1]}", result)
