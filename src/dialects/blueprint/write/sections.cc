// Walks the pairs of a run once and writes every section into a spool of its own.
#include "dialects/blueprint/write/sections.h"

#include <algorithm>
#include <utility>

#include "dialects/blueprint/write/sentences.h"

namespace assay::blueprint {
namespace {

using Order = std::vector<PointPlace>;

void MakeErrors(const FileFrame& frame, JsonStyle style, FileSections& sections) {
  const auto has_errors = [](const VariantSummary& variant) { return variant.errors > 0; };
  if (std::none_of(frame.report.variants.begin(), frame.report.variants.end(), has_errors)) return;
  const auto failure = [&frame](const Order&, const Pair& pair) -> Value {
    if (pair.answered()) return Value();
    return GenerationFailure(pair.shown.transcript, frame.suite.variants[pair.variant].id);
  };
  sections.errors.emplace(
      PairMap{.key = "errors", .when_empty = PairMap::WhenEmpty::kLeftOut, .entry = failure}, style, 1);
}

void MakeAnswers(const FileFrame& frame, JsonStyle style, FileSections& sections) {
  const auto answer = [&frame](const Order&, const Pair& pair) -> Value {
    return AnswerOf(frame.suite, pair);
  };
  sections.answers.emplace(
      PairMap{.key = "allFinalAssistantResponses", .ideals = PairMap::Ideals::kFirst, .entry = answer}, style,
      1);
}

template <Value (*kEntry)(const Suite&, const Order&, const Pair&)>
void MakeCoverage(const FileFrame& frame, JsonStyle style, FileSections& sections) {
  if (!frame.judges_coverage) return;
  const auto entry = [&frame](const Order& order, const Pair& pair) {
    return kEntry(frame.suite, order, pair);
  };
  sections.coverage.emplace(PairMap{.key = "llmCoverageScores", .entry = entry}, style, 2);
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

PairSection::PairSection(PairMap map, JsonStyle style, std::size_t depth)
    : map_(std::move(map)), json_(text_, style, depth) {
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
  if (map_.ideals != PairMap::Ideals::kFirst || !HasIdeal(the_case)) return;
  OpenCase();
  json_.Member(kIdealBenchmark, *the_case.ideal);
}

Status PairSection::Add(const Suite& suite, const Order& order, const Pair& pair) {
  const Value entry = map_.entry(order, pair);
  if (entry.is_undefined()) return Ok();
  OpenCase();
  json_.Member(suite.variants[pair.variant].id, entry);
  return json_.status();
}

void PairSection::EndCase() {
  if (std::exchange(case_is_open_, false)) json_.Close();
}

Status PairSection::Finish() {
  if (std::exchange(member_is_open_, false)) json_.Close();
  return json_.Finish();
}

void MakeComparisonSections(const FileFrame& frame, FileSections& sections) {
  constexpr JsonStyle kStyle = JsonStyle::kJavaScript2;
  MakeAnswers(frame, kStyle, sections);
  const auto history = [&frame](const Order&, const Pair& pair) { return HistoryOf(frame.suite, pair); };
  sections.histories.emplace(PairMap{.key = "fullConversationHistories", .entry = history}, kStyle, 1);
  sections.similarities.emplace(kStyle, 2);
  MakeCoverage<CoverageEntry>(frame, kStyle, sections);
  MakeErrors(frame, kStyle, sections);
}

void MakeCoreSections(const FileFrame& frame, FileSections& sections) {
  MakeCoverage<CoreCoverageEntry>(frame, JsonStyle::kJavaScript, sections);
  MakeErrors(frame, JsonStyle::kJavaScript, sections);
}

void MakePayloadSections(const FileFrame& frame, FileSections& sections) {
  constexpr JsonStyle kStyle = JsonStyle::kJavaScript;
  MakeAnswers(frame, kStyle, sections);
  sections.similarities.emplace(kStyle, 2);
  MakeCoverage<CoverageEntry>(frame, kStyle, sections);
  MakeErrors(frame, kStyle, sections);
}

Status FillSections(FileFrame& frame, std::span<FileSections* const> files) {
  SimilarityMeans means(frame);
  for (const CaseIndex index : frame.cases) {
    const Case& the_case = frame.suite.cases[index];
    const Order order = PointOrder(the_case);
    ASSAY_CHECK_OK(FillSimilarities(frame, index, files, means));
    ASSAY_CHECK_OK(ForEachSection(files, [&](PairSection& section) {
      section.BeginCase(the_case);
      return Ok();
    }));
    ASSAY_CHECK_OK(ForEachPairOf(frame.report, index, CellParts::kShown, [&](const Pair& pair) -> Status {
      return ForEachSection(files,
                            [&](PairSection& section) { return section.Add(frame.suite, order, pair); });
    }));
    ASSAY_CHECK_OK(ForEachSection(files, [](PairSection& section) {
      section.EndCase();
      return Ok();
    }));
  }
  frame.mean_similarities = means.Take();
  for (FileSections* file : files) {
    if (file->similarities) ASSAY_CHECK_OK(file->similarities->Finish());
  }
  return ForEachSection(files, [](PairSection& section) { return section.Finish(); });
}

}  // namespace assay::blueprint
