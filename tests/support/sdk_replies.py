"""Replies as the providers' official clients would read them, built by their own response models: whole and as streams,
with all that assay keeps. Imported by tests of label interop only, in the Python of sdks.txt."""
import json

import eager_lists  # noqa: F401
import anthropic.types as claude
import groq.types.chat
import mistralai.client.models as mistral
import openai.types.chat
import openai.types.responses as responses
import together.types.chat
from google.genai import types as genai

TEXT, THOUGHT = "Hi you", "hm"
PIECES = ["Hi", " you"]
IN, OUT, THINKING = 7, 9, 5  # tokens; those of the answer include those that were thought


def whole(model):
    """The JSON of a model of pydantic, under the names of the wire."""
    return model.model_dump_json(by_alias=True, exclude_none=True)


def data(models, end=()):
    return [f"data: {model if isinstance(model, str) else whole(model)}\n\n" for model in [*models, *end]]


def named(models):
    return [f"event: {model.type}\ndata: {whole(model)}\n\n" for model in models]


def built(kind, **members):
    """Checked by the client's own type: a member that is wrong stops the test, not only a missing one."""
    return kind.model_validate(members, strict=False)


def chat(module, usage, name="reasoning_content", **more):
    """Of a client that speaks like OpenAI: (whole, events)."""
    head = {"id": "c", "created": 1, "model": "m", **more}
    choice = {"index": 0, "finish_reason": "stop", "logprobs": None,
              "message": {"role": "assistant", "content": TEXT, name: THOUGHT}}
    reply = built(module.ChatCompletion, **head, object="chat.completion", choices=[choice], usage=usage)

    def chunk(delta, finish=None, **rest):
        return built(module.ChatCompletionChunk, **head, object="chat.completion.chunk",
                     choices=[{"index": 0, "delta": delta, "finish_reason": finish}], **rest)

    chunks = [chunk({"role": "assistant", "content": ""}), chunk({"role": "assistant", name: THOUGHT}),
              *[chunk({"role": "assistant", "content": piece}) for piece in PIECES]]
    return reply, chunks, chunk


def openai_chat():
    usage = {"prompt_tokens": IN, "completion_tokens": OUT, "total_tokens": IN + OUT,
             "prompt_tokens_details": {"cached_tokens": 2, "audio_tokens": 0},
             "completion_tokens_details": {"reasoning_tokens": THINKING, "audio_tokens": 0}}
    module = openai.types.chat
    reply, chunks, chunk = chat(module, usage)
    last = built(module.ChatCompletionChunk, id="c", created=1, model="m", object="chat.completion.chunk", choices=[],
                 usage=usage)
    return whole(reply), data([*chunks, chunk({}, "stop"), last], ["[DONE]"])


def groq_chat():
    usage = {"prompt_tokens": IN, "completion_tokens": OUT, "total_tokens": IN + OUT, "total_time": 0.1,
             "completion_tokens_details": {"reasoning_tokens": THINKING}}
    reply, chunks, chunk = chat(groq.types.chat, usage, "reasoning")
    return whole(reply), data([*chunks, chunk({}, "stop", x_groq={"id": "r", "usage": usage})], ["[DONE]"])


def together_chat():
    usage = {"prompt_tokens": IN, "completion_tokens": OUT, "total_tokens": IN + OUT}
    reply, chunks, chunk = chat(together.types.chat, usage, "reasoning", prompt=[])
    return whole(reply), data([*chunks, chunk({"role": "assistant", "content": ""}, "stop", usage=usage)], ["[DONE]"])


def mistral_chat():
    usage = {"prompt_tokens": IN, "completion_tokens": OUT, "total_tokens": IN + OUT}
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}]}
    content = [thinking, {"type": "text", "text": TEXT}]
    reply = built(mistral.ChatCompletionResponse, id="c", object="chat.completion", created=1, model="m", usage=usage,
                  choices=[{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}])

    def chunk(said, finish=None, **more):
        return built(mistral.CompletionChunk, id="c", model="m", object="chat.completion.chunk",
                     choices=[{"index": 0, "delta": {"role": "assistant", "content": said}, "finish_reason": finish}],
                     **more)

    chunks = [chunk(""), chunk([thinking]), *[chunk(piece) for piece in PIECES], chunk("", "stop", usage=usage)]
    return whole(reply), data(chunks, ["[DONE]"])


def anthropic_messages():
    usage = {"input_tokens": IN - 3, "cache_creation_input_tokens": 1, "cache_read_input_tokens": 2,
             "output_tokens": OUT, "output_tokens_details": {"thinking_tokens": THINKING}}
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-haiku-4-5"}
    blocks = [{"type": "thinking", "thinking": THOUGHT, "signature": "s"}, {"type": "redacted_thinking", "data": "x"},
              {"type": "text", "text": TEXT}]
    reply = built(claude.Message, **head, content=blocks, stop_reason="end_turn", usage=usage)
    opened = [{**blocks[0], "thinking": ""}, blocks[1], {**blocks[2], "text": ""}]
    deltas = [[{"type": "thinking_delta", "thinking": THOUGHT}, {"type": "signature_delta", "signature": "s"}], [],
              [{"type": "text_delta", "text": piece} for piece in PIECES]]
    events = [built(claude.RawMessageStartEvent, type="message_start",
                    message={**head, "content": [], "usage": {**usage, "output_tokens": 1}})]
    for i, block in enumerate(opened):
        events.append(built(claude.RawContentBlockStartEvent, type="content_block_start", index=i, content_block=block))
        events += [built(claude.RawContentBlockDeltaEvent, type="content_block_delta", index=i, delta=delta)
                   for delta in deltas[i]]
        events.append(built(claude.RawContentBlockStopEvent, type="content_block_stop", index=i))
    events += [built(claude.RawMessageDeltaEvent, type="message_delta", delta={"stop_reason": "end_turn"},
                     usage={"output_tokens": OUT, "output_tokens_details": {"thinking_tokens": THINKING}}),
               built(claude.RawMessageStopEvent, type="message_stop")]
    return whole(reply), ["event: ping\ndata: {\"type\": \"ping\"}\n\n", *named(events)]


def gemini():
    usage = {"promptTokenCount": IN, "candidatesTokenCount": OUT - THINKING, "thoughtsTokenCount": THINKING,
             "totalTokenCount": IN + OUT}

    def piece(parts, finish=None, **more):
        return built(genai.GenerateContentResponse, modelVersion="m", responseId="r", **more,
                     candidates=[{"content": {"role": "model", "parts": parts}, "finishReason": finish, "index": 0}])

    thought = {"text": THOUGHT, "thought": True}
    reply = piece([thought, {"text": TEXT, "thoughtSignature": "cw=="}], "STOP", usageMetadata=usage)
    pieces = [piece([thought]), *[piece([{"text": each}]) for each in PIECES],
              piece([{"text": "", "thoughtSignature": "cw=="}], "STOP", usageMetadata=usage)]
    return whole(reply), [event.replace("\n", "\r\n") for event in data(pieces)]


def openai_responses():
    head = {"id": "resp_1", "object": "response", "created_at": 1, "model": "gpt-5-pro", "parallel_tool_calls": True,
            "tool_choice": "auto", "tools": []}
    usage = {"input_tokens": IN, "input_tokens_details": {"cached_tokens": 2, "cache_write_tokens": 0},
             "output_tokens": OUT, "output_tokens_details": {"reasoning_tokens": THINKING}, "total_tokens": IN + OUT}
    output = [{"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": THOUGHT}],
               "encrypted_content": "sealed"},
              {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
               "content": [{"type": "output_text", "text": TEXT, "annotations": []}]}]
    done = {**head, "status": "completed", "output": output, "usage": usage}
    begun = {**head, "status": "in_progress", "output": []}
    at = {"output_index": 1, "content_index": 0, "item_id": "msg_1"}
    events = [built(responses.ResponseCreatedEvent, type="response.created", response=begun, sequence_number=0),
              built(responses.ResponseReasoningSummaryTextDeltaEvent, type="response.reasoning_summary_text.delta",
                    delta=THOUGHT, item_id="rs_1", output_index=0, summary_index=0, sequence_number=1)]
    events += [built(responses.ResponseTextDeltaEvent, type="response.output_text.delta", delta=piece, logprobs=[],
                     sequence_number=i + 2, **at) for i, piece in enumerate(PIECES)]
    events.append(built(responses.ResponseCompletedEvent, type="response.completed", response=done, sequence_number=4))
    return whole(built(responses.Response, **done)), named(events)


def openrouter_chat():
    """Its thoughts come as details besides, which no type of the client has."""
    usage = {"prompt_tokens": IN, "completion_tokens": OUT, "total_tokens": IN + OUT, "cost": 0.001,
             "completion_tokens_details": {"reasoning_tokens": THINKING}}
    details = {"reasoning_details": [{"type": "reasoning.text", "text": THOUGHT, "signature": "s", "index": 0}]}
    reply, chunks, chunk = chat(openai.types.chat, usage, "reasoning")
    reply = json.loads(whole(reply))
    reply["choices"][0]["message"].update(details)
    chunks[1] = json.loads(whole(chunks[1]))
    chunks[1]["choices"][0]["delta"].update(details)
    chunks[1] = json.dumps(chunks[1])
    return json.dumps(reply), data([*chunks, chunk({}, "stop", usage=usage)], ["[DONE]"])


def calls_of(provider):
    """A whole reply that calls the tool look_up, under the id call_1 where the service gives one."""
    function = {"name": "look_up", "arguments": json.dumps({"q": 1})}
    call = {"id": "call_1", "type": "function", "function": function}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    head = {"id": "c", "created": 1, "model": "m", "object": "chat.completion"}
    usage = {"prompt_tokens": IN, "completion_tokens": OUT, "total_tokens": IN + OUT}
    choice = {"index": 0, "finish_reason": "tool_calls", "logprobs": None, "message": message}
    if provider == "openai-responses":
        done = json.loads(openai_responses()[0])
        done["output"][1:] = [{"type": "function_call", "id": "fc_1", "call_id": "call_1", "status": "completed",
                               **function}]
        return whole(built(responses.Response, **done))
    if provider == "anthropic":
        done = json.loads(anthropic_messages()[0])
        used = {"type": "tool_use", "id": "call_1", "name": "look_up", "input": {"q": 1}}
        done.update(content=[done["content"][0], used], stop_reason="tool_use")
        return whole(built(claude.Message, **done))
    if provider == "google":
        done = json.loads(gemini()[0])
        part = {"functionCall": {"id": "call_1", "name": "look_up", "args": {"q": 1}}, "thoughtSignature": "cw=="}
        done["candidates"][0]["content"]["parts"] = [part]
        return whole(built(genai.GenerateContentResponse, **done))
    if provider == "mistral":
        return whole(built(mistral.ChatCompletionResponse, **head, choices=[{**choice, "message": {
            **message, "content": ""}}], usage=usage))
    module = groq.types.chat if provider == "groq" else openai.types.chat
    return whole(built(module.ChatCompletion, **head, choices=[choice], usage=usage))


# (reply, events) by provider, and whether its service says how many tokens were thought.
REPLIES = {
    "openai": (openai_chat, True), "openai-responses": (openai_responses, True),
    "anthropic": (anthropic_messages, True), "google": (gemini, True), "mistral": (mistral_chat, False),
    "groq": (groq_chat, True), "together": (together_chat, False),
}


def replies_of(provider):
    """The same of those too that have no client of their own."""
    others = {"azure-openai": (openai_chat, True), "openrouter": (openrouter_chat, True)}
    return REPLIES.get(provider) or others[provider]
