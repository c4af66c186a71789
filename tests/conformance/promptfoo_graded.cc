// Lowers the config, drives each cell with its prompt as the answer, and compares what comes of it.
#include "tests/conformance/promptfoo_graded.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "dialects/dialect.h"
#include "dialects/promptfoo/lower/suite.h"
#include "plan/plan.h"
#include "report/aggregate.h"
#include "report/export/promptfoo_table.h"
#include "spec/run/worker_state.h"
#include "tests/conformance/conformance.h"
#include "tests/support/drive.h"

namespace assay::conformance {
namespace {

namespace pf = assay::promptfoo;

constexpr double kEqual = 1e-9;

std::string FirstErrorOf(const Diagnostics& diagnostics) {
  for (const Diagnostic& each : diagnostics.All()) {
    if (each.severity == Severity::kError) return each.message;
  }
  return "no error";
}

// Each cell of the plan, graded.
class EchoGrader {
 public:
  explicit EchoGrader(const Plan& plan) : plan_(plan), suite_(plan.suite()) {}

  Cell Grade(const CellAddress& address) {
    Cell cell;
    cell.case_index = address.case_index;
    cell.variant = address.variant;
    cell.attempt = address.attempt;
    cell.record = DriveCell(
        plan_, address,
        [](const ModelRequest& request, const RequestTag&) -> Result<ModelReply> {
          ModelReply reply;
          reply.text = request.messages.empty() ? std::string() : request.messages.back().text;
          return reply;
        },
        worker_);
    const Result<CellOutcome> outcome = Aggregate(suite_, suite_.cases[address.case_index], cell.record);
    cell.state = outcome ? outcome->state : CellState::kError;
    cell.score = outcome ? outcome->value : 0;
    return cell;
  }

 private:
  const Plan& plan_;
  const Suite& suite_;
  WorkerState worker_;
};

std::string Unlike(std::string_view what, const Value& want, const Value& got) {
  if (want.is_number() && got.is_number() && std::abs(want.AsNumber() - got.AsNumber()) <= kEqual) return "";
  return SameValue(want, got) ? "" : fmt::format("{}: want {}, got {}", what, Show(want), Show(got));
}

std::string UnlikeComponents(const Value& want, const List& got) {
  if (!want.is_list()) return "";
  if (want.AsList().size() != got.size())
    return fmt::format("want {} components, got {}", want.AsList().size(), got.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    for (const std::string_view key : {"pass", "score", "reason"}) {
      const Value& wanted = Get(want.AsList()[i], key);
      if (wanted.is_null() || wanted.is_undefined()) continue;
      std::string difference = Unlike(fmt::format("component {}: {}", i, key), wanted, Get(got[i], key));
      if (!difference.empty()) return difference;
    }
  }
  return "";
}

// What the result lacks; "" if nothing.
std::string UnlikeResult(const Value& want, const Cell& cell, const PromptfooTest& test) {
  const bool is_scored = cell.state == CellState::kScored;
  const double failure = !is_scored ? 2 : test.pass ? 0 : 1;
  std::string difference = Unlike("failureReason", Get(want, "failureReason"), Value(failure));
  if (!difference.empty() || !is_scored) return difference;
  difference = Unlike("success", Get(want, "success"), Value(test.pass));
  if (difference.empty()) difference = Unlike("score", Get(want, "score"), Value(test.score));
  const Value& reason = Get(want, "reason");
  if (difference.empty() && reason.is_string()) difference = Unlike("reason", reason, Value(test.reason));
  for (const auto& [name, score] : test.named_scores) {
    if (difference.empty())
      difference = Unlike("namedScores." + name, Get(Get(want, "namedScores"), name), Value(score));
  }
  return difference.empty() ? UnlikeComponents(Get(want, "components"), test.components) : difference;
}

}  // namespace

GradedConfig GradeEchoes(const pf::Config& config, const pf::EvalOptions& options, FileReader& files,
                         const List& results) {
  ReadOptions read;
  read.compat = Compat::kPromptfoo;
  SourceFiles sources;
  Diagnostics diagnostics;
  const ReadInput input{"promptfooconfig.yaml", read, files, sources, diagnostics};
  std::optional<Suite> suite = pf::LowerConfig(config, options, input);
  const auto plan = suite ? Plan::Build(*std::move(suite), {}, diagnostics) : nullptr;
  if (plan == nullptr) return {.refused = FirstErrorOf(diagnostics)};
  EchoGrader grader(*plan);
  const PassRule pass{.mark = 1};
  List rest = results;
  for (CellIndex i = 0; i < plan->CellCount(); ++i) {
    const Cell cell = grader.Grade(plan->CellAt(i));
    const auto row = static_cast<double>(PromptfooRowOf(plan->suite(), cell));
    const auto found = std::find_if(rest.begin(), rest.end(), [&](const Value& result) {
      return Get(result, "testIdx").AsNumber() == row && Get(result, "promptIdx").AsNumber() == cell.variant;
    });
    if (found == rest.end())
      return {.difference = fmt::format("nobody wants a result {} of column {}", row, cell.variant)};
    const std::string difference = UnlikeResult(*found, cell, PromptfooTestOf(plan->suite(), cell, pass));
    if (!difference.empty())
      return {.difference = fmt::format("result {} of column {}: {}", row, cell.variant, difference)};
    rest.erase(found);
  }
  return rest.empty() ? GradedConfig()
                      : GradedConfig{.difference = fmt::format("{} results are missing", rest.size())};
}

}  // namespace assay::conformance
