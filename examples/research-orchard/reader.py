#!/usr/bin/env python3
"""A small program under test (assay-exec/1): it answers with the paragraph of its sources that shares most words
with the question, or, where `search` is switched off, with the first paragraphs of each. It asks no model."""
import json
import re
import sys
import time

STARTED = time.monotonic()


def send(kind, **members):
    print(json.dumps({"type": kind, **members}), flush=True)


def teller(turn):
    return lambda name, **members: send("event", id=turn, t_ms=(time.monotonic() - STARTED) * 1000, event=name,
                                        **members)


def words_of(text):
    return set(re.findall(r"\w+", text.lower()))


def answer(run, query, event):
    head, _, question = query.partition("\nQuestion:\n")
    event("stage_start", stage="local_ingestion")
    texts = [open(path, encoding="utf-8").read() for path in re.findall(r'(?m)^- .*?: "(.*)"$', head)]
    event("stage_end", stage="local_ingestion")
    paragraphs = [text.strip().split("\n\n") for text in texts]
    if "search" in run["disabled_tools"]:
        return " ".join(part for each in paragraphs for part in each[:3]), {}
    event("tool_start", turn=1, call_index=1, tool_name="search", tool_arguments={"words": question})
    every = [part for each in paragraphs for part in each]
    found = max(every, key=lambda part: len(words_of(part) & words_of(question)))
    event("tool_end", turn=1, call_index=1, tool_name="search")
    return found, {"search": 1}


def main():
    run = json.loads(sys.stdin.readline())["run"]
    send("ready", protocol="assay-exec/1", sut={"name": "orchard-reader", "version": "1"},
         role_aliases={"main": run["model_alias"]})
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "shutdown":
            break
        if message["type"] == "turn":
            text, usage = answer(run, message["query"], teller(message["id"]))
            send("result", id=message["id"], answer=text, halted=False, halt_reason=None, notices=[], tool_usage=usage,
                 token_usage={}, error=None)
    send("bye")


main()
