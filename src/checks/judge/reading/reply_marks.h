// The parts of a judge's reply: what may stand around them without saying anything (a code fence, the sign by
// which a model ends, quotation marks, bold type, full stops), the code of a verdict, and a class. Pure.
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

// The class of a name in letters of ASCII, with marks around it or without; null: none. A dash right before
// the name is no mark: "-CLASS_EXACT" may deny it.
const JudgeClass* NamedClass(std::string_view text);

}  // namespace assay
