// Normalises one prompt: messages, id, system prompt, weight, points (spec: blueprint 4).
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/limits.h"
#include "dialects/blueprint/keys/documents.h"
#include "dialects/blueprint/lower/ids.h"
#include "dialects/blueprint/lower/lint.h"
#include "dialects/blueprint/lower/load.h"
#include "dialects/blueprint/read/js_values.h"
#include "dialects/blueprint/read/parse.h"
#include "text/javascript/text.h"
#include "text/object.h"

namespace assay::blueprint {

namespace {

// One prompt being normalised: what is left of the entry, and what came of it.
struct PromptWork {
  ParseContext& context;
  std::string name;  // for messages
  Span where;
  Map entry;
  Map out;

  void Complain(std::string code, std::string message, Span at, std::string hint = {}) {
    context.diagnostics.Error(std::move(code), fmt::format("{}: {}", name, message), at, std::move(hint));
  }
  // Whether the value is what the key takes; an error if not.
  bool FitsRow(const KeyRow& key, const Value& value) {
    if (Fits(key.shape, value)) return true;
    const std::string hint = NumberInQuotesHint(value);
    const bool is_number = (key.shape.kinds & ValueShape::kNumber) != 0;
    Complain(std::string(key.code),
             fmt::format("{}: expected {}, found {}", key.name, ExpectedOf(key.shape), KindName(value)),
             value.span, is_number ? hint : std::string(key.hint));
    return false;
  }
  // Moves a member to the result as it is.
  void Keep(std::string_view key) {
    if (entry.Find(key) != nullptr) out.Append(std::string(key), Take(entry, key));
  }
};

void AddMessages(PromptWork& work) {
  List media = TakeMedia(work.entry, work.name, work.context);
  const Value* text = FirstTruthy(work.entry, RowOf(kPromptKeys, "prompt"));
  Value* messages = work.entry.Find("messages");
  if (IsTruthy(messages)) {
    if (IsTruthy(text) && !work.context.LikeWeval()) {
      work.Complain("blueprint.prompt-and-messages",
                    "a prompt has either \"prompt\" or \"messages\", found both", text->span,
                    "make the text the last user message, or remove one of the two");
    }
    if (!media.empty()) {
      work.Complain("blueprint.media",
                    "an image, a file or audio beside \"messages\" belongs to none of them",
                    media.front().span, "write it beside a \"- user: ...\"");
    }
    work.out.Append("messages", NormaliseMessages(std::move(*messages), work.name, work.context));
    return;
  }
  if (!IsTruthy(text)) return;
  Value only(Object{{"role", "user"},
                    {"content", TakeFirstTruthy(work.entry, RowOf(kPromptKeys, "prompt"))},
                    {"parts", UnlessEmpty(std::move(media))}});
  only.span = only.AsMap().Find("content")->span;
  work.out.Append("messages", List{std::move(only)});
}

// The place of the id, filled in last if it must be made from the content.
void AddId(PromptWork& work) {
  Value id = Take(work.entry, "id");
  if (!id.Truthy()) id = Value();
  if (!id.is_undefined() && !id.is_string() && !id.is_number() && !work.context.LikeWeval()) {
    work.Complain("blueprint.prompt-id", fmt::format("expected a text as id, found {}", KindName(id)),
                  id.span, "put the id in quotes");
    id = Value();
  }
  work.out.Append("id", std::move(id));
}

void AddSystem(PromptWork& work) {
  const Value* system = work.entry.Find("system");
  if (system == nullptr) return;
  if (system->is_list()) {
    work.Complain("blueprint.system", "system: expected a text or null, found a list", system->span,
                  "several system prompts belong into `systems` of the header");
    return;
  }
  if (!system->is_string() && !system->is_null()) {
    work.Complain("blueprint.system",
                  fmt::format("system: expected a text or null, found {}", KindName(*system)), system->span);
    return;
  }
  work.Keep("system");
}

void AddNoCache(PromptWork& work, HeaderFacts& facts) {
  const Value* no_cache = work.entry.Find("noCache");
  if (no_cache != nullptr) {
    work.out.Append("noCache", Value(no_cache->Truthy()));
  } else if (facts.no_cache) {
    work.out.Append("noCache", Value(*facts.no_cache));
  }
}

void AddCitation(PromptWork& work) {
  Value citation = TakeFirstTruthy(work.entry, RowOf(kPromptKeys, "citation"));
  if (citation.is_undefined()) return;
  const Value* title =
      citation.is_map() ? FirstTruthy(citation.AsMap(), RowOf(kSourceKeys, "title")) : nullptr;
  const bool is_titled = title != nullptr && title->is_string() && !IsBlank(title->AsString());
  if (!citation.is_string() && !is_titled) {
    work.Complain("blueprint.citation",
                  fmt::format("citation: expected a text or a mapping with a text \"title\", found {}",
                              KindName(citation)),
                  citation.span, "write {title: ..., url: ...}");
    return;
  }
  work.out.Append("citation", std::move(citation));
}

void AddWeight(PromptWork& work) {
  constexpr const KeyRow& kWeight = RowOf(kPromptKeys, "weight");
  Value weight = TakeFirstPresent(work.entry, kWeight);
  if (weight.is_undefined()) return;
  // weval lets NaN pass, and refuses null behind the last name.
  const bool is_nan = weight.is_number() && std::isnan(weight.AsNumber());
  if (weight.is_null() || !Fits(kWeight.shape, weight) || (is_nan && !work.context.LikeWeval())) {
    work.Complain(std::string(kWeight.code),
                  fmt::format("weight: expected a number from 0.1 to 10, found {}", Quoted(JsText(weight))),
                  weight.span, NumberInQuotesHint(weight));
    return;
  }
  work.out.Append("weight", std::move(weight));
}

void AddRenderAs(PromptWork& work, HeaderFacts& facts) {
  Value render_as = Take(work.entry, "render_as");
  if (!render_as.Truthy() || !CheckRenderAs(render_as, work.name + ": ", work.context))
    render_as = Value(facts.render_as);
  work.out.Append("render_as", std::move(render_as));
}

// temperature, requiredTools, prohibitedTools, maxCalls: kept as written, of the right kind.
void AddChecked(PromptWork& work) {
  for (const std::string_view name : {"temperature", "requiredTools", "prohibitedTools", "maxCalls"}) {
    const Value* value = work.entry.Find(name);
    if (value != nullptr && work.FitsRow(*FindKey(kPrompt, name), *value)) work.Keep(name);
  }
}

// The points of a rubric, those of its alternatives among them.
std::size_t CountPoints(const Value& block) {
  if (!block.is_list()) return 0;
  std::size_t count = block.AsList().size();
  for (const Value& item : block.AsList()) {
    if (item.is_list()) count += item.AsList().size();
  }
  return count;
}

// Before anything is made of them.
bool HasTooManyPoints(const Value& points, const Value* should_not, PromptWork& work) {
  const std::size_t count = CountPoints(points) + (should_not == nullptr ? 0 : CountPoints(*should_not));
  if (count <= limits::kPointsMax) return false;
  work.Complain("blueprint.limit",
                fmt::format("expected at most {} criteria, found {}", limits::kPointsMax, count),
                points.is_list() ? points.span : should_not->span, "share them out among several prompts");
  return true;
}

// The JSON Schema that answers have to follow; null: none, whatever the header says.
void AddResponseFormat(PromptWork& work) {
  Value format = Take(work.entry, "response_format");
  if (format.is_undefined()) return;
  Value schema = AnswerSchemaOf(std::move(format), work.name + ": ", work.context);
  if (!schema.is_undefined()) work.out.Append("response_format", std::move(schema));
}

// Prompts that were not drawn one by one, such as rewordings of one question. Ours: weval has no such key.
void AddCluster(PromptWork& work) {
  Value cluster = Take(work.entry, "cluster");
  if (cluster.is_undefined() || work.context.LikeWeval()) return;
  if (work.FitsRow(RowOf(kPromptKeys, "cluster"), cluster)) work.out.Append("cluster", std::move(cluster));
}

// The groups in which the prompt is reported, one per dimension; "" of none. Ours: weval has no such key, and
// its mode refuses it.
List TakeGroups(PromptWork& work) {
  Value group = Take(work.entry, "group");
  List kept;
  if (group.is_nullish() || work.context.LikeWeval()) return kept;
  const KeyRow& row = RowOf(kPromptKeys, "group");
  if (!work.FitsRow(row, group)) return kept;
  if (group.is_list() && group.AsList().size() > limits::kGroupsMax) {
    work.Complain("blueprint.group",
                  fmt::format("group: expected at most {} groups of a prompt, found {}", limits::kGroupsMax,
                              group.AsList().size()),
                  group.span, "tags take any number of words");
    return kept;
  }
  if (!group.is_list()) group = Value(List{std::move(group)});
  for (Value& each : group.AsList()) kept.push_back(Value(std::string(JsTrim(each.AsString()))));
  while (!kept.empty() && kept.back().AsString().empty()) kept.pop_back();
  return kept;
}

// Beside the header's. Ours: weval reads no tags of a prompt, so that any text is kept, as in a group.
List TakeTags(PromptWork& work) {
  Value tags = Take(work.entry, "tags");
  if (tags.is_nullish()) return {};
  if (work.context.LikeWeval()) {
    work.context.diagnostics.Warning(
        "blueprint.no-effect", fmt::format("{}: tags of a prompt have no effect, as in weval", work.name),
        tags.span, "write them into the header");
    return {};
  }
  List kept;
  if (!work.FitsRow(RowOf(kPromptKeys, "tags"), tags)) return kept;
  for (const Value& tag : tags.AsList()) {
    Value text(std::string(JsTrim(tag.AsString())));
    const auto is_same = [&](const Value& other) { return other.AsString() == text.AsString(); };
    if (!text.AsString().empty() && std::none_of(kept.begin(), kept.end(), is_same))
      kept.push_back(std::move(text));
  }
  return kept;
}

// Whether the author knows that the prompt passes and fails by chance. Ours: weval has no such key.
bool TakeFlaky(PromptWork& work) {
  const Value flaky = Take(work.entry, "flaky");
  if (flaky.is_undefined() || work.context.LikeWeval()) return false;
  return work.FitsRow(RowOf(kPromptKeys, "flaky"), flaky) && flaky.AsBool();
}

void AddPoints(PromptWork& work, HeaderFacts& facts) {
  const PointScope scope{work.context, facts.definitions, work.name};
  Value points = TakeFirstTruthy(work.entry, RowOf(kPromptKeys, "should"));
  if (HasTooManyPoints(points, work.entry.Find("should_not"), work)) return;
  if (points.Truthy()) work.out.Append("points", NormalisePoints(std::move(points), "should", scope));
  Value should_not = Take(work.entry, "should_not");
  if (should_not.Truthy())
    work.out.Append("should_not", NormalisePoints(std::move(should_not), "should_not", scope));
}

// The part of answers that functions grade. Ours: weval has no such key.
Value TakeExtract(PromptWork& work) {
  Value extract = Take(work.entry, "extract");
  if (extract.is_undefined() || work.context.LikeWeval()) return Value();
  return CheckExtract(extract, work.name + ": ", work.context) ? std::move(extract) : Value();
}

std::string NameOf(const Map& entry, std::size_t position) {
  const Value* id = entry.Find("id");
  if (IsTruthy(id) && (id->is_string() || id->is_number()))
    return fmt::format("prompt {}", Quoted(JsText(*id)));
  return fmt::format("prompt {}", position);
}

// The members of an entry; nothing after an error, empty where weval reads one that is no mapping.
std::optional<Map> EntryMembers(Value entry, std::size_t position, ParseContext& context) {
  if (entry.is_map()) return std::move(entry.AsMap());
  // weval crashes on null and reads anything else as a prompt without a text, which it refuses when it loads
  // the file.
  const bool is_error = entry.is_null() || !context.LikeWeval();
  context.diagnostics.Add({is_error ? Severity::kError : Severity::kWarning, "blueprint.prompt",
                           fmt::format("prompt {}: expected a mapping, found {}", position, KindName(entry)),
                           "write \"prompt: ...\"", entry.span});
  return is_error ? std::nullopt : std::optional<Map>(Map());
}

}  // namespace

Value NormalisePrompt(Value entry, std::size_t position, HeaderFacts& facts, ParseContext& context) {
  const Span where = entry.span;
  std::optional<Map> members = EntryMembers(std::move(entry), position, context);
  if (!members) return Value();
  PromptWork work{context, {}, where, *std::move(members), {}};
  constexpr std::size_t kUsualMembers = 4;
  work.out.Reserve(kUsualMembers);
  work.name = context.filled == nullptr ? NameOf(work.entry, position) : context.filled->name;
  const bool lost_question = LintPrompt(work.entry, work.name, facts, context);
  AddMessages(work);
  if (lost_question) work.out.Set("messages", StandInMessages(where));
  AddId(work);
  work.Keep("description");
  Value ideal = TakeFirstTruthy(work.entry, RowOf(kPromptKeys, "ideal"));
  if (!ideal.is_undefined()) work.out.Append("idealResponse", std::move(ideal));
  AddSystem(work);
  AddNoCache(work, facts);
  AddCitation(work);
  AddWeight(work);
  AddRenderAs(work, facts);
  AddChecked(work);
  AddResponseFormat(work);
  AddCluster(work);
  AddPoints(work, facts);
  const bool is_flaky = TakeFlaky(work);
  List tags = TakeTags(work);
  Value extract = TakeExtract(work);
  List groups = TakeGroups(work);

  Value prompt(std::move(work.out));
  prompt.span = work.where;
  Value& id = *prompt.AsMap().Find("id");
  if (id.is_undefined()) id = Value(PromptContentId(prompt));
  // Behind the id, which is the same with and without it.
  if (is_flaky) prompt.AsMap().Append("flaky", Value(true));
  if (!tags.empty()) prompt.AsMap().Append("tags", Value(std::move(tags)));
  if (!extract.is_undefined()) prompt.AsMap().Append("extract", std::move(extract));
  if (!groups.empty()) prompt.AsMap().Append("group", Value(std::move(groups)));
  return prompt;
}

}  // namespace assay::blueprint
