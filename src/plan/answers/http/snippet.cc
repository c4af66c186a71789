// Wraps the code in a function, whose result may be a promise.
#include "plan/answers/http/snippet.h"

#include <fmt/core.h>

#include "text/javascript/text.h"
#include "text/script/awaited.h"

namespace assay {

namespace {

// Whether the code stands for itself as the body of a function.
bool ReturnsByItself(std::string_view code) {
  return !code.starts_with('(') && !code.starts_with("function") && !code.starts_with("async") &&
         code.find("=>") == std::string_view::npos && code.find("return ") != std::string_view::npos;
}

}  // namespace

Result<Value> RunSnippet(std::string_view member, std::string_view code,
                         const std::vector<std::pair<std::string, Value>>& arguments,
                         const ScriptWorld& world) {
  std::string_view bare = JsTrim(code);
  while (bare.ends_with(';')) bare = JsTrim(bare.substr(0, bare.size() - 1));
  std::string names;
  for (const auto& [name, value] : arguments) names += (names.empty() ? "" : ", ") + name;
  const std::string body =
      ReturnsByItself(bare)
          ? std::string(bare)
          : fmt::format("const made = (\n{}\n);\nreturn typeof made === 'function' ? made({}) : made;", bare,
                        names);
  const ScriptOutcome outcome = CallAwaited(body, arguments, world);
  if (outcome.kind == ScriptOutcome::Kind::kThrown)
    return Error{ErrorCode::kInvalidInput, fmt::format("{} threw: {}", member, outcome.message)};
  if (outcome.kind == ScriptOutcome::Kind::kLimit)
    return Error{ErrorCode::kLimit, fmt::format("{} was stopped: {}", member, outcome.message)};
  return outcome.value;
}

}  // namespace assay
