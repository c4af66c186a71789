// PassRule: says which attempts pass and which cases do. Tables, gates, exporters and pages all use this one
// rule (docs/statistics.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace assay {

struct Case;
struct Suite;

// Whether every check that counts gives all or nothing, or is a set of unit tests. The kind of a check
// decides, never its scores: a check that may give a part of its points (a judge, a share of texts, a script)
// does not count as yes-or-no even where it happened to give all of them.
bool HasYesNoChecks(const Case& the_case);

struct PassRule {
  double mark = 0.5;  // the least score of an attempt that passes
  bool is_said =
      false;  // somebody chose the mark: it holds for yes-or-no cases too, whose mark is 1 otherwise
  bool is_setting = false;  // a file of settings did: what a suite says of itself comes first
  double share = 0.5;       // a case passes if at least this share of its scored attempts pass

  double MarkOf(const Case& the_case) const;
  bool Passes(const Case& the_case, double score) const;                        // one attempt
  bool CasePasses(std::uint64_t passed, std::uint64_t scored) const;            // false if none is scored
  bool CasePasses(const Case& the_case, std::span<const double> scores) const;  // of its scored attempts
  double HighestMark(const Suite& suite) const;                                 // of its cases
  // The mark of all cases but those of yes-or-no checks: the suite's own, or `mark`.
  double UsualMark(const Suite& suite) const;

  friend bool operator==(const PassRule&, const PassRule&) = default;
};

// "50 points or more (--pass-at 0.5)", and ", 100 where all checks are yes-or-no or unit tests" if some are.
std::string MarkWords(const PassRule& rule, const Suite& suite);
// "at least half of its scored attempts pass (--pass-attempts)"; other shares as "at least 75 %".
std::string ShareWords(const PassRule& rule);
// "at least half", "at least 75 %"
std::string LeastShare(const PassRule& rule);
// Whether some case is asked more than once.
bool HasSeveralAttempts(const Suite& suite);

}  // namespace assay
