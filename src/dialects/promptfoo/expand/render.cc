// Renders prompts in the order in which promptfoo does.
#include "dialects/promptfoo/expand/render.h"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "base/text/ascii.h"
#include "dialects/promptfoo/expand/file_value.h"
#include "dialects/promptfoo/read/paths.h"
#include "text/javascript/text.h"
#include "text/json/json.h"
#include "text/nunjucks/tags.h"

namespace assay::promptfoo {

namespace {

constexpr int kFillRounds = 5;
constexpr std::size_t kFilledBytesMax = 16u << 20;  // of one variable

struct Placeholder {
  std::size_t offset = 0;
  std::size_t size = 0;
  std::string_view name;
};

bool IsWordByte(char byte) { return IsAsciiAlphanumeric(byte) || byte == '_'; }

// The first `{{ name }}` that has nothing but a name in it.
std::optional<Placeholder> FirstName(std::string_view text) {
  for (std::size_t open = text.find("{{"); open != std::string_view::npos; open = text.find("{{", open + 1)) {
    const std::string_view rest = text.substr(open + 2);
    const std::size_t close = rest.find("}}");
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view name = JsTrim(rest.substr(0, close));
    bool is_word = !name.empty();
    for (const char byte : name) is_word = is_word && IsWordByte(byte);
    if (is_word) return Placeholder{open, close + 4, name};
  }
  return std::nullopt;
}

// `$$`, `$&`, "$`" and `$'` in what String.replace puts in the place of the match.
std::string ReplacementOf(std::string_view pattern, std::string_view text, const Placeholder& place) {
  std::string out;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char next = pattern[at] == '$' && at + 1 < pattern.size() ? pattern[at + 1] : '\0';
    if (next == '$') {
      out += '$';
    } else if (next == '&') {
      out += text.substr(place.offset, place.size);
    } else if (next == '`') {
      out += text.substr(0, place.offset);
    } else if (next == '\'') {
      out += text.substr(place.offset + place.size);
    } else {
      out += pattern[at];
      continue;
    }
    ++at;
  }
  return out;
}

std::string TextInPlace(const Value& value) { return value.is_null() ? "null" : JsTextOf(value); }

}  // namespace

Map TemplateEnvironment(const Config& config, const EvalOptions& options) {
  Map environment;
  const bool is_hidden =
      options.IsOn("PROMPTFOO_SELF_HOSTED") || options.IsOn("PROMPTFOO_DISABLE_TEMPLATE_ENV_VARS");
  if (!is_hidden) {
    for (const auto& [name, value] : options.environment) environment.Set(name, value);
  }
  for (const Member& variable : config.environment) environment.Set(variable.key, variable.value);
  return environment;
}

CellRenderer::CellRenderer(const Config& config, const EvalOptions& options, FileReader& files)
    : config_(config), options_(options), files_(files), templates_(TemplateEnvironment(config, options)) {}

Status CellRenderer::LoadFiles(Map& variables) {
  for (Member& variable : variables) {
    if (!variable.value.is_string() || !variable.value.AsString().starts_with(kFilePrefix)) continue;
    const std::string path = JoinedPath(config_.folder, WithoutFilePrefix(variable.value.AsString()));
    auto known = loaded_.find(path);
    if (known == loaded_.end()) {
      ASSAY_TRY(std::string text, FileValue(files_, path));
      known = loaded_.emplace(path, std::move(text)).first;
    }
    variable.value = Value(known->second);
  }
  return Ok();
}

void CellRenderer::FillNames(Map& variables) const {
  for (int round = 0; round < kFillRounds; ++round) {
    bool has_changed = false;
    for (Member& variable : variables) {
      if (!variable.value.is_string()) continue;
      const std::string text = variable.value.AsString();
      const std::optional<Placeholder> place = FirstName(text);
      const Value* named = place ? std::as_const(variables).Find(place->name) : nullptr;
      if (named == nullptr || named->is_undefined() || text.size() > kFilledBytesMax) continue;
      const std::string put = TextInPlace(*named);
      std::string filled = text.substr(0, place->offset);
      filled += options_.is_compatible ? ReplacementOf(put, text, *place) : put;
      filled += text.substr(place->offset + place->size);
      variable.value = Value(std::move(filled));
      has_changed = true;
    }
    if (!has_changed) return;
  }
}

Status CellRenderer::RenderTree(Value& value, const Map& variables) {
  if (value.is_list()) {
    for (Value& item : value.AsList()) ASSAY_CHECK_OK(RenderTree(item, variables));
  } else if (value.is_map()) {
    for (Member& member : value.AsMap()) ASSAY_CHECK_OK(RenderTree(member.value, variables));
  } else if (value.is_string()) {
    ASSAY_TRY(std::string text, templates_.Render(value.AsString(), variables));
    value = Value(std::move(text));
  }
  return Ok();
}

Result<std::string> CellRenderer::RenderText(const std::string& prompt, const Map& variables) {
  Map rendered;
  rendered.Reserve(variables.size());
  for (const Member& variable : variables) {
    const bool has_tag =
        variable.value.is_string() && variable.value.AsString().find('{') != std::string::npos;
    const bool is_kept =
        !has_tag || (options_.is_compatible ? NamesUnknownThere(variable.value.AsString(), variables)
                                            : NamesUnknown(variable.value.AsString(), variables));
    if (is_kept) {
      rendered.Append(variable.key, variable.value);
      continue;
    }
    ASSAY_TRY(std::string text, templates_.Render(RawIfOpen(variable.value.AsString()), variables));
    rendered.Append(variable.key, std::move(text));
  }
  return templates_.Render(prompt, rendered);
}

Result<std::string> CellRenderer::RenderPrompt(const std::string& prompt, const Map& variables) {
  if (options_.IsOn("PROMPTFOO_DISABLE_TEMPLATING")) return prompt;
  if (options_.IsOn("PROMPTFOO_DISABLE_JSON_AUTOESCAPE"))
    return templates_.Render(RawIfOpen(prompt), variables);
  Result<Value> parsed = ParseJson(prompt);
  if (parsed) {
    if (RenderTree(*parsed, variables).has_value()) return WriteJson(*parsed, JsonStyle::kJavaScript2);
  }
  return RenderText(RawIfOpen(prompt), variables);
}

RenderedCell CellRenderer::Render(const Expansion& expansion, const Row& row, const Column& column,
                                  const Map& added) {
  const Test& test = expansion.tests[row.test];
  const Prompt& prompt = config_.prompts[column.prompt];
  RenderedCell cell{.variables = row.variables, .prompt = std::string()};
  for (const Member& variable : added) cell.variables.Set(variable.key, variable.value);
  if (const Status loaded = LoadFiles(cell.variables); !loaded.has_value()) {
    cell.prompt = loaded.error();
    return cell;
  }
  for (Member& variable : cell.variables) {
    if (variable.value.is_string() && variable.value.AsString().ends_with('\n'))
      variable.value = Value(variable.value.AsString().substr(0, variable.value.AsString().size() - 1));
  }
  FillNames(cell.variables);
  if (prompt.is_code) {
    cell.prompt = Error{ErrorCode::kUnsupported,
                        fmt::format("{} is a program, which is not run here", Quoted(prompt.raw))};
    return cell;
  }
  const std::string raw = test.options.TextAt("prefix") + prompt.raw + test.options.TextAt("suffix");
  cell.prompt = RenderPrompt(raw, cell.variables);
  return cell;
}

}  // namespace assay::promptfoo
