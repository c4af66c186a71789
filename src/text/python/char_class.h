// Converts a character class of Python's `re` ([a-z\W]) to a set of code points in the notation of PCRE2.
// Letter case is resolved here, by Python's own rule, so that the engine never folds case itself.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace assay {

// What (?i) means where the set stands. kUnicode: x is in the set if its lower-case form (the first code
// point of it) is among the lower-case forms of the set's members and of those that share their upper-case
// form.
enum class PythonCase { kExact, kUnicode, kAscii };

// \d, \s, \w of str patterns, and their complements. `kAscii`: as under (?a).
enum class PythonCategory { kDigit, kNotDigit, kSpace, kNotSpace, kWord, kNotWord };
enum class PythonAlphabet { kUnicode, kAscii };

class PythonCharClass {
 public:
  void AddRange(char32_t first, char32_t last);  // first <= last
  void Add(char32_t code_point) { AddRange(code_point, code_point); }
  void Add(PythonCategory category, PythonAlphabet alphabet);
  void Negate() { is_negated_ = true; }

  // One item of a PCRE2 pattern that matches one code point: a literal, a class, "." (with PCRE2_DOTALL) for
  // all, or a group that never matches.
  std::string Pcre(PythonCase letter_case) const;

 private:
  using Range = std::pair<char32_t, char32_t>;

  void AddComplement(std::vector<Range> ranges);
  std::vector<Range> Merged(PythonCase letter_case) const;
  std::string Properties() const;

  std::vector<Range> ranges_;
  std::uint32_t categories_ = 0;  // bits by number: those that only Unicode's properties can say
  bool is_negated_ = false;
};

// The same for one code point.
std::string PcreLiteral(char32_t code_point, PythonCase letter_case);

}  // namespace assay
