// Formats one case of a run in full for the terminal: every attempt with answer, points and votes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/errors/result.h"
#include "cli/terminal/screen.h"
#include "report/fold/sent_words.h"
#include "spec/report/pair.h"
#include "spec/report/report.h"
#include "spec/score/passing.h"

namespace assay {

struct ShownCells {
  PassRule pass = {};
  bool only_failed = false;                  // leave out what passed
  std::optional<VariantIndex> variant = {};  // this one alone
  bool all_thoughts = false;                 // what models thought before they answered: else a line of it
  Screen screen = {};
  const SentOfCase* sent = nullptr;  // shown where a transcript does not say it; null: nobody knows
};

// In a table: the id, never cut, and the beginning of the question where nobody named the case.
std::string CaseCell(const Case& the_case);

// kNotFound if the run has no case of this id.
Result<CaseIndex> FindCase(const Report& report, const std::string& id);
// The case: what was asked, then each variant's attempts.
Result<std::string> CaseText(const Report& report, CaseIndex index, const ShownCells& shown);

// The attempts at the case alone, without what was asked.
Result<std::string> AnswersText(const Report& report, CaseIndex index, const ShownCells& shown);

// Case, variant, attempt, score and the start of the answer: of all attempts of a run.
Result<std::string> AttemptTable(const Report& report, const PassRule& pass, const Screen& screen);

}  // namespace assay
