// Splits the source into documents and these into header and prompts, then normalises each (spec: blueprint 1
// and 2).
#include "dialects/blueprint/read/parse.h"

#include <algorithm>

#include <fmt/core.h>

#include "dialects/blueprint/keys/documents.h"
#include "dialects/blueprint/lower/lint.h"
#include "dialects/blueprint/read/js_values.h"
#include "dialects/blueprint/rows/datasets.h"
#include "dialects/dialect.h"
#include "dialects/slips/plain_texts.h"
#include "dialects/slips/quotes.h"
#include "text/json/json.h"
#include "text/object.h"
#include "text/place_of.h"
#include "text/yaml/yaml.h"

namespace assay::blueprint {

namespace {

// A file taken apart: the header and the entries of the prompts list.
struct Parts {
  Map header;
  List entries;
};

bool AnyTruthy(const Map& map, std::initializer_list<std::string_view> keys) {
  return IsTruthy(FirstTruthy(map, keys));
}

bool IsPromptAlone(const Value& document, const ParseContext& context) {
  if (!document.is_map()) return false;
  if (!context.LikeWeval()) return HasPromptKeys(document.AsMap());
  return AnyTruthy(document.AsMap(), {"prompt", "messages", "should", "ideal", "points"});
}

bool IsHeaderOfStream(const Value& document, const ParseContext& context) {
  if (!IsJsObject(document) || document.is_list()) return false;
  if (!document.is_map()) return true;
  if (!context.LikeWeval()) return !HasPromptKeys(document.AsMap());
  return !AnyTruthy(document.AsMap(), {"prompt", "messages", "should", "ideal", "points", "expect"});
}

// Appends a document's prompts: the items of a list, or the document itself.
void AppendEntries(Value document, List& entries) {
  if (!document.is_list()) {
    entries.push_back(std::move(document));
    return;
  }
  for (Value& item : document.AsList()) entries.push_back(std::move(item));
}

std::optional<Parts> TakeApartJsonObject(Value document, ParseContext& context) {
  const Span where = document.span;
  if (document.is_null()) {
    context.diagnostics.Error("blueprint.document", "expected an object or a list of prompts, found null",
                              where, "write {\"prompts\": [...]} or a list of prompts");
    return std::nullopt;
  }
  Parts parts;
  parts.header = SpreadToMap(std::move(document));
  Value prompts = Take(parts.header, "prompts");
  parts.header.Erase("prompts");
  if (!prompts.Truthy()) return parts;
  if (!prompts.is_list()) {
    context.diagnostics.Error("blueprint.prompts",
                              fmt::format("expected a list of prompts, found {}", KindName(prompts)),
                              prompts.span,
                              prompts.is_map() && !HasPromptKeys(prompts.AsMap())
                                  ? "begin each with a dash, and write its name as its id: \"- id: NAME\""
                                  : "begin each prompt with a dash: \"- prompt: ...\"");
    context.prompts_are_told = true;
    return parts;
  }
  parts.entries = std::move(prompts.AsList());
  return parts;
}

std::optional<Parts> TakeApartOne(Value document, BlueprintFormat format, ParseContext& context) {
  Parts parts;
  if (document.is_list()) {
    parts.entries = std::move(document.AsList());
    return parts;
  }
  const Value* prompts = document.Find("prompts");
  const bool is_mapping = prompts != nullptr && prompts->is_map() && !context.LikeWeval();
  if (format == BlueprintFormat::kJson || is_mapping || (prompts != nullptr && prompts->is_list())) {
    return TakeApartJsonObject(std::move(document), context);
  }
  if (!IsJsObject(document)) {
    context.diagnostics.Error(
        "blueprint.document",
        fmt::format("expected a mapping or a list of prompts, found {}", KindName(document)), document.span,
        "a blueprint is a header with prompts, or a list of prompts");
    return std::nullopt;
  }
  if (IsPromptAlone(document, context)) {
    parts.entries.push_back(std::move(document));
    return parts;
  }
  if (IsTruthy(prompts)) LintLostPrompts(*document.AsMap().FindMember("prompts"), context);
  parts.header = SpreadToMap(std::move(document));
  parts.header.Erase("prompts");
  return parts;
}

Parts TakeApartStream(List documents, ParseContext& context) {
  Parts parts;
  std::size_t first = 0;
  if (IsHeaderOfStream(documents[0], context)) {
    parts.header = SpreadToMap(std::move(documents[0]));
    if (const Member* prompts = parts.header.FindMember("prompts")) {
      LintLostPrompts(*prompts, context);
      parts.header.Erase("prompts");
    }
    first = 1;
  }
  for (std::size_t i = first; i < documents.size(); ++i)
    AppendEntries(std::move(documents[i]), parts.entries);
  return parts;
}

// Whether every error is of a kind that leaves all values readable.
bool OnlyRepeatsKeys(const Diagnostics& diagnostics) {
  const auto is_harmless = [](const Diagnostic& problem) {
    return problem.severity != Severity::kError || problem.code == "yaml.duplicate-key";
  };
  return std::all_of(diagnostics.All().begin(), diagnostics.All().end(), is_harmless);
}

// The documents of the source, null ones dropped; none after an error.
std::optional<List> ReadDocuments(FileId file, std::string_view text, BlueprintFormat format, bool reads_on,
                                  Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.ErrorCount();
  List documents;
  if (format == BlueprintFormat::kJson) {
    documents.push_back(ReadJson(file, text, diagnostics));
  } else {
    documents = ReadYaml(file, text, YamlRules::kJsYaml, diagnostics);
    std::erase_if(documents, [](const Value& document) { return document.is_nullish(); });
  }
  if (diagnostics.ErrorCount() > errors_before && !(reads_on && OnlyRepeatsKeys(diagnostics)))
    return std::nullopt;
  if (documents.empty()) {
    diagnostics.Error("blueprint.empty", "expected a header or prompts, found an empty file", {file, 0, 0},
                      "write at least one prompt");
    return std::nullopt;
  }
  return documents;
}

std::optional<Parts> TakeApart(List documents, BlueprintFormat format, ParseContext& context) {
  if (documents.size() == 1) return TakeApartOne(std::move(documents[0]), format, context);
  return TakeApartStream(std::move(documents), context);
}

// The first key of a file that weval does not know and that changes what answers are graded by; null: none.
const Member* ExtractKeyIn(const Map& header, const List& entries) {
  if (const Member* member = header.FindMember("extract")) return member;
  const auto in_points = [](const Value* points) -> const Member* {
    if (points == nullptr || !points->is_list()) return nullptr;
    for (const Value& point : points->AsList()) {
      const Member* member = point.is_map() ? point.AsMap().FindMember("extract") : nullptr;
      if (member != nullptr && point.AsMap().size() > 1) return member;
    }
    return nullptr;
  };
  for (const Value& entry : entries) {
    if (!entry.is_map()) continue;
    if (const Member* member = entry.AsMap().FindMember("extract")) return member;
    for (const std::string_view block : {"should", "should_not"}) {
      const KeyRow* key = FindKey(kPrompt, block);
      for (const Member& member : entry.AsMap()) {
        if (!key->IsNamed(member.key)) continue;
        if (const Member* found = in_points(&member.value)) return found;
      }
    }
  }
  return nullptr;
}

// Keys that weval does not have, of whose meaning a run in its mode would lose something.
void RefuseOurKeys(const Parts& parts, ParseContext& context) {
  if (!context.LikeWeval()) return;
  const auto refuse = [&context](const Map& map, std::string_view key) {
    const Member* member = map.FindMember(key);
    if (member == nullptr) return;
    context.diagnostics.Error("dataset.compat", fmt::format("weval has no key `{}`", key), member->key_span,
                              "run the file without --compat, or remove the key");
  };
  for (const std::string_view key : {"pass", "pass_at_k"}) refuse(parts.header, key);
  for (const Value& entry : parts.entries) {
    if (entry.is_map()) refuse(entry.AsMap(), "group");
  }
}

// Where only some rows are read, or become cases, an error makes the reader take all of them: only later rows
// may have the column, and the message about a misspelled filter lists the names of cases.
std::vector<PromptEntry> ExpandedRows(Parts& parts, DatasetReading& reading) {
  while (reading.rows_max || reading.counting != nullptr) {
    Parts copy = parts;
    std::vector<PromptEntry> entries = ExpandDatasets(copy.header, std::move(copy.entries), reading);
    const bool is_part = std::exchange(reading.rows_max, std::nullopt).has_value();
    if (!(is_part && reading.problems.HasErrors()) && !reading.has_missed) {
      parts.header = std::move(copy.header);
      return entries;
    }
    if (!is_part || reading.has_missed) reading.counting = nullptr;
    reading.has_missed = false;
    reading.alike_checks = 0;
    reading.problems = {};
    reading.read.clear();
    reading.kept.clear();
  }
  return ExpandDatasets(parts.header, std::move(parts.entries), reading);
}

// The prompts, those of datasets expanded.
std::vector<PromptEntry> EntriesOf(Parts& parts, ParseContext& context) {
  RefuseOurKeys(parts, context);
  const Member* key = DatasetKeyIn(parts.header, parts.entries);
  const Member* unknown = key;
  if (unknown == nullptr && context.LikeWeval()) unknown = ExtractKeyIn(parts.header, parts.entries);
  if (unknown != nullptr) {
    if (context.LikeWeval()) {
      context.diagnostics.Error("dataset.compat", fmt::format("weval does not know the key {}", unknown->key),
                                unknown->value.span,
                                "run the file without --compat, or write out each prompt");
      context.prompts_are_told = true;
      return {};
    }
    if (context.datasets != nullptr) {
      std::vector<PromptEntry> entries = ExpandedRows(parts, *context.datasets);
      context.datasets->problems.TellTo(context.diagnostics);
      if (context.datasets->problems.HasErrors()) context.prompts_are_told = true;
      return entries;
    }
  }
  std::vector<PromptEntry> entries;
  entries.reserve(parts.entries.size());
  for (Value& entry : parts.entries) entries.push_back({std::move(entry)});
  return entries;
}

bool CallsCode(const Value& points) {
  if (!points.is_list()) return false;
  return std::any_of(points.AsList().begin(), points.AsList().end(), [](const Value& point) {
    const std::string& function = point.TextAt("fn");
    return function == "js" || function == "expr" || CallsCode(point);
  });
}

// What only prompts of rows have: other ways to ask, examples that judges do not see, and for code the row.
void AddOfRow(PromptEntry entry, Map& prompt, ParseContext& context) {
  if (!entry.askings.empty()) {
    List askings;
    for (PromptAsking& asking : entry.askings) {
      askings.push_back(
          Object{{"name", std::move(asking.name)},
                 {"messages", NormaliseMessages(std::move(asking.messages), context.filled->name, context)}});
    }
    prompt.Append("askings", Value(std::move(askings)));
  }
  if (entry.unshown > 0) prompt.Append("unshown", ToValue(entry.unshown));
  if (entry.row == nullptr) return;
  for (const std::string_view block : {"points", "should_not"}) {
    const Value* points = prompt.Find(block);
    if (points == nullptr || !CallsCode(*points)) continue;
    prompt.Append("row", Value(*entry.row));
    return;
  }
}

}  // namespace

BlueprintFormat BlueprintFormatOf(std::string_view path) {
  return path.ends_with(".yml") || path.ends_with(".yaml") ? BlueprintFormat::kYaml : BlueprintFormat::kJson;
}

bool HasPromptKeys(const Map& document) {
  constexpr std::string_view kSure[] = {"prompt", "messages", "should", "should_not", "ideal"};
  return std::any_of(document.begin(), document.end(), [&](const Member& member) {
    const KeyRow* key = FindKey(kPrompt, member.key);
    return key != nullptr && std::find(std::begin(kSure), std::end(kSure), key->name) != std::end(kSure);
  });
}

Value StandInMessages(Span where) {
  Value only(Object{{"role", "user"}, {"content", "?"}});
  only.span = where;
  Value messages(List{std::move(only)});
  messages.span = where;
  return messages;
}

Value StandInModels(Span where) {
  Value model("echo:?");
  model.span = where;
  Value models(List{std::move(model)});
  models.span = where;
  return models;
}

std::optional<Value> NormaliseParts(Map header, std::vector<PromptEntry> entries, Span whole,
                                    std::size_t errors_before, ParseContext& context) {
  LintHeader(header, context);
  HeaderFacts facts = NormaliseHeader(header, context);
  List prompts;
  prompts.reserve(entries.size());
  std::size_t position = 0;
  for (PromptEntry& entry : entries) {
    context.filled = entry.filled;
    Value prompt = NormalisePrompt(std::move(entry.value), ++position, facts, context);
    if (prompt.is_undefined()) {
      context.prompts_are_told = true;
    } else {
      AddOfRow(std::move(entry), prompt.AsMap(), context);
      prompts.push_back(std::move(prompt));
    }
  }
  context.filled = nullptr;
  LintWithoutPoints(context);
  CheckServices(header, context);
  if (!MayReadOn(context.diagnostics, errors_before, context.reads_on)) return std::nullopt;
  if (context.models_are_told && header.Find("models") == nullptr)
    header.Append("models", StandInModels(whole));
  header.Append("prompts", std::move(prompts));
  Value normal_form(std::move(header));
  normal_form.span = whole;
  return normal_form;
}

std::optional<Value> ParseBlueprint(FileId file, std::string_view text, BlueprintFormat format,
                                    ParseContext& context) {
  const std::size_t errors_before = context.diagnostics.ErrorCount();
  std::optional<List> documents = ReadDocuments(file, text, format, context.reads_on, context.diagnostics);
  if (!documents) return std::nullopt;
  for (const Value& document : *documents) {
    WarnOfTypographicQuotes(document, "blueprint.typographic-quotes", context.diagnostics);
    if (format == BlueprintFormat::kYaml) WarnOfPlainTexts(document, text, "blueprint", context.diagnostics);
  }
  const Span whole = documents->front().span;
  std::optional<Parts> parts = TakeApart(std::move(*documents), format, context);
  if (!parts) return std::nullopt;

  std::vector<PromptEntry> entries = EntriesOf(*parts, context);
  return NormaliseParts(std::move(parts->header), std::move(entries), whole, errors_before, context);
}

}  // namespace assay::blueprint
