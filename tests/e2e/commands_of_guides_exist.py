#!/usr/bin/env python3
"""Commands in the README, the tutorials and the questions and answers exist, with each of their options; the suites
that they show are read without a problem."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

GUIDES = ["README.md", "docs/faq.md", *sorted(f"docs/tutorials/{path.name}"
                                              for path in (e2e.ROOT / "docs/tutorials").glob("*.md"))]
SHELL = re.compile(r"(?ms)^```sh\n(.*?)^```$")
INLINE = re.compile(r"`(assay [^`]+)`")
YAML = re.compile(r"(?ms)^```yaml\n(.*?)^```$")
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")


def commands_of(text):
    """Each command with its words, without remarks."""
    lines = [line for block in SHELL.findall(text) for line in block.splitlines()] + INLINE.findall(text)
    for line in lines:
        for part in line.partition("  #")[0].split("&&"):
            if part.strip().startswith("assay "):
                yield part.strip()


def problem_of(command, folder, known={}):
    name = command.split()[1]
    if name.startswith("-"):
        return None if name in ("--help", "--version") else f"{command}: no such option"
    if name.isupper():
        return None  # a word that stands for any command
    if name not in known:
        help_text = e2e.assay(name, "--help", "all", cwd=folder)
        known[name] = help_text.stdout if help_text.returncode == 0 else None
    if known[name] is None:
        return f"{command}: no such command"
    missing = [option for option in OPTION.findall(command)
               if not re.search(rf"(?<![\w-]){option}(?![\w-])", known[name]) and option not in ("--help", "all")]
    return f"{command}: no option {', '.join(missing)}" if missing else None


def check_all(texts, folder):
    problems, count = [], 0
    for path, text in texts.items():
        for command in commands_of(text):
            count += 1
            problem = problem_of(command, folder)
            problems += [f"{path}: {problem}"] if problem else []
        for number, suite in enumerate(YAML.findall(text)):
            file = Path(folder, f"suite-{number}.yml")
            file.write_text(suite)
            result = e2e.assay("check", file.name, cwd=folder)
            if result.returncode != 0 or "; 0 warnings" not in result.stdout:
                problems.append(f"{path}: a suite has a problem:\n{suite}{result.stdout}{result.stderr}")
    return problems, count


with e2e.scratch() as folder:
    Path(folder, "agent.py").write_text("")
    found, count = check_all({path: (e2e.ROOT / path).read_text() for path in GUIDES}, folder)
    e2e.check(not found, "\n".join(found))
    e2e.check(count > 30, f"only {count} commands were found")
    bad = "```sh\nassay runn x.yml\nassay run x.yml --budgit-usd 5\n```\n```yaml\nprompt: x\nshoud: [y]\n```\n"
    found, _ = check_all({"bad": bad}, folder)
    e2e.check(len(found) == 3, f"what is wrong is found: {found}")
