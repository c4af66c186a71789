// Corrects model names, checks custom models, and expands collections from files or from the built-in list.
#include "dialects/blueprint/lower/models.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_set>

#include <fmt/core.h>

#include "base/hash.h"
#include "dialects/blueprint/options.h"
#include "dialects/blueprint/read/js_values.h"
#include "dialects/blueprint/read/model_options.h"
#include "dialects/habits.h"
#include "dialects/names.h"
#include "spec/suite/asked_members.h"
#include "text/javascript/text.h"
#include "text/json/json.h"

namespace assay::blueprint {

namespace {

std::string_view WithoutQuotes(std::string_view text) {
  constexpr std::string_view kQuotes = "\"'`";
  text = JsTrim(text);
  while (!text.empty() && kQuotes.find(text.front()) != std::string_view::npos) text = JsTrim(text.substr(1));
  while (!text.empty() && kQuotes.find(text.back()) != std::string_view::npos) {
    text = JsTrim(text.substr(0, text.size() - 1));
  }
  return text;
}

// A name in capitals without a colon stands for a list of models.
bool IsCollection(std::string_view name) {
  return name.find(':') == std::string_view::npos && JsToUpper(name) == name;
}

// A command line (exec:COMMAND): the only model with blanks inside; its quotes are its own.
std::optional<std::string> AsCommand(std::string_view written) {
  const std::size_t colon = written.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view model = written.substr(colon + 1);
  if (WithoutQuotes(model).find(' ') == std::string_view::npos) return std::nullopt;
  return fmt::format("{}:{}", WithoutQuotes(written.substr(0, colon)), JsTrim(model));
}

std::string CollectionPath(std::string_view dir, std::string_view name) {
  return fmt::format("{}/models/{}.json", dir, name);
}

bool IsText(const Value* value) {
  return value != nullptr && value->is_string() && !value->AsString().empty();
}

// {openai: gpt-4o}, as YAML reads `openai: gpt-4o`.
bool IsPair(const Value& model) {
  return !HasModelOptions(model) && model.is_map() && model.AsMap().size() == 1 &&
         model.AsMap().begin()->value.is_string();
}

std::string PairText(const Value& model) {
  const Member& member = *model.AsMap().begin();
  return fmt::format("{}:{}", member.key, member.value.AsString());
}

// The models of a collection that needs no file; nothing if there is none of that name. weval knows none, but
// what the user's own settings name counts.
std::optional<List> KnownCollection(const std::string& name, const ReadInput& input) {
  const auto own = input.options.collections.find(name);
  if (own != input.options.collections.end()) return List(own->second.begin(), own->second.end());
  if (input.options.compat == Compat::kWeval) return std::nullopt;
  for (const ModelCollection& collection : BuiltInCollections()) {
    if (collection.name == name) return List(collection.models.begin(), collection.models.end());
  }
  return std::nullopt;
}

std::vector<std::string_view> KnownCollectionNames(const ReadInput& input) {
  std::vector<std::string_view> names;
  for (const auto& [name, models] : input.options.collections) names.push_back(name);
  for (const ModelCollection& collection : BuiltInCollections()) names.push_back(collection.name);
  return names;
}

// One collection file: a JSON list of texts.
void AppendCollection(const std::string& name, const Value& entry, const ReadInput& input, List& resolved) {
  const std::string path = CollectionPath(input.options.own.Text(kCollectionsOption), name);
  const auto complain = [&](std::string message) {
    input.diagnostics.Error("blueprint.collection", fmt::format("collection {}: {}", Quoted(name), message),
                            entry.span, "a collection is a JSON list of models in models/NAME.json");
  };
  if (name.find('/') != std::string::npos || name.find('\0') != std::string::npos) {
    complain("expected a plain name");
    return;
  }
  Result<std::string> text = input.files.Read(path);
  if (!text) {
    complain(text.error().message);
    return;
  }
  const FileId file = input.sources.Add(path, *text);
  const std::size_t errors_before = input.diagnostics.ErrorCount();
  const Value models = ReadJson(file, *text, input.diagnostics);
  if (input.diagnostics.ErrorCount() > errors_before) return;
  const bool is_list_of_texts =
      models.is_list() && std::all_of(models.AsList().begin(), models.AsList().end(),
                                      [](const Value& item) { return item.is_string(); });
  if (!is_list_of_texts) {
    complain(fmt::format("expected a list of texts in {}", path));
    return;
  }
  resolved.insert(resolved.end(), models.AsList().begin(), models.AsList().end());
}

void AppendNamed(const Value& entry, const std::string& name, const ReadInput& input, List& resolved) {
  const bool is_collection = IsCollection(name);
  std::optional<List> known = is_collection ? KnownCollection(name, input) : std::nullopt;
  const std::string dir = input.options.own.Text(kCollectionsOption);
  // In the mode of weval a folder must hold every collection.
  const bool in_folder = !dir.empty() && (input.options.compat == Compat::kWeval || !known ||
                                          input.files.Exists(CollectionPath(dir, name)));
  if (is_collection && in_folder) {
    AppendCollection(name, entry, input, resolved);
    return;
  }
  if (known) {
    for (Value& model : *known) model.span = entry.span;
    resolved.insert(resolved.end(), known->begin(), known->end());
    return;
  }
  const bool like_weval = input.options.compat == Compat::kWeval;
  if (is_collection) {
    std::vector<std::string_view> names = KnownCollectionNames(input);
    std::erase(names, name);  // one of ours, which weval does not know
    const std::string_view near = DidYouMean(name, names);
    input.diagnostics.Warning(
        "blueprint.collection",
        fmt::format("there is no collection of models called {}{}", Quoted(name),
                    like_weval ? "" : "; it is left out"),
        entry.span,
        near.empty() ? "name models with -m, give --collections-repo-path, or list it in assay.toml"
                     : fmt::format("did you mean {}?", near));
    if (!like_weval) return;  // weval asks for a model of that name
  }
  // Otherwise whoever asks it says so, unless a recording answers.
  if (like_weval && !is_collection && name.find(':') == std::string::npos) {
    input.diagnostics.Warning("blueprint.model-name", fmt::format("model {} names no provider", Quoted(name)),
                              entry.span, "write provider:model, for example openai:gpt-6-luna");
  }
  Value model(name);
  model.span = entry.span;
  resolved.push_back(std::move(model));
}

// A collection's models get the options all alike.
void AppendWithOptions(const Value& entry, const ReadInput& input, List& resolved) {
  List named;
  AppendNamed(entry, CorrectedModel(entry.Find("model")->AsString()), input, named);
  for (Value& model : named) {
    Value with_options = entry;
    Value read = WithSuffixesRead(model);
    if (read.is_map()) {
      for (Member& member : read.AsMap()) with_options.AsMap().Set(member.key, std::move(member.value));
      NormaliseModelOptions(with_options.AsMap(), ModelIdWithoutOptions(with_options), input.diagnostics);
    } else {
      with_options.AsMap().Set("model", std::move(model));
    }
    resolved.push_back(std::move(with_options));
  }
}

// Options behind the names: "openai:gpt-5[effort:high]".
void ReadSuffixes(const ReadInput& input, List& resolved) {
  for (Value& model : resolved) {
    if (!model.is_string()) continue;
    model = WithSuffixesRead(std::move(model));
    if (model.is_map()) NormaliseModelOptions(model.AsMap(), ModelIdWithoutOptions(model), input.diagnostics);
  }
}

void AppendModel(const Value& entry, const ReadInput& input, List& resolved) {
  if (entry.is_string()) {
    const std::string name = WithoutStrayBlanks(entry.AsString());
    if (name != entry.AsString()) {
      input.diagnostics.Warning("blueprint.model-name",
                                fmt::format("model {} is read as {}", Quoted(entry.AsString()), Quoted(name)),
                                entry.span, "write it without spaces");
    }
    AppendNamed(entry, name, input, resolved);
  } else if (IsText(entry.Find("id"))) {
    resolved.push_back(entry);
  } else if (HasModelOptions(entry) && input.options.compat != Compat::kWeval) {
    AppendWithOptions(entry, input, resolved);
  } else if (IsPair(entry)) {
    AppendNamed(entry, WithoutStrayBlanks(PairText(entry)), input, resolved);
  } else {
    input.diagnostics.Warning("blueprint.models",
                              fmt::format("{} is no model and is left out", KindName(entry)), entry.span,
                              "write provider:model");
  }
}

// The models of -m: custom models of the file where the id is one of theirs.
List ChosenModels(const List& models, const std::vector<std::string>& names) {
  List chosen;
  for (const std::string& name : names) {
    const auto custom = std::find_if(models.begin(), models.end(), [&](const Value& model) {
      return model.is_map() && !HasModelOptions(model) && ModelId(model) == name;
    });
    chosen.push_back(custom == models.end() ? Value(CorrectedModel(name)) : *custom);
  }
  return chosen;
}

// {id: openai:gpt-4o, label: …}: options of a usual model beside the word for a custom one.
bool IsNamedById(const Value& model) {
  constexpr std::string_view kOfCustom[] = {"url", "modelName", "inherit", "headers"};
  const bool has_options =
      model.is_map() && std::any_of(model.AsMap().begin(), model.AsMap().end(), [](const Member& member) {
        return member.key != "id" && member.key != "parameters";
      });
  return has_options && IsText(model.Find("id")) &&
         std::none_of(std::begin(kOfCustom), std::end(kOfCustom),
                      [&](std::string_view key) { return model.Find(key) != nullptr; });
}

// Neither the parameters of a custom model nor the names that it gives to usual ones say what is asked.
void CheckNothingReplaces(const Value& model, const std::string& name, Diagnostics& diagnostics) {
  const auto complain = [&](const std::string& text, Span span) {
    diagnostics.Error("blueprint.parameters", fmt::format("{}: {}", name, text), span,
                      std::string(kReplacesQuestionHint));
  };
  const Value* parameters = model.Find("parameters");
  if (parameters != nullptr && parameters->is_map()) {
    for (const Member* member : QuestionMembers(parameters->AsMap()))
      complain(ReplacesQuestionText(member->key), member->key_span);
  }
  const Value* mapping = model.Find("parameterMapping");
  if (mapping == nullptr || !mapping->is_map()) return;
  for (const Member& member : mapping->AsMap()) {
    if (!member.value.is_string() || !ReplacesQuestion(member.value.AsString())) continue;
    complain(fmt::format("parameterMapping: {} under the name {} would replace what is asked",
                         Quoted(member.key), Quoted(member.value.AsString())),
             member.value.span);
  }
}

}  // namespace

std::string CorrectedModel(std::string_view written) {
  if (std::optional<std::string> command = AsCommand(written)) return *std::move(command);
  std::string_view name = WithoutQuotes(written);
  std::size_t separator = name.find(':');
  if (separator == std::string_view::npos && !IsCollection(name)) separator = name.find('/');
  if (separator == std::string_view::npos) return std::string(name);
  return fmt::format("{}:{}", WithoutQuotes(name.substr(0, separator)),
                     WithoutQuotes(name.substr(separator + 1)));
}

std::string WithoutStrayBlanks(std::string_view name) {
  name = JsTrim(name);
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return std::string(name);
  // A blank before the colon ends where trimming ends; what follows the colon likewise.
  return fmt::format("{}:{}", JsTrim(name.substr(0, colon)), JsTrim(name.substr(colon + 1)));
}

void CorrectModel(Value& model, Diagnostics& diagnostics) {
  std::string written;
  if (model.is_string()) {
    written = model.AsString();
  } else if (IsPair(model) && model.AsMap().begin()->key != "id") {
    written = PairText(model);
  } else {
    return;
  }
  std::string corrected = CorrectedModel(written);
  if (model.is_string() && corrected == written) return;
  diagnostics.Warning("blueprint.model-name", fmt::format("model read as {}", Quoted(corrected)), model.span,
                      "write provider:model as one text without spaces");
  const Span span = model.span;
  model = Value(std::move(corrected));
  model.span = span;
}

void CheckCustomModel(const Value& model, Compat compat, Diagnostics& diagnostics) {
  const std::string id = ModelId(model);
  const std::string name = id.empty() ? "custom model" : fmt::format("custom model {}", Quoted(id));
  const auto complain = [&](const Value& at, std::string message) {
    diagnostics.Error(
        "blueprint.custom-model", fmt::format("{}: {}", name, message), at.span,
        "a custom model is {id, url, modelName, inherit}; any other model is a text provider:model");
  };
  if (compat != Compat::kWeval && IsNamedById(model)) {
    diagnostics.Error("blueprint.custom-model",
                      fmt::format("model {}: \"id\" names a model that the file describes (with url, "
                                  "modelName, inherit), and nothing describes it here",
                                  Quoted(id)),
                      model.span, fmt::format("write \"model\" in place of \"id\": {{model: {}, …}}", id));
    return;
  }
  for (const std::string_view key : {"id", "url", "modelName", "inherit"}) {
    const Value* value = model.Find(key);
    if (!IsText(value))
      complain(value == nullptr ? model : *value, fmt::format("expected a text \"{}\"", key));
  }
  // What says nothing is as if left out, in weval whatever is falsy.
  const auto written = [&](std::string_view key) {
    const Value* value = model.Find(key);
    const bool is_left_out = value == nullptr || value->is_null();
    return is_left_out || (compat == Compat::kWeval && !value->Truthy()) ? nullptr : value;
  };
  const Value* format = written("format");
  const auto is_word = [&](std::string_view word) {
    return format->is_string() && format->AsString() == word;
  };
  if (format != nullptr && !is_word("chat") && !is_word("completions")) {
    const std::string found =
        format->is_string() ? Quoted(format->AsString()) : std::string(KindName(*format));
    complain(*format, fmt::format("format: expected chat or completions, found {}", found));
  }
  const Value* prompt_format = written("promptFormat");
  if (prompt_format != nullptr && !prompt_format->is_string())
    complain(*prompt_format, "promptFormat: expected a text");
  for (const std::string_view key : {"headers", "parameters", "parameterMapping"}) {
    const Value* value = model.Find(key);
    if (value != nullptr && !value->is_null() && !value->is_map()) {
      complain(*value, fmt::format("{}: expected a mapping, found {}", key, KindName(*value)));
    }
  }
  if (!HabitsOf(compat).passes_all_parameters) CheckNothingReplaces(model, name, diagnostics);
  if (compat != Compat::kWeval && model.is_map()) CheckLabel(model.AsMap(), id, diagnostics);
}

std::string ModelId(const Value& model) { return ModelIdWithoutOptions(model) + OptionSuffix(model); }

std::string ModelIdWithoutOptions(const Value& model) {
  if (model.is_string()) return model.AsString();
  return model.TextAt(HasModelOptions(model) ? "model" : "id");
}

const Value* CustomModelNamed(const Map& config, std::string_view id) {
  const Value* models = config.Find("models");
  if (models == nullptr || !models->is_list()) return nullptr;
  for (const Value& each : models->AsList()) {
    if (each.is_map() && !HasModelOptions(each) && ModelId(each) == id) return &each;
  }
  return nullptr;
}

ModelRef ModelRefOf(const Value& model) {
  const auto text = [&model](std::string_view key) {
    const Value* value = model.Find(key);
    return value != nullptr && value->is_string() ? value->AsString() : std::string();
  };
  if (model.is_map() && !HasModelOptions(model)) {
    Value custom = model;
    custom.AsMap().Erase("label");  // for people alone: no part of what an answer is found by
    return {.provider = "custom",
            .model = text("modelName"),
            .base_url = text("url"),
            .custom = std::move(custom)};
  }
  ModelAddress address = ModelAddressOf(ModelIdWithoutOptions(model));
  return {.provider = std::move(address.provider),
          .model = std::move(address.model),
          .base_url = {},
          .custom = {}};
}

namespace {

// A value as a part of an id: itself where it is short and plain, else the beginning of its digest.
std::string IdPart(const Value& value) {
  constexpr std::size_t kBytesMax = 24;
  constexpr std::size_t kDigits = 8;
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '-' || c == '_';
  };
  const std::string text = value.is_list() || value.is_map() ? std::string() : JsText(value);
  const bool is_short = !text.empty() && text.size() <= kBytesMax;
  if (is_short && std::all_of(text.begin(), text.end(), is_plain)) return text;
  return HexPrefix(Sha256Of(WriteJson(value, JsonStyle::kCanonical)), kDigits);
}

// What shapes the requests of an entry and is not in its id.
std::string RequestSuffix(const Value& model) {
  std::string suffix;
  const Value* parameters = model.Find("parameters");
  if (parameters != nullptr && parameters->is_map() && !parameters->AsMap().empty()) {
    std::string parts;
    for (const Member& member : parameters->AsMap())
      parts +=
          fmt::format("{}{}={}", parts.empty() ? "" : ",", IdPart(Value(member.key)), IdPart(member.value));
    suffix += fmt::format("[params:{}]", parts);
  }
  for (const std::string_view key : {"max_tokens", "fallback"}) {
    if (const Value* value = model.Find(key)) suffix += fmt::format("[{}:{}]", key, IdPart(*value));
  }
  return suffix;
}

// Entries of one id that ask otherwise, or have labels of their own, are variants: what they differ in
// becomes part of their ids.
void TellEntriesApart(List& models) {
  std::map<std::string, std::size_t> listed;
  for (const Value& model : models) ++listed[ModelId(model)];
  std::map<std::string, std::size_t> told;
  for (Value& model : models) {
    if (!HasModelOptions(model) || listed[ModelId(model)] < 2) continue;
    if (std::string suffix = RequestSuffix(model); !suffix.empty()) TellApart(model, std::move(suffix));
  }
  for (Value& model : models) {
    const bool is_taken = told[ModelId(model)]++ > 0;
    if (!is_taken || !HasModelOptions(model) || LabelOf(model).empty()) continue;
    TellApart(model, fmt::format("{}[label:{}]", RequestSuffix(model), IdPart(Value(LabelOf(model)))));
  }
}

}  // namespace

List ResolveModels(const List& models, const ReadInput& input) {
  const std::vector<std::string>& names = input.options.models;
  const List chosen = names.empty() ? List() : ChosenModels(models, names);
  List resolved;
  for (const Value& model : names.empty() ? models : chosen) AppendModel(model, input, resolved);
  if (input.options.compat != Compat::kWeval) {
    ReadSuffixes(input, resolved);
    TellEntriesApart(resolved);
  }
  const bool keep_doubles =
      input.options.compat == Compat::kWeval && !input.options.own.Has(kCollectionsOption);
  if (keep_doubles) return resolved;
  std::unordered_set<std::string> seen;
  std::erase_if(resolved, [&](const Value& model) {
    const std::string id = ModelId(model);
    if (seen.insert(id).second) return false;
    if (HasModelOptions(model)) {
      input.diagnostics.Warning("blueprint.models", fmt::format("model {} is listed twice", Quoted(id)),
                                model.span,
                                "both ask the same, and only the first counts; a label of its own makes it "
                                "another variant");
    }
    return true;
  });
  return resolved;
}

}  // namespace assay::blueprint
