// Reads and checks model options in headers, in model entries, and in suffixes of model names.
#include "dialects/blueprint/read/model_options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/core.h>

#include "dialects/blueprint/keys/documents.h"
#include "dialects/blueprint/read/js_values.h"
#include "spec/limits.h"
#include "spec/suite/asked_members.h"
#include "text/javascript/text.h"
#include "text/javascript/values.h"
#include "text/object.h"

namespace assay::blueprint {

namespace {

constexpr std::string_view kMaxTokens = "max_tokens";
constexpr std::string_view kEffort = "effort";
constexpr std::string_view kThinkingTokens = "thinking_tokens";
constexpr std::string_view kFallback = "fallback";
constexpr std::string_view kResponseFormat = "response_format";
constexpr std::string_view kThoughts = "thoughts";
constexpr std::string_view kParameters = "parameters";

// A member that no file can have: its name has a blank, and entries are checked before it is put there.
constexpr std::string_view kApart = "told apart";

struct Suffix {
  std::string_view opening;
  std::string_view option;
};
constexpr Suffix kSuffixes[] = {{"[effort:", kEffort},
                                {"[thinking:", kThinkingTokens},
                                {"[response_format:", kResponseFormat},
                                {"[thoughts:", kThoughts}};

class OptionChecks {
 public:
  OptionChecks(const Map& fields, std::string_view of, Diagnostics& diagnostics)
      : fields_(fields), of_(of), diagnostics_(diagnostics) {}

  // Whether the value of the key, if there is one, is what its row says.
  void FitsRow(const KeyRow& key) {
    const Value* value = fields_.Find(key.name);
    if (value == nullptr || Fits(key.shape, *value)) return;
    const std::string_view near = value->is_string() && key.hint.empty()
                                      ? DidYouMean(value->AsString(), key.shape.words)
                                      : std::string_view();
    Complain(
        *value,
        fmt::format("{}: expected {}, found {}", key.name, ExpectedOf(key.shape), Quoted(JsText(*value))),
        near.empty() ? std::string(key.hint) : fmt::format("did you mean \"{}\"?", near));
  }

  void OneOfTwo() {
    const Value* tokens = fields_.Find(kThinkingTokens);
    if (fields_.Find(kEffort) == nullptr || tokens == nullptr) return;
    Complain(*tokens, "effort and thinking_tokens both say how much the model thinks", "keep one of the two");
  }

  void ResponseFormat() {
    const Value* value = fields_.Find(kResponseFormat);
    if (value == nullptr || (value->is_bool() && !value->AsBool())) return;
    Complain(*value, fmt::format("response_format: expected false, found {}", Quoted(JsText(*value))),
             "write schemas in the header or in prompts; false leaves them out for this model");
  }

  void Parameters() {
    const Value* value = fields_.Find(kParameters);
    if (value == nullptr) return;
    if (!value->is_map()) {
      Complain(*value, fmt::format("parameters: expected a mapping, found {}", KindName(*value)),
               "write what is sent beside the question: {verbosity: low}");
      return;
    }
    for (const Member* member : QuestionMembers(value->AsMap())) {
      diagnostics_.Error("blueprint.parameters", ReplacesQuestionText(member->key), member->key_span,
                         std::string(kReplacesQuestionHint));
    }
  }

  void Label() {
    const Value* value = fields_.Find("label");
    if (value == nullptr || (value->is_string() && !IsBlank(value->AsString()))) return;
    Complain(*value, fmt::format("label: expected a text, found {}", Quoted(JsText(*value))),
             "write what tables and pages are to call the model");
  }

  void Fallback() {
    const Value* value = fields_.Find(kFallback);
    if (value == nullptr) return;
    const auto is_model = [](const Value& item) { return item.is_string() && !IsBlank(item.AsString()); };
    const bool is_list = value->is_list() && !value->AsList().empty() &&
                         std::all_of(value->AsList().begin(), value->AsList().end(), is_model);
    if (is_list || is_model(*value)) return;
    Complain(*value, "fallback: expected a model or a list of models", "write [provider:model, ...]");
  }

 private:
  void Complain(const Value& at, std::string_view message, std::string hint) {
    diagnostics_.Error("blueprint.model-options",
                       of_.empty() ? std::string(message) : fmt::format("model {}: {}", Quoted(of_), message),
                       at.span, std::move(hint));
  }

  const Map& fields_;
  std::string_view of_;
  Diagnostics& diagnostics_;
};

std::optional<std::int64_t> CountOf(const Value* value) {
  if (value == nullptr || !Fits(kTokensShape, *value)) return std::nullopt;
  return static_cast<std::int64_t>(value->AsNumber());
}

// Cuts the suffix that a name ends with and puts what it says into `options`; false if it ends with none.
bool CutSuffix(Span span, std::string& name, Map& options) {
  if (!name.ends_with(']')) return false;
  for (const Suffix& suffix : kSuffixes) {
    const std::size_t start = name.rfind(suffix.opening);
    if (start == std::string::npos || start == 0) continue;
    const std::size_t inner = start + suffix.opening.size();
    const std::string text = name.substr(inner, name.size() - 1 - inner);
    if (text.empty() || text.find_first_of("[]") != std::string::npos) continue;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = error == std::errc() && end == text.data() + text.size();
    Value value = is_number         ? Value(static_cast<double>(number))
                  : text == "false" ? Value(false)
                                    : Value(text);
    value.span = span;
    options.Set(std::string(suffix.option), std::move(value));
    name.resize(start);
    return true;
  }
  return false;
}

}  // namespace

bool HasModelOptions(const Value& model) {
  const Value* name = model.Find("model");
  return model.is_map() && model.Find("id") == nullptr && name != nullptr && name->is_string();
}

void NormaliseModelOptions(Map& fields, std::string_view of, Diagnostics& diagnostics) {
  for (const std::string_view alias : RowOf(kOptionKeys, kMaxTokens).aliases) {
    const Member* member = fields.FindMember(alias);
    if (member == nullptr) continue;
    if (fields.Find(kMaxTokens) == nullptr) {
      Value value = member->value;
      const Span key_span = member->key_span;
      fields.Set(std::string(kMaxTokens), std::move(value), key_span);
    }
    fields.Erase(alias);
  }
  OptionChecks checks(fields, of, diagnostics);
  for (const KeyRow& key : kOptionKeys) checks.FitsRow(key);
  checks.OneOfTwo();
  checks.FitsRow(RowOf(kSentKeys, kThoughts));
  checks.Parameters();
  if (of.empty()) return;
  checks.Fallback();
  checks.ResponseFormat();
  checks.Label();
}

std::string LabelOf(const Value& model) {
  const Value* label = model.Find("label");
  return label != nullptr && label->is_string() ? std::string(JsTrim(label->AsString())) : std::string();
}

void RemoveLabels(List& models) {
  for (Value& model : models) {
    if (!model.is_map() || !model.AsMap().Erase("label")) continue;
    if (!HasModelOptions(model) || model.AsMap().size() > 1) continue;
    const Span span = model.span;
    Value name(model.Find("model")->AsString());
    name.span = span;
    model = std::move(name);
  }
}

void CheckLabel(const Map& fields, std::string_view of, Diagnostics& diagnostics) {
  OptionChecks(fields, of, diagnostics).Label();
}

Value WithSuffixesRead(Value model) {
  std::string name = model.is_string() ? model.AsString() : std::string();
  Map options;
  while (CutSuffix(model.span, name, options)) {
  }
  if (options.empty()) return model;
  options.Set("model", Value(std::move(name)));
  Value entry(std::move(options));
  entry.span = model.span;
  return entry;
}

void TellApart(Value& model, std::string suffix) {
  model.AsMap().Set(std::string(kApart), Value(std::move(suffix)));
}

std::string OptionSuffix(const Value& model) {
  std::string text;
  for (const Suffix& suffix : kSuffixes) {
    const Value* value = HasModelOptions(model) ? model.Find(suffix.option) : nullptr;
    if (value != nullptr) text += fmt::format("{}{}]", suffix.opening, JsText(*value));
  }
  const Value* apart = HasModelOptions(model) ? model.Find(kApart) : nullptr;
  if (apart != nullptr && apart->is_string()) text += apart->AsString();
  return text;
}

bool AnswersFreely(const Value& model) {
  const Value* format = HasModelOptions(model) ? model.Find(kResponseFormat) : nullptr;
  return format != nullptr && format->is_bool() && !format->AsBool();
}

SamplingParams WithOptions(SamplingParams params, const Map& fields) {
  if (const auto limit = CountOf(fields.Find(kMaxTokens))) {
    params.max_tokens = limit;
    params.limit_is_default = false;
  }
  if (const Value* thoughts = fields.Find(kThoughts); thoughts != nullptr && thoughts->is_string())
    params.shows_thoughts = Fits(kThoughtsShape, *thoughts);
  if (const Value* more = fields.Find(kParameters); more != nullptr && more->is_map())
    params.extra = WithWholeNumbers(*more);  // a service may refuse 8.0
  const Value* effort = fields.Find(kEffort);
  const std::optional<std::int64_t> tokens = CountOf(fields.Find(kThinkingTokens));
  if (effort == nullptr && !tokens) return params;
  // One of the two: what is said nearer to the model takes the place of both.
  params.thinking_tokens = tokens;
  params.effort = effort != nullptr && effort->is_string() ? effort->AsString() : std::string();
  return params;
}

}  // namespace assay::blueprint
