#!/usr/bin/env python3
"""assay check knows research datasets and matrices: every problem at once with its place, of a matrix those of its
dataset too, and nothing beyond the folders that it may read."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

DATASET = """docs: [{id: a, title: A, url: "https://e.example/a.pdf"}, {id: b, title: B, url: u}]
tests:
  - {id: t, doc_id: a, query: Why?, expected: {type: contains, text: x}}
"""
MATRIX = '[[runs]]\nid = "r"\nmodel_alias = "echo:a"\n'

with e2e.scratch() as folder:
    Path(folder, "set.yaml").write_text(DATASET)
    Path(folder, "m.toml").write_text('dataset = "./set.yaml"\n' + MATRIX)
    result = e2e.assay("check", "set.yaml", "m.toml", cwd=folder)
    e2e.expect(result, 0)
    wanted = ("set.yaml: research dataset, 1 test of 2 documents; 0 warnings\n"
              "m.toml: research matrix, 1 run over 1 test of 2 documents; 0 warnings\n")
    e2e.check(result.stdout == wanted, "verdicts", result)
    e2e.expect(e2e.assay("check", "m.toml", "--select", "t", cwd=folder), 0)
    e2e.expect(e2e.assay("plan", "m.toml", "--select", "tt", cwd=folder), 1, 'no test has the id "tt"')
    e2e.expect(e2e.assay("check", "m.toml", "--select", "tt", cwd=folder), 1, 'no test has the id "tt"')

    Path(folder, "set.yaml").write_text(DATASET.replace("doc_id: a", "doc_id: c").replace("contains", "contain"))
    Path(folder, "m.toml").write_text('dataset = "./set.yaml"\n' + MATRIX.replace("model_alias", "model_alas"))
    result = e2e.assay("check", "set.yaml", cwd=folder)
    e2e.expect(result, 1, "set.yaml:3:21", "there is no document", "did you mean contains?")
    e2e.expect(e2e.assay("check", "m.toml", cwd=folder), 1, "m.toml:4:1", "did you mean model_alias?")
    Path(folder, "m.toml").write_text('dataset = "./set.yaml"\n' + MATRIX)
    result = e2e.assay("check", "--json", "m.toml", cwd=folder)
    e2e.expect(result, 1)
    problems = json.loads(result.stdout)["diagnostics"]
    e2e.check([(problem["code"], problem["line"]) for problem in problems]
              == [("research.unknown-doc", 3), ("research.field", 3)], f"{problems}", result)

    Path(folder, "inner").mkdir()
    Path(folder, "inner/m.toml").write_text('dataset = "../set.yaml"\n' + MATRIX)
    inner = str(Path(folder, "inner"))
    e2e.expect(e2e.assay("check", "m.toml", cwd=inner), 1, "--allow-path")
    e2e.expect(e2e.assay("check", "m.toml", "--allow-path", "..", cwd=inner), 1, "there is no document")
    Path(folder, "inner/m.toml").write_text('dataset = "./none.yaml"\n' + MATRIX)
    e2e.expect(e2e.assay("check", "m.toml", cwd=inner), 1, "the dataset: ")
