// Checks the values of promptfoo's options, and takes them out of what the run is made with.
#include "dialects/promptfoo/own_options.h"

#include <cstdint>
#include <limits>

#include "base/text/option_text.h"
#include "dialects/promptfoo/read/environment_files.h"
#include "dialects/promptfoo/read/paths.h"

namespace assay::promptfoo {

namespace {

constexpr std::size_t kTestsMax = 1'000'000'000;

using Pair = std::pair<std::string, std::string>;

Pair PairOf(std::string_view text, char between) {
  const std::size_t at = text.find(between);
  return {std::string(text.substr(0, at)), std::string(text.substr(at + 1))};
}

std::vector<Pair> PairsOf(const OwnOptions& own, std::string_view name) {
  std::vector<Pair> pairs;
  for (const std::string& text : own.Texts(name)) pairs.push_back(PairOf(text, '='));
  return pairs;
}

// What the option's row has checked.
std::size_t CountIn(std::string_view text, std::size_t without) {
  return ParseNumber<std::size_t>(text, 0, kTestsMax).value_or(without);
}

std::optional<std::string> TextOf(const OwnOptions& own, std::string_view name) {
  return own.Has(name) ? std::optional(own.Text(name)) : std::nullopt;
}

}  // namespace

Result<std::string> ReadPairOption(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals != 0 && equals != std::string_view::npos) return std::string(text);
  return BadValue("NAME=VALUE, for example language=French", text);
}

Result<std::string> ReadCountOption(std::string_view text) {
  ASSAY_TRY(const std::size_t count, ParseNumber<std::size_t>(text, 1, kTestsMax));
  return std::to_string(count);
}

Result<std::string> ReadRangeOption(std::string_view text) {
  const auto [begin, end] = PairOf(text, ':');
  const auto is_count = [](const std::string& part) {
    return part.empty() || ParseNumber<std::size_t>(part, 0, kTestsMax).has_value();
  };
  const bool has_colon = text.find(':') != std::string_view::npos;
  if (has_colon && text != ":" && is_count(begin) && is_count(end)) return std::string(text);
  return BadValue("the numbers of two tests, such as 0:10 (the first ten), 10: or :10", text);
}

EvalOptions EvalOptionsOf(const ReadInput& input) {
  const OwnOptions& own = input.options.own;
  EvalOptions options{.is_compatible = input.options.compat == Compat::kPromptfoo,
                      .environment = input.options.environment,
                      .env_files = own.Texts(kEnvFileOption),
                      .prompts = own.Texts(kPromptsOption),
                      .providers = own.Texts(kProvidersOption),
                      .tests = own.Text(kTestsOption),
                      .variables = PairsOf(own, kVariableOption),
                      .grader = own.Text(kGraderOption),
                      .prefix = TextOf(own, kPrefixOption),
                      .suffix = TextOf(own, kSuffixOption),
                      .description_pattern = own.Text(kPatternOption),
                      .provider_pattern = own.Text(kProviderPatternOption),
                      .prompt_pattern = own.Text(kPromptPatternOption),
                      .metadata = PairsOf(own, kMetadataOption)};
  if (input.options.attempts) options.repeat = static_cast<std::int64_t>(*input.options.attempts);
  if (own.Has(kFirstTestsOption)) options.first_tests = CountIn(own.Text(kFirstTestsOption), kTestsMax);
  if (own.Has(kTestRangeOption)) {
    const auto [begin, end] = PairOf(own.Text(kTestRangeOption), ':');
    options.test_range = {CountIn(begin, 0), CountIn(end, std::numeric_limits<std::size_t>::max())};
  }
  options.skips_code = own.Text(kSkipCodeOption) == "true";
  ReadEnvironmentFiles(FolderOf(input.path), input.files, input.diagnostics, options);
  return options;
}

std::vector<std::string> ConfigPathsOf(const ReadInput& input) {
  std::vector<std::string> paths = {input.path};
  for (std::string& path : input.options.own.Texts(kConfigOption)) paths.push_back(std::move(path));
  return paths;
}

}  // namespace assay::promptfoo
