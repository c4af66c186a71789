#!/usr/bin/env python3
"""`cache explain` tells what a changed file changed in a request; `cache prune` removes what is old and not needed."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402


def cache(folder, *words):
    return e2e.assay("cache", *words, cwd=folder)


with e2e.scratch() as scratch:
    folder = Path(scratch)
    e2e.expect(cache(folder, "explain", "latest"), 1, "there is no store yet")
    e2e.expect(cache(folder, "prune", "--older", "0d"), 1, "there is no store yet")
    e2e.check(not (folder / ".assay").exists(), "looking made a store")

    (folder / "suite.yml").write_text(e2e.suite(3))
    e2e.expect(e2e.assay("run", "suite.yml", cwd=folder), 0)
    (folder / "suite.yml").write_text(e2e.suite(3).replace("say word 1", "say word 1 now"))
    e2e.expect(e2e.assay("run", "suite.yml", cwd=folder), 0)
    same = json.loads(cache(folder, "explain", "latest", "--json").stdout)["requests"][0]
    e2e.check(not same["asked_by_this_run"] and same["request"]["model"] == "a", f"cell 0 was answered before: {same}")
    changed = cache(folder, "explain", "latest", "--cell", "2", "--json")
    e2e.expect(changed, 0)
    request = json.loads(changed.stdout)["requests"][0]
    e2e.check(request["asked_by_this_run"] and len(request["differences"]) == 1, "one difference", changed)
    e2e.check(request["differences"][0]["path"].startswith("messages[0]"), "it is in the message", changed)
    text = cache(folder, "explain", "latest", "--cell", "2")
    e2e.check("cell 2 of 3" in text.stdout and "why: it differs from" in text.stdout and "→" in text.stdout,
              "the difference is shown", text)
    nearest = request["nearest"]
    e2e.check(nearest["cell_number"] == 2 and nearest["run"] == request["compared_with"], f"the nearest: {nearest}")
    e2e.check(f"the nearest request, of run {nearest['run']}, cell 2, key {nearest['key'][:16]}:" in text.stdout,
              "the nearest is named", text)
    e2e.expect(cache(folder, "explain", "latest", "--cell", "9"), 1, "it has cells 1 to 3")

    # What --offline does not find, and the nearest request of all earlier runs, not of the last one alone.
    lost = Path(folder, "lost")
    lost.mkdir()
    prompts = [["say red apples"], ["tell of pears", "tell of plums"], ["say red apples, now"]]
    for number, texts in enumerate(prompts):
        rows = "".join(f"---\nid: p{at}\nprompt: {text}\nshould: [$contains: a]\n" for at, text in enumerate(texts))
        (lost / "suite.yml").write_text(f"models: [echo:z]\nid: fruit\n{rows}")
        e2e.assay("run", "suite.yml", *(["--offline", "-m", "openai:z"] if number == 2 else ["-m", "echo:z"]), cwd=lost)
    text = cache(lost, "explain", "latest")
    e2e.check("not answered before, and not asked" in text.stdout, "it was not asked", text)
    runs = json.loads(e2e.assay("runs", "--json", cwd=lost).stdout)
    first = min(runs, key=lambda run: run["started_ms"])["run"]
    e2e.check(f"of run {first}, cell 1" in text.stdout and "say red apples, now" in text.stdout, "the nearest", text)

    fresh = e2e.assay("run", "suite.yml", "--fresh", cwd=folder)
    e2e.expect(fresh, 0)
    text = cache(folder, "explain", "latest")
    e2e.check("why: run " in text.stdout and "--fresh made this run send it again" in text.stdout,
              "why the same was asked again", text)
    (folder / "suite.yml").write_text("models: [echo:z]\nid: other\n---\nprompt: say x\nshould: [$contains: x]\n")
    e2e.expect(e2e.assay("run", "suite.yml", "--store", "new.db", cwd=folder), 0)
    text = cache(folder, "explain", "latest", "--store", "new.db")
    e2e.check("cell 1 of 1" in text.stdout and "step 1," in text.stdout, "it counts from 1", text)
    e2e.check("why: nothing like it was asked" in text.stdout, "a first run has a reason, too", text)
    (folder / "suite.yml").write_text(e2e.suite(3).replace("say word 1", "say word 1 now"))

    e2e.expect(cache(folder, "prune"), 1, "--older 90d")
    e2e.expect(cache(folder, "prune", "--older", "soon"), 1, "expected an age such as 90d")
    kept = json.loads(cache(folder, "prune", "--older", "1d", "--json").stdout)
    e2e.check(kept["exchanges"] == 0 and kept["exchanges_kept"] == 7 and not kept["runs"], f"all is young: {kept}")
    removed = json.loads(cache(folder, "prune", "--older", "0h", "--json").stdout)
    e2e.check(removed["exchanges"] == 7 and len(removed["runs"]) == 3, f"all is older than nothing: {removed}")
    again = e2e.assay("run", "suite.yml", "--json", cwd=folder)
    e2e.check(e2e.one_run(again)["requests_sent"] == 3, "what was pruned is asked again", again)
