// Regular expressions as Python's `re` reads and runs them (3.11, str), on PCRE2 (docs/decisions/0018).
//
// Compiled once, used from any thread. One search is stopped by its steps, never by the clock, so that a
// result does not depend on the machine: the error (kLimit) then begins with "regex limit".
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

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
  // limits::kPatternStepsMax steps, or with more than limits::kRegexMemoryBytesMax of memory.
  Result<bool> Search(std::string_view text) const;
  Result<bool> FullMatch(std::string_view text) const;

 private:
  PythonRegex();
  struct Program;
  Result<bool> Match(std::string_view text, std::uint32_t options) const;
  std::unique_ptr<Program> program_;
};

}  // namespace assay
