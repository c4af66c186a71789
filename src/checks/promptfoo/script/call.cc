// Makes functions of snippets, and calls them with the output and its context.
#include "checks/promptfoo/script/call.h"

#include <fmt/core.h>

#include <algorithm>

#include "checks/promptfoo/script/context.h"
#include "text/javascript/text.h"
#include "text/object.h"
#include "text/script/awaited.h"

namespace assay::promptfoo {
namespace {

constexpr std::string_view kDeclarations[] = {"const", "let", "var"};

bool BeginsWithDeclaration(std::string_view code) {
  return std::any_of(std::begin(kDeclarations), std::end(kDeclarations), [&](std::string_view word) {
    return code.starts_with(word) && code.size() > word.size() &&
           IsJsSpace(static_cast<unsigned char>(code[word.size()]));
  });
}

// The last semicolon outside of quotes; npos if there is none.
std::size_t LastSemicolon(std::string_view code) {
  std::size_t last = std::string_view::npos;
  char quote = 0;
  for (std::size_t at = 0; at < code.size(); ++at) {
    const char c = code[at];
    if (quote != 0) {
      if (c == '\\') {
        ++at;
      } else if (c == quote) {
        quote = 0;
      }
    } else if (c == '"' || c == '\'' || c == '`') {
      quote = c;
    } else if (c == ';') {
      last = at;
    }
  }
  return last;
}

std::string_view WithoutSemicolons(std::string_view code) {
  for (code = JsTrim(code); code.ends_with(';'); code = JsTrim(code)) code.remove_suffix(1);
  return code;
}

}  // namespace

std::string FunctionBody(std::string_view code) {
  const std::string_view trimmed = JsTrim(code);
  if (trimmed.find('\n') != std::string_view::npos) return std::string(trimmed);
  const std::string_view line = WithoutSemicolons(trimmed);
  if (BeginsWithDeclaration(line)) {
    const std::size_t last = LastSemicolon(line);
    if (last != std::string_view::npos)
      return fmt::format("{} return {}", line.substr(0, last + 1), JsTrim(line.substr(last + 1)));
  }
  return fmt::format("return {}", line);
}

std::optional<NamedExport> NamedExportOf(std::string_view text) {
  constexpr std::string_view kPrefix = "file://";
  if (!text.starts_with(kPrefix)) return std::nullopt;
  std::string_view path = text.substr(kPrefix.size());
  std::string_view function;
  if (const std::size_t colon = path.rfind(':'); colon != std::string_view::npos) {
    function = path.substr(colon + 1);
    path = path.substr(0, colon);
  }
  const bool is_script = path.ends_with(".js") || path.ends_with(".cjs") || path.ends_with(".mjs");
  return is_script ? std::optional<NamedExport>({std::string(path), std::string(function)}) : std::nullopt;
}

ScriptOutcome CallNamed(const NamedExport& named, const std::vector<Value>& arguments,
                        const AssertionInput& input) {
  if (input.scripts != nullptr && input.scripts->contains(named.path))
    return CallExport(*input.scripts, named.path, named.function, arguments, input.world);
  ScriptOutcome missing;
  missing.kind = ScriptOutcome::Kind::kThrown;
  missing.message = fmt::format("{} is not there", named.path);
  return missing;
}

Result<Value> TransformedOutput(std::string_view code, const AssertionInput& input) {
  Map context = Object{{"vars", input.vars}, {"prompt", ScriptPrompt(input)}, {"metadata", input.metadata}};
  const std::optional<NamedExport> named = NamedExportOf(code);
  const ScriptOutcome outcome =
      named ? CallNamed(*named, {input.output, Value(std::move(context))}, input)
            : CallAwaited(FunctionBody(code),
                          {{"output", input.output}, {"context", Value(std::move(context))}}, input.world);
  const auto failed = [&](std::string_view why) {
    return Error{ErrorCode::kInvalidInput, fmt::format("the transform \"{}\" {}", code, why)};
  };
  if (outcome.kind == ScriptOutcome::Kind::kThrown) return failed("threw: " + outcome.message);
  if (outcome.kind == ScriptOutcome::Kind::kLimit) return failed("was stopped: " + outcome.message);
  if (outcome.kind != ScriptOutcome::Kind::kValue || outcome.value.is_nullish())
    return failed("gave no value: expected a text, a number, a list or an object");
  return outcome.value;
}

}  // namespace assay::promptfoo
