#!/usr/bin/env python3
"""Makes the tables of default models out of their data file, as C++; a build step of src/CMakeLists.txt. What is wrong
in the file ends the build, each with file and line, and so does a model that ends within six months of the file's day.

usage: default_models.py DEFAULT_MODELS.toml MODELS.toml OUTPUT.cc
"""
import datetime
import sys

from model_facts import DataFile, literal, write_tables

# Makers as brokers name them, and as the table of models does (kVendors of src/providers/facts/model_facts.cc).
MAKERS = {"anthropic": "anthropic", "google": "google", "mistralai": "mistral", "openai": "openai", "x-ai": "xai"}


def six_months_after(day: str) -> str:
    date = datetime.date.fromisoformat(day)
    year, month = date.year + (date.month + 5) // 12, (date.month + 5) % 12 + 1
    last = (datetime.date(year + month // 12, month % 12 + 1, 1) - datetime.timedelta(days=1)).day
    return datetime.date(year, month, min(date.day, last)).isoformat()


def fits(pattern: str, name: str) -> bool:
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


def last_day(retirements: dict, model: str) -> str:
    """Of "openai:gpt-4o" or "openrouter:openai/gpt-4o", by the rows of [retirement]; "" if none is known."""
    provider, _, name = model.partition(":")
    if provider == "openrouter":
        maker, _, name = name.partition("/")
        provider, name = MAKERS.get(maker, ""), name.partition(":")[0]
        name = name.replace(".", "-") if provider == "anthropic" else name
    rows = [(key.partition(":")[2], row) for key, row in retirements.items()
            if key.partition(":")[0] == provider.removesuffix("-responses") and fits(key.partition(":")[2], name)]
    return max(rows, key=lambda row: (len(row[0].rstrip("*")), not row[0].endswith("*")))[1]["on"] if rows else ""


class Defaults(DataFile):
    """default_models.toml. Its tables in tables are found by their whole names: "weval.judges"."""

    def __init__(self, path: str):
        super().__init__(path)
        for name, table in (self.tables.pop("weval", None) or {}).items():
            self.tables[f"weval.{name}"] = table

    def model(self, table: str, key: str, value) -> str:
        if self.check(table, key, f'a model of "{key}"', value, str) and ":" not in value:
            self.wrong(table, key, f'"{value}" is no model; expected: "provider:model"')
        return literal(value)

    def judges(self, table: str) -> list:
        return [f"{{{literal(key)}, {self.model(table, key, value)}}}" for key, value in self.rows(table, str)]

    def role(self, table: str, key: str):
        rows = self.tables.get(table)
        if not isinstance(rows, dict) or key not in rows:
            self.wrong(table, "", f"{key} is missing")
            return None
        return rows[key]

    def all_models(self):
        """(table, key, model) of whom assay asks by default; the format's own list is what it is."""
        for table in ("judges", "backup"):
            yield from ((table, key, model) for key, model in self.tables.get(table, {}).items())
        for table in ("roles", "collections"):
            for key, models in self.tables.get(table, {}).items():
                yield from ((table, key, model) for model in (models if isinstance(models, list) else [models]))


def array(type_name: str, name: str, rows: list) -> str:
    body = "".join(f"    {row},\n" for row in rows)
    return f"constexpr std::array<{type_name}, {len(rows)}> {name} = {{{{\n{body}}}}};\n"


def side_of(file: Defaults, prefix: str, name: str) -> tuple:
    """The arrays of a side, and its DefaultModels."""
    judges, backup = file.judges(prefix + "judges"), file.judges(prefix + "backup")
    if len(backup) != 1:
        file.wrong(prefix + "backup", "", "expected: one judge")
    extractors = file.role(prefix + "roles", "extractors") or []
    summary = file.role(prefix + "roles", "summary") or ""
    names = [file.model(prefix + "roles", "extractors", model) for model in extractors]
    text = array("NamedJudge", f"k{name}Judges", judges) + array("std::string_view", f"k{name}Extractors", names)
    return text, (f"{{k{name}Judges, {backup[0] if backup else '{}'}, k{name}Extractors, "
                  f"{file.model(prefix + 'roles', 'summary', summary)}}}")


def source_of(file: Defaults) -> str:
    origin = file.origin().partition(",")[0]
    file.known(["judges", "backup", "roles", "collections", "weval.judges", "weval.backup", "weval.roles"])
    own, own_row = side_of(file, "", "Own")
    weval, weval_row = side_of(file, "weval.", "Weval")
    parts, rows = [own, weval], []
    for name, models in file.rows("collections", list):
        parts.append(array("std::string_view", f"k{name}", [file.model("collections", name, each) for each in models]))
        rows.append(f"{{{literal(name)}, k{name}}}")
    parts.append(array("ModelCollection", "kCollections", rows))
    return "".join([
        "// Generated from default_models.toml. Do not edit.\n",
        '#include "dialects/default_models.h"\n\n#include <array>\n\nnamespace assay {\n\nnamespace {\n\n',
        *parts, "\n}  // namespace\n\n",
        f"constinit const DefaultModelTables kDefaultModelTables = {{{origin}, {own_row},\n"
        f"    {weval_row}, kCollections}};\n\n}}  // namespace assay\n",
    ])


def main() -> int:
    file, models = Defaults(sys.argv[1]), DataFile(sys.argv[2])
    source = source_of(file)
    if not file.errors:
        limit = six_months_after(file.tables["as_of"])
        for table, key, model in file.all_models():
            day = last_day(models.tables.get("retirement", {}), model)
            if day and day < limit:
                file.wrong(table, key, f"{model} ends on {day}; expected: a model that does not end before {limit}")
    return write_tables([file], source, sys.argv[3])


if __name__ == "__main__":
    sys.exit(main())
