#!/usr/bin/env python3
"""Proves that each rule of styles/assay fires on an offence and is silent on the nearest innocent sentence, that a rule
finds each word of the glossary's list, and that exceptions are counted. Skipped where Vale cannot be built."""
import sys
from pathlib import Path

import check
import strings

LONG = "The run " + "very " * 24 + "ends."
SHORT = "The run " + "very " * 15 + "ends: " + "`code of many words` " * 5 + "counts."
# (rule that must fire, or None; text)
CASES = [
    ("Length", LONG), (None, SHORT), ("Length", f"| a | {LONG} |\n|---|---|\n| b | c |"), ("Length", f"- {LONG}"),
    (None, "```\n" + LONG + "\n```"),
    ("Told", "The reason is told in the log."), ("Told", "A mistake is only told once."),
    (None, "The log shows the reason."),
    ("Order", "Judges are cached, and so are embeddings."), ("Order", "Of more than four names three are shown."),
    ("Order", "Who wants an interval uses the option."), ("Order", "What a run spends is printed at its end."),
    ("Order", "Beside others, it is fast."), (None, "What does a run cost?"), (None, "# What the numbers mean"),
    (None, "The price is known, so the budget holds."),
    ("If", "Where a key is missing, the run ends."), (None, "Where is the key?"),
    (None, "If a key is missing, it ends."),
    ("Words", "The cost is reckoned first."), ("Words", "The limit stands in the file."),
    (None, "The letter stands for a file."), ("Words", "The request is sent anew."),
    (None, "The request is sent again."),
    ("Internals", "The executor waits."), ("Internals", "The fold ends."),
    (None, "The `--fold` option ends the run."),
    (None, "The folder is new."),
    (None, "The [fold](glossary.md) ends."), ("Internals", "The [fold](cluster.md) ends."),
    ("American", "The colour changes."), ("American", "Text is normalised."), (None, "The color changes."),
    (None, "Otherwise a promise is precise."),
    ("Latin", "Use a key, e.g. yours."), (None, "Use a key, for example yours."),
]


# (a source, whether a script, the texts that it has for users)
SOURCES = [
    ('Warn("a text of " /* no */ "two parts"); // "not a text"\n', False, ["a text of two parts"]),
    ('#include "a file.h"\nf("{} of {} done", a);', False, ["`code` of `code` done"]),
    ('Run("SELECT name FROM runs"); char c = \'"\'; g("the end\\nof it");', False, ["the end. of it"]),
    ("el('p', `ran for ${time(`a${b}`)} so far`); // it's\nconst r = /[`'\"]/;", True, ["ran for `code` so far"]),
    ("const a = b ? 'two words' : \"three more words\";", True, ["two words", "three more words"]),
]


def texts_are_found():
    problems = []
    for source, is_script, wanted in SOURCES:
        read = strings.texts_of_script if is_script else strings.texts_of_cpp
        found = [strings.as_markdown(text.words) for text in read(source) if strings.is_prose(text.words)]
        if found != wanted:
            problems.append(f"{source!r}: {found}")
    return problems


def rules_fire(vale):
    texts = {f"case-{number}.md": text + "\n" for number, (_, text) in enumerate(CASES)}
    found = {}
    for finding in check.findings_of(vale, texts):
        found.setdefault(finding.path, set()).add(finding.rule)
    return [f"{text!r}: expected {rule or 'nothing'}, "
            f"found {sorted(found.get(f'case-{number}.md', set())) or 'nothing'}"
            for number, (rule, text) in enumerate(CASES)
            if found.get(f"case-{number}.md", set()) != ({rule} if rule else set())]


def the_glossary_is_checked(vale):
    """Every word of the glossary's list is found by Words."""
    page = (check.ROOT / "docs/glossary.md").read_text().split("## Words that we do not use\n", 1)[1]
    rows = [line.split("|")[1].strip(" `") for line in page.splitlines() if line.startswith("| ")][1:]
    words = {f"word-{number}.md": f"It {word} it.\n" for number, word in enumerate(rows)}
    rules = ("Words", "Told", "Internals")
    found = {finding.path for finding in check.findings_of(vale, words) if finding.rule in rules}
    if len(rows) < 10:
        return ["docs/glossary.md: the list of replaced words is missing"]
    return [f"docs/glossary.md: no rule finds {text!r}" for path, text in words.items() if path not in found]


def exceptions_are_counted():
    finding = check.Finding("a.md", 3, "Words", "stands", "")
    rows = check.Exceptions("# x\nWords | a.md | stands | the name of a table\n")
    unused = check.Exceptions("Words | a.md | other | reason\n")
    many = check.Exceptions("".join(f"Words | a.md | {i} | reason\n" for i in range(check.EXCEPTIONS_MAX + 1)))
    expectations = {
        "a row covers its finding": rows.cover(finding) and not rows.unused({"a.md"}),
        "a row covers no other": not unused.cover(finding) and len(unused.unused({"a.md"})) == 1,
        "of a document that is not read nothing is said": not unused.unused({"b.md"}),
        "a row needs a reason": len(check.Exceptions("Words | a.md | stands |\n").problems) == 1,
        "there may be only so many": len(many.problems) == 1,
        "no Go": "no Go here" in check.go_problem(None, "1.25.7"),
        "old Go": "has 1.19.8" in check.go_problem("go1.19.8", "1.25.7"),
        "new Go": check.go_problem("go1.26.0", "1.25.7") is None and check.go_problem("go1.25.7", "1.25.7") is None,
        "code is one word": check.prose_of("a `b\nc` d\n```\n`e f`\n```\n") == "a `code`\n d\n```\n`e f`\n```\n",
    }
    return [name for name, holds in expectations.items() if not holds]


def main():
    problems = exceptions_are_counted() + texts_are_found()
    try:
        vale = check.built_vale()
        problems += rules_fire(vale) + the_glossary_is_checked(vale)
    except check.CannotBuild as problem:
        if not problems:
            print(f"skipped: {problem}")
            return check.SKIPPED
    for problem in problems:
        print(f"FAILED: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
