// Each kind is tried in its order; the first that nearly all answers are of is the guess.
#include "dialects/blueprint/starter/answers.h"

#include <algorithm>
#include <map>

#include "base/text/ascii.h"
#include "text/javascript/text.h"
#include "text/numbers/wanted_number.h"
#include "text/template/path.h"
#include "text/template/written.h"

namespace assay::blueprint {

namespace {

constexpr std::size_t kOddOf = 20;         // one row of so many may be of another kind
constexpr std::size_t kOddMax = 10;        // and no more in all
constexpr std::size_t kOddBytesMax = 200;  // of their texts
constexpr std::size_t kLabelsMax = 10;
constexpr std::size_t kLabelBytesMax = 40;
constexpr std::size_t kUnitBytesMax = 24;
constexpr std::size_t kWordsMeanMax = 40;  // bytes, of all answers
constexpr std::size_t kWordsMax = 120;     // bytes, of the longest
constexpr std::string_view kNumberMark = "####";

// An answer with the choices of its row.
struct SeenAnswer {
  const dataset::Row* row;
  std::string text;
  std::vector<std::string> choices;
};

// What stands around the number of a text that names one; nothing of others.
std::optional<std::string> AroundNumber(const std::string& text) {
  const std::vector<FoundNumber> numbers = FindNumbers(text);
  if (numbers.size() != 1 || !ReadWantedNumber(Value(text))) return std::nullopt;
  std::string around = text;
  const TextRange where = numbers.front().where;
  around.erase(where.from, where.to - where.from);
  std::erase_if(around, [](char c) { return c == ' ' || c == '.' || c == '$' || c == '='; });
  for (const std::string_view sign : {"\u20ac", "\u00a3", "\u00a5", "\u20b9", "\u00a0", "\u202f"}) {
    for (std::size_t at = around.find(sign); at != std::string::npos; at = around.find(sign))
      around.erase(at, sign.size());
  }
  return around;
}

bool IsNumberAlone(const SeenAnswer& seen) {
  const std::optional<std::string> around = AroundNumber(seen.text);
  return around && around->empty();
}

bool IsMeasure(const SeenAnswer& seen) {
  const std::optional<std::string> around = AroundNumber(seen.text);
  return around && around->size() <= kUnitBytesMax;
}

bool IsMarkedNumber(const SeenAnswer& seen) {
  const std::size_t mark = seen.text.rfind(kNumberMark);
  return mark != std::string::npos &&
         IsNumberAlone({seen.row, std::string(JsTrim(seen.text.substr(mark + kNumberMark.size()))), {}});
}

// The place of a letter of a choice: 1 of "b", "(B)" and "B."; nothing of others.
bool IsLetterOfChoice(const SeenAnswer& seen) {
  std::string_view text = seen.text;
  while (!text.empty() && (text.front() == '(' || text.front() == ' ')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ')' || text.back() == '.' || text.back() == ' '))
    text.remove_suffix(1);
  if (text.size() != 1 || !IsAsciiLetter(text.front())) return false;
  return static_cast<std::size_t>(AsciiLower(text.front()) - 'a') < seen.choices.size();
}

std::optional<std::size_t> PlaceOfChoice(const SeenAnswer& seen) {
  constexpr std::size_t kDigitsMax = 2;
  if (seen.text.empty() || seen.text.size() > kDigitsMax ||
      !std::all_of(seen.text.begin(), seen.text.end(), [](char c) { return IsAsciiDigit(c); }))
    return std::nullopt;
  return static_cast<std::size_t>(std::stoul(seen.text));
}

bool IsPlaceFromZero(const SeenAnswer& seen) {
  const std::optional<std::size_t> index = PlaceOfChoice(seen);
  return index && *index < seen.choices.size();
}

bool IsPlaceFromOne(const SeenAnswer& seen) {
  const std::optional<std::size_t> index = PlaceOfChoice(seen);
  return index && *index >= 1 && *index <= seen.choices.size();
}

bool IsChoiceText(const SeenAnswer& seen) {
  return std::find(seen.choices.begin(), seen.choices.end(), seen.text) != seen.choices.end();
}

class AnswerReader {
 public:
  explicit AnswerReader(std::vector<SeenAnswer> seen) : seen_(std::move(seen)) {}

  AnswerGuess Guess(bool has_choices) {
    AnswerGuess guess;
    if (seen_.empty()) return guess;
    if (has_choices && GuessChoice(guess)) return guess;
    if (Nearly(IsNumberAlone, AnswerKind::kNumber, guess) ||
        Nearly(IsMarkedNumber, AnswerKind::kMarkedNumber, guess) ||
        Nearly(IsMeasure, AnswerKind::kMeasure, guess))
      return guess;
    GuessWords(guess);
    return guess;
  }

 private:
  template <class Is>
  bool Nearly(const Is& is, AnswerKind kind, AnswerGuess& guess) const {
    std::vector<OddAnswer> odd;
    for (const SeenAnswer& seen : seen_) {
      if (is(seen)) continue;
      odd.push_back({seen.row, seen.text});
      if (odd.size() > kOddMax || odd.size() * kOddOf > seen_.size() || seen.text.size() > kOddBytesMax)
        return false;
    }
    guess.kind = kind;
    guess.odd = std::move(odd);
    return true;
  }

  bool GuessChoice(AnswerGuess& guess) const {
    if (Nearly(IsLetterOfChoice, AnswerKind::kChoice, guess)) return true;
    const bool has_zero = std::any_of(seen_.begin(), seen_.end(), [](const SeenAnswer& seen) {
      return PlaceOfChoice(seen) == std::optional<std::size_t>(0);
    });
    if (has_zero && Nearly(IsPlaceFromZero, AnswerKind::kChoice, guess)) return true;
    // A choice may be a number: its text goes before its place.
    guess.is_text_of_choice = Nearly(IsChoiceText, AnswerKind::kChoice, guess);
    return guess.is_text_of_choice || Nearly(IsPlaceFromOne, AnswerKind::kChoiceFromOne, guess);
  }

  void GuessWords(AnswerGuess& guess) const {
    std::size_t bytes = 0;
    std::size_t longest = 0;
    std::map<std::string_view, std::size_t> counts;
    for (const SeenAnswer& seen : seen_) {
      bytes += seen.text.size();
      longest = std::max(longest, seen.text.size());
      ++counts[seen.text];
    }
    constexpr std::size_t kRowsPerLabel = 3;
    if (counts.size() <= kLabelsMax && longest <= kLabelBytesMax &&
        counts.size() * kRowsPerLabel <= seen_.size()) {
      guess.kind = AnswerKind::kLabel;
      for (const auto& [label, count] : counts) guess.labels.emplace_back(label);
      std::stable_sort(guess.labels.begin(), guess.labels.end(),
                       [&](const auto& a, const auto& b) { return counts.at(a) > counts.at(b); });
      return;
    }
    const bool is_short = bytes <= kWordsMeanMax * seen_.size() && longest <= kWordsMax;
    guess.kind = is_short ? AnswerKind::kWords : AnswerKind::kSentences;
  }

  std::vector<SeenAnswer> seen_;
};

}  // namespace

std::vector<std::string> ChoicesOf(const dataset::Row& row, const ChoiceColumns& choices,
                                   const SourceFiles& sources) {
  std::vector<std::string> texts;
  for (const std::string& column : choices.options) {
    const Value* value = row.cells.Find(column);
    if (value != nullptr && !value->is_null()) texts.push_back(WrittenText(*value, sources).value_or(""));
  }
  if (choices.list.empty()) return texts;
  const Value* list = row.cells.Find(choices.list);
  if (list == nullptr) {
    std::size_t at = 0;
    const std::optional<RowPath> path = ReadRowPath(choices.list, at);
    list = path ? FindAt(row.cells, *path).value_or(nullptr) : nullptr;
  }
  if (list == nullptr || !list->is_list()) return texts;
  for (const Value& each : list->AsList()) texts.push_back(WrittenText(each, sources).value_or(""));
  return texts;
}

AnswerGuess GuessAnswers(const dataset::Table& table, std::string_view column, const ChoiceColumns& choices,
                         const SourceFiles& sources) {
  std::vector<SeenAnswer> seen;
  for (const dataset::Row& row : table.rows) {
    const Value* value = row.cells.Find(column);
    if (value == nullptr || value->is_nullish()) continue;
    if (value->is_list()) return {.kind = AnswerKind::kAnyOf};
    const std::optional<std::string> text = WrittenText(*value, sources);
    if (!text) return {.kind = AnswerKind::kSentences};
    if (JsTrim(*text).empty()) continue;
    seen.push_back({&row, *text, ChoicesOf(row, choices, sources)});
  }
  return AnswerReader(std::move(seen)).Guess(choices.any());
}

}  // namespace assay::blueprint
