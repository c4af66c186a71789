// Combines the alternatives of variables.
#include "dialects/promptfoo/expand/variables.h"

#include <fmt/core.h>

#include <utility>

#include "dialects/promptfoo/read/paths.h"

namespace assay::promptfoo {

namespace {

constexpr std::size_t kCombinationsMax = 1'000'000;  // of one test

bool NamesFile(const Value& value) { return value.is_string() && value.AsString().starts_with(kFilePrefix); }

// The values that a variable has in turn; nothing after an error.
std::optional<List> AlternativesOf(const ReadContext& context, const Member& variable,
                                   const std::string& folder) {
  const Value& value = variable.value;
  const auto missing = [&](const Value& named) {
    context.Error(
        "promptfoo.variable",
        fmt::format("{}: no file is named {}", variable.key, Quoted(WithoutFilePrefix(named.AsString()))),
        named.span, "name a file from the folder of the config");
  };
  if (NamesFile(value)) {
    const std::string path(WithoutFilePrefix(value.AsString()));
    List files;
    for (const std::string& file : FilesOf(context.files, folder, path)) {
      Value named(std::string(kFilePrefix) + file);
      named.span = value.span;
      files.push_back(std::move(named));
    }
    if (files.empty() && IsCodePath(path)) return List{value};
    if (!files.empty()) return files;
    missing(value);
    return std::nullopt;
  }
  if (!value.is_list() || value.AsList().empty() || !value.AsList().front().is_string()) return List{value};
  bool are_there = true;
  for (const Value& item : value.AsList()) {
    const bool is_missing = !context.options.is_compatible && NamesFile(item) &&
                            !IsCodePath(WithoutFilePrefix(item.AsString())) &&
                            !context.files.Exists(JoinedPath(folder, WithoutFilePrefix(item.AsString())));
    if (is_missing) missing(item);
    are_there = are_there && !is_missing;
  }
  return are_there ? std::optional<List>(value.AsList()) : std::nullopt;
}

}  // namespace

std::optional<std::vector<Map>> CombinationsOf(const ReadContext& context, const Map& variables,
                                               const std::string& folder, bool is_expanded, Span where) {
  std::vector<Map> combinations{Map()};
  bool has_failed = false;
  for (const Member& variable : variables) {
    const std::optional<List> values =
        is_expanded ? AlternativesOf(context, variable, folder) : std::optional<List>(List{variable.value});
    has_failed = has_failed || !values;
    if (!values) continue;
    if (combinations.size() * values->size() > kCombinationsMax) {
      context.Error("promptfoo.limit",
                    fmt::format("the variables of the test make more than {} combinations", kCombinationsMax),
                    where, "shorten the lists, or set options.disableVarExpansion");
      return std::nullopt;
    }
    std::vector<Map> more;
    more.reserve(combinations.size() * values->size());
    for (const Map& combination : combinations) {
      for (const Value& value : *values) {
        more.push_back(combination);
        more.back().Append(variable.key, value, variable.key_span);
      }
    }
    combinations = std::move(more);
  }
  if (has_failed) return std::nullopt;
  return combinations;
}

}  // namespace assay::promptfoo
