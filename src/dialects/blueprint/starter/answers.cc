// Each kind is tried in its order; the first that nearly all answers are of is the guess.
#include "dialects/blueprint/starter/answers.h"

#include <algorithm>

#include "base/text/ascii.h"
#include "dialects/blueprint/starter/facts.h"
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

// What stands around the number of a text that names one; nothing of others.
std::optional<std::string> AroundNumber(std::string_view text) {
  const std::vector<FoundNumber> numbers = FindNumbers(text);
  if (numbers.size() != 1 || !ReadWantedNumber(Value(std::string(text)))) return std::nullopt;
  std::string around(text);
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
         IsNumberAlone({JsTrim(seen.text.substr(mark + kNumberMark.size())), seen.choices});
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
  return static_cast<std::size_t>(std::stoul(std::string(seen.text)));
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

}  // namespace

bool AnswerReader::Holds(Test test, const SeenAnswer& seen) {
  switch (test) {
    case kLetter:
      return IsLetterOfChoice(seen);
    case kFromZero:
      return IsPlaceFromZero(seen);
    case kText:
      return IsChoiceText(seen);
    case kFromOne:
      return IsPlaceFromOne(seen);
    case kNumber:
      return IsNumberAlone(seen);
    case kMarked:
      return IsMarkedNumber(seen);
    case kMeasure:
      return IsMeasure(seen);
    case kTests:
      break;
  }
  return false;
}

void AnswerReader::Add(const dataset::Row& row) {
  const Value* value = row.cells.Find(column_);
  if (value == nullptr || value->is_nullish() || sure_ != AnswerKind::kNone) return;
  if (value->is_list()) {
    sure_ = AnswerKind::kAnyOf;
    return;
  }
  const std::optional<std::string> text = WrittenText(*value, sources_);
  if (!text) sure_ = AnswerKind::kSentences;
  if (!text || JsTrim(*text).empty()) return;
  const std::vector<std::string> choices = ChoicesOf(row, choices_, sources_);
  const SeenAnswer seen{*text, choices};
  ++seen_;
  bytes_ += text->size();
  longest_ = std::max(longest_, text->size());
  has_zero_ = has_zero_ || PlaceOfChoice(seen) == std::optional<std::size_t>(0);
  if (labels_.size() <= kLabelsMax) ++labels_[*text];
  bool is_number = false;  // then it is a measure, too, without a unit
  for (std::size_t i = choices_.any() ? 0 : kNumber; i < kTests; ++i) {
    Odd& odd = odd_[i];
    if (odd.are_too_many || (i == kMeasure && is_number)) continue;
    const bool holds = Holds(static_cast<Test>(i), seen);
    is_number = is_number || (i == kNumber && holds);
    if (holds) continue;
    odd.are_too_many = odd.answers.size() == kOddMax || text->size() > kOddBytesMax;
    if (!odd.are_too_many) odd.answers.push_back({PlaceAlone(row), *text});
  }
}

bool AnswerReader::IsNearly(Test test, AnswerKind kind, AnswerGuess& guess) const {
  const Odd& odd = odd_[test];
  if (odd.are_too_many || odd.answers.size() * kOddOf > seen_) return false;
  guess.kind = kind;
  guess.odd = odd.answers;
  return true;
}

bool AnswerReader::GuessChoice(AnswerGuess& guess) const {
  if (IsNearly(kLetter, AnswerKind::kChoice, guess)) return true;
  if (has_zero_ && IsNearly(kFromZero, AnswerKind::kChoice, guess)) return true;
  // A choice may be a number: its text goes before its place.
  guess.is_text_of_choice = IsNearly(kText, AnswerKind::kChoice, guess);
  return guess.is_text_of_choice || IsNearly(kFromOne, AnswerKind::kChoiceFromOne, guess);
}

void AnswerReader::GuessWords(AnswerGuess& guess) const {
  constexpr std::size_t kRowsPerLabel = 3;
  if (labels_.size() <= kLabelsMax && longest_ <= kLabelBytesMax && labels_.size() * kRowsPerLabel <= seen_) {
    guess.kind = AnswerKind::kLabel;
    for (const auto& [label, count] : labels_) guess.labels.push_back(label);
    std::stable_sort(guess.labels.begin(), guess.labels.end(), [&](const auto& a, const auto& b) {
      return labels_.find(a)->second > labels_.find(b)->second;
    });
    return;
  }
  const bool is_short = bytes_ <= kWordsMeanMax * seen_ && longest_ <= kWordsMax;
  guess.kind = is_short ? AnswerKind::kWords : AnswerKind::kSentences;
}

AnswerGuess AnswerReader::Guess() const {
  AnswerGuess guess{.kind = sure_};
  if (sure_ != AnswerKind::kNone || seen_ == 0) return guess;
  if (choices_.any() && GuessChoice(guess)) return guess;
  if (IsNearly(kNumber, AnswerKind::kNumber, guess) || IsNearly(kMarked, AnswerKind::kMarkedNumber, guess) ||
      IsNearly(kMeasure, AnswerKind::kMeasure, guess))
    return guess;
  GuessWords(guess);
  return guess;
}

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

}  // namespace assay::blueprint
