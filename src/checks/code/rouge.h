// ROUGE as google's rouge_score 0.1.2 computes it without a stemmer: rouge1, rouge2, rougeL, rougeLsum.
//
// Words are the runs of [a-z0-9] in the lower-case text; lines are sentences. Rules: spec infibench 8. Pure;
// any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay {

struct RougeScore {
  double precision = 0;
  double recall = 0;
  double f = 0;
};

// In the order of the names below.
using RougeScores = std::array<RougeScore, 4>;
inline constexpr std::array<std::string_view, 4> kRougeNames = {"rouge1", "rouge2", "rougeL", "rougeLsum"};

// The words of a text, and where its sentences (lines with words) begin.
class RougeWords {
 public:
  explicit RougeWords(std::string_view text);
  std::size_t size() const { return starts_.size(); }
  std::string_view word(std::size_t i) const {
    return std::string_view(letters_).substr(
        starts_[i], (i + 1 < size() ? starts_[i + 1] : letters_.size()) - starts_[i]);
  }
  const std::vector<std::uint32_t>& sentences() const {
    return sentences_;
  }  // index of each one's first word

 private:
  std::string letters_;  // of all words, one behind the other
  std::vector<std::size_t> starts_;
  std::vector<std::uint32_t> sentences_;
};

// A text that answers are compared with, prepared once.
class RougeReference {
 public:
  explicit RougeReference(std::string_view text);
  RougeScores Score(const RougeWords& answer) const;
  // One of them, by its place in kRougeNames.
  RougeScore ScoreBy(std::size_t metric, const RougeWords& answer) const;

 private:
  using Id = std::uint32_t;  // of a word of the reference
  using Ids = std::vector<Id>;
  struct HashText {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  Ids IdsOf(const RougeWords& answer) const;
  RougeScore Words(const Ids& answer) const;
  RougeScore Pairs(const Ids& answer) const;
  RougeScore Subsequence(const Ids& answer) const;
  RougeScore Sentences(const Ids& answer, const std::vector<std::uint32_t>& sentences) const;

  std::unordered_map<std::string, Id, HashText, std::equal_to<>> vocabulary_;
  std::unordered_map<std::uint64_t, Id> pairs_;
  std::vector<std::uint32_t> word_counts_;  // by id
  std::vector<std::uint32_t> pair_counts_;
  Ids words_;
  std::vector<std::uint32_t> sentences_;
  std::vector<std::uint64_t> places_;  // by id: in which places of the reference the word stands, a bit each
  std::size_t place_words_ = 0;        // 64-bit words of one id in places_
};

}  // namespace assay
