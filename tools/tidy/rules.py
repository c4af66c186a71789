"""The house rules that a program can check. Each rule is a function of the tree; it yields Offences."""
import os
import re
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

import cpp_text
import js_text
from forbidden import FORBIDDEN

CODE_COLUMNS_MAX, SCRIPT_COLUMNS_MAX = 110, 120
FUNCTION_LINES_MAX = 70
HEADER_LINES_MAX, SOURCE_LINES_MAX, TEST_LINES_MAX = 300, 800, 1000
CHANGE_WORDS_MAX = 25
ROOM_FILES_MAX = 25
SKIPPED_FOLDERS = {".git", ".cache", ".assay", "build", "results", "__pycache__", "node_modules"}
FOREIGN = ("tests/layers/src/", "tests/data/", "tests/fuzz/corpus/")   # fixtures: not written by our rules
CODE = {".cc", ".h"}
SCRIPTS = {".py", ".sh", ".cmake", ".js", ".css"}

# A file of C++ that a comment or a document names, and a document or tool named by its path from the root.
NAMED_FILE = re.compile(r"(?<![\w./<{*-])((?:[\w.-]+/)*[a-zA-Z0-9][\w-]*\.(?:h|cc)"
                        r"|(?:docs|tools|scripts)/[\w./-]+\.(?:md|py|sh))\b(?![\w/])")
ANY_NAME = re.compile(r"(foo|NAME|acme|lua)(_\w+)?")   # what documents write in the place of a name of one's own

# A link of a document to a file or a heading of this checkout.
LINK = re.compile(r"\]\((?![a-z]+:)([^)\s#]*)(?:#([^)\s]+))?\)")
FENCED = re.compile(r"(?ms)^ *```.*?^ *```$|`[^`\n]+`")

# A member of a Value that is looked up, under a name or at once, and what takes it for one kind.
LOOKED_UP = re.compile(r"\bconst\s+(?:Value|auto)\s*\*\s*(?:const\s+)?(\w+)\b")
READ_AT_ONCE = re.compile(r"\bFind\s*\([^()]*\)\s*->\s*(?:As\w+|is_\w+|kind|span|Truthy)\b")

# Libraries that the program may link, by the name that ldd prints (licence). None of them is GPL.
LINKABLE = {
    "linux-vdso.so": "kernel", "ld-linux-x86-64.so": "LGPL", "ld-linux-aarch64.so": "LGPL", "libc.so": "LGPL",
    "libm.so": "LGPL", "libstdc++.so": "runtime exception", "libgcc_s.so": "runtime exception",
    "libasan.so": "MIT or NCSA", "libubsan.so": "MIT or NCSA", "libtsan.so": "MIT or NCSA",
    "libyaml-0.so": "MIT", "libsqlite3.so": "public domain", "libz.so": "zlib",
    "libmd4c.so": "MIT",
    "libzstd.so": "BSD-3-Clause", "libpcre2-8.so": "BSD-3-Clause", "libicuuc.so": "Unicode", "libicui18n.so": "Unicode",
    "libicudata.so": "Unicode", "libuv.so": "MIT", "libseccomp.so": "LGPL-2.1",
    "libcurl.so": "curl", "libfmt.so": "MIT",
}


@dataclass(frozen=True)
class Offence:
    rule: str
    path: str           # relative to the root
    line: int           # 1-based; 0: the file as a whole
    text: str
    name: str = ""      # of the function, for function-length
    size: int = 0       # of what is too long


class Tree:
    """The files of a checkout, read once. Needs no git, so that it also works in an unpacked archive."""

    def __init__(self, root: Path):
        self.root = root
        self.texts: dict[str, str] = {}
        self.binaries: set[str] = set()
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(f for f in folders if f not in SKIPPED_FOLDERS)
            for file in sorted(files):
                path = Path(folder, file)
                shown = path.relative_to(root).as_posix()
                if shown == ".git" or path.is_symlink():
                    continue
                try:
                    self.texts[shown] = path.read_text(encoding="utf-8")
                except UnicodeDecodeError:
                    self.binaries.add(shown)

    def code(self, suffixes: set[str] = frozenset(CODE)) -> Iterator[tuple[str, str]]:
        for path, text in self.texts.items():
            if Path(path).suffix in suffixes and not path.startswith(FOREIGN):
                yield path, text


def file_sizes(tree: Tree) -> Iterator[Offence]:
    for path, text in tree.code():
        limit = TEST_LINES_MAX if is_test(path) else HEADER_LINES_MAX if path.endswith(".h") else SOURCE_LINES_MAX
        count = text.count("\n")
        if count > limit:
            yield Offence("file-length", path, 0, f"{count} lines, the limit is {limit}: split it by noun", size=count)


def room_sizes(tree: Tree) -> Iterator[Offence]:
    rooms = Counter(Path(path).parent.as_posix() for path, _ in tree.code() if path.startswith("src/"))
    for room, count in rooms.items():
        if count > ROOM_FILES_MAX:
            text = f"{count} files, the limit of a room is {ROOM_FILES_MAX}: make rooms in it"
            yield Offence("room-size", room, 0, text, size=count)


def function_sizes(tree: Tree) -> Iterator[Offence]:
    """Of C++, and of the viewer's pages: top-level functions and methods."""
    pages = ((path, text) for path, text in tree.code({".js"}) if path.startswith("src/view/pages/"))
    for path, text in [*tree.code(), *pages]:
        reader = js_text if path.endswith(".js") else cpp_text
        for name, first, count in reader.functions(text):
            if count > FUNCTION_LINES_MAX:
                text = f"{name} has {count} lines, the limit is {FUNCTION_LINES_MAX}"
                yield Offence("function-length", path, first, text, name, count)


def line_widths(tree: Tree) -> Iterator[Offence]:
    for path, text in tree.code(CODE | SCRIPTS):
        limit = CODE_COLUMNS_MAX if Path(path).suffix in CODE else SCRIPT_COLUMNS_MAX
        for number, line in enumerate(text.split("\n"), 1):
            if len(line) > limit:
                yield Offence("line-width", path, number, f"{len(line)} columns, the limit is {limit}", size=len(line))


def first_lines(tree: Tree) -> Iterator[Offence]:
    for path, text in tree.code(CODE | SCRIPTS):
        lines = [line for line in text.split("\n", 3) if not line.startswith("#!")]
        comment = lines and lines[0].startswith(("//", "/*", "#", '"""'))
        if not comment or lines[0].startswith(("#pragma", "#include")):
            yield Offence("first-line", path, 1, "the first line must be a comment that says what the file is")
        if path.endswith(".h") and not re.search(r"^#(pragma once|ifndef [A-Z_]+_H)$", text, re.M):
            yield Offence("first-line", path, 1, "a header needs #pragma once after its comment")


def forbidden(tree: Tree) -> Iterator[Offence]:
    for path, text in tree.texts.items():
        if path.startswith(("tools/tidy/", *FOREIGN)):
            continue
        is_code = Path(path).suffix in CODE
        blanked = cpp_text.blank(text) if is_code else text
        for row in FORBIDDEN:
            if not row.where.search(path) or not (is_code or row.in_comments):
                continue
            for match in row.pattern.finditer(text if row.in_comments else blanked):
                line = text.count("\n", 0, match.start()) + 1
                yield Offence(row.rule, path, line, f"`{match.group().strip()}`: {row.remedy}")


def unreferenced(tree: Tree) -> Iterator[Offence]:
    """Headers that nothing includes, and scripts, documents and data files that no other file names."""
    includes: dict[str, set[str]] = {}
    for path, text in tree.code():
        for header in re.findall(r'^\s*#\s*include\s*[<"]([^">]+)[">]', text, re.M):
            includes.setdefault(header, set()).add(path)
    for path, _ in tree.code({".h"}):
        own = {path, path[:-2] + ".cc"}
        names = (path, path.removeprefix("src/"), path.removeprefix("third_party/quickjs/"))
        if not set().union(*(includes.get(name, set()) for name in names)) - own:
            yield Offence("unreferenced", path, 0, "nothing includes this header")
    for path in [*tree.texts, *tree.binaries]:
        if not re.match(r"(scripts|cmake|tools|docs|tests/data)/", path) or path.startswith("docs/decisions/"):
            continue
        wanted = {path, Path(path).name}
        if path.startswith("docs/formats/"):
            wanted.add("docs/formats/")
        if Path(path).suffix in {".cmake", ".py"}:
            wanted.add(Path(path).stem)
        if path.startswith("tests/data/"):
            wanted.add(Path(path).parent.relative_to("tests").as_posix())
        if not any(any(w in text for w in wanted) for other, text in tree.texts.items() if other != path):
            yield Offence("unreferenced", path, 0, "no other file names this one")


def named_files(tree: Tree) -> Iterator[Offence]:
    """Files that comments of C++ and documents name and that are not there: they were moved, or have another name."""
    known: set[str] = set()   # each path with all of its endings
    for path in [*tree.texts, *tree.binaries]:
        parts = path.split("/")
        known.update("/".join(parts[first:]) for first in range(len(parts)))
    for path, text in tree.texts.items():
        is_code = Path(path).suffix in CODE and path.startswith(("src/", "tests/", "bench/"))
        is_document = path.endswith(".md") and path != "CHANGELOG.md"
        if path.startswith(FOREIGN) or not (is_code or is_document):
            continue
        for start, words in cpp_text.comments(text) if is_code else [(0, text)]:
            for match in NAMED_FILE.finditer(words):
                name = match[1].removeprefix("../")
                if name not in known and not ANY_NAME.fullmatch(Path(name).stem):
                    line = text.count("\n", 0, start + match.start()) + 1
                    yield Offence("named-file", path, line, f"`{name}` is no file of this checkout: name it as it is")


def _anchors(text: str) -> set[str]:
    """The names that pages of Git hosts and mkdocs give to the headings of a document."""
    headings = re.findall(r"(?m)^#+ (.+)$", re.sub(r"(?ms)^ *```.*?^ *```$", "", text))
    plain = (re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading).strip().lower() for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


def links(tree: Tree) -> Iterator[Offence]:
    """Links of documents that lead to no file, or to no heading of it."""
    known = set(tree.texts) | tree.binaries
    for path, text in tree.texts.items():
        if not path.endswith(".md") or path.startswith(FOREIGN):
            continue
        prose = FENCED.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text)
        for match in LINK.finditer(prose):
            target = os.path.normpath(os.path.join(os.path.dirname(path), match[1])) if match[1] else path
            line = text.count("\n", 0, match.start()) + 1
            if target not in known and not any(name.startswith(target + "/") for name in known):
                yield Offence("link", path, line, f"`{match[1]}` is no file of this checkout")
            elif match[2] and target in tree.texts and match[2] not in _anchors(tree.texts[target]):
                yield Offence("link", path, line, f"`{target}` has no heading `#{match[2]}`")


def changelog(tree: Tree) -> Iterator[Offence]:
    for number, line in enumerate(tree.texts.get("CHANGELOG.md", "").split("\n"), 1):
        if line.startswith("- ") and len(line.split()) - 1 > CHANGE_WORDS_MAX:
            text = f"{len(line.split()) - 1} words, the limit is {CHANGE_WORDS_MAX}"
            yield Offence("changelog", "CHANGELOG.md", number, text)


def decisions(tree: Tree) -> Iterator[Offence]:
    for path, text in tree.texts.items():
        if path.startswith("docs/decisions/") and text.count("\n") > 60:
            yield Offence("decision-length", path, 0, "a decision record has at most 60 lines")


def stored_fields(tree: Tree) -> Iterator[Offence]:
    """Each field of a struct with a list (FieldsOf<Struct>) stands in that list, or in its `left_out`."""
    for path, lists in tree.code():
        if "struct FieldsOf<" not in lists:
            continue
        structs: dict[str, tuple[str, str]] = {}   # name -> base, body
        headers = [f"src/{name}" for name in re.findall(r'#include "(spec/[\w/]+\.h)"', lists)]
        for text in [tree.texts.get(name, "") for name in [path, *headers, "src/spec/suite/model_ref.h"]]:
            pattern = r"^struct (\w+)(?: : (\w+))? \{\n(.*?)^\};"
            for match in re.finditer(pattern, cpp_text.blank(text), re.M | re.S):
                structs[match[1]] = (match[2] or "", match[3])
        for match in re.finditer(r"^struct FieldsOf<(\w+)> \{\n(.*?)^\};", lists, re.M | re.S):
            listed = {*re.findall(r"&\w+::(\w+)", match[2]),
                      *re.findall(r'"(\w+)"', match[2].partition("left_out")[2])}
            name = match[1]
            while name in structs:
                base, body = structs[name]
                for member in cpp_text.members(body):
                    if member not in listed:
                        text = f"{match[1]}::{member} is in no list: add it, or say in left_out why not"
                        yield Offence("stored-field", path, 0, text)
                name = base


def looked_up_members(tree: Tree) -> Iterator[Offence]:
    """Members of a Value are read by their kind: nothing outside text/ looks one up and converts it.

    The blueprint dialect reads its files by JavaScript's rules, with look-ups of its own (js_values.h)."""
    for path, text in tree.code():
        if not path.startswith("src/") or path.startswith(("src/text/", "src/dialects/blueprint/")) or is_test(path):
            continue
        lines = cpp_text.blank(text).split("\n")
        for name, first, count in cpp_text.functions(text):
            body = "\n".join(lines[first - 1:first - 1 + count])
            found = [match.start() for match in READ_AT_ONCE.finditer(body)]
            for variable in set(LOOKED_UP.findall(body)):
                sought = re.search(rf"\b{variable}\s*=[^=;{{}}]*\bFind\s*\(", body)
                converted = sought and re.compile(rf"\b{variable}->As(String|Number|Bool|Int|List|Map)\(").search(
                    body, sought.end())
                found += [converted.start()] if converted else []
            for at in found:
                text = "a member is looked up and converted: TextAt, NumberAt and the like, or text/found.h, do both"
                yield Offence("looked-up", path, first + body.count("\n", 0, at), text, name, len(found))


def linked_libraries(program: str) -> Iterator[Offence]:
    """What the built program links must be on the list above."""
    output = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    for line in output.splitlines():
        name = Path(line.split()[0]).name
        known = re.sub(r"(-?[\d.]+)?\.so.*$", ".so", name)
        if name.split(".so")[0] + ".so" not in LINKABLE and known not in LINKABLE:
            text = f"the program links {name}, which LINKABLE does not list with its licence"
            yield Offence("link-licence", "tools/tidy/rules.py", 0, text)


def is_test(path: str) -> bool:
    return path.endswith("_test.cc") or path.startswith(("tests/", "bench/"))


RULES = [file_sizes, room_sizes, function_sizes, line_widths, first_lines, forbidden, unreferenced, named_files,
         links, changelog, decisions, stored_fields, looked_up_members]
