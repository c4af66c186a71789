// Tests that an exporter is a function and a row: one of the test's own is used like those of the table.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "report/export.h"
#include "spec/suite/suite.h"
#include "tests/support/sample_report.h"

namespace assay {
namespace {

Status WriteScores(const Report& report, const ExportAsk&, Sink& sink) {
  return report.for_each_cell(CellRange{}, CellParts::kScores, [&](const Cell& cell) {
    return sink.Write(fmt::format("{} {} {}\n", report.suite->cases[cell.case_index].id,
                                  report.suite->variants[cell.variant].id, cell.score));
  });
}
constexpr ExportRow kScores = {"scores", "scores.txt", "a line for each cell", WriteScores};

TEST_CASE("a row of one's own writes the file that it is told to") {
  const testing::SampleReport sample;
  testing::MemorySink sink;
  REQUIRE(Export(kScores, sample.report, {}, "out/mine.txt", sink).has_value());
  REQUIRE(sink.files.size() == 1);
  const std::string& text = sink.files.at("out/mine.txt");
  std::size_t cells = 0;
  REQUIRE(sample.report
              .for_each_cell(CellRange{}, CellParts::kScores,
                             [&cells](const Cell&) {
                               ++cells;
                               return Ok();
                             })
              .has_value());
  CHECK(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) == cells);
  CHECK(text.starts_with(sample.suite.cases[0].id + " "));
}

TEST_CASE("a failing sink ends the export") {
  class FullSink final : public Sink {
    Status Open(std::string_view) override { return Ok(); }
    Status Write(std::string_view) override { return Error{ErrorCode::kIo, "full"}; }
    Status Close() override { return Ok(); }
  };
  const testing::SampleReport sample;
  FullSink sink;
  CHECK(!Export(kScores, sample.report, {}, "x", sink));
  CHECK(!ExportUnasked(sample.report, {}, sink));
}

TEST_CASE("names and files of exporters are their own") {
  std::set<std::string_view> names, files;
  for (const ExportRow& row : ExportTable()) {
    CHECK(FindExport(row.name) == &row);
    CHECK(names.insert(row.name).second);
    CHECK(files.insert(row.file).second);
  }
  CHECK(FindExport("scores") == nullptr);
}

}  // namespace
}  // namespace assay
