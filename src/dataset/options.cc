// Reads the value of `dataset:`; each key is a row of a table.
#include "dataset/options.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "text/json/json.h"
#include "text/template/engine.h"
#include "text/template/written.h"

namespace assay::dataset {

namespace {

constexpr double kLargestSeed = 9007199254740991;  // whole numbers up to it are exact

struct Work {
  Options& options;
  Problems& problems;

  void Complain(const Value& at, std::string message, std::string hint = {}) {
    problems.Add(
        {.code = "dataset.value", .message = std::move(message), .hint = std::move(hint), .where = at.span});
  }
};

std::string FoundWords(const Value& value) {
  if (value.is_string()) return Quoted(value.AsString());
  return value.is_number() || value.is_bool() ? WriteJson(value, JsonStyle::kJavaScript)
                                              : std::string(KindName(value));
}

void Expected(Work& work, std::string_view key, std::string_view what, const Value& value) {
  work.Complain(value, fmt::format("{}: expected {}, found {}", key, what, FoundWords(value)));
}

std::optional<std::string> TextOf(Work& work, std::string_view key, const Value& value) {
  if (value.is_string() && !value.AsString().empty()) return value.AsString();
  Expected(work, key, "a text", value);
  return std::nullopt;
}

std::optional<std::vector<std::string>> TextsOf(Work& work, std::string_view key, const Value& value) {
  if (value.is_string()) return std::vector<std::string>{value.AsString()};
  std::vector<std::string> texts;
  const bool is_list = value.is_list() && std::all_of(value.AsList().begin(), value.AsList().end(),
                                                      [](const Value& item) { return item.is_string(); });
  if (!is_list) {
    Expected(work, key, "a list of texts", value);
    return std::nullopt;
  }
  for (const Value& item : value.AsList()) texts.push_back(item.AsString());
  return texts;
}

// One of some words, by its place among them.
std::optional<std::size_t> WordOf(Work& work, std::string_view key, const Value& value,
                                  const std::vector<std::string>& words) {
  if (value.is_string()) {
    const auto found = std::find(words.begin(), words.end(), value.AsString());
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  }
  std::string list;
  for (const std::string& word : words) list += fmt::format("{}{}", list.empty() ? "" : ", ", word);
  Expected(work, key, list, value);
  return std::nullopt;
}

std::optional<std::string> SeedOf(Work& work, std::string_view key, const Value& value) {
  std::optional<std::string> seed = SeedText(value);
  if (!seed) Expected(work, key, "a whole number", value);
  return seed;
}

std::optional<std::size_t> Counted(Work& work, std::string_view key, const Value& value) {
  const std::optional<std::size_t> count = CountOf(value);
  if (!count) Expected(work, key, "a whole number from 1", value);
  return count;
}

void ReadPath(Work& work, const Value& value) {
  if (value.is_string()) {
    work.options.paths.push_back({value.AsString(), value.span});
    return;
  }
  if (value.is_list() && !value.AsList().empty()) {
    for (const Value& item : value.AsList()) {
      if (std::optional<std::string> text = TextOf(work, "path", item))
        work.options.paths.push_back({*std::move(text), item.span});
    }
    return;
  }
  Expected(work, "path", "a path, or a list of paths", value);
}

void ReadRows(Work& work, const Value& value) {
  if (!value.is_list()) return Expected(work, "rows", "a list of mappings", value);
  work.options.rows = value.AsList();
}

void ReadFormat(Work& work, const Value& value) {
  constexpr Format kFormats[] = {Format::kCsv, Format::kTsv, Format::kJson, Format::kJsonl};
  if (const auto word = WordOf(work, "format", value, {"csv", "tsv", "json", "jsonl"}))
    work.options.format = kFormats[*word];
}

void ReadEncoding(Work& work, const Value& value) {
  constexpr Encoding kEncodings[] = {Encoding::kUtf8, Encoding::kUtf16, Encoding::kWindows1252,
                                     Encoding::kLatin1};
  if (const auto word = WordOf(work, "encoding", value, {"utf-8", "utf-16", "windows-1252", "latin-1"})) {
    work.options.encoding = kEncodings[*word];
    work.options.is_encoding_named = true;
  }
}

void ReadDelimiter(Work& work, const Value& value) {
  const std::string text = value.is_string() ? value.AsString() : std::string();
  if (text == "tab" || text == "\\t") {
    work.options.delimiter = '\t';
  } else if (text.size() == 1 && text != "\"" && text != "\n" && text != "\r") {
    work.options.delimiter = text.front();
  } else {
    Expected(work, "delimiter", "one character, such as \";\"", value);
  }
}

void ReadHeader(Work& work, const Value& value) {
  work.options.has_header = false;
  if (value.is_string() && value.AsString() == "none") return;
  if (!value.is_list() || value.AsList().empty())
    return Expected(work, "header", "a list of names, or none", value);
  if (std::optional<std::vector<std::string>> names = TextsOf(work, "header", value))
    work.options.header = *std::move(names);
}

void ReadColumns(Work& work, const Value& value) {
  if (!value.is_map()) return Expected(work, "columns", "a mapping {new: old}", value);
  for (const Member& member : value.AsMap()) {
    if (std::optional<std::string> old = TextOf(work, "columns", member.value))
      work.options.renames.push_back({member.key, {*std::move(old), member.value.span}});
  }
}

std::optional<CellType> TypeOf(Work& work, const Value& value) {
  if (value.is_map() && value.AsMap().size() == 1 && !value.TextAt("list").empty())
    return CellType{CellType::kList, value.TextAt("list")};
  const auto word = WordOf(work, "types", value, {"text", "number", "integer", "boolean", "list", "json"});
  if (!word) return std::nullopt;
  return CellType{static_cast<CellType::Kind>(*word)};
}

void ReadTypes(Work& work, const Value& value) {
  if (!value.is_map()) return Expected(work, "types", "a mapping {column: type}", value);
  for (const Member& member : value.AsMap()) {
    if (std::optional<CellType> type = TypeOf(work, member.value))
      work.options.types.push_back({{member.key, member.key_span}, *std::move(type)});
  }
}

void ReadNulls(Work& work, const Value& value) {
  if (std::optional<std::vector<std::string>> texts = TextsOf(work, "nulls", value))
    work.options.nulls = *std::move(texts);
}

void ReadEmpty(Work& work, const Value& value) {
  if (const auto word = WordOf(work, "empty", value, {"null", "text"})) work.options.keeps_empty = *word == 1;
}

void ReadAt(Work& work, const Value& value) {
  if (std::optional<std::string> path = TextOf(work, "at", value))
    work.options.at = {*std::move(path), value.span};
}

void ReadFileColumn(Work& work, const Value& value) {
  if (std::optional<std::string> name = TextOf(work, "file_column", value))
    work.options.file_column = *std::move(name);
}

void ReadId(Work& work, const Value& value) {
  if (TextOf(work, "id", value)) work.options.id = value;
}

void ReadDuplicates(Work& work, const Value& value) {
  if (WordOf(work, "duplicates", value, {"drop"})) work.options.drops_duplicates = true;
}

void ReadWhere(Work& work, const Value& value) {
  if (!value.is_map()) return Expected(work, "where", "a mapping {column: condition}", value);
  work.options.filter = value;
}

void ReadSample(Work& work, const Value& value) {
  Sample sample;
  if (!value.is_map()) {
    const std::optional<std::size_t> count = Counted(work, "sample", value);
    if (!count) return;
    sample.count = *count;
    work.options.sample = std::move(sample);
    return;
  }
  for (const Member& member : value.AsMap()) {
    if (member.key == "n") {
      sample.count = Counted(work, "sample.n", member.value).value_or(0);
    } else if (member.key == "seed") {
      sample.seed = SeedOf(work, "sample.seed", member.value).value_or("0");
    } else if (member.key == "per") {
      if (std::optional<std::string> name = TextOf(work, "sample.per", member.value))
        sample.per = {*std::move(name), member.value.span};
    } else {
      work.problems.Add({.code = "dataset.key",
                         .message = fmt::format("sample: unknown key {}", Quoted(member.key)),
                         .hint = "it takes n, seed and per",
                         .where = member.key_span,
                         .name = member.key});
    }
  }
  if (value.Find("n") == nullptr) work.Complain(value, "sample: expected the number of rows as n");
  work.options.sample = std::move(sample);
}

void ReadShuffle(Work& work, const Value& value) { work.options.shuffle = SeedOf(work, "shuffle", value); }
void ReadLimit(Work& work, const Value& value) { work.options.limit = Counted(work, "limit", value); }

void ReadKeep(Work& work, const Value& value) {
  const List one{value};
  for (const Value& each : value.is_list() ? value.AsList() : one) {
    if (std::optional<std::string> name = TextOf(work, "keep", each))
      work.options.keep.push_back({*std::move(name), each.span});
  }
}

struct Key {
  std::string_view name;
  void (*read)(Work& work, const Value& value);
};
constexpr Key kKeys[] = {
    {"path", ReadPath},
    {"rows", ReadRows},
    {"format", ReadFormat},
    {"encoding", ReadEncoding},
    {"delimiter", ReadDelimiter},
    {"header", ReadHeader},
    {"columns", ReadColumns},
    {"types", ReadTypes},
    {"nulls", ReadNulls},
    {"empty", ReadEmpty},
    {"at", ReadAt},
    {"file_column", ReadFileColumn},
    {"id", ReadId},
    {"duplicates", ReadDuplicates},
    {"where", ReadWhere},
    {"sample", ReadSample},
    {"shuffle", ReadShuffle},
    {"limit", ReadLimit},
    {"keep", ReadKeep},
};

void ReadMapping(Work& work, const Value& value, std::string_view name) {
  for (const Member& member : value.AsMap()) {
    const Key* key = std::find_if(std::begin(kKeys), std::end(kKeys),
                                  [&](const Key& each) { return each.name == member.key; });
    if (key != std::end(kKeys)) {
      if (!member.value.is_null()) key->read(work, member.value);
      continue;
    }
    const std::vector<std::string> names = OptionNames();
    const std::string_view near = NearName(member.key, names);
    work.problems.Add({.code = "dataset.key",
                       .message = fmt::format("{}: unknown key {}", name, Quoted(member.key)),
                       .hint = near.empty() ? fmt::format("the keys are {}", fmt::join(OptionNames(), ", "))
                                            : fmt::format("did you mean \"{}\"?", near),
                       .where = member.key_span,
                       .name = member.key});
  }
  const bool has_paths = !work.options.paths.empty();
  if (has_paths == work.options.rows.has_value() && !work.problems.HasErrors())
    work.Complain(value, fmt::format("{}: expected either a path or rows", name),
                  "write path: FILE, or rows: [...]");
}

}  // namespace

std::optional<std::size_t> CountOf(const Value& value) {
  const std::optional<double> count = value.is_number()   ? value.AsNumber()
                                      : value.is_string() ? PlainNumber(value.AsString())
                                                          : std::nullopt;
  if (!count || std::floor(*count) != *count || *count < 1 || *count > kLargestSeed) return std::nullopt;
  return static_cast<std::size_t>(*count);
}

std::optional<std::string> SeedText(const Value& value) {
  const std::optional<double> seed = value.is_number()   ? value.AsNumber()
                                     : value.is_string() ? PlainNumber(value.AsString())
                                                         : std::nullopt;
  if (!seed || std::floor(*seed) != *seed || std::abs(*seed) > kLargestSeed) return std::nullopt;
  return fmt::format("{}", static_cast<std::int64_t>(*seed));
}

std::vector<std::string> OptionNames() {
  std::vector<std::string> names;
  for (const Key& each : kKeys) names.emplace_back(each.name);
  return names;
}

std::optional<Options> ReadOptions(const Value& value, Problems& problems, std::string_view key) {
  const std::size_t errors_before = problems.ErrorCount();
  Options options;
  options.where = value.span;
  Work work{options, problems};
  const bool is_rows = value.is_list() && !value.AsList().empty() && !value.AsList().front().is_string();
  if (value.is_map()) {
    ReadMapping(work, value, key);
  } else if (is_rows) {
    ReadRows(work, value);
  } else if (value.is_string() || value.is_list()) {
    ReadPath(work, value);
  } else {
    Expected(work, key, "a path, a list of paths or rows, or a mapping", value);
  }
  if (problems.ErrorCount() > errors_before) return std::nullopt;
  return options;
}

}  // namespace assay::dataset
