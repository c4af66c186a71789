// Checks a blueprint as weval does before a run, and fills in its defaults.
#include "dialects/blueprint/lower/load.h"
#include "dialects/blueprint/keys/documents.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/core.h>

#include "base/text/utf8.h"
#include "dialects/blueprint/lower/conversation.h"
#include "dialects/blueprint/lower/ids.h"
#include "dialects/blueprint/lower/models.h"
#include "dialects/blueprint/read/js_values.h"
#include "dialects/blueprint/read/parse.h"
#include "text/javascript/text.h"
#include "text/object.h"

namespace assay::blueprint {

namespace {

constexpr std::string_view kDefaultCollection = "CORE";
constexpr std::string_view kDefaultEmbeddingModel = "openai:text-embedding-3-small";

// A config being loaded.
struct LoadWork {
  const ReadInput& input;
  Map& config;

  bool LikeWeval() const { return input.options.compat == Compat::kWeval; }
  Diagnostics& diagnostics() const { return input.diagnostics; }
  void Complain(std::string code, std::string message, const Value& at, std::string hint = {}) const {
    diagnostics().Error(std::move(code), std::move(message), at.span, std::move(hint));
  }
};

std::string_view FileName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// An id becomes part of file names: no folders, nothing that a file system takes for something else.
std::string SafeId(std::string_view id) {
  std::string safe;
  for (const char c : id) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '/' || c == '\\') {
      safe += "__";
    } else {
      safe += byte < 0x20 || byte == 0x7f ? '_' : c;
    }
  }
  return safe == "." || safe == ".." ? "_" + safe : safe;
}

// The id of the file's own word, or of its name.
std::string IdOfFile(LoadWork& work) {
  const std::string from_path = BlueprintIdFromPath(FileName(work.input.path));
  const Value* id = work.config.Find("id");
  if (!IsTruthy(id)) return SafeId(from_path);
  if (!id->is_string() && !id->is_number()) {
    work.Complain("blueprint.id", fmt::format("id: expected a text, found {}", KindName(*id)), *id,
                  "put the id in quotes");
    return SafeId(from_path);
  }
  const std::string written = JsText(*id);
  std::string safe = SafeId(JsTrim(written));
  if (safe != written) {
    work.diagnostics().Warning("blueprint.id",
                               fmt::format("id {} is used as {}", Quoted(written), Quoted(safe)), id->span,
                               "an id names folders: use letters, digits, - and _");
  }
  return safe.empty() ? SafeId(from_path) : safe;
}

void SetId(LoadWork& work) {
  std::string id;
  if (work.LikeWeval()) {
    id = BlueprintIdFromPath(work.input.path);
    if (const Value* written = work.config.Find("id"); IsTruthy(written)) {
      work.diagnostics().Warning("blueprint.id",
                                 fmt::format("the id in the file is replaced by {}", Quoted(id)),
                                 written->span, "weval takes the id from the path");
    }
  } else {
    id = IdOfFile(work);
  }
  if (id.ends_with("__")) {
    const Span start{work.config.Find("prompts")->span.file, 0, 0};
    work.diagnostics().Error("blueprint.id", fmt::format("the id {} may not end in \"__\"", Quoted(id)),
                             start, "rename the file");
  }
  work.config.Set("id", Value(std::move(id)));
}

void SetTitle(LoadWork& work) {
  const Value* title = work.config.Find("title");
  if (!IsTruthy(title)) {
    work.config.Set("title", Value(work.config.Find("id")->AsString()));
  } else if (!title->is_string() || IsBlank(title->AsString())) {
    work.Complain("blueprint.title", fmt::format("title: expected a text, found {}", Quoted(JsText(*title))),
                  *title, "put the title in quotes");
    work.config.Erase("title");
  }
}

// Whoever empties the list of models hardly means every model of a collection.
void TellEmptyModels(LoadWork& work) {
  const Member* models = work.config.FindMember("models");
  const bool is_list = models != nullptr && models->value.is_list();
  if (models == nullptr || !work.input.options.models.empty() || (is_list && !models->value.AsList().empty()))
    return;
  const Span at = models->value.span.length == 0 ? models->key_span : models->value.span;
  const std::string assumed = fmt::format("the collection {} would be asked", kDefaultCollection);
  const std::string hint = "list models under it, name one with -m, or leave the key out";
  if (is_list && !work.LikeWeval()) {
    work.diagnostics().Error("blueprint.models", fmt::format("models: the list is empty: {}", assumed), at,
                             hint);
    work.config.Set("models", StandInModels(at));
  } else {
    work.diagnostics().Warning("blueprint.models", fmt::format("models: names none: {}", assumed), at, hint);
  }
}

void SetDefaults(LoadWork& work) {
  TellEmptyModels(work);
  if (!AssumedModels(work.config).empty()) work.config.Set("models", List{Value(kDefaultCollection)});
  if (!IsTruthy(work.config.Find("embeddingModel"))) {
    work.config.Set("embeddingModel", Value(kDefaultEmbeddingModel));
  }
}

void CheckTemperatures(LoadWork& work) {
  constexpr const KeyRow& kOne = RowOf(kHeaderKeys, "temperature");
  constexpr const KeyRow& kSeveral = RowOf(kHeaderKeys, "temperatures");
  const Value* temperature = work.config.Find(kOne.name);
  if (temperature != nullptr && !Fits(kOne.shape, *temperature)) {
    work.Complain(
        std::string(kOne.code),
        fmt::format("temperature: expected {}, found {}", ExpectedOf(kOne.shape), KindName(*temperature)),
        *temperature, NumberInQuotesHint(*temperature));
    work.config.Erase("temperature");
    temperature = nullptr;
  }
  const Value* temperatures = work.config.Find(kSeveral.name);
  if (temperatures == nullptr) return;
  if (!Fits(kSeveral.shape, *temperatures)) {
    work.Complain(std::string(kSeveral.code),
                  fmt::format("temperatures: expected {}", ExpectedOf(kSeveral.shape)), *temperatures,
                  std::string(kSeveral.hint));
    work.config.Erase("temperatures");
  } else if (temperature != nullptr && !temperatures->AsList().empty()) {
    work.diagnostics().Warning("blueprint.temperature", "temperature has no effect beside temperatures",
                               temperature->span, "remove one of the two");
  }
}

// The header's temperature beats a prompt's own, in weval as here.
void WarnOfLostTemperatures(LoadWork& work) {
  const Value* temperature = work.config.Find("temperature");
  const Value* temperatures = work.config.Find("temperatures");
  const bool has_several =
      temperatures != nullptr && temperatures->is_list() && !temperatures->AsList().empty();
  if (!has_several && (temperature == nullptr || !temperature->is_number())) return;
  for (const Value& prompt : work.config.Find("prompts")->AsList()) {
    const Value* own = prompt.Find("temperature");
    if (own == nullptr) continue;
    work.diagnostics().Warning("blueprint.no-effect",
                               "a prompt's temperature has no effect where the header sets one", own->span,
                               "remove one of the two");
    return;
  }
}

// A tag whose letters weval's rule leaves out means something else, or nothing.
void WarnOfLostLetters(LoadWork& work, const Value& tag, std::string_view normal) {
  const std::string& text = tag.AsString();
  const bool has_others = std::any_of(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; });
  const bool vanishes = normal.empty() && !JsTrim(text).empty();
  if (work.LikeWeval() || normal.starts_with('_') || (!has_others && !vanishes)) return;
  work.diagnostics().Warning(
      "blueprint.tag",
      vanishes
          ? fmt::format("tags: {} vanishes: a tag of the header keeps a to z, 0 to 9 and hyphens alone",
                        Quoted(text))
          : fmt::format("tags: {} becomes {}: a tag of the header keeps a to z, 0 to 9 and hyphens alone",
                        Quoted(text), Quoted(normal)),
      tag.span, "write it into the prompts: their tags and group keep any text");
}

void NormaliseTags(LoadWork& work) {
  Value* tags = work.config.Find("tags");
  if (tags == nullptr) return;
  constexpr const KeyRow& kTags = RowOf(kHeaderKeys, "tags");
  if (!Fits(kTags.shape, *tags)) {
    work.Complain(std::string(kTags.code), fmt::format("tags: expected {}", ExpectedOf(kTags.shape)), *tags,
                  std::string(kTags.hint));
    work.config.Erase("tags");
    return;
  }
  List normal;
  std::unordered_set<std::string> seen;
  for (const Value& tag : tags->AsList()) {
    std::string text = NormaliseTag(tag.AsString());
    WarnOfLostLetters(work, tag, text);
    if (!text.empty() && seen.insert(text).second) normal.push_back(Value(std::move(text)));
  }
  const Span span = tags->span;
  *tags = Value(std::move(normal));
  tags->span = span;
}

// `system: [a, b]` means `systems`.
void FoldSystemList(LoadWork& work) {
  Value* system = work.config.Find("system");
  if (system == nullptr || !system->is_list()) return;
  const Value* systems = work.config.Find("systems");
  const bool has_systems = systems != nullptr && systems->is_list() && !systems->AsList().empty();
  Value list = std::exchange(*system, Value());
  if (!has_systems) {
    work.config.Set("systems", std::move(list));
    return;
  }
  work.diagnostics().Warning("blueprint.system", "system has no effect beside systems", list.span,
                             "remove one of the two");
}

void CheckSystems(LoadWork& work) {
  const Value* systems = work.config.Find("systems");
  if (systems == nullptr) {
    const Value* system = work.config.Find("system");
    if (IsTruthy(system) && !system->is_string() && !work.LikeWeval()) {
      work.Complain("blueprint.system", fmt::format("system: expected a text, found {}", KindName(*system)),
                    *system);
      work.config.Erase("system");
    }
    return;
  }
  if (!Fits(RowOf(kHeaderKeys, "systems").shape, *systems)) {
    work.Complain("blueprint.system", "systems: expected a list of texts, one of them may be null", *systems);
    work.config.Erase("systems");
    return;
  }
  const List& list = systems->AsList();
  if (std::count_if(list.begin(), list.end(), [](const Value& item) { return item.is_null(); }) > 1) {
    work.Complain("blueprint.system", "systems: more than one null", *systems,
                  "null stands for no system prompt");
  }
  if (list.empty()) return;
  if (const Value* system = work.config.Find("system"); IsTruthy(system)) {
    work.diagnostics().Warning("blueprint.system", "system has no effect beside systems", system->span,
                               "remove one of the two");
  }
  for (const Value& prompt : work.config.Find("prompts")->AsList()) {
    const Value* own = prompt.Find("system");
    if (!IsTruthy(own)) continue;
    work.Complain("blueprint.system",
                  "a prompt may have no system prompt of its own where the header lists systems", *own,
                  "remove it, or the header's systems");
  }
}

// A conversation with an error gives way to one without, so that nothing more follows from it.
void CheckQuestion(Value& prompt, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.ErrorCount();
  CheckConversation(prompt, diagnostics);
  const Value* messages = prompt.Find("messages");
  const bool is_whole = messages != nullptr && messages->is_list() && !messages->AsList().empty() &&
                        std::all_of(messages->AsList().begin(), messages->AsList().end(),
                                    [](const Value& message) { return message.is_map(); });
  if (diagnostics.ErrorCount() > errors_before || !is_whole)
    prompt.AsMap().Set("messages", StandInMessages(prompt.span));
  if (diagnostics.ErrorCount() > errors_before) return;
  // Other ways to ask it have other examples.
  for (const Value& asking : prompt.AsMap().ListAt("askings")) {
    Value asked(Object{{"id", *prompt.Find("id")}, {"messages", *asking.Find("messages")}});
    asked.span = prompt.span;
    CheckConversation(asked, diagnostics);
    if (diagnostics.ErrorCount() > errors_before) return;
  }
}

void CheckDescription(LoadWork& work) {
  const Value* description = work.config.Find("description");
  if (!IsTruthy(description) || description->is_string()) return;
  work.Complain("blueprint.description",
                fmt::format("description: expected a text, found {}", KindName(*description)), *description,
                "put the description in quotes");
}

// Of prompts with one id weval keeps the answers to the last; otherwise the later ones get ids of their own.
void SeparateIds(LoadWork& work) {
  List& prompts = work.config.Find("prompts")->AsList();
  std::unordered_map<std::string, std::size_t> last_number;
  for (const Value& prompt : prompts) last_number.emplace(JsText(*prompt.Find("id")), 1);
  if (last_number.size() == prompts.size()) return;
  std::unordered_set<std::string> seen;
  for (Value& prompt : prompts) {
    Value& id = *prompt.AsMap().Find("id");
    const std::string text = JsText(id);
    if (seen.insert(text).second) continue;
    const Span at = id.span.file == FileId::kNone ? prompt.span : id.span;
    if (work.LikeWeval()) {
      work.diagnostics().Warning(
          "blueprint.duplicate-id",
          fmt::format(
              "several prompts have the id {}; all are asked, and the answer to the last is graded by "
              "the criteria of the first",
              Quoted(text)),
          at, "give each prompt an id of its own");
      continue;
    }
    std::string free_id;
    do {
      free_id = fmt::format("{}-{}", text, ++last_number[text]);
    } while (!last_number.emplace(free_id, 1).second);
    work.diagnostics().Warning(
        "blueprint.duplicate-id",
        fmt::format("several prompts have the id {}; this one is called {}", Quoted(text), Quoted(free_id)),
        at, "give each prompt an id of its own");
    id = Value(std::move(free_id));
  }
}

}  // namespace

std::string_view AssumedModels(const Map& config) {
  const Value* models = config.Find("models");
  const bool has_models = models != nullptr && models->is_list() && !models->AsList().empty();
  return has_models ? std::string_view() : kDefaultCollection;
}

std::string NormaliseTag(std::string_view tag) {
  const std::string_view trimmed = JsTrim(tag);
  if (trimmed.starts_with('_')) return std::string(trimmed);
  std::string normal;
  bool in_gap = false;
  const std::string lower = JsToLower(trimmed);
  for (std::size_t offset = 0; offset < lower.size();) {
    const DecodedCodePoint decoded = DecodeUtf8(lower, offset);
    offset += decoded.size_bytes;
    const char32_t c = decoded.code_point;
    const bool is_gap = c == U'_' || IsJsSpace(c);
    if (is_gap && !in_gap) normal += '-';
    in_gap = is_gap;
    const bool is_kept = (c >= U'a' && c <= U'z') || (c >= U'0' && c <= U'9') || c == U'-';
    if (is_kept) normal += static_cast<char>(c);
  }
  return normal;
}

std::vector<std::string> ParseEvalMethods(std::string_view option, Diagnostics& diagnostics) {
  const std::vector<std::string> both = {"embedding", "llm-coverage"};
  if (option.empty()) return both;
  const std::string lower = JsToLower(JsTrim(option));
  if (lower == "none") return {};
  std::vector<std::string> methods;
  bool all = false;
  for (std::size_t start = 0; start <= lower.size();) {
    const std::size_t comma = std::min(lower.find(',', start), lower.size());
    const std::string_view name = JsTrim(std::string_view(lower).substr(start, comma - start));
    start = comma + 1;
    all = all || name == "all";
    if (std::find(both.begin(), both.end(), name) != both.end()) {
      methods.emplace_back(name);
    } else if (name != "all") {
      diagnostics.Warning("blueprint.eval-method",
                          fmt::format("there is no evaluation method {}", Quoted(name)), {},
                          "the methods are embedding, llm-coverage, all, none");
    }
  }
  if (all) return both;
  if (methods.empty()) methods.emplace_back("embedding");
  return methods;
}

std::optional<Value> LoadBlueprint(Value normal_form, const ReadInput& input) {
  const std::size_t errors_before = input.diagnostics.ErrorCount();
  LoadWork work{input, normal_form.AsMap()};
  SetId(work);
  SetTitle(work);
  SetDefaults(work);
  for (Value& prompt : work.config.Find("prompts")->AsList()) CheckQuestion(prompt, input.diagnostics);
  SeparateIds(work);
  Value& models = *work.config.Find("models");
  const Span models_span = models.span;
  const std::size_t errors_of_others = input.diagnostics.ErrorCount();
  models = Value(ResolveModels(models.AsList(), input));
  models.span = models_span;
  if (models.AsList().empty() && input.diagnostics.ErrorCount() > errors_of_others)
    models = StandInModels(models_span);
  CheckDescription(work);
  CheckTemperatures(work);
  WarnOfLostTemperatures(work);
  NormaliseTags(work);
  FoldSystemList(work);
  CheckSystems(work);
  if (!MayReadOn(input.diagnostics, errors_before, input.options.reads_on)) return std::nullopt;
  return normal_form;
}

}  // namespace assay::blueprint
