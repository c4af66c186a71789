"""Just enough understanding of C++ text for the house rules: blanking of comments and literals, and function bodies."""
import re

_TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/'                                     # comments
    r'|R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"'  # raw strings
    r'|"(?:[^"\\\n]|\\.)*"'                                   # strings
    r"|(?<![0-9a-zA-Z_])'(?:[^'\\\n]|\\.)+'",                 # characters, but not 1'000
    re.DOTALL)
_NOT_A_FUNCTION = re.compile(r"\b(namespace|class|struct|enum|union|extern|if|for|while|switch|catch|do|else|try)\b")
_BODY_FOLLOWS = re.compile(
    r"\)\s*(const|noexcept|override|final|mutable|&|&&|\s)*(->\s*[\w:<>,&*\s]+)?$"   # parameters and what may follow
    r"|\)\s*(noexcept\s*)?:\s*[\w:<>]+\s*[({].*[)}]\s*$", re.DOTALL)                   # a constructor's initialisers
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.M)
_NAME = re.compile(r"([\w~:]+|operator\S+)\s*\(")


def blank(text: str) -> str:
    """The text with comments and the insides of literals replaced by spaces; line breaks and offsets stay."""
    return _TOKEN.sub(_spaces, text)


def _spaces(match: re.Match) -> str:
    return re.sub(r"[^\n]", " ", match.group())


def functions(text: str) -> list[tuple[str, int, int]]:
    """(name, first line, number of lines) of every function body that is not inside another function. 1-based."""
    code = _DIRECTIVE.sub(_spaces, blank(text))
    found, inside, depth, head_start = [], None, 0, 0
    for match in re.finditer(r"[{};]", code):
        at, mark = match.start(), match.group()
        if mark == "{":
            head = code[head_start:at].strip()
            if inside is None and _is_function(head):
                name = _NAME.search(head)
                start = at - len(code[head_start:at].lstrip())
                inside = (name.group(1) if name else "?", start, depth)
            depth += 1
            if not _in_initialisers(head):
                head_start = at + 1
        elif mark == "}":
            depth -= 1
            if inside is not None and depth == inside[2]:
                first = code.count("\n", 0, inside[1]) + 1
                found.append((inside[0], first, code.count("\n", 0, at) + 2 - first))
                inside = None
            if not _in_initialisers(code[head_start:at]):
                head_start = at + 1
        else:
            head_start = at + 1
    return found


def _is_function(head: str) -> bool:
    if not _BODY_FOLLOWS.search(head):
        return False
    before_parameters = head.split("(", 1)[0]
    assigns = "=" in before_parameters.replace("operator==", "").replace("operator=", "")
    return not assigns and not _NOT_A_FUNCTION.search(before_parameters)


def _in_initialisers(head: str) -> bool:
    """Whether a brace after this head belongs to a constructor's initialiser, as in `: a_{1}, b_{2} {`."""
    opened = re.search(r"\)\s*(noexcept\s*)?:(?!:).*[\w>]\s*$", head, re.DOTALL)
    return bool(opened) and not _NOT_A_FUNCTION.search(head)


def members(body: str) -> list[str]:
    """The names of the fields of a struct, from its body without comments: no functions, no nested types."""
    flat = re.sub(r"\{[^{}]*\}", "{}", re.sub(r"\{[^{}]*\}", "{}", body))
    names = []
    for statement in flat.split(";"):
        declared = statement.partition("=")[0].strip().removesuffix("{}").strip()
        name = re.search(r"[\w>&*]\s+(\w+)$", declared)
        is_type = re.match(r"(enum|struct|using|friend|static)\b", declared)
        if name and not is_type and "(" not in re.sub(r"<.*>", "", declared):
            names.append(name[1])
    return names


def comments(text: str) -> list[tuple[int, str]]:
    """(offset, text) of every comment."""
    return [(match.start(), match.group()) for match in _TOKEN.finditer(text) if match.group().startswith("/")]
