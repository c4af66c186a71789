// A made-up report for tests of writers: a blueprint with judges, alternatives, several turns, errors and a
// hostile answer. Everything in it is invented.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/files/sink.h"
#include "spec/report/report.h"
#include "spec/suite/suite.h"

namespace assay::testing {

// A suite with its cells; `report` borrows both, so the sample stays where it is.
struct SampleReport {
  SampleReport();
  SampleReport(const SampleReport&) = delete;
  SampleReport& operator=(const SampleReport&) = delete;

  Suite suite;
  std::vector<Cell> cells;  // in plan order
  Report report;
};

// Totals of each variant over cells in plan order.
std::vector<VariantSummary> Summarize(const Suite& suite, const std::vector<Cell>& cells);

// A sink that keeps files in memory.
class MemorySink : public Sink {
 public:
  Status Open(std::string_view path) override;
  Status Write(std::string_view bytes) override;
  Status Close() override;

  std::map<std::string, std::string> files;

 private:
  std::string open_;
};

}  // namespace assay::testing
