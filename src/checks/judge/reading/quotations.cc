// Tables of the marks of many languages, and the walk over a text that they open and close.
#include "checks/judge/reading/quotations.h"

#include <algorithm>
#include <iterator>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "text/letters/letters.h"

namespace assay {
namespace {

struct Marks {
  std::string_view open;
  std::string_view close;
};
// Languages close alike marks in several ways: „Polish” and „German“, «French» and »Danish«.
constexpr Marks kQuotations[] = {{"\"", "\""}, {"`", "`"},   {"“", "”"},   {"„", "“"},   {"„", "”"},
                                 {"”", "”"},   {"«", "»"},   {"»", "«"},   {"‹", "›"},   {"›", "‹"},
                                 {"「", "」"}, {"『", "』"}, {"〈", "〉"}, {"《", "》"}, {"〝", "〞"},
                                 {"＂", "＂"}, {"｀", "｀"}, {"｢", "｣"}};
// Marks that are apostrophes, too: they open before a word and close behind one.
constexpr Marks kSingleQuotations[] = {{"'", "'"}, {"‘", "’"}, {"‚", "‘"}, {"‚", "’"}, {"’", "’"}};
constexpr Marks kBrackets[] = {{"<!--", "-->"}, {" /*", "*/"}};

template <std::size_t kSize>
const Marks* OpensAt(std::string_view rest, const Marks (&all)[kSize]) {
  const auto* found = std::find_if(std::begin(all), std::end(all),
                                   [rest](const Marks& each) { return rest.starts_with(each.open); });
  return found == std::end(all) ? nullptr : found;
}

bool IsWordByte(char c) { return IsAsciiAlphanumeric(c) || (static_cast<unsigned char>(c) >= 0x80); }

// Whether marks of `size` bytes at `at` stand right before a word, and behind none; those of "'90s" do not.
bool StandsBeforeWord(std::string_view text, std::size_t at, std::size_t size) {
  const std::size_t next = at + size;
  return next < text.size() && IsWordByte(text[next]) && !IsAsciiDigit(text[next]) &&
         (at == 0 || !IsWordByte(text[at - 1]));
}
// Korean, Chinese and Japanese words follow a mark without a blank, and have no apostrophes.
bool StandsBehindWord(std::string_view text, std::size_t at, std::size_t size) {
  constexpr char32_t kFirst = 0x3040;  // of kana, then Han and Hangul
  constexpr char32_t kLast = 0xd7ff;
  const std::size_t next = at + size;
  const char32_t follows = DecodeUtf8(text, next).code_point;
  return at > 0 && static_cast<unsigned char>(text[at - 1]) > ' ' &&
         (next >= text.size() || !IsWordByte(text[next]) || (follows >= kFirst && follows <= kLast));
}

// Behind the first mark that closes the quotation which begins at `at`; npos if none begins there, or none
// closes it.
std::size_t QuotationEnd(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  std::size_t end = std::string_view::npos;
  for (const Marks& each : kQuotations) {
    if (!rest.starts_with(each.open)) continue;
    const std::size_t close = text.find(each.close, at + each.open.size());
    if (close != std::string_view::npos) end = std::min(end, close + each.close.size());
  }
  for (const Marks& each : kSingleQuotations) {
    if (!rest.starts_with(each.open) || !StandsBeforeWord(text, at, each.open.size())) continue;
    std::size_t close = text.find(each.close, at + each.open.size());
    while (close != std::string_view::npos && !StandsBehindWord(text, close, each.close.size()))
      close = text.find(each.close, close + each.close.size());
    if (close != std::string_view::npos) end = std::min(end, close + each.close.size());
  }
  return end;
}

// Marks of emphasis and formulas that stand before a word, and then behind none: "**Berlin", "$x", "_Berlin".
bool HoldsOpenWordMarks(std::string_view own) {
  constexpr std::string_view kMarks = "*_$~'";
  for (const char mark : kMarks) {
    bool is_open = false;
    for (std::size_t at = own.find(mark); at != std::string_view::npos;) {
      const std::size_t size = std::min(own.find_first_not_of(mark, at), own.size()) - at;
      if (StandsBeforeWord(own, at, size)) {
        is_open = true;
      } else if (StandsBehindWord(own, at, size)) {
        is_open = false;
      }
      at = own.find(mark, at + size);
    }
    if (is_open) return true;
  }
  return false;
}

}  // namespace

std::size_t TimesIn(std::string_view text, std::string_view wanted) {
  std::size_t count = 0;
  for (std::size_t at = text.find(wanted); at != std::string_view::npos;
       at = text.find(wanted, at + wanted.size()))
    ++count;
  return count;
}

bool HoldsOpenMarks(std::string_view own) {
  constexpr std::string_view kFence = "~~~";
  for (std::size_t at = 0; at < own.size(); ++at) {  // WithoutQuotations leaves those that are open
    if (OpensAt(own.substr(at), kQuotations) != nullptr) return true;
    const Marks* single = OpensAt(own.substr(at), kSingleQuotations);
    if (single != nullptr && StandsBeforeWord(own, at, single->open.size())) return true;
  }
  const auto is_open = [own](const Marks& each) {
    return TimesIn(own, each.open) > TimesIn(own, each.close);
  };
  return std::any_of(std::begin(kBrackets), std::end(kBrackets), is_open) || TimesIn(own, kFence) % 2 == 1 ||
         HoldsOpenBracket(own) || HoldsOpenWordMarks(own);
}

std::string WithoutQuotations(std::string_view text) {
  std::string own;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = QuotationEnd(text, at);
    if (end == std::string_view::npos) {
      own += text[at++];
    } else {
      own += ' ';
      at = end;
    }
  }
  return own;
}

bool BeginsWithQuotationMark(std::string_view text) {
  return OpensAt(text, kQuotations) != nullptr || OpensAt(text, kSingleQuotations) != nullptr;
}

bool ClosesMarks(std::string_view text) { return !HoldsOpenMarks(WithoutQuotations(text)); }

}  // namespace assay
