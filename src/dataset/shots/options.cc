// Reads the value of `shots:`; each key of its own is a row of a table, and the others are those of a dataset.
#include "dataset/shots/options.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "dataset/limits.h"
#include "text/template/engine.h"

namespace assay::dataset {

namespace {

struct ShotWork {
  ShotOptions& options;
  Problems& problems;

  void Expected(std::string_view key, std::string_view what, const Value& value, std::string hint = {}) {
    problems.Add(
        {.code = "shots.value",
         .message = fmt::format("shots: {}: expected {}, found {}", key, what,
                                value.is_string() ? Quoted(value.AsString()) : std::string(KindName(value))),
         .hint = std::move(hint),
         .where = value.span,
         .name = std::string(key)});
  }
};

void ReadShotCount(ShotWork& work, const Value& value) {
  const bool is_none = value.is_number() && value.AsNumber() == 0;
  const std::optional<std::size_t> count = is_none ? std::optional<std::size_t>(0) : CountOf(value);
  if (!count || *count > limits::kShotsMax) {
    return work.Expected("n", fmt::format("a whole number up to {}", limits::kShotsMax), value);
  }
  work.options.count = *count;
}

void ReadShotSeeds(ShotWork& work, const Value& value) {
  const List one{value};
  std::vector<std::string> seeds;
  for (const Value& each : value.is_list() ? value.AsList() : one) {
    std::optional<std::string> seed = SeedText(each);
    if (!seed) return work.Expected("seed", "a whole number, or a list of them", each);
    if (std::find(seeds.begin(), seeds.end(), *seed) != seeds.end())
      return work.Expected("seed", "each seed once", each);
    seeds.push_back(*std::move(seed));
  }
  if (seeds.empty()) return work.Expected("seed", "a whole number, or a list of them", value);
  work.options.seeds = std::move(seeds);
  work.options.has_several_seeds = work.options.seeds.size() > 1;
}

void ReadShotPick(ShotWork& work, const Value& value) {
  struct Word {
    std::string_view name;
    ShotPick pick;
  };
  constexpr Word kWords[] = {
      {"seeded", ShotPick::kSeeded}, {"first", ShotPick::kFirst}, {"each", ShotPick::kEach}};
  for (const Word& word : kWords) {
    if (value.is_string() && value.AsString() == word.name) {
      work.options.pick = word.pick;
      return;
    }
  }
  work.Expected("pick", "seeded, first or each", value);
}

std::optional<Name> ColumnOf(ShotWork& work, std::string_view key, const Value& value) {
  if (value.is_string() && !value.AsString().empty()) return Name{value.AsString(), value.span};
  work.Expected(key, "the name of a column", value);
  return std::nullopt;
}

void ReadShotPer(ShotWork& work, const Value& value) { work.options.per = ColumnOf(work, "per", value); }
void ReadShotSpread(ShotWork& work, const Value& value) {
  work.options.spread = ColumnOf(work, "spread", value);
}

void ReadShotForm(ShotWork& work, const Value& value) {
  const bool is_text = value.is_string() && value.AsString() == "text";
  if (!is_text && !(value.is_string() && value.AsString() == "turns"))
    return work.Expected("as", "turns or text", value);
  work.options.is_text = is_text;
}

Value TemplateOf(ShotWork& work, std::string_view key, const Value& value) {
  if (value.is_string() && !value.AsString().empty()) return value;
  const bool is_bare = value.is_map() && value.AsMap().size() == 1;
  work.Expected(key, "a text with templates", value,
                is_bare ? fmt::format("put it in quotes: {}: \"{{{{answer}}}}\"", key) : std::string());
  return Value();
}

void ReadShotUser(ShotWork& work, const Value& value) { work.options.user = TemplateOf(work, "user", value); }
void ReadShotAssistant(ShotWork& work, const Value& value) {
  work.options.assistant = TemplateOf(work, "assistant", value);
}
void ReadShotText(ShotWork& work, const Value& value) { work.options.text = TemplateOf(work, "text", value); }

void ReadShotSeparator(ShotWork& work, const Value& value) {
  if (!value.is_string()) return work.Expected("separator", "a text", value);
  work.options.separator = value.AsString();
}

void ReadShotShown(ShotWork& work, const Value& value) {
  if (!value.is_bool()) return work.Expected("shown", "true or false", value);
  work.options.is_shown = value.AsBool();
}

struct ShotKey {
  std::string_view name;
  void (*read)(ShotWork& work, const Value& value);
};
constexpr ShotKey kShotKeys[] = {
    {"n", ReadShotCount},       {"seed", ReadShotSeeds},
    {"pick", ReadShotPick},     {"per", ReadShotPer},
    {"spread", ReadShotSpread}, {"as", ReadShotForm},
    {"user", ReadShotUser},     {"assistant", ReadShotAssistant},
    {"text", ReadShotText},     {"separator", ReadShotSeparator},
    {"shown", ReadShotShown},
};

// What is missing for the way in which shots are shown, and what only the other way takes.
void CheckForm(const Value& value, ShotWork& work) {
  const auto lacks = [&](std::string_view key, std::string_view example) {
    work.problems.Add({.code = "shots.value",
                       .message = fmt::format("shots: expected {}, found none", key),
                       .hint = fmt::format("write {}: {}", key, example),
                       .where = work.options.where,
                       .name = std::string(key)});
  };
  const auto only_for = [&](std::string_view key, std::string_view form) {
    const Value* member = value.Find(key);
    if (member == nullptr || member->is_null()) return;
    work.problems.Add({.code = "shots.value",
                       .message = fmt::format("shots: {} belongs to as: {}", key, form),
                       .hint = "remove one of the two",
                       .where = member->span,
                       .name = std::string(key)});
  };
  if (value.Find("n") == nullptr) lacks("n", "2");
  if (const Value* seed = value.Find("seed"); seed != nullptr && work.options.pick == ShotPick::kFirst) {
    work.problems.Add({.code = "shots.value",
                       .message = "shots: a seed has no effect with pick: first",
                       .hint = "remove the seed, or pick seeded",
                       .where = seed->span,
                       .name = "seed"});
  }
  if (work.options.is_text) {
    if (value.Find("text") == nullptr) lacks("text", "\"Q: {{question}}\\nA: {{answer}}\"");
    only_for("assistant", "turns");
    if (!work.options.is_shown) only_for("shown", "turns");
  } else {
    if (value.Find("assistant") == nullptr) lacks("assistant", "\"{{answer}}\"");
    only_for("text", "text");
    only_for("separator", "text");
  }
}

// Keys that say something of the rows of a file, and so want one.
void ReadPool(Map of_rows, ShotWork& work) {
  if (of_rows.Find("path") != nullptr || of_rows.Find("rows") != nullptr) {
    Value pool(std::move(of_rows));
    pool.span = work.options.where;
    work.options.pool = ReadOptions(pool, work.problems, "shots");
    return;
  }
  for (const Member& member : of_rows) {
    if (member.key == "where") {
      if (!member.value.is_map()) {
        work.Expected("where", "a mapping {column: condition}", member.value);
      } else {
        work.options.filter = member.value;
      }
      continue;
    }
    work.problems.Add({.code = "shots.value",
                       .message = fmt::format("shots: {} says how to read a table of its own", member.key),
                       .hint = "name the table with path, or remove the key",
                       .where = member.key_span,
                       .name = member.key});
  }
}

std::vector<std::string> KnownShotKeys() {
  std::vector<std::string> names = OptionNames();
  for (const ShotKey& each : kShotKeys) names.emplace_back(each.name);
  return names;
}

}  // namespace

std::optional<ShotOptions> ReadShotOptions(const Value& value, Problems& problems) {
  const std::size_t errors_before = problems.ErrorCount();
  ShotOptions options;
  options.where = value.span;
  ShotWork work{options, problems};
  if (!value.is_map()) {
    problems.Add({.code = "shots.value",
                  .message = fmt::format("shots: expected a mapping, found {}", KindName(value)),
                  .hint = "write shots: {n: 2, assistant: \"{{answer}}\"}",
                  .where = value.span});
    return std::nullopt;
  }
  const std::vector<std::string> known = KnownShotKeys();
  Map of_rows;
  for (const Member& member : value.AsMap()) {
    const ShotKey* key = std::find_if(std::begin(kShotKeys), std::end(kShotKeys),
                                      [&](const ShotKey& each) { return each.name == member.key; });
    if (key != std::end(kShotKeys)) {
      if (!member.value.is_null()) key->read(work, member.value);
    } else if (std::find(known.begin(), known.end(), member.key) != known.end()) {
      if (!member.value.is_null()) of_rows.Append(member.key, member.value, member.key_span);
    } else {
      const std::string_view near = NearName(member.key, known);
      problems.Add({.code = "shots.key",
                    .message = fmt::format("shots: unknown key {}", Quoted(member.key)),
                    .hint = near.empty() ? "docs/datasets.md lists the keys"
                                         : fmt::format("did you mean \"{}\"?", near),
                    .where = member.key_span,
                    .name = member.key});
    }
  }
  CheckForm(value, work);
  ReadPool(std::move(of_rows), work);
  if (problems.ErrorCount() > errors_before) return std::nullopt;
  return options;
}

}  // namespace assay::dataset
