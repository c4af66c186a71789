#!/usr/bin/env python3
"""Result files of `--compat infibench` have numbers, members and errors as the original's dumper writes them."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

HANDLERS = """
def whole(answer): return 3, 4, None
def broken(answer): return 1, 2.0, [len(answer), "told"]
def none_told(score, total, lines): return 1, total, None
def list_told(score, total, lines): return score, 2, lines[:1]
"""
HEAD = "id: one\nprompt_path: q.txt\ntype: code debugging\nlang: python\n"
BLANK = 'template: "n = [blank]; print"'
CASES = {
    "both.yaml": HEAD + "full_score: 2\ngrading: {customized: {module: own, func: broken}}\n",
    "error.yaml": HEAD + "full_score: 3.5\ngrading: {similarity: []}\n",
    "lines.yaml": HEAD + f"grading: {{blank_filling: {{{BLANK}, targets: ['7'],"
                         " post_handler: {module: own, func: list_told}}}\n",
    "none.yaml": HEAD + f"grading: {{blank_filling: {{{BLANK}, targets: ['7'],"
                        " post_handler: {module: own, func: none_told}}}\n",
    "rules.yaml": HEAD + "grading: {keywords: [n, {post_handler: {module: own, func: none_told}}]}\n",
    "seen.yaml": HEAD + f"grading: {{blank_filling: {{{BLANK}, targets: [{{content: [{{content: '7',\n"
                        "  cond: 'sum(range(n_blank + 7)) == 28 and s[3] == 3 and matched_rate > 0.9'}]}]}}\n",
    "whole.yaml": HEAD + "grading: {customized: {module: own, func: whole}}\n",
}


def case_text(detail, full_score, now_score):
    return (f"  {detail}\n  full_score: {full_score}\n  id: one\n  lang: python\n  now_score: {now_score}\n"
            "  now_std: 0.0\n  prompt_path: q.txt\n  type: code debugging\n")


def blanks(score, total, told=""):
    return ("detail:\n  - blank_filling_detail:\n    - 'matched: response string: 7, ans: 7'\n"
            f"{told}    blank_filling_score: {score}\n    blank_filling_totscore: {total}")


def custom(detail, score, total):
    return f"detail:\n  - custom_detail:{detail}\n    custom_score: {score}\n    custom_totscore: {total}"


WANTED = {
    "both.yaml": case_text(custom("\n    - 12\n    - told", 1, 2.0), 2, 1.0),
    "error.yaml": case_text("detail:\n    error_obj: float division by zero\n    info: error encountered", 3.5, 0.0),
    "lines.yaml": case_text(blanks(1.0, 2, "    blank_filling_post_handler_detail:\n"
                                           "    - 'matched: response string: 7, ans: 7'\n"), 4, 2.0),
    "none.yaml": case_text(blanks(1, 1.0), 4, 4.0),
    "rules.yaml": case_text("detail:\n  - keywords:\n    - match\n    keywords_score: 1\n    keywords_totscore: 1.0\n"
                            "    post_handler_detail: null", 4, 4.0),
    "seen.yaml": case_text(blanks(1.0, 1.0), 4, 4.0),
    "whole.yaml": case_text(custom(" null", 3, 4), 4, 3.0),
}

with e2e.scratch() as folder:
    for name, text in CASES.items():
        Path(folder, name).write_text(text)
    Path(folder, "own.py").write_text(HANDLERS)
    Path(folder, "q.txt").write_text("What is n?\n")
    Path(folder, "answers").mkdir()
    Path(folder, "answers/a.txt").write_text("n = 7; print")
    Path(folder, "answers/params.yaml").write_text(
        "answer_paths: {" + ", ".join(f"{name}: [a.txt]" for name in CASES) + "}\n")
    # A suite's whole full score is written as one; weights in quotes are numbers.
    Path(folder, "suite.yaml").write_text("full_score_per_question: 4\ncases:\n" + "".join(
        f"- {{path: {name}, weight: '2'}}\n" for name in CASES))
    result = e2e.assay("grade", "suite.yaml", "answers", "--compat", "infibench", "--result_detail_path", "got.yaml",
                       "--result_summary_path", "got.txt", cwd=folder)
    got = Path(folder, "got.yaml").read_text() if Path(folder, "got.yaml").exists() else ""
    for name, text in WANTED.items():
        found = got.partition(f"{name}:\n")[2]
        e2e.check(found.startswith(text), f"{name} is as the original writes it: {found[:400]}", result)
    e2e.check(Path(folder, "got.txt").read_text().startswith("Total score: 18.0 ± 0.0 / 22.0\n"),
              "totals are floats: " + Path(folder, "got.txt").read_text(), result)
