#!/usr/bin/env python3
"""assay.toml names model collections; mistakes in it are told; the option's folder comes first."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

with e2e.scratch() as scratch:
    folder = Path(scratch)
    (folder / "suite.yml").write_text(e2e.suite(1, model="TWO"))
    toml = folder / "assay.toml"
    toml.write_text('[collections]\nTWO = ["echo:a", "echo:b"]\n')
    result = e2e.assay("run", "suite.yml", "--json", cwd=folder)
    e2e.expect(result, 0)
    run = e2e.one_run(result)
    e2e.check([v["id"] for v in run["variants"]] == ["echo:a", "echo:b"], "expected both models", result)
    e2e.expect(e2e.assay("show", "latest", "--json", cwd=folder), 0)

    (folder / "repo/models").mkdir(parents=True)
    (folder / "repo/models/TWO.json").write_text('["echo:c"]')
    result = e2e.assay("run", "suite.yml", "--json", "--collections-repo-path", "repo", cwd=folder)
    e2e.check([v["id"] for v in e2e.one_run(result)["variants"]] == ["echo:c"], "expected the folder's", result)

    toml.write_text('[collection]\nTWO = ["echo:a"]\n')
    result = e2e.assay("check", "suite.yml", cwd=folder)
    e2e.check('assay.toml:1:2' in result.stderr and 'did you mean "collections"?' in result.stderr,
              "expected a suggestion", result)
    toml.write_text('[collections]\nTWO = "echo:a"\n')
    e2e.expect(e2e.assay("check", "suite.yml", cwd=folder), 1, "assay.toml:2:7", "expected a list of models")
    toml.write_text("[collections\n")
    e2e.expect(e2e.assay("check", "suite.yml", cwd=folder), 1, "this is no TOML")

    toml.unlink()
    (folder / "suite.yml").write_text(e2e.suite(1, model="CORE"))
    result = e2e.assay("check", "suite.yml", cwd=folder)
    e2e.expect(result, 0)
    e2e.check("33 variants" in result.stdout, "expected the models of CORE", result)
    (folder / "suite.yml").write_text(e2e.suite(1, model="COER"))
    e2e.expect(e2e.assay("check", "suite.yml", cwd=folder), 0, "did you mean CORE?")
