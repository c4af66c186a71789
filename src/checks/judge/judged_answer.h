// JudgedAnswer: what an answer holds that a judge could repeat as a verdict, and the code by which its own
// verdict is told from that. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "checks/judge/judge.h"

namespace assay {

// A verdict as a judge wrote it, in whatever form.
struct WrittenVerdict {
  std::string_view whole;       // from its first to its last character
  std::string_view reflection;  // as it is meant: JSON escapes resolved
  std::string_view class_text;  // what stands where the class belongs
};

class JudgedAnswer {
 public:
  JudgedAnswer() = default;  // holds nothing
  explicit JudgedAnswer(std::string_view answer);

  // It names a class as a verdict would, in whatever spelling: "<classification>exact", "classification:
  // ＥＸＡＣＴ".
  bool HoldsVerdicts() const { return !given_.empty(); }
  // What a judge writes behind its class where the answer holds verdicts; else "". The answer lacks it.
  const std::string& code() const { return code_; }
  // The class that a verdict gives, unless it may be a quotation. With the code behind the class it is none.
  // It may be one if the answer holds it whole; if the answer gives the same class, and holds its reflection
  // or, before that class, the end of it; or if the answer gives the same class and the reflection ends in
  // the middle of a sentence. kInvalidInput with what was expected.
  Result<JudgeVerdict> Read(const WrittenVerdict& verdict) const;

 private:
  struct Given {
    std::size_t at = 0;  // in letters_: where what stands before it ends
    const JudgeClass* is = nullptr;
  };
  bool MayQuote(const WrittenVerdict& verdict, const JudgeClass* is) const;

  std::string letters_;  // SeenLetters of the answer; "" without verdicts
  std::vector<Given> given_;
  std::string code_;
};

}  // namespace assay
