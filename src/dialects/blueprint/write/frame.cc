// The common members of result files, and the loop that writes maps over all pairs.
#include "dialects/blueprint/write/frame.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "dialects/blueprint/write/sentences.h"
#include "spec/keyed_headers.h"

namespace assay::blueprint {
namespace {

// Opens a keyed map only when its first member comes.
class LazyMap {
 public:
  LazyMap(JsonStream& json, std::string_view key) : json_(json), key_(key) {}
  void Open() {
    if (std::exchange(open_, true)) return;
    json_.Key(key_);
    json_.OpenMap();
  }
  void Close() {
    if (open_) json_.Close();
  }

 private:
  JsonStream& json_;
  std::string_view key_;
  bool open_ = false;
};

// The system prompt of the variant, as the last case that it answers has it: the original keeps one per
// model.
Value LastSystemPrompt(const Suite& suite, VariantIndex variant) {
  const auto asks = [&](const Case& c) { return c.Asks(variant); };
  const auto last = std::find_if(suite.cases.rbegin(), suite.cases.rend(), asks);
  const Variant& own = suite.variants[variant];
  const auto text = last != suite.cases.rend() ? SystemPromptOf(*last, own) : own.system;
  return text ? Value(*text) : Value(Null{});
}

void WriteTexts(std::string_view key, const std::vector<std::string>& texts, JsonStream& json) {
  json.Key(key);
  json.OpenList();
  for (const std::string& text : texts) json.WriteText(text);
  json.Close();
}

void WritePromptContexts(const FileFrame& frame, JsonStream& json) {
  json.Key("promptContexts");
  json.OpenMap();
  for (const CaseIndex index : frame.cases) {
    const Map* prompt = PromptConfig(frame.suite, frame.suite.cases[index]);
    const Value* messages = prompt != nullptr ? prompt->Find("messages") : nullptr;
    if (messages != nullptr) json.Member(frame.suite.cases[index].id, *messages);
  }
  json.Close();
}

Status WritePairsOfCase(const FileFrame& frame, const PairMap& map, CaseIndex index, LazyMap& outer,
                        JsonStream& json) {
  const Case& the_case = frame.suite.cases[index];
  const std::vector<PointPlace> order = PointOrder(the_case);
  LazyMap inner(json, the_case.id);
  if (map.ideals == PairMap::Ideals::kFirst && HasIdeal(the_case)) {
    outer.Open();
    inner.Open();
    json.Member(kIdealBenchmark, *the_case.ideal);
  }
  const auto visit = [&](const Pair& pair) -> Status {
    const Value entry = map.entry(order, pair);
    if (entry.is_undefined()) return Ok();
    outer.Open();
    inner.Open();
    json.Member(frame.suite.variants[pair.variant].id, entry);
    return json.status();
  };
  ASSAY_CHECK_OK(ForEachPairOf(frame.report, index, map.parts, visit));
  inner.Close();
  return Ok();
}

}  // namespace

List SortedPromptIds(const FileFrame& frame) {
  std::vector<CaseIndex> cases = frame.cases;
  const auto id_of = [&frame](CaseIndex index) -> const std::string& { return frame.suite.cases[index].id; };
  std::sort(cases.begin(), cases.end(),
            [&](CaseIndex a, CaseIndex b) { return CompareUtf16(id_of(a), id_of(b)) < 0; });
  List ids;
  for (const CaseIndex index : cases) {
    const Map* prompt = PromptConfig(frame.suite, frame.suite.cases[index]);
    const Value* written = prompt != nullptr ? prompt->Find("id") : nullptr;
    ids.push_back(written != nullptr && written->is_number() ? *written : Value(id_of(index)));
  }
  return ids;
}

void WriteHead(const FileFrame& frame, const RunPaths& paths, const Value& config, JsonStream& json) {
  const Suite& suite = frame.suite;
  json.Member("configId", suite.id);
  json.Member("configTitle", suite.title);
  json.Member("runLabel", frame.report.run.run_label);
  json.Member("timestamp", paths.timestamp);
  json.Member("description", Detail(config, "description"));
  json.Member("sourceCommitSha", Detail(suite.details, "sourceCommitSha"));
  if (HoldsHeaders(config)) {
    json.Member("config", WithKeyedHeaders(config));
  } else {
    json.Member("config", config);
  }
  json.Member("evalMethodsUsed", Detail(suite.details, "evalMethodsUsed"));
  WriteTexts("effectiveModels", frame.effective_models, json);
  json.Key("modelSystemPrompts");
  json.OpenMap();
  for (std::size_t i = 0; i < suite.variants.size(); ++i) {
    json.Member(suite.variants[i].id, LastSystemPrompt(suite, static_cast<VariantIndex>(i)));
  }
  json.Close();
  json.Member("promptIds", SortedPromptIds(frame));
  WritePromptContexts(frame, json);
  json.Member("extractedKeyPoints", SuiteValueOrEmpty(frame, "extractedKeyPoints"));
}

Value SuiteValueOrEmpty(const FileFrame& frame, const std::string& name) {
  const auto found = frame.report.suite_values.find(name);
  return found != frame.report.suite_values.end() ? found->second : Value(Map());
}

Status WriteTail(const FileFrame& frame, JsonStream& json) {
  const auto has_errors = [](const VariantSummary& variant) { return variant.errors > 0; };
  if (std::any_of(frame.report.variants.begin(), frame.report.variants.end(), has_errors)) {
    const auto failure = [&](const std::vector<PointPlace>&, const Pair& pair) -> Value {
      if (pair.answered()) return Value();
      return GenerationFailure(pair.shown.transcript, frame.suite.variants[pair.variant].id);
    };
    ASSAY_CHECK_OK(WritePairMap(
        frame, {.key = "errors", .when_empty = PairMap::WhenEmpty::kLeftOut, .entry = failure}, json));
  }
  const auto summary = frame.report.suite_values.find("executiveSummary");
  if (summary != frame.report.suite_values.end()) json.Member("executiveSummary", summary->second);
  return json.status();
}

Status WritePairMap(const FileFrame& frame, const PairMap& map, JsonStream& json) {
  LazyMap outer(json, map.key);
  if (map.when_empty == PairMap::WhenEmpty::kWritten) outer.Open();
  for (const CaseIndex index : frame.cases) ASSAY_CHECK_OK(WritePairsOfCase(frame, map, index, outer, json));
  outer.Close();
  return json.status();
}

}  // namespace assay::blueprint
