// Golden rows of the blueprint reader: normal forms, content ids, load-time validation, models, fixtures.
// Everything runs in the mode of weval, through the functions that `assay run` uses.
#include <fmt/core.h>

#include <map>

#include "dialects/blueprint/lower/ids.h"
#include "dialects/blueprint/lower/load.h"
#include "dialects/blueprint/lower/models.h"
#include "dialects/blueprint/read/fixtures.h"
#include "dialects/blueprint/read/js_values.h"
#include "dialects/blueprint/read/parse.h"
#include "dialects/blueprint/read/point_items.h"
#include "tests/conformance/conformance.h"
#include "text/json/json.h"

namespace assay::conformance {
namespace {

using blueprint::BlueprintFormat;
using blueprint::BlueprintFormatOf;
using blueprint::BlueprintIdFromPath;
using blueprint::CanonicalPrompt;
using blueprint::ConfigContentHash;
using blueprint::FixtureBook;
using blueprint::FixturePick;
using blueprint::JsText;
using blueprint::LoadBlueprint;
using blueprint::NormaliseTag;
using blueprint::ParseBlueprint;
using blueprint::ParseContext;
using blueprint::ParseEvalMethods;
using blueprint::PointItem;
using blueprint::ReadPointItem;
using blueprint::ReservedIdPrefix;
using blueprint::ResolveModels;
using blueprint::WeightNames;

constexpr std::string_view kCollections = "/collections";

// Files that exist only in a row.
class MemoryFiles final : public FileReader {
 public:
  void Add(std::string path, std::string text) { files_[std::move(path)] = std::move(text); }
  Result<std::string> Read(std::string_view path) override {
    const auto found = files_.find(std::string(path));
    if (found == files_.end()) return Error{ErrorCode::kNotFound, fmt::format("{} does not exist", path)};
    return found->second;
  }
  bool Exists(std::string_view path) override { return files_.count(std::string(path)) > 0; }
  Result<std::vector<std::string>> List(std::string_view) override { return std::vector<std::string>(); }

 private:
  std::map<std::string, std::string> files_;
};

// One file being read as `assay run --compat weval` reads it.
struct BlueprintReaderReading {
  MemoryFiles files;
  SourceFiles sources;
  Diagnostics diagnostics;
  ReadOptions options;

  BlueprintReaderReading() { options.compat = Compat::kWeval; }

  void SetCollections(const Value& collections) {
    if (!collections.is_map()) return;
    options.own.values["collections-repo-path"] = {std::string(kCollections)};
    for (const Member& collection : collections.AsMap()) {
      files.Add(fmt::format("{}/models/{}.json", kCollections, collection.key),
                WriteJson(collection.value, JsonStyle::kJavaScript));
    }
  }

  std::optional<Value> Parse(const std::string& path, const std::string& text, BlueprintFormat format) {
    ParseContext context{options.compat, diagnostics};
    const FileId file = sources.Add(path, text);
    return ParseBlueprint(file, text, format, context);
  }

  ReadInput Input(const std::string& path) { return {path, options, files, sources, diagnostics}; }
};

BlueprintFormat FormatOf(const Value& row) {
  return GetText(row, "format") == "json" ? BlueprintFormat::kJson : BlueprintFormat::kYaml;
}

// Whether success is as wanted; a difference names the first problem.
bool SameOk(const Value& row, bool ok, const BlueprintReaderReading& reading, Outcome& outcome) {
  const bool want = Get(row, "ok").Truthy();
  if (want == ok) return true;
  const auto all = reading.diagnostics.All();
  outcome.Fail(want ? fmt::format("want success, got \"{}\"", all.empty() ? "nothing" : all.front().message)
                    : fmt::format("want an error like \"{}\", got success", GetText(row, "error")));
  return false;
}

// In JSON with the order of keys, undefined members left out.
Value BlueprintReaderPrinted(const Value& value) {
  return Value(WriteEncoded(value, JsonStyle::kJavaScript));
}

void CompareParse(const Value& row, const std::string& path, const std::string& text, BlueprintFormat format,
                  Outcome& outcome) {
  BlueprintReaderReading reading;
  const std::optional<Value> parsed = reading.Parse(path, text, format);
  if (!SameOk(row, parsed.has_value(), reading, outcome)) return;
  if (parsed) {
    outcome.Same("parsed", BlueprintReaderPrinted(Get(row, "parsed")), BlueprintReaderPrinted(*parsed));
  } else {
    outcome.Pass();
  }
}

// The public blueprints lie beside the golden files: golden/blueprint/parse.jsonl, data/PATH.
Outcome RunParse(const std::string& golden) {
  const std::string data = golden.substr(0, golden.rfind("golden/")) + "data/";
  return ForEachLine(golden, [&](std::size_t, const Value& row, Outcome& outcome) {
    const std::string path = GetText(row, "path");
    DiskFileReader disk;
    const Result<std::string> text = disk.Read(data + path);
    if (!text) {
      outcome.Skip(fmt::format("{} is not there", data + path));
      return;
    }
    CompareParse(row, path, *text, BlueprintFormatOf(path), outcome);
  });
}

Outcome RunParseCases(const std::string& golden) {
  return ForEachLine(golden, [](std::size_t, const Value& row, Outcome& outcome) {
    const BlueprintFormat format = FormatOf(row);
    const bool is_json = format == BlueprintFormat::kJson;
    CompareParse(row, is_json ? "case.json" : "case.yml", GetText(row, "input"), format, outcome);
  });
}

Outcome RunPromptIds(const std::string& golden) {
  return ForEachLine(golden, [](std::size_t, const Value& row, Outcome& outcome) {
    BlueprintReaderReading reading;
    const std::optional<Value> parsed = reading.Parse("case.yml", GetText(row, "input"), FormatOf(row));
    const Value* prompts = parsed ? parsed->Find("prompts") : nullptr;
    if (prompts == nullptr || prompts->AsList().empty()) {
      outcome.Fail("want a prompt, got none");
      return;
    }
    // Rows of one file follow one another: any of its prompts may be meant.
    const std::string id = JsText(Get(row, "id"));
    for (const Value& prompt : prompts->AsList()) {
      if (JsText(Get(prompt, "id")) != id) continue;
      // Ids that the file gives itself have no canonical text.
      const bool generated = Get(row, "generated").Truthy();
      outcome.Same("canonical", Get(row, "canonical"), generated ? Value(CanonicalPrompt(prompt)) : Value());
      return;
    }
    const Value& first = prompts->AsList().front();
    outcome.Fail(fmt::format("want id {} of {}, got {} of {}", id, GetText(row, "canonical"),
                             JsText(Get(first, "id")), CanonicalPrompt(first)));
  });
}

void RunLoad(const Value& row, Outcome& outcome) {
  BlueprintReaderReading reading;
  reading.SetCollections(Get(row, "collections"));
  const std::string path = GetText(row, "path");
  std::optional<Value> config = reading.Parse(path, GetText(row, "input"), BlueprintFormatOf(path));
  if (config) config = LoadBlueprint(std::move(*config), reading.Input(path));
  if (!SameOk(row, config.has_value(), reading, outcome)) return;
  if (config) {
    outcome.Same("config", BlueprintReaderPrinted(Get(row, "config")), BlueprintReaderPrinted(*config));
  } else {
    outcome.Pass();
  }
}

void RunEvalMethods(const Value& row, Outcome& outcome) {
  Diagnostics diagnostics;
  const std::vector<std::string> methods = ParseEvalMethods(GetText(row, "input"), diagnostics);
  outcome.Same("methods", Get(row, "result"), List(methods.begin(), methods.end()));
}

void RunResolveModels(const Value& row, Outcome& outcome) {
  BlueprintReaderReading reading;
  reading.SetCollections(Get(row, "collections"));
  const std::string path = "t.yml";
  Value resolved(ResolveModels(Get(row, "models").AsList(), reading.Input(path)));
  outcome.Same("models", Get(row, "result"), resolved);
}

void RunIdFromPath(const Value& row, Outcome& outcome) {
  outcome.Same("id", Get(row, "id"), Value(BlueprintIdFromPath(GetText(row, "path"))));
}

void RunReservedPrefix(const Value& row, Outcome& outcome) {
  outcome.Same("reserved", Value(Get(row, "error").is_string()),
               Value(!ReservedIdPrefix(GetText(row, "id")).empty()));
}

void RunNormalizeTag(const Value& row, Outcome& outcome) {
  outcome.Same("tag", Get(row, "result"), Value(NormaliseTag(GetText(row, "tag"))));
}

void RunFixturePick(const Value& row, Outcome& outcome) {
  const FixtureBook book(Get(row, "fixtures"));
  const std::string prompt = GetText(row, "promptId");
  const std::string model = GetText(row, "baseModelId");
  const std::string variant = GetText(row, "effectiveModelId");
  const std::string label = GetText(row, "runLabel");
  const std::optional<FixturePick> pick = book.Pick({prompt, model, variant, label, 0}, Compat::kWeval);
  Value got{Null()};
  if (pick) {
    Map map;
    if (pick->final_text) map.Append("final", Value(*pick->final_text));
    if (!pick->turns.empty()) map.Append("turns", List(pick->turns.begin(), pick->turns.end()));
    got = Value(std::move(map));
  }
  outcome.Same("pick", Get(row, "result"), got);
}

void RunConfigHash(const Value& row, Outcome& outcome) {
  outcome.Same("hash", Get(row, "result"), Value(ConfigContentHash(Get(row, "config").AsMap())));
}

// A rubric block as graders see it: {id, displayText, ...} per point.
Value DescribePoint(const PointItem& item, bool inverted, std::size_t path, bool in_path) {
  Map map;
  map.Append("id", Value(item.text));
  map.Append("displayText", Value(item.text));
  if (!item.is_function) map.Append("textToEvaluate", Value(item.text));
  map.Append("multiplier", Value(item.multiplier));
  if (!item.citation.is_undefined()) map.Append("citation", item.citation);
  map.Append("isFunction", Value(item.is_function));
  if (item.is_function) map.Append("functionName", Value(item.function));
  if (!item.args.is_undefined()) map.Append("functionArgs", item.args);
  map.Append("isInverted", Value(inverted));
  if (in_path) map.Append("pathId", Value(fmt::format("path_{}", path)));
  return map;
}

void RunNormalizePoints(const Value& row, Outcome& outcome) {
  Diagnostics diagnostics;
  const bool inverted = Get(row, "isInverted").Truthy();
  List got;
  const auto add = [&](const Value& point, std::size_t index, bool in_path) {
    if (auto item = ReadPointItem(point, "prompt", WeightNames::kOnlyMultiplier, diagnostics)) {
      got.push_back(DescribePoint(*item, inverted, index, in_path));
    }
  };
  const Value& points = Get(row, "points");
  for (std::size_t i = 0; i < points.AsList().size(); ++i) {
    const Value& point = points.AsList()[i];
    if (!point.is_list()) {
      add(point, i, false);
      continue;
    }
    for (const Value& inner : point.AsList()) add(inner, i, true);
  }
  const bool want_error = !Get(row, "result").is_list();
  if (want_error) {
    outcome.Same("error", Value(true), Value(diagnostics.HasErrors()));
  } else {
    outcome.Same("items", BlueprintReaderPrinted(Get(row, "result")),
                 BlueprintReaderPrinted(Value(std::move(got))));
  }
}

constexpr GoldenRow kBlueprintReaderRows[] = {
    {"blueprint/parse.jsonl", RunParse},          {"blueprint/parse_2.jsonl", RunParse},
    {"blueprint/parse_3.jsonl", RunParse},        {"blueprint/parse_cases.jsonl", RunParseCases},
    {"blueprint/prompt_ids.jsonl", RunPromptIds},
};

constexpr KindRow kBlueprintReaderKinds[] = {
    {"blueprint/load_cases.jsonl", "load", RunLoad},
    {"blueprint/load_cases.jsonl", "eval_methods", RunEvalMethods},
    {"blueprint/load_cases.jsonl", "resolve_models", RunResolveModels},
    {"blueprint/misc_utils.jsonl", "id_from_path", RunIdFromPath},
    {"blueprint/misc_utils.jsonl", "reserved_prefix", RunReservedPrefix},
    {"blueprint/misc_utils.jsonl", "normalize_tag", RunNormalizeTag},
    {"blueprint/misc_utils.jsonl", "fixture_pick", RunFixturePick},
    {"blueprint/misc_utils.jsonl", "config_content_hash", RunConfigHash},
    {"blueprint/aggregate.jsonl", "normalize_points", RunNormalizePoints},
};

}  // namespace

std::span<const GoldenRow> BlueprintReaderRows() { return kBlueprintReaderRows; }
std::span<const KindRow> BlueprintReaderKinds() { return kBlueprintReaderKinds; }

}  // namespace assay::conformance
