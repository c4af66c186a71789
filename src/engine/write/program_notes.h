// ProgramNotes: what the end of a run says of answers whose programs tell little of their models: cases that
// lack a package, and failed answers in which no code was found or several blocks were joined.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "spec/report/cell_gatherer.h"

namespace assay {

class ProgramNotes final : public CellGatherer {
 public:
  // The suite outlives it.
  explicit ProgramNotes(const Suite& suite) : suite_(suite) {}

  // Whether a suite runs programs at all.
  static bool AreOf(const Suite& suite);

  CellParts parts() const override { return CellParts::kGrades; }
  Status Add(const Cell& cell) override;
  // Lines for standard error; "" if there is nothing to say.
  std::string Text() const;

 private:
  std::string LackingText() const;

  const Suite& suite_;
  std::map<std::pair<CaseIndex, std::string>, std::set<VariantIndex>> lacking_;  // by case and package
  std::uint64_t without_code_ = 0;                                               // answers
  std::uint64_t joined_ = 0;
};

}  // namespace assay
