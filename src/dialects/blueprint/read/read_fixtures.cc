// Reads and checks a fixtures file, and makes a Recording of it.
#include <memory>

#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "dialects/blueprint/blueprint.h"
#include "dialects/blueprint/keys/fixtures.h"
#include "dialects/blueprint/read/fixtures.h"
#include "dialects/blueprint/read/js_values.h"
#include "dialects/blueprint/read/parse.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"
#include "text/yaml/yaml.h"

namespace assay::blueprint {

namespace {

constexpr std::size_t kSourceDigits = 12;
// The judges' scale; the reader of judge replies owns its meaning.
constexpr std::string_view kClasses[] = {"UTTERLY_UNMET", "UNMET",       "TRACE", "SLIGHT",      "PARTIAL",
                                         "MODERATE",      "SUBSTANTIAL", "MAJOR", "VERY_NEARLY", "EXACT"};

bool IsOneOf(std::span<const std::string_view> names, std::string_view name) {
  for (const std::string_view known : names) {
    if (known == name) return true;
  }
  return false;
}

void WarnUnknown(const Member& member, const KeyPlace& place, Diagnostics& diagnostics) {
  if (FindKey(place, member.key) != nullptr) return;
  const std::string_view near = NearKey(place, member.key);
  diagnostics.Warning("fixtures.unknown-key", fmt::format("unknown key {}", Quoted(member.key)),
                      member.key_span,
                      near.empty() ? "it has no effect" : fmt::format("did you mean \"{}\"?", near));
}

void CheckClass(const Value& name, Diagnostics& diagnostics) {
  std::string text = JsText(name);
  if (text.starts_with("CLASS_")) text.erase(0, std::string_view("CLASS_").size());
  if (IsOneOf(kClasses, text)) return;
  const std::string_view near = DidYouMean(text, kClasses);
  diagnostics.Error("fixtures.class",
                    fmt::format("expected a step of the judges' scale, found {}", Quoted(text)), name.span,
                    near.empty() ? "from UTTERLY_UNMET to EXACT" : fmt::format("did you mean \"{}\"?", near));
}

// A judge's reply: a text, {class, reflection}, or a mapping of such. `levels` is how deep a mapping may
// still go.
void CheckReply(const Value& reply, int levels, Diagnostics& diagnostics) {
  if (reply.is_string()) return;
  if (const Value* name = reply.Find("class")) {
    CheckClass(*name, diagnostics);
    return;
  }
  if (!reply.is_map() || levels == 0) {
    diagnostics.Error("fixtures.judge", fmt::format("expected a judge's reply, found {}", KindName(reply)),
                      reply.span, "write {class: MAJOR, reflection: ...} or the reply's text");
    return;
  }
  for (const Member& member : reply.AsMap()) CheckReply(member.value, levels - 1, diagnostics);
}

void CheckJudges(const Value& judges, Diagnostics& diagnostics) {
  constexpr int kReplyLevels = 3;  // byModel, then model, then judge
  if (!judges.is_map()) {
    diagnostics.Error("fixtures.judge", fmt::format("judges: expected a mapping, found {}", KindName(judges)),
                      judges.span, "write judges: {PROMPT: {CRITERION: {class: MAJOR}}}");
    return;
  }
  for (const Member& prompt : judges.AsMap()) {
    if (!prompt.value.is_map()) {
      diagnostics.Error("fixtures.judge",
                        fmt::format("prompt {}: expected a mapping from criteria to replies, found {}",
                                    Quoted(prompt.key), KindName(prompt.value)),
                        prompt.value.span, "write {CRITERION: {class: MAJOR}}");
      continue;
    }
    for (const Member& criterion : prompt.value.AsMap())
      CheckReply(criterion.value, kReplyLevels, diagnostics);
  }
}

void CheckResponses(const Value& responses, Diagnostics& diagnostics) {
  if (!responses.is_map()) {
    diagnostics.Error("fixtures.responses",
                      fmt::format("responses: expected a mapping, found {}", KindName(responses)),
                      responses.span, "write responses: {PROMPT: {default: ...}}");
    return;
  }
  for (const Member& prompt : responses.AsMap()) {
    if (!prompt.value.is_map()) {
      diagnostics.Error(
          "fixtures.responses",
          fmt::format("prompt {}: expected a mapping, found {}", Quoted(prompt.key), KindName(prompt.value)),
          prompt.value.span, "write {default: ...}");
      continue;
    }
    for (const Member& member : prompt.value.AsMap()) WarnUnknown(member, kFixtureEntry, diagnostics);
  }
}

void CheckKeyPoints(const Value& key_points, Diagnostics& diagnostics) {
  const std::string hint = "write keyPoints: {PROMPT: [first point, second point]}";
  if (!key_points.is_map()) {
    diagnostics.Error("fixtures.key-points",
                      fmt::format("keyPoints: expected a mapping, found {}", KindName(key_points)),
                      key_points.span, hint);
    return;
  }
  for (const Member& prompt : key_points.AsMap()) {
    if (Fits(kKeyPointsShape, prompt.value)) continue;
    diagnostics.Error("fixtures.key-points",
                      fmt::format("prompt {}: expected {}", Quoted(prompt.key), ExpectedOf(kKeyPointsShape)),
                      prompt.value.span, hint);
  }
}

void CheckFixtures(const Value& fixtures, FileId file, Diagnostics& diagnostics) {
  if (!fixtures.is_map()) {
    diagnostics.Error("fixtures.document", fmt::format("expected a mapping, found {}", KindName(fixtures)),
                      {file, 0, 0}, "write responses: {PROMPT: {default: ...}}");
    return;
  }
  for (const Member& member : fixtures.AsMap()) WarnUnknown(member, kFixtures, diagnostics);
  const Value* strategy = fixtures.Find("strategy");
  const std::span<const std::string_view> strategies = RowOf(kFixtureKeys, "strategy").shape.words;
  if (strategy != nullptr && !IsOneOf(strategies, JsText(*strategy))) {
    diagnostics.Warning("fixtures.strategy",
                        fmt::format("there is no strategy {}; seeded is used", Quoted(JsText(*strategy))),
                        strategy->span, "the strategies are seeded, round-robin, first");
  }
  if (const Value* responses = fixtures.Find("responses")) CheckResponses(*responses, diagnostics);
  if (const Value* judges = fixtures.Find("judges")) CheckJudges(*judges, diagnostics);
  if (const Value* points = fixtures.Find("keyPoints")) CheckKeyPoints(*points, diagnostics);
}

std::optional<std::string> CandidateText(const FixtureBook& book, const Suite& suite, const RequestTag& tag) {
  const Variant& variant = suite.variants[tag.variant];
  const std::optional<FixturePick> pick =
      book.Pick({suite.cases[tag.case_index].id, variant.model_id, variant.id, suite.run_label, tag.attempt},
                suite.compat);
  if (!pick) return std::nullopt;
  const bool like_weval = suite.compat == Compat::kWeval;
  if (tag.is_final_turn && pick->final_text && (tag.turn == 0 || !like_weval)) return pick->final_text;
  if (tag.is_final_turn && like_weval) return std::nullopt;
  if (tag.turn >= pick->turns.size()) return std::nullopt;
  return pick->turns[tag.turn];
}

std::optional<std::string> JudgeText(const FixtureBook& book, const Suite& suite, const RequestTag& tag) {
  const Case& the_case = suite.cases[tag.case_index];
  const Variant& variant = suite.variants[tag.variant];
  return book.PickJudgeReply({the_case.id, tag.criterion, variant.model_id, variant.id, tag.judge_model,
                              tag.role == RequestRole::kBackupJudge});
}

std::optional<ModelReply> FindReply(const FixtureBook& book, const Suite& suite, const RequestTag& tag) {
  std::optional<std::string> text;
  if (tag.role == RequestRole::kCandidate) {
    text = CandidateText(book, suite, tag);
  } else if (tag.role == RequestRole::kJudge || tag.role == RequestRole::kBackupJudge) {
    text = JudgeText(book, suite, tag);
  } else if (tag.role == RequestRole::kExtraction) {
    text = book.PickKeyPoints(suite.cases[tag.case_index].id);
  }
  if (!text) return std::nullopt;
  ModelReply reply;
  reply.text = std::move(*text);
  reply.finish_reason = "stop";
  return reply;
}

Value ReadDocument(FileId file, std::string_view text, BlueprintFormat format, Diagnostics& diagnostics) {
  if (format == BlueprintFormat::kJson) return ReadJson(file, text, diagnostics);
  std::vector<Value> documents = ReadYaml(file, text, YamlRules::kJsYaml, diagnostics);
  if (documents.size() > 1) {
    diagnostics.Error("fixtures.document", "expected one document, found several", documents[1].span,
                      "remove the line \"---\"");
  }
  return documents.empty() ? Value() : std::move(documents.front());
}

}  // namespace

}  // namespace assay::blueprint

namespace assay {

std::optional<Recording> ReadBlueprintFixtures(const ReadInput& input, FileId file, std::string_view text) {
  const std::size_t errors_before = input.diagnostics.ErrorCount();
  Value fixtures =
      blueprint::ReadDocument(file, text, blueprint::BlueprintFormatOf(input.path), input.diagnostics);
  if (input.diagnostics.ErrorCount() == errors_before)
    blueprint::CheckFixtures(fixtures, file, input.diagnostics);
  if (input.diagnostics.ErrorCount() > errors_before) return std::nullopt;
  Recording recording;
  recording.source = "fixtures:" + HexPrefix(Sha256Of(text), blueprint::kSourceDigits);
  recording.path = input.path;
  recording.find = [book = std::make_shared<const blueprint::FixtureBook>(std::move(fixtures))](
                       const Suite& suite, const ModelRequest&, const RequestTag& tag) {
    return blueprint::FindReply(*book, suite, tag);
  };
  return recording;
}

}  // namespace assay
