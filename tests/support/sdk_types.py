"""The request types of the providers' official clients, as strict as can be: a member that a type does not have is a
mistake. Imported by tests of label interop only, in the Python of sdks.txt."""
import functools
import inspect
import re

import eager_lists  # noqa: F401
import anthropic.types.messages
import cohere
import groq.types.chat.completion_create_params
import mistralai.client.models
import openai.types.chat.completion_create_params
import openai.types.responses.response_create_params
import together.types.chat.completion_create_params
from google.genai import types as genai
from pydantic import ConfigDict, TypeAdapter
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming, MessageCreateParamsStreaming
from openai.types import EmbeddingCreateParams

OPENAI_CHAT = openai.types.chat.completion_create_params
RESPONSES = openai.types.responses.response_create_params
GROQ = groq.types.chat.completion_create_params
TOGETHER = together.types.chat.completion_create_params
MISTRAL = mistralai.client.models

# (whole, streamed) by provider; every service that has no client of its own speaks like openai.
TYPES = {
    "openai-responses": (RESPONSES.ResponseCreateParamsNonStreaming, RESPONSES.ResponseCreateParamsStreaming),
    "anthropic": (MessageCreateParamsNonStreaming, MessageCreateParamsStreaming),
    "mistral": (MISTRAL.ChatCompletionRequestTypedDict, MISTRAL.ChatCompletionStreamRequestTypedDict),
    "groq": (GROQ.CompletionCreateParams, GROQ.CompletionCreateParams),
    "together": (TOGETHER.CompletionCreateParamsNonStreaming, TOGETHER.CompletionCreateParamsStreaming),
    "openai": (OPENAI_CHAT.CompletionCreateParamsNonStreaming, OPENAI_CHAT.CompletionCreateParamsStreaming),
}


@functools.lru_cache(maxsize=None)
def reader(kind):
    if not hasattr(kind, "__pydantic_config__"):
        kind.__pydantic_config__ = ConfigDict(extra="forbid")
    return TypeAdapter(kind)


def fits(kind, body):
    reader(kind).validate_python(body)


def check_gemini(body):
    """The client has no type of a whole request: its parts, of which the models forbid what they do not know."""
    known = {"contents", "systemInstruction", "generationConfig", "safetySettings", "tools", "toolConfig",
             "cachedContent"}
    assert set(body) <= known, f"unknown members {set(body) - known}"
    for content in body["contents"]:
        genai.Content.model_validate(content)
    genai.Content.model_validate(body.get("systemInstruction", {}))
    genai.GenerationConfig.model_validate(body.get("generationConfig", {}))
    for tool in body.get("tools", []):
        genai.Tool.model_validate(tool)
    genai.ToolConfig.model_validate(body.get("toolConfig", {}))


# The newest client of Anthropic has no name any more for what newer models refuse; older models take it as ever.
# Groq's reference has stream_options, and its client speaks of it where it explains the last chunk.
DROPPED = {"anthropic": (re.compile(r"claude-(3|(haiku|sonnet|opus)-4)"), {"temperature", "top_p", "top_k"}),
           "groq": (re.compile(""), {"stream_options"})}


def without_dropped(provider, body):
    models, members = DROPPED.get(provider, (None, set()))
    if models is None or not models.match(body.get("model", "")):
        return body
    return {name: value for name, value in body.items() if name not in members}


def check_cohere(body):
    """The client builds its bodies of arguments: the types of their values, and no other names."""
    arguments = set(inspect.signature(cohere.ClientV2.chat).parameters)
    assert set(body) <= arguments | {"stream"}, f"unknown members {set(body) - arguments}"
    TypeAdapter(list[cohere.ChatMessageV2]).validate_python(body["messages"])
    if "thinking" in body:
        cohere.Thinking.model_validate(body["thinking"])
    if "response_format" in body:
        assert set(body["response_format"]) == {"type", "json_schema"}, body


OPENROUTER_THOUGHTS = {"reasoning", "reasoning_details"}


def check_vertex(path, body):
    """The protocols of two makers; of Claude's, the model stands in the path there, and the version in the body."""
    if "/publishers/google/" in path:
        return check_gemini(body)
    assert body.pop("anthropic_version") == "vertex-2023-10-16" and "model" not in body, body
    return check_request("anthropic", path, {**body, "model": re.search(r"/models/([^:@]+)", path)[1]})


def check_request(provider, path, body):
    """Raises what is wrong with a request to this provider."""
    if provider == "vertex":
        return check_vertex(path, dict(body))
    if provider == "bedrock":
        return None  # bedrock_requests_fit_botocore.py
    if path.endswith("/embeddings"):
        return fits(EmbeddingCreateParams, body)
    if provider == "google":
        return check_gemini(body)
    if provider == "cohere":
        return check_cohere(body)
    if path.endswith("/responses"):
        provider = "openai-responses"
    body = without_dropped(provider, body)
    if provider == "openrouter":  # its own members, as its reference has them; it has no client
        body = {**body, "messages": [{key: value for key, value in message.items() if key not in OPENROUTER_THOUGHTS}
                                     for message in body.get("messages", [])]}
        assert set(body.pop("reasoning", {})) <= {"effort", "max_tokens"}, body
    if provider == "mistral" and "response_format" in body:
        # Its plain types have Python's names of members, its models have those of the wire.
        body = dict(body)
        schema = MISTRAL.ResponseFormat.model_validate(body.pop("response_format")).json_schema
        assert schema.name and schema.schema_definition, schema
    whole, streamed = TYPES.get(provider, TYPES["openai"])
    return fits(streamed if body.get("stream") else whole, body)


def check_batch(provider, path, body):
    if provider in ("openai", "openai-responses"):
        assert path == f"/{provider}/v1/batches", path
        return fits(openai.types.BatchCreateParams, body)
    if provider == "mistral":
        assert path == "/mistral/v1/batch/jobs", path
        return fits(MISTRAL.CreateBatchJobRequestTypedDict, body)
    if provider == "google":
        assert re.fullmatch(r"/google/v1beta/models/[^/:]+:batchGenerateContent", path), path
        for request in body["batch"]["inputConfig"]["requests"]["requests"]:
            assert set(request) == {"request", "metadata"} and list(request["metadata"]) == ["key"], request
            check_gemini(request["request"])
        return None
    assert path == "/anthropic/v1/messages/batches", path
    for request in body["requests"]:
        request["params"] = without_dropped(provider, request["params"])
    return fits(anthropic.types.messages.BatchCreateParams, body)


# What the path of each ends with, behind the base URL.
PATHS = {
    "cohere": r"/v2/chat",
    "openai": r"/v1/(chat/completions|responses|embeddings)", "openai-responses": r"/v1/responses",
    "anthropic": r"/v1/messages", "bedrock": r"/model/[^/]+/converse(-stream)?",
    "vertex": r"/v1/projects/p/locations/global/publishers/(google/models/[^/:]+:(generateContent|streamGenerateContent"
              r"\?alt=sse)|anthropic/models/claude-[^/:]+:(rawPredict|streamRawPredict))",
    "google": r"/v1beta/models/[^/:]+:(generateContent|streamGenerateContent\?alt=sse)",
}


def check_path(provider, path):
    pattern = PATHS.get(provider, r"/v1/(chat/completions|embeddings)")
    assert re.fullmatch(f"/{provider}{pattern}", path), f"{provider} is asked at {path}"
