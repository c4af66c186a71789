// Parts a text into words as the Penn Treebank does: signs stand alone, contractions are two words.
#include <memory>

#include "base/text/ascii.h"
#include "checks/promptfoo/shares/words.h"
#include "text/javascript/text.h"

namespace assay::promptfoo {
namespace {

constexpr std::string_view kContractions[][2] = {
    {"can", "not"}, {"d", "'ye"},  {"gim", "me"}, {"gon", "na"},  {"got", "ta"},
    {"lem", "me"},  {"mor", "'n"}, {"wan", "na"}, {"more", "'n"}, {"wha", "ddya"},
};
constexpr std::string_view kEndings[] = {"'ll", "'re", "'ve", "n't"};

bool IsWordByte(char c) { return IsAsciiAlphanumeric(c) || c == '_'; }

// The whole text with what `part` puts in the place of each byte; it may take more bytes than one.
class Parted {
 public:
  explicit Parted(std::string text) : text_(std::move(text)) {}

  template <class Part>
  Parted& Each(const Part& part) {
    std::string out;
    for (std::size_t at = 0; at < text_.size();) at += part(std::string_view(text_), at, out);
    text_ = std::move(out);
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::size_t Keep(std::string_view text, std::size_t at, std::string& out) {
  out += text[at];
  return 1;
}

std::size_t OpeningQuote(std::string_view text, std::size_t at, std::string& out) {
  const bool opens =
      text[at] == '"' && (at == 0 || std::string_view(" ([{<").find(text[at - 1]) != std::string_view::npos);
  if (!opens) return Keep(text, at, out);
  out += " `` ";
  return 1;
}

std::size_t RunOfDots(std::string_view text, std::size_t at, std::string& out) {
  const std::size_t end = std::min(text.find_first_not_of('.', at), text.size());
  if (end - at < 2) return Keep(text, at, out);
  out += " ... ";
  return end - at;
}

std::size_t Sign(std::string_view text, std::size_t at, std::string& out) {
  if (std::string_view(";@#$%&").find(text[at]) == std::string_view::npos) return Keep(text, at, out);
  out.append(1, ' ').append(1, text[at]).append(1, ' ');
  return 1;
}

// A full stop at the end, perhaps with closing brackets and quotes behind it.
std::string LastDotParted(std::string text) {
  std::size_t end = text.size();
  while (end > 0 && JsTrim(std::string_view(text).substr(end - 1)).empty()) --end;
  std::size_t closing = end;
  while (closing > 0 && std::string_view("])}>\"'").find(text[closing - 1]) != std::string_view::npos)
    --closing;
  if (closing < 2 || text[closing - 1] != '.' || text[closing - 2] == '.') return text;
  return text.substr(0, closing - 1) + " ." + text.substr(closing, end - closing) + " ";
}

std::size_t MarkOrBracket(std::string_view text, std::size_t at, std::string& out) {
  if (std::string_view(",?![](){}<>").find(text[at]) == std::string_view::npos) return Keep(text, at, out);
  out.append(1, ' ').append(1, text[at]).append(1, ' ');
  return 1;
}

std::size_t Dashes(std::string_view text, std::size_t at, std::string& out) {
  const std::size_t end = std::min(text.find_first_not_of('-', at), text.size());
  if (end - at < 2) return Keep(text, at, out);
  out += " -- ";
  return end - at;
}

std::size_t ClosingQuote(std::string_view text, std::size_t at, std::string& out) {
  if (text[at] != '"') return Keep(text, at, out);
  out += " '' ";
  return 1;
}

// "dogs' " is "dogs ' ".
std::size_t LoneApostrophe(std::string_view text, std::size_t at, std::string& out) {
  if (text[at] == '\'' || at + 2 >= text.size() || text[at + 1] != '\'' || text[at + 2] != ' ')
    return Keep(text, at, out);
  out.append(1, text[at]).append(" ' ");
  return 3;
}

std::size_t ShortEnding(std::string_view text, std::size_t at, std::string& out) {
  const bool ends = text[at] == '\'' && at + 2 < text.size() && text[at + 2] == ' ' &&
                    std::string_view("sSmMdD").find(text[at + 1]) != std::string_view::npos;
  if (!ends) return Keep(text, at, out);
  out.append(" '").append(1, text[at + 1]).append(1, ' ');
  return 3;
}

std::size_t LongEnding(std::string_view text, std::size_t at, std::string& out) {
  for (const std::string_view ending : kEndings) {
    const std::string_view found = text.substr(at, ending.size());
    const std::size_t end = at + ending.size();
    if (AsciiLower(found) != ending || end >= text.size() || text[end] != ' ') continue;
    out.append(1, ' ').append(found).append(1, ' ');
    return ending.size() + 1;
  }
  return Keep(text, at, out);
}

std::size_t Contraction(std::string_view text, std::size_t at, std::string& out) {
  if (at > 0 && IsWordByte(text[at - 1])) return Keep(text, at, out);
  for (const auto& [first, second] : kContractions) {
    const std::size_t end = at + first.size() + second.size();
    const std::string_view found = text.substr(at, first.size() + second.size());
    if (AsciiLower(found) != std::string(first) + std::string(second)) continue;
    if (end < text.size() && IsWordByte(text[end])) continue;
    out.append(1, ' ').append(found.substr(0, first.size())).append(1, ' ');
    out.append(found.substr(first.size())).append(1, ' ');
    return found.size();
  }
  return Keep(text, at, out);
}

}  // namespace

Words TreebankWords(std::string_view text) {
  if (text.empty()) return {};
  Parted parted{std::string(text)};
  parted.Each(OpeningQuote).Each(RunOfDots).Each(Sign);
  Parted marked(LastDotParted(parted.text()));
  marked.Each(MarkOrBracket).Each(Dashes);
  Parted words(" " + marked.text() + " ");
  words.Each(ClosingQuote).Each(LoneApostrophe).Each(ShortEnding).Each(LongEnding).Each(Contraction);
  return BlankParted(words.text());
}

}  // namespace assay::promptfoo
