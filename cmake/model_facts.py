#!/usr/bin/env python3
"""Makes the tables of facts and prices out of their data files, as C++ that costs nothing at the program's start; a
build step of src/CMakeLists.txt. What is wrong in a data file ends the build, each with file and line.

usage: model_facts.py MODELS.toml PRICES.toml OUTPUT.cc
"""
import datetime
import json
import re
import sys
import tomllib
from pathlib import Path

SAMPLINGS = {
    "none": ".temperature = false, .top_p = false, .top_k = false",
    "not-both": ".not_both = true",
    "only-still": ".only_still = true",
}
THINKINGS = {"no": "kNo", "on-request": "kOnRequest", "by-default": "kByDefault", "always": "kAlways"}
EFFORTS = {
    "none": "kNone",
    "reasoning_effort": "kReasoningEffort",
    "output_config": "kOutputConfig",
    "budget_tokens": "kBudgetTokens",
    "thinking_level": "kThinkingLevel",
    "thinking_budget": "kThinkingBudget",
}
# The fields of ModelFacts, Price and MediaKinds (src/providers/facts/), in their order there.
FACTS = {  # key: field, form, what the key's value is
    "sampling": ("sampling", "Sampling{{{}}}", SAMPLINGS),
    "thinking": ("thinking", "Thinking::{}", THINKINGS),
    "thinking_room": ("thinking_room", "{}", int),
    "effort_as": ("effort", "EffortForm::{}", EFFORTS),
    "efforts": ("efforts", "{}", str),
    "max_output": ("output_max", "{}", int),
    "responses_only": ("responses_only", "{}", bool),
    "cache_min_tokens": ("cache_min_tokens", "{}", int),
}
PRICE = {
    "input": "input_usd",
    "output": "output_usd",
    "long_above": "long_above_tokens",
    "long_input": "long_input_usd",
    "long_output": "long_output_usd",
    "cached_read": "cached_read_usd",
    "cached_write": "cached_write_usd",
    "long_cached_read": "long_cached_read_usd",
    "long_cached_write": "long_cached_write_usd",
    "hour_write_factor": "hour_write_factor",
}
MEDIA = ["image", "pdf", "audio"]
EXPECTED = {int: "a whole number of at least 0", float: "a number of at least 0", str: "a text", bool: "true or false",
            list: "a list", dict: "a table in {}"}


def is_a(value, kind) -> bool:
    if kind in (int, float):
        return isinstance(value, (int, kind)) and not isinstance(value, bool) and 0 <= value < 2**53
    return isinstance(value, kind)


def literal(value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return repr(value)


class DataFile:
    """A data file, which knows the lines of its keys, and what is wrong in it."""

    def __init__(self, path: str):
        self.path = path
        self.errors = []
        self.text = Path(path).read_text(encoding="utf-8")
        try:
            self.tables = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            at = re.search(r"\(at line (\d+)", str(error))
            sys.exit(f"{path}:{at[1] if at else len(self.text.splitlines())}: error: {error}")

    def line(self, table: str, key: str = "") -> int:
        """Of a key of a table; of the table's head without one."""
        inside = not table
        for number, line in enumerate(self.text.splitlines(), 1):
            if line.startswith("["):
                inside = line.startswith(f"[{table}]")
                if inside and not key:
                    return number
            elif inside and key and re.match(rf'"?{re.escape(key)}"?\s*=', line):
                return number
        return 1

    def wrong(self, table: str, key: str, what: str):
        self.errors.append((self.line(table, key), what))

    def check(self, table: str, key: str, what: str, value, kind) -> bool:
        """Whether a value is of that kind, or one of these words."""
        if isinstance(kind, (dict, list)):
            fits, expected = isinstance(value, str) and value in kind, "one of " + ", ".join(kind)
        else:
            fits, expected = is_a(value, kind), EXPECTED[kind]
        if not fits:
            self.wrong(table, key, f"{what} is {literal(value)}; expected: {expected}")
        return fits

    def rows(self, table: str, kind) -> list:
        """The rows of a table whose values are what they should be; a table that is missing is an error."""
        rows = self.tables.get(table)
        if not isinstance(rows, dict):
            self.wrong("", "", f"has no table [{table}]")
            return []
        return [(key, value) for key, value in rows.items() if self.check(table, key, f'"{key}"', value, kind)]

    def by_provider(self, table: str, kind) -> list:
        """Rows whose keys are names of models, as [(key, provider, model, value)]: those of a provider together, since
        they are one part of a table."""
        rows = []
        for key, value in self.rows(table, kind):
            provider, colon, model = key.partition(":")
            if not (provider and colon and model):
                self.wrong(table, key, f'"{key}" is no model; expected: "provider:model"')
            elif rows and provider != rows[-1][1] and any(provider == row[1] for row in rows):
                before = rows[-1][1]
                self.wrong(table, key, f'"{key}" stands behind models of {before}; expected: beside its provider\'s')
            else:
                rows.append((key, provider, model, value))
        return rows

    def origin(self) -> str:
        for key in ("as_of", "source"):
            if not isinstance(self.tables.get(key), str):
                self.wrong("", key, f"{key} is missing or no text")
        try:
            datetime.date.fromisoformat(str(self.tables.get("as_of")))
        except ValueError:
            self.wrong("", "as_of", "as_of is no day; expected: one like 2026-01-31")
        return ", ".join(literal(str(self.tables.get(key))) for key in ("as_of", "source"))

    def known(self, tables: list):
        for key in self.tables.keys() - {"as_of", "source", *tables}:
            at = (key, "") if isinstance(self.tables[key], dict) else ("", key)
            self.wrong(*at, f"{key} is nothing that is read here")


def facts(models: DataFile, table: str, key: str, row: dict) -> dict:
    """The fields of a row, on top of what its family has."""
    fields = {}
    if "like" in row:
        families = models.tables.get("families", {})
        if models.check(table, key, "like", row["like"], list(families)):
            family = families[row["like"]]
            if isinstance(family, dict) and "like" not in family:
                fields = facts(models, "families", row["like"], family)
    for name, value in row.items():
        if name == "like" and table == "models":
            continue
        if name not in FACTS:
            models.wrong(table, key, f"{name} is no fact; expected: like, " + ", ".join(FACTS))
            continue
        field, form, kind = FACTS[name]
        if models.check(table, key, name, value, kind):
            fields[field] = form.format(kind[value] if isinstance(kind, dict) else literal(value))
    return fields


def price(prices: DataFile, key: str, row: dict) -> str:
    for name, value in row.items():
        if name not in PRICE:
            prices.wrong("prices", key, f"{name} is no price; expected: " + ", ".join(PRICE))
        else:
            prices.check("prices", key, name, value, int if name == "long_above" else float)
    for group in (("input", "output"), ("long_above", "long_input", "long_output")):
        missing = [name for name in group if name not in row]
        if missing and (group[0] == "input" or len(missing) < len(group)):
            prices.wrong("prices", key, f"{missing[0]} is missing; {', '.join(group)} are stated together")
    return designated({PRICE[name]: literal(row[name]) for name in PRICE if name in row})


def designated(fields: dict) -> str:
    return "{" + ", ".join(f".{name} = {value}" for name, value in fields.items()) + "}"


class Array:
    """A constant array; rows that belong to a provider are found by it."""

    def __init__(self, type_name: str, name: str, rows: list):
        self.name = name
        self.providers = [row[0] for row in rows if isinstance(row, tuple)]
        body = "".join(f"    {row[1] if isinstance(row, tuple) else row},\n" for row in rows)
        # std::array, since a table may become empty.
        self.source = f"constexpr std::array<{type_name}, {len(rows)}> {name} = {{{{\n{body}}}}};\n"

    def part(self, provider: str) -> str:
        first = self.providers.index(provider) if provider in self.providers else 0
        return f"std::span({self.name}).subspan({first}, {self.providers.count(provider)})"


def model_rows(models: DataFile, prices: DataFile) -> list:
    # Errors in a family are told once, at the family.
    for key, row in models.rows("families", dict):
        facts(models, "families", key, row)
    priced = {key: price(prices, key, row) for key, _, _, row in prices.by_provider("prices", dict)}
    rows = []
    for key, provider, model, row in models.by_provider("models", dict):
        fields = facts(models, "models", key, row)
        ordered = {field: fields[field] for field, _, _ in FACTS.values() if field in fields}
        if key in priced:
            ordered["price"] = "Price" + priced.pop(key)
        rows.append((provider, f"{{{literal(provider)}, {literal(model)}, {designated(ordered)}}}"))
    for key in priced:
        prices.wrong("prices", key, f'"{key}" is no row of [models] of {Path(models.path).name}')
    return rows


def media_rows(models: DataFile) -> list:
    rows = []
    for key, provider, model, kinds in models.by_provider("takes", list):
        for kind in kinds:
            models.check("takes", key, f'"{key}"', kind, MEDIA)
        fields = designated({kind: "true" for kind in MEDIA if kind in kinds})
        rows.append((provider, f"{{{literal(model)}, {fields}}}"))
    return rows


def retirement_rows(models: DataFile) -> list:
    rows = []
    for key, provider, model, row in models.by_provider("retirement", dict):
        for name in row.keys() - {"on", "successor", "source"}:
            models.wrong("retirement", key, f"{name} is nothing that is read here; expected: on, successor, source")
        for name in ("on", "source"):
            models.check("retirement", key, f'{name} of "{key}"', row.get(name, 0), str)
        try:
            datetime.date.fromisoformat(str(row.get("on")))
        except ValueError:
            models.wrong("retirement", key, f'on of "{key}" is no day; expected: one like 2026-01-31')
        texts = ", ".join(literal(str(row.get(name, ""))) for name in ("on", "successor", "source"))
        rows.append((provider, f"{{{literal(model)}, {{{texts}}}}}"))
    return rows


def source_of(models: DataFile, prices: DataFile) -> str:
    models.known(["families", "models", "takes", "schema", "window", "retirement", "aliases"])
    prices.known(["prices", "tiers", "hour_writes", "tools"])
    of_models = [
        Array("ModelRow", "kRows", model_rows(models, prices)),
        Array("FactRow<MediaKinds>", "kTakes", media_rows(models)),
        Array("FactRow<bool>", "kSchema", [(provider, f"{{{literal(model)}, {literal(value)}}}")
                                           for _, provider, model, value in models.by_provider("schema", bool)]),
        Array("FactRow<std::int64_t>", "kWindows", [(provider, f"{{{literal(model)}, {literal(value)}}}")
                                                    for _, provider, model, value in
                                                    models.by_provider("window", int)]),
        Array("FactRow<Retirement>", "kRetirements", retirement_rows(models)),
        Array("FactRow<std::string_view>", "kAliases", [(provider, f"{{{literal(model)}, {literal(value)}}}")
                                                        for _, provider, model, value in
                                                        models.by_provider("aliases", str)]),
    ]
    providers = sorted({provider for array in of_models for provider in array.providers})
    parts = [", ".join([literal(provider), *(array.part(provider) for array in of_models)]) for provider in providers]
    of_services = [
        Array("NamedPrice", name, [f"{{{literal(key)}, {literal(value)}}}"
                                   for key, value in sorted(prices.rows(table, float))])
        for name, table in (("kTiers", "tiers"), ("kTools", "tools"), ("kHourWrites", "hour_writes"))
    ]
    by_provider = Array("ProviderFacts", "kProviders", [f"{{{part}}}" for part in parts])
    return "".join([
        "// Generated from models.toml and prices.toml. Do not edit.\n",
        '#include "providers/facts/fact_tables.h"\n\n#include <array>\n\nnamespace assay {\n\nnamespace {\n\n',
        *(array.source for array in [*of_models, by_provider, *of_services]),
        "\n}  // namespace\n\n",
        f"constinit const FactTables kFactTables = {{{{{models.origin()}}}, {{{prices.origin()}}},\n"
        "    kRows, kProviders, kTiers, kTools, kHourWrites};\n\n}  // namespace assay\n",
    ])


def write_tables(files: list, source: str, output: str) -> int:
    """Writes the C++ of data files without errors; else prints the errors. The exit status."""
    # A family's errors are found again by each that is like it.
    errors = [f"{file.path}:{line}: error: {what}" for file in files for line, what in sorted(set(file.errors))]
    if errors:
        print("\n".join(errors), file=sys.stderr)
        return 1
    Path(output).write_text(source, encoding="utf-8")
    return 0


def main() -> int:
    models, prices = DataFile(sys.argv[1]), DataFile(sys.argv[2])
    return write_tables([models, prices], source_of(models, prices), sys.argv[3])


if __name__ == "__main__":
    sys.exit(main())
