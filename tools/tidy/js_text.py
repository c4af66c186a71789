"""Just enough understanding of JavaScript for the house rules: blanking of comments and literals, and functions."""
import re

_LITERAL = re.compile(
    r"//[^\n]*|/\*.*?\*/"                                       # comments
    r"|'(?:[^'\\\n]|\\.)*'" r'|"(?:[^"\\\n]|\\.)*"'              # strings
    r"|(?:(?<=[(,=:\[!&|?{};>+\n])|(?<=\breturn))[ ]*/(?![/*])"  # regular expressions
    r"(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/",
    re.DOTALL)
_TEMPLATE = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{|\Z)", re.DOTALL)   # up to its end, or to a value in it
_FUNCTION = re.compile(r"(?:export )?(?:async )?function\s*\*?\s*(\w+)")
_CLASS = re.compile(r"(?:export )?class (\w+)")
_VALUE = re.compile(r"(?:export )?(?:const|let) (\w+) =")
_METHOD = re.compile(r"(?:(?:static|async|get|set) )*\*?([\w#]+)\(")


def blank(text: str) -> str:
    """The text with comments and literals replaced by spaces; line breaks, offsets and values in templates stay."""
    out, at, depth, templates = [], 0, 0, []

    def skip(match: re.Match) -> int:
        out.append(re.sub(r"[^\n]", " ", match.group()))
        if match.group().endswith("${"):
            templates.append(depth)
        return match.end()

    while at < len(text):
        literal = _LITERAL.match(text, at)
        mark = text[at]
        if literal:
            at = skip(literal)
        elif mark == "`" or (mark == "}" and templates and templates[-1] == depth):
            if mark == "}":
                templates.pop()
            out.append(" ")
            at = skip(_TEMPLATE.match(text, at + 1))
        else:
            depth += {"{": 1, "}": -1}.get(mark, 0)
            out.append(mark)
            at += 1
    return "".join(out)


def functions(text: str) -> list[tuple[str, int, int]]:
    """(name, first line, number of lines) of every function and method that is not inside another. 1-based."""
    code = blank(text)
    found = []
    for first, last in _statements(code, 0, len(code)):
        statement = code[first:last]
        value = _VALUE.match(statement)
        if _CLASS.match(statement):
            body = first + statement.find("{") + 1
            found += [(match[1], begin, end) for begin, end in _statements(code, body, last - 1)
                      if (match := _METHOD.match(code[begin:end]))]
        elif match := _FUNCTION.match(statement) or (value and "=>" in _outermost(statement) and value):
            found.append((match[1], first, last))
    return [(name, code.count("\n", 0, first) + 1, code.count("\n", first, last) + 1) for name, first, last in found]


def _statements(code: str, first: int, last: int) -> list[tuple[int, int]]:
    """The statements between two offsets that are inside no other: each up to its `;`, or to the `}` of its body."""
    found, begin, depth = [], first, 0
    for match in re.finditer(r"[(\[{)\]};]", code[first:last]):
        mark, end = match.group(), first + match.end()
        depth += 1 if mark in "([{" else 0 if mark == ";" else -1
        head = code[begin:end].lstrip()
        if depth == 0 and (mark == ";" or (mark == "}" and not _VALUE.match(head) and "=" not in _outermost(head))):
            found.append((end - len(head), end))
            begin = end
    return found


def _outermost(statement: str) -> str:
    """A statement without what stands in brackets."""
    shown, depth = [], 0
    for mark in statement:
        depth -= mark in ")]}"
        if depth == 0:
            shown.append(mark)
        depth += mark in "([{"
    return "".join(shown)
