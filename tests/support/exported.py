"""A run whose exports are tried: ids and answers that formats have to escape, a failure, an error."""
import json

import e2e

IDS = ["=1+1", "@cmd", "<&\"'\x07>", "a/b", "plain"]


def run(folder, *words):
    """Makes the run; its cells in plan order: case, variant, state, score."""
    lines = ["title: Formats & more", "id: formats", 'models: ["echo:a", "echo:b"]', "prompts:"]
    for i, name in enumerate(IDS):
        lines += [f"  - id: {json.dumps(name)}", f"    prompt: say word{i}",
                  f"    should: [$contains: word{i}, $not_contains: never]"]
    (folder / "suite.yml").write_text("\n".join(lines) + "\n")
    answers = {name: {"byModel": {"echo:a": f"=HYPERLINK(\"x\"),\nword{i}" if i == 0 else f"word{i}",
                                  "echo:b": "never" if i == 1 else f"word{i} <b>"}} for i, name in enumerate(IDS)}
    del answers["plain"]["byModel"]["echo:b"]  # with --fixtures-strict an error
    (folder / "answers.json").write_text(json.dumps({"responses": answers}))
    fixtures = ("--fixtures", "answers.json", "--fixtures-strict")
    result = e2e.assay("run", "suite.yml", *fixtures, "--json", *words, cwd=folder)
    run_id = e2e.one_run(result)["run"]
    cells = []
    for name in IDS:
        shown = json.loads(e2e.assay("show", run_id, "--case", name, "--json", cwd=folder).stdout)
        cells += [{key: cell[key] for key in ("case", "variant", "state", "score")} for cell in shown["attempts"]]
    return cells
