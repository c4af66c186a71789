// The dialect `research` (asky's evaluations): the functions of its row in dialects/table.cc, and what it
// leaves in the Suite for its own writer.
//   source  asky-cli 14f1a9e, evals/research_pipeline (spec: research, 0-8)
//
//   dataset.h, matrix.h  the two files that users write
//   paths.h, query.h     their rules for paths and for what is asked
//   snapshot.h           pinned documents
//   suite.cc             matrix and dataset -> Suite
//   row.h                a graded cell -> a line of results.jsonl
//   results.h            rows -> summary.json, results.md, report.md
//   session.h            the same of a folder that is there already
//   tables.cc            the profiles of a session side by side
//   opening.cc           what is read before a run
//   narrator.cc          how a run goes, line by line; the closing block
//
// Suite::id            the dataset's id
// Suite::details       a map: `output_root`, absolute; `matrix`, the path as the user named it; `summarizer`,
//                      the configured model that sums up, if there is one
// Case::id             the test's id; its checks and their tree are what it expects (expectation.h)
// Case::details        a map: `doc_ids`, `expected` ({type, text|pattern})
// Variant::id          the run's id; its profile has what else the matrix says
// Variant::details     a map: `parameters`, as the matrix has them
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/dialect.h"

namespace assay {

// The kinds of expectation that a dataset's tests name.
inline constexpr std::array<std::string_view, 4> kResearchChecks = {"expected_contains", "expected_regex",
                                                                    "expected_numeric", "expected_citation"};
inline constexpr unsigned kSessionsOfOneSecond = 1001;

int SniffResearch(std::string_view path, std::string_view text);
std::optional<Suite> ReadResearch(const ReadInput& input, FileId file, std::string_view text);
// <run>/artifacts/{results.jsonl, results.md, summary.json}, summary.json and report.md.
Status WriteResearch(const Report& report, Sink& sink);

std::vector<CaseDocument> ResearchDocuments(const Suite& suite);

std::string ResearchRoot(const Suite& suite);
// "20261121_203537", then "20261121_203537_001" and so on; UTC.
std::string SessionName(std::int64_t started_ms, unsigned count);
std::string ResearchRowsPath(const Suite& suite, VariantIndex variant);
std::string ResearchRowLine(const Suite& suite, const CellAddress& cell, const AttemptRecord& record);

// The profiles side by side, and the cases on which they differ; the text is of Report::tables.
Status AddResearchTables(Report& report, const CostOfAnswer& cost);
// The rows and figures of a session, for its tables, its closing block and its files.
std::shared_ptr<CellGatherer> GatherResearch(const Suite& suite);
Result<std::string> ResearchTables(std::span<const Report> reports);

std::unique_ptr<RunNarrator> OpenResearchNarrator(const Suite& suite, NarrationTerms terms);
Result<std::string> ResearchClosing(const Report& report, const std::string& folder,
                                    const std::vector<std::string>& names);

// Of a variant's details: the file of its simulated web, absolute.
inline constexpr std::string_view kMockWebDetail = "mock_web";

}  // namespace assay
