#!/usr/bin/env python3
"""`compare A B --case ID` shows the answers of both sides to one case, with points, calls and the words of passages:
beside each other on a wide terminal, one below the other else, and as JSON. By the pass mark of the first run.
`show --case` has the words of passages, too, and one profile shows one rate."""
import json
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

with e2e.scratch() as scratch:
    folder = Path(scratch, "agent")
    shutil.copytree(e2e.ROOT / "examples/research-agent", folder)
    run = e2e.assay("run", "matrix.toml", cwd=folder)
    e2e.expect(run, 0)

    sides = ["latest#research", "latest#standard"]
    below = e2e.assay("compare", *sides, "--case", "wind", cwd=folder)
    e2e.expect(below, 0)
    first, second = (below.stdout.index(f"\n{side}\n") for side in sides)
    e2e.check(first < second and "case wind" in below.stdout, "one below the other", below)
    own = [below.stdout[first:second], below.stdout[second:]]
    for text in own:
        e2e.check("Lifting stops when the wind is above 45 km/h" in text and "45 ± 0" in text,
                  f"answer and points: {text}")
    e2e.check("get_relevant_content" in own[0] and "grep_search" in own[1], "calls of each side", below)
    traces = [text[text.index("trace: "):] for text in own]  # what was sent offers other tools
    e2e.check("grep_search" not in traces[0] and "get_relevant_content" not in traces[1], "and of no other", below)
    passages = re.findall(r"^  (needed|retrieved|quoted) in (.+?): “(.+)”$", own[0], re.M)
    e2e.check(any("wind" in words for _, _, words in passages), f"passages have words: {own[0]}")

    wide, code = e2e.on_terminal("compare", *sides, "--case", "wind", cwd=folder, columns=160)
    e2e.check(code == 0 and re.search(r"latest#research +│ latest#standard", wide), f"beside each other: {wide}")
    e2e.check(re.search(r"get_relevant_content.*│", wide) and re.search(r"│.*grep_search", wide), f"calls: {wide}")

    one, other = (each["attempts"] for each in json.loads(e2e.assay(
        "compare", *sides, "--case", "wind", "--json", cwd=folder).stdout)["sides"])
    e2e.check({each["variant"] for each in one} == {"research"} and {each["variant"] for each in other} == {"standard"},
              f"JSON: {one} {other}")

    shown = e2e.assay("show", "latest#research", "--case", "wind", cwd=folder)
    e2e.check(re.search(r"^  retrieved in .+: “.*wind.*”$", shown.stdout, re.M), "show has the words", shown)
    e2e.expect(e2e.assay("compare", *sides, "--case", "nobody", cwd=folder), 1, "the run has no case", "nobody")
    e2e.expect(e2e.assay("compare", "latest#research", "latest#nobody", "--case", "wind", cwd=folder), 1, "nobody")

    # One rate of a profile, in every table of the screen.
    shares = dict(re.findall(r"^ +\S+ +\d+ +(\S+) +\S+ +\d+ to \d+ +(\d+ %) ", run.stdout, re.M))
    rates = dict(re.findall(r"^  (\S+) +\d+/\d+ +(\d+ %) ", run.stdout, re.M))
    e2e.check(len(shares) == 4 and shares == rates, f"one rate: {shares} {rates}", run)

    # Another pass mark than the usual one: as the run has it.
    marked = Path(scratch, "marked")
    marked.mkdir()
    (marked / "suite.yml").write_text("id: m\nmodels: [echo:a, echo:b]\nprompts:\n  - {id: p, prompt: say alpha beta, "
                                      "should: [$icontains: alpha, $icontains: beta, $icontains: gamma]}\n")
    e2e.expect(e2e.assay("run", "suite.yml", "--pass-at", "0.9", cwd=marked), 0)
    both = e2e.assay("compare", "latest#a", "latest#b", "--case", "p", cwd=marked)
    e2e.check("✗ 67" in both.stdout and "✓" not in both.stdout, "the run's own mark", both)
