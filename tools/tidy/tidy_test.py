#!/usr/bin/env python3
"""Proves that each house rule fires on an offence and is silent on the nearest innocent text."""
import sys
import tempfile
from pathlib import Path

import rules
import tidy

LONG_BODY, SHORT_BODY = "  Step();\n" * 71, "  Step();\n" * 60
LONG_SCRIPT, SHORT_SCRIPT, PAGE = "    step();\n" * 71, "    step();\n" * 60, "src/view/pages/a.js"
STORED = 'struct A {\n  int a = 0;\n  std::optional<int> b;\n};\nstruct FieldsOf<A> {\n'
# (rule that must fire, or None; path; text after the first comment line)
CASES = [
    ("function-length", "src/a.cc", "int F(int x) {\n" + LONG_BODY + "}\n"),
    ("function-length", "src/a.cc", "A::A(int x) : x_(x), y_{1} {\n" + LONG_BODY + "}\n"),
    ("function-length", "src/a.cc", "Result<std::map<int, int>> A::Get(const B& b) const {\n" + LONG_BODY + "}\n"),
    ("function-length", "src/a.cc", "int F() {\n  if (b) {\n" + LONG_BODY + "  }\n}\n"),
    ("function-length", "src/a.cc", 'TEST_CASE("x") {\n' + LONG_BODY + "}\n"),
    (None, "src/a.cc", "namespace assay {\nint F() {\n" + SHORT_BODY + "}\nint G() {\n" + SHORT_BODY + "}\n}\n"),
    (None, "src/a.cc", "constexpr int kRows[] = {\n" + "  1,\n" * 90 + "};\n"),
    ("function-length", PAGE, "function f({ a = {} } = {}) {\n" + LONG_SCRIPT + "}\n"),
    ("function-length", PAGE, "export async function f(a) {\n" + LONG_SCRIPT + "}\n"),
    ("function-length", PAGE, "const f = (a) => {\n" + LONG_SCRIPT + "};\n"),
    ("function-length", PAGE, "const f = (a) =>\n  g(\n" + "    a,\n" * 71 + "  );\n"),
    ("function-length", PAGE, "class A {\n  m(a) {\n" + LONG_SCRIPT + "  }\n}\n"),
    ("function-length", PAGE, "class A {\n  async m(a = {}) {\n    if (a) {\n" + LONG_SCRIPT + "    }\n  }\n}\n"),
    ("function-length", PAGE, "function f() {\n  a = /[{'/]/g; b = `{${c(`}`)}{`; // }\n" + LONG_SCRIPT + "}\n"),
    (None, PAGE, "function f() {\n" + SHORT_SCRIPT + "}\nfunction g() {\n" + SHORT_SCRIPT + "}\n"),
    (None, PAGE, "function f() {\n  return /}'`/.test(`}${'}'}`); /* } */\n}\nconst A = [\n" + "  1,\n" * 90 + "];\n"),
    (None, PAGE, "class A {\n  m() {\n" + SHORT_SCRIPT + "  }\n\n  get n() {\n" + SHORT_SCRIPT + "  }\n}\n"),
    (None, "tests/a.js", "function f() {\n" + LONG_SCRIPT + "}\n"),
    ("file-length", "src/a.cc", "int x;\n" * 800),
    (None, "src/a_test.cc", "int x;\n" * 900),
    ("line-width", "src/a.cc", "// " + "x" * 110 + "\n"),
    (None, "src/a.cc", "// " + "ä" * 107 + "\n"),
    ("fixme", "src/a.cc", "// FIXME later\n"),
    ("todo", "src/a.cc", "// TODO: later\n"),
    (None, "src/a.cc", "// TODO(#12): later\n"),
    ("machine-path", "docs/decisions/a.md", "see /home/me/x\n"),
    ("thread-local", "src/a.cc", "thread_local int x;\n"),
    ("catch-all", "src/a.cc", "try { F(); } catch (...) {}\n"),
    (None, "src/a.cc", "// never catch (...)\n"),
    ("locks", "src/a.cc", "std::mutex m;\n"),
    ("threads", "src/a.cc", "std::thread t;\n"),
    ("sleep", "tests/a.cc", "std::this_thread::sleep_for(x);\n"),
    ("clock", "src/a.cc", "auto t = std::chrono::steady_clock::now();\n"),
    ("random", "src/a.cc", "int x = rand();\n"),
    (None, "src/a.cc", "int operand(int x);\n"),
    ("system", "src/a.cc", 'system("ls");\n'),
    (None, "src/a.cc", "variant.system(1);\n"),
    ("new-delete", "src/a.cc", "auto* x = new Thing();\n"),
    ("new-delete", "src/a.cc", "delete x;\n"),
    (None, "src/a.cc", 'A(const A&) = delete;\nF("a new thing");\n'),
    ("using-namespace", "src/a.cc", "using namespace std;\n"),
    ("std-regex", "src/a.cc", "std::regex r;\n"),
    ("printing", "src/base/a.cc", "std::cout << 1;\n"),
    (None, "src/cli/a.cc", "std::cout << 1;\n"),
    ("printing", "src/engine/a.cc", "std::cout << 1;\n"),
    (None, "src/base/a.cc", "std::snprintf(b, 1, x);\n"),
    ("exit", "src/a.cc", "std::exit(1);\n"),
    ("environment", "src/a.cc", 'std::getenv("HOME");\n'),
    ("compat", "src/plan/a.cc", "if (suite.compat == Compat::kWeval) F();\n"),
    ("compat", "src/plan/a.cc", "bool b = Compat::kNone != options.compat;\n"),
    ("compat", "src/plan/a.cc", "const bool same = a->compat != b;\n"),
    ("compat", "src/plan/a.cc", "switch (suite.compat) {}\n"),
    ("compat", "src/plan/a.cc", "case Compat::kWeval: F();\n"),
    ("compat", "src/plan/a.cc", 'if (suite.dialect == "blueprint") F();\n'),
    (None, "src/plan/a.cc", "Compat compat = Compat::kNone;\nF(HabitsOf(options.compat));\n"),
    (None, "src/plan/a.cc", "if (dialect == nullptr) F();\n"),
    (None, "src/dialects/x/a.cc", "if (suite.compat == Compat::kWeval) F();\n"),
    (None, "src/cli/option_table.cc", "if (options.compat == compat) F();\n"),
    ("unreferenced", "src/a.h", "#pragma once\n"),
    ("unreferenced", "scripts/lonely.sh", "true\n"),
    ("named-file", "src/a.cc", "// as gone.h says\n"),
    ("named-file", "src/a.cc", "int x;  // (b/a.cc)\n"),
    ("named-file", "docs/decisions/a.md", "see `src/gone.cc`\n"),
    ("named-file", "docs/decisions/a.md", "see docs/gone.md\n"),
    (None, "src/b/a.cc", "// a.cc, b/a.cc and src/b/a.cc\n"),
    (None, "src/a.cc", 'F("// gone.h", "gone.h");\n'),
    (None, "docs/decisions/a.md", "src/acme.cc, <stdio.h>, notes.md, **/*.cc\n"),
    ("link", "docs/decisions/a.md", "see [b](gone.txt)\n"),
    ("link", "docs/decisions/a.md", "# One\nsee [b](#two)\n"),
    (None, "docs/decisions/a.md", "# One, `two`: three?\n[b](#one-two-three) [c](a.md#one-two-three)\n"),
    (None, "docs/decisions/a.md", "[a page](https://example.org/y#z)\n"),
    (None, "docs/decisions/a.md", "```\n[b](gone.txt)\n```\n`[b](gone.txt)`\n"),
    ("decision-length", "docs/decisions/0001-x.md", "x\n" * 61),
    ("stored-field", "src/a.cc", STORED + '  list{Field{"a", &A::a}};\n};\n'),
    (None, "src/a.cc", STORED + '  list{Field{"a", &A::a}};\n  left_out = {"b"};\n};\n'),
    ("participle", "src/a.cc", "struct Asked {\n  int a = 0;\n};\n"),
    ("participle", "src/a.cc", "class KeptOutcomes {};\n"),
    ("run-ending", "src/a.cc", "enum class StopReason { kDone };\n"),
    (None, "src/a.cc", "enum class RunEnding { kWhole };\n"),
    (None, "src/a.cc", "struct Request {\n  int asked = 0;\n};\n"),
    ("looked-up", "src/a.cc", 'void F() {\n  const Value* a = map.Find("a");\n  if (a) G(a->AsString());\n}\n'),
    ("looked-up", "src/a.cc", 'void F() {\n  if (const Value* a = map.Find(key); a) G(a->AsList());\n}\n'),
    ("looked-up", "src/a.cc", 'void F() {\n  G(map.Find("a")->AsMap());\n}\n'),
    (None, "src/a.cc", 'void F() {\n  if (const Value* a = map.Find("a")) G(*a);\n  H(map.TextAt("b"));\n}\n'),
    (None, "src/a.cc", 'void F() {\n  Value* a = map.Find("a");\n  a->AsMap().Set("b", 1);\n}\n'),
    (None, "src/text/a.cc", 'void F() {\n  const Value* a = map.Find("a");\n  if (a) G(a->AsString());\n}\n'),
    ("changelog", "CHANGELOG.md", "- " + "word " * 26 + "\n"),
]


def fired(path: str, text: str) -> set[str]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        comment = "# A script.\n" if path.endswith(".sh") else "// A file.\n"
        file.write_text(comment + text, encoding="utf-8")
        return {offence.rule for rule in rules.RULES for offence in rule(rules.Tree(Path(folder)))}


def main() -> int:
    failed = 0
    for rule, path, text in CASES:
        found = fired(path, text)
        if found != ({rule} if rule else set()):
            print(f"{path}: expected {rule}, found {sorted(found)} in: {text[:80]!r}")
            failed += 1
    offence = rules.Offence("function-length", "src/a.cc", 1, "", "F", 90)
    if not tidy.Exemptions("function-length | src/a.cc:F | 90 | data").covers(offence):
        print("a matching exemption does not cover")
        failed += 1
    if tidy.Exemptions("function-length | src/a.cc:F | 89 | data").covers(offence):
        print("a ratchet lets a longer function pass")
        failed += 1
    if not tidy.Exemptions("locks | src/x.h | - | old").unused() or not tidy.Exemptions("locks | src/x.h").problems:
        print("a useless or malformed exemption passes")
        failed += 1
    for count, expected in ((25, 0), (26, 1)):
        with tempfile.TemporaryDirectory() as folder:
            room = Path(folder, "src", "room")
            room.mkdir(parents=True)
            for number in range(count):
                (room / f"{number}.h").write_text("// x\n")
            if len(list(rules.room_sizes(rules.Tree(Path(folder))))) != expected:
                print(f"a room of {count} files is judged wrongly")
                failed += 1
    print(f"tidy_test: {failed} failed" if failed else f"tidy_test: {len(CASES)} cases pass")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
