// "Can it be trusted?": the conditions under which the numbers of a run mean what they say. Each is stated,
// good or bad, since silence could mean that nobody looked.
#pragma once

#include <string>
#include <vector>

#include "base/errors/result.h"
#include "report/values/pages/page_facts.h"
#include "spec/report/report.h"
#include "text/value.h"

namespace assay {

enum class Sign {
  kRemark,  // a count or a remark: nothing to doubt
  kGood,    // a doubt was looked for and not found
  kDoubt,   // a doubt is open
};
inline Sign GoodIf(bool is_good) { return is_good ? Sign::kGood : Sign::kDoubt; }

// Leads between good models are seldom larger: what cannot show so much leaves a doubt.
inline constexpr double kUsualLead = 0.1;

struct Condition {
  Sign sign = Sign::kRemark;
  std::string text;
  std::string link = {};  // what follows the run's own address on its pages: "?q=state:error"; "": nothing
};

std::vector<Condition> ConditionsOf(const Report& report, const PageFacts& facts);
// [{ok, text, href}]; `ok` is null for a remark.
Value ConditionsValue(const std::vector<Condition>& conditions);

// "4 errors", "1 error".
std::string CountOf(std::uint64_t count, std::string_view noun);
// "4 criteria", "1 criterion".
std::string CriteriaOf(std::uint64_t count);

}  // namespace assay
