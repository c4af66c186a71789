// A report of any size, whose cells are made when they are asked for and never kept: for tests and benchmarks
// of writers.
#pragma once

#include <cstdint>

#include "base/files/sink.h"
#include "spec/report/report.h"
#include "spec/suite/suite.h"

namespace assay::testing {

struct ReportShape {
  std::size_t cases = 1;
  std::size_t variants = 1;
  AttemptIndex attempts = 1;
  std::size_t checks = 5;
  std::size_t judges = 3;  // votes on every second check
  std::size_t answer_bytes = 500;
  std::size_t reason_bytes = 150;  // of each vote
};

struct GeneratedReport {
  explicit GeneratedReport(const ReportShape& shape);
  GeneratedReport(const GeneratedReport&) = delete;
  GeneratedReport& operator=(const GeneratedReport&) = delete;

  ReportShape shape;
  Suite suite;
  Report report;
};

// Counts what is written and keeps nothing.
class CountingSink : public Sink {
 public:
  Status Open(std::string_view) override {
    ++files;
    return Ok();
  }
  Status Write(std::string_view written) override {
    bytes += written.size();
    return Ok();
  }
  Status Close() override { return Ok(); }

  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};

}  // namespace assay::testing
