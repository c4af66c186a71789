#!/usr/bin/env python3
"""--background: answers of the Responses API are begun, asked for and deleted once they are in the store; a killed run
finds them again by their names; what is refused at the beginning, fails, vanishes or takes too long is told or asked
again in the foreground."""
import json
import signal
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, response_of  # noqa: E402

KEYS = {"OPENAI_API_KEY": "sk-test-background-4711", "ANTHROPIC_API_KEY": "sk-test-background-4712",
        "AZURE_OPENAI_API_KEY": "sk-test-background-4713"}


class Kept:
    """Answers that a service makes in the background: ready after so many questions, never where `polls` is None."""

    def __init__(self, polls=1, begin=None, end=None):
        self.polls, self.lock, self.answers = polls, threading.Lock(), {}
        self.begin = begin or (lambda text, attempt: None)   # (status, body) in place of a beginning
        self.end = end or (lambda body: None)                # members of the answer that are others
        self.begun, self.deleted, self.cancelled, self.alone = [], [], [], []

    def takes(self, method, path):
        return "/responses" in path

    def handle(self, method, path, data, reply, text_of):
        path, _, query = path.partition("?")
        name = path.partition("/responses/")[2]
        with self.lock:
            if not name:
                body = json.loads(data)
                text = text_of(body)
                if not body.get("background"):
                    self.alone.append(text)
                    return reply(path, body)
                assert body["store"] is True and body["stream"] is False, body
                refused = self.begin(text, self.begun.count(text))
                self.begun.append(text)
                if refused:
                    return refused
                name = f"resp_{len(self.begun)}"
                self.answers[name] = {"body": body, "asked": 0, "query": query, "cancelled": False}
                return 200, self.told(name, "queued")
            name, _, what = name.partition("/")
            if name not in self.answers:
                return 404, {"error": {"message": f"Response with id {name} not found."}}
            answer = self.answers[name]
            assert query == answer["query"], query
            if method == "DELETE":
                self.deleted.append(name)
                del self.answers[name]
                return 200, {"id": name, "object": "response", "deleted": True}
            if what == "cancel":
                answer["cancelled"] = True
                self.cancelled.append(name)
                return 200, self.told(name, "cancelled")
            answer["asked"] += 1
            if answer["cancelled"]:
                return 200, self.told(name, "cancelled")
            if self.polls is None or answer["asked"] <= self.polls:
                return 200, self.told(name, "in_progress")
            whole = response_of(answer["body"], text_of(answer["body"]).removeprefix("say "))
            return 200, {**whole, "id": name, "background": True, **(self.end(answer["body"]) or {})}

    def told(self, name, status):
        return {"id": name, "object": "response", "background": True, "status": status, "output": [], "error": None}


def suite(models, cases=3):
    lines = ["title: Background", "id: background", f"models: [{models}]", "prompts:"]
    for i in range(cases):
        lines += [f"  - id: case-{i}", f"    prompt: say word {i}", "    should:", f"      - $contains: word {i}"]
    return "\n".join(lines) + "\n"


def words(mock, *more):
    urls = [f"--base-url=openai={mock.url}/v1", f"--base-url=openai-responses={mock.url}/v1",
            f"--base-url=anthropic={mock.url}", f"--base-url=azure-openai={mock.url}?api-version=2026-01-01"]
    return ["run", "suite.yml", "--background", "--json", *urls, *more]


def run(folder, mock, *more, code=0):
    result = e2e.assay(*words(mock, *more), cwd=folder, env=KEYS)
    e2e.expect(result, code)
    return result


def left(folder):
    return e2e.counted_in_store(folder, "batch")


def write(folder, *args, **more):
    Path(folder, "suite.yml").write_text(suite(*args, **more))


with e2e.scratch() as folder:
    # In good weather, also by Azure's older address; who has no such interface is asked as ever.
    write(folder, "openai:gpt-5-pro, openai-responses:gpt-5-mini, azure-openai:gpt-5-pro, anthropic:claude-haiku-4-5, "
                  "openai:gpt-4o-mini")
    kept = Kept()
    with MockServer(batches=kept) as mock:
        result = run(folder, mock)
        done = e2e.one_run(result)
        e2e.check(done["mean"] == 1 and done["request_errors"] == 0, "every answer was expected", result)
        e2e.check(len(kept.begun) == 9 and not kept.alone, f"{kept.begun} {kept.alone}", result)
        paths = {request["path"] for request in mock.requests}
        e2e.check(paths == {"/v1/messages", "/v1/chat/completions"}, f"{paths}", result)
        e2e.check(len(kept.deleted) == 9 and not kept.answers, f"they were to be forgotten: {kept.answers}", result)
        e2e.check(left(folder) == 0, "nothing is open any more", result)
        e2e.check(done["candidate_usage"]["input_tokens"] == 15 * 7, f"{done['candidate_usage']}")
        e2e.check(any("/openai/responses/resp_" in path and path.endswith("?api-version=2026-01-01")
                      for _, path in mock.batch_calls), f"{mock.batch_calls}")
        calls = len(mock.batch_calls) + len(mock.requests)
        e2e.expect(e2e.assay(*[word for word in words(mock) if word != "--background"], cwd=folder, env=KEYS), 0)
        e2e.check(len(mock.batch_calls) + len(mock.requests) == calls, "they are answers like any other")

    # Killed while it waits: the same command asks for what was begun, and begins nothing anew.
    write(folder, "openai:gpt-5-pro")
    kept = Kept(polls=None)
    with MockServer(batches=kept) as mock:
        program = e2e.start(*words(mock, "--fresh"), cwd=folder, env=KEYS)
        while len({path for method, path in list(mock.batch_calls) if method == "GET"}) < 3:
            time.sleep(0.02)
        program.send_signal(signal.SIGKILL)
        program.communicate()
        e2e.check(left(folder) == 3, "what was begun is in the store")
        kept.polls = 0
        result = run(folder, mock)
        e2e.check(e2e.one_run(result)["mean"] == 1, "every answer was expected", result)
        e2e.check(len(kept.begun) == 3 and len(kept.deleted) == 3 and not kept.alone, f"{kept.begun}", result)
        e2e.check(left(folder) == 0, "nothing is open any more", result)

    # Answered, and killed before it was forgotten: the next run in the background has it forgotten.
    kept = Kept(polls=0)
    with MockServer(batches=kept) as mock:
        keeps = kept.handle
        kept.handle = lambda method, *rest: (503, {}) if method == "DELETE" else keeps(method, *rest)
        result = run(folder, mock, "--fresh")
        e2e.check(e2e.one_run(result)["mean"] == 1 and len(kept.answers) == 3, "every answer was expected", result)
        e2e.check(left(folder) == 3, "what is to be forgotten is in the store", result)
        kept.handle = keeps
        write(folder, "openai:gpt-5-pro", cases=4)
        result = run(folder, mock)
        e2e.check(not kept.answers and len(kept.begun) == 4 and left(folder) == 0, f"{kept.answers}", result)

    # Refused at the beginning: paced, learned from and tried again as in the foreground.
    write(folder, "openai:gpt-5-pro")

    def begin(text, attempt):
        return (429, {"error": {"message": "Please try again in 20ms."}}) if attempt == 0 else None

    kept = Kept(begin=begin)
    with MockServer(batches=kept) as mock:
        result = run(folder, mock, "--fresh", "--max-retries", "0")
        e2e.check(e2e.one_run(result)["mean"] == 1 and len(kept.begun) == 6, f"{kept.begun}", result)
        e2e.check(left(folder) == 0 and not kept.answers, "nothing is open any more", result)

    # An answer that fails is begun again; one that is held back is an error with its reason.
    failed = {"status": "failed", "output": [], "error": {"code": "server_error", "message": "try later"}}
    tries = []
    kept = Kept(polls=0, end=lambda body: None if tries.append(1) or len(tries) > 1 else failed)
    with MockServer(batches=kept) as mock:
        result = run(folder, mock, "--fresh", "--limit", "1", "--max-retries", "2")
        e2e.check(e2e.one_run(result)["mean"] == 1 and len(kept.begun) == 2, f"{kept.begun}", result)
        e2e.check(not kept.answers and left(folder) == 0, "both were to be forgotten", result)
    kept = Kept(polls=0, end=lambda body: {"status": "incomplete", "output": [],
                                           "incomplete_details": {"reason": "content_filter"}})
    with MockServer(batches=kept) as mock:
        result = run(folder, mock, "--fresh", "--limit", "1", code=2)
        e2e.check(e2e.one_run(result)["request_errors"] == 1, "held back is no answer", result)

    # Too long, or gone: asked again in the foreground.
    kept = Kept(polls=None)
    with MockServer(batches=kept) as mock:
        result = run(folder, mock, "--fresh", "--batch-wait", "0.3")
        e2e.check(e2e.one_run(result)["mean"] == 1 and len(kept.alone) == 3 and len(kept.cancelled) == 3, "", result)
        e2e.check("an answer in the background of openai took too long" in result.stderr, "nobody was told", result)
        e2e.check(left(folder) == 0, "what was cancelled is closed", result)
    kept = Kept(polls=0)
    with MockServer(batches=kept) as mock:
        keeps = kept.handle
        kept.handle = lambda method, *rest: (404, {}) if method == "GET" else keeps(method, *rest)
        result = run(folder, mock, "--fresh")
        e2e.check(e2e.one_run(result)["mean"] == 1 and len(kept.alone) == 3, "", result)

    # The time of the run is over: the same command goes on.
    kept = Kept(polls=None)
    with MockServer(batches=kept) as mock:
        result = run(folder, mock, "--fresh", "--max-time", "3", code=2)
        e2e.check(left(folder) == len(kept.begun) > 0, f"what was begun stays in the store: {kept.begun}", result)
        kept.polls = 0
        result = run(folder, mock)
        e2e.check(e2e.one_run(result)["mean"] == 1 and len(kept.begun) == 3 and not kept.answers, "", result)

    e2e.expect(e2e.assay(*words(mock, "--batch"), cwd=folder, env=KEYS), 1, "run.batch-background")
