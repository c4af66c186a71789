// Chooses tests, prompts and providers.
#include "dialects/promptfoo/read/choose.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "text/found.h"
#include "text/javascript/regex.h"
#include "text/nunjucks/nunjucks.h"
#include "text/place_of.h"

namespace assay::promptfoo {

namespace {

class Pattern {
 public:
  // Without a pattern everything matches.
  Pattern(const std::string& text, std::string_view option, Diagnostics& diagnostics) {
    if (text.empty()) return;
    auto compiled = JsRegex::Compile(text, JsRegexFlags::kNone);
    if (compiled) {
      regex_ = *compiled;
    } else {
      diagnostics.Error(
          "promptfoo.option",
          fmt::format("{}: {} is no pattern: {}", option, Quoted(text), compiled.error().message), {},
          "write a regular expression of JavaScript");
    }
  }

  bool is_there() const { return regex_ != nullptr; }
  bool Matches(const std::string& text) const {
    if (regex_ == nullptr) return true;
    RegexSubject subject(text);
    const Result<bool> found = regex_->Search(subject);
    return found && *found;
  }

 private:
  std::shared_ptr<const JsRegex> regex_;
};

// Texts count where they have the wanted one in them.
bool HasMetadata(const Test& test, const std::pair<std::string, std::string>& wanted) {
  const auto fits = [&](const Value& value) {
    return value.is_string() && value.AsString().find(wanted.second) != std::string::npos;
  };
  if (const List* items = FindList(test.metadata, wanted.first))
    return std::any_of(items->begin(), items->end(), fits);
  const Member* found = test.metadata.FindMember(wanted.first);
  return found != nullptr && (fits(found->value) || JsTextOf(found->value) == wanted.second);
}

}  // namespace

void ChooseTests(const EvalOptions& options, std::vector<Test>& tests, Diagnostics& diagnostics) {
  const Pattern pattern(options.description_pattern, "--filter-pattern", diagnostics);
  std::erase_if(tests, [&](const Test& test) {
    const bool has_all = std::all_of(options.metadata.begin(), options.metadata.end(),
                                     [&](const auto& wanted) { return HasMetadata(test, wanted); });
    const bool is_described =
        !pattern.is_there() || (!test.description.empty() && pattern.Matches(test.description));
    return !has_all || !is_described;
  });
  if (options.test_range) {
    const std::size_t end = std::min(options.test_range->second, tests.size());
    const std::size_t begin = std::min(options.test_range->first, end);
    tests = std::vector<Test>(tests.begin() + static_cast<std::ptrdiff_t>(begin),
                              tests.begin() + static_cast<std::ptrdiff_t>(end));
  }
  if (options.first_tests && tests.size() > *options.first_tests) tests.resize(*options.first_tests);
}

namespace {

// The number, or the text of one.
std::optional<std::size_t> CountOf(const Value* value) {
  if (value == nullptr) return std::nullopt;
  const std::string text = JsTextOf(*value);
  std::size_t count = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), count);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(count)
                                                                         : std::nullopt;
}

void TakeText(std::string& into, const Map& from, std::string_view key) {
  if (into.empty()) into = from.TextAt(key);
}

}  // namespace

EvalOptions OptionsWith(const EvalOptions& options, const Map& command_line, Diagnostics& diagnostics) {
  EvalOptions joined = options;
  if (!joined.repeat) {
    if (const auto repeat = CountOf(command_line.Find("repeat")))
      joined.repeat = static_cast<std::int64_t>(*repeat);
  }
  if (!joined.first_tests) joined.first_tests = CountOf(command_line.Find("filterFirstN"));
  if (!joined.prefix && !command_line.TextAt("promptPrefix").empty())
    joined.prefix = command_line.TextAt("promptPrefix");
  if (!joined.suffix && !command_line.TextAt("promptSuffix").empty())
    joined.suffix = command_line.TextAt("promptSuffix");
  TakeText(joined.grader, command_line, "grader");
  TakeText(joined.description_pattern, command_line, "filterPattern");
  TakeText(joined.provider_pattern, command_line, "filterProviders");
  TakeText(joined.provider_pattern, command_line, "filterTargets");
  TakeText(joined.prompt_pattern, command_line, "filterPrompts");
  for (const Member& variable : command_line.MapAt("var")) {
    const bool is_said = std::any_of(joined.variables.begin(), joined.variables.end(),
                                     [&](const auto& said) { return said.first == variable.key; });
    if (!is_said) joined.variables.emplace_back(variable.key, JsTextOf(variable.value));
  }
  const std::string& metadata = command_line.TextAt("filterMetadata");
  if (!metadata.empty() && joined.metadata.empty()) {
    const std::size_t equals = metadata.find('=');
    if (equals == std::string::npos) {
      diagnostics.Error("promptfoo.option",
                        fmt::format("filterMetadata: expected KEY=VALUE, found {}", Quoted(metadata)),
                        PlaceOf(command_line, "filterMetadata"), "write the key, = and the value");
    } else {
      joined.metadata.emplace_back(metadata.substr(0, equals), metadata.substr(equals + 1));
    }
  }
  return joined;
}

void ApplyOptions(const EvalOptions& options, bool has_default_test, Config& config,
                  Diagnostics& diagnostics) {
  ChooseTests(options, config.tests, diagnostics);
  const Pattern providers(options.provider_pattern, "--filter-providers", diagnostics);
  std::erase_if(config.providers, [&](const Provider& provider) {
    return !providers.Matches(provider.id) && !(!provider.label.empty() && providers.Matches(provider.label));
  });
  const Pattern prompts(options.prompt_pattern, "--filter-prompts", diagnostics);
  std::erase_if(config.prompts, [&](const Prompt& prompt) {
    return !prompts.Matches(prompt.label) && !(!prompt.id.empty() && prompts.Matches(prompt.id));
  });
  for (const auto& [name, value] : options.variables) config.default_test.variables.Set(name, value);
  config.default_test.variables.SortLikeJavaScript();
  if (!options.grader.empty()) config.default_test.options.Set("provider", options.grader);
  if (!options.is_compatible || !has_default_test) {
    if (options.prefix) config.default_test.options.Set("prefix", *options.prefix);
    if (options.suffix) config.default_test.options.Set("suffix", *options.suffix);
    for (const Member& member : config.metadata) {
      if (config.default_test.metadata.Find(member.key) == nullptr)
        config.default_test.metadata.Set(member.key, member.value);
    }
  }
  if (const auto repeat = CountOf(config.evaluate_options.Find("repeat")); repeat && *repeat > 0)
    config.repeat = static_cast<std::int64_t>(*repeat);
  if (options.repeat && *options.repeat > 0) config.repeat = *options.repeat;
}

}  // namespace assay::promptfoo
