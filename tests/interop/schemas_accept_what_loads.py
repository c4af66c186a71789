#!/usr/bin/env python3
"""The schema of blueprints accepts every document of every public blueprint that loads, our examples and starters, and
refuses what can be no blueprint; so do those of InfiBench, of research datasets, of matrices, and of the formats of
other tools."""
import json
import os
import re
import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import interop  # noqa: E402

interop.enter("readers")
import jsonschema  # noqa: E402
import yaml  # noqa: E402


class Texts(yaml.SafeLoader):
    """Dates stay texts, as JSON has them."""


Texts.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in rules if tag != "tag:yaml.org,2002:timestamp"]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()}


def validator(dialect, folder):
    schema = json.loads(e2e.assay("schema", dialect, cwd=folder).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def accepts(schema, path):
    try:
        documents = list(yaml.load_all(path.read_text(), Texts))
    except yaml.YAMLError:
        return False  # what only the format's own parser reads
    for document in documents:
        problem = next(schema.iter_errors(document), None)
        e2e.check(problem is None, f"{path}: {problem}")
    return True


def others(folder):
    """The files that docs/formats-of-others.md shows are accepted; what is refused there is refused by the schemas."""
    text = (e2e.ROOT / "docs/formats-of-others.md").read_text()
    shown = re.findall(r"```(?:yaml|json)\n(.*?)```", text, re.S)
    names = ("openai-evals", "openai-hosted", "lm-eval")
    e2e.check(len(shown) == len(names), f"{len(shown)} files are shown")
    schemas = {name: validator(name, folder) for name in names}
    documents = {name: yaml.load(block, Texts) for name, block in zip(names, shown)}
    for name, document in documents.items():
        problem = next(schemas[name].iter_errors(document), None)
        e2e.check(problem is None, f"{name}: {problem}")
    task = documents["lm-eval"]
    for wrong in ({**task, "class": "x"}, {**task, "output_type": "multiple_choice"}, {**task, "num_fewshot": -1}):
        e2e.check(not schemas["lm-eval"].is_valid(wrong), f"{wrong} is no task")
    exported = documents["openai-hosted"]
    python = {"type": "python", "source": "pass"}
    for wrong in ({**exported, "testing_criteria": [python]}, {"testing_criteria": 5}):
        e2e.check(not schemas["openai-hosted"].is_valid(wrong), f"{wrong} is not read")
    graded = {"a": {"class": "x", "args": {"samples_jsonl": "s", "modelgraded_spec": "fact"}}}
    e2e.check(not schemas["openai-evals"].is_valid(graded), "a model that grades")


with e2e.scratch() as scratch:
    others(scratch)
    blueprint = validator("blueprint", scratch)
    public = Path(os.environ.get("ASSAY_SHARED", e2e.ROOT.parent / "shared")) / "data/weval-configs/blueprints"
    files = sorted([*public.rglob("*.yml"), *public.rglob("*.yaml")])
    loaded = [path for path in files if e2e.assay("check", path, cwd=scratch).returncode == 0]
    read = sum(accepts(blueprint, path) for path in loaded)
    print(f"{read} of {len(loaded)} blueprints that load, of {len(files)} public ones")
    e2e.check(read >= 0.95 * len(loaded), "nearly all can be read by PyYAML")
    for path in [*e2e.ROOT.glob("examples/*/*.yml"), e2e.ROOT / "src/cli/starters/blueprint.yml"]:
        if "fixtures" not in path.name:
            accepts(blueprint, path)
    fixtures = validator("fixtures", scratch)
    for path in e2e.ROOT.glob("examples/*/*fixtures*.yml"):
        accepts(fixtures, path)
    e2e.check(not fixtures.is_valid({"responses": {"p": 5}}), "answers to a prompt are a mapping")
    for wrong in (5, {"models": 7}, {"messages": 5}, [3], {"should": 5, "models": 5}):
        e2e.check(not blueprint.is_valid(wrong), f"{wrong} is no blueprint")
    infibench = validator("infibench", scratch)
    for path in e2e.ROOT.glob("examples/infibench-small/*.yaml"):
        accepts(infibench, path)
    for path in e2e.ROOT.glob("examples/infibench-small/cases/*.yaml"):
        accepts(infibench, path)
    e2e.check(not infibench.is_valid({"cases": 5}), "a suite has a list of cases")
    for wrong in ({"prompt": "q", "should": 5}, {"prompts": [{"prompt": "q", "weight": 11}]}, {"effort": "huge"}):
        e2e.check(not blueprint.is_valid(wrong), f"{wrong} does not load")
    accepts(validator("research", scratch), e2e.ROOT / "src/cli/starters/dataset.yaml")
    matrix = validator("matrix", scratch)
    for path in [*e2e.ROOT.glob("src/cli/starters/**/matrix.toml"), *e2e.ROOT.glob("examples/*/matrix.toml")]:
        problem = next(matrix.iter_errors(tomllib.loads(path.read_text())), None)
        e2e.check(problem is None, f"{path}: {problem}")
    e2e.check(not matrix.is_valid({"runs": [{"id": "a"}]}), "a run has a model")
    if not files:
        e2e.skip("the public blueprints are not here (ASSAY_SHARED)")
