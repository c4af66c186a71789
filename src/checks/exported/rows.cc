// The checks of exported evals: `string_check`, `text_similarity`, `label_model`, `score_model`, and
// `multi_grader`, which makes one number of several by a formula. Only that dialect offers them.
//   args   {name, …} as the file has them; texts are parts (sample_text.h). multi_grader: {graders: {NAME:
//          {type, …}}, calculate_output}. `pass_threshold`: 1 from it on, else 0
//   score  string_check and label_model 1 or 0; text_similarity the share; score_model its place in the
//          range;
//          multi_grader the number, held within 0 and 1
//   asks   each model once, and once more where its reply cannot be read
//   source the service's description (no code is public); known deviation: fuzzy_match is the share of
//          characters that need no edit
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "checks/exported/grader.h"
#include "checks/graders.h"
#include "checks/judge/judge.h"
#include "checks/wanted/arguments.h"
#include "spec/suite/variant.h"
#include "text/found.h"
#include "text/numbers/formula.h"

namespace assay {
namespace {

constexpr std::size_t kGradersMax = 20;  // of one formula

struct Graders {
  std::vector<Grader> all;
  std::optional<Formula> formula;
  std::optional<double> pass_from;
};

Result<Graders> ReadOneGrader(const ParseInput& input) {
  Graders graders;
  ASSAY_TRY(Grader grader, ReadGrader(input.check.kind, input.check.args));
  graders.all.push_back(std::move(grader));
  ASSAY_TRY(graders.pass_from, BoundedMember(input.check.args, "pass_threshold", -1e9, 1e9));
  return graders;
}

Result<Graders> ReadSeveralGraders(const ParseInput& input) {
  const Value& args = input.check.args;
  Graders graders;
  std::vector<std::string> names;
  const Map& given = args.MapAt("graders");
  if (given.empty() || given.size() > kGradersMax)
    return BadMember(fmt::format("1 to {} graders by their names", kGradersMax), args, "graders");
  for (const Member& member : given) {
    ASSAY_TRY(Grader grader, ReadGrader(member.value.TextAt("type"), member.value));
    grader.name = member.key;
    names.push_back(member.key);
    graders.all.push_back(std::move(grader));
  }
  const std::string* formula = FindText(args, "calculate_output");
  if (formula == nullptr) return BadMember("a formula", args, "calculate_output");
  Result<Formula> read = Formula::Read(*formula, names);
  if (!read) {
    const Value& place = *args.Find("calculate_output");
    return Error{ErrorCode::kInvalidInput, "calculate_output: " + read.error().message, place.span};
  }
  graders.formula = *std::move(read);
  ASSAY_TRY(graders.pass_from, BoundedMember(args, "pass_threshold", -1e9, 1e9));
  return graders;
}

// The score of one grader alone: a number within a range becomes its share of the range.
double PlaceOf(const Grader& grader, double number) {
  const auto* model = std::get_if<ModelGrader>(&grader.rule);
  if (model == nullptr || !model->labels.empty()) return number;
  return (number - model->least) / (model->most - model->least);
}

Score ScoreFrom(const Graders& graders, const std::vector<GraderNumber>& numbers) {
  std::vector<double> values;
  std::string told;
  Score score = Score::Of(0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    values.push_back(numbers[i].number);
    const bool has_words = !numbers[i].told.empty();
    if (graders.formula) {
      told += fmt::format("{}{}: {:g}", told.empty() ? "" : ", ", graders.all[i].name, numbers[i].number);
    } else if (has_words) {
      told = numbers[i].told;
    }
    if (numbers[i].evidence) score.evidence.push_back(*numbers[i].evidence);
  }
  const double number = graders.formula ? graders.formula->Of(values) : values.front();
  if (!std::isfinite(number)) return LostScore("the formula divides by 0: " + told, false);
  score.value = graders.pass_from ? (number >= *graders.pass_from - 1e-12 ? 1 : 0)
                : graders.formula ? std::clamp(number, 0.0, 1.0)
                                  : std::clamp(PlaceOf(graders.all.front(), number), 0.0, 1.0);
  for (Evidence& evidence : score.evidence) evidence.value = score.value;
  score.explanation = std::move(told);
  return score;
}

// What is said of an answer that a grader finds nothing in.
Score WithoutNumber(const Error& error) {
  if (error.code == ErrorCode::kNotFound || error.code == ErrorCode::kLimit)
    return LostScore(error.message, false);
  return error.code == ErrorCode::kService ? Score::Missing(error.message) : Score::Failure(error.message);
}

Score GradeExported(const GradeInput& input, const Graders& graders, WorkerState& worker) {
  std::vector<GraderNumber> numbers;
  for (const Grader& grader : graders.all) {
    Result<GraderNumber> number = NumberOf(grader, input, worker);
    if (!number) return WithoutNumber(number.error());
    numbers.push_back(*std::move(number));
  }
  return ScoreFrom(graders, numbers);
}

std::size_t ModelsIn(const Graders& graders) {
  return static_cast<std::size_t>(std::count_if(graders.all.begin(), graders.all.end(),
                                                [](const Grader& each) { return each.AsksModel(); }));
}

const Judge& JudgeFor(const JudgePanel& panel, std::size_t number) {
  return *panel.judges[std::min(number, panel.judges.size() - 1)];
}

struct ModelDialogue {
  const ModelGrader* grader = nullptr;
  const Judge* judge = nullptr;
  std::vector<const Exchange*> said = {};
  Result<GraderNumber> number = Error{ErrorCode::kService, "nobody was asked"};
};

// Carries each model on with its replies, a round each; what to ask next, or nothing.
std::variant<std::vector<PlannedRequest>, Error> CarryOnModels(const AskInput& input,
                                                               std::vector<ModelDialogue>& models) {
  constexpr std::size_t kRepliesMost = 2;
  std::span<const Exchange> left = input.so_far;
  while (true) {
    std::vector<ModelDialogue*> open;
    for (ModelDialogue& model : models) {
      if (!model.said.empty()) model.number = NumberIn(*model.grader, *model.judge, *model.said.back());
      const bool may_ask = model.said.empty() || (!model.number && model.said.size() < kRepliesMost &&
                                                  model.number.error().code == ErrorCode::kInvalidInput);
      if (may_ask) open.push_back(&model);
    }
    if (open.empty()) return std::vector<PlannedRequest>();
    if (left.size() < open.size()) {
      std::vector<PlannedRequest> requests;
      for (const ModelDialogue* model : open) {
        Result<PlannedRequest> request = RequestOf(*model->grader, input, *model->judge,
                                                   model->said.empty() ? nullptr : model->said.back());
        if (!request) return request.error();
        request->tag.criterion = model->grader->model;
        requests.push_back(*std::move(request));
      }
      return requests;
    }
    for (ModelDialogue* model : open) {
      model->said.push_back(&left.front());
      left = left.subspan(1);
    }
  }
}

Action NextExported(const AskInput& input, const CheckArgs& args) {
  const auto& parsed = *static_cast<const ParsedArgs<Graders>*>(args.get());
  if (!parsed.problem.empty()) return Done{Score::Failure(parsed.problem)};
  const Graders& graders = parsed.value;
  std::vector<ModelDialogue> models;
  for (const Grader& grader : graders.all) {
    if (const auto* model = std::get_if<ModelGrader>(&grader.rule)) {
      if (input.panel->judges.empty()) return Done{Score::Missing("no model is named that grades")};
      models.push_back({.grader = model, .judge = &JudgeFor(*input.panel, models.size())});
    }
  }
  auto asked = CarryOnModels(input, models);
  if (const auto* error = std::get_if<Error>(&asked)) return Done{WithoutNumber(*error)};
  if (auto& requests = std::get<std::vector<PlannedRequest>>(asked); !requests.empty())
    return Need{std::move(requests)};
  std::vector<GraderNumber> numbers;
  std::size_t next = 0;
  for (const Grader& grader : graders.all) {
    Result<GraderNumber> number =
        grader.AsksModel() ? models[next++].number : NumberOf(grader, input.grade, input.worker);
    if (!number && grader.AsksModel()) return Done{Score::Missing(number.error().message)};
    if (!number) return Done{WithoutNumber(number.error())};
    numbers.push_back(*std::move(number));
  }
  return Done{ScoreFrom(graders, numbers)};
}

}  // namespace

CheckArgs ParseGrader(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadOneGrader(input), diagnostics);
}
CheckArgs ParseGraders(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadSeveralGraders(input), diagnostics);
}
Score GradeByGrader(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<Graders, GradeExported>(input, args, worker);
}
std::vector<StepParty> PartiesOfGraders(const JudgePanel& panel, const CheckArgs& args) {
  const auto& parsed = *static_cast<const ParsedArgs<Graders>*>(args.get());
  std::vector<StepParty> parties;
  const std::size_t models = panel.judges.empty() ? 0 : ModelsIn(parsed.value);
  for (std::size_t i = 0; i < models; ++i) {
    const Judge& judge = JudgeFor(panel, i);
    parties.push_back({.role = RequestRole::kJudge,
                       .model = &judge,
                       .id = judge.model_id,
                       .params = &judge.params,
                       .usual = 1,
                       .most = 2});
  }
  return parties;
}
Action NextGraders(const AskInput& input, const CheckArgs& args) { return NextExported(input, args); }

}  // namespace assay
