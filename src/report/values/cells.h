// The attempts of a case as JSON values, with answers, points and traces (docs/cli.md, `attempts`), and what
// was used for them.
#pragma once

#include <optional>
#include <string>

#include "base/errors/result.h"
#include "report/fold/sent_words.h"
#include "spec/report/pair.h"
#include "spec/report/report.h"
#include "spec/score/passing.h"
#include "text/value.h"

namespace assay {

struct CellChoice {
  PassRule pass = {};
  bool only_failed = false;                  // leave out what passed
  std::optional<VariantIndex> variant = {};  // this one alone
  const SentOfCase* sent = nullptr;          // told where a transcript does not say it; null: nobody knows
};

// [{case, variant, attempt, state, score, ...}] of one case.
Result<Value> CellsValue(const Report& report, CaseIndex index, const CellChoice& choice);

// One of them, up to its points and its trace: an attempt as a pair of its own (ForEachAttemptIn). What was
// said is null where it is told elsewhere.
enum class AttemptWords { kTold, kLeftOut };
Map AttemptMap(AttemptIndex attempt, const Pair& alone, const Suite& suite, AttemptWords words);

// [{role, asked, model, fingerprint, provider, is_other}]: who answered, as far as replies say it.
Value ServedValue(const AttemptRecord& record);

// {input_tokens, output_tokens}
Value UsageValue(const Usage& usage);
// The same of each role that stated any, by its name.
Value UsageByRoleValue(const UsageByRole& usage);

// What the model thought before each of its turns, joined as the turns are.
std::string ThoughtsOf(const Transcript& transcript);

}  // namespace assay
