// Walks the pairs of a run once and writes every section into a spool of its own.
#include "dialects/blueprint/write/sections.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "dialects/blueprint/write/sentences.h"
#include "spec/suite/suite.h"

namespace assay::blueprint {
namespace {

using Order = std::vector<PointPlace>;

void WriteAnswer(const Suite& suite, const Order&, const Pair& pair, JsonStream& json) {
  json.WriteText(AnswerOf(suite, pair));
}

void WriteHistoryOf(const Suite& suite, const Order&, const Pair& pair, JsonStream& json) {
  WriteHistory(suite, pair, json);
}

bool HasFailed(const Suite&, const Pair& pair) { return !pair.answered(); }

void WriteFailure(const Suite& suite, const Order&, const Pair& pair, JsonStream& json) {
  json.WriteText(GenerationFailure(pair.shown->transcript, suite.variants[pair.variant].id));
}

constexpr PairMap kAnswers{
    .key = "allFinalAssistantResponses", .ideals = PairMap::Ideals::kFirst, .write = WriteAnswer};
constexpr PairMap kHistories{.key = "fullConversationHistories", .write = WriteHistoryOf};
constexpr PairMap kCoverage{
    .key = "llmCoverageScores", .has_every_case = true, .has = HasCoverage, .write = WriteCoverage};
constexpr PairMap kCoreCoverage{
    .key = "llmCoverageScores", .has_every_case = true, .has = HasCoverage, .write = WriteCoreCoverage};
constexpr PairMap kErrors{
    .key = "errors", .when_empty = PairMap::WhenEmpty::kLeftOut, .has = HasFailed, .write = WriteFailure};

void MakeErrors(const FileFrame& frame, JsonStyle style, FileSections& sections) {
  const auto has_errors = [](const VariantSummary& variant) { return variant.errors > 0; };
  const std::vector<VariantSummary>& variants = frame.report.variants;
  if (std::any_of(variants.begin(), variants.end(), has_errors)) sections.errors.emplace(kErrors, style, 1);
}

void MakeCoverage(const FileFrame& frame, const PairMap& coverage, JsonStyle style, FileSections& sections) {
  if (frame.judges_coverage) sections.coverage.emplace(coverage, style, 2);
}

// Calls `use` with each pair section of each file.
template <class Use>
Status ForEachSection(std::span<FileSections* const> files, const Use& use) {
  for (FileSections* file : files) {
    for (auto* section : {&file->answers, &file->histories, &file->coverage, &file->errors}) {
      if (*section) ASSAY_CHECK_OK(use(**section));
    }
  }
  return Ok();
}

Status FillSimilarities(const FileFrame& frame, CaseIndex index, std::span<FileSections* const> files,
                        SimilarityMeans& means) {
  if (!frame.report.embeddings_of) return Ok();
  ASSAY_TRY(const SimilarityMatrix matrix, SimilaritiesOf(frame, index));
  means.Add(matrix);
  for (FileSections* file : files) {
    if (file->similarities) file->similarities->Add(frame, index, matrix);
  }
  return Ok();
}

}  // namespace

PairSection::PairSection(const PairMap& map, JsonStyle style, std::size_t depth)
    : map_(map), json_(text_, style, depth) {
  if (map_.when_empty == PairMap::WhenEmpty::kWritten) OpenMember();
}

void PairSection::OpenMember() {
  if (std::exchange(member_is_open_, true)) return;
  json_.Key(map_.key);
  json_.OpenMap();
}

void PairSection::OpenCase() {
  OpenMember();
  if (std::exchange(case_is_open_, true)) return;
  json_.Key(case_id_);
  json_.OpenMap();
}

void PairSection::BeginCase(const Case& the_case) {
  case_id_ = the_case.id;
  if (map_.has_every_case) OpenCase();
  if (map_.ideals != PairMap::Ideals::kFirst || !HasIdeal(the_case)) return;
  OpenCase();
  json_.Member(kIdealBenchmark, *the_case.ideal);
}

Status PairSection::Add(const Suite& suite, const Order& order, const Pair& pair) {
  if (map_.has != nullptr && !map_.has(suite, pair)) return Ok();
  OpenCase();
  json_.Key(suite.variants[pair.variant].id);
  map_.write(suite, order, pair, json_);
  return json_.status();
}

void PairSection::EndCase() {
  if (std::exchange(case_is_open_, false)) json_.Close();
}

Status PairSection::Finish() {
  if (std::exchange(member_is_open_, false)) json_.Close();
  return json_.Finish();
}

JsonStyle ComparisonStyle(const FileFrame& frame) {
  const bool is_large = frame.pairs > limits::kArtefactPairsMax && frame.suite.compat != Compat::kWeval;
  return is_large ? JsonStyle::kJavaScript : JsonStyle::kJavaScript2;
}

void MakeComparisonSections(const FileFrame& frame, FileSections& sections) {
  const JsonStyle style = ComparisonStyle(frame);
  sections.answers.emplace(kAnswers, style, 1);
  sections.histories.emplace(kHistories, style, 1);
  sections.similarities.emplace(style, 2);
  MakeCoverage(frame, kCoverage, style, sections);
  MakeErrors(frame, style, sections);
}

void MakeCoreSections(const FileFrame& frame, FileSections& sections) {
  MakeCoverage(frame, kCoreCoverage, JsonStyle::kJavaScript, sections);
  MakeErrors(frame, JsonStyle::kJavaScript, sections);
}

void MakePayloadSections(const FileFrame& frame, FileSections& sections) {
  constexpr JsonStyle kStyle = JsonStyle::kJavaScript;
  sections.answers.emplace(kAnswers, kStyle, 1);
  sections.similarities.emplace(kStyle, 2);
  MakeCoverage(frame, kCoverage, kStyle, sections);
  MakeErrors(frame, kStyle, sections);
}

namespace {

// The walk over cases that follow each other in the suite.
class StretchWalk {
 public:
  StretchWalk(const FileFrame& frame, std::span<FileSections* const> files, SimilarityMeans& means)
      : frame_(frame), files_(files), means_(means) {}

  Status Visit(CaseIndex first, CaseIndex last) {
    ASSAY_CHECK_OK(Begin(first));
    const auto add = [&](const Pair& pair) -> Status {
      while (open_ < pair.case_index) ASSAY_CHECK_OK(Next());
      return ForEachSection(files_,
                            [&](PairSection& section) { return section.Add(frame_.suite, order_, pair); });
    };
    ASSAY_CHECK_OK(ForEachPairOf(frame_.report, first, last, CellParts::kShown, add));
    while (open_ + 1 < last) ASSAY_CHECK_OK(Next());
    return End();
  }

 private:
  Status Begin(CaseIndex index) {
    open_ = index;
    order_ = PointOrder(frame_.suite.cases[index]);
    ASSAY_CHECK_OK(FillSimilarities(frame_, index, files_, means_));
    return ForEachSection(files_, [&](PairSection& section) {
      section.BeginCase(frame_.suite.cases[index]);
      return Ok();
    });
  }
  Status End() {
    return ForEachSection(files_, [](PairSection& section) {
      section.EndCase();
      return Ok();
    });
  }
  Status Next() {
    ASSAY_CHECK_OK(End());
    return Begin(open_ + 1);
  }

  const FileFrame& frame_;
  std::span<FileSections* const> files_;
  SimilarityMeans& means_;
  CaseIndex open_ = 0;
  Order order_;
};

}  // namespace

Status FillSections(FileFrame& frame, std::span<FileSections* const> files) {
  SimilarityMeans means(frame);
  StretchWalk walk(frame, files, means);
  for (std::size_t i = 0; i < frame.cases.size();) {
    const CaseIndex first = frame.cases[i];
    CaseIndex last = first;
    while (i < frame.cases.size() && frame.cases[i] == last) {
      ++i;
      ++last;
    }
    ASSAY_CHECK_OK(walk.Visit(first, last));
  }
  frame.mean_similarities = means.Take();
  for (FileSections* file : files) {
    if (file->similarities) ASSAY_CHECK_OK(file->similarities->Finish());
  }
  return ForEachSection(files, [](PairSection& section) { return section.Finish(); });
}

}  // namespace assay::blueprint
