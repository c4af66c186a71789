// Normalises the header of a blueprint: aliases, references, and the checks of its fields (spec: blueprint
// 3).
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

#include "dialects/addresses.h"
#include "dialects/blueprint/keys/documents.h"
#include "dialects/blueprint/lower/models.h"
#include "dialects/blueprint/read/js_values.h"
#include "dialects/blueprint/read/model_options.h"
#include "dialects/blueprint/read/parse.h"
#include "dialects/blueprint/read/url.h"

namespace assay::blueprint {

namespace {

// Members whose addresses are for people, or content; `$call` looks after its own in the prompts.
constexpr std::array<std::string_view, 13> kForReaders = {
    "author",  "reference", "references", "citation",   "citations", "description", "tools",
    "context", "prompts",   "defs",       "point_defs", "title",     "tags"};

void Complain(ParseContext& context, std::string code, std::string message, const Value& at,
              std::string hint = {}) {
  context.diagnostics.Error(std::move(code), std::move(message), at.span, std::move(hint));
}

HeaderFacts TakeDefinitions(Map& header) {
  HeaderFacts facts;
  const Value* definitions = FirstTruthy(header, RowOf(kHeaderKeys, "point_defs"));
  if (IsTruthy(definitions)) {
    facts.definitions = Definitions(SpreadToMap(*definitions));
  }
  header.Erase("defs");
  return facts;
}

// name = name || alias, the alias removed. The place of the name is made even if nothing is known, as weval
// does.
void FoldAlias(Map& header, const KeyRow& key) {
  const std::string_view alias = key.aliases.front();
  const Member* member = header.FindMember(alias);
  const Span key_span = member == nullptr ? Span{} : member->key_span;
  Value value = TakeFirstTruthy(header, key);
  header.Set(std::string(key.name), std::move(value), key_span);
  header.Erase(alias);
}

bool IsTextWithWords(const Value* value) {
  return value != nullptr && value->is_string() && !IsBlank(value->AsString());
}

void CheckAuthor(const Map& header, ParseContext& context) {
  const Value* author = header.Find("author");
  if (author == nullptr || author->is_string()) return;
  if (!IsJsObject(*author)) {
    Complain(context, "blueprint.author",
             fmt::format("author: expected a text or {{name: ...}}, found {}", KindName(*author)), *author,
             "write the author's name, or remove the key");
  } else if (!IsTextWithWords(author->Find("name"))) {
    Complain(context, "blueprint.author", "author: expected a mapping with a text \"name\"", *author,
             "write {name: ..., url: ...}");
  }
}

// One reference as {title, url}; undefined after an error.
Value NormaliseReference(Value item, ParseContext& context) {
  Map reference;
  if (item.is_string()) {
    reference.Append("title", std::move(item));
    return reference;
  }
  const bool is_object = IsJsObject(item) && !item.is_list();
  Value title = item.is_map() ? TakeFirstTruthy(item.AsMap(), RowOf(kSourceKeys, "title")) : Value();
  if (!is_object || !IsTextWithWords(&title)) {
    Complain(context, "blueprint.references",
             fmt::format("reference: expected a text or a mapping with a text \"title\", found {}",
                         KindName(item)),
             item, "write {title: ..., url: ...}");
    return Value();
  }
  reference.Append("title", std::move(title));
  reference.Append("url", Take(item.AsMap(), "url"));
  return reference;
}

void NormaliseReferences(Map& header, ParseContext& context) {
  Value found;
  if (const Value* value = FirstTruthy(header, RowOf(kHeaderKeys, "reference"))) found = *value;
  if (found.is_undefined()) return;
  List items;
  if (found.is_list()) {
    items = std::move(found.AsList());
  } else {
    items.push_back(std::move(found));
  }
  List references;
  references.reserve(items.size());
  for (Value& item : items) {
    Value reference = NormaliseReference(std::move(item), context);
    if (!reference.is_undefined()) references.push_back(std::move(reference));
  }
  header.Set("references", std::move(references));
  for (const std::string_view key : {"reference", "citation", "citations"}) header.Erase(key);
}

void CheckTools(const Map& header, ParseContext& context) {
  const Value* tools = header.Find("tools");
  if (!IsTruthy(tools)) return;
  if (!tools->is_list()) {
    Complain(context, "blueprint.tools", fmt::format("tools: expected a list, found {}", KindName(*tools)),
             *tools);
    return;
  }
  for (const Value& tool : tools->AsList()) {
    const Value* name = tool.Find("name");
    if (name != nullptr && name->is_string() && !name->AsString().empty()) continue;
    Complain(context, "blueprint.tools",
             fmt::format("tool: expected a mapping with a text \"name\", found {}", KindName(tool)), tool);
  }
}

void CheckToolUse(const Map& header, ParseContext& context) {
  const Value* tool_use = header.Find("toolUse");
  if (!IsTruthy(tool_use)) return;
  if (!IsJsObject(*tool_use)) {
    Complain(context, "blueprint.tool-use",
             fmt::format("toolUse: expected a mapping, found {}", KindName(*tool_use)), *tool_use);
    return;
  }
  struct Field {
    std::string_view key, only;
  };
  for (const Field& field : {Field{"mode", "trace-only"}, Field{"outputFormat", "json-line"}}) {
    const Value* value = tool_use->Find(field.key);
    if (!IsTruthy(value) || (value->is_string() && value->AsString() == field.only)) continue;
    Complain(
        context, "blueprint.tool-use",
        fmt::format("toolUse.{}: expected \"{}\", found {}", field.key, field.only, Quoted(JsText(*value))),
        *value, "this is the only value that exists");
  }
  const Value* max_steps = tool_use->Find("maxSteps");
  if (max_steps != nullptr && !(max_steps->is_number() && !(max_steps->AsNumber() < 1))) {
    Complain(context, "blueprint.tool-use", "toolUse.maxSteps: expected a number of at least 1", *max_steps);
  }
}

// False after an error that leaves no model to ask.
bool NormaliseModel(Value& model, ParseContext& context) {
  if (!context.LikeWeval()) CorrectModel(model, context.diagnostics);
  if (model.is_string()) return true;
  if (!context.LikeWeval() && HasModelOptions(model)) {
    NormaliseModelOptions(model.AsMap(), ModelIdWithoutOptions(model), context.diagnostics);
    return true;
  }
  if (!IsJsObject(model) || model.is_list()) {
    Complain(context, "blueprint.models",
             fmt::format("model: expected a text or a custom model, found {}", KindName(model)), model,
             "write provider:model");
    return false;
  }
  const std::size_t errors_before = context.diagnostics.ErrorCount();
  CheckCustomModel(model, context.compat, context.diagnostics);
  return context.diagnostics.ErrorCount() == errors_before;
}

// Model entries that are no texts: custom models, and (by the format's own word) pairs that YAML made of a
// stray blank.
void NormaliseModels(Map& header, ParseContext& context) {
  Value* models = header.Find("models");
  if (!IsTruthy(models)) return;
  if (!models->is_list()) {
    const std::string kHint = "write a list of models, one per line with a dash";
    Complain(context, "blueprint.models", fmt::format("models: expected a list, found {}", KindName(*models)),
             *models, models->is_string() ? DashHint(models->AsString(), kHint) : kHint);
    *models = StandInModels(models->span);
    return;
  }
  List& entries = models->AsList();
  const bool is_empty = entries.empty();
  std::erase_if(entries, [&](Value& model) { return !NormaliseModel(model, context); });
  if (entries.empty() && !is_empty) *models = StandInModels(models->span);
}

void CheckService(const std::string& name, const Value& service, ParseContext& context) {
  const auto complain = [&](const Value& at, std::string message, std::string hint = {}) {
    Complain(context, "blueprint.services", fmt::format("service {}: {}", Quoted(name), message), at,
             std::move(hint));
  };
  const Value* url = service.Find("url");
  if (!IsTruthy(url)) {
    complain(service, "expected a mapping with a \"url\"");
  } else if (!url->is_string() || !IsAbsoluteUrl(url->AsString())) {
    complain(*url, fmt::format("expected an absolute URL, found {}", Quoted(JsText(*url))),
             "write the address itself; ${NAME} is filled in within headers only");
  }
  const Value* method = service.Find("method");
  if (IsTruthy(method)) {
    const std::string text = JsText(*method);
    if (text != "GET" && text != "POST" && text != "PUT") {
      complain(*method, fmt::format("expected the method GET, POST or PUT, found {}", Quoted(text)));
    }
  }
  const Value* timeout = service.Find("timeout_ms");
  if (timeout != nullptr && !(timeout->is_number() && !(timeout->AsNumber() <= 0))) {
    complain(*timeout, "timeout_ms: expected a number of milliseconds above 0");
  }
}

}  // namespace

bool CheckRenderAs(const Value& value, std::string_view of, ParseContext& context) {
  if (value.is_string() && Fits(kRenderAsShape, value)) return true;
  const std::string_view near =
      value.is_string() ? DidYouMean(value.AsString(), kRenderAsShape.words) : std::string_view();
  Complain(context, "blueprint.render-as",
           fmt::format("{}render_as: expected {}, found {}", of, ExpectedOf(kRenderAsShape),
                       Quoted(JsText(value))),
           value, near.empty() ? std::string() : fmt::format("did you mean \"{}\"?", near));
  return false;
}

HeaderFacts NormaliseHeader(Map& header, ParseContext& context) {
  RefuseForeignAddresses(header, kForReaders, "blueprint.address", context.diagnostics);
  HeaderFacts facts = TakeDefinitions(header);
  FoldAlias(header, RowOf(kHeaderKeys, "id"));
  FoldAlias(header, RowOf(kHeaderKeys, "title"));
  FoldAlias(header, RowOf(kHeaderKeys, "system"));
  CheckAuthor(header, context);
  NormaliseReferences(header, context);
  const Value* render_as = header.Find("render_as");
  if (IsTruthy(render_as) && CheckRenderAs(*render_as, "", context)) facts.render_as = render_as->AsString();
  NormaliseModels(header, context);
  if (!context.LikeWeval()) NormaliseModelOptions(header, "", context.diagnostics);
  if (Value format = Take(header, "response_format"); !format.is_undefined())
    header.Set("response_format", AnswerSchemaOf(std::move(format), "", context));
  if (const Value* extract = header.Find("extract"); extract != nullptr && !context.LikeWeval()) {
    if (!CheckExtract(*extract, "", context)) header.Erase("extract");
  }
  CheckTools(header, context);
  CheckToolUse(header, context);
  facts.names_models = header.Find("models") != nullptr;
  if (const Value* no_cache = header.Find("noCache")) facts.no_cache = no_cache->Truthy();
  return facts;
}

void CheckServices(const Map& header, ParseContext& context) {
  const Value* services = header.Find("externalServices");
  if (!IsTruthy(services)) return;
  if (services->is_map()) {
    for (const Member& service : services->AsMap()) CheckService(service.key, service.value, context);
  } else if (services->is_list() || services->is_string()) {
    Map by_index = SpreadToMap(*services);
    for (const Member& service : by_index) CheckService(service.key, service.value, context);
  }
}

}  // namespace assay::blueprint
