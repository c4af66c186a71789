"""The texts of the program that a user reads, as Markdown for Vale: help, messages, and strings of pages.

A text is a string literal, or several in a row, with at least MIN_WORDS words. NOT_FOR_USERS names the files whose
texts other readers get word for word: models, services, databases, sandboxes and the tools of other formats.
"""
import re
from dataclasses import dataclass

MIN_WORDS = 2
SOURCES = ("src/**/*.cc", "src/**/*.h", "src/view/pages/*.js")
NOT_FOR_USERS = re.compile(
    r"^src/(?:agent/(?:words|turn|tools)/|agent/tool_table|store/|checks/judge/(?:prompt|key_points|strings|fence)|"
    r"dialects/\w+/(?:write|summary)/|report/export/|io/sandbox_host/|text/(?:python|javascript|letters)/|"
    r"dialects/infibench/lint/lint_calls|checks/languages/)")
CPP = re.compile(r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<include>\#(?:include|define|pragma)[^\n]*)
  | (?P<raw>R"(?P<mark>\w*)\(.*?\)(?P=mark)")
  | "(?P<text>(?:[^"\\\n]|\\.)*)"
  | '(?:[^'\\\n]|\\.){1,4}'
  | \s+ | \w+ | .
""", re.X | re.S)
SCRIPT = re.compile(r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|(?P<tick>`)|
                        (?<=[(,=:?!&|>])\s*/(?![/*])(?:[^/\\\n]|\\.)+/|.""", re.X | re.S)
# Statements of SQL, documents of YAML, roff and shell: no prose.
NO_PROSE = re.compile(r"^\s*(?:(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|GRANT|REVOKE|PRAGMA)\s|"
                      r"\.SH|podFailurePolicy:|#!/)")
FIELD = re.compile(r"\S*/\S*\.\w+|\{[^{}]*\}|<[^<>\s][^<>]*>|&\w+;|--[a-z][\w-]*(?:=\w+)?|\w*_\w+|"
                   r"\b[a-z-]+\.[a-z][\w.-]*")


@dataclass(frozen=True)
class Text:
    line: int
    words: str


def unescaped(text):
    return re.sub(r"\\(.)", lambda escape: {"n": "\n", "t": " "}.get(escape[1], escape[1]), text)


def texts_of_cpp(source):
    """Each run of string literals."""
    line, begun, parts, found = 1, 0, [], []
    for token in CPP.finditer(source):
        if token["text"] is not None:
            begun = begun if parts else line
            parts.append(unescaped(token["text"]))
        elif parts and not token["comment"] and not token[0].isspace():
            found.append(Text(begun, "".join(parts)))
            parts = []
        line += token[0].count("\n")
    return found


def template_end(source, at):
    """The text of a template that begins at `at`, with its expressions as fields, and where it ends."""
    text, depth = "", 0
    while at < len(source):
        if depth == 0 and source[at] == "`":
            break
        if depth == 0 and source.startswith("${", at):
            text, depth, at = text + "{}", 1, at + 2
            continue
        if depth > 0 and source[at] == "`":
            at = template_end(source, at + 1)[1] + 1
            continue
        if depth > 0:
            depth += {"{": 1, "}": -1}.get(source[at], 0)
        elif source[at] == "\\":
            at += 1
        else:
            text += source[at]
        at += 1
    return text, at


def texts_of_script(source):
    """Each string, and each template with its expressions as fields."""
    found, at = [], 0
    while at < len(source):
        token = SCRIPT.match(source, at)
        line, at = source.count("\n", 0, at) + 1, token.end()
        if token["text"]:
            found.append(Text(line, unescaped(token["text"][1:-1])))
        elif token["tick"]:
            text, at = template_end(source, at)
            found.append(Text(line, text))
            at += 1
    return found


def is_prose(text):
    return len(re.findall(r"[A-Za-z]{2,}", text)) >= MIN_WORDS and not NO_PROSE.match(text)


def as_markdown(text):
    """One paragraph. Fields, options, names and paths become one word of code each; each line is a sentence."""
    text = FIELD.sub("`code`", text.replace("\n", ". "))
    text = re.sub(r"``|[*#|\[\]<>~]", " ", text)
    return re.sub(r"\s+", " ", text).strip(" -+=;,:.")


def documents(root):
    """For each source with texts: its path, a Markdown document, and the source's line for each of its lines."""
    for pattern in SOURCES:
        for path in sorted(root.glob(pattern)):
            name = str(path.relative_to(root))
            if path.stem.endswith("_test") or NOT_FOR_USERS.search(name):
                continue
            read = texts_of_script if path.suffix == ".js" else texts_of_cpp
            texts = [text for text in read(path.read_text(encoding="utf-8")) if is_prose(text.words)]
            if texts:
                lines = {2 * number + 1: text.line for number, text in enumerate(texts)}
                yield name, "\n\n".join(as_markdown(text.words) for text in texts) + "\n", lines
