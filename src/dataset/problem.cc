// Keeps the first problems of each code, and counts the rest.
#include "dataset/problem.h"

#include <fmt/core.h>

#include "dataset/limits.h"

namespace assay::dataset {

void Problems::Add(Problem problem) {
  if (problem.severity == Severity::kError) ++errors_;
  if (++counts_[problem.code] <= limits::kDatasetProblemsMax) all_.push_back(std::move(problem));
}

void Problems::AddAll(const Problems& others) {
  for (const Problem& problem : others.all_) Add(problem);
  for (const auto& [code, count] : others.counts_) {
    if (count <= limits::kDatasetProblemsMax) continue;
    counts_[code] += count - limits::kDatasetProblemsMax;
    // Only errors come in such numbers.
    errors_ += count - limits::kDatasetProblemsMax;
  }
}

void Problems::TellTo(Diagnostics& diagnostics) const {
  std::map<std::string, Diagnostic, std::less<>> last;
  for (const Problem& problem : all_) {
    const Diagnostic told{problem.severity, problem.code, problem.message, problem.hint, problem.where};
    diagnostics.Add(told);
    last[problem.code] = told;
  }
  for (const auto& [code, count] : counts_) {
    if (count <= limits::kDatasetProblemsMax) continue;
    Diagnostic more = last.at(code);
    more.message = fmt::format("and {} more problems of this kind", count - limits::kDatasetProblemsMax);
    diagnostics.Add(std::move(more));
  }
}

}  // namespace assay::dataset
