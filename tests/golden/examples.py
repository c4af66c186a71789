#!/usr/bin/env python3
"""The examples run offline by themselves and print what is approved; `tests/golden/examples.py --approve` accepts."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

EXAMPLES = {"civic-knowledge": [], "pushback": [], "every-function": [], "deposits": [], "gsm-like": [],
            "mmlu-like": ["--by", "group"], "ifeval-like": [], "until-decided": ["--until", "decided", "-j", "1"],
            "help-desk": [], "word-games": []}
# Configs of promptfoo, some of whose tests fail.
CONFIGS = ("help-desk", "word-games")

failed = False
with e2e.scratch() as folder:
    for name, options in EXAMPLES.items():
        suite = f"examples/{name}/{'promptfooconfig.yaml' if name in CONFIGS else f'{name}.yml'}"
        place = Path(folder, suite).parent
        place.mkdir(parents=True)
        for file in (e2e.ROOT / suite).parent.rglob("*"):
            copy = place / file.relative_to((e2e.ROOT / suite).parent)
            copy.mkdir(exist_ok=True) if file.is_dir() else copy.write_bytes(file.read_bytes())
        for screen, words in ((name, ["run", suite, *options]), (f"{name}.check", ["check", suite]),
                              (f"{name}.failed", ["show", "latest", "--failed"])):
            result = e2e.assay(*words, cwd=folder)
            e2e.expect(result, 3 if name in CONFIGS and words[0] == "run" else 0)
            text = e2e.normalised(result.stdout + "--- standard error\n" + result.stderr)
            approved = Path(__file__).parent / f"{screen}.approved"
            if "--approve" in sys.argv:
                approved.write_text(text)
            elif not approved.exists() or approved.read_text() != text:
                print(f"{approved.name} differs; this was printed:\n{text}")
                failed = True
sys.exit(failed)
