// The parts of a judge's reply: what may stand around them without saying anything (a code fence, the sign by
// which a model ends, quotation marks, bold type, full stops), the code of a verdict, a class, and what shows
// that a verdict may be a quotation: the judge quotes and has not come back to its own words, or gives
// another class before. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "checks/judge/judge.h"

namespace assay {

// A reply without white space and the sign of its end ("<|im_end|>"), and without a code fence (``` or ~~~,
// with or without the name of a language) whose first and last lines are those of the text. Whatever is no
// such fence stays.
std::string_view WithoutCodeFence(std::string_view text);

// A name or a code without marks around it ("**CLASS_EXACT**."), or without those behind it.
std::string_view WithoutMarks(std::string_view text);
std::string_view WithoutMarksBehind(std::string_view text);

// In any letter case; false where there is no code.
bool HoldsCode(std::string_view text, std::string_view code);

// The class of a text that holds a class, the code and marks, and nothing else: "CLASS_UNMET (code
// `3FA2C1D09BE87765`)". Null: it is none.
const JudgeClass* CodedClass(std::string_view text, std::string_view code);

// A text that ends with a class and the code behind it.
struct CodedEnd {
  std::string_view before;         // the text without both
  const JudgeClass* is = nullptr;  // null: it does not end so
  bool stands_alone = false;       // no word or sign before the class belongs to it: "not CLASS_EXACT"
};
CodedEnd EndWithCode(std::string_view text, std::string_view code);

// Whether the text has the code behind another class than `is`.
bool GivesCodeToOther(std::string_view text, std::string_view code, const JudgeClass& is);

// Removes quotations: everything between quotation marks or backticks. An unclosed mark stays.
std::string WithoutQuotations(std::string_view text);

// Whether a text closes the quotation marks, brackets and comments that it opens.
bool ClosesMarks(std::string_view text);

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
// The class of a name in letters of ASCII, with marks around it or without; null: none. A dash right before
// the name is no mark: "-CLASS_EXACT" may deny it.
const JudgeClass* NamedClass(std::string_view text);
// Accepts or refuses a verdict that lacks the code. kRefused if it may be a quotation: the material gives a
// class, or the reflection leaves a mark open or names another class.
Result<JudgeVerdict> UncodedVerdict(const WrittenVerdict& verdict, const JudgedAnswer& answer);

}  // namespace assay
