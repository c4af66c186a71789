// The warnings about headers, prompts and points of a blueprint: unknown or misplaced keys, and values that
// have no effect.
#include "dialects/blueprint/lower/lint.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/core.h>

#include "base/limits.h"
#include "base/text/ascii.h"
#include "dialects/blueprint/keys/documents.h"
#include "dialects/blueprint/read/js_values.h"
#include "dialects/blueprint/read/model_options.h"
#include "dialects/blueprint/rows/datasets.h"

namespace assay::blueprint {

namespace {

const KeyPlace& HeaderOf(const ParseContext& context) {
  return context.LikeWeval() ? kHeaderOfWeval : kHeader;
}

// The key of a place by one of its names; "" for what the place does not have.
std::string_view NameIn(const KeyPlace& place, std::string_view written) {
  const KeyRow* key = FindKey(place, written);
  return key == nullptr ? std::string_view() : key->name;
}

// Nothing is suggested for warnings beyond the cap: a nearest key costs time, and nobody would see it.
std::string Suggestion(const ParseContext& context, std::string_view key, const KeyPlace& place,
                       std::string otherwise) {
  if (context.diagnostics.WarningCount() > limits::kDiagnosticsMax) return otherwise;
  const std::string_view near = NearKey(place, key);
  return near.empty() ? std::move(otherwise) : fmt::format("did you mean \"{}\"?", near);
}

void Warn(ParseContext& context, std::string code, std::string message, Span at, std::string hint = {}) {
  context.diagnostics.Warning(std::move(code), std::move(message), at, std::move(hint));
}

void Warn(const PointScope& scope, std::string code, std::string_view message, Span at, std::string hint) {
  Warn(scope.context, std::move(code), fmt::format("{}: {}", scope.prompt, message), at, std::move(hint));
}

// The span of a member's key, or of its value where the reader knows none.
Span KeySpan(const Member& member) {
  return member.key_span.file == FileId::kNone ? member.value.span : member.key_span;
}

bool IsNameChar(char c) { return IsAsciiAlphanumeric(c) || c == '_'; }

// "$contains: 'x'" -> "contains"; "" if the text does not look like a call.
std::string_view CalledName(std::string_view text) {
  text.remove_prefix(1);
  std::size_t end = 0;
  while (end < text.size() && IsNameChar(text[end])) ++end;
  const bool starts_like_a_name = end > 0 && !(text[0] >= '0' && text[0] <= '9');
  const bool is_call = end == text.size() || text[end] == ':' || text[end] == '(';
  return starts_like_a_name && is_call ? text.substr(0, end) : std::string_view();
}

// Warns about each key of a map that its place does not have; `of` names the place, if not by its own words.
void LintKeys(const Value* map, const KeyPlace& place, ParseContext& context, std::string_view of = {}) {
  if (map == nullptr || !map->is_map()) return;
  for (const Member& member : map->AsMap()) {
    if (FindKey(place, member.key) != nullptr) continue;
    Warn(context, "blueprint.unknown-key",
         fmt::format("unknown key {} in {}", Quoted(member.key), of.empty() ? place.words : of),
         KeySpan(member), Suggestion(context, member.key, place, "it has no effect"));
  }
}

// Keys of a map that have no effect although they are known.
void LintKeptKeys(const Map& map, const KeyPlace& place, std::string_view of, ParseContext& context) {
  if (context.LikeWeval()) return;
  for (const std::span<const KeyRow> part : place.parts) {
    for (const KeyRow& key : part) {
      const Member* member = key.instead.empty() ? nullptr : map.FindMember(key.name);
      if (member == nullptr || !member->value.Truthy()) continue;
      Warn(context, "blueprint.no-effect",
           fmt::format("{}: {} is kept in the results and has no effect", of, Quoted(key.name)),
           KeySpan(*member), std::string(key.instead));
    }
  }
}

// A slip in the one key that decides who is asked, and what is paid.
bool MeansModels(std::string_view key) {
  constexpr std::string_view kModels[] = {"models"};
  constexpr std::size_t kSlipMax = 2;
  return key.size() <= kModels[0].size() + kSlipMax && !DidYouMean(key, kModels).empty();
}

constexpr std::string_view kQuestionNames[] = {"prompt", "promptText", "messages"};

bool IsQuestion(std::string_view key) {
  const std::string_view name = NameIn(kPrompt, key);
  return name == "prompt" || name == "messages";
}

bool IsRubric(std::string_view key) {
  const std::string_view name = NameIn(kPrompt, key);
  return name == "should" || name == "should_not";
}

bool HasAny(const Map& entry, bool (*is_meant)(std::string_view)) {
  return std::any_of(entry.begin(), entry.end(), [&](const Member& member) { return is_meant(member.key); });
}

// `judgeModels` sounds like the judges, and is not: who judges costs more.
void LintExtractors(const Value& coverage, ParseContext& context) {
  const Member* extractors = coverage.AsMap().FindMember("judgeModels");
  if (extractors == nullptr || !extractors->value.Truthy() || IsTruthy(coverage.Find("judges"))) return;
  Warn(
      context, "blueprint.judge-models",
      "\"judgeModels\" only extract key points of ideal answers, as in weval; the judges of all criteria are "
      "the "
      "usual ones, which are paid",
      KeySpan(*extractors), "name the judges under \"judges\" as well, or with --judge");
}

void LintEvaluation(const Value* evaluation, ParseContext& context) {
  LintKeys(evaluation, kEvaluation, context);
  const Value* coverage = evaluation == nullptr ? nullptr : evaluation->Find(kLlmCoverage.words);
  if (coverage == nullptr || !coverage->is_map()) return;
  for (const Member& member : coverage->AsMap()) {
    const KeyRow* key = FindKey(kLlmCoverage, member.key);
    if (key == nullptr || key->instead.empty()) continue;
    Warn(context, "blueprint.no-effect", fmt::format("{} has no effect, as in weval", Quoted(member.key)),
         KeySpan(member), std::string(key->instead));
  }
  const Value* judges = coverage->Find("judges");
  LintExtractors(*coverage, context);
  LintKeys(coverage, kLlmCoverage, context);
  if (judges == nullptr || !judges->is_list()) return;
  const KeyPlace& place = context.LikeWeval() ? kJudgeOfWeval : kJudge;
  for (const Value& judge : judges->AsList()) LintKeys(&judge, place, context);
}

void LintServices(const Value* services, ParseContext& context) {
  if (services == nullptr || !services->is_map()) return;
  for (const Member& service : services->AsMap()) {
    LintKeys(&service.value, kService, context, fmt::format("service {}", Quoted(service.key)));
  }
}

void LintModels(const Value* models, ParseContext& context) {
  if (models == nullptr || !models->is_list()) return;
  for (const Value& model : models->AsList()) {
    // A map of one member is a slip for a text and is told elsewhere.
    if (!context.LikeWeval() && HasModelOptions(model)) {
      LintKeys(&model, kModelEntry, context);
    } else if (model.is_map() && model.AsMap().size() > 1) {
      LintKeys(&model, kCustomModel, context);
    }
  }
}

std::size_t CountPaths(const Value* block) {
  if (block == nullptr || !block->is_list()) return 0;
  return static_cast<std::size_t>(std::count_if(block->AsList().begin(), block->AsList().end(),
                                                [](const Value& point) { return point.is_list(); }));
}

void LintPaths(const Value& prompt, std::string_view name, ParseContext& context) {
  const Value* should_not = prompt.Find("should_not");
  if (CountPaths(prompt.Find("points")) == 0 || CountPaths(should_not) == 0) return;
  Warn(context, "blueprint.merged-paths", fmt::format("{}: alternatives in both should and should_not", name),
       should_not->span,
       context.LikeWeval()
           ? "weval lets all of them compete, and merges those at the same place of both lists"
           : "each list is satisfied by its own best alternative; weval merges the two");
}

// A key of the header in a prompt: where no header names models, others would be asked.
void LintHeaderKey(const Member& member, std::string_view prompt, const HeaderFacts& header,
                   ParseContext& context) {
  const bool decides = member.key == "models" && !header.names_models && !context.LikeWeval();
  if (decides) context.models_are_told = true;
  context.diagnostics.Add(
      {.severity = decides ? Severity::kError : Severity::kWarning,
       .code = "blueprint.lost-header-key",
       .message = fmt::format("{}: {} belongs in the header and has no effect here{}", prompt,
                              Quoted(member.key), decides ? ": other models would be asked" : ""),
       .hint = "put a line \"---\" between the header and the first prompt",
       .where = KeySpan(member)});
}

// A rubric that is written and holds nothing; where there is an ideal, points are made of that.
constexpr std::size_t kRowsWithoutPointsTold = 10;

void LintEmptyRubric(const Map& entry, std::string_view prompt, ParseContext& context) {
  const auto is_empty = [](const Value& block) {
    return block.is_null() || (block.is_list() && block.AsList().empty());
  };
  const Member* empty = nullptr;
  for (const Member& member : entry) {
    if (NameIn(kPrompt, member.key) == "ideal") return;
    if (!IsRubric(member.key)) continue;
    if (!is_empty(member.value)) return;
    if (empty == nullptr) empty = &member;
  }
  if (empty == nullptr) return;
  const Value* id = context.filled ? entry.Find("id") : nullptr;
  if (id != nullptr) {
    if (++context.rows_without_points > kRowsWithoutPointsTold) return;
    return Warn(context, "blueprint.no-points",
                fmt::format("{}: no cell fills {}, so that the answer to this row gets no score", prompt,
                            Quoted(empty->key)),
                id->span, "fill a cell, or leave the row out with where");
  }
  Warn(context, "blueprint.no-points",
       fmt::format("{}: {} is empty, so that its answers get no score", prompt, Quoted(empty->key)),
       KeySpan(*empty), "write what an answer should say, or leave the key out");
}

// What other tools call a key, or what authors take for one.
struct OtherName {
  std::string_view name, ours;
};
constexpr OtherName kOtherNames[] = {{"must", "should"},
                                     {"shall", "should"},
                                     {"criteria", "should"},
                                     {"criterion", "should"},
                                     {"rubric", "should"},
                                     {"assert", "should"},
                                     {"asserts", "should"},
                                     {"assertions", "should"},
                                     {"checks", "should"},
                                     {"expected", "should"},
                                     {"must_not", "should_not"},
                                     {"mustnt", "should_not"},
                                     {"shouldnt", "should_not"},
                                     {"should-not", "should_not"},
                                     {"shouldNot", "should_not"},
                                     {"mustNot", "should_not"},
                                     {"question", "prompt"},
                                     {"query", "prompt"},
                                     {"input", "prompt"},
                                     {"user", "prompt"},
                                     {"conversation", "messages"},
                                     {"turns", "messages"},
                                     {"reference_answer", "ideal"},
                                     {"golden", "ideal"},
                                     {"target", "ideal"},
                                     {"answer", "ideal"}};

// The key of a prompt that is meant by `key`; "" if none is near.
std::string_view MeantPromptKey(std::string_view key) {
  const auto* const other = std::find_if(std::begin(kOtherNames), std::end(kOtherNames),
                                         [key](const OtherName& each) { return each.name == key; });
  return other != std::end(kOtherNames) ? other->ours : NearKey(kPrompt, key);
}

// A question that is written and holds nothing.
bool LosesEmptyQuestion(const Map& entry, std::string_view prompt, ParseContext& context) {
  const Member* empty = nullptr;
  for (const Member& member : entry) {
    if (!IsQuestion(member.key)) continue;
    if (member.value.Truthy() && !(member.value.is_list() && member.value.AsList().empty())) return false;
    if (empty == nullptr) empty = &member;
  }
  if (empty == nullptr || context.LikeWeval()) return false;
  context.diagnostics.Error(
      "blueprint.messages",
      fmt::format("{}: {} is empty, so that it asks nothing", prompt, Quoted(empty->key)), KeySpan(*empty),
      "write what is to be asked");
  return true;
}

// Not what has another name in a prompt: `references` of the header, which means `reference` there.
bool BelongsInHeader(std::string_view key, const ParseContext& context) {
  const KeyRow* row = FindKey(HeaderOf(context), key);
  return row != nullptr && FindKey(kPrompt, row->name) == nullptr && !IsQuestion(MeantPromptKey(key));
}

// Nothing is suggested for warnings beyond the cap.
std::string PromptKeyHint(const ParseContext& context, std::string_view key) {
  if (context.diagnostics.WarningCount() > limits::kDiagnosticsMax) return "it has no effect";
  const std::string_view meant = MeantPromptKey(key);
  return meant.empty() ? "it has no effect" : fmt::format("did you mean \"{}\"?", meant);
}

// An ideal answer is enough: key points are made of it.
void NotePoints(const Map& entry, std::string_view prompt, bool has_points, ParseContext& context) {
  if (has_points || IsTruthy(entry.Find("ideal")) || IsTruthy(entry.Find("idealResponse"))) {
    context.some_have_points = true;
    return;
  }
  const Member* first = entry.empty() ? nullptr : entry.begin();
  for (const Member& member : entry) {
    if (IsQuestion(member.key)) first = &member;
  }
  if (first != nullptr) context.without_points.push_back({std::string(prompt), Value(), KeySpan(*first)});
}

void LintMultiplier(const Value& point, std::string_view name, ParseContext& context) {
  const Value* multiplier = point.Find("multiplier");
  if (multiplier == nullptr || !multiplier->is_number() || !std::isnan(multiplier->AsNumber())) return;
  Warn(context, "blueprint.no-score",
       fmt::format("{}: a weight that is no number makes every score one too", name), point.span,
       "write a number from 0.1 to 10");
}

}  // namespace

void LintHeader(const Map& header, ParseContext& context) {
  LintHeaderAliases(header, context);
  LintEvaluation(header.Find("evaluationConfig"), context);
  LintModels(header.Find("models"), context);
  LintServices(header.Find("externalServices"), context);
  LintKeptKeys(header, kHeader, kHeader.words, context);
  // Rows fill these in.
  const bool are_filled = context.datasets != nullptr && !context.datasets->read.empty();
  for (const std::string_view key : {"system", "systemPrompt", "systems"}) {
    const Value* text = are_filled ? nullptr : header.Find(key);
    if (text != nullptr) LintQuestion(*text, "the header", context);
  }
  for (const Member& member : header) {
    if (FindKey(HeaderOf(context), member.key) != nullptr) continue;
    if (FindKey(kPrompt, member.key) != nullptr) {
      Warn(context, "blueprint.lost-prompt-key",
           fmt::format("{} has no meaning in the header", Quoted(member.key)), KeySpan(member),
           "move it into a prompt");
      continue;
    }
    if (MeansModels(member.key) && !context.LikeWeval()) {
      context.diagnostics.Error("blueprint.unknown-key",
                                fmt::format("unknown key {} in the header", Quoted(member.key)),
                                KeySpan(member), "did you mean \"models\"? Other models would be asked");
      context.models_are_told = true;
      continue;
    }
    Warn(context, "blueprint.unknown-key", fmt::format("unknown key {} in the header", Quoted(member.key)),
         KeySpan(member),
         Suggestion(context, member.key, HeaderOf(context), "it is kept in the results and has no effect"));
  }
}

void LintLostPrompts(const Member& prompts, ParseContext& context) {
  Warn(context, "blueprint.lost-header-key", "these prompts are not read", KeySpan(prompts),
       "prompts are a list, in the header or in the documents after it, not both");
}

bool LintPrompt(const Map& entry, std::string_view prompt, const HeaderFacts& header, ParseContext& context) {
  LintPromptAliases(entry, prompt, context);
  LintKeptKeys(entry, kPrompt, prompt, context);
  for (const std::string_view key : {"prompt", "promptText", "messages", "system"}) {
    if (const Value* text = entry.Find(key)) LintQuestion(*text, prompt, context);
  }
  const bool has_rubric = HasAny(entry, IsRubric);
  const bool has_question = HasAny(entry, IsQuestion);
  constexpr std::string_view kAsksNothing = "so that it asks nothing";
  constexpr std::string_view kHasNoPoints = "so that it has no criteria";
  bool is_question_lost = false;
  bool are_points_lost = false;
  // What an unknown key takes away with it; "" if nothing that matters.
  const auto lost_by = [&](std::string_view key) -> std::string_view {
    // Beyond the cap nobody would see it, and a file with errors is refused in any case.
    if (context.LikeWeval() || context.diagnostics.ErrorCount() > limits::kDiagnosticsMax) return {};
    const std::string_view meant = MeantPromptKey(key);
    if (!has_question && (IsQuestion(meant) || !DidYouMean(key, kQuestionNames).empty())) return kAsksNothing;
    return !has_rubric && IsRubric(meant) ? kHasNoPoints : std::string_view();
  };
  for (const Member& member : entry) {
    if (FindKey(kPrompt, member.key) != nullptr) continue;
    if (const std::string_view lost = lost_by(member.key); !lost.empty()) {
      context.diagnostics.Error(
          "blueprint.unknown-key", fmt::format("{}: unknown key {}, {}", prompt, Quoted(member.key), lost),
          KeySpan(member), fmt::format("did you mean \"{}\"?", MeantPromptKey(member.key)));
      is_question_lost = is_question_lost || lost == kAsksNothing;
      are_points_lost = are_points_lost || lost == kHasNoPoints;
    } else if (BelongsInHeader(member.key, context)) {
      LintHeaderKey(member, prompt, header, context);
    } else {
      Warn(context, "blueprint.unknown-key", fmt::format("{}: unknown key {}", prompt, Quoted(member.key)),
           KeySpan(member), PromptKeyHint(context, member.key));
    }
  }
  LintEmptyRubric(entry, prompt, context);
  NotePoints(entry, prompt, has_rubric || are_points_lost, context);
  return is_question_lost || (has_question && LosesEmptyQuestion(entry, prompt, context));
}

void LintWithoutPoints(ParseContext& context) {
  if (context.rows_without_points > kRowsWithoutPointsTold) {
    Warn(context, "blueprint.no-points",
         fmt::format("{} rows have no criteria; the first {} are named", context.rows_without_points,
                     kRowsWithoutPointsTold),
         {}, "fill the cells, or leave the rows out with where");
  }
  // Who writes no points at all wants answers alone.
  if (!context.some_have_points || context.LikeWeval()) return;
  for (const Member& prompt : context.without_points) {
    Warn(context, "blueprint.no-points",
         fmt::format("{} has no criteria: its answers get no score", prompt.key), prompt.key_span,
         "write what an answer should say under \"should:\"");
  }
}

void LintRubricNotList(const Value& block, std::string_view key, const PointScope& scope) {
  // weval reads on, without a point.
  scope.context.diagnostics.Add(
      {.severity = scope.context.LikeWeval() ? Severity::kWarning : Severity::kError,
       .code = "blueprint.rubric-not-list",
       .message = fmt::format("{}: {}: expected a list of criteria, found {}; no criterion is read",
                              scope.prompt, key, KindName(block)),
       .hint = block.is_string() ? DashHint(block.AsString(), "start each criterion with a dash: \"- \"")
                                 : "start each criterion with a dash",
       .where = block.span});
}

void LintPoint(const Map& fields, const PointScope& scope) {
  bool is_call = false;
  for (const Member& member : fields) is_call = is_call || member.key.starts_with('$');
  // A single pair that is no point key is a text with its citation.
  if (!is_call && fields.size() == 1) {
    const Member& only = *fields.begin();
    const bool is_call_key = FindKey(kCall, only.key) != nullptr;
    const std::string_view meant = is_call_key ? std::string_view() : NearKey(kSubject, only.key);
    if (only.value.is_string() && (is_call_key || (!meant.empty() && meant != only.key))) {
      Warn(scope, "blueprint.odd-citation",
           fmt::format("{} alone is read as a criterion with a citation", Quoted(only.key)), KeySpan(only),
           is_call_key ? "add the criterion's text or function" : fmt::format("did you mean \"{}\"?", meant));
    } else if (only.value.is_string() && meant == only.key) {
      if (only.value.AsString().empty())
        Warn(scope, "blueprint.empty-point",
             fmt::format("{} is empty, so that its name is read as the criterion", Quoted(only.key)),
             KeySpan(only), "write what an answer should say");
    } else if (only.value.is_string()) {
      LintCitedText(only, scope);
    }
    return;
  }
  LintPointAliases(fields, scope);
  bool seen_call = false;
  for (const Member& member : fields) {
    const bool is_first_call = member.key.starts_with('$') && !seen_call;
    seen_call = seen_call || is_first_call;
    if (is_first_call || FindKey(is_call ? kCall : kPoint, member.key) != nullptr) continue;
    Warn(scope, "blueprint.unknown-key",
         fmt::format("{} has no effect in this criterion", Quoted(member.key)), KeySpan(member),
         is_call && member.key.starts_with('$') ? "write each function as a criterion of its own"
                                                : Suggestion(scope.context, member.key, kPoint, "remove it"));
  }
}

std::string NearPointKey(const Map& fields) {
  for (const Member& member : fields) {
    const std::string_view near =
        FindKey(kPoint, member.key) != nullptr ? std::string_view() : NearKey(kSubject, member.key);
    if (!near.empty()) return fmt::format("did you mean \"{}\" where it says {}?", near, Quoted(member.key));
  }
  return {};
}

// weval reads on, and gives each answer an error for the point. Published blueprints hold many quoted calls:
// those alone stop nobody.
void LintQuotedFunction(const Value& text, const PointScope& scope) {
  const std::string& written = text.AsString();
  const std::string_view name = CalledName(written);
  if (name.empty()) {
    scope.context.diagnostics.Add(
        {.severity = scope.context.LikeWeval() ? Severity::kWarning : Severity::kError,
         .code = "blueprint.dollar-text",
         .message =
             fmt::format("{}: {} starts with $ and is read as a function", scope.prompt, Quoted(written)),
         .hint = "start the criterion with a word",
         .where = text.span});
  } else if (name.size() + 1 < written.size()) {
    Warn(
        scope, "blueprint.quoted-function",
        fmt::format("{} is one text, so no function of that name exists: the criterion is an error for every "
                    "answer",
                    Quoted(written)),
        text.span, fmt::format("take off the outer quotes: - ${}: ...", name));
  }
}

bool IsToldAsText(const Value& point) {
  const Value* fn = point.Find("fn");
  // A name that was written as one has a place.
  if (fn == nullptr || !fn->is_string() || fn->span.file != FileId::kNone) return false;
  const std::string written = "$" + fn->AsString();
  return CalledName(written).size() + 1 < written.size();
}

void LintPathText(const Value& text, const PointScope& scope) {
  const std::string& written = text.AsString();
  if (written.size() < 2 || written[0] != '$' || CalledName(written).empty()) return;
  Warn(scope, "blueprint.path-text",
       fmt::format("{} is a criterion for the judges here, not a function", Quoted(written)), text.span,
       "within a list write a mapping: {$name: argument}");
}

void LintNormalForm(const Map& normal_form, ParseContext& context) {
  const Value* prompts = normal_form.Find("prompts");
  if (prompts == nullptr || !prompts->is_list()) return;
  for (const Value& prompt : prompts->AsList()) {
    const Value* id = prompt.Find("id");
    const std::string name = fmt::format("prompt {}", Quoted(id == nullptr ? "" : JsText(*id)));
    LintPaths(prompt, name, context);
    for (const std::string_view key : {"points", "should_not"}) {
      const Value* block = prompt.Find(key);
      if (block == nullptr) continue;
      for (const Value& point : block->AsList()) LintMultiplier(point, name, context);
    }
  }
}

}  // namespace assay::blueprint
