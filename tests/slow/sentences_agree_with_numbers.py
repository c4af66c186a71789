#!/usr/bin/env python3
"""300 suites drawn at random (2 to 33 variants, 5 to 300 cases; 0/1 and graded scores, missing answers, clusters,
models × parameters) go through the command line, and no sentence contradicts another number of the same output.

`sentences_agree_with_numbers.py SEED` tries one suite and prints what its commands printed."""
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import drawn_suites  # noqa: E402
import outputs_agree  # noqa: E402

SUITES = 300
AT_ONCE = 2


def one(seed):
    with e2e.scratch() as folder:
        outputs = drawn_suites.outputs_of(drawn_suites.draw(seed), folder)
    for name, text in outputs.items():
        print(f"=== {name}\n{text}" if isinstance(text, str) else f"=== {name}: {text}")
    return outputs_agree.contradictions(outputs)


if len(sys.argv) > 1:
    e2e.check(not (found := one(int(sys.argv[1]))), "\n".join(found))
else:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = dict(zip(range(SUITES), pool.map(drawn_suites.contradictions_of, range(SUITES))))
    wrong = [f"seed {seed}: {line}" for seed, lines in found.items() for line in lines]
    e2e.check(not wrong, f"{len(wrong)} contradictions in {SUITES} suites:\n" + "\n".join(wrong))
    print(f"{SUITES} suites: every sentence agrees with the numbers beside it")
