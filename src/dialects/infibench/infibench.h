// The dialect `infibench` (InfiBench / InfiCoder-Eval suites): the functions of its row in dialects/table.cc,
// and what it leaves in the Suite for its own writer.
//   source  InfiBench evaluator 96cb098 and evaluation harness 736de98 (spec: infibench)
//
//   case_file.h    one case's YAML -> Case: its grading as checks, with all files that it names read in
//   responses.cc   recorded answers: a folder with params.yaml, or a batched CSV
//   case_result.h  what came of a case, as the result YAML has it
//   score_table.h  the tables over all cases
//   leaderboard.h  the models' rows over all runs
//
// Case::id            the path of its file exactly as the suite names it
// Case::details       a map: `fields`, the case file's own keys but `grading`, and `bounds`, max_score and
//                     min_score as written
// Case::checks        one for each component of `grading`, in the order in which they are evaluated; kind is
//                     the component's name, args its value with the texts of the files that it names
//                     (case_file.h)
// Variant::details    of recorded answers, a map: the other keys of params.yaml
// Suite::details      a map: `stem`, the suite file's name without folder and extension
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "dialects/dialect.h"

namespace assay {

// Named formulas of report/table.cc: the format's own, and that of the published code.
inline constexpr std::string_view kFormatsFormula = "clipped-sum-over-least-total";
inline constexpr std::string_view kCodesFormula = "clipped-sum-over-total";

// The kinds of grading that this format's files define. A blueprint's `$keywords` stays an unknown function.
inline constexpr std::array<std::string_view, 5> kInfibenchChecks = {"keywords", "blank_filling", "unit_test",
                                                                     "similarity", "customized"};

// What checks and programs do in a mode. The format's own text decides; `--compat infibench`: the published
// code.
GradingRules InfibenchGradingRules(Compat compat);
ProgramRules InfibenchProgramRules(Compat compat);

int SniffInfibench(std::string_view path, std::string_view text);
std::optional<Suite> ReadInfibench(const ReadInput& input, FileId file, std::string_view text);
std::optional<Recording> ReadInfibenchResponses(const ReadInput& input, Suite& suite);
// STEM_VARIANT.yaml (results), .txt (summary), _table.txt and _table.csv for each variant; of models that
// were asked also the folder of their answers, STEM_VARIANT/.
Status WriteInfibench(const Report& report, Sink& sink);
// The suite's leaderboard, main.csv of the harness: with the rows of this report's variants, and the records
// of leaderboard.yaml that are made of it.
std::string InfibenchBoardPath(const Suite& suite);
Result<std::string> AddToInfibenchBoard(const Report& report, std::string_view existing,
                                        std::vector<std::string>& notes);
std::string InfibenchRecordsPath(const Suite& suite);
Result<std::string> InfibenchRecords(std::string_view board);
// The results of all variants, for their tables; null: the run is too large to keep them.
std::shared_ptr<CellGatherer> GatherInfibench(const Suite& suite);
// The score table of each variant, for pages: Report::tables.
Status AddInfibenchTables(Report& report, const CostOfAnswer& cost);
// The score tables of all variants of all reports, side by side.
Result<std::string> InfibenchTables(std::span<const Report> reports);

}  // namespace assay
