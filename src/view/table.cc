// The table of endpoints, and the routing of paths to its rows.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/text/percent.h"
#include "base/text/utf8.h"
#include "report/values/pages/run_page.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"
#include "view/endpoint.h"

namespace assay {

namespace {

constexpr EndpointRow kEndpoints[] = {
    {.pattern = "runs", .make = MakeRuns},
    {.pattern = "run/*", .of_run = MakeRun},
    {.pattern = "run/*/cells.bin", .of_run = MakeCells},
    {.pattern = "run/*/rows", .of_run = MakeRows},
    {.pattern = "run/*/find", .of_run = MakeFind},
    {.pattern = "run/*/case/*", .of_run = MakeCase},
    {.pattern = "run/*/judges", .of_run = MakeJudges},
    {.pattern = "run/*/cost", .of_run = MakeCost},
    {.pattern = "run/*/doc/*", .of_run = MakeDocument},
    {.pattern = "run/*/events", .make = MakeEvents},
    {.pattern = "text/*", .make = MakeText},
    {.pattern = "compare", .make = MakeCompare},
    {.pattern = "board/*", .make = MakeBoard},
};

std::vector<std::string_view> WordsOf(std::string_view text, char between) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t end = text.find(between);
    words.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return words;
    text.remove_prefix(end + 1);
  }
}

bool Matches(const std::vector<std::string_view>& pattern, const std::vector<std::string_view>& words) {
  return std::equal(pattern.begin(), pattern.end(), words.begin(), words.end(),
                    [](std::string_view wanted, std::string_view word) {
                      return wanted == "*" ? !word.empty() : wanted == word;
                    });
}

}  // namespace

std::span<const EndpointRow> EndpointTable() { return kEndpoints; }

std::optional<std::string> DecodedWord(std::string_view text) {
  if (!IsPercentEncoded(text)) return std::nullopt;
  std::string decoded = PercentDecoded(text);
  if (FindInvalidUtf8(decoded) != std::string::npos) return std::nullopt;
  return decoded;
}

Routed Route(std::string_view path_and_query) {
  const std::size_t question = path_and_query.find('?');
  const std::vector<std::string_view> words = WordsOf(path_and_query.substr(0, question), '/');
  for (const EndpointRow& row : EndpointTable()) {
    const std::vector<std::string_view> pattern = WordsOf(row.pattern, '/');
    if (!Matches(pattern, words)) continue;
    Routed routed{.row = &row, .asked = {}};
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (pattern[i] != "*") continue;
      std::optional<std::string> name = DecodedWord(words[i]);
      if (!name) return {};
      routed.asked.names.push_back(*std::move(name));
    }
    if (question == std::string_view::npos) return routed;
    for (const std::string_view pair : WordsOf(path_and_query.substr(question + 1), '&')) {
      const std::size_t equals = pair.find('=');
      if (equals == std::string_view::npos) continue;
      std::optional<std::string> name = DecodedWord(pair.substr(0, equals));
      std::optional<std::string> value = DecodedWord(pair.substr(equals + 1));
      if (name && value) routed.asked.parameters.emplace_back(*std::move(name), *std::move(value));
    }
    return routed;
  }
  return {};
}

std::optional<std::string> Asked::Parameter(std::string_view name) const {
  for (const auto& [key, value] : parameters) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::vector<std::string> Asked::Parameters(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [key, value] : parameters) {
    if (key == name) values.push_back(value);
  }
  return values;
}

Result<std::uint64_t> Asked::Number(std::string_view name, std::uint64_t otherwise) const {
  const std::optional<std::string> text = Parameter(name);
  if (!text) return otherwise;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc() || end != text->data() + text->size() || number > kAskedNumberMax)
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("expected a whole number up to {}: {}", kAskedNumberMax, name)};
  return number;
}

Made MadeOf(const Value& value) { return {.body = WriteJson(value, JsonStyle::kJavaScript)}; }

Made MadeOfBytes(std::string bytes) { return {.type = "application/octet-stream", .body = std::move(bytes)}; }

Result<CaseIndex> CaseOf(const Suite& suite, std::string_view id) {
  const auto found = std::find_if(suite.cases.begin(), suite.cases.end(),
                                  [id](const Case& the_case) { return the_case.id == id; });
  if (found == suite.cases.end()) return Error{ErrorCode::kNotFound, "the run has no such case"};
  return static_cast<CaseIndex>(found - suite.cases.begin());
}

Result<VariantIndex> VariantOf(const Suite& suite, std::string_view name) {
  const std::optional<VariantIndex> found = FindVariantByName(suite, name);
  if (!found) return Error{ErrorCode::kNotFound, "the run has no such variant"};
  return *found;
}

}  // namespace assay
