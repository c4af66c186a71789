// "Can it be trusted?": the conditions under which the numbers of a run mean what they say, each of them
// stated, good or bad, since silence could mean that nobody looked.
#pragma once

#include <string>
#include <vector>

#include "base/errors/result.h"
#include "report/values/pages/page_facts.h"
#include "spec/report/report.h"
#include "text/value.h"

namespace assay {

struct Condition {
  bool is_good = true;
  std::string text;
  std::string link = {};  // what follows the run's own address on its pages: "?q=state:error"; "": nothing
};

std::vector<Condition> ConditionsOf(const Report& report, const PageFacts& facts);
// [{ok, text, href}]
Value ConditionsValue(const std::vector<Condition>& conditions);

// "4 errors", "1 error".
std::string CountOf(std::uint64_t count, std::string_view noun);

}  // namespace assay
