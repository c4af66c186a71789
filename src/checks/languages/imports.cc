// Collects package names from a program's text. Names come from a suite: one with other characters than a
// package name has never enters a program.
#include "checks/languages/imports.h"

#include <algorithm>

namespace assay {
namespace {

constexpr std::string_view kNameCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./@:";
constexpr std::string_view kSpace = " \t";

}  // namespace

void AddPackage(std::string_view name, std::vector<std::string>& names) {
  const bool is_name = !name.empty() && name.front() != '.' &&
                       name.find_first_not_of(kNameCharacters) == std::string_view::npos;
  if (is_name && std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
}

std::vector<std::string> ArgumentsOf(std::string_view call, Quotes quotes, std::string_view program) {
  std::vector<std::string> names;
  const auto skip = [](std::string_view& text, std::string_view characters) {
    text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
  };
  for (std::size_t at = program.find(call); at != std::string_view::npos; at = program.find(call, at + 1)) {
    std::string_view rest = program.substr(at + call.size());
    skip(rest, kSpace);
    if (!rest.starts_with('(')) continue;
    rest.remove_prefix(1);
    skip(rest, kSpace);
    const bool is_quoted = rest.starts_with('"') || rest.starts_with('\'');
    if (is_quoted) rest.remove_prefix(1);
    if (is_quoted || quotes == Quotes::kOptional)
      AddPackage(rest.substr(0, rest.find_first_not_of(kNameCharacters)), names);
  }
  return names;
}

std::string QuotedNames(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "\"" : ", \"") + name + "\"";
  return text;
}

}  // namespace assay
