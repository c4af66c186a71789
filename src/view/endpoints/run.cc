// The parts of one run: its first page, its cells, its cases, and who judged it at what cost.
#include <algorithm>

#include "report/values/pages/case_page.h"
#include "report/values/pages/case_rows.h"
#include "report/values/pages/cost_page.h"
#include "report/values/pages/judges_page.h"
#include "report/values/pages/run_page.h"
#include "spec/suite/suite.h"
#include "view/endpoint.h"

namespace assay {

namespace {

Status LoadUses(OpenedRun& run) {
  if (run.uses) return Ok();
  ASSAY_TRY(run.uses, UsesOfRunOf(run.report));
  return Ok();
}

}  // namespace

Result<Made> MakeRun(Library&, OpenedRun& run, const Asked&) {
  ASSAY_TRY(const Value value, RunPageValue(run.report, run.Facts()));
  return MadeOf(value);
}

Result<Made> MakeCells(Library&, OpenedRun& run, const Asked& asked) {
  const std::string layer = asked.Parameter("layer").value_or("");
  if (layer.empty()) return MadeOfBytes(run.map.scores);
  if (layer == "bits") return MadeOfBytes(run.map.bits);
  if (layer == "spread") return MadeOfBytes(run.map.spread);
  if (layer != "ms" && layer != "usd")
    return Error{ErrorCode::kInvalidInput, "expected a layer: bits, ms, usd or spread"};
  ASSAY_CHECK_OK(LoadUses(run));
  return MadeOfBytes(layer == "ms" ? run.uses->layers.ms : run.uses->layers.usd);
}

Result<Made> MakeRows(Library&, OpenedRun& run, const Asked& asked) {
  const std::size_t cases = run.report.suite->cases.size();
  ASSAY_TRY(const std::uint64_t from, asked.Number("from", 0));
  ASSAY_TRY(const std::uint64_t to, asked.Number("to", cases));
  const auto cut = [cases](std::uint64_t at) {
    return static_cast<CaseIndex>(std::min<std::uint64_t>(at, cases));
  };
  return Made{.body = CaseRowsJson(*run.report.suite, cut(from), cut(to))};
}

Result<Made> MakeFind(Library&, OpenedRun& run, const Asked& asked) {
  ASSAY_TRY(const std::vector<CaseIndex> rows, FindCases(run.report, asked.Parameter("q").value_or("")));
  std::string bytes;
  bytes.reserve(rows.size() * sizeof(std::uint32_t));
  for (const CaseIndex row : rows) {
    for (unsigned shift = 0; shift < 32; shift += 8) bytes += static_cast<char>((row >> shift) & 0xFF);
  }
  return MadeOfBytes(std::move(bytes));
}

Result<Made> MakeCase(Library&, OpenedRun& run, const Asked& asked) {
  const Suite& suite = *run.report.suite;
  ASSAY_TRY(const CaseIndex index, CaseOf(suite, asked.names[1]));
  CaseAsk ask{.pass = run.pass};
  for (const std::string& name : asked.Parameters("v")) {
    ASSAY_TRY(const VariantIndex variant, VariantOf(suite, name));
    if (suite.cases[index].Asks(variant)) ask.variants.push_back(variant);
  }
  std::sort(ask.variants.begin(), ask.variants.end());
  ask.variants.erase(std::unique(ask.variants.begin(), ask.variants.end()), ask.variants.end());
  ASSAY_TRY(const Value value, CasePageValue(run.report, index, ask));
  return MadeOf(value);
}

Result<Made> MakeJudges(Library& library, OpenedRun& run, const Asked&) {
  if (!run.calibrations && library.powers().calibrate)
    run.calibrations = library.powers().calibrate(run.report);
  PageFacts facts = run.Facts();
  if (run.calibrations && *run.calibrations) facts.calibrations = **run.calibrations;
  if (run.calibrations && !*run.calibrations) facts.labels_problem = run.calibrations->error().message;
  ASSAY_TRY(const Value value, JudgesPageValue(run.report, facts));
  return MadeOf(value);
}

Result<Made> MakeCost(Library&, OpenedRun& run, const Asked&) {
  ASSAY_CHECK_OK(LoadUses(run));
  return MadeOf(CostPageValue(run.report, run.Facts(), *run.uses));
}

}  // namespace assay
