// Golden files of aggregation and run statistics.
#include <cmath>
#include <map>
#include <vector>

#include "base/files/spool.h"
#include "checks/check.h"
#include "checks/judge/judge.h"
#include "checks/judge/key_points.h"
#include "dialects/blueprint/blueprint.h"
#include "dialects/blueprint/write/pairs.h"
#include "dialects/blueprint/write/run_statistics.h"
#include "report/aggregate.h"
#include "spec/report/statistics.h"
#include "spec/score/graded_case.h"
#include "spec/suite/suite.h"
#include "tests/conformance/conformance.h"
#include "text/json/json.h"

namespace assay::conformance {
namespace {

// A case and scores as the reader and the checks would give them for a row's assessments, which stand in the
// order in which the original sums.
struct Assessed {
  Case the_case;
  std::vector<Score> scores;
};

// What reading a blueprint needs; no row names files.
struct RowReading {
  DiskFileReader files;
  SourceFiles sources;
  Diagnostics diagnostics;
  ReadOptions options;
};

bool IsBlank(std::string_view text) { return text.find_first_not_of(' ') == std::string_view::npos; }

Assessed FromAssessments(const Value& assessments) {
  Assessed assessed;
  CheckNode any;
  any.op = CheckNode::Op::kAny;
  std::map<std::string, std::size_t> path_places;
  for (const Value& assessment : assessments.AsList()) {
    Check check;
    const Value& multiplier = Get(assessment, "multiplier");
    check.weight = multiplier.is_number() ? multiplier.AsNumber() : 1;
    const Value& extent = Get(assessment, "coverageExtent");
    assessed.scores.push_back(extent.is_number() ? Score::Of(extent.AsNumber()) : Score::Failure("failed"));
    CheckNode leaf;
    leaf.op = CheckNode::Op::kLeaf;
    leaf.check = static_cast<CheckIndex>(assessed.the_case.checks.size());
    assessed.the_case.checks.push_back(check);
    const std::string path = GetText(assessment, "pathId");
    if (IsBlank(path)) {
      assessed.the_case.tree.children.push_back(leaf);
      continue;
    }
    const auto [place, is_new] = path_places.emplace(path, any.children.size());
    if (is_new) any.children.emplace_back().label = path;
    any.children[place->second].children.push_back(leaf);
  }
  if (!any.children.empty()) assessed.the_case.tree.children.push_back(any);
  return assessed;
}

Value OptionalValue(std::optional<double> number) { return number ? Value(*number) : Value(Null{}); }

std::vector<double> NumbersOf(const Value& list) {
  std::vector<double> numbers;
  for (const Value& number : list.AsList()) numbers.push_back(number.AsNumber());
  return numbers;
}

void RunAggregate(const Value& row, Outcome& outcome) {
  const Assessed assessed = FromAssessments(Get(row, "assessments"));
  const CellOutcome cell = WeightedMeanBestPathWeval(assessed.the_case, assessed.scores);
  List want = {Get(row, "score"), Get(row, "score_2dp")};
  List got = {WeightedMeanBestPathWevalExact(assessed.the_case, assessed.scores),
              cell.state == CellState::kScored ? Value(cell.value) : Value()};
  outcome.Same("score", want, got);
}

void RunReportHybrid(const Value& row, Outcome& outcome) {
  outcome.Same("hybrid", Get(row, "result"),
               OptionalValue(blueprint::HybridScore(Get(row, "sim"), Get(row, "cov"))));
}

void RunDeviation(const Value& row, Outcome& outcome) {
  outcome.Same("deviation", Get(row, "result"),
               OptionalValue(SampleStandardDeviation(NumbersOf(Get(row, "values")))));
}

void RunCosine(const Value& row, Outcome& outcome) {
  const auto got = CosineSimilarity(NumbersOf(Get(row, "a")), NumbersOf(Get(row, "b")));
  outcome.Same("cosine", Get(row, "result"), got ? Value(*got) : Value());
}

void RunAverages(const Value& row, Outcome& outcome) {
  const Value& coverage = Get(row, "llmCoverageScores");
  blueprint::ScoreTable table{
      Get(row, "effectiveModels"), Get(row, "promptIds"), Get(row, "perPromptSimilarities"), coverage, {}};
  if (const Value* weights = coverage.Find("__promptWeights")) {
    for (const Member& member : weights->AsMap()) table.prompt_weights[member.key] = member.value.AsNumber();
  }
  Map want;
  Map got;
  want.Append("run", Get(row, "run"));
  want.Append("perModel", Get(row, "perModel"));
  got.Append("run", blueprint::RunAverage(table, blueprint::SumOrder::kByModel));
  got.Append("perModel", blueprint::HybridPerModel(table));
  outcome.Same("averages", want, got);
}

void RunStatistics(const Value& row, Outcome& outcome) {
  const Value& run = Get(row, "run");
  const blueprint::ScoreTable table = blueprint::TableOf(run);
  Map want;
  Map got;
  want.Append("perModel", Get(row, "perModel"));
  want.Append("average", Get(row, "average"));
  want.Append("summary", Get(row, "summary"));
  got.Append("perModel", blueprint::ScoresPerModel(table));
  got.Append("average", blueprint::RunAverage(table, blueprint::SumOrder::kByPrompt));
  got.Append("summary", List{blueprint::AddToSummary(Value(), run)});
  // Undefined members vanish on the way through JSON, as they do in the golden file.
  const auto printed = ParseJson(WriteJson(Value(got), JsonStyle::kJavaScript));
  outcome.Same("statistics", want, printed.has_value() ? *printed : Value());
}

// What the row's judges say of every criterion, or that they all fail.
Score JudgedAlike(const Suite& suite, double verdict, bool fails) {
  const Error failure{ErrorCode::kNetwork, "no reply"};
  std::vector<Vote> votes;
  for (const Judge& judge : suite.judges)
    votes.push_back(fails ? Vote(failure) : Vote(Judgement{verdict, "Because.", judge.label}));
  const Vote backup = failure;
  return JudgeConsensus({.judges = votes, .backup = fails ? &backup : nullptr});
}

// A blueprint of one prompt with the row's points.
std::optional<Suite> SuiteOf(const Value& row, RowReading& reading) {
  Map message;
  message.Append("role", "user");
  message.Append("content", "Q");
  Map prompt;
  prompt.Append("id", "p");
  prompt.Append("messages", List{Value(message)});
  if (GetText(row, "name").starts_with("ideal-")) prompt.Append("idealResponse", "the ideal");
  for (const char* key : {"points", "should_not"}) {
    if (!Get(row, key).is_undefined()) prompt.Append(key, Get(row, key));
  }
  Map document;
  document.Append("title", "evaluate");
  document.Append("models", List{"m"});
  document.Append("prompts", List{Value(std::move(prompt))});
  const std::string text = WriteJson(Value(std::move(document)), JsonStyle::kJavaScript);
  reading.options.compat = Compat::kWeval;
  const ReadInput input{"evaluate.json", reading.options, reading.files, reading.sources,
                        reading.diagnostics};
  return ReadBlueprint(input, reading.sources.Add("evaluate.json", text), text);
}

Transcript ReportTranscriptOf(const Value& response) {
  Transcript transcript;
  transcript.answer = GetText(response, "finalAssistantResponseText");
  transcript.error = GetText(response, "errorMessage");
  for (const Value& message : Get(response, "fullConversationHistory").AsList()) {
    const bool user = GetText(message, "role") == "user";
    transcript.history.push_back({user ? Role::kUser : Role::kAssistant, GetText(message, "content")});
  }
  const Value& texts = Get(response, "generatedAssistantTexts");
  transcript.generated_texts = {transcript.answer};
  if (texts.is_list()) transcript.generated_texts.clear();
  for (std::size_t i = 0; texts.is_list() && i < texts.AsList().size(); ++i) {
    transcript.generated_texts.push_back(texts.AsList()[i].AsString());
  }
  return transcript;
}

Score Grade(const Case& the_case, const Check& check, const Transcript& transcript) {
  WorkerState worker;
  Diagnostics diagnostics;
  const CheckRow* row = FindCheck(check.kind);
  const std::string subject = transcript.SubjectText();
  AnswerView answer(subject);
  return row->grade(
      {answer, transcript, "m[temp:0]", the_case},
      row->parse({.check = check, .grading = BlueprintGradingRules(Compat::kWeval)}, diagnostics), worker);
}

// The error texts of judges are ours.
Value WithoutErrorTexts(Value entry) {
  if (Value* points = entry.is_map() ? entry.AsMap().Find("pointAssessments") : nullptr) {
    for (Value& point : points->AsList()) {
      if (Value* error = point.AsMap().Find("error")) *error = Value(true);
    }
  }
  return entry;
}

std::string TaggedKeyPoints(const Value& points) {
  std::string reply = "Here they are:\n";
  for (const Value& point : points.AsList()) reply += "<KEY_POINT> " + point.AsString() + "\n</key_point>\n";
  return reply;
}

// As result files have it.
Value CoverageOf(const Suite& suite, const Case& the_case, const Pair& pair) {
  Spool spool;
  JsonStream json(spool, JsonStyle::kJavaScript);
  blueprint::WriteCoverage(suite, blueprint::PointOrder(the_case), pair, json);
  std::string text;
  const auto take = [&text](std::string_view piece) {
    text += piece;
    return Ok();
  };
  if (!json.Finish() || !spool.Read(take)) return {};
  return ParseJson(text).value_or(Value());
}

void RunEvaluate(const Value& row, Outcome& outcome) {
  const Value& responses = Get(row, "responses");
  RowReading reading;
  const std::optional<Suite> suite = SuiteOf(row, reading);
  if (!suite) return outcome.Fail("the blueprint was not read");
  Pair pair;
  if (suite->cases.at(0).extracts_key_points) {
    // What the row's extraction model says stands in its result only.
    const Value& extracted = Get(Get(Get(row, "result"), "extractedKeyPoints"), "p");
    const auto points = ParseKeyPoints(TaggedKeyPoints(extracted));
    if (!points.has_value()) return outcome.Fail(points.error().message);
    pair.case_with_key_points = std::make_shared<const Case>(WithKeyPoints(suite->cases[0], *points));
  }
  const Case& the_case = pair.GradedCase(*suite);
  AttemptRecord record;
  record.transcript = ReportTranscriptOf(Get(responses, "m[temp:0]"));
  std::vector<Score> judged;
  for (const Check& check : the_case.checks) {
    const bool is_judged = check.IsCriterion();
    Score score = is_judged ? JudgedAlike(*suite, 0.75, GetText(row, "name") == "all-judges-fail")
                            : Grade(the_case, check, record.transcript);
    if (is_judged) judged.push_back(score);
    if (check.invert) score = Invert(std::move(score));
    const bool scored = score.state == ScoreState::kScored;
    pair.points.push_back(scored ? std::optional<double>(score.value) : std::nullopt);
    record.scores.push_back(std::move(score));
  }
  const CellOutcome cell = Aggregate(*suite, the_case, record.scores);
  if (cell.state == CellState::kScored) pair.values = pair.counted = {cell.value};
  Map details;
  details.Append("judgeAgreement", JudgeAgreement(judged, *suite));
  record.details = std::move(details);
  pair.shown = Lent<AttemptRecord>::Of(record);
  const Value& want = Get(Get(Get(Get(row, "result"), "llmCoverageScores"), "p"), "m[temp:0]");
  // A file has null where the row has NaN.
  const Value in_file = ParseJson(WriteJson(want, JsonStyle::kJavaScript)).value_or(Value());
  outcome.Same(GetText(row, "name"), WithoutErrorTexts(in_file),
               WithoutErrorTexts(CoverageOf(*suite, the_case, pair)));
}

constexpr KindRow kReportKinds[] = {
    {"blueprint/aggregate.jsonl", "aggregate", RunAggregate},
    {"blueprint/aggregate.jsonl", "hybrid", RunReportHybrid},
    {"blueprint/aggregate.jsonl", "stddev", RunDeviation},
    {"blueprint/aggregate.jsonl", "cosine", RunCosine},
    {"blueprint/aggregate.jsonl", "run_averages", RunAverages},
    {"blueprint/aggregate.jsonl", "evaluate", RunEvaluate},
    {"blueprint/run_stats.jsonl", "run_stats", RunStatistics},
};

}  // namespace

std::span<const KindRow> ReportKinds() { return kReportKinds; }

}  // namespace assay::conformance
