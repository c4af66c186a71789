// What the rows of the conformance runner share: outcomes, lines of golden files, printed values.
#include "tests/conformance/conformance.h"

#include <fmt/core.h>

#include <fstream>
#include <iterator>

#include "base/files/file_reader.h"
#include "text/json/json.h"

namespace assay::conformance {
namespace {

constexpr std::size_t kDifferencesKept = 20;
constexpr std::size_t kShownBytesMax = 400;

std::string PlaceOf(std::size_t number, const Value& row) {
  for (const char* label : {"name", "fn", "kind", "path"}) {
    const Value* value = row.Find(label);
    if (value != nullptr && value->is_string()) return fmt::format("row {} ({})", number, value->AsString());
  }
  return fmt::format("row {}", number);
}

}  // namespace

void Outcome::Fail(std::string difference) {
  ++failed;
  if (differences.size() >= kDifferencesKept) return;
  differences.push_back(place.empty() ? std::move(difference) : place + ": " + difference);
}

void Outcome::Skip(std::string reason) {
  ++skipped;
  if (skip_reason.empty()) skip_reason = std::move(reason);
}

void Outcome::Same(std::string_view what, const Value& want, const Value& got) {
  if (SameValue(want, got)) {
    Pass();
  } else {
    Fail(fmt::format("{}: want {}, got {}", what, Show(want), Show(got)));
  }
}

Outcome ForEachLine(const std::string& path,
                    const std::function<void(std::size_t number, const Value& row, Outcome& outcome)>& row) {
  Outcome outcome;
  DiskFileReader reader;
  const Result<std::string> text = reader.Read(path);
  if (!text.has_value()) {
    outcome.Fail("the file cannot be read: " + text.error().message);
    return outcome;
  }
  std::size_t number = 0;
  for (std::size_t start = 0; start < text->size();) {
    const std::size_t end = std::min(text->find('\n', start), text->size());
    const std::string_view line = std::string_view(*text).substr(start, end - start);
    start = end + 1;
    ++number;
    if (line.empty()) continue;
    const Result<Value> parsed = ParseJson(line);
    outcome.place = fmt::format("row {}", number);
    if (!parsed.has_value()) {
      outcome.Fail("the row is no JSON: " + parsed.error().message);
      continue;
    }
    const Value decoded = DecodeEncoded(*parsed);
    outcome.place = PlaceOf(number, decoded);
    row(number, decoded, outcome);
  }
  outcome.place.clear();
  return outcome;
}

const Value& Get(const Value& row, std::string_view key) {
  static const Value undefined;
  const Value* value = row.Find(key);
  return value == nullptr ? undefined : *value;
}

std::string GetText(const Value& row, std::string_view key) {
  const Value& value = Get(row, key);
  return value.is_string() ? value.AsString() : std::string();
}

Value ErrorResult() {
  Map result;
  result.Append("error", true);
  return result;
}

std::string ReadAll(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string Show(const Value& value) {
  if (value.is_undefined()) return "undefined";
  std::string text = WriteEncoded(value, JsonStyle::kJavaScript);
  if (text.size() > kShownBytesMax) {
    text.resize(kShownBytesMax);
    text += "...";
  }
  return text;
}

}  // namespace assay::conformance
