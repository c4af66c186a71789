// Makes a model's line on a leaderboard: the row of main.csv and the record of leaderboard.yaml that the
// harness's analysis scripts collect from score tables. Pure.
//   source  InfiBench harness 736de98 (spec: infibench 12)
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/errors/result.h"
#include "dialects/infibench/case_result.h"
#include "dialects/infibench/score_table.h"
#include "text/value.h"

namespace assay::infibench {

// One row of main.csv: columns with their cells, all text. First what is known of the model, then the overall
// score, five groups of cases by level, then every type, metric and language of its table; score and
// deviation in percent, sizes in points.
using LeaderboardRow = std::vector<std::pair<std::string, std::string>>;

// `model`: what the run's params.yaml says. The columns of main.csv that describe a model are taken from the
// keys of the same names (eval_type, model_family, print_name, type, domain, ctx_length, model_params,
// humaneval, ...); without them raw_name is the table's model, print_name is raw_name, gen_params is made of
// temp and top_p, num_responses of sample_n. A case's level is its own field `level`, 1 to 5; cases without
// one are in no group. Cells that nothing is known for are empty.
LeaderboardRow MakeLeaderboardRow(const ScoreTable& table, std::span<const CaseResult> results,
                                  const Map& model);

// The row of the same model (raw_name) and parameters (gen_params) is replaced, else the row is added. What
// is known of the model there and not here stays.
void PutLeaderboardRow(LeaderboardRow row, std::vector<LeaderboardRow>& rows);

// Whether the same model and parameters have a row that was measured by more points.
bool HasFullerRow(const LeaderboardRow& row, std::span<const LeaderboardRow> rows);

// The rows of a file that WriteLeaderboardCsv wrote and people may have added to; none of "". kInvalidInput:
// it is no CSV, or has no column raw_name.
Result<std::vector<LeaderboardRow>> ReadLeaderboardCsv(std::string_view text);
// main.csv: a mark of UTF-8, the columns of the first row and of what only later ones have, the rows.
std::string WriteLeaderboardCsv(std::span<const LeaderboardRow> rows);

// The records of leaderboard.yaml, the best score first and like ones in the order given, ranked from 1; rows
// whose eval_type is Ablation or Human are left out.
List LeaderboardRecords(std::span<const LeaderboardRow> rows);
// leaderboard.yaml: its settings and these records.
Map LeaderboardDocument(std::span<const LeaderboardRow> rows);

}  // namespace assay::infibench
