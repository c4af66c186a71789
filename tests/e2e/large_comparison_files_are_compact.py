#!/usr/bin/env python3
"""The comparison file of more than 5,000 pairs of prompt and model is compact, and holds what the indented one does;
with --compat weval it is written as the original writes it. Once two fifths of 282 MB were blanks."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

PAIRS_MAX = 5_000


def comparison(folder, prompts, *words):
    """Its text; of two models."""
    place = Path(folder, f"{prompts}{''.join(words)}")
    place.mkdir()
    (place / "suite.yml").write_text(e2e.suite(prompts, "echo:a, echo:b"))
    e2e.expect(e2e.assay("run", "suite.yml", "--out", "out", *words, cwd=place), 0)
    return next((place / "out").rglob("*_comparison.json")).read_text()


with e2e.scratch() as scratch:
    at_most, more = PAIRS_MAX // 2, PAIRS_MAX // 2 + 1
    indented, compact = comparison(scratch, at_most), comparison(scratch, more)
    e2e.check(indented == json.dumps(json.loads(indented), indent=2, ensure_ascii=False), "indented by two blanks")
    e2e.check(compact == json.dumps(json.loads(compact), separators=(",", ":"), ensure_ascii=False), "without a blank")
    small, large = json.loads(indented), json.loads(compact)
    e2e.check(list(small) == list(large) and len(large["promptIds"]) == more, "the same members")
    first = small["promptIds"][0]
    for part in ("allFinalAssistantResponses", "fullConversationHistories", "promptContexts"):
        e2e.check(small[part][first] == large[part][first], f"the same {part}")
    scores = [each["evaluationResults"]["llmCoverageScores"][first] for each in (small, large)]
    e2e.check(scores[0] == scores[1], "the same scores")
    e2e.check(comparison(scratch, more, "--compat", "weval", "--skip-executive-summary").startswith('{\n  "configId"'),
              "as the original writes it")
