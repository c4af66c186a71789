#!/usr/bin/env python3
"""The GitHub Action runs as GitHub runs it: the steps of action.yml one after the other in a shell of their own and a
clean environment, outputs by file, `if: always()`. A passing suite ends well, a regression fails with 4 and still has
results."""
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import interop  # noqa: E402

interop.enter("readers")
import yaml  # noqa: E402

ACTION = yaml.safe_load((e2e.ROOT / "action.yml").read_text())


def filled(text, inputs, outputs):
    def value(match):
        name = match[1].strip()
        if name == "github.action_path":
            return str(e2e.ROOT)
        if name.startswith("inputs."):
            return inputs[name.removeprefix("inputs.")]
        step = re.fullmatch(r"steps\.([\w-]+)\.outputs\.([\w-]+)", name)
        e2e.check(step is not None, f"an expression that the test does not know: {name}")
        return outputs.get(step[1], {}).get(step[2], "")
    return re.sub(r"\$\{\{(.*?)\}\}", value, text)


def run_action(folder, **given):
    """The outcome of the job, the outputs of its steps, and the step summary."""
    inputs = {name: str(row.get("default", "")) for name, row in ACTION["inputs"].items()}
    inputs.update(given)
    summary = folder / "summary.md"
    summary.write_text("")
    outputs, failed, told = {}, 0, ""
    for number, step in enumerate(ACTION["runs"]["steps"]):
        if failed and step.get("if") != "always()":
            continue
        path = folder / f"step{number}"
        output = folder / f"output{number}"
        output.write_text("")
        path.write_text(filled(step["run"], inputs, outputs))
        env = {"PATH": os.environ["PATH"], "HOME": str(folder), "CI": "true", "GITHUB_OUTPUT": str(output),
               "GITHUB_STEP_SUMMARY": str(summary),
               **{name: filled(value, inputs, outputs) for name, value in step.get("env", {}).items()}}
        e2e.check(step["shell"] == "bash", "a composite step names its shell")
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", str(path)], cwd=folder, env=env,
                              capture_output=True, text=True, check=False)
        told += done.stderr
        failed = failed or done.returncode
        if "id" in step:
            outputs[step["id"]] = dict(line.split("=", 1) for line in output.read_text().splitlines())
    results = {name: filled(row["value"], inputs, outputs) for name, row in ACTION["outputs"].items()}
    return failed, results, summary.read_text(), told


def main():
    with e2e.scratch() as scratch:
        folder = Path(scratch)
        good = e2e.suite(12)
        (folder / "suite.yml").write_text(good)
        failed, results, summary, told = run_action(folder, files="*.yml", args="--fail-under '0.5'",
                                                    program=e2e.PROGRAM)
        e2e.check(failed == 0 and results["exit-code"] == "0", f"it passes: {results} {told}")
        first = results["runs"]
        e2e.check("## Echoes" in summary and "| rank | variant |" in summary, f"summary: {summary}")
        e2e.check((folder / f"assay-results/{first}.junit.xml").read_text().startswith("<?xml"), "JUnit")

        (folder / "assay.toml").write_text("[limits]\nmax_retries = 9\n")
        failed, results, _, told = run_action(folder, files="suite.yml", program=e2e.PROGRAM)
        e2e.check(failed == 1 and "max_retries" in told and "--trust=DIGEST" in told, f"nobody trusts it: {told}")
        digest = e2e.digest_of_powers(folder)
        failed, results, _, told = run_action(folder, files="suite.yml", program=e2e.PROGRAM, trust=digest,
                                              store="kept/store.db")
        e2e.check(failed == 0 and (folder / "kept/store.db").exists(), f"the digest is trusted: {told}")
        (folder / "assay.toml").write_text("[limits]\nmax_retries = 10\n")
        failed, _, _, told = run_action(folder, files="suite.yml", program=e2e.PROGRAM, trust=digest)
        e2e.check(failed == 1 and "names other powers" in told, f"a change is not: {told}")
        (folder / "assay.toml").unlink()

        (folder / "suite.yml").write_text(good.replace("$contains: word", "$contains: never"))
        failed, results, summary, told = run_action(
            folder, files="suite.yml", base=f"assay-results/{first}.cells.jsonl", program=e2e.PROGRAM)
        e2e.check(failed == 4 and results["exit-code"] == "4", f"a regression: {results} {told}")
        e2e.check("Regression: " in told, told)
        e2e.check("Failed: " in summary and (folder / f"assay-results/{results['runs']}.junit.xml").exists(), summary)

        (folder / "suite.yml").write_text("prompt: [")
        failed, results, summary, told = run_action(folder, files="suite.yml", program=e2e.PROGRAM)
        e2e.check(failed == 1 and results["exit-code"] == "1", f"a broken file: {results}")


main()
