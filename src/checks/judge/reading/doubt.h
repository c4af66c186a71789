// What shows that a verdict may be a quotation: the judge quotes and has not come back to its own words, or
// gives another class before. Pure.
#pragma once

#include <string_view>

#include "base/errors/result.h"
#include "checks/judge/judge.h"
#include "text/thoughts.h"

namespace assay {

// What the reflection would need to be beyond doubt, for an error ("a reflection that closes its
// quotations"); "" if it is: it opens no quotation, bracket, fence, comment or element that it does not
// close, opens no other reflection, and neither ends in the middle of a sentence nor in a block quote.
std::string_view LacksClosing(std::string_view reflection);

// A verdict behind thoughts begins with "<reflection", "{", or a fence and then one of these. No quotation is
// open in the last paragraph of the thoughts.
extern const AnswerForm kVerdictForm;

// Whether a text names another class of the scale, outside of quotations: "CLASS_UNMET" in any letter case,
// or "UNMET" in capitals.
bool NamesOtherClass(std::string_view text, const JudgeClass& is);

// A verdict as a judge wrote it, in whatever form.
struct WrittenVerdict {
  std::string_view reflection;   // as it is meant: JSON escapes resolved
  std::string_view class_text;   // what stands where the class belongs
  std::string_view beside = {};  // other words of the reply
};
// Accepts or refuses a verdict that lacks the code. kRefused if it may be a quotation: the material gives a
// class, or the reflection leaves a mark open or names another class.
Result<JudgeVerdict> UncodedVerdict(const WrittenVerdict& verdict, const JudgedAnswer& answer);

}  // namespace assay
