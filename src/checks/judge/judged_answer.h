// JudgedAnswer: the classes that an answer gives and a judge could repeat as its verdict, and the code by
// which its own verdict is told from them. Pure.
#pragma once

#include <cstdint>
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
  // "cIassificaiton: 3XACT".
  bool HoldsVerdicts() const { return given_ != 0; }
  // A verdict of this class counts only with the code.
  bool Gives(const JudgeClass& is) const;
  // Whether the first question asks for the code already: the material gives classes or holds tags of a
  // reply. Every later question does.
  bool AsksAtOnce() const { return asks_at_once_; }
  // What a judge writes next to its class once it is asked for it. The material lacks it, in any letter case.
  // "" only of what gives nothing by default.
  const std::string& code() const { return code_; }
  // The same, but a verdict of any class needs the code.
  JudgedAnswer WithEveryClass() const;

 private:
  std::uint32_t given_ = 0;  // bit i: JudgeScale()[i]
  bool asks_at_once_ = false;
  std::string code_;
};

}  // namespace assay
