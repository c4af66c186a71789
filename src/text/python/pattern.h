// Python's `re` patterns (3.11, str) read by Python's own grammar and written for PCRE2: what Python refuses
// is refused, what the two read differently is rewritten.
//
// The result is meant for PCRE2_UTF | PCRE2_UCP | PCRE2_DOTALL | PCRE2_MULTILINE | PCRE2_ALT_CIRCUMFLEX with
// the newline LF and no caseless flag. Groups keep their numbers; names become numbers.
#pragma once

#include <string>
#include <string_view>

#include "base/errors/result.h"

namespace assay {

// What errors of patterns begin with; the rest is what str(re.error) says: "bad escape \h at position 0".
inline constexpr std::string_view kNotAPythonPattern = "this is not a Python regular expression: ";

// kInvalidInput with the reason and the position in code points, in the words of Python's own compiler;
// kLimit over limits::kRegexBytesMax, or with groups inside groups beyond what PCRE2 compiles.
//
// Known deviations: under (?i) a back-reference compares as PCRE2 does; a group that refers to itself is
// kLimit where it is repeated very often; optional things without width inside a look-behind are beyond
// PCRE2; a condition's group is a name or a plain number.
//
// Repeated groups are copied by PCRE2: `copied_bytes_max` is how much of their text may be, before they are
// written as calls (text/python/large_repeats.h).
inline constexpr std::size_t kCopiedBytesUsual = 8'000;
Result<std::string> TranslatePythonPattern(std::string_view pattern,
                                           std::size_t copied_bytes_max = kCopiedBytesUsual);

}  // namespace assay
