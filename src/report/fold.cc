// Store -> Report.
#include "report/fold.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "report/aggregate.h"
#include "report/repaired_votes.h"
#include "spec/pair.h"
#include "spec/reduce.h"
#include "spec/worker_state.h"

namespace assay {

namespace {

class Folder {
 public:
  Folder(Store& store, const Plan& plan, RunContext run) : store_(store), plan_(plan), run_(std::move(run)) {}

  // What the scores alone tell. Attempts that follow each other mostly have the same ones: `cell` keeps what
  // was read for the last of a walk, and is read again only if something differs.
  struct LastCell {
    Cell cell;
    std::string scores;  // what the cell was read from; "" if it has changed since
  };
  Status Grade(const CellResult& result, LastCell& last) const {
    const CellAddress address = plan_.CellAt(result.cell);
    const bool is_same = last.cell.case_index == address.case_index && last.scores == result.scores;
    Cell& cell = last.cell;
    cell.case_index = address.case_index;
    cell.variant = address.variant;
    cell.attempt = address.attempt;
    if (is_same && !last.scores.empty()) return Ok();
    last.scores = result.scores;
    cell.state = CellState::kError;
    cell.score = 0;
    cell.partial_score.reset();
    ASSAY_TRY(cell.record, DecodeScores(result.scores));
    if (!cell.record.transcript.error.empty()) return Ok();
    const Case& the_case = plan_.suite().cases[address.case_index];
    ASSAY_TRY(const CellScore score, Aggregate(plan_.suite(), the_case, cell.record));
    cell.state = score.state;
    cell.score = score.value;
    cell.partial_score = score.partial;
    return Ok();
  }

  // Replays what was said in the attempt.
  Status AddTranscript(const CellResult& result, Cell& cell) {
    std::vector<Exchange> exchanges;
    if (!result.steps.empty() && result.steps.front().slot == 0) {
      ASSAY_TRY(exchanges, store_.Get(result.steps.front().exchanges));
    }
    const StepContext context{.suite = plan_.suite(),
                              .case_index = cell.case_index,
                              .variant_index = cell.variant,
                              .attempt = cell.attempt,
                              .inputs = {},
                              .run = run_,
                              .corpus = nullptr,
                              .worker = worker_};
    const StepTemplate& generate = plan_.case_plan(cell.case_index).slots.front();
    Action action = NextOf(plan_, generate, context, exchanges);
    if (auto* done = std::get_if<Done>(&action)) {
      cell.record.transcript = std::move(std::get<Transcript>(done->value));
    } else if (cell.record.transcript.error.empty()) {
      // A request that was refused unasked is not in the store; every other one is.
      return Error{ErrorCode::kCorrupt, "the store is damaged: an answer that was graded is not there"};
    }
    return Ok();
  }

  // Notes the judges that had to be asked again because their first reply could not be read: what was asked
  // tells it, no score does.
  void AddRepairs(const CellResult& result, Cell& cell) const {
    const std::vector<StepTemplate>& slots = plan_.case_plan(cell.case_index).slots;
    List repaired;
    for (const StepExchanges& step : result.steps) {
      const StepTemplate& slot = slots[step.slot];
      if (slot.kind != StepKind::kJudge || step.exchanges.size() < 2) continue;
      repaired.push_back(RepairedVote(slot.check, plan_.suite().judges[slot.judge].label));
    }
    if (repaired.empty()) return;
    if (!cell.record.details.is_map()) cell.record.details = Map();
    cell.record.details.AsMap().Set(std::string(kRepairedVotes), std::move(repaired));
  }

  // A store may be damaged, or somebody else's work.
  Status CheckSlots(const CellResult& result) const {
    const std::size_t slots = plan_.case_plan(plan_.CellAt(result.cell).case_index).slots.size();
    for (const StepExchanges& step : result.steps) {
      if (step.slot >= slots)
        return Error{ErrorCode::kCorrupt, "the store is damaged: a step that the run does not have"};
    }
    return Ok();
  }

  // Visits the cells [first, last) in plan order; those without results as skipped.
  Status Visit(CellIndex first, CellIndex last, CellParts parts, const Report::Visitor& visit) {
    CellIndex next = first;
    std::optional<std::pair<CaseIndex, VariantIndex>> shown;
    LastCell graded;
    const auto skip_to = [&](CellIndex end) -> Status {
      for (; next < end; ++next) {
        const CellAddress address = plan_.CellAt(next);
        ASSAY_CHECK_OK(visit({.case_index = address.case_index,
                              .variant = address.variant,
                              .attempt = address.attempt,
                              .state = CellState::kSkipped,
                              .score = 0,
                              .partial_score = {},
                              .record = {}}));
      }
      return Ok();
    };
    ASSAY_CHECK_OK(store_.VisitCells(run_.run_id, first, last, [&](const CellResult& result) -> Status {
      ASSAY_CHECK_OK(CheckSlots(result));
      ASSAY_CHECK_OK(skip_to(result.cell));
      ++next;
      ASSAY_CHECK_OK(Grade(result, graded));
      Cell& cell = graded.cell;
      const bool has_answer = cell.record.transcript.error.empty();
      const std::pair pair(cell.case_index, cell.variant);
      const bool is_shown = parts == CellParts::kShown && shown != pair;
      // Why a cell has no answer may be in its words, so those come in any case.
      if (parts == CellParts::kAll || is_shown || !has_answer) {
        ASSAY_CHECK_OK(AddTranscript(result, cell));
        AddRepairs(result, cell);
        graded.scores.clear();
        if (has_answer) shown = pair;
      }
      return visit(cell);
    }));
    return skip_to(last);
  }

  // Reads the vectors that the run's embedding steps were answered with.
  Result<CaseEmbeddings> EmbeddingsOf(CaseIndex case_index) {
    const CasePlan& case_plan = plan_.case_plan(case_index);
    const CellIndex last = case_plan.first_cell + case_plan.CellCount();
    CaseEmbeddings embeddings;
    embeddings.answers.resize(plan_.suite().variants.size());
    ASSAY_CHECK_OK(
        store_.VisitCells(run_.run_id, case_plan.first_cell, last, [&](const CellResult& result) -> Status {
          ASSAY_CHECK_OK(CheckSlots(result));
          for (const StepExchanges& step : result.steps) {
            std::vector<double>* place = nullptr;
            const StepKind kind = case_plan.slots[step.slot].kind;
            if (kind == StepKind::kEmbedIdeal) place = &embeddings.ideal;
            if (kind == StepKind::kEmbedAnswer)
              place = &embeddings.answers[plan_.CellAt(result.cell).variant];
            if (place == nullptr || !place->empty() || step.exchanges.empty()) continue;
            ASSAY_TRY(*place, VectorOf(step.exchanges.front()));
          }
          return Ok();
        }));
    return embeddings;
  }

  Status Summarise(Report& report);

 private:
  // Each request once, however many cells share its reply.
  Status CountRequests(RunTotals& totals) {
    ASSAY_TRY(const std::vector<ExchangeId> failed, store_.FailedExchanges());
    ASSAY_TRY(const std::vector<ExchangeId> used, store_.ExchangesOf(run_.run_id, plan_.CellCount()));
    totals.requests = used.size();
    totals.request_errors =
        static_cast<std::uint64_t>(std::count_if(used.begin(), used.end(), [&failed](ExchangeId id) {
          return std::binary_search(failed.begin(), failed.end(), id);
        }));
    return Ok();
  }

  // Empty if the request failed.
  Result<std::vector<double>> VectorOf(ExchangeId id) {
    ASSAY_TRY(std::vector<Exchange> exchanges, store_.Get(std::span(&id, 1)));
    auto* reply = std::get_if<EmbedReply>(&exchanges.front().reply);
    if (exchanges.front().error || reply == nullptr || reply->vectors.empty()) return std::vector<double>();
    return std::move(reply->vectors.front());
  }

  Store& store_;
  const Plan& plan_;
  RunContext run_;
  WorkerState worker_;
};

constexpr std::string_view kAverage = "avg";

// Means of one variant, in one pass; of the attempts of a pair only the scores of the one that is open are
// held, and those only where they are not simply averaged.
struct Accumulator {
  double weighted_sum = 0;
  double weights = 0;
  double mean = 0;  // Welford, unweighted
  double squares = 0;
  std::vector<double> attempts;  // of the case that is open, all scored
  double weight_open = 0;        // of that case

  void Add(double weight, double score) {
    weighted_sum += weight * score;
    weights += weight;
  }
  // The attempts of the open case, as one value.
  void Close(const Reducer& reduce) {
    if (!attempts.empty()) Add(weight_open, reduce(attempts).value);
    attempts.clear();
  }
};

void Count(const Cell& cell, double weight, bool is_reduced, VariantSummary& summary, Accumulator& sum) {
  switch (cell.state) {
    case CellState::kUnscored:
      ++summary.unscored;
      return;
    case CellState::kError:
      ++summary.errors;
      return;
    case CellState::kSkipped:
      ++summary.skipped;
      return;
    case CellState::kPartial:
      ++summary.partial;
      return;
    case CellState::kScored:
      break;
  }
  ++summary.scored;
  if (is_reduced) {
    sum.attempts.push_back(cell.score);
    sum.weight_open = weight;
  } else {
    sum.Add(weight, cell.score);
  }
  const double distance = cell.score - sum.mean;
  sum.mean += distance / static_cast<double>(summary.scored);
  sum.squares += distance * (cell.score - sum.mean);
}

Status Folder::Summarise(Report& report) {
  const Suite& suite = plan_.suite();
  std::vector<Accumulator> sums(suite.variants.size());
  report.variants.resize(suite.variants.size());
  for (VariantIndex i = 0; i < report.variants.size(); ++i) report.variants[i].variant = i;
  for (CaseIndex i = 0; i < suite.cases.size(); ++i) {
    for (VariantIndex v = 0; v < suite.variants.size(); ++v) {
      if (suite.cases[i].Asks(v)) report.variants[v].cells += plan_.case_plan(i).attempts;
    }
  }
  ASSAY_CHECK_OK(CountRequests(report.totals));
  std::vector<std::uint64_t> visited(suite.variants.size());
  const std::optional<Reducer> reduce = FindReducer(suite.aggregation.reduce);
  ASSAY_ASSERT(reduce.has_value());
  // Blueprints average all attempts of all cases in one mean.
  const bool is_reduced = suite.aggregation.reduce != kAverage;
  CaseIndex open_case = 0;
  const auto close_case = [&] {
    for (Accumulator& sum : sums) sum.Close(*reduce);
  };
  LastCell graded;
  Map key_points;
  ASSAY_CHECK_OK(
      store_.VisitCells(run_.run_id, 0, plan_.CellCount(), [&](const CellResult& result) -> Status {
        ASSAY_CHECK_OK(Grade(result, graded));
        const Cell& cell = graded.cell;
        ++visited[cell.variant];
        if (cell.case_index != open_case) close_case();
        open_case = cell.case_index;
        const Case& the_case = suite.cases[cell.case_index];
        Count(cell, the_case.weight * the_case.full_score.value_or(1), is_reduced,
              report.variants[cell.variant], sums[cell.variant]);
        report.totals.candidate_usage += cell.record.candidate_usage;
        report.totals.judge_usage += cell.record.judge_usage;
        const std::vector<std::string>& points = cell.record.key_points;
        // The first attempt that has any speaks for the case.
        if (!points.empty() && key_points.Find(suite.cases[cell.case_index].id) == nullptr) {
          key_points.Append(suite.cases[cell.case_index].id, List(points.begin(), points.end()));
        }
        return Ok();
      }));
  close_case();
  if (!key_points.empty()) report.suite_values.emplace("extractedKeyPoints", std::move(key_points));
  for (VariantIndex i = 0; i < report.variants.size(); ++i) {
    VariantSummary& summary = report.variants[i];
    summary.skipped = summary.cells - visited[i];
    if (sums[i].weights > 0) summary.mean = sums[i].weighted_sum / sums[i].weights;
    if (summary.scored > 1) summary.sd = std::sqrt(sums[i].squares / static_cast<double>(summary.scored - 1));
  }
  return Ok();
}

}  // namespace

Result<Report> Fold(Store& store, const Plan& plan, const RunRecord& run) {
  const auto folder = std::make_shared<Folder>(store, plan, run.context);
  Report report;
  report.suite = &plan.suite();
  report.run = run.context;
  report.totals.requests_sent = run.requests_sent;
  ASSAY_CHECK_OK(folder->Summarise(report));
  report.pairs = std::make_shared<PairMemo>();
  if (plan.suite().embedder) {
    report.embeddings_of = [folder](CaseIndex case_index) { return folder->EmbeddingsOf(case_index); };
  }
  report.for_each_cell = [folder, &plan](CellParts parts, const Report::Visitor& visit) {
    return folder->Visit(0, plan.CellCount(), parts, visit);
  };
  report.for_each_cell_of = [folder, &plan](CaseIndex case_index, CellParts parts,
                                            const Report::Visitor& visit) {
    const CasePlan& case_plan = plan.case_plan(case_index);
    return folder->Visit(case_plan.first_cell, case_plan.first_cell + case_plan.CellCount(), parts, visit);
  };
  return report;
}

}  // namespace assay
