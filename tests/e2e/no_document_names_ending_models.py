#!/usr/bin/env python3
"""README, documents, examples and starters name no model that ends within six months of the day of the tables, and
neither do the models that assay asks by default: the build refuses those. The days are those of models.toml, so that no
test fails because time goes by."""
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

sys.path.insert(0, str(e2e.ROOT / "cmake"))
import default_models  # noqa: E402

MODELS = e2e.ROOT / "src/providers/facts/models.toml"
DEFAULTS = e2e.ROOT / "src/dialects/default_models.toml"
TABLE = tomllib.loads(MODELS.read_text())
# What people copy from. Decisions and the changelog tell what was.
PLACES = ["README.md", "docs/**/*.md", "examples/**/*", "src/cli/starters/**/*", "src/dialects/*/keys/*.h",
          "src/cli/commands/init.cc", "src/cli/commands/table.cc", "src/providers/codecs/*.cc"]
TEXTS = {".md", ".yml", ".yaml", ".toml", ".jsonl", ".json", ".py", ".txt", ".cc"}
ONLY_EXAMPLES = re.compile(r"\.example = .*")  # of sources the models that the program offers


def files():
    for pattern in PLACES:
        for path in sorted(e2e.ROOT.glob(pattern)):
            if path.suffix in TEXTS and "docs/decisions/" not in path.as_posix() and not path.name.endswith("_test.cc"):
                yield path


def ending():
    """Names that end, as a pattern, with their days."""
    limit = default_models.six_months_after(TABLE["as_of"])
    names = {}
    for key, row in TABLE["retirement"].items():
        if row["on"] < limit:
            name = re.escape(key.partition(":")[2].rstrip("*"))
            rest = r"[\w.-]*" if key.endswith("*") else ""
            names[key] = (re.compile(rf"(?<![\w.-]){name}{rest}(?![\w-]|\.\w)"), row["on"])
    return names


def faults_of_defaults():
    """What the build says of a default model that ends, of a row that is none, of a table that is missing."""
    text = DEFAULTS.read_text()
    for old, new, words in (('"openrouter:openai/gpt-6-luna"', '"openrouter:openai/gpt-4o-mini"', "ends on 2027-01-14"),
                            ('"openrouter:anthropic/claude-sonnet-5"', '"openrouter:anthropic/claude-sonnet-4"',
                             "ends on 2026-06-15"),
                            ('"openai:gpt-6-luna"', '"gpt-6-luna"', 'expected: "provider:model"'),
                            ("summary = ", "sumary = ", "summary is missing"), ("[backup]", "[bakup]", "bakup"),
                            ('as_of = "', 'as_of = "about ', "expected: one like")):
        e2e.check(old in text, f"the fault can be made: {old}")
        with tempfile.TemporaryDirectory() as folder:
            path, out = Path(folder, "default_models.toml"), Path(folder, "out.cc")
            path.write_text(text.replace(old, new, 1))
            made = subprocess.run([sys.executable, default_models.__file__, path, MODELS, out], capture_output=True,
                                  text=True, check=False)
            e2e.check(made.returncode == 1 and not out.exists(), f"{new}: no table is written", made)
            e2e.check(re.search(rf"^{re.escape(str(path))}:\d+: error: .*", made.stderr, re.M) and words in made.stderr,
                      f"{new}: {made.stderr}")


named = []
ENDING = ending()
for path in files():
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if path.suffix == ".cc" and not ONLY_EXAMPLES.search(line) and "codecs" in path.parts:
            continue
        for key, (pattern, day) in ENDING.items() if re.search(r"gpt|gemini|claude|\bo\d", line) else ():
            if pattern.search(line):
                named.append(f"{path.relative_to(e2e.ROOT)}:{number}: {key} ends on {day}")
e2e.check(not named, "models that end:\n" + "\n".join(named[:40]))
for model in ("openai:gpt-4o-mini", "openai-responses:gpt-5", "openrouter:anthropic/claude-opus-4"):
    e2e.check(default_models.last_day(TABLE["retirement"], model), f"{model} ends, by the table")
e2e.check(default_models.six_months_after("2026-08-31") == "2027-02-28", "the end of a shorter month")
faults_of_defaults()
