#!/usr/bin/env python3
"""An agent for any service that speaks the chat protocol of OpenAI, as a program that assay evaluates (assay-exec/1).

It reads the sources that a question names, searches them with tools, and tells every call of the model and of a tool.
Usage: agent.py MODEL. The service: OPENAI_BASE_URL (OpenAI's own if unset) and OPENAI_API_KEY.
Standard library only. Replace `answer` by your own agent; the rest is the protocol."""
import html
import json
import os
import re
import sys
import time
import urllib.request

TURNS_MAX = 8
FOUND_MAX = 3
STARTED = time.monotonic()
INSTRUCTIONS = ("Answer from the sources alone. Look things up with the tools before you answer, quote figures "
                "exactly, and say so when the sources hold no answer.")


def send(kind, **members):
    """One line of JSON is one message; standard output carries nothing else."""
    sys.__stdout__.write(json.dumps({"type": kind, **members}) + "\n")
    sys.__stdout__.flush()


class Turn:
    """What one turn tells while it goes on, and what it used."""

    def __init__(self, name, requested_model):
        self.name = name
        self.requested_model = requested_model
        self.tool_usage = {}
        self.model = ""  # as the service's last reply calls the one that answered
        self.tokens = {"input_tokens": 0, "output_tokens": 0}

    def event(self, event, **members):
        t_ms = (time.monotonic() - STARTED) * 1000
        send("event", id=self.name, t_ms=t_ms, event=event, **members)

    def result(self, answer="", halt_reason=None, error=None):
        send("result", id=self.name, answer=answer, halted=halt_reason is not None, halt_reason=halt_reason, notices=[],
             tool_usage=self.tool_usage, token_usage={"main": self.tokens}, error=error, model=self.model,
             requested_model=self.requested_model)


def text_of(place):
    """A source's text: a file's or a page's, without the tags of HTML."""
    if place.startswith(("http://", "https://")):
        with urllib.request.urlopen(place, timeout=60) as reply:
            raw = reply.read()
    else:
        with open(place, "rb") as file:
            raw = file.read()
    text = raw.decode("utf-8", "replace")
    if re.match(r"\s*<(!doctype|html)", text, re.IGNORECASE):
        text = html.unescape(re.sub(r"(?s)<(script|style).*?</\1>|<[^>]+>", " ", text))
    return text


class Sources:
    """The documents of the case: each has an id, a title, and a path or a URL."""

    def __init__(self, documents, turn):
        turn.event("stage_start", stage="local_ingestion")
        self.texts = {each["title"] or each["id"]: text_of(each.get("path") or each["url"]) for each in documents}
        turn.event("stage_end", stage="local_ingestion")

    def search(self, words):
        """The paragraphs that share most words with what is looked for."""
        wanted = set(re.findall(r"\w+", words.lower()))
        found = []
        for title, text in self.texts.items():
            for paragraph in re.split(r"\n\s*\n", text):
                shared = len(wanted & set(re.findall(r"\w+", paragraph.lower())))
                if shared:
                    found.append((-shared, title, paragraph.strip()))
        found.sort(key=lambda each: each[0])
        return [{"source": title, "text": paragraph} for _, title, paragraph in found[:FOUND_MAX]]

    def read(self, source):
        return self.texts[source]


TOOLS = {
    "search_sources": ("Paragraphs of the sources that hold these words.", "words",
                       lambda sources, arguments: sources.search(arguments["words"])),
    "read_source": ("The whole text of one source, by its title.", "source",
                    lambda sources, arguments: sources.read(arguments["source"])),
}


def offered(run):
    """The tools that a profile leaves on."""
    if run["lean"] or not run["research_mode"]:
        return []
    return [{"type": "function",
             "function": {"name": name, "description": description,
                          "parameters": {"type": "object", "properties": {argument: {"type": "string"}},
                                         "required": [argument]}}}
            for name, (description, argument, _) in TOOLS.items() if name not in run["disabled_tools"]]


def call_tool(sources, name, written):
    """A mistake of the model's is told to the model."""
    try:
        return TOOLS[name][2](sources, json.loads(written))
    except Exception as problem:
        return {"error": f"{type(problem).__name__}: {problem}"}


def ask_model(model, run, messages, tools):
    body = {"model": model, "messages": messages, **run["parameters"]}
    if tools:
        body["tools"] = tools
    if not any(os.environ.get(name) for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY")):
        raise RuntimeError("OPENAI_API_KEY is not set, which the service of OpenAI needs")
    base = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1").rstrip("/")
    headers = {"content-type": "application/json"}
    if os.environ.get("OPENAI_API_KEY"):
        headers["authorization"] = "Bearer " + os.environ["OPENAI_API_KEY"]
    request = urllib.request.Request(base + "/chat/completions", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=120) as reply:
        return json.load(reply)


def answer(model, run, message, turn):
    """The agent: asks the model until it calls no more tools. Returns the answer and, if it gave up, why."""
    sources = Sources(message["documents"], turn)
    tools = offered(run)
    instructions = INSTRUCTIONS
    if run.get("additional_source_context"):
        instructions += "\n\n" + run["additional_source_context"]
    question = message["question"]
    if sources.texts:
        question += "\n\nThe sources: " + ", ".join(sources.texts)
    if not tools:
        question += "".join(f"\n\n# {title}\n\n{text}" for title, text in sources.texts.items())
    messages = [{"role": "system", "content": instructions}, {"role": "user", "content": question}]
    for number in range(1, TURNS_MAX + 1):
        turn.event("llm_start", turn=number)
        reply = ask_model(model, run, messages, tools)
        turn.event("llm_end", turn=number)
        used = reply.get("usage") or {}
        turn.model = str(reply.get("model") or "")
        turn.tokens["input_tokens"] += used.get("prompt_tokens", 0)
        turn.tokens["output_tokens"] += used.get("completion_tokens", 0)
        message = reply["choices"][0]["message"]
        calls = message.get("tool_calls") or []
        if not calls:
            return message.get("content") or "", None
        messages.append(message)
        for index, call in enumerate(calls, 1):
            name, written = call["function"]["name"], call["function"]["arguments"]
            turn.event("tool_start", turn=number, call_index=index, tool_name=name, tool_arguments=written)
            told = call_tool(sources, name, written)
            turn.event("tool_end", turn=number, call_index=index, tool_name=name)
            turn.tool_usage[name] = turn.tool_usage.get(name, 0) + 1
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": json.dumps(told)})
    return "", f"no answer after {TURNS_MAX} turns"


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: agent.py MODEL")
    sys.stdout = sys.stderr  # what is printed anywhere is the log
    run = json.loads(sys.stdin.readline())["run"]
    send("ready", protocol="assay-exec/1", sut={"name": "openai-agent", "version": "1"},
         role_aliases={"main": run["model_alias"]})
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "shutdown":
            break
        if message["type"] != "turn":
            continue
        turn = Turn(message["id"], sys.argv[1])
        try:
            text, halt_reason = answer(sys.argv[1], run, message, turn)
            turn.result(text, halt_reason)
        except Exception as problem:
            turn.result(error={"class": type(problem).__name__, "message": str(problem)})
    send("bye")


main()
