// Grades `$bleu`, `$chrf` and `$rouge`: how much of its words or letters an answer shares with reference
// texts. Pure; any thread.
//   args   {to, at_least}, and chrf: words (0 or 2), rouge: metric (rougeL, rouge1, rouge2); `to` is a text
//          or a list of texts
//   score  the share, 0 to 1, or with at_least: 1 from it on, else 0
//   bleu   of one sentence: runs of up to four words by the rules of mteval-v13a, letter case kept, smoothing
//          "exp", effective order; 0 without a common word. The references count together
//   chrf   F2 of runs of up to six letters, without white space, and of up to two words with `words: 2`; the
//          best reference counts
//   rouge  F of words of [a-z0-9] in small letters (checks/code/rouge.h); the best reference counts
//   source sacrebleu 2.6.0 (sentence_score), rouge_score 0.1.2; known deviations: white space is JavaScript's
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "checks/code/rouge.h"
#include "checks/graders.h"
#include "checks/wanted/arguments.h"
#include "checks/wanted/ngrams.h"
#include "text/javascript/text.h"

namespace assay {
namespace {

constexpr std::size_t kBleuLongest = 4;
constexpr std::size_t kChrfLetters = 6;
constexpr double kBeta = 2;

using SymbolList = std::vector<std::uint32_t>;

// Gives each word of the references a number.
class WordNumbers {
 public:
  SymbolList Add(const std::vector<std::string>& words) {
    SymbolList numbers;
    for (const std::string& word : words)
      numbers.push_back(numbers_.emplace(word, static_cast<std::uint32_t>(numbers_.size())).first->second);
    return numbers;
  }
  SymbolList Of(const std::vector<std::string>& words) const {
    SymbolList numbers;
    for (const std::string& word : words) {
      const auto found = numbers_.find(word);
      numbers.push_back(found == numbers_.end() ? NgramCounts::kUnknown : found->second);
    }
    return numbers;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

std::vector<std::string> BlankWordTexts(std::string_view text) {
  std::vector<std::string> words;
  for (const std::string_view word : BlankWords(text)) words.emplace_back(word);
  return words;
}

void ReplaceAll(std::string& text, std::string_view from, std::string_view to) {
  std::string out;
  std::size_t start = 0;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, start)) {
    out.append(text, start, at - start).append(to);
    start = at + from.size();
  }
  text = out.append(text, start);
}

// The signs that always stand alone; not the apostrophe, the comma, the hyphen and the full stop.
bool StandsAlone13a(char c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
         (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

// One of the rules that part two characters: `fits` says of which pair. Pairs do not overlap, as in a
// replacement by a pattern.
template <class Fits>
std::string PartedPairs(std::string_view text, std::string_view before, std::string_view between,
                        std::string_view behind, const Fits& fits) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = DecodeUtf8(text, at).size_bytes;
    const std::size_t next = at + size;
    if (next >= text.size() || !fits(text[at], text[next])) {
      out.append(text.substr(at, size));
      at = next;
      continue;
    }
    const std::size_t next_size = DecodeUtf8(text, next).size_bytes;
    out.append(before).append(text.substr(at, size)).append(between);
    out.append(text.substr(next, next_size)).append(behind);
    at = next + next_size;
  }
  return out;
}

std::vector<std::string> BleuWords(std::string_view given) {
  const auto is_point = [](char c) { return c == '.' || c == ','; };
  std::string text(JsTrim(given));
  ReplaceAll(text, "<skipped>", "");
  ReplaceAll(text, "-\n", "");
  ReplaceAll(text, "\n", " ");
  ReplaceAll(text, "&quot;", "\"");
  ReplaceAll(text, "&amp;", "&");
  ReplaceAll(text, "&lt;", "<");
  ReplaceAll(text, "&gt;", ">");
  std::string parted = " ";
  for (const char c : text) {
    if (StandsAlone13a(c)) {
      parted.append(1, ' ').append(1, c).append(1, ' ');
    } else {
      parted += c;
    }
  }
  parted += ' ';
  parted = PartedPairs(parted, "", " ", " ", [&](char a, char b) { return !IsAsciiDigit(a) && is_point(b); });
  parted = PartedPairs(parted, " ", " ", "", [&](char a, char b) { return is_point(a) && !IsAsciiDigit(b); });
  parted = PartedPairs(parted, "", " ", " ", [](char a, char b) { return IsAsciiDigit(a) && b == '-'; });
  return BlankWordTexts(parted);
}

struct BleuReferences {
  WordNumbers numbers;
  NgramCounts runs{kBleuLongest};
  std::vector<std::size_t> sizes;
  std::optional<double> at_least;
};

double BleuOf(const BleuReferences& references, const SymbolList& answer) {
  const std::vector<std::size_t> matches = references.runs.Matches(answer);
  if (matches.front() == 0) return 0;
  const std::size_t size = answer.size();
  const auto distance = [size](std::size_t other) { return std::max(size, other) - std::min(size, other); };
  std::size_t nearest = references.sizes.front();
  for (const std::size_t other : references.sizes) {
    if (distance(other) < distance(nearest) || (distance(other) == distance(nearest) && other < nearest))
      nearest = other;
  }
  double smoothing = 1;
  double logs = 0;
  std::size_t order = 0;
  for (std::size_t length = 1; length <= kBleuLongest; ++length) {
    const auto runs = static_cast<double>(NgramCounts::RunsOf(size, length));
    if (runs == 0) break;
    order = length;
    if (matches[length - 1] == 0) smoothing *= 2;
    logs += matches[length - 1] == 0 ? std::log(1 / (smoothing * runs))
                                     : std::log(static_cast<double>(matches[length - 1]) / runs);
  }
  const double brevity =
      size >= nearest ? 1 : std::exp(1 - static_cast<double>(nearest) / static_cast<double>(size));
  return brevity * std::exp(logs / static_cast<double>(order));
}

// chrF's words: one mark at an end of a word stands alone, the last one first.
std::vector<std::string> ChrfWords(std::string_view text) {
  const auto is_mark = [](char c) { return c > ' ' && c < 0x7f && !IsAsciiAlphanumeric(c); };
  std::vector<std::string> words;
  for (const std::string_view word : BlankWords(text)) {
    if (CountCodePoints(word) == 1) {
      words.emplace_back(word);
    } else if (is_mark(word.back())) {
      words.emplace_back(word.substr(0, word.size() - 1));
      words.emplace_back(word.substr(word.size() - 1));
    } else if (is_mark(word.front())) {
      words.emplace_back(word.substr(0, 1));
      words.emplace_back(word.substr(1));
    } else {
      words.emplace_back(word);
    }
  }
  return words;
}

SymbolList ChrfLetters(std::string_view text) {
  SymbolList letters;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint next = DecodeUtf8(text, at);
    at += next.size_bytes;
    if (!IsJsSpace(next.code_point)) letters.push_back(static_cast<std::uint32_t>(next.code_point));
  }
  return letters;
}

struct ChrfReference {
  NgramCounts letters{kChrfLetters};
  WordNumbers numbers;
  NgramCounts words{1};
};

struct ChrfReferences {
  std::vector<ChrfReference> any;
  std::size_t words = 0;  // the longest run of words
  std::optional<double> at_least;
};

// Precision and recall, summed over the lengths that both texts have.
struct ChrfSums {
  double precision = 0;
  double recall = 0;
  double orders = 0;

  void Add(const NgramCounts& reference, const SymbolList& answer, std::size_t longest) {
    if (longest == 0) return;
    const std::vector<std::size_t> matches = reference.Matches(answer);
    for (std::size_t length = 1; length <= longest; ++length) {
      const auto answered = static_cast<double>(NgramCounts::RunsOf(answer.size(), length));
      const auto wanted = static_cast<double>(reference.SizeOf(length));
      if (answered == 0 || wanted == 0) continue;
      precision += static_cast<double>(matches[length - 1]) / answered;
      recall += static_cast<double>(matches[length - 1]) / wanted;
      ++orders;
    }
  }
  double F() const {
    if (orders == 0 || precision + recall == 0) return 0;
    const double p = precision / orders;
    const double r = recall / orders;
    return (1 + kBeta * kBeta) * p * r / (kBeta * kBeta * p + r);
  }
};

double ChrfOf(const ChrfReferences& references, std::string_view answer) {
  const SymbolList letters = ChrfLetters(answer);
  const std::vector<std::string> words =
      references.words == 0 ? std::vector<std::string>() : ChrfWords(answer);
  double best = 0;
  for (const ChrfReference& reference : references.any) {
    ChrfSums sums;
    sums.Add(reference.letters, letters, kChrfLetters);
    sums.Add(reference.words, reference.numbers.Of(words), references.words);
    best = std::max(best, sums.F());
  }
  return best;
}

struct RougeReferences {
  std::vector<RougeReference> any;
  std::size_t metric = 0;  // index into kRougeNames
  std::optional<double> at_least;
};

Score ShareScore(double share, const std::optional<double>& at_least) {
  constexpr double kRounding = 1e-12;
  Score score = Score::Of(share);
  if (at_least) {
    score.value = share >= *at_least - kRounding ? 1 : 0;
    score.explanation = fmt::format("the share is {:.3f}", share);
  }
  return score;
}

// `to` and `at_least`, which all three take.
Result<std::vector<std::string>> ReadReferenceTexts(const Value& args, std::string_view more,
                                                    std::optional<double>& at_least) {
  ASSAY_CHECK_OK(more.empty() ? OnlyMembers(args, {"to", "at_least"})
                              : OnlyMembers(args, {"to", "at_least", more}));
  ASSAY_TRY(at_least, BoundedMember(args, "at_least", 0, 1));
  const Value* to = args.Find("to");
  if (to == nullptr) return BadMember("a text", args, "to");
  return WrittenTexts(*to);
}

Result<BleuReferences> ReadBleu(const Value& args) {
  BleuReferences references;
  ASSAY_TRY(const std::vector<std::string> texts, ReadReferenceTexts(args, "", references.at_least));
  for (const std::string& text : texts) {
    const SymbolList words = references.numbers.Add(BleuWords(text));
    references.runs.Add(words);
    references.sizes.push_back(words.size());
  }
  return references;
}

Result<ChrfReferences> ReadChrf(const Value& args) {
  ChrfReferences references;
  ASSAY_TRY(const std::vector<std::string> texts, ReadReferenceTexts(args, "words", references.at_least));
  ASSAY_TRY(const std::optional<double> words, BoundedMember(args, "words", 0, 2));
  if (words && *words != 0 && *words != 2) return BadMember("0 or 2", args, "words");
  references.words = words.value_or(0) == 2 ? 2 : 0;
  for (const std::string& text : texts) {
    ChrfReference& reference = references.any.emplace_back();
    reference.letters.Add(ChrfLetters(text));
    if (references.words == 0) continue;
    reference.words = NgramCounts(references.words);
    reference.words.Add(reference.numbers.Add(ChrfWords(text)));
  }
  return references;
}

Result<RougeReferences> ReadRouge(const Value& args) {
  RougeReferences references;
  ASSAY_TRY(const std::vector<std::string> texts, ReadReferenceTexts(args, "metric", references.at_least));
  ASSAY_TRY(const std::size_t metric, WordMember(args, "metric", {"rougeL", "rouge1", "rouge2"}));
  constexpr std::size_t kIndices[] = {2, 0, 1};
  references.metric = kIndices[metric];
  for (const std::string& text : texts) references.any.emplace_back(text);
  return references;
}

Score GradeByBleu(const GradeInput& input, const BleuReferences& references, WorkerState&) {
  const SymbolList answer = references.numbers.Of(BleuWords(input.answer.text()));
  return ShareScore(answer.empty() ? 0 : BleuOf(references, answer), references.at_least);
}

Score GradeByChrf(const GradeInput& input, const ChrfReferences& references, WorkerState&) {
  return ShareScore(ChrfOf(references, input.answer.text()), references.at_least);
}

Score GradeByRouge(const GradeInput& input, const RougeReferences& references, WorkerState&) {
  const RougeWords answer(input.answer.text());
  double best = 0;
  for (const RougeReference& reference : references.any)
    best = std::max(best, reference.ScoreBy(references.metric, answer).f);
  return ShareScore(best, references.at_least);
}

}  // namespace

CheckArgs ParseBleu(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadBleu(input.check.args), diagnostics);
}
Score GradeBleu(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<BleuReferences, GradeByBleu>(input, args, worker);
}

CheckArgs ParseChrf(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadChrf(input.check.args), diagnostics);
}
Score GradeChrf(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<ChrfReferences, GradeByChrf>(input, args, worker);
}

CheckArgs ParseRouge(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadRouge(input.check.args), diagnostics);
}
Score GradeRouge(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<RougeReferences, GradeByRouge>(input, args, worker);
}

}  // namespace assay
