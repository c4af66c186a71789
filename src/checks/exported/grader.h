// Grader: one grader of an exported eval: compares texts, or asks a model for a label or a number.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "checks/check.h"
#include "checks/exported/sample_text.h"

namespace assay {

struct Judge;

enum class StringOperation { kEqual, kNotEqual, kLike, kIlike };

struct StringGrader {
  StringOperation operation = StringOperation::kEqual;
  SampleText input;
  SampleText reference;
};

struct SimilarityGrader {
  std::string metric;  // "fuzzy_match", "bleu", "rouge_1", "rouge_2", "rouge_l"
  SampleText input;
  SampleText reference;
};

// A model is shown messages and names a label, or a number of a range.
struct ModelGrader {
  std::string model;                                         // as the file names it
  std::vector<std::pair<std::string, SampleText>> messages;  // role and text
  std::vector<std::string> labels;                           // of label_model; empty: it gives a number
  std::vector<std::string> passing;
  double least = 0;
  double most = 1;
};

struct Grader {
  std::string name;
  std::variant<StringGrader, SimilarityGrader, ModelGrader> rule;
  bool AsksModel() const { return std::holds_alternative<ModelGrader>(rule); }
};

// What a grader came to: its number as the format counts it, with what is to be told; or why it has none.
struct GraderNumber {
  double number = 0;
  std::string told = {};                  // "the share is 0.412"; "": nothing
  std::optional<Evidence> evidence = {};  // of a model
};

// The members of a grader of `type`: string_check, text_similarity, label_model, score_model.
Result<Grader> ReadGrader(std::string_view type, const Value& args);

// The score of a grader that asks no model. kNotFound: the answer has no such part.
Result<GraderNumber> NumberOf(const Grader& grader, const GradeInput& input, WorkerState& worker);

// The request of a grader that asks a model; `unreadable`: its reply to the same, which could not be read.
Result<PlannedRequest> RequestOf(const ModelGrader& grader, const AskInput& input, const Judge& judge,
                                 const Exchange* unreadable);
// kInvalidInput: the reply cannot be read; other codes: there is none.
Result<GraderNumber> NumberIn(const ModelGrader& grader, const Judge& judge, const Exchange& exchange);

}  // namespace assay
