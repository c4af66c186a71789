// Imports results of promptfoo, version 3 of its JSON. A test is a case, a prompt with its provider a
// variant; tests that are equal in description, variables and assertions are attempts, as repeats are.
#include <fmt/core.h>

#include <functional>
#include <set>
#include <utility>

#include "report/import/import.h"
#include "report/import/import_builder.h"
#include "report/import/limits.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "text/json/json.h"
#include "text/json/sieve.h"

namespace assay {

namespace {

constexpr double kFailedByError = 2;

// promptfoo writes a conversation as the JSON text of its messages.
std::vector<Turn> TurnsOfPrompt(const std::string& raw) {
  if (raw.starts_with("[")) {
    const Result<Value> messages = ParseJson(raw);
    if (messages && messages->is_list() && !messages->AsList().empty() &&
        messages->AsList().front().Find("role") != nullptr)
      return TurnsOf(*messages);
  }
  return TurnsOf(Value(raw));
}

// What a test sets, as JSON; "" if it sets nothing.
std::string VariablesOf(const Value& result) {
  const bool has_own = result.Find("vars") != nullptr;
  const Map& vars = has_own ? result.MapAt("vars") : result.MapAt("testCase").MapAt("vars");
  Map own;
  for (const Member& member : vars) {
    // promptfoo adds these while it runs; they differ between repeats.
    if (member.key != "_conversation" && member.key != "sessionId") own.Append(member.key, member.value);
  }
  return own.empty() ? std::string() : WriteJson(Value(std::move(own)), JsonStyle::kCanonical);
}

// A test is its description, its variables and its assertions; where it sets no variable, also what the
// prompt came to. `templates`: the prompts that all tests share, which tell variants apart and not tests.
RowIdentity TestIdentity(const Value& result, const std::set<std::string>& templates) {
  const Map& test = result.MapAt("testCase");
  const std::string& description = test.TextAt("description");
  const Value* assertions = test.Find("assert");
  const std::string variables = VariablesOf(result);
  const std::string& raw = result.MapAt("prompt").TextAt("raw");
  const bool is_prompt = variables.empty() && !raw.empty() && !templates.contains(raw);
  const std::string& said = is_prompt ? raw : variables;
  RowIdentity row;
  row.asked = fmt::format("{} {}", is_prompt ? "prompt" : "vars", said);
  if (assertions != nullptr) row.asked += "\n" + WriteJson(*assertions, JsonStyle::kCanonical);
  row.detail = LabelOfText(said);
  row.label = !description.empty() ? description : std::exchange(row.detail, {});
  if (row.label.empty()) row.label = templates.size() == 1 ? LabelOfText(raw) : std::string();
  if (row.label.empty()) row.label = "test";
  return row;
}

const List& PromptfooPartsOf(const Value& result) {
  return result.MapAt("gradingResult").ListAt("componentResults");
}

Case PromptfooCaseOf(const Value& result) {
  Case the_case;
  the_case.turns = TurnsOfPrompt(result.MapAt("prompt").TextAt("raw"));
  for (const Value& part : PromptfooPartsOf(result)) {
    const Value* assertion = part.Find("assertion");
    Check& check = the_case.checks.emplace_back();
    check.id = std::to_string(the_case.checks.size());
    check.kind = assertion == nullptr ? std::string("assertion") : assertion->TextAt("type");
    const Value* value = part.MapAt("assertion").Find("value");
    check.text = value == nullptr ? check.kind : fmt::format("{}: {}", check.kind, ContentText(*value));
    check.weight = assertion == nullptr ? 1 : ScoreAt(*assertion, "weight").value_or(1);
  }
  return the_case;
}

Cell PromptfooCellOf(const Value& result, std::size_t checks) {
  const std::string error = result.TextAt("error");
  const bool is_error = ScoreAt(result, "failureReason").value_or(0) == kFailedByError;
  Cell cell = CellOfScore(is_error ? std::nullopt : ScoreAt(result, "score"));
  Transcript& transcript = cell.record.transcript;
  if (const Value* output = result.MapAt("response").Find("output")) transcript.answer = ContentText(*output);
  if (is_error) {
    cell.state = CellState::kError;
    transcript.error = error.empty() ? "an error without a message" : error;
    return cell;
  }
  for (const Value& part : PromptfooPartsOf(result)) {
    const std::optional<double> number = ScoreAt(part, "score");
    Score score = number ? Score::Of(*number) : Score{};
    score.explanation = part.TextAt("reason");
    cell.record.scores.push_back(std::move(score));
  }
  cell.record.scores.resize(checks);
  return cell;
}

// Prompts are named where there are several of a provider.
std::string VariantIdOf(const Value& result, bool has_prompts) {
  const Map& provider = result.MapAt("provider");
  std::string id = provider.TextAt("label");
  if (id.empty()) id = provider.TextAt("id");
  if (id.empty()) id = "provider";
  if (!has_prompts || result.Find("prompt") == nullptr) return id;
  return fmt::format("{} [{}]", id, result.MapAt("prompt").TextAt("label"));
}

std::set<std::string> TemplatesOf(const Value& body) {
  std::set<std::string> templates;
  for (const Value& prompt : body.ListAt("prompts")) templates.insert(prompt.TextAt("raw"));
  return templates;
}

constexpr SieveMember kOfResult[] = {
    {.name = "vars"},          {.name = "testCase"},      {.name = "prompt"},
    {.name = "gradingResult"}, {.name = "failureReason"}, {.name = "error"},
    {.name = "score"},         {.name = "response"},      {.name = "provider"}};
constexpr SieveMember kOfResults[] = {
    {.name = "version"}, {.name = "prompts"}, {.name = "results", .members = kOfResult, .is_list = true}};
constexpr SieveMember kOfFile[] = {
    {.name = "evalId"}, {.name = "config"}, {.name = "results", .members = kOfResults}};

using Visit = std::function<Status(std::string_view)>;

// What stands beside the results; each of them goes to `visit` on the way.
Result<std::string> SievedFile(const ByteSource& bytes, const ImportBudget& budget, Visit visit) {
  SourceStream stream(bytes);
  return SieveJson(stream,
                   {.members = kOfFile, .bytes_max = budget.left_bytes() / 2, .visit = std::move(visit)});
}

// One part of the file as a tree.
Result<Value> ReadPart(std::string_view part, std::string_view text, ImportBudget& budget) {
  Result<Value> read = ParseWithin(text, budget);
  if (!read) return Error{read.error().code, fmt::format("{}: {}", part, read.error().message)};
  return read;
}

}  // namespace

Result<std::shared_ptr<const ImportedRun>> ReadPromptfooResults(const SharedBytes& bytes,
                                                                const ImportAsk& ask) {
  if (bytes->size_bytes() > limits::kImportedTreeBytesMax) {
    return Error{ErrorCode::kLimit,
                 fmt::format("expected at most {} bytes of promptfoo's JSON, found {}; export it in parts",
                             limits::kImportedTreeBytesMax, bytes->size_bytes())};
  }
  ImportBuilder builder("promptfoo", ImportBudget(bytes->size_bytes()));
  ImportBudget& budget = builder.budget();
  // What all results share is read first, wherever it stands; then one of them after the other.
  ASSAY_TRY(const std::string beside, SievedFile(*bytes, budget, [](std::string_view) { return Ok(); }));
  ASSAY_TRY(const Value file, ReadPart("the data beside the results", beside, budget));
  const Value* body = file.Find("results");
  const Value* results = body == nullptr ? nullptr : body->Find("results");
  if (results == nullptr || !results->is_list())
    return Error{ErrorCode::kInvalidInput,
                 "expected `results.results`, a list; export it with promptfoo 0.100 or later"};
  const double version = ScoreAt(*body, "version").value_or(0);
  if (version != 3)
    return Error{ErrorCode::kUnsupported, fmt::format("expected results of version 3, found {:g}", version)};
  builder.suite().title = file.MapAt("config").TextAt("description");
  builder.suite().id = file.TextAt("evalId");
  const std::set<std::string> templates = TemplatesOf(*body);
  std::size_t number = 0;
  const auto add = [&](std::string_view element) -> Status {
    ASSAY_TRY(const Value result, ReadPart(fmt::format("result {}", ++number), element, budget));
    const CaseIndex index =
        builder.CaseOf(TestIdentity(result, templates), [&result] { return PromptfooCaseOf(result); });
    const VariantIndex variant =
        builder.VariantOf(VariantIdOf(result, templates.size() > 1), result.MapAt("provider").TextAt("id"));
    return builder.Add(index, variant, PromptfooCellOf(result, builder.suite().cases[index].checks.size()));
  };
  ASSAY_CHECK_OK(SievedFile(*bytes, budget, add));
  return builder.Finish(ask.name);
}

}  // namespace assay
