#!/usr/bin/env python3
"""No sentence contradicts a number of the same output: twelve suites drawn at random (300 in tests/slow). And the
checker finds what contradicts: one contradiction is planted for each kind of sentence, and each is reported."""
import itertools
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from drawn_suites import Suite, contradictions_of, draw, outputs_of  # noqa: E402
from outputs_agree import contradictions  # noqa: E402

DRAWN = 12
CELLS_MAX = 600  # of a drawn suite, so that the test stays quick


def suite(*rights, cases=40, fresh=None, models=None, **more):
    """A variant for each of `rights`: the cases that it has right, a number of the first or a list of 1, 0 and None."""
    made = Suite([f"echo:v{i}" for i in range(models or len(rights))], cases, **more)

    def row(right):
        return list(right) if isinstance(right, (list, tuple)) else [int(i < right) for i in range(cases)]

    made.scores = {variant: row(right) for variant, right in zip(made.variants, rights)}
    made.fresh = {variant: row(right) for variant, right in zip(made.variants, fresh or rights)}
    return made


ALL, LOST, NONE = [1] * 8, [0] * 8, [None] * 8

# Each is the smallest suite that has its kinds of sentences.
SUITES = {
    "leads": lambda: suite(40, 24, 20, 16, fresh=(40, 24, 20, 4)),
    "two": lambda: suite(39, 38, 12, 10),
    "several": lambda: suite(39, 38, 37, 12, 10),
    "nothing": lambda: suite(24, 22, 20, [0, 1] * 20),
    "unable": lambda: suite(40, 38, 12, [1] * 4 + [None] * 36),
    "few": lambda: suite(9, 7, 5, 4, 4, 3, 2, 0, 1, cases=8, fresh=(9, 7, 5, 4, 4, 3, 2, 0, 0)),
    "pair": lambda: suite(30, 10),
    "tie": lambda: suite(30, 27, fresh=(30, 23)),
    "equal": lambda: suite([1, 0] * 20, [0, 1] * 20),
    # 7 of 8 changed cases go one way; equal on the cases that both have; two cases that two variants share.
    "contrary": lambda: suite([1] * 7 + [0], [0] * 7 + [1], cases=8),
    "unequal": lambda: suite([1, 0] * 4 + [1] * 4, [1, 0] * 4 + [None] * 4, cases=12),
    "apart": lambda: suite([1] * 4 + [None] * 4, [None] * 2 + [1] * 4 + [None] * 2, [None] * 4 + [1] * 4, cases=8),
    "five": lambda: suite(5, 4, cases=5, fresh=(0, 1)),
    "seven": lambda: suite(7, 3, cases=7, fresh=(2, 3)),
    # Who is compared on other cases each: v0 > v1 > v2, and v0 and v2 have none in common; v0 > v1 > v2 > v0.
    "chain": lambda: suite(ALL + NONE, LOST + ALL, NONE + LOST, cases=16),
    "ring": lambda: suite(ALL + NONE + LOST, LOST + ALL + NONE, NONE + LOST + ALL, cases=24),
    # Of 60 cases a part is asked: v0 is first after 30, v2 is dropped before.
    "stopped": lambda: suite([1] * 57 + [0] * 3, [1, 0] * 15 + [1, 1, 0] * 10, 6, cases=60),
    "parameters": lambda: suite(30, 12, 29, 11, models=2, parameters={"temperatures": [0, 0.8]}),
}


def said(old, new):
    """Changes a sentence wherever it is printed, so that only numbers speak against it."""
    def change(outputs):
        text = json.dumps(outputs, ensure_ascii=False)
        changed = re.sub(old, new, text)
        e2e.check(changed != text, f"no output says {old}")
        return json.loads(changed)
    return change


def printed(name, old, new):
    """Changes one output alone."""
    def change(outputs):
        changed = re.sub(old, new, outputs[name], count=1, flags=re.M)
        e2e.check(changed != outputs[name], f"{name} does not say {old}:\n{outputs[name]}")
        return {**outputs, name: changed}
    return change


def of_gates(name, old, new):
    def change(outputs):
        return {**outputs, "gates": printed(name, old, new)(outputs["gates"])}
    return change


def of_stopped(name, old, new):
    """Of the run that was stopped; a sentence wherever that output has it."""
    def change(outputs):
        changed = re.sub(old, new, outputs["stopped"][name])
        e2e.check(changed != outputs["stopped"][name], f"{name} of the stopped run does not say {old}")
        return {**outputs, "stopped": {**outputs["stopped"], name: changed}}
    return change


# (suite, what is planted, and what the checker has to say of it): one for each kind of sentence and of output.
PLANTED = [
    ("leads", said("leads the 3 others", "leads the 2 others"), "2 others, but 3 are shown to be worse"),
    ("leads", said("the next, echo:v1, by", "the next, echo:v2, by"), "points are"),
    ("two", said("echo:v0 and echo:v1 are not shown to differ: echo:v0 − echo:v1 is",
                 "echo:v0 and echo:v2 are not shown to differ: echo:v0 − echo:v2 is"), "but rank 1 have"),
    ("two", said("2 others are shown to be worse", "the other is shown to be worse"),
     "1 are shown to be worse, but 2"),
    ("several", said("echo:v0 and 2 others are", "echo:v0 and 3 others are"), "but 3 have rank 1"),
    ("nothing", said("variants is shown: echo:v0 − echo:v3,", "variants is shown: echo:v0 − echo:v1,"),
     "highest and lowest are"),
    ("nothing", said("(on 40 cases);[^.]*", r"\1; enough between two alone, not among 4"),
     "enough between two alone, but"),
    ("unable", said("echo:v3 has too few cases", "echo:v2 has too few cases"), "too few cases for a rank"),
    ("few", said("cannot rank 9 variants; 9 could", "cannot rank 9 variants; 8 could"), "8 could, but it takes 9"),
    ("pair", said("echo:v0 leads echo:v1 by", "echo:v1 leads echo:v0 by"), "a lead of nothing, or a deficit"),
    ("pair", printed("show", r"^( *)2( +2  echo:v1)", r"\g<1>1\2"), "rank 1 is 2 elsewhere"),
    ("tie", said("; [a-z ,]+(settle|small)[^.]*", "; their means are equal"), "equal means differ by"),
    ("equal", said("; their means are equal", ""), "their means are equal, which it does not say"),
    ("contrary", said("1 of these 8 goes", "2 of these 8 go"), "2 are contrary, of 7 wins and 1 losses"),
    ("unequal", said("On the 8 cases that", "On the 9 cases that"), "equal means on 9 cases"),
    ("apart", said("on more than 2 of the 8 cases", "on more than 8 of the 8 cases"), "8 of 8 are all"),
    ("five", said("fewer than 6 cases", "fewer than 5 cases"), "at least 6, not 5"),
    ("leads", of_gates("json", "Regression: ", "No regression shown: "), "its state is regression"),
    ("tie", of_gates("json", "drops below \\d+ points", "drops below 1 point"), "drops below 1.0 are"),
    ("five", of_gates("json", "fewer than 6 cases cannot show a reg", "fewer than 4 cases cannot show a reg"),
     "at least 6 of them"),
    ("seven", of_gates("json", "of which 5 changed; at least 6", "of which 4 changed; at least 5"),
     "at least 6 of them"),
    ("seven", of_gates("json", "Cannot tell: −71", "Regression: −71"), "of no known kind"),
    ("chain", said("each of the 2 others is", "each of the 3 others is"), "3 others, but 2 are shown to be worse"),
    ("chain", said("(is first; each of the 2 others)[^;]*; echo:v0 leads the next, echo:v1,",
                   r"\1 is shown to be worse than another; echo:v0 leads the next, echo:v2,"), "points are"),
    ("ring", said("Each of 3 variants is shown", "Each of 4 variants is shown"), "4 variants of 3"),
    ("parameters", said("temperature 0 leads temperature 0.8 by", "temperature 0.8 leads temperature 0 by"),
     "a lead of nothing, or a deficit"),
    ("leads", printed("plan", "in a ranking of 4", "in a ranking of 5"), "--json says"),
    ("leads", said("in a ranking of 4", "in a ranking of 5"), "a ranking of 5"),
    ("few", printed("plan_json", r'"fewest": \d+', '"fewest": 6'), "fewest is 6"),
    ("few", printed("check", "cannot rank 9 variants; 9 could", "cannot rank 9 variants; 10 could"), "9 could"),
    ("few", printed("check", "cannot rank", "can rank"), "8 clusters, 9 variants"),
    ("leads", printed("markdown", r"^\| 1 \| echo:v0 \| 100.0 ", "| 1 | echo:v0 | 99.0 "), "the mean 99.0"),
    ("stopped", of_stopped("show_json", "is first on this suite", "is ahead on this suite"), "of no known kind"),
    ("stopped", of_stopped("show_json", "echo:v0 is first on this suite", "echo:v1 is first on this suite"),
     "did not compare"),
    ("stopped", of_stopped("show_json", r"(\d+) of 60 cases were asked", "59 of 60 cases were asked"),
     "59 cases, but the last look"),
    ("stopped", of_stopped("show_json", r"echo:v2 after \d+", "echo:v2 after 3"), "dropped were"),
    ("stopped", of_stopped("show_json", r"by [0-9.]+ to", "by 99 to"), "lo is"),
    ("stopped", of_stopped("csv", "stopped: decided", "stopped"), "its head does not say"),
    ("stopped", of_stopped("show_json", r'"rank_last": \d+', '"rank_last": 9'), "the race says"),
    ("leads", printed("junit", r'failures="\d+"', 'failures="77"'), "failures 77"),
]


def what_is_planted_is_found(folder):
    outputs = {}
    for name, make in SUITES.items():
        Path(folder, name).mkdir()
        outputs[name] = outputs_of(make(), Path(folder, name))
        found = contradictions(outputs[name])
        e2e.check(not found, f"{name}:\n" + "\n".join(found))
    for name, change, fragment in PLANTED:
        found = contradictions(change(outputs[name]))
        e2e.check(any(fragment in line for line in found), f"{name}: expected “{fragment}”, found {found}")


def drawn_suites_agree():
    suites = ((seed, draw(seed)) for seed in itertools.count(1000))
    small = (seed for seed, drawn in suites if len(drawn.variants) * drawn.cases <= CELLS_MAX)
    wrong = [f"seed {seed}: {line}" for seed in itertools.islice(small, DRAWN) for line in contradictions_of(seed)]
    e2e.check(not wrong, "\n".join(wrong))


if __name__ == "__main__":
    with e2e.scratch() as scratch:
        what_is_planted_is_found(scratch)
    drawn_suites_agree()
