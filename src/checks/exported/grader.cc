// Reads graders and works those out that ask nobody.
#include "checks/exported/grader.h"

#include <fmt/core.h>

#include <algorithm>

#include "checks/graders.h"
#include "checks/wanted/arguments.h"
#include "text/javascript/text.h"
#include "text/object.h"

namespace assay {
namespace {

Result<SampleText> TextMember(const Value& args, std::string_view key) {
  const Value* given = args.Find(key);
  if (given == nullptr) return BadMember("a text", args, key);
  return SampleText::Read(*given);
}

Result<StringGrader> ReadStringGrader(const Value& args) {
  StringGrader grader;
  ASSAY_TRY(const std::size_t operation, WordMember(args, "operation", {"eq", "ne", "like", "ilike"}));
  grader.operation = static_cast<StringOperation>(operation);
  ASSAY_TRY(grader.input, TextMember(args, "input"));
  ASSAY_TRY(grader.reference, TextMember(args, "reference"));
  return grader;
}

Result<SimilarityGrader> ReadSimilarityGrader(const Value& args) {
  SimilarityGrader grader;
  grader.metric = args.TextAt("metric");
  ASSAY_TRY(grader.input, TextMember(args, "input"));
  ASSAY_TRY(grader.reference, TextMember(args, "reference"));
  return grader;
}

Result<ModelGrader> ReadModelGrader(const Value& args, bool gives_label) {
  ModelGrader grader;
  grader.model = args.TextAt("model");
  for (const Value& message : args.ListAt("messages")) {
    ASSAY_TRY(SampleText text, TextMember(message, "content"));
    grader.messages.emplace_back(message.TextAt("role"), std::move(text));
  }
  if (grader.messages.empty()) return BadMember("messages for the model", args, "messages");
  if (gives_label) {
    for (const std::string_view key : {"labels", "passing_labels"}) {
      const Value* given = args.Find(key);
      if (given == nullptr) return BadMember("a list of labels", args, key);
      ASSAY_TRY((key == "labels" ? grader.labels : grader.passing), WrittenTexts(*given));
    }
    for (const std::string& label : grader.passing) {
      if (std::find(grader.labels.begin(), grader.labels.end(), label) == grader.labels.end())
        return BadMember("labels of the list `labels`", args, "passing_labels");
    }
    return grader;
  }
  const List& range = args.ListAt("range");
  if (range.empty() && args.Find("range") == nullptr) return grader;
  if (range.size() != 2 || !range[0].is_number() || !range[1].is_number() ||
      !(range[0].AsNumber() < range[1].AsNumber()))
    return BadMember("two numbers, the least and the most", args, "range");
  grader.least = range[0].AsNumber();
  grader.most = range[1].AsNumber();
  return grader;
}

bool Holds(StringOperation operation, const std::string& input, const std::string& reference) {
  switch (operation) {
    case StringOperation::kEqual:
      return input == reference;
    case StringOperation::kNotEqual:
      return input != reference;
    case StringOperation::kLike:
      return input.find(reference) != std::string::npos;
    case StringOperation::kIlike:
      break;
  }
  return JsToLower(input).find(JsToLower(reference)) != std::string::npos;
}

// The row of ours that measures the same.
struct Measured {
  std::string_view metric;
  CheckArgs (*parse)(const ParseInput& input, Diagnostics& diagnostics);
  Score (*grade)(const GradeInput& input, const CheckArgs& args, WorkerState& worker);
  std::string_view of_rouge = {};
};
constexpr Measured kMeasured[] = {{"fuzzy_match", ParseEditDistance, GradeEditDistance},
                                  {"bleu", ParseBleu, GradeBleu},
                                  {"rouge_1", ParseRouge, GradeRouge, "rouge1"},
                                  {"rouge_2", ParseRouge, GradeRouge, "rouge2"},
                                  {"rouge_l", ParseRouge, GradeRouge, "rougeL"}};

Result<GraderNumber> ShareOf(const SimilarityGrader& grader, const std::string& text,
                             const std::string& reference, const GradeInput& input, WorkerState& worker) {
  const auto row = std::find_if(std::begin(kMeasured), std::end(kMeasured),
                                [&](const Measured& each) { return each.metric == grader.metric; });
  if (row == std::end(kMeasured)) return Error{ErrorCode::kUnsupported, "unknown metric " + grader.metric};
  Check check;
  check.kind = grader.metric;
  check.args = Object{{"to", reference}, {"metric", UnlessEmpty(std::string(row->of_rouge))}};
  Diagnostics ignored;
  const CheckArgs args = row->parse({.check = check, .refuses_broken = true}, ignored);
  if (ignored.HasErrors()) return Error{ErrorCode::kInvalidInput, ignored.All().front().message};
  AnswerView answer(text);
  const Score score = row->grade({answer, input.transcript, input.variant_id, input.the_case}, args, worker);
  if (score.state != ScoreState::kScored) return Error{ErrorCode::kLimit, score.error};
  return GraderNumber{.number = score.value, .told = fmt::format("the share is {:.3f}", score.value)};
}

}  // namespace

Result<Grader> ReadGrader(std::string_view type, const Value& args) {
  Grader grader{.name = args.TextAt("name"), .rule = {}};
  if (type == "string_check") {
    ASSAY_TRY(grader.rule, ReadStringGrader(args));
  } else if (type == "text_similarity") {
    ASSAY_TRY(grader.rule, ReadSimilarityGrader(args));
  } else if (type == "label_model" || type == "score_model") {
    ASSAY_TRY(grader.rule, ReadModelGrader(args, type == "label_model"));
  } else {
    return BadArgument("string_check, text_similarity, label_model or score_model", args);
  }
  return grader;
}

Result<GraderNumber> NumberOf(const Grader& grader, const GradeInput& input, WorkerState& worker) {
  if (grader.AsksModel()) return Error{ErrorCode::kService, "no model is named that grades"};
  const auto* compared = std::get_if<StringGrader>(&grader.rule);
  const auto* measured = std::get_if<SimilarityGrader>(&grader.rule);
  std::string missing;
  const SampleText& of_input = compared != nullptr ? compared->input : measured->input;
  const SampleText& of_reference = compared != nullptr ? compared->reference : measured->reference;
  const std::optional<std::string> text = of_input.Of(input, missing);
  const std::optional<std::string> reference = text ? of_reference.Of(input, missing) : std::nullopt;
  if (!reference)
    return Error{ErrorCode::kNotFound, fmt::format("no answer found: the answer has no {}", missing)};
  if (compared != nullptr)
    return GraderNumber{.number = Holds(compared->operation, *text, *reference) ? 1.0 : 0.0};
  return ShareOf(*measured, *text, *reference, input, worker);
}

}  // namespace assay
