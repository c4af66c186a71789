// SampleText: a text of an exported eval, in which parts of the answer stand: what `{{sample.output_text}}`,
// `output_json` and `output_tools` became when the file was read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checks/check.h"

namespace assay {

class SampleText {
 public:
  // A text, or a list of parts: {text} or {sample: NAME, path: [member or place, …]}. An error is
  // kInvalidInput with its place.
  static Result<SampleText> Read(const Value& given);

  // The text for an answer. Nothing: the answer has no such part; `missing` is then its name.
  std::optional<std::string> Of(const GradeInput& input, std::string& missing) const;
  // The text, if it contains no part of the answer.
  std::optional<std::string> Fixed() const;
  bool IsWholeAnswer() const;  // it is the answer and nothing else

 private:
  enum class Source { kText, kAnswer, kJson, kTools };
  struct Part {
    Source source = Source::kText;
    std::string text;         // kText; else the name, for people
    std::vector<Value> path;  // texts and numbers
  };

  static Result<Part> ReadPart(const Value& given);
  static std::optional<std::string> TextOf(const Part& part, const GradeInput& input);

  std::vector<Part> parts_;
};

}  // namespace assay
