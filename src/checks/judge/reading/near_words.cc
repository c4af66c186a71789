// Searches letter by letter, with the places of a word that are found as bits.
#include "checks/judge/reading/near_words.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/text/ascii.h"

namespace assay {
namespace {

// The places of each letter in a word of capitals: bit i + 1 stands for the word's letter i.
class LetterPlaces {
 public:
  explicit LetterPlaces(std::string_view word) {
    for (std::size_t i = 0; i < word.size(); ++i) places_[IndexOf(word[i])] |= 2u << i;
  }
  std::uint32_t Of(char letter) const { return places_[IndexOf(letter)]; }

 private:
  static std::size_t IndexOf(char letter) { return static_cast<std::size_t>(letter - 'A'); }

  std::array<std::uint32_t, 26> places_{};
};

// Finds the ends of a word that may have a few typing errors: a letter more, a letter less, another letter,
// or two the wrong way round. Bit i of a row says that its first i letters have been found.
class NearWord {
 public:
  NearWord(std::string_view word, std::size_t errors)
      : places_(word), whole_(1u << word.size()), errors_(errors) {
    for (std::size_t i = 0; i <= errors_; ++i) found_[i] = (2u << i) - 1;
  }
  // Takes the next letter of a text; whether the word ends there.
  bool EndsAt(char letter) {
    const std::uint32_t here = places_.Of(letter);
    Rows next = {};
    next[0] = ((found_[0] << 1) & here) | 1u;
    for (std::size_t i = 1; i <= errors_; ++i) {
      const std::uint32_t swapped = (before_[i - 1] << 2) & (here << 1) & last_;
      next[i] = ((found_[i] << 1) & here) | found_[i - 1] | (found_[i - 1] << 1) | next[i - 1] |
                (next[i - 1] << 1) | swapped;
    }
    before_ = std::exchange(found_, next);
    last_ = here;
    return (found_[errors_] & whole_) != 0;
  }

 private:
  using Rows = std::array<std::uint32_t, kNearErrorsMax + 1>;

  LetterPlaces places_;
  std::uint32_t whole_;
  std::size_t errors_;
  Rows found_ = {};         // row i: with at most i errors
  Rows before_ = {};        // the same, one letter earlier
  std::uint32_t last_ = 0;  // places of the letter before
};

// Finds the end of a word in pieces, less than `apart_max` apart (by luck, than twice that). Bit i of a row
// says that the first i letters have been found.
class PiecedWord {
 public:
  PiecedWord(std::string_view word, std::size_t apart_max, Between between = Between::kNoLetter)
      : places_(word), whole_(1u << word.size()), apart_max_(apart_max), between_(between) {}
  // Takes the next character of a seen text; whether the word ends there.
  bool EndsAt(char c) {
    if (++age_ % apart_max_ == 0) older_ = std::exchange(parted_, 0);
    const bool is_letter = IsAsciiLetter(c);
    if (is_letter) {
      const std::uint32_t here = places_.Of(c);
      const std::uint32_t parted = (is_behind_letter_ ? 0 : parted_ | older_) | ByLettersAndSign();
      behind_[1] = std::exchange(behind_[0], pieced_ | unbroken_);
      pieced_ = ((pieced_ | parted) << 1) & here;
      unbroken_ = ((unbroken_ | 1u) << 1) & here;
      ++letters_;
    } else {
      const std::uint32_t found = std::exchange(pieced_, 0) | std::exchange(unbroken_, 0);
      parted_ |= found;
      if (between_ == Between::kFewLetters) TakeSign(c, found);
    }
    is_behind_letter_ = is_letter;
    const bool is_whole_word = between_ == Between::kFewLetters && (unbroken_ & whole_) != 0;
    return (pieced_ & whole_) != 0 && !is_whole_word;
  }

 private:
  static constexpr std::size_t kLettersMax = 2;  // beside signs

  std::uint32_t ByLettersAndSign() const {
    std::uint32_t found = 0;
    for (std::size_t i = 0; i + letters_ <= kLettersMax; ++i) found |= by_sign_[i];
    return found;
  }
  void TakeSign(char c, std::uint32_t found) {
    const bool is_sign = c > ' ' && c < 0x7f && !IsAsciiDigit(c);
    std::array<std::uint32_t, kLettersMax + 1> next = {found, behind_[0], behind_[1]};
    for (std::size_t i = 0; i + letters_ <= kLettersMax; ++i) next[i + letters_] |= by_sign_[i];
    by_sign_ = is_sign ? next : decltype(next)();
    behind_ = {};
    letters_ = 0;
  }

  LetterPlaces places_;
  std::uint32_t whole_;
  std::size_t apart_max_;
  Between between_;
  std::size_t age_ = 0;
  std::uint32_t unbroken_ = 0;  // right before, in one piece
  std::uint32_t pieced_ = 0;    // right before, in several
  std::uint32_t parted_ = 0;    // further before
  std::uint32_t older_ = 0;
  std::array<std::uint32_t, kLettersMax + 1> by_sign_ = {};  // before signs with i letters beside them
  std::array<std::uint32_t, kLettersMax> behind_ = {};       // one letter and two letters before the last
  std::size_t letters_ = 0;                                  // since the last sign
  bool is_behind_letter_ = false;
};

}  // namespace

std::vector<std::size_t> EndsNear(std::string_view letters, std::string_view word, std::size_t errors) {
  NearWord near(word, errors);
  std::vector<std::size_t> ends;
  for (std::size_t at = 0; at < letters.size(); ++at) {
    if (near.EndsAt(letters[at])) ends.push_back(at);
  }
  return ends;
}

bool HoldsNear(std::string_view letters, std::string_view word, std::size_t errors) {
  NearWord near(word, errors);
  return std::any_of(letters.begin(), letters.end(), [&near](char letter) { return near.EndsAt(letter); });
}

bool IsShortened(std::string_view part, std::string_view name, std::size_t shortest) {
  if (part.size() < shortest || part.front() != name.front()) return false;
  for (const char letter : name)
    if (!part.empty() && part.front() == letter) part.remove_prefix(1);
  return part.empty();
}

bool HoldsPieced(std::string_view seen, std::string_view word, std::size_t apart_max, Between between) {
  PiecedWord pieced(word, apart_max, between);
  return std::any_of(seen.begin(), seen.end(), [&pieced](char c) { return pieced.EndsAt(c); });
}

namespace {

// Whether the text continues with the rest of the word, with or without `between` before each letter. `times`
// counts the occurrences of `between` so far. If `between` begins with the next letter, both ways are tried.
bool GoesOnParted(std::string_view seen, std::string_view rest, std::string_view between, int times) {
  constexpr int kTimes = 2;
  if (rest.empty()) return times >= kTimes;
  if (seen.starts_with(rest[0]) && GoesOnParted(seen.substr(1), rest.substr(1), between, times)) return true;
  return seen.starts_with(between) && seen.substr(between.size()).starts_with(rest[0]) &&
         GoesOnParted(seen.substr(between.size() + 1), rest.substr(1), between, times + 1);
}

}  // namespace

bool HoldsPartedAlike(std::string_view seen, std::string_view word) {
  constexpr std::size_t kLongest = 16;
  for (std::size_t at = seen.find(word[0]); at != std::string_view::npos; at = seen.find(word[0], at + 1)) {
    for (std::size_t found = 1; found < word.size() && at + found < seen.size(); ++found) {
      for (std::size_t size = 1; size <= kLongest && at + found + size < seen.size(); ++size)
        if (seen[at + found + size] == word[found] &&
            GoesOnParted(seen.substr(at + found + size), word.substr(found), seen.substr(at + found, size),
                         1))
          return true;
      if (seen[at + found] != word[found]) break;
    }
  }
  return false;
}

}  // namespace assay
