// Reads the entries of providers.
#include "dialects/promptfoo/read/providers.h"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "dialects/promptfoo/keys.h"
#include "dialects/promptfoo/read/documents.h"
#include "dialects/promptfoo/read/paths.h"
#include "text/json/json.h"

namespace assay::promptfoo {

namespace {

constexpr int kFilesDeep = 8;  // files that name files of providers
constexpr std::string_view kProviderForms = "write an id, {id: …, label: …, config: …}, or file://LIST.yaml";

bool IsListFile(std::string_view id) {
  if (!id.starts_with(kFilePrefix)) return false;
  const std::string ending = ExtensionOf(id);
  return ending == ".yaml" || ending == ".yml" || ending == ".json";
}

// The user's own program: of a file, or behind a word for it.
bool IsProgram(std::string_view id) {
  for (const std::string_view word : {"exec:", "python:", "golang:", "ruby:"}) {
    if (id.starts_with(word)) return true;
  }
  return id.starts_with(kFilePrefix) || IsJavaScriptPath(id);
}

// "python:p.py:default" for "file://p.py": a text of its own names the function that is called.
std::string ShownId(const std::string& id) {
  std::string_view path = id;
  if (path.starts_with("python:")) {
    path.remove_prefix(std::string_view("python:").size());
  } else if (path.starts_with(kFilePrefix)) {
    path = WithoutFilePrefix(path);
  } else {
    return id;
  }
  const CodePath code = IsPythonPath(path) ? CodePath{std::string(path)} : CodePathOf(path);
  if (!IsPythonPath(code.path)) return id;
  return fmt::format("python:{}:{}", JoinedPath("", code.path),
                     code.function.empty() ? "default" : code.function);
}

class ProviderReader {
 public:
  ProviderReader(const ReadContext& context, SeenEntries& seen, std::vector<Provider>& out)
      : context_(context), seen_(seen), out_(out) {}

  void Read(const Value& providers, const std::string& folder, int depth) {
    if (!providers.is_list()) return ReadEntry(providers, folder, depth);
    for (const Value& entry : providers.AsList()) ReadEntry(entry, folder, depth);
  }

 private:
  void Complain(std::string message, Span where, std::string_view hint = kProviderForms) {
    context_.Error("promptfoo.provider", std::move(message), where, std::string(hint));
  }

  bool IsNew(const Value& entry, const std::string& folder) {
    const bool has_path = entry.is_map() || IsProgram(entry.AsString());
    return seen_.insert((has_path ? folder : "") + "\n" + WriteJson(entry, JsonStyle::kCanonical)).second;
  }

  void ReadEntry(const Value& entry, const std::string& folder, int depth) {
    if (entry.is_string()) {
      const std::string& id = entry.AsString();
      if (IsListFile(id)) return ReadFile(id, folder, entry.span, depth);
      if (id.empty()) return Complain("a provider: expected an id, found an empty text", entry.span);
      if (IsNew(entry, folder)) Add({.id = ShownId(id), .where = entry.span}, id);
    } else if (entry.is_map()) {
      if (IsNew(entry, folder)) ReadMap(entry, folder, depth);
    } else {
      Complain(fmt::format("a provider: expected an id or a mapping, found {}", KindName(entry)), entry.span);
    }
  }

  void ReadFile(const std::string& id, const std::string& folder, Span where, int depth) {
    if (depth >= kFilesDeep)
      return Complain(fmt::format("{}: files of providers name each other", Quoted(id)), where,
                      "write the providers into one file");
    const std::string path = JoinedPath(folder, WithoutFilePrefix(id));
    const std::optional<Value> list = ReadDocument(context_, path, where);
    if (!list) return;
    if (!list->is_list() && !list->is_map())
      return Complain(fmt::format("{}: expected a list of providers, found {}", Quoted(id), KindName(*list)),
                      where);
    Read(*list, folder, depth + 1);
  }

  void ReadMap(const Value& entry, const std::string& folder, int depth) {
    const Map& map = entry.AsMap();
    if (map.Find("id") != nullptr) {
      const std::string& id = map.TextAt("id");
      if (id.empty()) return Complain("a provider: expected `id`, a text that is not empty", entry.span);
      if (IsListFile(id)) return ReadFile(id, folder, entry.span, depth);
      return ReadOptions(id, map, entry.span);
    }
    if (map.size() != 1 || !(map.begin()->value.is_map() || map.begin()->value.is_null()))
      return Complain("a provider: expected `id`, found none", entry.span);
    const Member& only = *map.begin();
    ReadOptions(only.key, only.value.is_map() ? only.value.AsMap() : Map(), entry.span);
  }

  void ReadOptions(const std::string& id, const Map& map, Span where) {
    WarnOfUnknownKeys(map, kProviderPlace, context_.diagnostics);
    Provider provider{.id = id, .label = map.TextAt("label"), .where = where};
    provider.prompts = ReadNames(context_, map.Find("prompts"), "prompts");
    // A service that is asked by HTTP is called by its address.
    const std::string& url = map.MapAt("config").TextAt("url");
    if (!url.empty() &&
        (id == "http" || id == "https" || id.starts_with("http://") || id.starts_with("https://")))
      provider.id = url;
    for (const Member& member : map) {
      if (member.key == "id" || member.key == "label" || member.key == "prompts") continue;
      provider.options.Append(member.key, member.value, member.key_span);
    }
    Add(std::move(provider), id);
  }

  void Add(Provider provider, const std::string& named) {
    provider.is_code = IsProgram(named);
    if (provider.is_code)
      context_.code.push_back({.use = CodeUse::kProvider, .named = named, .where = provider.where});
    out_.push_back(std::move(provider));
  }

  const ReadContext& context_;
  SeenEntries& seen_;
  std::vector<Provider>& out_;
};

}  // namespace

NameFilter ReadNames(const ReadContext& context, const Value* names, std::string_view of) {
  if (names == nullptr || names->is_null()) return std::nullopt;
  if (names->is_string()) return std::vector<std::string>{names->AsString()};
  std::vector<std::string> read;
  if (names->is_list()) {
    for (const Value& name : names->AsList()) {
      if (name.is_string()) read.push_back(name.AsString());
    }
    if (read.size() == names->AsList().size()) return read;
  }
  context.Error("promptfoo.filter",
                fmt::format("{}: expected a list of labels, found {}", of, KindName(*names)), names->span,
                "write [LABEL, LABEL]");
  return std::nullopt;
}

void ReadProviders(const ReadContext& context, const Value& providers, const std::string& folder,
                   SeenEntries& seen, std::vector<Provider>& out) {
  ProviderReader(context, seen, out).Read(providers, folder, 0);
}

}  // namespace assay::promptfoo
