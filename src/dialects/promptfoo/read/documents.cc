// Reads files, follows references, gives dates their form, and fills in the environment.
#include "dialects/promptfoo/read/documents.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/files/near_file.h"
#include "base/text/ascii.h"
#include "base/text/percent.h"
#include "dialects/limits.h"
#include "dialects/promptfoo/read/paths.h"
#include "text/found.h"
#include "text/json/json.h"
#include "text/place_of.h"
#include "text/yaml/yaml.h"

namespace assay::promptfoo {

namespace {

constexpr int kReferenceDepthMax = 32;
constexpr std::size_t kReferenceNodesMax = 1'000'000;  // that references copy

// The parts of "/a/b~1c".
std::vector<std::string> PointerParts(std::string_view pointer) {
  std::vector<std::string> parts;
  while (pointer.starts_with('/')) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    std::string part;
    for (std::size_t at = 0; at < end; ++at) {
      const bool is_escape = pointer[at] == '~' && at + 1 < end;
      if (is_escape && pointer[at + 1] == '1') part += '/';
      if (is_escape && pointer[at + 1] == '0') part += '~';
      if (is_escape) {
        ++at;
      } else {
        part += pointer[at];
      }
    }
    parts.push_back(std::move(part));
    pointer.remove_prefix(end);
  }
  return parts;
}

const Value* FollowPointer(const Value& root, std::string_view pointer) {
  const Value* at = &root;
  for (const std::string& part : PointerParts(pointer)) {
    if (at->is_list()) {
      std::size_t index = 0;
      for (const char digit : part) {
        if (!IsAsciiDigit(digit) || index > at->AsList().size()) return nullptr;
        index = index * 10 + static_cast<std::size_t>(digit - '0');
      }
      if (part.empty() || index >= at->AsList().size()) return nullptr;
      at = &at->AsList()[index];
    } else {
      at = at->Find(part);
    }
    if (at == nullptr) return nullptr;
  }
  return at;
}

class References {
 public:
  explicit References(const ReadContext& context) : context_(context) {}

  // Replaces what refers to something else by that. `root` is the document as it was read, of `folder`.
  void Follow(Value& value, const Value& root, const std::string& folder, int depth) {
    if (value.is_list()) {
      for (Value& item : value.AsList()) Follow(item, root, folder, depth);
      return;
    }
    if (!value.is_map()) return;
    const std::string* reference = FindText(value, "$ref");
    if (reference == nullptr) {
      for (Member& member : value.AsMap()) Follow(member.value, root, folder, depth);
      return;
    }
    const std::string target = *reference;
    const Span where = PlaceOf(value, "$ref");
    if (depth >= kReferenceDepthMax) {
      Complain(fmt::format("$ref: {} refers to itself, or references lie more than {} deep", Quoted(target),
                           kReferenceDepthMax),
               where, "let it name what has no reference to it");
      return;
    }
    Replace(value, target, where, root, folder, depth);
  }

 private:
  void Complain(std::string message, Span where, std::string hint) {
    context_.Error("promptfoo.ref", std::move(message), where, std::move(hint));
  }

  void Replace(Value& value, const std::string& target, Span where, const Value& root,
               const std::string& folder, int depth) {
    const std::size_t mark = std::min(target.find('#'), target.size());
    const std::string file = target.substr(0, mark);
    const std::string pointer = mark < target.size() ? PercentDecoded(target.substr(mark + 1)) : "";
    const Value* document = &root;
    std::string folder_of_it = folder;
    if (!file.empty()) {
      const std::string path = JoinedPath(folder, WithoutFilePrefix(file));
      document = DocumentAt(path, where);
      folder_of_it = FolderOf(path);
      if (document == nullptr) {
        value = Value(Null{});
        return;
      }
    }
    const Value* found = FollowPointer(*document, pointer);
    if (found == nullptr) {
      Complain(fmt::format("$ref: the document has no {}", Quoted(target)), where,
               "write the path of a key of the config, as in '#/assertionTemplates/NAME'");
      value = Value(Null{});
      return;
    }
    copied_ += CountNodes(*found);
    if (copied_ > kReferenceNodesMax) {
      if (!std::exchange(is_full_, true))
        Complain(fmt::format("$ref: references copy more than {} values", kReferenceNodesMax), where,
                 "refer to less");
      value = Value(Null{});
      return;
    }
    Value copy = *found;
    Follow(copy, *document, folder_of_it, depth + 1);
    const Map own = value.AsMap();
    value = std::move(copy);
    if (!value.is_map() || own.size() == 1) return;
    // What stands beside the reference counts more than what it names.
    for (const Member& member : own) {
      if (member.key == "$ref") continue;
      Value beside = member.value;
      Follow(beside, root, folder, depth + 1);
      value.AsMap().Set(member.key, std::move(beside), member.key_span);
    }
  }

  const Value* DocumentAt(const std::string& path, Span where) {
    if (const auto known = documents_.find(path); known != documents_.end()) return &known->second;
    const std::optional<FileId> file = ReadSource(context_, path, where);
    if (!file) return nullptr;
    const std::size_t errors = context_.diagnostics.ErrorCount();
    std::vector<Value> read = ReadPlainYaml(*file, context_.sources.Text(*file), context_.diagnostics);
    if (context_.diagnostics.ErrorCount() > errors || read.size() != 1) return nullptr;
    return &documents_.emplace(path, std::move(read.front())).first->second;
  }

  static std::size_t CountNodes(const Value& value) {
    std::size_t nodes = 1;
    if (value.is_list()) {
      for (const Value& item : value.AsList()) nodes += CountNodes(item);
    } else if (value.is_map()) {
      for (const Member& member : value.AsMap()) nodes += CountNodes(member.value);
    }
    return nodes;
  }

  const ReadContext& context_;
  std::map<std::string, Value> documents_;
  std::size_t copied_ = 0;
  bool is_full_ = false;
};

// `content: {{name}}` without quotes is a mapping that has a mapping as its key.
void RefuseKeys(const Value& value, std::string_view text, Diagnostics& diagnostics) {
  if (value.is_list()) {
    for (const Value& item : value.AsList()) RefuseKeys(item, text, diagnostics);
  } else if (value.is_map()) {
    for (const Member& member : value.AsMap()) {
      const std::size_t at = member.key_span.offset;
      if (member.key_span.length > 0 && at < text.size() && (text[at] == '{' || text[at] == '['))
        diagnostics.Error("yaml.key", "expected a text as a key, found a mapping or a list", member.key_span,
                          "put a value that begins with {{ in quotes");
      RefuseKeys(member.value, text, diagnostics);
    }
  }
}

bool HasReference(const Value& value) {
  if (value.is_list()) return std::any_of(value.AsList().begin(), value.AsList().end(), HasReference);
  if (!value.is_map()) return false;
  if (value.Find("$ref") != nullptr) return true;
  return std::any_of(value.AsMap().begin(), value.AsMap().end(),
                     [](const Member& member) { return HasReference(member.value); });
}

// A date without quotes is an object without members there, and its text here.
void GiveDatesTheirForm(const ReadContext& context, Value& value) {
  if (value.is_list()) {
    for (Value& item : value.AsList()) GiveDatesTheirForm(context, item);
  } else if (value.is_map()) {
    for (Member& member : value.AsMap()) GiveDatesTheirForm(context, member.value);
  } else if (value.is_date()) {
    const Span where = value.span;
    const std::string written(context.sources.Text(where.file).substr(where.offset, where.length));
    value = context.options.is_compatible ? Value(Map()) : Value(written);
    value.span = where;
    if (!context.options.is_compatible)
      context.diagnostics.Warning(
          "promptfoo.date", fmt::format("{} is a date without quotes", written), where,
          "it is taken as a text, and promptfoo shows [object Object]: put it in quotes");
  }
}

// What of a `{{ … }}` names a variable of the environment; "" if nothing does.
std::string_view EnvironmentNameIn(std::string_view expression) {
  for (std::size_t at = expression.find("env"); at != std::string_view::npos;
       at = expression.find("env", at + 1)) {
    const bool begins = at == 0 || (!IsAsciiAlphanumeric(expression[at - 1]) && expression[at - 1] != '_' &&
                                    expression[at - 1] != '.');
    std::string_view rest = expression.substr(at + 3);
    if (!begins || rest.size() < 2) continue;
    if (rest.front() == '.') {
      rest.remove_prefix(1);
      const std::size_t end =
          std::find_if(rest.begin(), rest.end(),
                       [](char byte) { return !IsAsciiAlphanumeric(byte) && byte != '_'; }) -
          rest.begin();
      if (end > 0) return rest.substr(0, end);
    }
    if (rest.front() == '[' && (rest[1] == '\'' || rest[1] == '"')) {
      const std::size_t end = rest.find(rest[1], 2);
      if (end != std::string_view::npos && end > 2) return rest.substr(2, end - 2);
    }
  }
  return {};
}

std::string RenderedText(const std::string& text, Span where, Nunjucks& environment,
                         Diagnostics& diagnostics) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t open = 0; (open = text.find("{{", at)) != std::string::npos;) {
    const std::size_t close = text.find("}}", open);
    if (close == std::string::npos) break;
    const std::string expression = text.substr(open, close + 2 - open);
    out += text.substr(at, open - at);
    at = close + 2;
    const std::string_view name = EnvironmentNameIn(std::string_view(expression).substr(2));
    const bool is_there = !name.empty() && environment.environment().Find(name) != nullptr;
    const bool has_filter = !name.empty() && expression.find('|') != std::string::npos;
    if (!is_there && !has_filter) {
      out += expression;
      continue;
    }
    Result<std::string> rendered = environment.Render(expression, {});
    if (rendered) {
      out += *rendered;
    } else {
      diagnostics.Error("promptfoo.template", rendered.error().message, where,
                        "write {{ env.NAME }}, or {{ env.NAME | default('a value') }}");
    }
  }
  return out + text.substr(at);
}

}  // namespace

std::vector<Value> ReadPlainYaml(FileId file, std::string_view text, Diagnostics& diagnostics) {
  std::vector<Value> documents = ReadYaml(file, text, YamlRules::kJsYaml, diagnostics);
  for (const Value& document : documents) RefuseKeys(document, text, diagnostics);
  return documents;
}

std::optional<FileId> ReadSource(const ReadContext& context, const std::string& path, Span named_at) {
  Result<std::string> text = context.files.Read(path);
  if (text) return context.sources.Add(path, *std::move(text));
  const std::string near = NearFile(context.files, path);
  context.Error("promptfoo.file", fmt::format("{} cannot be read: {}", Quoted(path), text.error().message),
                named_at,
                near.empty() ? "name a file, from the folder of the config" : "did you mean " + near + "?");
  return std::nullopt;
}

std::optional<Value> ReadDocumentText(const ReadContext& context, const std::string& path, FileId file) {
  const std::size_t errors = context.diagnostics.ErrorCount();
  const std::string_view text = context.sources.Text(file);
  std::vector<Value> documents = ReadPlainYaml(file, text, context.diagnostics);
  if (context.diagnostics.ErrorCount() > errors) return std::nullopt;
  if (documents.size() > 1) {
    context.Error("promptfoo.file", "expected one document, found several", documents[1].span,
                  "leave out the others, and the --- before them");
    return std::nullopt;
  }
  if (documents.empty()) return Value();
  Value document = std::move(documents.front());
  GiveDatesTheirForm(context, document);
  if (HasReference(document)) {
    const Value root = document;
    References(context).Follow(document, root, FolderOf(path), 0);
  }
  return document;
}

std::optional<Value> ReadDocument(const ReadContext& context, const std::string& path, Span named_at) {
  const std::optional<FileId> file = ReadSource(context, path, named_at);
  if (!file) return std::nullopt;
  if (ExtensionOf(path) != ".json") return ReadDocumentText(context, path, *file);
  const std::size_t errors = context.diagnostics.ErrorCount();
  Value document = ReadJson(*file, context.sources.Text(*file), context.diagnostics);
  if (context.diagnostics.ErrorCount() > errors) return std::nullopt;
  if (HasReference(document)) {
    const Value root = document;
    References(context).Follow(document, root, FolderOf(path), 0);
  }
  return document;
}

void RenderEnvironment(Value& value, Nunjucks& environment, Diagnostics& diagnostics) {
  if (value.is_list()) {
    for (Value& item : value.AsList()) RenderEnvironment(item, environment, diagnostics);
  } else if (value.is_map()) {
    for (Member& member : value.AsMap()) RenderEnvironment(member.value, environment, diagnostics);
  } else if (value.is_string() && value.AsString().find("env") != std::string::npos) {
    const Span where = value.span;
    value = Value(RenderedText(value.AsString(), where, environment, diagnostics));
    value.span = where;
  }
}

}  // namespace assay::promptfoo
