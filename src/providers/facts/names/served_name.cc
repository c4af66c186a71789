// Compares names of models without what brokers, files and versions add to them.
#include "providers/facts/names/served_name.h"

#include <algorithm>
#include <string>

#include "base/text/ascii.h"
#include "providers/facts/model_facts.h"

namespace assay {

namespace {

// "models/Gemini-2.5-Flash:free" -> "gemini-2.5-flash"; "/srv/llama-3.gguf" -> "llama-3".
std::string PlainName(std::string_view name) {
  std::string plain;
  for (const char c : name.substr(name.rfind('/') + 1)) plain += c == '@' ? '-' : AsciiLower(c);
  for (const std::string_view end : {":latest", ":free", ".gguf"}) {
    if (plain.ends_with(end)) plain.resize(plain.size() - end.size());
  }
  // Some write versions with a dot where others have a dash.
  for (std::size_t at = 1; at + 1 < plain.size(); ++at) {
    if (plain[at] == '.' && IsAsciiDigit(plain[at - 1]) && IsAsciiDigit(plain[at + 1])) plain[at] = '-';
  }
  return plain;
}

// "-2024-11-20", "-20250514", "-0613", "-001", "-preview-09-2025": a date or the number of a version, of at
// least three digits, none of which stands alone as those of a model's generation do.
bool IsVersion(std::string_view rest) {
  constexpr std::size_t kDigitsMin = 3;
  constexpr std::size_t kGroupMin = 2;
  for (const std::string_view word : {"-preview", "-exp"}) {
    if (rest.starts_with(word)) rest.remove_prefix(word.size());
  }
  if (rest.empty()) return true;
  std::size_t digits = 0;
  while (!rest.empty()) {
    if (rest.front() != '-') return false;
    rest.remove_prefix(1);
    const std::size_t group = std::min(rest.find('-'), rest.size());
    const std::string_view number = rest.substr(0, group);
    if (group < kGroupMin || !std::all_of(number.begin(), number.end(), IsAsciiDigit<char>)) return false;
    digits += group;
    rest.remove_prefix(group);
  }
  return digits >= kDigitsMin;
}

bool IsVersionOf(std::string_view base, std::string_view name) {
  return name.starts_with(base) && IsVersion(name.substr(base.size()));
}

// Of "gemini-flash-latest" each word of what stands before is in the name that answers, whichever is newest.
bool IsLatest(std::string_view asked, std::string_view served) {
  constexpr std::string_view kLatest = "-latest";
  if (!asked.ends_with(kLatest)) return false;
  asked.remove_suffix(kLatest.size());
  const std::string among = "-" + std::string(served) + "-";
  while (!asked.empty()) {
    const std::size_t end = std::min(asked.find('-'), asked.size());
    if (among.find("-" + std::string(asked.substr(0, end)) + "-") == std::string::npos) return false;
    asked.remove_prefix(std::min(end + 1, asked.size()));
  }
  return true;
}

bool IsSame(std::string_view asked, std::string_view served) {
  return IsVersionOf(asked, served) || IsVersionOf(served, asked) || IsLatest(asked, served);
}

}  // namespace

bool IsSameModel(std::string_view provider, std::string_view asked, std::string_view served) {
  const std::string want = PlainName(asked);
  const std::string got = PlainName(served);
  if (want.empty() || got.empty() || IsSame(want, got)) return true;
  const std::string_view alias = AliasOf(provider, asked);
  if (!alias.empty() && IsSame(PlainName(alias), got)) return true;
  return provider == "azure-openai" && !FindModelFacts("openai", asked);
}

}  // namespace assay
