// One case as a JSON value: what was asked, and all attempts of the variants that are wanted, with what they
// took (docs/formats/view.md, run/ID/case/C).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/errors/result.h"
#include "report/values/words/texts.h"
#include "spec/report/report.h"
#include "spec/score/passing.h"
#include "text/value.h"

namespace assay {

struct CaseAsk {
  std::vector<VariantIndex> variants = {};  // ascending; empty: all that ask the case
  PassRule pass = {};
  TextRoom room = {};
  bool has_pictures = false;  // with their bytes, as data: addresses
};
Result<Value> CasePageValue(const Report& report, CaseIndex index, const CaseAsk& ask);
// The same of each of these cases, all variants of them, in one walk; `take_use`: what each answer took, as
// Report::for_each_use.
Status ForEachCasePage(const Report& report, CaseIndex first, CaseIndex last, const CaseAsk& ask,
                       const std::function<void(CaseIndex index, Value page)>& visit,
                       const std::function<void(const CellAddress& at, const AnswerUse& took)>& take_use);

// Every text of the case that may be told by its ends alone, until `take` says true.
using TextTaker = std::function<bool(std::string_view text)>;
Status VisitTexts(const Report& report, CaseIndex index, const TextTaker& take);

}  // namespace assay
