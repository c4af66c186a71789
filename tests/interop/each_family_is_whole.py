#!/usr/bin/env python3
"""Each family of services, as its own client's types have it: request, reply, stream, tools, thoughts that go back,
limits, batch, image. What comes of it is the table of docs/providers.md; --update writes it there."""
import base64
import json
import re
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import interop  # noqa: E402

interop.enter("sdks")
import sdk_replies  # noqa: E402
import sdk_types  # noqa: E402
from mock_batches import MockBatches  # noqa: E402
from mock_server import MockServer, status  # noqa: E402

PAGE = e2e.ROOT / "docs" / "providers.md"
MARKS = ("<!-- families -->\n", "<!-- end of families -->\n")
COLUMNS = ["request", "reply", "stream", "tools", "thoughts carried", "limits", "batch", "image"]
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5E"
                       "rkJggg==")
PDF = b"%PDF-1.4\n1 0 obj<</Type/Page>>endobj\n%%EOF\n"
WAV = b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0data\0\0\0\0"
CALLS, REQUESTS, WINDOW_S = 24, 8, 1.5


class Family:
    """`kept`: what of a turn's thoughts has to stand in the next request; "": its service shows none. `parts`: what it
    is sent beside text, and the member in which a picture travels."""

    def __init__(self, provider, model, variable, path, kept, picture, parts=("image",), batch=None):
        self.provider, self.model, self.variable, self.path = provider, model, variable, path
        self.kept, self.picture, self.parts, self.batch = kept, picture, parts, batch

    def url(self, mock):
        return f"--base-url={self.provider}={mock.url}/{self.provider}{self.path}"

    def env(self):
        return {self.variable: "sk-interop-family"}


FAMILIES = {
    "OpenAI chat": Family("openai", "gpt-4.1-mini", "OPENAI_API_KEY", "/v1", "", "image_url", ("image", "file"),
                          "/v1/batches"),
    "OpenAI Responses": Family("openai-responses", "gpt-5-mini", "OPENAI_API_KEY", "/v1",
                               '"encrypted_content":"sealed"', "input_image", ("image", "file"), "/v1/batches"),
    "Azure": Family("azure-openai", "gpt-4.1-mini", "AZURE_OPENAI_API_KEY", "/v1", "", "image_url", ("image", "file")),
    "Anthropic": Family("anthropic", "claude-opus-5-5", "ANTHROPIC_API_KEY", "", '"signature":"s"', "source",
                        ("image", "file"), "/v1/messages/batches"),
    "Google": Family("google", "gemini-3-pro-preview", "GOOGLE_API_KEY", "/v1beta", '"thoughtSignature":"cw=="',
                     "inlineData", ("image", "file", "audio"), ":batchGenerateContent"),
    "Mistral": Family("mistral", "mistral-medium-2604", "MISTRAL_API_KEY", "/v1", '"type":"thinking"', "image_url",
                      ("image", "file", "audio"), "/v1/batch/jobs"),
    "Groq": Family("groq", "qwen/qwen3.8-27b", "GROQ_API_KEY", "/v1", '"reasoning":"hm"', "image_url"),
    "OpenRouter": Family("openrouter", "openai/gpt-4.1-mini", "OPENROUTER_API_KEY", "/v1",
                         '"reasoning_details":[', "image_url", ("image", "file")),
}


def written(value):
    return json.dumps(value, separators=(",", ":"))


def run(folder, family, mock, content, *words, file="suite.json", code=0):
    Path(folder, file).write_text(content if isinstance(content, str) else json.dumps(content))
    result = e2e.assay("run", file, "--fresh", "--json", "--out", "out", family.url(mock), *words, cwd=folder,
                       env=family.env())
    e2e.expect(result, code)
    return result


def suite(family, **prompt):
    prompt = {"id": "one", "prompt": "say yes", "should": [{"$contains": "yes"}], **prompt}
    return {"id": "family", "models": [f"{family.provider}:{family.model}"], "prompts": [prompt]}


def held(family, request):
    """A request that the family's client could have sent."""
    sdk_types.check_path(family.provider, request["path"])
    sdk_types.check_request(family.provider, request["path"], request["body"])
    return request["body"]


def request(family, folder):
    with MockServer() as mock:
        run(folder, family, mock, suite(family, system="Be brief."), "--max-tokens", "500")
        held(family, mock.requests[0])
        path = mock.requests[0]["path"].removeprefix(f"/{family.provider}")
    path = re.sub(r"/models/[^:]+:", "/models/MODEL:", path)
    return f"`{path.removeprefix('/v1beta') if family.provider == 'google' else path}`"


def answered(family, folder, *words):
    make, _ = sdk_replies.replies_of(family.provider)
    reply, events = make()
    with MockServer(reply=lambda path, body: events if words else reply) as mock:
        result = run(folder, family, mock, suite(family, should=[{"$contains": sdk_replies.TEXT}]), *words)
    done = e2e.one_run(result)
    e2e.check(done["mean"] == 1 and done["candidate_usage"]["output_tokens"] == sdk_replies.OUT, f"{words}", result)
    shown = json.loads(e2e.assay("show", "latest", "--case", "one", "--json", cwd=folder).stdout)["attempts"][0]
    e2e.check(shown["reasoning"] == sdk_replies.THOUGHT, f"{family.provider} {words}: {shown}")
    return "text, thoughts, tokens"


def reply(family, folder):
    return answered(family, folder)


def stream(family, folder):
    return answered(family, folder, "--stream")


def tools(family, folder):
    """A model under research calls a tool; what came of it goes back as its service wants it."""
    called = sdk_replies.calls_of(family.provider)

    def answer(path, body):
        return None if "no such tool" in written(body).lower() or "call_1" in written(body) else called

    with MockServer(reply=answer, answer=lambda text: "yes") as mock:
        Path(folder, "notes.yaml").write_text(
            'id: notes\ndocs: [{id: a, title: A, url: "https://example.invalid/a.txt"}]\n'
            'tests:\n  - {id: calls, doc_id: a, query: "calls?", expected: {type: contains, text: "yes"}}\n')
        matrix = ('dataset = "./notes.yaml"\noutput_root = "./runs"\n[[runs]]\nid = "r"\n'
                  f'model_alias = "{family.provider}:{family.model}"\nresearch_mode = false\nlean = false\n')
        Path(folder, "matrix.toml").write_text(matrix)
        result = e2e.assay("run", "matrix.toml", "--max-retries=0", family.url(mock), cwd=folder, env=family.env())
        e2e.check(result.returncode in (0, 2), "the turn was not made", result)
        bodies = [held(family, each) for each in mock.requests]
    e2e.check(len(bodies) >= 2 and bodies[0].get("tools"), f"{family.provider}: {bodies}", result)
    told = written(bodies[-1])
    words = ("tool_use", "functionCall", "function_call", "tool_calls")
    name = next((word for word in words if f'"{word}"' in told), "")
    e2e.check(name != "", f"{family.provider}: the call did not go back: {told}")
    return f"`{name}`"


def thoughts(family, folder):
    """A turn's thoughts stand in the next request of the conversation, as they came, whole or streamed."""
    if not family.kept:
        return "it shows none"
    make, _ = sdk_replies.replies_of(family.provider)
    for words in ([], ["--stream"]):
        replies = [make()[1 if words else 0], None]
        with MockServer(reply=lambda path, body: replies.pop(0), answer=lambda text: "yes") as mock:
            said = [{"user": "Who?"}, {"assistant": None}, {"user": "say yes"}]
            content = suite(family, messages=said, should=[{"$contains": "yes"}])
            del content["prompts"][0]["prompt"]
            run(folder, family, mock, content, *words)
            bodies = [held(family, each) for each in mock.requests]
        e2e.check(len(bodies) == 2 and family.kept in written(bodies[1]), f"{family.provider} {words}: {bodies[-1]}")
    return f"`{re.search(r'[a-zA-Z_]+', family.kept)[0]}`" if '"type"' not in family.kept else "`thinking`"


class Limiter:
    """So many requests in a while; each reply says in the family's own words what is left."""

    def __init__(self, family):
        self.family, self.lock, self.began, self.count, self.refused = family, threading.Lock(), 0.0, 0, 0

    def __call__(self, text, attempt):
        with self.lock:
            now = time.monotonic()
            if now - self.began >= WINDOW_S:
                self.began, self.count = now, 0
            self.count += 1
            if self.count <= REQUESTS:
                return None
            self.refused += 1
            wait_s = self.began + WINDOW_S - now + 0.02
        if self.family.provider == "google":
            info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{wait_s:.3f}s"}
            error = {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "quota", "details": [info]}
            return status(429, body=json.dumps({"error": error}))
        if self.family.provider == "openrouter":
            at_ms = str(int((time.time() + wait_s) * 1000))
            return status(429, {"x-ratelimit-limit": str(REQUESTS), "x-ratelimit-remaining": "0",
                                "x-ratelimit-reset": at_ms})
        return status(429, {"retry-after": f"{wait_s:.3f}"})


def limits(family, folder):
    limiter = Limiter(family)
    with MockServer(fault=limiter) as mock:
        content = e2e.suite(CALLS, model=f"{family.provider}:{family.model}")
        result = run(folder, family, mock, content, file="suite.yml")
    done = e2e.one_run(result)
    e2e.check(done["request_errors"] == 0 and done["mean"] == 1, f"{family.provider}: not all are answered", result)
    word = {"google": "RetryInfo", "openrouter": "x-ratelimit-reset"}.get(family.provider, "retry-after")
    return f"`{word}`"


def batch(family, folder):
    if family.batch is None:
        with MockServer(batches=MockBatches(polls=0)) as mock:
            run(folder, family, mock, suite(family), "--batch", "--eval-method", "none")
            e2e.check(len(mock.requests) == 1 and not mock.batch_calls, f"{family.provider}: {mock.batch_calls}")
        return "asked one by one"
    batches, made = MockBatches(polls=0), []
    handle = batches.handle

    def note(method, path, data, *more):
        if method == "POST" and path.endswith(family.batch.rpartition("/v1")[2]) and not path.endswith(":cancel"):
            made.append((path, json.loads(data)))
        return handle(method, path, data, *more)

    batches.handle = note
    with MockServer(batches=batches) as mock:
        run(folder, family, mock, suite(family), "--batch", "--eval-method", "none")
        e2e.check(made and not mock.requests, f"{family.provider}: {mock.batch_calls}")
    for path, body in made:
        sdk_types.check_batch(family.provider, path, body)
    return f"`{family.batch.removeprefix('/v1')}`"


def image(family, folder):
    for name, data in {"a.png": PNG, "a.pdf": PDF, "a.wav": WAV}.items():
        Path(folder, name).write_bytes(data)
    parts = {"image": "a.png", "file": "a.pdf", "audio": "a.wav"}
    with MockServer() as mock:
        run(folder, family, mock, suite(family, **{kind: parts[kind] for kind in family.parts}))
        told = written(held(family, mock.requests[0]))
    e2e.check(base64.b64encode(PNG).decode() in told and f'"{family.picture}"' in told, f"{family.provider}: {told}")
    for kind, data in {"file": PDF, "audio": WAV}.items():
        e2e.check((base64.b64encode(data).decode() in told) == (kind in family.parts), f"{family.provider}: {kind}")
    more = {"file": "PDF", "audio": "audio"}
    return ", ".join([f"`{family.picture}`", *(more[kind] for kind in family.parts if kind in more)])


def audio_of_chat():
    """Models of the chat protocol that listen are rows of no family here: their part is held against its type, too."""
    family = FAMILIES["OpenAI chat"]
    model = "gpt-4o-audio-preview"
    listens = Family(family.provider, model, family.variable, family.path, "", "input_audio", ("audio",))
    with e2e.scratch() as folder, MockServer() as mock:
        Path(folder, "a.wav").write_bytes(WAV)
        run(folder, listens, mock, suite(listens, audio="a.wav"))
        told = written(held(listens, mock.requests[0]))
        e2e.check(f'"input_audio":{{"data":"{base64.b64encode(WAV).decode()}","format":"wav"}}' in told, told)


CELLS = dict(zip(COLUMNS, [request, reply, stream, tools, thoughts, limits, batch, image]))


def table():
    lines = ["| family | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    wrong = []
    for name, family in FAMILIES.items():
        cells = []
        for column, cell in CELLS.items():
            with e2e.scratch() as folder:
                try:
                    cells.append(cell(family, folder))
                except (Exception, SystemExit) as error:  # noqa: BLE001
                    wrong.append(f"{name}, {column}: {error}")
                    cells.append("")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    print("\n".join(lines))
    e2e.check(not wrong, "\n".join(wrong))
    return "\n".join(lines) + "\n"


audio_of_chat()
made = table()
page = PAGE.read_text()
before, _, rest = page.partition(MARKS[0])
told, _, after = rest.partition(MARKS[1])
if "--update" in sys.argv:
    PAGE.write_text(before + MARKS[0] + made + MARKS[1] + after)
else:
    e2e.check(told == made, f"docs/providers.md tells another table; write it with --update:\n{told}")
