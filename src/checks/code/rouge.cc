// Computes ROUGE scores; longest common subsequences by bit-parallel rows (a row of the table is a bit vector
// whose zeros are the steps).
#include "checks/code/rouge.h"

#include <algorithm>
#include <bit>
#include <span>

namespace assay {

namespace {

constexpr std::uint32_t kUnknown = 0xffffffff;  // a word that the reference does not have
constexpr std::size_t kBits = 64;

using Words = std::vector<std::uint64_t>;

std::size_t WordsFor(std::size_t bits) { return (bits + kBits - 1) / kBits; }

RougeScore ScoreOf(std::size_t hits, std::size_t answer, std::size_t reference) {
  RougeScore score;
  score.precision = static_cast<double>(hits) / static_cast<double>(std::max<std::size_t>(answer, 1));
  score.recall = static_cast<double>(hits) / static_cast<double>(std::max<std::size_t>(reference, 1));
  const double sum = score.precision + score.recall;
  if (sum > 0) score.f = 2 * score.precision * score.recall / sum;
  return score;
}

// One row of a table of subsequence lengths from the one before it; `places` says where the row's word
// stands.
void NextRow(const std::uint64_t* places, const Words& row, Words& next) {
  std::uint64_t carry = 0;
  for (std::size_t w = 0; w < row.size(); ++w) {
    const std::uint64_t matches = row[w] & places[w];
    const std::uint64_t sum = row[w] + matches;
    const std::uint64_t with_carry = sum + carry;
    carry = (sum < matches || with_carry < sum) ? 1 : 0;
    next[w] = with_carry | (row[w] & ~places[w]);
  }
}

// Zeros among the first `bits` bits: the length of the common subsequence with that many places.
std::size_t Steps(const Words& row, std::size_t bits) {
  std::size_t zeros = 0;
  for (std::size_t w = 0; w * kBits < bits; ++w) {
    const std::size_t here = std::min(bits - w * kBits, kBits);
    const std::uint64_t mask = here == kBits ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
    zeros += static_cast<std::size_t>(std::popcount(~row[w] & mask));
  }
  return zeros;
}

// The words of reference sentences that have a part in a longest common subsequence with some sentence of the
// answer.
class UnionOfSubsequences {
 public:
  explicit UnionOfSubsequences(std::size_t vocabulary, std::size_t reference_size)
      : vocabulary_(vocabulary), is_part_(reference_size) {}

  // From here on: this sentence of the answer.
  void Take(std::span<const std::uint32_t> sentence) {
    sentence_ = sentence;
    words_ = WordsFor(sentence.size());
    places_.assign(vocabulary_ * words_, 0);
    has_word_.assign(vocabulary_, 0);
    for (std::size_t i = 0; i < sentence.size(); ++i) {
      if (sentence[i] == kUnknown) continue;
      has_word_[sentence[i]] = 1;
      places_[sentence[i] * words_ + i / kBits] |= std::uint64_t{1} << (i % kBits);
    }
  }

  // Marks the parts of the reference's sentence that begins at `start`. Ways back are the original's: matches
  // first, then left if that is longer, else up. Rows of words that the answer's sentence lacks are skipped:
  // every way back crosses them upwards.
  void Mark(std::span<const std::uint32_t> reference, std::size_t start) {
    known_.clear();
    for (std::uint32_t i = 0; i < reference.size(); ++i) {
      if (has_word_[reference[i]] != 0) known_.push_back(i);
    }
    if (known_.empty()) return;
    row_.assign(words_, ~std::uint64_t{0});
    next_.resize(words_);
    grows_.resize(known_.size() * words_);
    for (std::size_t i = 0; i < known_.size(); ++i) {
      NextRow(&places_[reference[known_[i]] * words_], row_, next_);
      KeepGrowth(&grows_[i * words_]);
      std::swap(row_, next_);
    }
    std::size_t i = known_.size();
    std::size_t j = sentence_.size();
    for (std::size_t left = Steps(row_, j); left > 0;) {
      if (reference[known_[i - 1]] == sentence_[j - 1]) {
        is_part_[start + known_[--i]] = 1;
        --j;
        --left;
      } else if ((grows_[(i - 1) * words_ + (j - 1) / kBits] >> ((j - 1) % kBits) & 1u) != 0) {
        --j;
      } else {
        --i;
      }
    }
  }

  bool IsPart(std::size_t i) const { return is_part_[i] != 0; }

 private:
  // In which columns the table grows from row_ to next_, by 0 or 1: the parity of the steps that the rows do
  // not have in common, up to there.
  void KeepGrowth(std::uint64_t* growth) const {
    std::uint64_t carry = 0;  // all ones if the parity before the word is odd
    for (std::size_t w = 0; w < words_; ++w) {
      std::uint64_t parity = row_[w] ^ next_[w];
      for (int shift = 1; shift < 64; shift *= 2) parity ^= parity << shift;
      growth[w] = parity ^ carry;
      carry = 0 - (growth[w] >> (kBits - 1));
    }
  }

  std::size_t vocabulary_;
  std::vector<char> is_part_;
  std::span<const std::uint32_t> sentence_;
  std::size_t words_ = 0;
  Words places_;  // by word: where it stands in the answer's sentence
  std::vector<char> has_word_;
  std::vector<std::uint32_t> known_;  // words of the reference's sentence that the answer's has too
  Words row_;
  Words next_;
  Words grows_;
};

std::span<const std::uint32_t> Sentence(const std::vector<std::uint32_t>& words,
                                        const std::vector<std::uint32_t>& sentences, std::size_t i) {
  const std::size_t end = i + 1 < sentences.size() ? sentences[i + 1] : words.size();
  return std::span(words).subspan(sentences[i], end - sentences[i]);
}

}  // namespace

RougeWords::RougeWords(std::string_view text) {
  letters_.reserve(text.size());
  bool in_word = false;
  bool in_sentence = false;
  const auto add = [&](char letter) {
    if (!in_sentence) sentences_.push_back(static_cast<std::uint32_t>(starts_.size()));
    if (!in_word) starts_.push_back(letters_.size());
    in_sentence = true;
    in_word = true;
    letters_ += letter;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      add(c);
    } else if (c >= 'A' && c <= 'Z') {
      add(static_cast<char>(c + ('a' - 'A')));
    } else if (text.substr(i, 3) == "\xe2\x84\xaa") {  // the Kelvin sign's lower case is k
      add('k');
      i += 2;
    } else if (text.substr(i, 2) == "\xc4\xb0") {  // I with a dot above becomes i and a combining dot
      add('i');
      in_word = false;
      ++i;
    } else {
      in_word = false;
      if (c == '\n') in_sentence = false;
    }
  }
}

RougeReference::RougeReference(std::string_view text) {
  const RougeWords words(text);
  sentences_ = words.sentences();
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto [entry, is_new] = vocabulary_.emplace(words.word(i), static_cast<Id>(word_counts_.size()));
    if (is_new) word_counts_.push_back(0);
    ++word_counts_[entry->second];
    words_.push_back(entry->second);
  }
  for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
    const std::uint64_t pair = std::uint64_t{words_[i]} << 32 | words_[i + 1];
    const auto [entry, is_new] = pairs_.emplace(pair, static_cast<Id>(pair_counts_.size()));
    if (is_new) pair_counts_.push_back(0);
    ++pair_counts_[entry->second];
  }
  place_words_ = WordsFor(words_.size());
  places_.resize(word_counts_.size() * place_words_);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    places_[words_[i] * place_words_ + i / kBits] |= std::uint64_t{1} << (i % kBits);
  }
}

RougeReference::Ids RougeReference::IdsOf(const RougeWords& answer) const {
  Ids ids(answer.size(), kUnknown);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto found = vocabulary_.find(answer.word(i));
    if (found != vocabulary_.end()) ids[i] = found->second;
  }
  return ids;
}

RougeScore RougeReference::Words(const Ids& answer) const {
  std::vector<std::uint32_t> left = word_counts_;
  std::size_t hits = 0;
  for (const Id id : answer) {
    if (id == kUnknown || left[id] == 0) continue;
    --left[id];
    ++hits;
  }
  return ScoreOf(hits, answer.size(), words_.size());
}

RougeScore RougeReference::Pairs(const Ids& answer) const {
  std::vector<std::uint32_t> left = pair_counts_;
  std::size_t hits = 0;
  for (std::size_t i = 0; i + 1 < answer.size(); ++i) {
    if (answer[i] == kUnknown || answer[i + 1] == kUnknown) continue;
    const auto found = pairs_.find(std::uint64_t{answer[i]} << 32 | answer[i + 1]);
    if (found == pairs_.end() || left[found->second] == 0) continue;
    --left[found->second];
    ++hits;
  }
  const auto pairs_of = [](std::size_t words) { return words == 0 ? 0 : words - 1; };
  return ScoreOf(hits, pairs_of(answer.size()), pairs_of(words_.size()));
}

RougeScore RougeReference::Subsequence(const Ids& answer) const {
  if (answer.empty() || words_.empty()) return {};
  std::vector<std::uint64_t> row(place_words_, ~std::uint64_t{0});
  for (const Id id : answer) {
    if (id != kUnknown) NextRow(&places_[id * place_words_], row, row);
  }
  return ScoreOf(Steps(row, words_.size()), answer.size(), words_.size());
}

RougeScore RougeReference::Sentences(const Ids& answer, const std::vector<std::uint32_t>& sentences) const {
  if (answer.empty() || words_.empty()) return {};
  UnionOfSubsequences parts(word_counts_.size(), words_.size());
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const std::span<const Id> sentence = Sentence(answer, sentences, i);
    if (std::all_of(sentence.begin(), sentence.end(), [](Id id) { return id == kUnknown; })) continue;
    parts.Take(sentence);
    for (std::size_t k = 0; k < sentences_.size(); ++k)
      parts.Mark(Sentence(words_, sentences_, k), sentences_[k]);
  }
  std::vector<std::uint32_t> answer_left(word_counts_.size());
  for (const Id id : answer) {
    if (id != kUnknown) ++answer_left[id];
  }
  std::vector<std::uint32_t> reference_left = word_counts_;
  std::size_t hits = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const Id id = words_[i];
    if (!parts.IsPart(i) || answer_left[id] == 0 || reference_left[id] == 0) continue;
    --answer_left[id];
    --reference_left[id];
    ++hits;
  }
  return ScoreOf(hits, answer.size(), words_.size());
}

RougeScore RougeReference::ScoreBy(std::size_t metric, const RougeWords& answer) const {
  const Ids ids = IdsOf(answer);
  if (metric == 0) return Words(ids);
  if (metric == 1) return Pairs(ids);
  return metric == 2 ? Subsequence(ids) : Sentences(ids, answer.sentences());
}

RougeScores RougeReference::Score(const RougeWords& answer) const {
  const Ids ids = IdsOf(answer);
  return {Words(ids), Pairs(ids), Subsequence(ids), Sentences(ids, answer.sentences())};
}

}  // namespace assay
