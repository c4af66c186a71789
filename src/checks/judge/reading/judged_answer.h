// JudgedAnswer: the classes that an answer gives and a judge could repeat as its verdict, and the code by
// which its own verdict is told from them. Pure.
#pragma once

#include <string>
#include <string_view>

#include "checks/judge/judge.h"

namespace assay {

class JudgedAnswer {
 public:
  JudgedAnswer() = default;  // gives nothing
  // Of all that a judge is shown and may quote: the answer, the conversation, the criterion.
  explicit JudgedAnswer(std::string_view material);

  // It gives a class as a verdict would, in whatever spelling: "<classification>exact", "CLASS_ＥＸＡＣＴ",
  // "cIassificaiton: 3XACT". Then a verdict counts only with the code. Of whatever class: an answer that
  // named the low ones would otherwise choose which votes are lost.
  bool HoldsVerdicts() const { return holds_verdicts_; }
  // Whether the first question asks for the code already: the material gives classes or holds tags of a
  // reply. Every later question does.
  bool AsksAtOnce() const { return asks_at_once_; }
  // What a judge writes next to its class once it is asked for it. The material lacks it, in any letter case.
  // "" only of what gives nothing by default.
  const std::string& code() const { return code_; }
  // The same, but a verdict counts only with the code, whatever it gives.
  JudgedAnswer NeedingCode() const;

 private:
  bool holds_verdicts_ = false;
  bool asks_at_once_ = false;
  std::string code_;
};

}  // namespace assay
