// Two variants side by side: of one run, or of two.
#include <algorithm>

#include "report/values/pages/compare_page.h"
#include "spec/suite/suite.h"
#include "view/endpoint.h"

namespace assay {

namespace {

// What of a run outlives the next one that is opened.
struct Side {
  Report report;  // its cursors keep the suite
  CompareSide side;
  PassRule pass = {};
  Ranking ranking;
};

Result<std::unique_ptr<Side>> SideOf(Library& library, const std::string& id) {
  ASSAY_TRY(const OpenedRun* run, library.Open(id));
  auto side = std::make_unique<Side>();
  side->report = run->report;
  const Standings& standings = run->report.statistics->standings;
  side->ranking = standings.ranking;
  side->pass = run->pass;
  side->side = {.run = run->record.context.run_id,
                .title = run->record.title,
                .started_ms = run->record.context.started_ms,
                .suite = side->report.suite,
                .scores = &side->report.statistics->standings.scores,
                .passes = &side->report.statistics->reliability.passes,
                .is_stopped = !side->report.stopped.empty()};
  return side;
}

// The variant that is asked for, else the first of the ranking that is not `other`.
Result<VariantIndex> PickVariant(const Side& side, const std::optional<std::string>& name,
                                 std::optional<VariantIndex> other) {
  if (name) return VariantOf(*side.side.suite, *name);
  for (const RankPlace& place : side.ranking.places) {
    if (place.variant != other) return static_cast<VariantIndex>(place.variant);
  }
  if (side.side.suite->variants.empty()) return Error{ErrorCode::kNotFound, "the run has no variant"};
  return VariantIndex{0};
}

std::optional<VariantIndex> SameIn(const Suite& suite, const std::string& id) {
  for (VariantIndex v = 0; v < suite.variants.size(); ++v) {
    if (suite.variants[v].id == id) return v;
  }
  return std::nullopt;
}

}  // namespace

Result<Made> MakeCompare(Library& library, const Asked& asked) {
  const std::optional<std::string> first = asked.Parameter("a");
  if (!first) return Error{ErrorCode::kInvalidInput, "expected a=RUN"};
  ASSAY_TRY(const std::unique_ptr<Side> a, SideOf(library, *first));
  ASSAY_TRY(const std::unique_ptr<Side> b, SideOf(library, asked.Parameter("b").value_or(*first)));
  ASSAY_TRY(a->side.variant, PickVariant(*a, asked.Parameter("va"), std::nullopt));
  const bool is_one_run = a->side.run == b->side.run;
  const std::string& id = a->side.suite->variants[a->side.variant].id;
  const std::optional<VariantIndex> same = is_one_run ? std::nullopt : SameIn(*b->side.suite, id);
  if (same && !asked.Parameter("vb")) {
    b->side.variant = *same;
  } else {
    ASSAY_TRY(b->side.variant, PickVariant(*b, asked.Parameter("vb"),
                                           is_one_run ? std::optional(a->side.variant) : std::nullopt));
  }
  const bool by_question = asked.Parameter("by") == "question";
  return MadeOf(ComparePageValue(
      a->side, b->side, {.by = by_question ? PairBy::kQuestion : PairBy::kWholeCase, .pass = a->pass}));
}

}  // namespace assay
