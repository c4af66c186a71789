#!/usr/bin/env python3
"""A program under test that is a recorded talk (assay-exec/1): it says what the recorded program said, and ends with
an error if it is told anything else than that one was. Usage: transcript_program.py TRANSCRIPT."""
import json
import re
import sys

OWN = ("runtime_dir", "id")  # everybody's own, but for the run's id


def expected_members(recorded, told, place=""):
    """What was told then is told now; members may have come since."""
    for name, value in recorded.items():
        if name in OWN and not place:
            continue
        if isinstance(value, dict):
            expected_members(value, told[name], name)
        elif name == "query":
            plain = [re.sub(r'"[^"\n]*/snapshots/', '"', text) for text in (value, told[name])]
            assert plain[0] == plain[1], f"{plain[1]!r} was asked, {plain[0]!r} is recorded"
        elif name == "disabled_tools":
            assert set(told[name]) == set(value), f"{told[name]!r} was told, {value!r} is recorded"
        else:
            assert told[name] == value, f"{name}: {told[name]!r} was told, {value!r} is recorded"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        talk = [json.loads(line) for line in file]
    turn = None
    for line in talk:
        message = line["msg"]
        if line["dir"] == ">":
            told = json.loads(sys.stdin.readline())
            expected_members(message, told)
            turn = told.get("id", turn)
        else:
            if "id" in message:
                message["id"] = turn
            print(json.dumps(message), flush=True)


main()
