#!/usr/bin/env python3
"""Scripts of completion are made from the tables of commands and options: bash completes both, zsh and fish accept
theirs where they are installed."""
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402


def completed(folder, *words):
    line = " ".join(f"'{word}'" for word in words)
    script = (f"source ./c; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _assay; "
              "printf '%s\\n' \"${COMPREPLY[@]}\"")
    done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=False)
    e2e.check(done.returncode == 0 and not done.stderr, "bash takes the script", done)
    return done.stdout.split()


with e2e.scratch() as name:
    Path(name, "c").write_text(e2e.assay("completion", "bash", cwd=name).stdout)
    Path(name, "suite.yml").write_text("")
    e2e.check(completed(name, "assay", "comp") == ["compare", "completion"], "commands")
    e2e.check(completed(name, "assay", "run", "--fail-") == ["--fail-under", "--fail-on-regression", "--fail-on-flip"],
              "options of run")
    e2e.check(completed(name, "assay", "export", "--fail-") == [], "options of others")
    e2e.check(completed(name, "assay", "run", "su") == ["suite.yml"], "files")
    formats = completed(name, "assay", "schema", "")
    e2e.check("blueprint" in formats and "suite.yml" not in formats, f"formats of schema: {formats}")
    e2e.check(completed(name, "assay", "completion", "z") == ["zsh"], "shells")
    for shell, check in (("zsh", "-n"), ("fish", "--no-execute")):
        script = e2e.assay("completion", shell, cwd=name)
        e2e.check("blueprint" in script.stdout, f"{shell}: formats of schema", script)
        e2e.check("compare" in script.stdout and "fail-on-regression" in script.stdout, shell, script)
        program = shutil.which(shell)
        if program:
            Path(name, shell).write_text(script.stdout)
            done = subprocess.run([program, check, shell], cwd=name, capture_output=True, text=True, check=False)
            e2e.check(done.returncode == 0, f"{shell} takes the script", done)
    page = e2e.assay("completion", "man", cwd=name).stdout
    e2e.check(".SS compare" in page and "\\-\\-fail\\-on\\-regression" in page, "the manual page names all")
    groff = shutil.which("groff")
    if groff:
        words = [groff, "-man", "-Tascii", "-P-cbou", "-ww", "-K", "utf8"]
        done = subprocess.run(words, input=page, capture_output=True, text=True, check=False)
        e2e.check(done.returncode == 0 and not done.stderr, "groff takes the page", done)
        e2e.check("--fail-under X" in done.stdout and "assay compare" in done.stdout, "it is a page", done)
    e2e.expect(e2e.assay("completion", "csh", cwd=name), 1, "there is bash, zsh and fish")
