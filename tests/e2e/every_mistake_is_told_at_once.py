#!/usr/bin/env python3
"""Every mistake of a blueprint is told in one pass: of two to six faults in one file all are told, each at its line,
and what is told after mending one is what was told before without it. Faults come from a table that has every code."""
import json
import random
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

FILES = 60
PROMPTS = 4
# slot of the header -> what stands there in a good file
HEADER = {"models": "models: [echo:a]", "title": "title: A title", "description": "description: Words",
          "temperature": "temperature: 0.5", "concurrency": "concurrency: 2", "tags": "tags: [one]",
          "author": "author: Ann", "references": "references: [A book]", "render_as": "render_as: plaintext",
          "max_tokens": "max_tokens: 50", "effort": "# no effort", "parameters": "# no parameters",
          "tools": "# no tools", "toolUse": "# no tools are used", "services": "# no services",
          "format": "# no format", "more": "# nothing more", "system": "# no system prompt",
          "evaluation": "# the usual judges", "definitions": "# no definitions", "id": "id: good",
          "pass": "pass: 0.8", "pass_at_k": "pass_at_k: [1, 2]"}
PROMPT = {"id": "id: p{n}", "prompt": "prompt: Say hello to {n}.", "weight": "weight: 2", "system": "# no system",
          "ideal": "# no ideal", "citation": "# no citation", "temperature": "# no temperature", "tools": "# no tools",
          "cluster": "cluster: c", "group": "group: g", "flaky": "flaky: true", "format": "# no format",
          "render_as": "# markdown",
          "should": "should: [hello, greets]", "should_not": "should_not: [$contains: bye]"}
POINT = "should: [{}]"
# (code, slot, line); several codes where one line has several problems
FAULTS_OF_HEADER = [
    ("blueprint.models", "models", "models: 5"), ("blueprint.models", "models", "models: []"),
    ("blueprint.models", "models", "models: [echo:a, 5]"), ("blueprint.models", "models", "models: [7]"),
    ("blueprint.models", "models", "models:"), ("blueprint.unknown-key", "models", "modles: [echo:a]"),
    ("blueprint.custom-model", "models", "models: [{{id: x, url: y, label: z}}]"),
    ("blueprint.model-options", "models", "models: [{{model: echo:a, effort: hgih}}]"),
    ("blueprint.model-options", "models", "models: [{{model: echo:a, fallback: 5}}]"),
    ("blueprint.model-name", "models", 'models: ["echo: a"]'),
    ("blueprint.consumer-model", "models", "models: [echo:a, consumer:me]"),
    ("blueprint.collection", "models", "models: [echo:a, NOSUCH]"), ("run.no-provider", "models", "models: [nosuch:a]"),
    ("blueprint.title", "title", "title: [a]"), ("blueprint.description", "description", "description: [a]"),
    ("blueprint.temperature", "temperature", "temperature: warm"),
    ("blueprint.temperature", "temperature", "temperatures: [0, warm]"),
    ("blueprint.concurrency", "concurrency", "concurrency: many"), ("blueprint.tags", "tags", "tags: 5"),
    ("blueprint.tag", "tags", "tags: [Müll]"),
    ("blueprint.author", "author", "author: 7"), ("blueprint.references", "references", "references: [7]"),
    ("blueprint.render-as", "render_as", "render_as: pdf"),
    ("blueprint.model-options", "max_tokens", "max_tokens: many"),
    ("blueprint.model-options", "effort", "effort: hgih"),
    ("blueprint.parameters", "parameters", "parameters: {{messages: []}}"),
    ("blueprint.tools", "tools", "tools: 5"), ("blueprint.tool-use", "toolUse", "toolUse: {{mode: x}}"),
    ("blueprint.services", "services", "externalServices: {{s: {{url: nowhere}}}}"),
    ("blueprint.response-format", "format", "response_format: 5"), ("blueprint.unknown-key", "more", "colour: red"),
    ("blueprint.lost-prompt-key", "more", "weight: 2"), ("blueprint.system", "system", "system: 5"),
    ("blueprint.system", "system", "systems: 5"), ("blueprint.id", "id", "id: [a]"),
    ("blueprint.judges", "evaluation", "evaluationConfig: {{llm-coverage: {{judges: 5}}}}"),
    ("blueprint.judges", "evaluation", "evaluationConfig: {{llm-coverage: {{judges: [{{id: a}}]}}}}"),
    ("blueprint.judge-models", "evaluation", "evaluationConfig: {{llm-coverage: {{judgeModels: [echo:a]}}}}"),
    ("blueprint.no-effect", "evaluation", "evaluationConfig: {{llm-coverage: {{judgeMode: failover}}}}"),
    ("blueprint.address", "services", "externalServices: {{s: {{url: 'ftp://host/x'}}}}"),
    ("blueprint.pass", "pass", "pass: most"), ("blueprint.pass", "pass", "pass: 2"),
    ("blueprint.pass-at-k", "pass_at_k", "pass_at_k: 2"), ("blueprint.pass-at-k", "pass_at_k", "pass_at_k: [0, 2]"),
    ("yaml.duplicate-key", "more", "description: Again"),
]
FAULTS_OF_PROMPT = [
    ("blueprint.prompt-id", "id", "id: [a]"), ("blueprint.messages", "prompt", "prompt: [a, b]"),
    ("blueprint.messages", "prompt", "prompt: 42"), ("blueprint.messages", "prompt", "prompt: ''"),
    ("blueprint.messages", "prompt", "messages: 5"), ("blueprint.messages", "prompt", "messages: [{{usr: a}}]"),
    ("blueprint.messages", "prompt", "messages: [{{user: a}}, {{assistant: b}}]"),
    ("blueprint.messages", "prompt", "messages: [{{user: a}}, {{user: b}}]"),
    ("blueprint.messages", "prompt", "messages: [{{user: [a]}}]"),
    ("blueprint.media", "prompt", "messages: [{{user: a, image: 5}}]"),
    ("blueprint.unknown-key", "prompt", "promt: hello"), ("blueprint.unknown-key", "ideal", "colour: red"),
    ("blueprint.lost-header-key", "ideal", "title: A title"), ("blueprint.weight", "weight", "weight: '3'"),
    ("blueprint.weight", "weight", "weight: 50"), ("blueprint.two-names", "ideal", "importance: 3"),
    ("blueprint.system", "system", "system: [a]"), ("blueprint.citation", "citation", "citation: 5"),
    ("blueprint.temperature", "temperature", "temperature: warm"),
    ("blueprint.tools", "tools", "requiredTools: 5"), ("blueprint.tools", "tools", "maxCalls: '1'"),
    ("blueprint.cluster", "cluster", "cluster: 5"),
    ("blueprint.group", "group", "group: 5"), ("blueprint.flaky", "flaky", "flaky: often"),
    ("blueprint.response-format", "format", "response_format: 5"),
    ("blueprint.render-as", "render_as", "render_as: pdf"),
    ("blueprint.rubric-not-list", "should", "should: hello"),
    ("blueprint.rubric-not-list", "should_not", "should_not: {{a: b, c: d}}"),
    *((code, "should", POINT.format(point)) for code, point in (
        ("check.unknown", "$contians: a"), ("check.unknown", "{{fn: similar, arg: x}}"),
        ("check.broken", "$word_count_between: 50"), ("check.broken", "'hello', $matches: '('"),
        ("check.broken", "$contains_all_of: 5"), ("blueprint.point", "7"), ("blueprint.point", "{{text: a, fn: js}}"),
        ("blueprint.point", "hello, {{fn: 5}}"), ("blueprint.point", "[[hello, [7]]]"),
        ("blueprint.point-weight", "{{$contains: a, weight: '3'}}"),
        ("blueprint.point-name", "{{$contains: a, name: [strict]}}"),
        ("blueprint.point-weight", "{{text: a, weight: 99}}"), ("blueprint.ref", "$ref: nothing"),
        ("blueprint.dollar-text", "'$100 and more'"), ("blueprint.quoted-function", '"$contains: a"'),
        ("blueprint.path-text", "[$is_json, b]"), ("blueprint.odd-citation", "{{contains: x}}"),
        ("blueprint.empty-point", "{{text: ''}}"), ("blueprint.cut-criterion", "'the colon': cuts it here"),
        ("blueprint.unknown-key", "{{$contains: a, wieght: 2}}"), ("blueprint.never-holds", '{{$contains: "a\\bX"}}'),
        ("blueprint.never-holds", "{{$matches: '/x/i'}}"), ("blueprint.never-holds", "{{$matches: '\\Ax'}}"),
        ("blueprint.always-holds", "{{$contains: ''}}"), ("blueprint.odd-argument", "{{$contains: 'a.*b'}}"),
        ("blueprint.typographic-quotes", "{{$contains: “a”}}"))),
    ("template.no-dataset", "prompt", "prompt: 'Say {{{{word}}}}'"),
    ("blueprint.placeholder", "prompt", "prompt: file://words.txt"),
    ("blueprint.typographic-quotes", "prompt", "prompt: “Say hello”"), ("blueprint.tags", "ideal", "tags: 5"),
    ("blueprint.cut-text", "ideal", "ideal: Mentions issue #12"), ("blueprint.unknown-key", "should", "must: [hello]"),
]
# Codes of the page of errors that no line of a blueprint can have beside others, and why.
ALONE = {
    "blueprint.prompts": "the prompts are lost", "blueprint.swallowed-item": "of two lines",
        "blueprint.document": "there is nothing else in the file",
    "blueprint.empty": "there is nothing else in the file", "blueprint.no-prompts": "there is no prompt",
    "blueprint.no-points": "of a prompt without any point", "blueprint.prompt": "an entry that is no mapping",
    "blueprint.prompt-and-messages": "of two lines of one prompt",
    "blueprint.duplicate-id": "of two prompts", "blueprint.merged-paths": "of two lines of one prompt",
    "blueprint.no-score": "a weight that is no number, which only --compat weval reads",
    "blueprint.select": "of the command line", "blueprint.filter": "of the command line",
    "blueprint.eval-method": "of the command line", "blueprint.embedding": "of the command line",
    "blueprint.limit": "of large files",
}


class Draft:
    """A file with some of its slots at fault."""

    def __init__(self, faults):
        self.faults = faults  # (place, slot) -> (code, line); place -1 is the header

    def text(self):
        lines = [self.line(-1, slot, good) for slot, good in HEADER.items()] + ["---"]
        for n in range(PROMPTS):
            for at, (slot, good) in enumerate(PROMPT.items()):
                lines.append(("- " if at == 0 else "  ") + self.line(n, slot, good))
        return "\n".join(lines) + "\n"

    def line(self, place, slot, good):
        return self.faults.get((place, slot), ("", good))[1].format(n=place)

    def line_of(self, place, slot):
        if place < 0:
            return list(HEADER).index(slot) + 1
        return len(HEADER) + 1 + place * len(PROMPT) + list(PROMPT).index(slot) + 1

    def without(self, key):
        return Draft({other: fault for other, fault in self.faults.items() if other != key})


def draw(random_number):
    wanted = random_number.randint(2, 6)
    faults = {}
    while len(faults) < wanted:
        if random_number.random() < 0.4:
            code, slot, line = random_number.choice(FAULTS_OF_HEADER)
            faults.setdefault((-1, slot), (code, line))
        else:
            code, slot, line = random_number.choice(FAULTS_OF_PROMPT)
            faults.setdefault((random_number.randrange(PROMPTS), slot), (code, line))
    return Draft(faults)


def said_of(folder, drafts):
    """Of each draft, what is told: pairs of code and line."""
    names = []
    for draft in drafts:
        names.append(f"f{len(names)}.yml")
        Path(folder, names[-1]).write_text(draft.text())
    done = e2e.assay("check", "--json", *names, cwd=folder)
    values = [json.loads(line) for line in done.stdout.splitlines()]
    e2e.check(len(values) == len(drafts), f"{len(values)} answers to {len(drafts)} files", done)
    return [sorted({(each["code"], each.get("line", 0)) for each in value["diagnostics"]
                    if each["severity"] != "note"}) for value in values]


def all_codes_are_drawn():
    page = Path(e2e.ROOT, "docs/errors.md").read_text().split("## Blueprints")[1].split("\n## ")[0]
    known = set(re.findall(r"`(blueprint\.[a-z-]+)`", page))
    drawn = {code for code, _, _ in FAULTS_OF_HEADER + FAULTS_OF_PROMPT}
    missing = known - drawn - set(ALONE)
    e2e.check(not missing, f"no fault of the table has the codes {sorted(missing)}")


def main():
    all_codes_are_drawn()
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 20261127
    random_number = random.Random(seed)
    with e2e.scratch() as folder:
        every = [Draft({(-1, slot): (code, line)}) for code, slot, line in FAULTS_OF_HEADER]
        every += [Draft({(1, slot): (code, line)}) for code, slot, line in FAULTS_OF_PROMPT]
        good, *alone = said_of(folder, [Draft({}), *every])
        e2e.check(good == [], f"the good file has problems: {good}")
        for draft, said in zip(every, alone):
            [((place, slot), (code, line))] = draft.faults.items()
            e2e.check((code, draft.line_of(place, slot)) in said, f"{line}: expected {code}, told {said}")
        drafts = [draw(random_number) for _ in range(FILES)]
        mended = [draft.without(key) for draft in drafts for key in draft.faults]
        said = said_of(folder, drafts + mended)
        after = iter(said[len(drafts):])
        for draft, before in zip(drafts, said):
            for (place, slot), (code, line) in draft.faults.items():
                at = draft.line_of(place, slot)
                e2e.check((code, at) in before, f"seed {seed}: {line}: {code} is not told\n{draft.text()}{before}")
                left = next(after)
                both_keys = code if code == "yaml.duplicate-key" else ""  # which is told at both of its lines
                expected = [each for each in before if each[1] != at and each[0] != both_keys]
                e2e.check(left == expected,
                          f"seed {seed}: mending {line!r} leaves {left}, not {expected}\n{draft.text()}")
    print(f"{len(drafts)} files with {len(mended)} faults")


main()
