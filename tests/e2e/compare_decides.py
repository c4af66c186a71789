#!/usr/bin/env python3
"""assay compare: which is better, by how much, and is it certain; of variants of one run, and of two runs. Cases whose
rubrics differ are not compared unless --by-question says so."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

CASES = 12


def suite(good):
    """Each case looks for a word: one that its answer has, or one that no answer has."""
    lines = ["title: Words", "id: words", 'models: ["echo:a", "echo:b"]', "prompts:"]
    for i in range(CASES):
        lines += [f"  - id: q{i}", f"    prompt: say word{i}",
                  f"    should: [$contains: {f'word{i}' if i in good else 'never'}]"]
    return "\n".join(lines) + "\n"


def run(folder, name, good):
    (folder / name).write_text(suite(good))
    result = e2e.assay("run", name, "--json", cwd=folder)
    e2e.check(result.returncode == 0, "the run ends well", result)
    return e2e.one_run(result)["run"]


def compare(folder, *words):
    result = e2e.assay("compare", *words, cwd=folder)
    e2e.check(result.returncode == 0, "compare exits 0", result)
    return result


def factors(folder):
    """What a parameter does is said of every run of several variants that is named whole."""
    text = suite(set(range(CASES))).replace("prompts:", "systems: [null, Be brief.]\nprompts:")
    (folder / "c.yml").write_text(text)
    e2e.expect(e2e.assay("run", "c.yml", cwd=folder), 0)
    result = compare(folder, "latest#echo:a[sp_idx:0]", "latest")
    e2e.check("echo:a[sp_idx:1]: system prompt “Be brief.”" in result.stdout, "parameters are named", result)
    first = result.stdout.split("\n")[0]
    e2e.check(first.startswith("echo:a (no system prompt) and echo:a (system prompt “Be brief.”) "
                               "are not shown to differ"),
              "in the sentence, too", result)
    e2e.check("Over 2 pairs of variants." in result.stdout, "what the system prompt does", result)
    e2e.check("not shown to differ" not in result.stdout.split("\n")[3], "nobody against himself", result)
    alone = json.loads(compare(folder, "latest", "--json").stdout)["comparisons"]
    e2e.check([(one["a"], one["b"]) for one in alone][0] == ("echo:a[sp_idx:0]", "echo:a[sp_idx:1]"), f"{alone}")
    e2e.check(len(alone) == 3, "one run alone: its first variant against the others")
    numbered = json.loads(compare(folder, "latest#1", "latest#2", "--json").stdout)["comparisons"]
    e2e.check([(one["a"], one["b"]) for one in numbered] == [("echo:a[sp_idx:0]", "echo:a[sp_idx:1]")],
              f"the number of the table names a variant: {numbered}")
    models = json.loads(compare(folder, "latest#echo:a", "latest#echo:b", "--json").stdout)["comparisons"]
    wanted = [(f"echo:a[sp_idx:{i}]", f"echo:b[sp_idx:{i}]") for i in (0, 1)]
    e2e.check([(one["a"], one["b"]) for one in models] == wanted,
              f"a part that fits all variants of a model means the model: {models}")
    e2e.expect(e2e.assay("compare", "latest#echo:a", "latest#echo:b", "--case", "case-0", cwd=folder), 1,
               "several of the variants")
    runs = json.loads(compare(folder, "latest#echo:a[sp_idx:0]", "latest", "--json").stdout)["runs"]
    e2e.check([(one["factor"], one["pairs"]) for one in runs[0]["factors"]] == [("system prompt", 2)], f"{runs}")


def paired(folder, good):
    """Of two runs equal ids pair first, then what --pair says; who is alone is listed after."""
    (folder / "d.yml").write_text(suite(set(range(CASES))).replace('"echo:a", "echo:b"', '"echo:c", "echo:b"'))
    e2e.expect(e2e.assay("run", "d.yml", cwd=folder), 0)
    by_id = compare(folder, "latest", good)
    e2e.check(by_id.stdout.startswith(f"latest#echo:b and {good}#echo:b are not shown to differ"), "equal ids", by_id)
    e2e.check(f"only in latest, not in {good}: echo:c\n" in by_id.stdout, "who is alone", by_id)
    e2e.check(f"only in {good}, not in latest: echo:a\n" in by_id.stdout, "on both sides", by_id)
    named = json.loads(compare(folder, "latest", good, "--pair", "echo:c=echo:a", "--json").stdout)
    e2e.check([(one["a"], one["b"]) for one in named["comparisons"]] ==
              [("latest#echo:b", f"{good}#echo:b"), ("latest#echo:c", f"{good}#echo:a")], f"{named['comparisons']}")
    e2e.check(named["unpaired"] == [], f"{named['unpaired']}")
    for word in ("no_spread", "one_case", "no_pair"):
        e2e.check(word not in by_id.stdout, "codes are for programs", by_id)


def main():
    with e2e.scratch() as name:
        folder = Path(name)
        good, bad = run(folder, "a.yml", set(range(CASES))), run(folder, "b.yml", {0, 1})

        same = compare(folder, f"{good}#echo:a", f"{good}#echo:b")
        e2e.check(same.stdout.startswith("echo:a and echo:b are not shown to differ"), "equal answers tie", same)

        changed = compare(folder, f"{good}#:a", f"{bad}#:a")
        e2e.check("10 cases changed, not compared: q2, q3, q4, q5, q6, …" in changed.stdout, "changed rubrics", changed)

        asked = compare(folder, f"{good}#:a", f"{bad}#:a", "--by-question")
        first = asked.stdout.split("\n")[0]
        e2e.check(first.startswith(f"{good}#echo:a leads {bad}#echo:a by 83 points (95 %: "), "who leads", asked)
        e2e.check("10 cases differ" in asked.stdout, "flips", asked)

        each = json.loads(compare(folder, good, bad, "--by-question", "--json").stdout)["comparisons"]
        e2e.check([one["verdict"] for one in each] == ["leads", "leads"], f"variant by variant: {each}")
        e2e.check(each[0]["wins"] == 10 and each[0]["ties"] == 2 and len(each[0]["flips"]) == 10, f"counts: {each[0]}")

        paired(folder, good)

        table = compare(folder, good, bad, "--by-question", "--markdown")
        e2e.check("|---|---:|" in table.stdout, "a Markdown table", table)

        drawn = [compare(folder, good, bad, "--by-question", "--bootstrap-seed", seed) for seed in (7, 7, 8)]
        e2e.check(drawn[0].stdout == drawn[1].stdout != drawn[2].stdout, "a seed gives the same draws again", drawn[2])
        e2e.check("95 %: bootstrap (BCa; 10,000 draws of cases, seed 7)" in drawn[0].stdout, "it says so", drawn[0])
        named = compare(folder, good, bad, "--by-question", "--interval", "bootstrap", "--json")
        bounds = json.loads(named.stdout)["comparisons"][0]["bootstrap_interval"]
        e2e.check(0 < bounds[0] < 10 / 12 < bounds[1] <= 1, f"around the difference: {bounds}", named)

        three = json.loads(compare(folder, good, bad, good, "--by-question", "--json").stdout)["comparisons"]
        pairs = [(one["a"].split("#")[1], one["b"].split("#")[1]) for one in three]
        e2e.check(pairs == [("echo:a", "echo:a")] * 2 + [("echo:b", "echo:b")] * 2, f"variant by variant: {pairs}")

        factors(folder)

        for words, fragment in (((f"{good}#echo", bad), "several of the variants of the run have"),
                                ((f"{good}#none", bad), "they are:"), (("nope", bad), "nope")):
            wrong = e2e.assay("compare", *words, cwd=folder)
            e2e.expect(wrong, 1, fragment)


if __name__ == "__main__":
    main()
