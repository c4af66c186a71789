// Loads modules from memory. A file of CommonJS is wrapped into a module.
#include "text/script/modules.h"

#include <fmt/core.h>
#include <quickjs.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/text/ascii.h"
#include "text/javascript/text.h"
#include "text/json/json.h"
#include "text/script/awaited.h"

namespace assay {
namespace {

constexpr std::array<std::string_view, 6> kEndings = {"", ".js", ".mjs", ".cjs", ".json", "/index.js"};

bool IsRelative(std::string_view name) { return name.starts_with("./") || name.starts_with("../"); }

// Whether the text before a quotation mark imports what stands in it.
bool BeforeIsImport(std::string_view before) {
  while (!before.empty() && IsJsSpace(static_cast<unsigned char>(before.back()))) before.remove_suffix(1);
  if (before.ends_with('(')) {
    before.remove_suffix(1);
    while (!before.empty() && IsJsSpace(static_cast<unsigned char>(before.back()))) before.remove_suffix(1);
    return before.ends_with("require") || before.ends_with("import");
  }
  return before.ends_with("from") || before.ends_with("import");
}

// A module says so at the beginning of a line.
bool IsModule(std::string_view source) {
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t end = std::min(source.find('\n', at), source.size());
    const std::string_view line = JsTrim(source.substr(at, end - at));
    for (const std::string_view word : {"import", "export"}) {
      const bool is_word = line.starts_with(word) && line.size() > word.size() &&
                           std::string_view(" {*\"'").find(line[word.size()]) != std::string_view::npos;
      if (is_word) return true;
    }
    at = end + 1;
  }
  return false;
}

std::string Quote(std::string_view text) { return WriteJson(Value(text), JsonStyle::kJavaScript); }

// A file of CommonJS as a module: what it requires is imported before.
std::string Wrapped(std::string_view source) {
  std::string imports;
  std::string names;
  std::vector<std::string> seen;
  for (const std::string& name : RelativeImports(source)) {
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) continue;
    imports += fmt::format("import * as required{} from {};", seen.size(), Quote(name));
    names += fmt::format("{}:required{},", Quote(name), seen.size());
    seen.push_back(name);
  }
  return fmt::format(
      "{}const module={{exports:{{}}}};"
      "const require=(name)=>{{const found=({{{}}})[name];"
      "if(!found)throw new Error(`\"${{name}}\" is not there: scripts import files beside them, and no "
      "packages`);"
      "return found.default??found}};"
      "(function(module,exports,require){{{}\n}}).call(module.exports,module,module.exports,require);"
      "export default module.exports;",
      imports, names, source);
}

std::string ModuleSource(std::string_view path, std::string_view source) {
  if (path.ends_with(".json")) return fmt::format("export default {};", source);
  return IsModule(source) ? std::string(source) : Wrapped(source);
}

char* CopyOf(JSContext* context, std::string_view text) {
  char* copy = static_cast<char*>(js_malloc(context, text.size() + 1));
  if (copy == nullptr) return nullptr;
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

char* NormaliseName(JSContext* context, const char* base, const char* name, void* opaque) {
  const auto& files = *static_cast<const ScriptFiles*>(opaque);
  if (files.contains(std::string_view(name))) return CopyOf(context, name);
  const std::string path = IsRelative(name) ? ImportedFile(files, base, name) : std::string();
  if (!path.empty()) return CopyOf(context, path);
  JS_ThrowReferenceError(context, "\"%s\" is not there: scripts import files beside them, and no packages",
                         name);
  return nullptr;
}

JSModuleDef* LoadFile(JSContext* context, const char* path, void* opaque) {
  const auto& files = *static_cast<const ScriptFiles*>(opaque);
  const auto found = files.find(std::string_view(path));
  if (found == files.end()) {
    JS_ThrowReferenceError(context, "\"%s\" is not there", path);
    return nullptr;
  }
  const std::string source = ModuleSource(found->first, found->second);
  const JSValue compiled =
      JS_Eval(context, source.c_str(), source.size(), path, JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
  if (JS_IsException(compiled)) return nullptr;
  auto* module = static_cast<JSModuleDef*>(JS_VALUE_GET_PTR(compiled));
  JS_FreeValue(context, compiled);
  return module;
}

}  // namespace

std::vector<std::string> RelativeImports(std::string_view source) {
  std::vector<std::string> names;
  for (std::size_t open = source.find_first_of("\"'"); open != std::string_view::npos;
       open = source.find_first_of("\"'", open + 1)) {
    const std::string_view rest = source.substr(open + 1);
    const std::string_view name = rest.substr(0, rest.find(source[open]));
    if (IsRelative(name) && name.size() < rest.size() && BeforeIsImport(source.substr(0, open)))
      names.emplace_back(name);
  }
  return names;
}

std::string ImportedPath(std::string_view path, std::string_view name) {
  std::string folder(path.substr(0, path.rfind('/') + 1));
  while (IsRelative(name)) {
    const bool is_up = name.starts_with("../");
    name.remove_prefix(is_up ? 3 : 2);
    if (!is_up) continue;
    if (folder.empty() || folder.ends_with("../")) {
      folder += "../";
    } else {
      folder.pop_back();
      folder.resize(folder.rfind('/') + 1);
    }
  }
  return folder + std::string(name);
}

std::vector<std::string> ImportedPaths(const std::string& path) {
  std::vector<std::string> paths;
  for (const std::string_view ending : kEndings) paths.push_back(path + std::string(ending));
  return paths;
}

std::string ImportedFile(const ScriptFiles& files, std::string_view path, std::string_view name) {
  for (std::string& candidate : ImportedPaths(ImportedPath(path, name))) {
    if (files.contains(candidate)) return std::move(candidate);
  }
  return {};
}

void UseScriptFiles(JSRuntime* runtime, const ScriptFiles& files) {
  // The engine takes no pointer to what it may not change; the two functions change nothing.
  JS_SetModuleLoaderFunc(runtime, NormaliseName, LoadFile, const_cast<ScriptFiles*>(&files));
}

ScriptOutcome CallExport(const ScriptFiles& files, std::string_view path, std::string_view function,
                         const std::vector<Value>& arguments, const ScriptWorld& world,
                         std::chrono::nanoseconds time) {
  const std::string name = Quote(function);
  const std::string body = fmt::format(
      "return import({}).then((module)=>{{const own=module.default;"
      "const called={}===\"\"?(typeof own===\"function\"?own:own?.default):(module[{}]??own?.[{}]);"
      "if(typeof called!==\"function\")throw new Error({});"
      "return called(...given)}})",
      Quote(path), name, name, name,
      Quote(function.empty() ? fmt::format("{} exports no function by default", path)
                             : fmt::format("{} exports no function {}", path, function)));
  return CallAwaited(body, {{"given", Value(List(arguments.begin(), arguments.end()))}}, world, time, &files);
}

}  // namespace assay
