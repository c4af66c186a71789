// Counts by lines, by words and by marks.
#include "text/prose/countable.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/errors/assert.h"
#include "base/text/utf8.h"
#include "text/javascript/text.h"
#include "text/prose/bullet.h"
#include "text/prose/fence.h"
#include "text/prose/normal.h"
#include "text/prose/sentences.h"

namespace assay {

namespace {

template <class Take>
void ForEachLineOf(std::string_view text, const Take& take) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    take(text.substr(at, end - at));
    at = end + 1;
  }
}

// Runs of code points that `fits`, each given to `counts`.
template <class Fits, class Counts>
std::size_t CountRuns(std::string_view text, const Fits& fits, const Counts& counts) {
  std::size_t count = 0;
  std::size_t start = 0;
  for (std::size_t at = 0; at <= text.size();) {
    const DecodedCodePoint next = DecodeUtf8(text, at);
    if (at == text.size() || !fits(next.code_point)) {
      if (at > start && counts(text.substr(start, at - start))) ++count;
      start = at + next.size_bytes;
    }
    if (at == text.size()) break;
    at += next.size_bytes;
  }
  return count;
}

std::size_t CountWordRuns(std::string_view text) {
  return CountRuns(text, IsWordLetter, [](std::string_view) { return true; });
}

bool IsCapitalWord(std::string_view word) { return JsToUpper(word) == word && JsToLower(word) != word; }

std::size_t CountCapitalWords(std::string_view text) {
  const auto fits = [](char32_t c) {
    return c == '\'' || c == 0x2019 || c == '-' || (c != '_' && IsWordLetter(c));
  };
  return CountRuns(text, fits, IsCapitalWord);
}

std::size_t CountLines(std::string_view text) {
  std::size_t count = 0;
  ForEachLineOf(text, [&count](std::string_view line) { count += JsTrim(line).empty() ? 0 : 1; });
  return count;
}

std::size_t CountParagraphs(std::string_view text) {
  std::size_t count = 0;
  bool in_paragraph = false;
  ForEachLineOf(text, [&](std::string_view line) {
    const bool is_empty = JsTrim(line).empty();
    if (!is_empty && !in_paragraph) ++count;
    in_paragraph = !is_empty;
  });
  return count;
}

std::size_t CountBullets(std::string_view text) {
  std::size_t count = 0;
  ForEachLineOf(text, [&count](std::string_view line) {
    const std::size_t start = std::min(line.find_first_not_of(" \t"), line.size());
    count += BulletSize(line.substr(start)) > 0 ? 1 : 0;
  });
  return count;
}

std::size_t CountHeadings(std::string_view text) {
  constexpr std::size_t kMarksMax = 6;
  std::size_t count = 0;
  ForEachLineOf(text, [&count](std::string_view line) {
    const std::size_t marks = std::min(line.find_first_not_of('#'), line.size());
    const bool is_heading =
        marks > 0 && marks <= kMarksMax && marks < line.size() && (line[marks] == ' ' || line[marks] == '\t');
    count += is_heading ? 1 : 0;
  });
  return count;
}

std::size_t CountPlaceholders(std::string_view text) {
  std::size_t count = 0;
  ForEachLineOf(text, [&count](std::string_view line) {
    for (std::size_t open = line.find('['); open != std::string_view::npos;) {
      const std::size_t close = line.find(']', open);
      if (close == std::string_view::npos) break;
      ++count;
      open = line.find('[', close);
    }
  });
  return count;
}

std::size_t CountCodeBlocks(std::string_view text) {
  std::size_t count = 0;
  CodeFence open;
  ForEachLineOf(text, [&](std::string_view line) {
    const CodeFence fence = CodeFenceOf(line);
    if (open.mark == 0 && fence.mark != 0) {
      open = fence;
      ++count;
    } else if (open.mark != 0 && fence.Closes(open)) {
      open = {};
    }
  });
  return count;
}

std::size_t CountUrls(std::string_view text) {
  constexpr std::string_view kEnds = "<>\"')]";
  std::size_t count = 0;
  for (std::size_t at = text.find("://"); at != std::string_view::npos; at = text.find("://", at + 3)) {
    const std::string_view before = text.substr(0, at);
    const DecodedCodePoint next = DecodeUtf8(text, at + 3);
    const bool has_more = next.size_bytes > 0 && !IsJsSpace(next.code_point) &&
                          (next.size_bytes > 1 || kEnds.find(text[at + 3]) == std::string_view::npos);
    if (has_more && (before.ends_with("http") || before.ends_with("https"))) ++count;
  }
  return count;
}

std::size_t CountSentences(std::string_view text) { return SentencesOf(text).size(); }

constexpr std::size_t (*kCounters[])(std::string_view) = {
    CountJsWords,  CountWordRuns,     CountCodePoints,   CountLines,      CountParagraphs, CountBullets,
    CountHeadings, CountPlaceholders, CountCapitalWords, CountCodeBlocks, CountUrls,       CountSentences};
static_assert(std::size(kCounters) == std::size(kCountables));

// Whether no letter, digit or underscore touches the part of the text.
bool IsUntouched(std::string_view text, std::size_t from, std::size_t to) {
  if (to < text.size() && IsWordLetter(DecodeUtf8(text, to).code_point)) return false;
  if (from == 0) return true;
  std::size_t before = from - 1;
  while (before > 0 && (static_cast<unsigned char>(text[before]) & 0xc0) == 0x80) --before;
  return !IsWordLetter(DecodeUtf8(text, before).code_point);
}

}  // namespace

std::size_t CountOf(std::string_view what, std::string_view text) {
  const auto* found = std::find(std::begin(kCountables), std::end(kCountables), what);
  ASSAY_ASSERT(found != std::end(kCountables));
  return kCounters[found - std::begin(kCountables)](text);
}

std::size_t CountText(std::string_view wanted, std::string_view text, Whereabouts where) {
  ASSAY_ASSERT(!wanted.empty());
  std::size_t count = 0;
  for (std::size_t at = text.find(wanted); at != std::string_view::npos;) {
    const bool counts = where == Whereabouts::kAnywhere || IsUntouched(text, at, at + wanted.size());
    count += counts ? 1 : 0;
    at = text.find(wanted, counts ? at + wanted.size() : at + 1);
  }
  return count;
}

}  // namespace assay
