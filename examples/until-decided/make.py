#!/usr/bin/env python3
"""Writes until-decided.yml and its recording until-decided.replay.jsonl beside itself: 400 questions about the last day
of a time limit, and the replies of five models that do not exist. Digests draw who is right, so that each call writes
the same files."""
import hashlib
import json
from datetime import date, timedelta
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAME = "until-decided"
CASES = 400
FIRST = date(2027, 1, 1)
DAYS_OF_YEARS = 730
LIMITS = (14, 21, 28, 30, 42, 60, 90)
RIGHT = {"alder": 0.88, "birch": 0.84, "cedar": 0.82, "elm": 0.64, "hazel": 0.50}
MONTH = 30  # days, as a careless reader counts
HEAD = """\
# Which of five models counts time limits best? make.py wrote these 400 cases and the recorded answers of models that do
# not exist. `--until decided` ends a run after a part of the cases (docs/until.md).
title: "Time limits: which day is the last?"
id: until-decided
description: A letter has a date and sets a time limit in days. The answer has to name the last day of it.
tags: [time-limits]
models: [{models}]
prompts:
"""


def draw(*parts):
    """A number from 0 to 1 that depends on the parts alone."""
    digest = hashlib.sha256("/".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def words_of(day):
    return f"{day.day} {day:%B %Y}"


def questions():
    """The id, the prompt, the date of the letter and the time limit of each case."""
    letters = [(FIRST + timedelta(days=day), limit) for day in range(DAYS_OF_YEARS) for limit in LIMITS]
    letters.sort(key=lambda letter: draw("letter", *letter))
    for number, (start, days) in enumerate(letters[:CASES], 1):
        prompt = f"A letter of {words_of(start)} gives you {days} days. Which day is the last?"
        yield f"letter-{number}", prompt, start, days


def reply(model, case_id, start, days):
    """The right day, or one of the mistakes that readers of such letters make."""
    last = start + timedelta(days=days)
    if draw(model, case_id) < RIGHT[model]:
        return f"{words_of(last)}."
    mistake = draw("mistake", model, case_id)
    if mistake < 0.5:  # the day of the letter counts as the first
        return f"{words_of(last - timedelta(days=1))}."
    if mistake < 0.9:  # each month has 30 days
        months, rest = divmod(days, MONTH)
        return f"{words_of(last + timedelta(days=months + (1 if rest else 2)))}."
    return "That depends on the office."


def main():
    suite = HEAD.format(models=", ".join(f"demo:{model}" for model in RIGHT))
    recording = []
    for case_id, prompt, start, days in questions():
        last = words_of(start + timedelta(days=days))
        suite += f"  - {{id: {case_id}, prompt: \"{prompt}\", should: [{{$contains_word: {last}}}]}}\n"
        for model in RIGHT:
            recording.append({"v": 1, "request": {"v": 1, "model_call": "demo", "model": model,
                                                  "messages": [{"user": prompt}], "temperature": 0},
                              "reply": {"v": 1, "text": reply(model, case_id, start, days), "finish": "stop"}})
    (HERE / f"{NAME}.yml").write_text(suite)
    lines = (json.dumps(line, separators=(",", ":")) + "\n" for line in recording)
    (HERE / f"{NAME}.replay.jsonl").write_text("".join(lines))


if __name__ == "__main__":
    main()
