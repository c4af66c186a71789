// Computes means and counts of a run in one pass over its cells, or reads them from its stored summary.
#include "report/fold/fold.h"

#include <fmt/core.h>

#include <cmath>
#include <set>

#include "base/errors/diagnostics.h"
#include "report/aggregate.h"
#include "report/decide/until/until_run.h"
#include "report/fold/cell_counts.h"
#include "report/fold/named_shares.h"
#include "report/fold/paid_parts.h"
#include "report/fold/run_cells.h"
#include "report/fold/stored_summary.h"
#include "report/values/runs.h"
#include "spec/report/pair.h"
#include "spec/report/reduce.h"
#include "spec/suite/stored_suite.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

// Means of one variant, in one pass; of the attempts of a pair only the scores of the one that is open are
// held. A case counts once, however many of its attempts were scored (spec: statistics 2).
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

void Count(const Cell& cell, double weight, VariantSummary& summary, Accumulator& sum) {
  CountState(cell.state, summary);
  if (cell.state != CellState::kScored) return;
  sum.attempts.push_back(cell.score);
  sum.weight_open = weight;
  const double distance = cell.score - sum.mean;
  sum.mean += distance / static_cast<double>(summary.scored);
  sum.squares += distance * (cell.score - sum.mean);
}

// The run's means and counts, from all of its cells.
class Summariser final : public CellGatherer {
 public:
  Summariser(const Suite& suite, Report& report)
      : suite_(suite),
        report_(report),
        reduce_(*FindReducer(suite.aggregation.reduce)),
        sums_(suite.variants.size()),
        visited_(suite.variants.size()) {}

  CellParts parts() const override { return CellParts::kGrades; }
  Status Add(const Cell& cell) override {
    if (cell.state == CellState::kSkipped) return Ok();
    ++visited_[cell.variant];
    if (cell.case_index != open_case_) CloseCase();
    open_case_ = cell.case_index;
    Count(cell, WeightOf(suite_.cases[cell.case_index]), report_.variants[cell.variant], sums_[cell.variant]);
    const std::string& error_class = cell.record.transcript.error_class;
    if (!error_class.empty()) ++report_.totals.unanswered[error_class];
    report_.totals.usage += cell.record.usage;
    for (const ServedAs& served : cell.record.served) CountServed(cell.variant, served);
    CountParts(cell);
    const std::vector<std::string>& points = cell.record.key_points;
    if (!points.empty()) report_.key_points.try_emplace(cell.case_index, points);
    return Ok();
  }

  void Finish() {
    CloseCase();
    for (VariantIndex i = 0; i < report_.variants.size(); ++i) {
      VariantSummary& summary = report_.variants[i];
      summary.skipped = summary.cells - visited_[i];
      if (sums_[i].weights > 0) summary.mean = sums_[i].weighted_sum / sums_[i].weights;
      if (summary.scored > 1)
        summary.sd = std::sqrt(sums_[i].squares / static_cast<double>(summary.scored - 1));
    }
  }

 private:
  // Answers in which a part was looked for, and the criteria that have a name.
  void CountParts(const Cell& cell) {
    const std::vector<Check>& checks = suite_.cases[cell.case_index].checks;
    const std::vector<Score>& scores = cell.record.scores;
    const bool is_extracted = std::any_of(checks.begin(), checks.end(),
                                          [](const Check& check) { return !check.extract->is_undefined(); });
    if (is_extracted && !scores.empty()) {
      ++report_.totals.extracted;
      report_.totals.no_answer_found +=
          std::any_of(scores.begin(), scores.end(), [](const Score& score) { return score.found_nothing; });
    }
    for (const NamedShare& each : NamedSharesOf(checks, scores))
      AddNamed(each.name, each.share, report_.variants[cell.variant].named);
  }

  static void AddNamed(std::string_view name, double share, std::vector<NamedMean>& named) {
    constexpr std::size_t kMost = 100;
    auto found =
        std::find_if(named.begin(), named.end(), [name](const NamedMean& each) { return each.name == name; });
    if (found == named.end()) {
      if (named.size() >= kMost) return;
      found = named.insert(found, NamedMean{.name = std::string(name)});
    }
    ++found->cells;
    found->mean += (share - found->mean) / static_cast<double>(found->cells);
  }

  void CountServed(VariantIndex variant, const ServedAs& served) {
    constexpr std::size_t kMost = 1'000;  // a service that names itself anew each time is told to here
    if (served.by.model.empty()) return;
    std::vector<ServedCount>& counts = report_.totals.served;
    if (served.role != RequestRole::kCandidate) variant = 0;
    auto found = std::find_if(counts.begin(), counts.end(), [&](const ServedCount& each) {
      return each.role == served.role && each.variant == variant && each.asked == served.by.asked &&
             each.model == served.by.model;
    });
    if (found == counts.end()) {
      if (counts.size() >= kMost) return;
      found = counts.insert(found, {.role = served.role,
                                    .variant = variant,
                                    .asked = served.by.asked,
                                    .model = served.by.model,
                                    .is_other = served.by.is_other});
    }
    ++found->cells;
  }

  void CloseCase() {
    for (Accumulator& sum : sums_) sum.Close(reduce_);
  }

  const Suite& suite_;
  Report& report_;
  Reducer reduce_;
  std::vector<Accumulator> sums_;
  std::vector<std::uint64_t> visited_;
  CaseIndex open_case_ = 0;
};

// What is known of a run without looking at its cells.
Status CountAsked(RunCells& cells, Report& report) {
  const Suite& suite = cells.suite();
  report.variants.resize(suite.variants.size());
  for (VariantIndex i = 0; i < report.variants.size(); ++i) report.variants[i].variant = i;
  for (CaseIndex i = 0; i < suite.cases.size(); ++i) {
    for (VariantIndex v = 0; v < suite.variants.size(); ++v) {
      if (suite.cases[i].Asks(v)) report.variants[v].cells += cells.grid().AttemptsOf(i);
    }
  }
  // Each request once, however many cells share its reply.
  ASSAY_TRY(const RequestCounts counts,
            cells.store().CountRequests(cells.run().context.run_id, RunPart::kRun));
  report.totals.requests = counts.requests;
  report.totals.request_errors = counts.errors;
  ASSAY_TRY(report.totals.recorded, cells.store().CountRecorded(cells.run().context.run_id, RunPart::kRun));
  return Ok();
}

// The one walk: the means and counts, and what others gather on the way.
Status Summarise(RunCells& cells, std::span<CellGatherer* const> gatherers, Report& report) {
  ASSAY_CHECK_OK(CountAsked(cells, report));
  Summariser summariser(cells.suite(), report);
  std::vector<CellGatherer*> all = {&summariser};
  all.insert(all.end(), gatherers.begin(), gatherers.end());
  ASSAY_CHECK_OK(GatherCells(report, all));
  summariser.Finish();
  return Ok();
}

// As many as a page may show; of the others it tells.
Status LoadPictures(Store& store, Suite& suite) {
  std::size_t bytes = 0;
  for (Case& the_case : suite.cases) {
    for (Turn& turn : the_case.turns) {
      if (turn.media->empty()) continue;
      for (MediaPart& part : turn.media.edit()) {
        const auto size = static_cast<std::size_t>(std::max<std::int64_t>(part.size_bytes, 0));
        if (part.kind != MediaKind::kImage || size > limits::kPictureBytesMax ||
            bytes + size > limits::kPicturesBytesMax)
          continue;
        ASSAY_TRY(part.blob, store.BlobOf(part.sha256));
        bytes += size;
      }
    }
  }
  return Ok();
}

// The cursors of a report.
void ReadThrough(const std::shared_ptr<RunCells>& cells, const Retelling::PriceTeller& price,
                 Report& report) {
  if (report.suite->embedder) {
    report.embeddings_of = [cells](CaseIndex case_index) { return cells->EmbeddingsOf(case_index); };
  }
  report.for_each_cell = [cells](const CellRange& range, CellParts parts, const Report::Visitor& visit) {
    return cells->Visit(range, parts, visit);
  };
  report.for_each_use = [cells](const CellRange& range, const Report::UseVisitor& visit) {
    return cells->VisitUses(range, visit);
  };
  report.for_each_attempt = [cells](const CellRange& range, const Report::AttemptVisitor& visit) {
    return cells->VisitAttempts(range, visit);
  };
  report.document_of = [cells](std::string_view id) -> Result<std::optional<DocumentOfRun>> {
    ASSAY_TRY(std::optional<RunDocument> kept, cells->store().DocumentOf(cells->run().context.run_id, id));
    if (!kept) return std::optional<DocumentOfRun>();
    return std::optional(DocumentOfRun{.text = std::move(kept->text),
                                       .page_starts = std::move(kept->page_starts),
                                       .problem = std::move(kept->problem)});
  };
  if (price) report.paid_parts = [cells, price] { return PaidPartsOf(cells->store(), cells->run(), price); };
  report.part_told = cells->part_told();
  report.find_cells = [cells](const CellQuery& query, const Report::RowVisitor& visit) {
    return cells->Find(query, visit);
  };
}

// How many other seeds the stopped runs of this suite have: who chooses among them has no promise.
Result<std::uint64_t> OtherOrdersOf(Store& store, const RunRecord& run) {
  ASSAY_TRY(const std::vector<RunRecord> runs, store.Runs());
  const RunSpec own = DecodeRunSpec(run.spec).value_or(RunSpec());
  std::set<std::string> seeds;
  for (const RunRecord& other : runs) {
    if (other.plan_digest != run.plan_digest || other.ending != RunEnding::kDecided) continue;
    const Result<RunSpec> spec = DecodeRunSpec(other.spec);
    if (spec && spec->order_seed != own.order_seed) seeds.insert(spec->order_seed);
  }
  return seeds.size();
}

// Null: the run asks everything, or its questions cannot be put to its suite, which somebody else may have
// made.
std::unique_ptr<UntilGatherer> UntilGathererOf(const RunRecord& run, const Suite& suite) {
  const Result<RunSpec> spec = DecodeRunSpec(run.spec);
  if (!spec) return nullptr;
  const std::vector<StopGate> gates = StopGatesOfSummary(run.summary);
  Result<std::optional<StopRule>> rule = StopRuleOf(suite, *spec, std::span<const StopGate>(gates));
  if (!rule || !*rule) return nullptr;
  return std::make_unique<UntilGatherer>(suite, **std::move(rule), std::string(StopName(run, false)),
                                         GivenUpModels(run));
}

}  // namespace

Result<std::shared_ptr<const Suite>> SuiteOf(Store& store, const RunRecord& run) {
  if (!run.suite) {
    return Error{ErrorCode::kCorrupt,
                 fmt::format("the store is damaged: run {} names no suite", run.context.run_id)};
  }
  ASSAY_TRY(Suite suite, store.LoadSuite(*run.suite));
  ASSAY_TRY(suite.toolchains, DecodeToolchains(run.toolchains));
  ASSAY_CHECK_OK(LoadPictures(store, suite));
  return std::make_shared<const Suite>(std::move(suite));
}

Result<Report> Fold(Store& store, const RunRecord& run, std::shared_ptr<const Suite> suite,
                    Retelling retelling, std::span<CellGatherer* const> gatherers) {
  if (suite == nullptr) {
    ASSAY_TRY(suite, SuiteOf(store, run));
  }
  if (FindAggregation(suite->aggregation.formula) == nullptr || !FindReducer(suite->aggregation.reduce)) {
    return Error{ErrorCode::kCorrupt,
                 fmt::format("the stored suite of run {} names a formula that this assay does not have",
                             run.context.run_id)};
  }
  if (suite->dialect != run.dialect) {
    return Error{ErrorCode::kCorrupt,
                 fmt::format("the store is damaged: run {} is of the format {}, and its suite of {}",
                             run.context.run_id, Quoted(run.dialect), Quoted(suite->dialect))};
  }
  const Retelling::PriceTeller price = retelling.price;
  ASSAY_TRY(const std::shared_ptr<RunCells> cells,
            RunCells::Open(store, run, std::move(suite), std::move(retelling)));
  Report report;
  report.suite = &cells->suite();
  report.run = run.context;
  report.totals.requests_sent = run.requests_sent;
  report.pairs = PairMemoOf(*report.suite);
  ReadThrough(cells, price, report);
  const bool has_summary =
      run.state == RunState::kFinished && DecodeSummary(run.summary, cells->grid(), report);
  std::vector<CellGatherer*> all(gatherers.begin(), gatherers.end());
  const std::unique_ptr<UntilGatherer> until = UntilGathererOf(run, *report.suite);
  if (until != nullptr) all.push_back(until.get());
  if (!has_summary) {
    ASSAY_CHECK_OK(Summarise(*cells, all, report));
  } else if (!all.empty()) {
    ASSAY_CHECK_OK(GatherCells(report, all));
  }
  if (until != nullptr) {
    ASSAY_TRY(const std::uint64_t other_orders, OtherOrdersOf(store, run));
    report.until = until->Finish(other_orders);
    if (report.until->is_stopped()) report.stopped = AskedPartText(*report.until);
  }
  return report;
}

Result<Report> ReadThrough(const Report& report, Store& store, const RunRecord& run, Retelling retelling) {
  const Retelling::PriceTeller price = retelling.price;
  const std::shared_ptr<const Suite> borrowed(std::shared_ptr<const Suite>(), report.suite);
  ASSAY_TRY(const std::shared_ptr<RunCells> cells,
            RunCells::Open(store, run, borrowed, std::move(retelling)));
  Report other = report;
  other.pairs = nullptr;
  ReadThrough(cells, price, other);
  return other;
}

}  // namespace assay
