#!/usr/bin/env python3
"""What the research agent does with replies and pages as the original does: which statuses it tries again, answers
that were refused or held back, counts that a reply lacks, times that pages get, pages of a few words."""
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402

WORD = {"role": "assistant", "content": "It is a word."}
LONG = "<p>" + "A ladder is set down on firm ground. " * 20 + "</p>"


def said(message, finish="stop", usage=None):
    body = {"choices": [{"index": 0, "message": message, "finish_reason": finish}]}
    return body if usage is None else {**body, "usage": usage}


def called(name, **arguments):
    call = {"id": "c1", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
    return said({"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls", {})


class Rig:
    """A folder, a server whose replies are given for one run, and that run's row."""

    def __init__(self, folder, home, server):
        self.folder, self.home, self.server, self.reply = folder, home, server, None
        server.reply = lambda path, body: self.reply(path, body)
        home.joinpath("api.toml").write_text(f'[api.one]\nurl = "{server.url}/v1/chat/completions"\napi_key = "k"\n')
        home.joinpath("models.toml").write_text('[models.gf]\nid = "gf"\napi = "one"\n')
        home.joinpath("general.toml").write_text("[limits]\nmax_retries = 3\ninitial_backoff = 0\nmax_backoff = 0\n"
                                                 "fetch_timeout = 1\n")
        self.ask("What is it?", "shortlist = false", None)

    def ask(self, question, profile, reply, *words, code=0):
        self.folder.joinpath("set.yaml").write_text(
            f'docs: [{{id: a, title: A, url: "{self.server.url}/page"}}]\n'
            f"tests: [{{id: t, doc_id: a, query: {json.dumps(question)}, expected: {{type: contains, text: word}}}}]\n")
        self.folder.joinpath("m.toml").write_text(
            'dataset = "./set.yaml"\noutput_root = "runs"\n[[runs]]\nid = "r"\nmodel_alias = "gf"\n'
            f"research_mode = false\n{profile}\n")
        self.reply = reply
        if reply is None:
            return None
        before = len(self.server.requests)
        result = e2e.assay("run", "--matrix", "m.toml", "--compat", "asky", "--fresh", "--allow-host", "127.0.0.1",
                           *words, cwd=self.folder, env={"ASKY_HOME": str(self.home)})
        e2e.expect(result, code)
        self.asked = self.server.requests[before:]
        row = sorted(self.folder.joinpath("runs").iterdir())[-1] / "r/artifacts/results.jsonl"
        return json.loads(row.read_text())


def tries(rig):
    for code, wanted in ((503, 1), (408, 1), (500, 1), (429, 3)):
        row = rig.ask("What is it?", "lean = true", lambda path, body, code=code: status(code))
        e2e.check(len(rig.asked) == wanted and row["error"], f"status {code}: asked {len(rig.asked)} times")


def ends(rig):
    told = {"prompt_tokens": 12, "completion_tokens": 5}
    for finish, message in (("content_filter", WORD), ("refusal", WORD),
                            ("stop", {**WORD, "content": None, "refusal": "No word of it."})):
        row = rig.ask("What is it?", "lean = true", lambda path, body: said(message, finish, told))  # noqa: B023
        answer = message["content"] or message["refusal"]
        used = row["token_usage"]["main"]
        e2e.check(row["answer"] == answer and row["pass"] and row["error"] is None and used["input_tokens"] == 12
                  and used["output_tokens"] == 5 and row["timings_ms"]["llm_calls"] == 1, f"{finish}: {row}")


def counts(rig):
    own = len(json.dumps(WORD)) // 4
    for usage, wanted in ((None, (None, own)), ({}, (None, own)), ({"prompt_tokens": 7}, (7, own)),
                          ({"completion_tokens": 9}, (None, 9)),
                          ({"prompt_tokens": 0, "completion_tokens": 0}, (0, 0))):
        row = rig.ask("What is it?", "lean = true", lambda path, body: said(WORD, usage=usage))  # noqa: B023
        used = row["token_usage"]["main"]
        sent = sum(len(message["content"]) for message in rig.asked[-1]["body"]["messages"]) // 4
        expected = (sent if wanted[0] is None else wanted[0], wanted[1])
        e2e.check((used["input_tokens"], used["output_tokens"]) == expected, f"{usage}: {used}, expected {expected}")


def parameters(rig):
    """JSON has no number that is infinite: the row keeps it, and nothing is sent."""
    row = rig.ask("What is it?", "lean = true\n[runs.parameters]\ntemperature = inf", lambda path, body: said(WORD))
    e2e.check(row["parameters"] == {"temperature": float("inf")} and row["error"] and not rig.asked, f"{row}")


def pages(rig):
    page = f"{rig.server.url}/page"

    def slow(path, body):
        if path == "/page":
            time.sleep(4)
        return called("get_url_content", url=page) if len(body.get("messages", [])) < 3 else said(WORD)

    row = rig.ask("What is it?", "preload_shortlist = false", slow, "--max-retries", "0")
    results = [message["content"] for message in rig.asked[-1]["body"]["messages"] if message["role"] == "tool"]
    e2e.check(row["pass"] and len(results) == 1 and "timeout" in results[0], f"what the page gave: {results}")

    for text, shown, offered in (("<p>Too few words.</p>", False, True), (LONG, True, False)):
        html = (200, {"content-type": "text/html"}, text)
        rig.ask("What is it?", "preload_shortlist = true",
                lambda path, body: html if path == "/page" else said(WORD))  # noqa: B023
        first = next(request["body"] for request in rig.asked if request["path"].endswith("/completions"))
        tools = [tool["function"]["name"] for tool in first.get("tools", [])]
        user = first["messages"][-1]["content"]
        e2e.check(("Too few" in user or "firm ground" in user) == shown and ("web_search" in tools) == offered,
                  f"{tools} beside {user}")


def notices(rig):
    page = f"{rig.server.url}/page"
    row = rig.ask("What is it?", "preload_shortlist = true",
                  lambda path, body: status(410) if path == "/page" else said(WORD))
    e2e.check(any(page in notice and "410" in notice for notice in row["notices"]), f"{row['notices']}")
    e2e.check(row["token_usage"]["summarizer"]["model_alias"] == "gf", f"{row['token_usage']}")


with e2e.scratch() as scratch, e2e.scratch() as own, MockServer() as service:
    the_rig = Rig(Path(scratch), Path(own), service)
    for part in (tries, ends, counts, parameters, pages, notices):
        part(the_rig)
