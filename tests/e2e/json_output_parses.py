#!/usr/bin/env python3
"""Whatever --json prints is JSON, and nothing else is on standard output."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(e2e.suite(2))
    run = e2e.assay("run", "suite.yml", "--json", cwd=folder)
    e2e.expect(run, 0)
    facts = e2e.one_run(run)
    e2e.check(facts["exit"] == 0 and facts["cells"] == 2 and facts["variants"][0]["mean"] == 0.83, "facts", run)
    for path in facts["files"]:
        e2e.check(Path(folder, path).is_file(), f"{path} was named and is not there", run)
    check = e2e.assay("check", "suite.yml", "--json", cwd=folder)
    e2e.check(e2e.json.loads(check.stdout)["diagnostics"] == [], "nothing is wrong", check)
    Path(folder, "bad.yml").write_text(e2e.suite(1).replace("    should:", "    shoud:"))
    check = e2e.assay("check", "bad.yml", "none.yml", "--json", cwd=folder)
    bad, none = [e2e.json.loads(line)["diagnostics"] for line in check.stdout.splitlines()]
    e2e.check((bad[0]["file"], bad[0]["line"], bad[0]["column"]) == ("bad.yml", 7, 5), "a place", check)
    e2e.check("should" in bad[0]["remedy"] and bad[0]["code"] and bad[0]["message"], "what to do", check)
    e2e.check(none[0]["file"] == "none.yml" and none[0]["line"] is None, "no place", check)
    e2e.check(check.returncode == 1 and not check.stderr, "all of it is on standard output", check)
    for words in (["runs"], ["show", "latest"], ["check", "suite.yml"], ["list", "checks"], ["list", "providers"],
                  ["list", "models"], ["list", "dialects"], ["list", "exporters"], ["list", "tools"]):
        result = e2e.assay(*words, "--json", cwd=folder)
        e2e.expect(result, 0)
        e2e.check(e2e.json.loads(result.stdout), f"{words}: nothing was printed", result)
