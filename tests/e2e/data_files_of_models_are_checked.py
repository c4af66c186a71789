#!/usr/bin/env python3
"""What the build makes of the data files of facts and prices: tables of what they say, and for each fault one line with
file and line that says what was expected; nothing is written then."""
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

FACTS = e2e.ROOT / "src/providers/facts"
MODELS, PRICES = (Path(FACTS, name).read_text() for name in ("models.toml", "prices.toml"))
# (file, text that is replaced, what by, the line's text at which the fault is told, words of it)
FAULTS = [
    ("models", '"openai:gpt-4.1" = {', '"openai:gpt-4.1" = {max_ouput = 3, ', '"openai:gpt-4.1" =',
     "max_ouput is no fact"),
    ("models", "max_output = 8192", 'max_output = "8192"', "max_output", "a whole number of at least 0"),
    ("models", "max_output = 8192", "max_output = -1", "max_output = -1", "a whole number of at least 0"),
    ("models", 'like = "o-series"', 'like = "oh-series"', "oh-series", "expected: one of claude-4, "),
    ("models", 'thinking = "always"', 'thinking = "often"', '"often"', "one of no, on-request, by-default, always"),
    ("models", '"ollama:*"', '"ollama"', '"ollama"', 'expected: "provider:model"'),
    ("models", '"ollama:*"', '"echo:a"', '"echo:a"', "expected: beside its provider's"),
    ("models", '["image"]', '["smell"]', "smell", "one of image, pdf, audio"),
    ("models", "[schema]", "[shema]", "[shema]", "shema is nothing that is read here"),
    ("models", "[families]", "[families", None, "Expected ']'"),
    ("models", 'as_of = "', 'as_of = "the day before ', "as_of", "expected: one like"),
    ("prices", "input = 2.5,", "inptu = 2.5,", "inptu", "inptu is no price"),
    ("prices", "input = 2.5, ", "", None, "input is missing"),
    ("prices", "input = 2.5,", "input = true,", "input = true", "a number of at least 0"),
    ("prices", "long_input = 5, ", "", None, "long_input is missing"),
    ("prices", '"openai:gpt-4.1" =', '"openai:gpt-4.11" =', "gpt-4.11", "is no row of [models] of models.toml"),
    ("prices", '"openai:gpt-4o-mini" =', '"openai:gpt-4o" =', None, "Cannot overwrite"),
    ("prices", '"openai:flex" = 0.5', '"openai:flex" = "half"', "half", "a number of at least 0"),
]


def make(folder: Path, models: str, prices: str):
    Path(folder, "models.toml").write_text(models)
    Path(folder, "prices.toml").write_text(prices)
    out = Path(folder, "out.cc")
    out.unlink(missing_ok=True)
    words = [sys.executable, e2e.ROOT / "cmake/model_facts.py", folder / "models.toml", folder / "prices.toml", out]
    made = subprocess.run(words, capture_output=True, text=True)
    return made, out


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made, out = make(folder, MODELS, PRICES)
        e2e.check(made.returncode == 0 and not made.stderr, "they are sound", made)
        e2e.check("gpt-4.1-mini*" in out.read_text(), "tables are written")
        for file, old, new, place, words in FAULTS:
            texts = {"models": MODELS, "prices": PRICES}
            e2e.check(old in texts[file], f"the fault can be made: {old}")
            before = texts[file].index(old)
            texts[file] = texts[file].replace(old, new, 1)
            at = texts[file].index(place) if place else before
            made, out = make(folder, texts["models"], texts["prices"])
            line = f":{texts[file].count(chr(10), 0, at) + 1}: error: "
            told = made.stderr.splitlines()
            e2e.check(made.returncode == 1 and not out.exists(), f"{new or old} ends the build", made)
            e2e.check(any(f"{file}.toml{line}" in row and words in row for row in told), f"{words}, at its line", made)
            e2e.check(len(told) < 12, f"{new or old} is told once", made)


main()
