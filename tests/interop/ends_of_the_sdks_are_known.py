#!/usr/bin/env python3
"""Every word that the services' own clients have for why a reply ended, and every name that they have for an error, is
what docs/providers.md says of it: whole, cut, calling tools, or an error of its class; whole and streamed. One that the
page does not name has to stand here as broken-off, so that a new word of a client is seen."""
import json
import re
import sqlite3
import sys
import typing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import interop  # noqa: E402

interop.enter("sdks")
import sdk_replies  # noqa: E402
import anthropic.types  # noqa: E402
import cohere  # noqa: E402
import groq.types.chat.chat_completion  # noqa: E402
import mistralai.client.models  # noqa: E402
import openai.types.chat.chat_completion  # noqa: E402
import openai.types.responses  # noqa: E402
import openai.types.responses.response  # noqa: E402
import openai.types.shared  # noqa: E402
import together.types.chat.chat_completion  # noqa: E402
from google.genai import types as genai  # noqa: E402
from mock_server import MockServer  # noqa: E402

FEW = 6  # questions of a run: a model that fails ten times in a row is not asked any more
PAGE = (e2e.ROOT / "docs" / "providers.md").read_text()
# As stores number them.
CLASSES = """
    invalid-input not-found unsupported limit io network timeout rate-limited refused cancelled corrupt no-answer
    service refusal content-filter recitation personal-data image-safety language broken-off malformed-call
    malformed-reply paused-turn context-window""".split()
# What a name of an error inside a 200 stands for: the class of the error that is left of it where nothing is tried
# again.
ERRORS = {
    "invalid-input": """invalid_request_error invalid_image invalid_image_format invalid_base64_image invalid_image_url
        image_too_large image_too_small image_parse_error invalid_image_mode image_file_too_large
        unsupported_image_media_type empty_image_file failed_to_download_image image_file_not_found
        billing_error""",
    "refused": "authentication_error permission_error data_residency_mismatch",
    "not-found": "not_found_error",
    "rate-limited": "rate_limit_error rate_limit_exceeded overloaded_error",
    "service": """server_error api_error timeout_error vector_store_timeout conflict_error memory_path_conflict_error
        memory_precondition_failed_error""",
    "content-filter": "invalid_prompt bio_policy misalignment_policy_violation image_content_policy_violation",
}
# The clients' words that are no end of the protocol that assay speaks, or whose services call them no more than that.
BROKEN_OFF = set("""cancelled failed in_progress incomplete queued continuation CONTINUATION MISSING_THOUGHT_SIGNATURE
    PUP_LIMITED_DISABLED compaction steered max_messages USER_CANCEL ERROR_LIMIT ERROR_TOXIC""".split())


def literals(annotation):
    """All texts of Literals in a type, however they are nested."""
    if typing.get_origin(annotation) is typing.Literal:
        return {word for word in typing.get_args(annotation) if isinstance(word, str)}
    return {word for part in typing.get_args(annotation) for word in literals(part)}


def member(kind, name):
    found = literals(kind.model_fields[name].annotation)
    e2e.check(found, f"{kind.__name__}.{name} lists no words any more")
    return found


INCOMPLETE = member(openai.types.responses.response.IncompleteDetails, "reason")
# By provider: the service of the page, and the words of its client.
ENDS = {
    "openai": ("OpenAI", member(openai.types.chat.chat_completion.Choice, "finish_reason")),
    "groq": ("Groq", member(groq.types.chat.chat_completion.Choice, "finish_reason")),
    "together": ("Together", member(together.types.chat.chat_completion.Choice, "finish_reason")),
    "mistral": ("Mistral", literals(mistralai.client.models.ChatCompletionChoiceFinishReason)),
    "anthropic": ("Anthropic", literals(anthropic.types.StopReason)),
    "google": ("Google", {word.value for word in genai.FinishReason}),
    "cohere": ("Cohere", literals(cohere.ChatFinishReason)),
    "openai-responses": ("OpenAI Responses", literals(openai.types.responses.ResponseStatus) | INCOMPLETE),
}


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def words(cell):
    return set(re.findall(r"\w+", cell))


def told(service, word):
    """What the page says of a word: (finish reason, class of the error)."""
    for line in PAGE.partition("| service | whole |")[2].splitlines():
        row = cells(line)
        if len(row) == 4 and service in [name.strip() for name in row[0].split(",")]:
            for said, finish in zip(row[1:], ("stop", "length", "tool_calls")):
                if word in words(said.rpartition(":")[2]):
                    return finish, None
    for line in PAGE.partition("| how it ended |")[2].partition("Whole answers")[0].splitlines():
        row = cells(line)
        if len(row) == 4 and word in words(row[0].partition(";")[0]):
            return None, row[1]
    e2e.check(word in BROKEN_OFF, f"{service}: docs/providers.md has no row for {word}, and this test does not know it")
    return None, "broken-off"


def ended(provider, text, word):
    """The reply or the event with this end."""
    if provider != "openai-responses":
        return re.sub(r'("(?:finish_reason|stop_reason|finishReason)":)"\w+"', rf'\1"{word}"', text)
    if '"completed"' not in text:
        return text
    head, mark, data = text.rpartition("data: ")
    made = json.loads(data)
    response = made.get("response", made)
    if word in INCOMPLETE:
        response.update(status="incomplete", incomplete_details={"reason": word})
    else:
        response["status"] = word
    return head + mark + json.dumps(made) + ("\n\n" if mark else "")


def replies(provider):
    if provider != "cohere":
        return sdk_replies.replies_of(provider)[0]()
    usage = {"tokens": {"input_tokens": 7, "output_tokens": 9}}
    content = [{"type": "text", "text": sdk_replies.TEXT}]
    whole = sdk_replies.built(cohere.V2ChatResponse, id="c", finish_reason="COMPLETE", usage=usage,
                              message={"role": "assistant", "content": content})
    events = [{"type": "message-start", "id": "c", "delta": {"message": {"role": "assistant"}}},
              {"type": "content-start", "index": 0, "delta": {"message": {"content": {"type": "text", "text": ""}}}},
              {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": sdk_replies.TEXT}}}},
              {"type": "content-end", "index": 0},
              {"type": "message-end", "delta": {"finish_reason": "COMPLETE", "usage": usage}}]
    return sdk_replies.whole(whole), [f"data: {json.dumps(event, separators=(',', ':'))}\n\n" for event in events]


def asked(provider, questions, answer, *more):
    """What came of a question each: {question: (finish reason, class of the error)}."""
    variable = {"openai-responses": "OPENAI_API_KEY"}.get(provider, provider.upper() + "_API_KEY")
    suite = {"id": "ends", "models": [f"{provider}:some-model"],
             "prompts": [{"id": f"p{i}", "prompt": f"<{word}>"} for i, word in enumerate(questions)]}

    def reply(path, body):
        return answer(re.search(r"<(\w+)>", json.dumps(body))[1])

    with e2e.scratch() as folder, MockServer(reply=reply) as mock:
        Path(folder, "suite.json").write_text(json.dumps(suite))
        e2e.assay("run", "suite.json", "--max-retries=0", "--patience=0", "--eval-method", "none",
                  f"--base-url={provider}={mock.url}", *more, cwd=folder, env={variable: "sk-interop"})
        with sqlite3.connect(Path(folder, ".assay", "store.db")) as store:
            rows = store.execute("SELECT request, finish_reason, error_code FROM exchange").fetchall()
    return {re.search(r"<(\w+)>", str(request))[1]: (finish, None if code is None else CLASSES[code])
            for request, finish, code in rows}


def ends():
    for provider, (service, found) in ENDS.items():
        e2e.check(len(found) > 2, f"{provider}: {found}")
        whole, events = replies(provider)

        def one(word):
            return ended(provider, whole, word)

        def pieces(word):
            return [ended(provider, event, word) for event in events]

        for answer, how in ((one, []), (pieces, ["--stream"])):
            got = asked(provider, sorted(found), answer, *how)
            for word in sorted(found):
                finish, error = told(service, word)
                said = got.get(word, ("it was not asked", ""))
                e2e.check(said[1] == error and finish in (None, said[0]),
                          f"{provider} {how}: {word} is {said}, docs/providers.md says {finish or error}")


def errors():
    """In a body, as an event of its own, and in a response that failed."""
    named = {"openai-responses": member(openai.types.responses.ResponseError, "code"),
             "anthropic": literals(anthropic.types.ErrorType)}
    wanted = {name: kind for kind, names in ERRORS.items() for name in names.split()}
    for provider, names in named.items():
        e2e.check(not names - set(wanted), f"{provider}: errors that this test does not know: {names - set(wanted)}")

        def body(name):
            error = {"code" if provider == "openai-responses" else "type": name, "message": "no"}
            return {"type": "error", "error": error}

        def event(name):
            return [f"event: error\ndata: {json.dumps(body(name))}\n\n"]

        def failed(name):
            response = {"object": "response", "status": "failed", "output": [], **body(name)}
            return [f"data: {json.dumps({'type': 'response.failed', 'response': response})}\n\n"]

        ways = [(body, []), (event, ["--stream"])] + [(failed, ["--stream"])] * (provider == "openai-responses")
        for answer, how in ways:
            for at in range(0, len(names), FEW):
                some = sorted(names)[at:at + FEW]
                got = asked(provider, some, answer, *how)
                for name in some:
                    said = got.get(name, ("", "it was not asked"))[1]
                    e2e.check(said == wanted[name], f"{provider} {answer.__name__}: {name}: {said}")


ends()
errors()
