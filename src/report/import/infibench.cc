// Imports result files of InfiBench, SUITE_MODEL.yaml: the scores of every attempt at each case. Answers are
// not in them.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/errors/diagnostics.h"
#include "base/files/path_names.h"
#include "report/import/import.h"
#include "report/import/import_builder.h"
#include "spec/suite/case.h"
#include "text/found.h"
#include "text/yaml/yaml.h"

namespace assay {

namespace {

// The share of the full score that an attempt has; nothing where there is none.
std::optional<double> ShareOf(const Value& points, double full) {
  if (!points.is_number() || std::isnan(points.AsNumber()) || !(full > 0)) return std::nullopt;
  return points.AsNumber() / full;
}

Status AddCase(const Member& member, VariantIndex variant, ImportBuilder& builder) {
  const Value& result = member.value;
  const double full = ScoreAt(result, "full_score").value_or(1);
  const CaseIndex index = builder.CaseOf({.label = member.key}, [&] {
    Case the_case;
    the_case.description = result.TextAt("type");
    if (full > 0) the_case.weight = full;
    for (const std::string_view key : {"type", "lang"}) {
      if (const std::string tag = result.TextAt(key); !tag.empty()) the_case.tags.edit().push_back(tag);
    }
    return the_case;
  });
  const std::string error = result.TextAt("error");
  const List* scores = FindList(result, "all_scores");
  if (scores == nullptr || !error.empty()) {
    Cell cell = CellOfScore(std::nullopt);
    cell.state = CellState::kError;
    cell.record.grading_error = error.empty() ? "the file has no scores of it" : error;
    return builder.Add(index, variant, std::move(cell));
  }
  for (const Value& points : *scores)
    ASSAY_CHECK_OK(builder.Add(index, variant, CellOfScore(ShareOf(points, full))));
  return Ok();
}

}  // namespace

Result<std::shared_ptr<const ImportedRun>> ReadInfibenchFile(const SharedBytes& bytes, const ImportAsk& ask) {
  ImportBuilder builder("infibench", ImportBudget(bytes->size_bytes()));
  ASSAY_TRY(std::string text, WholeText(*bytes, builder.budget()));
  ASSAY_CHECK_OK(builder.budget().UseTree(text));
  SourceFiles sources;
  const FileId file = sources.Add(std::string(ask.name), std::move(text));
  Diagnostics diagnostics;
  const std::vector<Value> documents = ReadYaml(file, sources.Text(file), YamlRules::kPyYaml, diagnostics);
  if (diagnostics.HasErrors()) {
    const Diagnostic& first = diagnostics.All().front();
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("line {}: {}", sources.Locate(first.where).line, first.message)};
  }
  if (documents.empty() || !documents.front().is_map())
    return Error{ErrorCode::kInvalidInput, "expected a mapping of cases to their scores"};
  const std::string name(StemOf(ask.name));
  builder.suite().id = builder.suite().title = name;
  const VariantIndex variant = builder.VariantOf(name, name);
  for (const Member& member : documents.front().AsMap()) {
    if (member.value.is_map()) ASSAY_CHECK_OK(AddCase(member, variant, builder));
  }
  builder.LacksAnswers();
  return builder.Finish(ask.name);
}

}  // namespace assay
