#!/usr/bin/env python3
"""A table of 200 rows and three columns, as spreadsheets write it, becomes a suite with `assay init dataset`. Each
fault that is planted in the table or the suite is named by its place, with what was expected and what to do."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

HEADER = "Question;Answer;Topic"
ROWS = [f"\"What is {n} times {n + 1}; in digits?\";{n * (n + 1)};{'größer' if n % 2 else 'Maß'}"
        for n in range(1, 201)]
LINES = [HEADER, *ROWS]


def table(change=None, lines=LINES):
    """The file's text, with line `change[0]` in another form."""
    lines = list(lines)
    if change is not None:
        number, old, new = change
        assert old in lines[number - 1], (old, lines[number - 1])
        lines[number - 1] = lines[number - 1].replace(old, new)
    return "".join(line + "\r\n" for line in lines)


# what is planted -> (a line of the table and its change, or the whole table; the change of the suite; what is said)
FAULTS = {
    "a column misspelled": (None, ("{{Question}}", "{{Qestion}}"), [":14:3: error", "did you mean {{Question}}?"]),
    "a column in another case": (None, ("{{Answer}}", "{{answer}}"), ["did you mean {{Answer}}?"]),
    "a row too long": ((17, "\"", ""), None, ["t.csv:17:", "4 cells, the header has 3", "needs quotes"]),
    "a row too short": ((17, ";272;", ";272"), None, ["t.csv:17:", "2 cells, the header has 3", "complete it"]),
    "a quote that takes the next row": ("\n".join([HEADER, '"Why;1;a', 'What";2', "Who;3;c"]), None,
                                        ["t.csv:3:7: error",
                                         "a quote opens on line 2 and closes on line 3: close it on line 2"]),
    "a header of the wrong length": (None, ("path: t.csv", "path: t.csv\n  header: [Question, Answer]"),
                                     ["t.csv:2:", "3 cells, the header has 2", "one for each of the 3 cells"]),
    "a delimiter that separates nothing": ("Question;Answer;Topic\nWho?;5;a\n",
                                           ("path: t.csv", 'path: t.csv\n  delimiter: "|"'),
                                           ["t.csv:1:1: warning", "nothing is separated by \"|\"",
                                            'write delimiter: ";"']),
    "a delimiter that separates other things": ("Question, all;Answer\nWho, now?;5\nWho, then;4, no 5\n",
                                                ("path: t.csv", 'path: t.csv\n  delimiter: ","'),
                                                ["t.csv:3:", "for another character, write delimiter: \";\""]),
    "an encoding that is another": (None, ("path: t.csv", "path: t.csv\n  encoding: windows-1252"),
                                    ['warning: "grÃ¶ÃŸer" looks like "größer"', "the file is UTF-8: remove encoding"]),
    "letters that were read in another encoding": (table().replace("Maß", "MaÃŸ"), None,
                                                   ['t.csv:3:', '"MaÃŸ" looks like "Maß"', "save the table again"]),
    "a limit below zero": (None, ("path: t.csv", "path: t.csv\n  limit: -5"),
                           ["limit: expected a whole number from 1, found -5"]),
    "a column that is like none": (None, ("path: t.csv", "path: t.csv\n  where: {Level: 5}\n  keep: [Level]"),
                                   ['where: the dataset has no column "Level"',
                                    'the dataset has no column "Level" [',
                                    'the columns are "Question", "Answer", "Topic"']),
    "a sample by a column that is like none": (None, ("path: t.csv", "path: t.csv\n  sample: {n: 5, per: Level}"),
                                               ['the columns are "Question", "Answer", "Topic"']),
    "a condition that there is not": (None, ("path: t.csv", "path: t.csv\n  where: {Topic: {is: a}}"),
                                      ['there is no condition "is"', "not, at_least, at_most, above, below, matches, "
                                       "contains, exists", "{column: value}"]),
    "a file misspelled": (None, ("path: t.csv", "path: tt.csv"), ["s.yml:11:9: error", 'did you mean "t.csv"?']),
    "a title that is a template": (None, ("title: t", 'title: "{{Topic}}"'),
                                   [":8: warning: title: \"{{Topic}}\" is no template here", "template.in-header"]),
    "a model that is a template": (None, ("  - echo:first", '  - "echo:{{Topic}}"'),
                                   ["error: models: \"echo:{{Topic}}\" is no template here"]),
    "double quotes in double quotes": (None, ('"{{Answer}}"', '"{{Answer | replace("a", "b")}}"'),
                                       ["s.yml:18:", "this double quote ends the text",
                                        "single quotes: '{{Answer | replace(\"a\", \"b\")}}'"]),
    "words around a number that is none": ((60, ";3540;", ";many;"), ('"{{Answer}}"', '"about {{Answer}}"'),
                                           ["s.yml:18:", 'found 0 in "about many"', "1 row fills this criterion",
                                            "t.csv:60:1: note: the row of the case"]),
    "a quote left open": ((50, "?\"", "?"), None, ["t.csv:51:2: error", "line 50", "dataset.quote"]),
    "a quote open to the end": ((201, "?\"", "?"), None,
                                ["t.csv:201:1: error", "never closed", "close it on this line"]),
    "another encoding": (table().encode("cp1252"), None,
                         ["t.csv:2:", "expected UTF-8, found the byte 0xF6", "windows-1252", "dataset.encoding"]),
    "UTF-16 without a mark": (table().encode("utf-16-le"), None, ["t.csv:1:", "utf-16", "dataset.encoding"]),
    "an id twice": (table((89, "87;", "86;"), ["Nr;" + HEADER, *(f"{n};{row}" for n, row in enumerate(ROWS))]),
                    ("path: t.csv", 'path: t.csv\n  id: "{{Nr}}"'),
                    ["t.csv:89:1: error", 'the id "86" is that of t.csv:88 too']),
    "no rows": (HEADER + "\r\n", None, ["t.csv:1:1: error", "a header and no rows"]),
    "an empty file": ("", None, ["the file is empty"]),
    "a line above the names": ("My questions\r\n" + table(), None, ["t.csv:3:", "is line 1 a title?"]),
    "a condition of no column": (None, ("path: t.csv", "path: t.csv\n  where: {Topc: Maß}"),
                                 ["s.yml:12:", 'no column "Topc"', 'did you mean "Topic"?']),
    "a condition that no row meets": (None, ("path: t.csv", "path: t.csv\n  where: {Topic: Mass}"),
                                      ["none of 200 rows", 'no row has "Mass" as "Topic"', '"größer", "Maß"']),
    "a wanted number that is none": ((60, ";3540;", ";many;"), None,
                                     ["t.csv:60:35: error", '$numeric: expected a number', '"many"', "check.argument",
                                      "s.yml:18:5: note", "1 row"]),
    "numbers of another column": (None, ("{{Answer}}", "{{Topic}}"),
                                  ["t.csv:2:", "t.csv:3:", "s.yml:18:5: note", "200 rows", "the first 10"]),
    "no such file": (None, ("path: t.csv", "path: u.csv"), ["s.yml:11:9: error", 'no file "u.csv"', "--allow-path"]),
    "a method of Jinja": (None, ("{{Question}}", "{{Question.strip()}}"),
                          ["s.yml:14:3", "no calls and methods", "| trim"]),
    "a filter of Jinja": (None, ("{{Question}}", "{{Question | capitalize}}"), ["s.yml:14:3", "trim, lower, upper"]),
    "a condition of Jinja": (None, ("{{Question}}", "{{Question if Topic}}"),
                             ["s.yml:14:3", "no conditions", "default("]),
    "an operator of nunjucks": (None, ("{{Question}}", "{{Question or Topic}}"),
                                ["s.yml:14:3", "no operators", "default("]),
    "a statement of Jinja": (None, ("{{Question}}", "{% if Topic %}{{Question}}{% endif %}"),
                             ["s.yml:14:3: warning", "{% … %} is sent unchanged"]),
    "one brace": (None, ("{{Question}}", "{Question}"),
                  ["s.yml:13:", "warning", "the same question for every row", "did you mean {{Question}}?"]),
    "no quotes": (None, ("prompt: |-\n  {{Question}}\n  End with the number.", "prompt: {{Question}}"),
                  ["s.yml:13:9: error", "put it in quotes"]),
    "an empty question": ((30, '"What is 29 times 30; in digits?"', ""), None,
                          ["t.csv:30", '"Question" is empty', "default("]),
    "an empty answer": ((30, ";870;", ";;"), None, ["t.csv:30", "no score", "warning"]),
    "another delimiter": (None, ("path: t.csv", 'path: t.csv\n  delimiter: ","'),
                          ["t.csv:2:", "delimiter: \";\"", "dataset.quote"]),
    "a name twice": ((1, "Topic", "Answer"), None, ["t.csv:1:17: error", 'two columns have the name "Answer"']),
    "a tag of other letters": (None, ("title: t", "title: t\ntags: [Müll, 住宅]"),
                               [':8: warning: tags: "Müll" becomes "mll"', 'tags: "住宅" vanishes',
                                "their tags and group keep any text"]),
    "a check of another tool": (None, ("$numeric", "$equal"), ["s.yml:18:5", 'did you mean "equals"?']),
}
# a table of another kind, and its content -> what is said
OTHERS = {
    ("a.jsonl", '{"q": "x", "a": "y"}\n{"q": "x" "a": 1}\n'): ['a.jsonl:2:11: error: expected "," or "}"'],
    ("a.jsonl", '[\n {"q": "x",\n  "a": "y"}\n]\n'):
        ["a.jsonl:1:1: error", "a list over several lines", "format: json"],
    ("a.json", '{"data": {"rows": [{"q": "x", "a": "y"}]}}'): ["a.json:1:1: error", "write at: data.rows"],
    ("a.json", '{"q": ["x"], "a": ["y"]}'): ["a mapping of columns is no list"],
    ("a.jsonl", '{"q": "x", "a": {"b": 1}}\n'): ["a.jsonl:1:17: error", "expected a text, found a mapping"],
    ("https://127.0.0.1/a.csv", None): ["s.yml:2:10: error", "download the file first"],
    ("{file: a.jsonl}", None): ['unknown key "file"', "the keys are path, rows, format"],
}
WARNINGS = {"a statement of Jinja", "one brace", "an empty answer", "a tag of other letters",
            "an encoding that is another", "letters that were read in another encoding", "a title that is a template"}


def main():
    with e2e.scratch() as folder:
        suite, rows = Path(folder, "s.yml"), Path(folder, "t.csv")
        rows.write_bytes(table().encode("cp1252"))
        refused = e2e.assay("init", "dataset", "t.csv", cwd=folder)
        e2e.expect(refused, 1, "t.csv:2:", "--encoding windows-1252")
        e2e.expect(e2e.assay("init", "dataset", "t.csv", "--encoding", "windows-1252", cwd=folder), 0)
        Path(folder, "t.yml").unlink()
        rows.write_bytes(table().encode("utf-8-sig"))
        e2e.expect(e2e.assay("init", "dataset", "t.csv", cwd=folder), 0)
        written = Path(folder, "t.yml").read_text()
        suite.write_text(written)
        checked = e2e.assay("check", "--strict", "s.yml", cwd=folder)
        e2e.expect(checked, 0)
        e2e.check("200 cases of t.csv (200 rows)" in checked.stdout, "all rows are cases", checked)
        for name, (changed, replaced, said) in FAULTS.items():
            content = changed if isinstance(changed, (bytes, str)) else table(changed)
            rows.write_bytes(content if isinstance(content, bytes) else content.encode())
            old, new = replaced or ("", "")
            e2e.check(old in written, f"{name}: {old!r} is not in\n{written}")
            suite.write_text(written.replace(old, new, 1) if old else written)
            result = e2e.assay("check", "s.yml", cwd=folder)
            e2e.check(result.returncode == (0 if name in WARNINGS else 1), f"{name}: {result.returncode}", result)
            for fragment in said:
                e2e.check(fragment in result.stdout + result.stderr, f"{name}: no {fragment!r}", result)
        for (name, content), said in OTHERS.items():
            if content is not None:
                Path(folder, name).write_text(content)
            suite.write_text(f'models: [echo:a]\ndataset: {name}\n---\nprompt: "{{{{q}}}}"\n'
                             'should: [{$contains: "{{a}}"}]\n')
            result = e2e.assay("check", "s.yml", cwd=folder)
            for fragment in said:
                shown = result.returncode == 1 and fragment in result.stdout + result.stderr
                e2e.check(shown, f"{name}: no {fragment!r}", result)


main()
