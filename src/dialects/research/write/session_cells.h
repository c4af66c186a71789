// The cells of a session as its tables, its closing block and its files need them, gathered while they go by
// once: figures of each profile, and the rows of results.jsonl.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dialects/research/read/row.h"
#include "spec/report/cell_gatherer.h"

namespace assay::research {

enum class Mark : char { kNone, kPass, kFail, kError };

struct ProfileFigures {
  std::uint64_t rows = 0;
  std::uint64_t passed = 0;
  std::uint64_t errors = 0;
  std::vector<double> turns_ms;                // of turns that answered
  Usage used;                                  // of all roles
  std::vector<Usage> answering;                // of the role that answers, of each turn that said it
  std::map<std::string, std::uint64_t> calls;  // by tool
  std::vector<std::uint64_t> passed_of_case;
  std::vector<std::uint64_t> rows_of_case;
  std::vector<bool> case_has_error;

  Mark MarkOf(CaseIndex index) const;
};

struct SessionRow {
  Row row;  // of results.jsonl
  RowTime time;
  bool has_answer = false;
};

class SessionCells final : public CellGatherer {
 public:
  explicit SessionCells(const Suite& suite);  // outlives it
  CellParts parts() const override { return CellParts::kAll; }
  Status Add(const Cell& cell) override;

  std::span<const ProfileFigures> figures() const { return figures_; }  // by variant
  // The rows of a variant in order. Those of large sessions are not kept, but read again from the cells.
  Status ForEachRow(const Report& report, VariantIndex variant,
                    const std::function<Status(const SessionRow&)>& visit) const;

  // Those that were gathered at the run's end; else from a walk over the cells.
  static Result<std::shared_ptr<const SessionCells>> Of(const Report& report);

 private:
  const Suite& suite_;
  bool keeps_rows_;
  std::vector<ProfileFigures> figures_;
  std::vector<std::vector<SessionRow>> rows_;  // by variant
};

}  // namespace assay::research
