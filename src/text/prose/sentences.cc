// Walks a text once, and looks at each mark that may end a sentence.
#include "text/prose/sentences.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "text/javascript/text.h"
#include "text/prose/bullet.h"
#include "text/prose/normal.h"

namespace assay {

namespace {

// Behind these no sentence ends.
constexpr std::string_view kAbbreviations[] = {
    "mr",     "mrs", "ms",  "dr",  "prof", "sr",  "jr",  "st",   "vs",  "no",  "fig", "dept",
    "approx", "e.g", "i.e", "cf",  "al",   "art", "sec", "p",    "pp",  "vol", "ch",  "jan",
    "feb",    "mar", "apr", "jun", "jul",  "aug", "sep", "sept", "oct", "nov", "dec"};
// Behind these one ends before a capital.
constexpr std::string_view kMayEnd[] = {"etc", "a.m", "p.m", "u.s", "u.k", "inc", "ltd", "co"};
constexpr std::string_view kStops[] = {".", "!", "?", "…"};
constexpr std::string_view kWideStops[] = {"。", "！", "？"};
constexpr std::string_view kClosers[] = {"\"", "'", ")", "]", "}", "*", "_", "”", "’", "»", "」", "』"};

// The bytes of the mark that stands there; 0 if none of them does.
template <std::size_t size>
std::size_t MarkOf(const std::string_view (&marks)[size], std::string_view rest) {
  for (const std::string_view mark : marks) {
    if (rest.starts_with(mark)) return mark.size();
  }
  return 0;
}

template <std::size_t size>
bool IsAbbreviation(const std::string_view (&words)[size], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool HasWordLetter(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint next = DecodeUtf8(text, at);
    if (next.code_point != '_' && IsWordLetter(next.code_point)) return true;
    at += next.size_bytes;
  }
  return false;
}

class SentenceReader {
 public:
  explicit SentenceReader(std::string_view text) : text_(text) {}

  std::vector<std::string_view> Read() {
    for (std::size_t at = 0; at < text_.size();) {
      const std::string_view rest = text_.substr(at);
      if (text_[at] == '\n') {
        at = AtLineEnd(at);
      } else if (MarkOf(kWideStops, rest) > 0) {
        at = BehindMarks(at, true);
        EndSentence(at);
      } else if (MarkOf(kStops, rest) > 0) {
        const std::size_t behind = BehindMarks(at, false);
        const std::size_t closed = BehindClosers(behind);
        if (EndsSentence(at, behind, closed)) EndSentence(closed);
        at = closed;
      } else {
        ++at;
      }
    }
    EndSentence(text_.size());
    return std::move(sentences_);
  }

 private:
  void EndSentence(std::size_t end) {
    const std::string_view sentence = JsTrim(text_.substr(start_, end - start_));
    if (HasWordLetter(sentence)) sentences_.push_back(sentence);
    start_ = end;
  }

  // Ends a sentence at an empty line and before an item; returns where to go on.
  std::size_t AtLineEnd(std::size_t at) {
    std::size_t next = at + 1;
    while (next < text_.size() && (text_[next] == ' ' || text_[next] == '\t' || text_[next] == '\r')) ++next;
    const bool is_empty = next < text_.size() && text_[next] == '\n';
    if (is_empty || BulletSize(text_.substr(next)) > 0) EndSentence(at + 1);
    return std::max(next, at + 1);
  }

  std::size_t BehindMarks(std::size_t at, bool is_wide) const {
    for (;;) {
      const std::string_view rest = text_.substr(at);
      const std::size_t size = is_wide ? MarkOf(kWideStops, rest) : MarkOf(kStops, rest);
      if (size == 0) return is_wide ? BehindClosers(at) : at;
      at += size;
    }
  }
  std::size_t BehindClosers(std::size_t at) const {
    for (std::size_t size = MarkOf(kClosers, text_.substr(at)); size > 0;
         size = MarkOf(kClosers, text_.substr(at))) {
      at += size;
    }
    return at;
  }

  // The word before a stop, with the points within it, in small letters.
  std::string WordBefore(std::size_t stop) const {
    constexpr std::size_t kLongest = 8;
    std::size_t from = stop;
    while (from > start_ && stop - from < kLongest &&
           (IsAsciiLetter(text_[from - 1]) || (text_[from - 1] == '.' && from < stop))) {
      --from;
    }
    const bool is_part = from > start_ && (IsAsciiAlphanumeric(text_[from - 1]) ||
                                           (static_cast<unsigned char>(text_[from - 1]) & 0x80) != 0);
    if (is_part) return {};
    std::string_view word = text_.substr(from, stop - from);
    while (word.starts_with('.')) word.remove_prefix(1);
    return AsciiLower(word);
  }

  bool IsNumberOfItem(std::size_t stop) const {
    const std::string_view before = JsTrim(text_.substr(start_, stop - start_));
    return !before.empty() && std::all_of(before.begin(), before.end(), IsAsciiDigit<char>);
  }

  // Whether the marks from `stop` to `behind`, which are closed at `closed`, end a sentence.
  bool EndsSentence(std::size_t stop, std::size_t behind, std::size_t closed) const {
    if (closed >= text_.size()) return true;
    if (!IsJsSpace(DecodeUtf8(text_, closed).code_point)) return false;
    if (text_[stop] != '.' || behind != stop + 1) return true;
    std::size_t next = closed;
    while (next < text_.size() && IsJsSpace(DecodeUtf8(text_, next).code_point))
      next += DecodeUtf8(text_, next).size_bytes;
    const auto follower = static_cast<UChar32>(DecodeUtf8(text_, next).code_point);
    if (next < text_.size() && u_isULowercase(follower)) return false;
    const std::string word = WordBefore(stop);
    if (IsAbbreviation(kMayEnd, word)) return u_isUUppercase(follower);
    const bool is_initial = word.size() == 1 && text_[stop - 1] != word[0];
    return !is_initial && !IsAbbreviation(kAbbreviations, word) && !IsNumberOfItem(stop);
  }

  std::string_view text_;
  std::size_t start_ = 0;  // of the sentence that is read
  std::vector<std::string_view> sentences_;
};

}  // namespace

std::vector<std::string_view> SentencesOf(std::string_view text) { return SentenceReader(text).Read(); }

}  // namespace assay
