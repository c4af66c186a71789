// What check the wanted answers of a table ask for: numbers, letters of choices, labels, words or sentences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
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
  const dataset::Row* row = nullptr;
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
AnswerGuess GuessAnswers(const dataset::Table& table, std::string_view column, const ChoiceColumns& choices,
                         const SourceFiles& sources);

}  // namespace assay::blueprint
