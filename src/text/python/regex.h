// PythonRegex: regular expressions as Python's `re` reads and runs them (3.11, str), on PCRE2.
//
// Compiled once, used from any thread. One search is stopped by the CPU time that it took, never by the
// clock on the wall, so that a busy machine changes no result: the error (kLimit) then begins with "regex
// limit".
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "base/text/text_range.h"
#include "text/cpu_budget.h"

namespace assay {

class PythonRegex {
 public:
  // kInvalidInput where re.compile would raise; kLimit for what is too big (text/python/pattern.h says where
  // this differs from Python).
  static Result<std::shared_ptr<const PythonRegex>> Compile(std::string_view pattern);
  ~PythonRegex();
  PythonRegex(const PythonRegex&) = delete;
  PythonRegex& operator=(const PythonRegex&) = delete;

  // Whether re.search / re.fullmatch find a match. Ill-formed bytes of the text count as U+FFFD. kLimit after
  // limits::kPatternTime, or once the caller's budget, which several searches may share, is spent; and with
  // more than limits::kRegexMemoryBytesMax of memory.
  Result<bool> Search(std::string_view text) const;
  Result<bool> Search(std::string_view text, CpuBudget& budget) const;
  // Search, and where: the first match. Empty: it matches nothing, or in a text with ill-formed bytes.
  Result<std::optional<TextRange>> Find(std::string_view text) const;
  Result<std::optional<TextRange>> Find(std::string_view text, CpuBudget& budget) const;
  // How many matches re.findall finds.
  Result<std::size_t> Count(std::string_view text) const;
  // Of what re.findall finds, the match at place `select`, from behind if that is below 0: the first group
  // that is not empty, without groups the whole match. Nothing: there is no such match, or its groups
  // are empty (one group alone gives an empty text).
  Result<std::optional<std::string>> PickMatch(std::string_view text, int select) const;
  // re.sub with nothing in the place of each match. Ill-formed bytes become U+FFFD.
  Result<std::string> Without(std::string_view text) const;
  Result<bool> FullMatch(std::string_view text) const;

 private:
  PythonRegex();
  struct Program;
  std::unique_ptr<Program> program_;
};

}  // namespace assay
