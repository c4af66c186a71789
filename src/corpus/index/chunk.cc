// Cuts texts into chunks. Positions are bytes of the original text; white space is collapsed only for
// counting and showing.
#include "corpus/index/chunk.h"

#include <algorithm>

#include "base/text/utf8.h"
#include "corpus/index/words.h"
#include "corpus/limits.h"

namespace assay {

namespace {

constexpr std::size_t kSentenceEndReach =
    50;  // code points beyond a chunk in which its last sentence may end

ChunkSize Clamped(ChunkSize size) {
  size.size = std::clamp<std::size_t>(size.size, 1, limits::kChunkCharactersMax);
  size.overlap = std::min(size.overlap, size.size - 1);
  return size;
}

bool IsSentenceEnd(char c) { return c == '.' || c == '!' || c == '?'; }

std::size_t SkipBlanks(std::string_view text, std::size_t at) {
  while (true) {
    const std::size_t blank = BlankSizeAt(text, at);
    if (blank == 0) return at;
    at += blank;
  }
}

std::size_t NextCodePoint(std::string_view text, std::size_t at) {
  ++at;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0u) == 0x80u) ++at;
  return at;
}

std::size_t PreviousCodePoint(std::string_view text, std::size_t at) {
  --at;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0u) == 0x80u) --at;
  return at;
}

struct Sentence {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t tokens = 0;
};

// Sentences end behind [.!?] before white space; their tokens are counted on the way.
std::vector<Sentence> SentencesOf(std::string_view text) {
  std::vector<Sentence> sentences;
  Sentence open;
  for (TokenSpan token = NextToken(text, 0); token.begin < token.end; token = NextToken(text, token.end)) {
    if (open.tokens == 0) open.begin = token.begin;
    ++open.tokens;
    open.end = token.end;
    const bool ends = IsSentenceEnd(text[token.end - 1]) && BlankSizeAt(text, token.end) > 0;
    if (!ends) continue;
    sentences.push_back(open);
    open = {};
  }
  if (open.tokens > 0) sentences.push_back(open);
  return sentences;
}

// A sentence of more tokens than a chunk holds, in windows. The last one repeats the overlap alone, as the
// original has it.
void AddWindows(std::string_view text, const Sentence& sentence, ChunkSize size,
                std::vector<ChunkSpan>& out) {
  std::vector<TokenSpan> tokens;
  tokens.reserve(sentence.tokens);
  const std::string_view part = text.substr(0, sentence.end);
  for (TokenSpan token = NextToken(part, sentence.begin); token.begin < token.end;
       token = NextToken(part, token.end)) {
    tokens.push_back(token);
  }
  for (std::size_t start = 0; start < tokens.size();) {
    const std::size_t end = std::min(start + size.size, tokens.size());
    out.push_back({tokens[start].begin, tokens[end - 1].end, ChunkForm::kWindow});
    const std::size_t next = end - std::min(end, size.overlap);
    if (next <= start) return;
    start = next;
  }
}

}  // namespace

std::vector<ChunkSpan> ChunkBySentences(std::string_view text, ChunkSize asked) {
  const ChunkSize size = Clamped(asked);
  const std::vector<Sentence> sentences = SentencesOf(text);
  std::vector<ChunkSpan> chunks;
  for (std::size_t first = 0; first < sentences.size();) {
    if (sentences[first].tokens > size.size) {
      AddWindows(text, sentences[first], size, chunks);
      ++first;
      continue;
    }
    std::size_t end = first;
    for (std::size_t tokens = 0; end < sentences.size() && tokens + sentences[end].tokens <= size.size;
         ++end) {
      tokens += sentences[end].tokens;
    }
    chunks.push_back({sentences[first].begin, sentences[end - 1].end, ChunkForm::kSentence});
    if (end == sentences.size()) break;
    std::size_t next = end;
    for (std::size_t kept = 0; next > first + 1 && kept < size.overlap;) kept += sentences[--next].tokens;
    first = next;
  }
  return chunks;
}

namespace {

// Walks over a text by code points of its collapsed form: a run of white space is one.
class CollapsedWalk {
 public:
  explicit CollapsedWalk(std::string_view text) : text_(text) {}

  std::size_t Forward(std::size_t at, std::size_t count) const {
    for (; count > 0 && at < text_.size(); --count) {
      const std::size_t behind = SkipBlanks(text_, at);
      at = behind > at ? behind : NextCodePoint(text_, at);
    }
    return at;
  }

  std::size_t Back(std::size_t at, std::size_t count) const {
    for (; count > 0 && at > 0; --count) {
      at = PreviousCodePoint(text_, at);
      if (BlankSizeAt(text_, at) == 0) continue;
      while (at > 0) {
        const std::size_t before = PreviousCodePoint(text_, at);
        if (BlankSizeAt(text_, before) == 0) break;
        at = before;
      }
    }
    return at;
  }

  // Behind the last [.!?] of the range that has a blank behind it inside the range; `from` if there is none.
  std::size_t LastSentenceEnd(std::size_t from, std::size_t to) const {
    std::size_t found = from;
    for (std::size_t at = from; at + 1 < to; ++at) {
      if (IsSentenceEnd(text_[at]) && BlankSizeAt(text_, at + 1) > 0) found = at + 1;
    }
    return found;
  }

 private:
  std::string_view text_;
};

}  // namespace

std::vector<ChunkSpan> ChunkByCharacters(std::string_view whole, ChunkSize asked) {
  const ChunkSize size = Clamped(asked);
  const std::size_t lead = SkipBlanks(whole, 0);
  const std::string_view text = TrimBlanks(whole);
  const CollapsedWalk walk(text);
  std::vector<ChunkSpan> chunks;
  for (std::size_t start = 0; start < text.size();) {
    std::size_t end = walk.Forward(start, size.size);
    const bool is_whole = start == 0 && end == text.size();
    if (end < text.size()) {
      const std::size_t from = walk.Forward(start, size.size * 4 / 5);
      const std::size_t broken = walk.LastSentenceEnd(from, walk.Forward(end, kSentenceEndReach));
      if (broken > from) end = broken;
    }
    chunks.push_back({lead + start, lead + end, ChunkForm::kSentence});
    // A chunk that ends early may be shorter than the overlap.
    std::size_t next = walk.Back(end, size.overlap);
    if (next <= start && end < text.size()) next = end;
    if (is_whole || next <= start) break;
    start = next;
  }
  return chunks;
}

std::string ChunkText(std::string_view text, ChunkSpan span) {
  const std::string_view part = text.substr(span.begin, span.end - span.begin);
  if (span.form == ChunkForm::kSentence) return CollapseBlanks(part);
  std::string words;
  for (TokenSpan token = NextToken(part, 0); token.begin < token.end; token = NextToken(part, token.end)) {
    if (!words.empty()) words += ' ';
    words += part.substr(token.begin, token.end - token.begin);
  }
  return words;
}

namespace {

// The text between blank lines, without blanks at the ends; empty ones are left out.
std::vector<std::string_view> ParagraphsOf(std::string_view text) {
  std::vector<std::string_view> paragraphs;
  const auto add = [&paragraphs](std::string_view part) {
    part = TrimBlanks(part);
    if (!part.empty()) paragraphs.push_back(part);
  };
  std::size_t begin = 0;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at)) {
    const std::size_t behind = SkipBlanks(text, at);
    // A blank line: a second line break before anything else.
    if (text.find('\n', at + 1) < behind) {
      add(text.substr(begin, at - begin));
      begin = behind;
    }
    at = behind;
    if (at >= text.size()) break;
  }
  add(text.substr(std::min(begin, text.size())));
  return paragraphs;
}

std::string_view LastCodePoints(std::string_view text, std::size_t count) {
  std::size_t at = text.size();
  for (; count > 0 && at > 0; --count) at = PreviousCodePoint(text, at);
  return text.substr(at);
}

}  // namespace

std::vector<std::string> SplitForSummary(std::string_view text, PieceSize size) {
  constexpr std::string_view kBetween = "\n\n";
  std::vector<std::string> pieces;
  std::string open;
  std::size_t open_size = 0;
  for (const std::string_view paragraph : ParagraphsOf(text)) {
    const std::size_t added = CountCodePoints(paragraph);
    if (!open.empty() && open_size + kBetween.size() + added > size.target) {
      const std::string kept(TrimBlanks(LastCodePoints(open, size.overlap)));
      pieces.push_back(std::move(open));
      open = kept;
      open_size = CountCodePoints(open);
    }
    if (!open.empty()) {
      open += kBetween;
      open_size += kBetween.size();
    }
    open += paragraph;
    open_size += added;
  }
  if (!open.empty()) pieces.push_back(std::move(open));
  const std::size_t most = std::max<std::size_t>(size.most, 1);
  if (pieces.size() <= most) return pieces;
  const std::size_t group = (pieces.size() + most - 1) / most;
  std::vector<std::string> joined;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i % group == 0) {
      joined.push_back(std::move(pieces[i]));
    } else {
      joined.back().append(kBetween).append(pieces[i]);
    }
  }
  return joined;
}

}  // namespace assay
