#!/usr/bin/env python3
"""Groups, tags and languages of cases have tables of their own in run, show, compare, JSON and exports, also when the
suite is gone; the pass mark and the numbers of tries come from the suite; the modes of other tools refuse the keys."""
import csv
import io
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

SUITE = """title: Subjects
models: [echo:a, echo:b]
pass_at_k: [1, 2]
---
- {id: q1, prompt: one, group: [law, easy], tags: [short], should: [{$contains: one}]}
- {id: q2, prompt: two, group: [law, hard], should: [{$contains: one}]}
- {id: q3, prompt: three, group: [law], should: [{$contains: three}]}
- {id: q4, prompt: four, group: maths, tags: [short], should: [{$contains: four}]}
- {id: q5, prompt: five, group: maths, should: [{$contains: six}]}
- {id: q6, prompt: six, should: [{$contains: six}, {$contains: seven}]}
"""
CASE = """id: {id}
prompt_path: p.txt
type: code completion
lang: {lang}
grading:
  keywords:
    - {content: leaf}
"""


def show(folder, *words):
    result = e2e.assay("show", "latest", *words, cwd=folder)
    e2e.expect(result, 0)
    return result.stdout


def shown(folder, *words):
    return json.loads(show(folder, "--json", *words))


def table(folder, to):
    result = e2e.assay("export", "latest", "--to", to, cwd=folder)
    e2e.expect(result, 0)
    return list(csv.DictReader(io.StringIO(result.stdout)))


def near(got, want, what):
    e2e.check(got is not None and abs(float(got) - want) < 1e-9, f"{what}: {got}, expected {want}")


def of(groups, by, variant="echo:a"):
    found = [each for each in groups if each["by"] == by and each["variant"] == variant]
    e2e.check(len(found) == 1, f"{by} of {variant}: {len(found)}")
    return found[0]


with e2e.scratch() as folder:
    # Tags of prompts keep any text, as groups do.
    words = ["Müll", "Mll", "住宅", "C++", "C#"]
    Path(folder, "words.yml").write_text("models: [echo:a]\n---\n" + "".join(
        f"- {{prompt: {word} {n}, tags: [\"{word}\", \" {word}\"], should: [{{$contains: a}}]}}\n"
        for n, word in enumerate(words)))
    e2e.expect(e2e.assay("run", "words.yml", cwd=folder), 0)
    named = [each["group"] for each in of(shown(folder, "--by", "tag")["groups"], "tag")["groups"]]
    e2e.check(sorted(named) == sorted(words), f"tags: {named}")

with e2e.scratch() as folder:
    suite = Path(folder, "s.yml")
    suite.write_text(SUITE)
    run = e2e.assay("run", "s.yml", "--by", "group", cwd=folder)
    e2e.expect(run, 0)
    for fragment in ("law", "maths", "(none)", "micro (all cases)", "macro (mean of groups)", "group.2",
                     "only one case"):
        e2e.check(fragment in run.stdout, f"run --by group: no {fragment!r}", run)
    suite.unlink()  # the run stands by itself
    told = shown(folder)
    e2e.check({each["by"] for each in told["groups"]} == {"group", "group.2"}, "dimensions")
    first = of(told["groups"], "group")
    e2e.check([each["group"] for each in first["groups"]] == ["law", "maths", "(none)"], "the order of groups")
    near(first["groups"][0]["mean"], 2 / 3, "law")
    near(first["groups"][1]["pass_rate"], 0.5, "maths passes")
    near(first["groups"][2]["pass_rate"], 0, "half of yes-or-no checks is not enough")
    near(first["micro"]["mean"], (1 + 0 + 1 + 1 + 0 + 0.5) / 6, "micro")
    near(first["macro"]["mean"], (2 / 3 + 0.5 + 0.5) / 3, "macro")
    e2e.check(first["macro"]["interval"] is None and first["macro"]["why"] == "one_case", f"macro: {first['macro']}")
    tags = of(shown(folder, "--by", "tag")["groups"], "tag")
    e2e.check(tags["macro"] is None and [each["group"] for each in tags["groups"]] == ["short"], f"tags: {tags}")
    e2e.check("no case names a language" in show(folder, "--by", "lang"), "no language")

    tries = told["statistics"]["pass_at_k"]
    e2e.check([(each["k"], each["cases"]) for each in tries[:2]] == [(1, 6), (2, 6)], f"pass@k: {tries}")
    e2e.check(told["cells"] == 6 * 2 * 2, f"attempts are the largest k: {told['cells']} cells")
    e2e.check("in one of 2" in show(folder), "pass@k of the suite is told")

    both = e2e.assay("compare", "latest#a", "latest#b", "--by", "group", "--json", cwd=folder)
    e2e.expect(both, 0)
    groups = json.loads(both.stdout)["comparisons"][0]["groups"]
    e2e.check([each["by"] for each in groups] == ["group", "group.2"], "dimensions of a comparison")
    near(groups[0]["groups"][0]["difference"], 0, "law")
    near(groups[0]["macro"]["mean_a"], (2 / 3 + 0.5 + 0.5) / 3, "macro of A")
    both = e2e.assay("compare", "latest#a", "latest#b", "--by", "group", "--markdown", cwd=folder)
    e2e.check("| law |" in both.stdout and "macro (mean of groups)" in both.stdout, "compare as Markdown", both)

    cells = table(folder, "csv")
    e2e.check({(row["case"], row["group"], row["group.2"]) for row in cells} >=
              {("q1", "law", "easy"), ("q3", "law", ""), ("q6", "", "")}, f"columns: {cells[0]}")
    lines = [row for row in table(folder, "table-csv") if row["variant"] == "echo:a"]
    law = [row for row in lines if (row["by"], row["group"]) == ("group", "law")][0]
    near(law["mean"], 2 / 3, "law in table-csv")
    near(law["passed"], 2 / 3, "law passes in table-csv")
    near([row for row in lines if row["row"] == "all"][0]["pass_at_2"], 0.5, "pass@2 in table-csv")
    e2e.check([row["why"] for row in lines if row["row"] == "macro" and row["by"] == "group"] == ["one_case"], "macro")
    for to, fragment in (("jsonl", '"group.2":"easy"'), ("markdown", "| law |"), ("markdown", "pass@2"),
                         ("junit", '<property name="group" value="law"/>'), ("promptfoo", '"group":"law"')):
        result = e2e.assay("export", "latest", "--to", to, cwd=folder)
        e2e.check(fragment in result.stdout, f"{to}: no {fragment}", result)
    for to, fragment in (("lm-eval", '"pass@2,none": 0.5'), ("lm-eval-samples", '"group":"law"')):
        result = e2e.assay("export", "latest#a", "--to", to, cwd=folder)
        e2e.check(fragment in result.stdout, f"{to}: no {fragment}", result)

    # The mark: the command line, else the suite, else assay.toml, else the kind of the checks.
    half = SUITE.replace("pass_at_k: [1, 2]\n", "")
    for pass_key, settings, words, want in (
            ("", "", [], 3 / 6), ("pass: 0.5\n", "", [], 4 / 6),
            ("pass: all\n", "[report]\npass_at = 0.2\n", [], 3 / 6),
            ("", "[report]\npass_at = 0.2\n", [], 4 / 6), ("pass: all\n", "", ["--pass-at", "0.5"], 4 / 6)):
        suite.write_text(half.replace("---", pass_key + "---"))
        Path(folder, "assay.toml").write_text(settings)
        e2e.expect(e2e.assay("run", "s.yml", "-q", *words, cwd=folder), 0)
        rate = shown(folder)["statistics"]["ranking"][0]["pass_rate"]
        near(rate, want, f"{pass_key!r}, {settings!r}, {words}")
        if pass_key == "pass: all\n" and not words:
            e2e.check("(pass: all)" in show(folder), "the line on passing names the key")
    Path(folder, "assay.toml").unlink()

    # --pass-at-k of a run asks as often; what the suite says of attempts stays.
    suite.write_text(half)
    e2e.expect(e2e.assay("run", "s.yml", "-q", "--pass-at-k", "1,3", cwd=folder), 0)
    e2e.check(shown(folder)["cells"] == 6 * 2 * 3, "--pass-at-k asks as often as its largest number")
    e2e.expect(e2e.assay("run", "s.yml", "-q", "--pass-at-k", "3", "--attempts", "2", cwd=folder), 0)
    left = shown(folder)["statistics"]["pass_at_k"][0]
    e2e.check(left["any"] is None and left["cases_left_out"] == 6, f"too few attempts: {left}")

    for text, fragments in (
            (SUITE.replace("[1, 2]", "[0, 2]"), ["s.yml:3:12", "blueprint.pass-at-k", "[1, 10]"]),
            (SUITE.replace("[1, 2]", "2"), ["blueprint.pass-at-k"]),
            (SUITE.replace("---", "pass: most\n---"), ["s.yml:4:7", 'found "most"', "blueprint.pass"]),
            (SUITE.replace("---", "pass: 2\n---"), ["blueprint.pass", "from 0 to 1"]),
            (SUITE.replace("group: maths, tags", "group: {a: b}, tags"), ["s.yml:8:33", "blueprint.group"])):
        suite.write_text(text)
        result = e2e.assay("check", "s.yml", cwd=folder)
        e2e.check(result.returncode == 1, f"check: {result.returncode}", result)
        for fragment in fragments:
            e2e.check(fragment in result.stderr + result.stdout, f"no {fragment!r}", result)
    suite.write_text(SUITE)
    result = e2e.assay("check", "s.yml", "--compat", "weval", cwd=folder)
    for fragment in ("s.yml:3:1", "s.yml:5:25", "no key `pass_at_k`", "no key `group`", "dataset.compat"):
        e2e.check(fragment in result.stdout + result.stderr, f"--compat weval: no {fragment!r}", result)

    # A row's empty cell leaves its dimension, and moves no other group.
    suite.write_text("""models: [echo:a]
dataset: {rows: [{id: a, subject: law, level: 1}, {id: b, level: 2}, {id: c, subject: maths}]}
---
prompt: "Question {{_id}}"
group: ["{{subject}}", "{{level}}"]
should: [{$contains: Question}]
""")
    e2e.expect(e2e.assay("run", "s.yml", "-q", cwd=folder), 0)
    told = shown(folder)["groups"]
    e2e.check([each["group"] for each in of(told, "group")["groups"]] == ["law", "maths", "(none)"], f"group: {told}")
    e2e.check([each["group"] for each in of(told, "group.2")["groups"]] == ["1", "2", "(none)"], f"group.2: {told}")

    bench = Path(folder, "bench")
    (bench / "cases").mkdir(parents=True)
    (bench / "cases/p.txt").write_text("Name the leaf.")
    for number, lang in enumerate(("python", "rust", "python")):
        (bench / f"cases/c{number}.yaml").write_text(
            CASE.replace("{id}", f"c{number}").replace("{lang}", lang) + "group: web\n")
    (bench / "suite.yaml").write_text(
        "pass: 0.4\npass_at_k: [1, 2]\ncases:\n" + "".join(f"  - cases/c{n}.yaml\n" for n in range(3)))
    e2e.expect(e2e.assay("run", "suite.yaml", "-m", "echo:a", "-q", cwd=bench), 0)
    told = shown(bench, "--by", "lang")
    e2e.check([each["group"] for each in of(told["groups"], "lang")["groups"]] == ["python", "rust"], "languages")
    e2e.check(of(told["groups"], "group")["groups"][0]["cases"] == 3 and told["cells"] == 6, "groups of a benchmark")
    e2e.check("(pass: 0.4)" in show(bench), "the mark of a benchmark")
    result = e2e.assay("check", "suite.yaml", "-m", "echo:a", "--compat", "infibench", cwd=bench)
    e2e.check(result.returncode == 1 and "no key `pass`" in result.stderr + result.stdout and
              "no key `group`" in result.stderr + result.stdout, "--compat infibench", result)
