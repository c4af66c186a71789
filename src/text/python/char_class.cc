// Computes character classes: Python's case rules on ICU's tables, categories, and PCRE2's notation.
#include "text/python/char_class.h"

#include <fmt/core.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <array>

namespace assay {

namespace {

using Range = std::pair<char32_t, char32_t>;
using Ranges = std::vector<Range>;

constexpr char32_t kLast = 0x10ffff;
constexpr Range kSurrogates{0xd800, 0xdfff};
constexpr char32_t kCasedEnd = 0x1f000;  // no letter with case stands behind it

constexpr Range kAsciiDigits[] = {{'0', '9'}};
constexpr Range kAsciiSpaces[] = {{'\t', '\r'}, {' ', ' '}};
constexpr Range kAsciiWord[] = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
// str.isspace(): bidirectional class WS, B or S, or category Zs.
constexpr Range kSpaces[] = {{0x09, 0x0d},     {0x1c, 0x20},     {0x85, 0x85},     {0xa0, 0xa0},
                             {0x1680, 0x1680}, {0x2000, 0x200a}, {0x2028, 0x2029}, {0x202f, 0x202f},
                             {0x205f, 0x205f}, {0x3000, 0x3000}};

// Lower-case letters that have an upper-case form in common, each row complete; 0 ends a row.
constexpr std::array<char32_t, 3> kSameUpperCase[] = {
    {0x69, 0x131},   {0x73, 0x17f},    {0xb5, 0x3bc},    {0x345, 0x3b9, 0x1fbe},  {0x390, 0x1fd3},
    {0x3b0, 0x1fe3}, {0x3b2, 0x3d0},   {0x3b5, 0x3f5},   {0x3b8, 0x3d1},          {0x3ba, 0x3f0},
    {0x3c0, 0x3d6},  {0x3c1, 0x3f1},   {0x3c2, 0x3c3},   {0x3c6, 0x3d5},          {0x432, 0x1c80},
    {0x434, 0x1c81}, {0x43e, 0x1c82},  {0x441, 0x1c83},  {0x442, 0x1c84, 0x1c85}, {0x44a, 0x1c86},
    {0x463, 0x1c87}, {0x1c88, 0xa64b}, {0x1e61, 0x1e9b}, {0xfb05, 0xfb06}};

struct Lowered {
  char32_t code_point;
  char32_t lower;
};

std::vector<Lowered> MakeLowered(char32_t end) {
  std::vector<Lowered> lowered;
  for (char32_t c = 0; c < end; ++c) {
    const auto lower = static_cast<char32_t>(u_tolower(static_cast<UChar32>(c)));
    if (lower != c) lowered.push_back({c, lower});
  }
  return lowered;
}

// Every code point that is not its own lower-case form, ascending.
const std::vector<Lowered>& LoweredBy(PythonCase letter_case) {
  static const std::vector<Lowered> unicode = MakeLowered(kCasedEnd);
  static const std::vector<Lowered> ascii = MakeLowered(0x80);
  return letter_case == PythonCase::kAscii ? ascii : unicode;
}

Ranges Normal(Ranges ranges) {
  std::sort(ranges.begin(), ranges.end());
  Ranges merged;
  for (const Range& range : ranges) {
    if (!merged.empty() && range.first <= merged.back().second + 1) {
      merged.back().second = std::max(merged.back().second, range.second);
    } else {
      merged.push_back(range);
    }
  }
  return merged;
}

bool Has(const Ranges& normal, char32_t c) {
  const auto after = std::upper_bound(normal.begin(), normal.end(), c,
                                      [](char32_t value, const Range& range) { return value < range.first; });
  return after != normal.begin() && std::prev(after)->second >= c;
}

// `normal` without the code points that `lowered` lists, and with their lower-case forms.
Ranges LowerForms(const Ranges& normal, const std::vector<Lowered>& lowered) {
  Ranges forms;
  for (Range range : normal) {
    auto at = std::lower_bound(lowered.begin(), lowered.end(), range.first,
                               [](const Lowered& entry, char32_t c) { return entry.code_point < c; });
    for (; at != lowered.end() && at->code_point <= range.second; ++at) {
      forms.emplace_back(at->lower, at->lower);
      if (at->code_point > range.first) forms.emplace_back(range.first, at->code_point - 1);
      range.first = at->code_point + 1;
    }
    if (range.first <= range.second) forms.push_back(range);
  }
  return Normal(std::move(forms));
}

Ranges WithSameUpperCase(Ranges forms) {
  const Ranges before = forms;
  for (const auto& row : kSameUpperCase) {
    if (std::none_of(row.begin(), row.end(), [&](char32_t c) { return c != 0 && Has(before, c); })) continue;
    for (const char32_t c : row) {
      if (c != 0) forms.emplace_back(c, c);
    }
  }
  return Normal(std::move(forms));
}

Ranges InAnyCase(const Ranges& normal, PythonCase letter_case) {
  const std::vector<Lowered>& lowered = LoweredBy(letter_case);
  Ranges forms = LowerForms(normal, lowered);
  if (letter_case == PythonCase::kUnicode) forms = WithSameUpperCase(std::move(forms));
  Ranges all = forms;
  for (const Lowered& entry : lowered) {
    if (Has(forms, entry.lower)) all.emplace_back(entry.code_point, entry.code_point);
  }
  return Normal(std::move(all));
}

// Texts hold no surrogates, and PCRE2 refuses them in patterns.
Ranges WithoutSurrogates(const Ranges& normal) {
  Ranges kept;
  for (const Range& range : normal) {
    if (range.second < kSurrogates.first || range.first > kSurrogates.second) {
      kept.push_back(range);
      continue;
    }
    if (range.first < kSurrogates.first) kept.emplace_back(range.first, kSurrogates.first - 1);
    if (range.second > kSurrogates.second) kept.emplace_back(kSurrogates.second + 1, range.second);
  }
  return kept;
}

bool IsPlain(char32_t c) { return c < 0x80 && u_isalnum(static_cast<UChar32>(c)) != 0; }

std::string Escaped(char32_t c) {
  return IsPlain(c) ? std::string(1, static_cast<char>(c)) : fmt::format("\\x{{{:x}}}", std::uint32_t{c});
}

bool IsEverything(const Ranges& ranges) {
  return ranges == Ranges{{0, kSurrogates.first - 1}, {kSurrogates.second + 1, kLast}};
}

constexpr std::uint32_t Bit(PythonCategory category) { return 1u << static_cast<unsigned>(category); }

}  // namespace

void PythonCharClass::AddRange(char32_t first, char32_t last) { ranges_.emplace_back(first, last); }

void PythonCharClass::AddComplement(std::vector<Range> ranges) {
  char32_t next = 0;
  for (const Range& range : ranges) {
    if (range.first > next) AddRange(next, range.first - 1);
    next = range.second + 1;
  }
  if (next <= kLast) AddRange(next, kLast);
}

void PythonCharClass::Add(PythonCategory category, PythonAlphabet alphabet) {
  const bool is_ascii = alphabet == PythonAlphabet::kAscii;
  const auto add = [&](const auto& set, bool complement) {
    if (complement) return AddComplement(Ranges(std::begin(set), std::end(set)));
    for (const Range& range : set) AddRange(range.first, range.second);
  };
  switch (category) {
    case PythonCategory::kSpace:
    case PythonCategory::kNotSpace:
      return is_ascii ? add(kAsciiSpaces, category == PythonCategory::kNotSpace)
                      : add(kSpaces, category == PythonCategory::kNotSpace);
    case PythonCategory::kDigit:
    case PythonCategory::kNotDigit:
      if (is_ascii) return add(kAsciiDigits, category == PythonCategory::kNotDigit);
      break;
    case PythonCategory::kWord:
    case PythonCategory::kNotWord:
      if (is_ascii) return add(kAsciiWord, category == PythonCategory::kNotWord);
      break;
  }
  categories_ |= Bit(category);
}

std::vector<PythonCharClass::Range> PythonCharClass::Merged(PythonCase letter_case) const {
  Ranges normal = Normal(ranges_);
  if (letter_case != PythonCase::kExact) normal = InAnyCase(normal, letter_case);
  return WithoutSurrogates(normal);
}

// Spelled out, since what PCRE2 makes of \w changed between its versions. A cased letter and its other forms
// are all letters, so that case does not matter.
std::string PythonCharClass::Properties() const {
  std::string text;
  if ((categories_ & Bit(PythonCategory::kDigit)) != 0) text += "0-9\\p{Nd}";
  if ((categories_ & Bit(PythonCategory::kNotDigit)) != 0) text += "\\P{Nd}";
  if ((categories_ & Bit(PythonCategory::kWord)) != 0) text += "0-9A-Z_a-z\\p{L}\\p{N}";
  if ((categories_ & Bit(PythonCategory::kNotWord)) != 0) {
    text +=
        "\\p{C}\\p{M}\\p{Pd}\\p{Pe}\\p{Pf}\\p{Pi}\\p{Po}\\p{Ps}\\p{S}\\p{Z}"
        "\\x{203f}\\x{2040}\\x{2054}\\x{fe33}\\x{fe34}\\x{fe4d}-\\x{fe4f}\\x{ff3f}";
  }
  return text;
}

std::string PythonCharClass::Pcre(PythonCase letter_case) const {
  constexpr std::uint32_t kAllDigits = Bit(PythonCategory::kDigit) | Bit(PythonCategory::kNotDigit);
  constexpr std::uint32_t kAllWords = Bit(PythonCategory::kWord) | Bit(PythonCategory::kNotWord);
  const Ranges ranges = Merged(letter_case);
  const bool is_all = IsEverything(ranges) || (categories_ & kAllDigits) == kAllDigits ||
                      (categories_ & kAllWords) == kAllWords;
  const bool is_none = ranges.empty() && categories_ == 0;
  if (is_all || is_none) return is_all != is_negated_ ? "." : "(?:(?!).)";
  if (categories_ == 0 && !is_negated_ && ranges.size() == 1 && ranges[0].first == ranges[0].second) {
    return Escaped(ranges[0].first);
  }
  std::string text = is_negated_ ? "[^" : "[";
  for (const Range& range : ranges) {
    text += Escaped(range.first);
    if (range.second > range.first) text += "-" + Escaped(range.second);
  }
  return text + Properties() + "]";
}

std::string PcreLiteral(char32_t code_point, PythonCase letter_case) {
  PythonCharClass set;
  set.Add(code_point);
  return set.Pcre(letter_case);
}

}  // namespace assay
