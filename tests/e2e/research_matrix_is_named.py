#!/usr/bin/env python3
"""The research document's own command lines: a matrix that --matrix or ASSAY_MATRIX names, alone and with --run, is
run, planned and checked. `check` takes --dataset, and tells what is wrong before anything is asked."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

MATRIX = "evals/research_pipeline/matrices/default.toml"
DATASET = "evals/research_pipeline/datasets/rules.yaml"
TESTS = """docs: [{id: a, title: A, url: "https://e.example/a.pdf"}]
tests: [{id: t, doc_id: a, query: say word, expected: {type: contains, text: word}}]
"""
RUN = '[[runs]]\nid = "%s"\nmodel_alias = "echo:a"\nresearch_mode = false\nlean = true\n'


def rows(folder):
    session = sorted(folder.joinpath("temp/research_eval/runs").iterdir())[-1]
    return sorted(path.parts[-3] for path in session.glob("*/artifacts/results.jsonl"))


def the_documents_lines(folder):
    assay = lambda *words, **more: e2e.assay(*words, cwd=folder, **more)  # noqa: E731
    e2e.expect(assay("run", "--matrix", MATRIX), 0)
    e2e.check(rows(folder) == ["one", "two"], f"both runs: {rows(folder)}")
    e2e.expect(assay("run", "--matrix", MATRIX, "--run", "two", "--fresh"), 0)
    e2e.check(rows(folder) == ["two"], f"one run: {rows(folder)}")
    e2e.expect(assay("run", "--run=two", "--fresh", env={"ASSAY_MATRIX": MATRIX}), 0)
    e2e.check(rows(folder) == ["two"], f"named by the environment: {rows(folder)}")
    for command in ("plan", "check"):
        told = assay(command, "--matrix", MATRIX)
        e2e.expect(told, 0)
        e2e.check(MATRIX in told.stdout, f"{command} says of what", told)
    beside = assay("check", "--matrix", MATRIX, DATASET)
    e2e.expect(beside, 0)
    e2e.check(len(beside.stdout.splitlines()) == 2, "both files are checked", beside)
    e2e.expect(assay("run", "--compat", "asky", "--matrix", MATRIX, "--run", "zzz"), 1,
               "No runs selected for execution", "zzz")
    e2e.expect(assay("run"), 1, "assay run needs")


def what_check_finds(folder):
    matrix = folder / "odd.toml"
    other = folder / "other.yaml"
    tools = 'disabled_tools = ["web_serch", "grep_search list_dir"]\n'
    odd = RUN.replace("lean = true", 'lean = "false"')
    matrix.write_text(f'dataset = "{DATASET}"\n' + RUN % "a" + tools + odd % "b" + RUN % "c"
                      + 'source_provider = "mock_web"\n' + RUN.replace("echo:a", "exec:agent") % "d"
                      + 'disabled_tools = ["its_own"]\n')
    told = e2e.assay("check", "odd.toml", cwd=folder)
    e2e.expect(told, 0, "did you mean web_search?", "these are several names", "counts as true", "mock_web_fixtures",
               "--mock-web")
    e2e.check("its_own" not in told.stderr, "a program's own tools are its own", told)
    other.write_text(TESTS.replace("{type: contains, text: word}", '{type: regex, pattern: "(word"}'))
    told = e2e.assay("check", "odd.toml", "--dataset", "other.yaml", cwd=folder)
    e2e.expect(told, 0, "other.yaml:2", "missing ), unterminated subpattern", "every case fails")
    e2e.expect(e2e.assay("check", "odd.toml", "--dataset", "none.yaml", cwd=folder), 1, "none.yaml")
    for part in ("docs", "tests"):
        other.write_text("".join(line + "\n" for line in TESTS.splitlines() if line.startswith(part)))
        missing = {"docs": "tests", "tests": "docs"}[part]
        e2e.expect(e2e.assay("check", "other.yaml", cwd=folder), 1, f"expected `{missing}")
    outside = folder / "far"
    outside.mkdir()
    outside.joinpath("m.toml").write_text('dataset = "../other.yaml"\n' + RUN % "a")
    e2e.expect(e2e.assay("check", "m.toml", cwd=outside), 1, f"--allow-path {folder.resolve()},")
    matrix.write_text(f'dataset = "{DATASET}"\n' + RUN % "a" + "[runs.parameters]\nwhen = 07:32:00\n")
    e2e.expect(e2e.assay("run", "odd.toml", "--compat", "asky", cwd=folder), 1, "cannot be sent")


with e2e.scratch() as scratch:
    root = Path(scratch)
    for name, text in ((DATASET, TESTS), (MATRIX, 'dataset = "../datasets/rules.yaml"\n' + RUN % "one" + RUN % "two")):
        root.joinpath(name).parent.mkdir(parents=True)
        root.joinpath(name).write_text(text)
    the_documents_lines(root)
    what_check_finds(root)
