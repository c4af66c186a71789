// What check the wanted answers of a table ask for: numbers, letters of choices, labels, words or sentences.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dataset/table.h"

namespace assay::blueprint {

enum class AnswerKind : std::uint8_t {
  kNone,           // no column has them
  kNumber,         // "72", "$5", "12 %"
  kMeasure,        // "30 days": a number with words
  kMarkedNumber,   // a solution that ends in "#### 72"
  kChoice,         // the letter, the index or the text of a choice
  kChoiceFromOne,  // the number of a choice, counted from 1
  kLabel,          // one of a few words
  kWords,          // a name, or a few words
  kAnyOf,          // a list of words, each of which is right
  kSentences,      // for judges
};

// Where the choices of a row are.
struct ChoiceColumns {
  std::vector<std::string> options;  // columns A, B, C
  std::string list;                  // a column with a list, or a path to it in the column; "" for none
  bool any() const { return !options.empty() || !list.empty(); }
};

// A row whose answer is of another kind than those of the rest.
struct OddAnswer {
  dataset::Row row;  // without its cells
  std::string text;
};

struct AnswerGuess {
  AnswerKind kind = AnswerKind::kNone;
  std::vector<OddAnswer> odd = {};       // a few of many
  std::vector<std::string> labels = {};  // of kLabel, the most frequent first
  bool is_text_of_choice = false;        // of kChoice
};

// The texts of a row's choices.
std::vector<std::string> ChoicesOf(const dataset::Row& row, const ChoiceColumns& choices,
                                   const SourceFiles& sources);

// An answer with the choices of its row.
struct SeenAnswer {
  std::string_view text;
  const std::vector<std::string>& choices;
};

// Finds the kind of the answers of a column while their rows pass by.
class AnswerReader {
 public:
  // `choices` outlives it.
  AnswerReader(std::string column, const ChoiceColumns& choices, const SourceFiles& sources)
      : column_(std::move(column)), choices_(choices), sources_(sources) {}

  void Add(const dataset::Row& row);
  AnswerGuess Guess() const;

 private:
  enum Test : std::uint8_t { kLetter, kFromZero, kText, kFromOne, kNumber, kMarked, kMeasure, kTests };
  // Answers that a test does not hold of.
  struct Odd {
    std::vector<OddAnswer> answers = {};
    bool are_too_many = false;
  };

  static bool Holds(Test test, const SeenAnswer& seen);
  bool IsNearly(Test test, AnswerKind kind, AnswerGuess& guess) const;
  bool GuessChoice(AnswerGuess& guess) const;
  void GuessWords(AnswerGuess& guess) const;

  std::string column_;
  const ChoiceColumns& choices_;
  const SourceFiles& sources_;
  AnswerKind sure_ = AnswerKind::kNone;  // whatever else there is
  std::array<Odd, kTests> odd_ = {};
  std::size_t seen_ = 0;
  std::size_t bytes_ = 0;
  std::size_t longest_ = 0;
  bool has_zero_ = false;
  std::map<std::string, std::size_t, std::less<>> labels_ = {};  // as many as matter
};

}  // namespace assay::blueprint
