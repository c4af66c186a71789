#!/usr/bin/env python3
"""Configs of promptfoo: prints each row of the table "promptfoo's configs" of bench/README.md.

    bench/promptfoo.py PROGRAM [PROMPTFOO]     a release build; PROMPTFOO: promptfoo's own program, for the first row
"""
import os
import sys
import tempfile
from pathlib import Path

from measure import heading
from spent import spent

TESTS = 1_000
ROWS = 100_000
ASSERTS = ("[{type: contains, value: '{{n}}'}, {type: not-icontains, value: sorry}, "
           "{type: regex, value: '^(Say|Tell) '}]")
QUIET = {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1", "PROMPTFOO_CACHE_ENABLED": "false"}


def row(what, goal, found):
    print(f"| {what} | {goal} | {found} |", flush=True)


def table_of_tests(folder, asserts=ASSERTS, prompts=2, providers=2):
    """Tests of one variable, by prompts and by providers that answer with the prompt."""
    texts = ["'Say {{n}}'", "'Tell {{n}}'"][:prompts]
    lines = [f"prompts: [{', '.join(texts)}]",
             "providers: [" + ", ".join(f"{{id: echo, label: e{i}}}" for i in range(providers)) + "]",
             f"defaultTest: {{assert: {asserts}}}", "tests:"]
    lines += [f"  - {{vars: {{n: number {n}}}}}" for n in range(TESTS)]
    Path(folder, "promptfooconfig.yaml").write_text("\n".join(lines) + "\n")


def table_of_rows(folder):
    """One prompt, one assertion a row, all of it in a table."""
    Path(folder, "promptfooconfig.yaml").write_text("prompts: ['{{q}}']\nproviders: [echo]\ntests: rows.csv\n")
    with open(Path(folder, "rows.csv"), "w") as file:
        file.write("q,__expected\n")
        for n in range(ROWS):
            file.write(f"How many bridges has the river of town {n:06}?,contains: {n:06}\n")


def config_of_survey(folder):
    """As large as the median of public configs: two prompts, two providers, five tests."""
    tests = "\n".join(f"  - vars: {{n: n{i}}}\n    assert: {ASSERTS}" for i in range(5))
    Path(folder, "promptfooconfig.yaml").write_text(
        "prompts: ['Say {{n}}', 'Tell {{n}}']\nproviders: [openai:gpt-6-luna, openai:gpt-6-sol]\n"
        f"tests:\n{tests}\n")


def ours(program, words, folder):
    done = spent([program, *words, "promptfooconfig.yaml"], folder)
    if done.code not in (0, 2, 3):
        sys.exit(os.popen(f"cd {folder} && {program} {' '.join(words)} promptfooconfig.yaml 2>&1").read())
    return done


def main():
    program = os.path.abspath(sys.argv[1])
    print(heading(program), "\n\n| what | goal | measured |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        table_of_tests(folder)
        run = ours(program, ["run", "-q"], folder)
        found = f"{run.cpu:.2f} s CPU"
        if len(sys.argv) > 2:
            os.environ.update(QUIET)
            theirs = spent([sys.argv[2], "eval", "-c", "promptfooconfig.yaml", "--no-cache", "--no-progress-bar",
                            "--no-table", "--no-write"], folder)
            found += f"; promptfoo {theirs.cpu:.1f} s, 1/{theirs.cpu / run.cpu:.0f}"
        row(f"{TESTS:,} tests × 2 prompts × 2 echo, 3 assertions", "1/30 of promptfoo's CPU", found)
    costs = []
    for asserts in ("[{type: javascript, value: 'output.length > 3'}]", "[{type: contains, value: Say}]"):
        with tempfile.TemporaryDirectory() as folder:
            table_of_tests(folder, asserts, prompts=1, providers=1)
            costs.append(ours(program, ["run", "-q"], folder).cpu)
    row(f"an inline assertion of JavaScript, of {TESTS:,}", "0.1 ms CPU",
        f"{(costs[0] - costs[1]) / TESTS * 1000:.3f} ms")
    with tempfile.TemporaryDirectory() as folder:
        table_of_rows(folder)
        done = ours(program, ["run", "-q"], folder)
        row(f"{ROWS:,} rows of CSV, echo", "0.1 ms CPU a row, 300 MB",
            f"{done.cpu / ROWS * 1000:.3f} ms, {done.peak:.0f} MB")
    with tempfile.TemporaryDirectory() as folder:
        config_of_survey(folder)
        times = sorted(ours(program, ["check", "-q"], folder).wall for _ in range(21))
        row("`check` of a config of the usual size", "5 ms", f"{times[10] * 1000:.1f} ms")


main()
