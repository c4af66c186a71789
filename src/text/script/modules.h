// Files of JavaScript that import each other: modules, and those of CommonJS. Scripts reach nothing but
// these.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "text/script/script.h"

struct JSRuntime;

namespace assay {

// Sources by their paths: "asserts/check.js".
using ScriptFiles = std::map<std::string, std::string, std::less<>>;

// The relative files that a source names: "./words.js", "../lists.json".
std::vector<std::string> RelativeImports(std::string_view source);
// The path of the file that `name` means in the file at `path`, with the endings that may be left out; "" if
// it is not there.
std::string ImportedFile(const ScriptFiles& files, std::string_view path, std::string_view name);
// The folder of `path` with `name`, without "." and "..".
std::string ImportedPath(std::string_view path, std::string_view name);
// What `name` may stand for: itself, and with the endings that may be left out.
std::vector<std::string> ImportedPaths(const std::string& path);

// Lets scripts of the runtime import the files, which outlive it.
void UseScriptFiles(JSRuntime* runtime, const ScriptFiles& files);

// What the export `function` of the file gives for the arguments, as CallAwaited says it; "": its default
// export. kThrown if there is no such function, or it imports what is not there.
ScriptOutcome CallExport(const ScriptFiles& files, std::string_view path, std::string_view function,
                         const std::vector<Value>& arguments, const ScriptWorld& world = {},
                         std::chrono::nanoseconds time = limits::kScriptTime);

}  // namespace assay
