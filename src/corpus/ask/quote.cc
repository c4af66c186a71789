// Puts the answer's runs of `least` words into a hash table and passes the document's words by it once.
#include "corpus/ask/quote.h"

#include <algorithm>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace assay {

namespace {

constexpr std::uint64_t kFactor = 0x100000001b3;
constexpr std::uint64_t kStart = 0xcbf29ce484222325;
constexpr char32_t kSoftHyphen = 0xad;
constexpr char32_t kHyphen = 0x2010;
constexpr char32_t kNonBreakingHyphen = 0x2011;
constexpr char32_t kNonBreakingBlank = 0xa0;
constexpr char32_t kFirstAsciiBeyond = 0x80;
// Typographic quotation marks, dashes, the ellipsis.
constexpr char32_t kMarks[] = {0xab,   0xbb,   0x2013, 0x2014, 0x2018, 0x2019, 0x201a,
                               0x201c, 0x201d, 0x201e, 0x2026, 0x2039, 0x203a};

bool IsHyphen(char32_t c) { return c == '-' || c == kSoftHyphen || c == kHyphen || c == kNonBreakingHyphen; }

bool IsBlank(char32_t c) { return c == ' ' || (c >= '\t' && c <= '\r') || c == kNonBreakingBlank; }

bool IsMark(char32_t c) {
  if (c < kFirstAsciiBeyond) return !IsAsciiAlphanumeric(static_cast<char>(c));
  return std::find(std::begin(kMarks), std::end(kMarks), c) != std::end(kMarks);
}

struct Word {
  std::string text;  // folded
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The words of a text, one after the other.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  std::optional<Word> Next() {
    Word word;
    std::size_t letters = 0;  // bytes of the folded word up to its last letter
    bool joins = false;       // a hyphen stood before this blank
    while (at_ < text_.size()) {
      const DecodedCodePoint c = DecodeUtf8(text_, at_);
      if (IsBlank(c.code_point)) {
        if (letters > 0 && !joins) break;
        at_ += c.size_bytes;
        continue;
      }
      joins = letters > 0 && IsHyphen(c.code_point);
      const std::size_t here = at_;
      at_ += c.size_bytes;
      if (IsHyphen(c.code_point)) continue;
      const bool is_mark = IsMark(c.code_point);
      if (is_mark && letters == 0) continue;
      if (letters == 0) word.begin = here;
      word.text.append(text_.substr(here, c.size_bytes));
      if (is_mark) continue;
      letters = word.text.size();
      word.end = at_;
    }
    if (letters == 0) return std::nullopt;
    word.text.resize(letters);
    return word;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

std::uint64_t WordHash(std::string_view word) {
  std::uint64_t hash = kStart;
  for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * kFactor;
  return hash;
}

template <class Range>
std::uint64_t HashOfRun(const Range& hashes, std::size_t from, std::size_t count) {
  std::uint64_t hash = kStart;
  for (std::size_t i = from; i < from + count; ++i) hash = (hash ^ hashes[i]) * kFactor;
  return hash;
}

// Where in the answer a run of words begins, by the run's hash; of equal runs the first.
std::unordered_map<std::uint64_t, std::size_t> RunsOf(const std::vector<std::uint64_t>& hashes,
                                                      std::size_t least) {
  std::unordered_map<std::uint64_t, std::size_t> runs;
  for (std::size_t i = 0; i + least <= hashes.size(); ++i) runs.try_emplace(HashOfRun(hashes, i, least), i);
  return runs;
}

}  // namespace

std::optional<Quote> FindQuote(std::string_view answer, std::string_view document, std::size_t least) {
  least = std::max<std::size_t>(least, 1);
  std::vector<std::string> said;
  std::vector<std::uint64_t> said_hashes;
  Words of_answer(answer);
  while (std::optional<Word> word = of_answer.Next()) {
    said_hashes.push_back(WordHash(word->text));
    said.push_back(std::move(word->text));
  }
  const std::unordered_map<std::uint64_t, std::size_t> runs = RunsOf(said_hashes, least);
  if (runs.empty()) return std::nullopt;
  Words of_document(document);
  std::deque<Word> window;  // the last `least` words of the document
  std::deque<std::uint64_t> hashes;
  while (std::optional<Word> word = of_document.Next()) {
    hashes.push_back(WordHash(word->text));
    window.push_back(*std::move(word));
    if (window.size() > least) {
      window.pop_front();
      hashes.pop_front();
    }
    if (window.size() < least) continue;
    const auto run = runs.find(HashOfRun(hashes, 0, least));
    if (run == runs.end()) continue;
    const std::size_t at = run->second;
    if (!std::equal(window.begin(), window.end(), said.begin() + static_cast<std::ptrdiff_t>(at),
                    [](const Word& read, const std::string& written) { return read.text == written; }))
      continue;
    Quote quote{.begin = window.front().begin, .end = window.back().end, .words = least};
    for (std::size_t next = at + least; next < said.size(); ++next) {
      const std::optional<Word> more = of_document.Next();
      if (!more || more->text != said[next]) break;
      quote.end = more->end;
      ++quote.words;
    }
    return quote;
  }
  return std::nullopt;
}

}  // namespace assay
