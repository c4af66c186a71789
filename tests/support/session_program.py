#!/usr/bin/env python3
"""A program that speaks assay-exec/1 and says what a recorded session of the original says: of each turn the events
that its progress lines tell of, and the result that its row holds. Usage: session_program.py SESSION."""
import json
import re
import sys
from pathlib import Path


def send(**message):
    print(json.dumps(message), flush=True)


def without_places(query):
    """Where snapshots are is everybody's own."""
    return re.sub(r'"[^"\n]*/snapshots/', '"snapshots/', query)


def rows_of(session, run):
    """By query; queries of one run differ."""
    path = session / "output" / run / "artifacts" / "results.jsonl"
    return {without_places(row["query"]): row for row in map(json.loads, path.read_text().splitlines())}


def progress_of(session, run, test):
    """What the original printed of a case, without the brackets."""
    head = f"    [{run}/{test}] "
    for line in (session / "stdout.txt").read_text().splitlines():
        if line.startswith(head):
            yield line[len(head):]


def events_of(session, run, row):
    """Pairs get equal numbers: what ends without a start, or begins without an end, has a number of its own."""
    arguments = iter(row["tool_calls"])
    turn = tool = 0
    open_llm = False
    for line in progress_of(session, run, row["test_id"]):
        found = re.fullmatch(r"(llm|tool) (\w+?)(?:: (.*?))?(?: \([\d.]+ ms\))?", line)
        if found and found[1] == "llm":
            is_start = found[2] == "llm_start"
            turn += is_start or not open_llm
            open_llm = is_start
            yield {"event": found[2], "turn": turn}
        elif found and found[2] == "tool_start":
            tool += 1
            call = next(arguments)
            event = {"event": "tool_start", "turn": 1, "call_index": tool}
            if found[3] != "None":
                event["tool_name"] = found[3]
            if call["arguments"] != {}:
                raw = call["arguments"]
                is_raw = isinstance(raw, dict) and list(raw) == ["_raw"]
                event["tool_arguments"] = raw["_raw"] if is_raw else json.dumps(raw)
            yield event
        elif found and found[2] == "tool_end":
            is_paired = "(" in line
            yield {"event": "tool_end", "turn": 1, "call_index": tool if is_paired else 1000, "tool_name": found[3]}
        elif stage := re.fullmatch(r"(local_ingestion|shortlist) (start|end)(?: \([\d.]+ ms\))?", line):
            yield {"event": "stage_" + stage[2], "stage": stage[1]}
        elif not line.startswith("run_turn"):
            source, message = line.split(": ", 1)
            yield {"event": "status", "source": source, "message": message}


def result_of(row):
    error = None
    if row["error"]:
        kind, message = row["error"].split(": ", 1)
        error = {"class": kind, "message": message}
    usage = {role: {name: used[name] for name in ("input_tokens", "output_tokens")}
             for role, used in row["token_usage"].items() if used["total_tokens"]}
    return {"answer": row["answer"], "halted": row["halted"], "halt_reason": row["halt_reason"],
            "notices": row["notices"], "tool_usage": row["tool_usage"], "token_usage": usage,
            "client_init_ms": row["timings_ms"]["client_init_ms"], "error": error}


def main():
    session = Path(sys.argv[1])
    init = json.loads(sys.stdin.readline())
    run = init["run"]["id"]
    rows = rows_of(session, run)
    aliases = {role: used["model_alias"] for role, used in next(iter(rows.values()))["token_usage"].items()}
    send(type="ready", protocol="assay-exec/1", sut={"name": "recorded session"}, role_aliases=aliases)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "shutdown":
            break
        if message["type"] != "turn":
            continue
        row = rows[without_places(message["query"])]
        for number, event in enumerate(events_of(session, run, row)):
            send(type="event", id=message["id"], t_ms=number / 1000, **event)
        send(type="result", id=message["id"], **result_of(row))


main()
