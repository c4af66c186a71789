// Formats score tables as text and as CSV, one model or several side by side.
#include <fmt/core.h>

#include <algorithm>

#include "base/text/utf8.h"
#include "dialects/infibench/score_table.h"
#include "text/csv.h"
#include "text/python/text.h"

namespace assay::infibench {
namespace {

using Cells = std::vector<std::string>;

// Cells as the original lays them out: deviations stand in columns of their own, joined to what they belong
// to.
struct Grid {
  std::vector<Cells> rows;   // the header first
  std::vector<bool> joined;  // per column: a space stands before it instead of a bar
};

std::string DeviationCell(std::string cell) { return cell.empty() ? cell : "±" + cell; }

void AppendScoreCells(const ScoreRow& row, Cells& cells) {
  if (!row.has_score) {
    cells.insert(cells.end(), {"–", "", "", ""});
    return;
  }
  cells.push_back(ScoreCell(row.score));
  cells.push_back(DeviationCell(ScoreCell(row.deviation)));
  cells.push_back(PercentCell(row.score, row.full_score));
  cells.push_back(DeviationCell(PercentCell(row.deviation, row.full_score)));
}

const ScoreRow* FindRow(const ScoreTable& table, std::string_view label) {
  const auto row = std::find_if(table.rows.begin(), table.rows.end(),
                                [label](const ScoreRow& r) { return r.label == label; });
  return row == table.rows.end() ? nullptr : &*row;
}

// The rows of all tables: a label that only later tables have follows those of its kind.
std::vector<std::string> Labels(std::span<const ScoreTable> tables) {
  std::vector<std::string> labels;
  for (const ScoreTable& table : tables) {
    for (const ScoreRow& row : table.rows) {
      if (std::find(labels.begin(), labels.end(), row.label) != labels.end()) continue;
      const std::string_view kind = std::string_view(row.label).substr(0, row.label.find(':'));
      const auto last = std::find_if(labels.rbegin(), labels.rend(),
                                     [kind](const std::string& label) { return label.starts_with(kind); });
      labels.insert(last == labels.rend() ? labels.end() : last.base(), row.label);
    }
  }
  return labels;
}

bool HaveSameFullScores(std::span<const ScoreTable> tables, const std::vector<std::string>& labels) {
  for (const std::string& label : labels) {
    const ScoreRow* first = FindRow(tables.front(), label);
    for (const ScoreTable& table : tables) {
      const ScoreRow* row = FindRow(table, label);
      if (first == nullptr || row == nullptr || row->full_score != first->full_score) return false;
    }
  }
  return true;
}

void AppendGroupHeader(const std::string& model, bool with_full_score, Grid& grid) {
  for (const bool is_joined : {false, true, false, true}) grid.joined.push_back(is_joined);
  Cells& header = grid.rows.front();
  header.insert(header.end(), {model, "", "", ""});
  if (!with_full_score) return;
  grid.joined.push_back(false);
  header.push_back("Full Score");
}

Grid ToGrid(std::span<const ScoreTable> tables) {
  Grid grid{.rows = {{""}}, .joined = {false}};
  if (tables.empty()) return grid;
  const std::vector<std::string> labels = Labels(tables);
  const bool same = HaveSameFullScores(tables, labels);
  for (const ScoreTable& table : tables) AppendGroupHeader(table.model, !same, grid);
  if (same) {
    grid.joined.insert(grid.joined.end(), {false, false});
    grid.rows.front().insert(grid.rows.front().end(), {"Full Score", "Allocation"});
  }
  const double overall = tables.front().rows.empty() ? 0 : tables.front().rows.front().full_score;
  for (const std::string& label : labels) {
    Cells& cells = grid.rows.emplace_back(Cells{label});
    for (const ScoreTable& table : tables) {
      const ScoreRow* row = FindRow(table, label);
      if (row == nullptr) {
        cells.insert(cells.end(), same ? 4 : 5, "");
        continue;
      }
      AppendScoreCells(*row, cells);
      if (!same) cells.push_back(ScoreCell(row->full_score));
    }
    if (!same) continue;
    const double full_score = FindRow(tables.front(), label)->full_score;
    cells.push_back(ScoreCell(full_score));
    cells.push_back(grid.rows.size() == 2 ? "" : PercentCell(full_score, overall));
  }
  return grid;
}

std::string TextLine(const Cells& cells, const std::vector<std::size_t>& widths,
                     const std::vector<bool>& joined) {
  std::string line;
  for (std::size_t at = 0; at < cells.size(); ++at) {
    if (at > 0) line += joined[at] ? ' ' : '|';
    line += ' ';
    line += cells[at];
    line.append(widths[at] - CountCodePoints(cells[at]) + 1, ' ');
  }
  return line;
}

std::string ToText(const Grid& grid) {
  std::vector<std::size_t> widths(grid.joined.size());
  for (const Cells& cells : grid.rows) {
    for (std::size_t at = 0; at < cells.size(); ++at) {
      widths[at] = std::max(widths[at], CountCodePoints(cells[at]));
    }
  }
  std::string splitter;
  for (const std::size_t width : widths) {
    if (!splitter.empty()) splitter += '|';
    splitter.append(width + 2, '-');
  }
  const std::string edge(splitter.size(), '-');
  std::string text = edge + "\n" + TextLine(grid.rows.front(), widths, grid.joined) + "\n" + splitter + "\n";
  for (std::size_t at = 1; at < grid.rows.size(); ++at) {
    text += TextLine(grid.rows[at], widths, grid.joined) + "\n";
  }
  return text + edge;
}

std::string ToCsv(const Grid& grid) {
  Cells line = {""};
  for (std::size_t column = 0; column < grid.joined.size(); ++column)
    line.push_back(fmt::format("{}", column));
  std::string csv;
  AppendCsvRow(line, csv);
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    line = {fmt::format("{}", row)};
    line.insert(line.end(), grid.rows[row].begin(), grid.rows[row].end());
    AppendCsvRow(line, csv);
  }
  return csv;
}

}  // namespace

std::string ScoreCell(double score) { return fmt::format("{:.2f}", score); }

std::string PercentCell(double score, double full_score) {
  return full_score == 0 ? "" : fmt::format("{:.2f}%", score / full_score * 100);
}

std::string BucketTotalsLine(const ScoreTable& table) {
  std::string line = "[";
  for (const double total : table.bucket_totals) {
    if (line.size() > 1) line += ", ";
    line += PythonFloatText(total);
  }
  return line + "]";
}

std::string WriteTableText(std::span<const ScoreTable> tables) { return ToText(ToGrid(tables)); }

std::string WriteTableCsv(std::span<const ScoreTable> tables) { return ToCsv(ToGrid(tables)); }

}  // namespace assay::infibench
