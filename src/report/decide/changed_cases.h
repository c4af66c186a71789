// Cases that are no longer what they were when their answers were given: people are told which, where they
// stand, and what of them is another. A row of a table may change, or go, between two commands.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/span.h"

namespace assay {

struct Case;
struct Suite;

struct ChangedCase {
  enum class What : std::uint8_t { kQuestion, kExpected, kGone } what = What::kQuestion;
  std::string id;
  Span where = {};  // of it now
};

struct ChangedCases {
  std::vector<ChangedCase> changed = {};
  std::size_t cases = 0;  // that there were
  std::size_t added = 0;  // that there are now, too
  bool any() const { return !changed.empty() || added > 0; }
};

// Where a case's row or prompt stands; its own place where nobody says.
Span PlaceOfCase(const Case& the_case);
bool AsksTheSame(const Case& a, const Case& b);

// Of a stored suite, and of what its file makes of it now, by the ids of cases.
ChangedCases FindChangedCases(const Suite& then, const Suite& now);

// "\"r3\" (rows.csv:5) asks something else, \"r5\" is gone and 2 more": a few of them.
std::string ListOfChanged(const std::vector<ChangedCase>& changed, const SourceFiles& sources);
// "2 of 12 cases have changed since: …; 1 is new"; "" if nothing has.
std::string ChangedCasesText(const ChangedCases& found, const SourceFiles& sources);

}  // namespace assay
