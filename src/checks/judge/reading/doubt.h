// What shows that a verdict may be a quotation: the judge quotes and has not come back to its own words, or
// gives another class before. Pure.
#pragma once

#include <string_view>

#include "base/errors/result.h"
#include "checks/judge/judge.h"

namespace assay {

// What the reflection would need to be beyond doubt, for an error ("a reflection that closes its
// quotations"); "" if it is: it opens no quotation, bracket, fence, comment or element that it does not
// close, opens no other reflection, and neither ends in the middle of a sentence nor in a block quote.
std::string_view LacksClosing(std::string_view reflection);

// Whether a reply begins as a verdict does in either form, or with the fence around one: with "<reflection",
// "{", or a fence and then one of these.
bool BeginsVerdict(std::string_view text);

// Whether a reply that cannot be read has the form of a verdict that a quotation may have broken: tags that
// stand twice, a fence within a fence, marks that stay open, or a JSON string that its own words end. A
// preamble or a closing of plain prose is no such thing.
bool QuotationBreaksForm(std::string_view text, VerdictForm form);

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
