// Looks at each point without a verdict, and at which of its judges' replies may quote.
#include "engine/write/unvoted.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "checks/judge/reading/judges_reply.h"
#include "plan/steps.h"
#include "spec/exchange/unread_reply.h"
#include "spec/suite/case.h"
#include "spec/suite/suite.h"
#include "store/run_walks.h"
#include "text/json/stored.h"

namespace assay {

namespace {

// The check that the step asked for; nothing if it asked for none.
std::optional<CheckIndex> CheckOf(const StepLink& link) {
  return link.kind == LinkKind::kAsk ? std::optional(link.check) : std::nullopt;
}

// Whether the step was to give a verdict that the attempt lacks. One that is behind the case's own checks
// gives all scores there are.
bool BelongsToMissing(const Case& the_case, CheckIndex check, const AttemptRecord& record) {
  if (check >= the_case.checks.size()) return true;
  return check < record.scores.size() && record.scores[check].state == ScoreState::kMissing;
}

// Whether one list of messages begins as the other does. The last message of `earlier` may be longer in
// `later`: after a reply without words, it contains the request for a repair.
bool BeginsAs(const List& later, const List& earlier) {
  if (earlier.empty() || later.size() < earlier.size()) return false;
  const std::size_t last = earlier.size() - 1;
  if (!std::equal(earlier.begin(), earlier.end() - 1, later.begin(), SameValue)) return false;
  constexpr std::string_view kUser = "user";
  const std::string& begin = earlier[last].TextAt(kUser);
  return SameValue(later[last], earlier[last]) ||
         (!begin.empty() && later[last].TextAt(kUser).starts_with(begin));
}

Value WithoutWhatGrows(Value request) {
  request.AsMap().Erase("messages");
  request.AsMap().Erase("max_tokens");
  return request;
}

// The last reply of each judge that was asked again. A first one stays: if the run stopped behind it, the
// next question is asked then. A backup judge has no next question unless its first reply may quote. The only
// reply of a judge that may quote stays as well: it has a next question, which this run could not ask.
Result<std::vector<ExchangeId>> LastReplies(Store& store, const Plan& plan,
                                            std::span<const Exchange> exchanges) {
  std::vector<std::pair<const Exchange*, Value>> questions;
  for (const Exchange& exchange : exchanges) {
    if (!IsJudge(exchange.role)) continue;
    ASSAY_TRY(const std::string text, store.RequestOf(exchange.id));
    ASSAY_TRY(Value request, ParseStoredIn(text.size(), text));
    questions.emplace_back(&exchange, std::move(request));
  }
  std::vector<ExchangeId> last;
  for (const auto& [exchange, question] : questions) {
    std::size_t before = 0;
    std::size_t quoting_before = 0;
    std::size_t behind = 0;
    for (const auto& [other, asked] : questions) {
      if (FollowsQuestion(asked, question)) ++behind;
      if (!FollowsQuestion(question, asked)) continue;
      ++before;
      if (MayQuote(*other)) ++quoting_before;
    }
    const bool has_no_next = exchange->role == RequestRole::kBackupJudge && ToldNothing(plan, *exchange);
    const bool is_last = behind == 0 && (before > 0 || has_no_next);
    if (is_last && (quoting_before > 0 || !MayQuote(*exchange))) last.push_back(exchange->id);
  }
  return last;
}

// Whether the replies themselves show that a judge may quote. Why the point has no verdict can be another
// reason, such as a service that went down behind them.
bool HoldDoubt(const Suite& suite, std::span<const Exchange> exchanges) {
  return suite.judge_reading != JudgeReading::kFirstTags &&
         std::any_of(exchanges.begin(), exchanges.end(),
                     [](const Exchange& each) { return IsJudge(each.role) && MayQuote(each); });
}

// The replies of one step that answer no request any more.
Result<std::vector<ExchangeId>> AtFault(Store& store, const Plan& plan, const StepLink& step) {
  ASSAY_TRY(const std::vector<Exchange> exchanges, ExchangesOfCell(store, step.exchanges));
  const bool may_quote = HoldDoubt(plan.suite(), exchanges);
  std::vector<ExchangeId> at_fault;
  if (may_quote) {
    ASSAY_TRY(at_fault, LastReplies(store, plan, exchanges));
  }
  for (const Exchange& exchange : exchanges) {
    const bool is_kept = may_quote && IsJudge(exchange.role);
    if (!is_kept && ToldNothing(plan, exchange)) at_fault.push_back(exchange.id);
  }
  return at_fault;
}

}  // namespace

bool FollowsQuestion(const Value& later, const Value& earlier) {
  if (!later.is_map() || !earlier.is_map() || SameValue(later, earlier)) return false;
  return BeginsAs(later.ListAt("messages"), earlier.ListAt("messages")) &&
         later.NumberAt("max_tokens").value_or(0) >= earlier.NumberAt("max_tokens").value_or(0) &&
         SameValue(WithoutWhatGrows(later), WithoutWhatGrows(earlier));
}

Result<CellIndex> SetAsideUnvoted(Store& store, const Plan& plan, const RunRecord& run) {
  CellIndex lacking = 0;
  std::vector<ExchangeId> at_fault;
  const std::string& id = run.context.run_id;
  ASSAY_CHECK_OK(store.VisitCells(id, RunPart::kRun, kEveryCell, [&](const CellResult& result) -> Status {
    ASSAY_TRY(const AttemptRecord record, DecodeScores(result.scores));
    if (record.MissingPoints() == 0) return Ok();
    ++lacking;
    const CaseIndex index = plan.CellAt(result.cell).case_index;
    const Case& the_case = plan.CaseOf(index);
    for (const StepLink& step : result.steps) {
      const std::optional<CheckIndex> check = CheckOf(step);
      if (!check || !BelongsToMissing(the_case, *check, record)) continue;
      ASSAY_TRY(const std::vector<ExchangeId> some, AtFault(store, plan, step));
      at_fault.insert(at_fault.end(), some.begin(), some.end());
    }
    return Ok();
  }));
  ASSAY_CHECK_OK(store.SetAside(at_fault));
  return lacking;
}

}  // namespace assay
