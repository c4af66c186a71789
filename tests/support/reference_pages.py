"""The pages of docs/reference, made from the program's own tables: what it prints about options, checks, providers,
exporters and schemas, and the members of its JSON."""
import json
import re

MADE = "<!-- made by tests/e2e/reference_pages_are_true.py --update -->"
SECTIONS = {"document": "The header of a blueprint", "prompt": "A prompt", "point": "A criterion",
            "message": "A message", "judge": "A judge"}
NAME = re.compile(r"(?<![\w`])(--?[a-z][\w-]*(?:=[A-Z]+)?|\$\w+|[A-Z]+(?:_[A-Z]+)+|\w+_\w+|"
                  r"\w+\.(?:yml|json|toml))(?![\w`])")
OPTION = re.compile(r"^  (?P<short>-\w, |    )(?P<name>--[\w-]+)(?P<value>\S* ?[A-Z|%=,\[\]]*) {2,}(?P<help>\S.*)$")


def cell(text):
    """A text as a cell of a table: what looks like a name is code."""
    text = NAME.sub(r"`\1`", text)
    return text.replace("|", "\\|").replace("<", "&lt;")


def code(text):
    return "`" + text.replace("|", "\\|") + "`" if text else ""


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def page(title, intro, *parts):
    return f"# {title}\n\n{MADE}\n{intro}\n\n" + "\n".join(parts)


def rows_of(ask, what):
    return json.loads(ask("list", what, "--json"))


def named_row(row):
    return code(row["name"]), cell(row["help"]), code(row["example"])


def options(ask):
    commands = re.findall(r"(?m)^  assay ([a-z-]+)", ask("--help"))
    found, groups = {}, {}
    for command in dict.fromkeys(commands):
        group = ""
        for line in ask(command, "--help", "all").split("\n"):
            option = OPTION.match(line)
            if option:
                key = (option["name"], option["value"].strip(), option["help"], option["short"].strip(" ,"))
                found.setdefault(key, []).append(command)
                groups.setdefault(key, group)
            elif re.match(r"[A-Z]", line):
                group = line
    parts = []
    for group in dict.fromkeys(groups.values()):
        rows = []
        for key, of in sorted(found.items()):
            name, value, help_text, short = key
            if groups[key] == group:
                gap = "" if value.startswith("[") or not value else " "
                names = code(f"{name}{gap}{value}") + (f", {code(short)}" if short else "")
                rows.append((names, cell(help_text), ", ".join(of)))
        parts.append(f"## {group}\n\n" + table(["option", "meaning", "commands"], rows))
    return page("Options", "Every option of every command. A number in parentheses is the default. Each option is also "
                "an environment variable: `--max-retries` is\n`ASSAY_MAX_RETRIES`. An option takes precedence over the "
                "variable, and the variable over `assay.toml` ([settings](../cli.md#environment)).", *parts)


def checks(ask):
    rows = rows_of(ask, "checks")
    own = [row for row in rows if "dialect" not in row]
    parts = ["## In blueprints\n\n" + table(["check", "what it does", "example"], list(map(named_row, own)))]
    for dialect in dict.fromkeys(row["dialect"] for row in rows if "dialect" in row):
        of = [row for row in rows if row.get("dialect") == dialect]
        parts.append(f"## In {dialect} files\n\n" + table(["check", "what it does", "example"],
                                                          list(map(named_row, of))))
    languages = list(map(named_row, rows_of(ask, "languages")))
    parts.append("## Languages of unit tests\n\n" + table(["language", "runtime", "names in files"], languages))
    steps = list(map(named_row, rows_of(ask, "extractions")))
    place = "[datasets.md](../datasets.md#the-part-of-an-answer-that-counts)"
    parts.append(f"## The part of an answer that counts\n\n{place} explains these steps.\n\n"
                 + table(["step", "what it finds", "example"], steps))
    rules = [(code(row["name"]), cell(row["help"])) for row in rows_of(ask, "aggregations")]
    parts.append("## How checks become a score\n\n" + table(["rule", "the score of an answer"], rules))
    return page("Checks", "Every check, as `assay list checks` prints it. "
                "[Write a blueprint](../blueprint.md#criteria) explains criteria, weights and alternatives.", *parts)


def providers(ask):
    rows = []
    for row in rows_of(ask, "providers"):
        keys = " or ".join(map(code, row.get("key_variables") or [])) or "none"
        if keys != "none" and not row.get("key_required", True):
            keys += ", optional"
        address = code(row.get("base_url") or "") or ("`--base-url`" if row.get("base_url_variable") else "")
        rows.append((code(row["name"]), cell(row["help"]), keys, address, code(row.get("base_url_variable") or ""),
                     code(row["example"])))
    return page("Providers", "Every provider, as `assay list providers` prints it. [Providers in "
                "detail](../providers.md) explains models, keys and addresses.",
                table(["provider", "what it does", "key", "address", "other address", "example"], rows))


def exporters(ask):
    out = list(map(named_row, rows_of(ask, "exporters")))
    into = [(code(row["name"]), cell(row["help"])) for row in rows_of(ask, "importers")]
    return page("Exporters and importers",
                "Formats that assay writes and reads. [Exports](../exports.md) explains what each contains.",
                "## Exporters\n\n" + table(["format", "content", "example"], out),
                "## Importers\n\n`assay show FILE`, `assay compare` and `assay grade` recognize these files by their "
                "content.\n\n" + table(["file", "content"], into))


def json_forms(ask, members):
    """`members`: the lines of tests/golden/json_members.txt."""
    by_command = {}
    for line in members:
        path, kind = line.rsplit(": ", 1)
        name, dot, member = re.match(r"([a-z -]+)((?:\[\])*\.?)(.*)", path).groups()
        if member:
            by_command.setdefault(name.strip(), []).append((code(member), kind))
    parts = [f"## assay {command} --json\n\n" + table(["field", "type"], rows)
             for command, rows in sorted(by_command.items())]
    return page("JSON forms", "Every field of the JSON output, by command. A field in a list has `[]` before its dot, "
                "and `*` stands for any name.\n[Commands](../cli.md#json) explains the fields. New versions only add "
                "fields ([compatibility](../compatibility.md)).", *parts)


SAME = re.compile(r"^The same as (\S+)\.(?: Since \S+)?$")
TYPES = {"string": "text", "number": "number", "integer": "whole number", "boolean": "true or false", "null": "null",
         "array": "list", "object": "mapping"}


def values_of(schema, node):
    """What a value may be, in words: ["text", "list of texts"]."""
    if "$ref" in node:
        return values_of(schema, schema["$defs"][name_of(node)])
    words = [word for form in node.get("anyOf", []) for word in values_of(schema, form)]
    names = [code(each) for each in node.get("enum", []) if isinstance(each, str) and each]
    words += [", ".join(names)] if names else []
    words += ["true or false"] if node.get("examples") == [True, False] else []
    kinds = node.get("type", [])
    for kind in [kinds] if isinstance(kinds, str) else kinds:
        inner = set(values_of(schema, node["items"])) if kind == "array" and "items" in node else set()
        word = "list of texts" if inner == {"text"} else "list of numbers" if inner == {"number"} else TYPES[kind]
        if kind in ("number", "integer") and "minimum" in node:
            most = f" to {node['maximum']:,}" if "maximum" in node else " on"
            word += f" from {node['minimum']:,}{most}"
        words.append(word)
    return list(dict.fromkeys(words))


def name_of(node):
    """The definition that a node refers to, or None."""
    return node["$ref"].rsplit("/", 1)[-1] if isinstance(node, dict) and "$ref" in node else None


def keys_of(schema, node, path, seen):
    """(path, other names, values, description) of each named member below a node of a schema; a definition is told
    once, and so are all alternatives of one list."""
    if isinstance(node, list):
        told = {name_of(each) for each in node} - {None}
        for each in node:
            if name_of(each):
                if name_of(each) not in seen:
                    yield from keys_of(schema, schema["$defs"][name_of(each)], path, {*seen, *told})
            else:
                yield from keys_of(schema, each, path, seen)
        return
    if not isinstance(node, dict):
        return
    if name_of(node):
        yield from keys_of(schema, [node], path, seen)
        return
    members = {name: member for name, member in node.get("properties", {}).items()
               if isinstance(member, dict) and not name.startswith("$")}
    same = {name: SAME.match(member.get("description", "")) for name, member in members.items()}
    for name, member in members.items():
        if not same[name]:
            others = [other for other, of in same.items() if of and of[1] == name]
            yield f"{path}{name}", others, values_of(schema, member), member.get("description", "")
            yield from keys_of(schema, member, f"{path}{name}.", seen)
    for keyword in ("anyOf", "oneOf", "allOf", "items", "additionalProperties"):
        if keyword in node:
            below = f"{path}*." if keyword == "additionalProperties" else path
            yield from keys_of(schema, node[keyword], below, seen)


def described(schema, node, elsewhere=()):
    """The rows of one place: its own keys, and those within them; not those of places with a table of their own."""
    rows, told = [], set()
    for path, others, values, text in keys_of(schema, node, "", set(elsewhere)):
        if path not in told:
            told.add(path)
            rows.append((code(path), ", ".join(map(code, others)), " or ".join(values) or "any", cell(text)))
    return rows


def key_table(rows):
    return table(["key", "also", "value", "meaning"], rows)


def keys(ask):
    blueprint, fixtures, suite, dataset, matrix, registry, exported, task = (
        json.loads(ask("schema", name)) for name in ("blueprint", "fixtures", "infibench", "research", "matrix",
                                                     "openai-evals", "openai-hosted", "lm-eval"))
    rows = {name: described(blueprint, blueprint["$defs"][name], SECTIONS) for name in SECTIONS}
    # A document is a header or a prompt alone: what a prompt says too, stands there.
    rows["document"] = [row for row in rows["document"] if row not in rows["prompt"]]
    parts = [f"## {title}\n\n" + key_table(rows[name]) for name, title in SECTIONS.items()]
    parts += [f"## {title}\n\n" + key_table(described(schema, schema))
              for title, schema in (("Fixtures of a blueprint", fixtures), ("InfiBench: a suite and a case", suite),
                                    ("Research: a dataset", dataset), ("Research: a matrix", matrix),
                                    ("OpenAI Evals: entries of the registry, by their names", registry),
                                    ("OpenAI's hosted evals: an export", exported),
                                    ("lm-evaluation-harness: a task", task))]
    return page("Keys of the formats",
                "Every key of the formats. `assay schema blueprint`, `fixtures`, `infibench`, `research`, `matrix`, "
                "`openai-evals`, `openai-hosted` and `lm-eval` print the same as JSON Schemas, for "
                "[editors](../editors.md).\n[Write a blueprint](../blueprint.md), "
                "[Write InfiBench cases](../authoring-infibench.md) and [Evaluate an agent](../research.md) explain "
                "the keys.", *parts)


def pages(ask, members):
    """The text of each page by its name; `ask` runs the program and returns what it prints."""
    made = {"options": options(ask), "checks": checks(ask), "providers": providers(ask), "exporters": exporters(ask),
            "json": json_forms(ask, members), "keys": keys(ask)}
    return {f"docs/reference/{name}.md": text.rstrip("\n") + "\n" for name, text in made.items()}
