// Reads the table, once more if its columns are renamed or contain lists, and puts the parts together.
#include "dialects/blueprint/starter/starter.h"

#include <fmt/core.h>

#include "dataset/load.h"
#include "dialects/blueprint/starter/first_line.h"
#include "dialects/blueprint/starter/lists.h"
#include "dialects/blueprint/starter/write.h"
#include "text/object.h"

namespace assay::blueprint {

namespace {

class StarterReader {
 public:
  StarterReader(const StarterInput& input, Diagnostics& diagnostics)
      : input_(input), diagnostics_(diagnostics) {}

  // The table with renamed columns and lists; nothing after an error, which is told.
  std::optional<dataset::Table> Read(dataset::Options& options) {
    std::optional<dataset::Table> table = Load(options);
    if (!table) return std::nullopt;
    for (auto& [name, old] : RenamedColumns(*table)) options.renames.push_back({name, {old}});
    for (const ListColumn& list : ListsInCells(*table)) {
      dataset::CellType type{.kind = dataset::CellType::kJson};
      if (!list.separator.empty()) type = {.kind = dataset::CellType::kList, .separator = list.separator};
      options.types.push_back({{list.column}, type});
    }
    const bool is_other = !options.renames.empty() || !options.types.empty();
    return is_other ? Load(options) : std::move(table);
  }

 private:
  std::optional<dataset::Table> Load(const dataset::Options& options) {
    dataset::Problems problems;
    std::optional<dataset::Table> table =
        dataset::Load(options, {}, {"", input_.files, input_.sources, problems});
    if (!table) problems.TellTo(diagnostics_);
    return table;
  }

  const StarterInput& input_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::optional<TableStarter> StarterOfTable(const StarterInput& input, Diagnostics& diagnostics) {
  dataset::Problems problems;
  Map said;
  said.Append("path", std::string(input.path));
  if (!input.encoding.empty()) said.Append("encoding", std::string(input.encoding));
  std::optional<dataset::Options> options = dataset::ReadOptions(Value(std::move(said)), problems);
  problems.TellTo(diagnostics);
  if (!options) return std::nullopt;
  const std::optional<dataset::Table> table = StarterReader(input, diagnostics).Read(*options);
  if (!table) return std::nullopt;
  const TableGuess guess = GuessTable(*table, input.sources, input.ask);
  TableStarter starter{
      .columns = ColumnWords(guess), .rows = table->rows.size(), .needs_judge = NeedsJudge(guess)};
  const bool has_lines = input.named.find("json") == std::string_view::npos;
  const std::string doubt = has_lines ? DoubtOfFirstLine(*table, input.sources) : std::string();
  starter.text = TextOfStarter({.options = *options,
                                .guess = guess,
                                .named = input.named,
                                .title = input.title,
                                .encoding = input.encoding,
                                .model = input.model,
                                .has_key = input.has_key,
                                .rows = starter.rows,
                                .doubt_of_names = doubt});
  if (!doubt.empty()) starter.guesses.push_back(doubt);
  for (const LeftOut& left : guess.left_out) starter.faults.push_back("left out: " + left.words);
  if (!guess.id_fault.empty() && guess.id.empty()) starter.faults.push_back("no id: " + guess.id_fault);
  for (const std::string& gap : guess.gaps) starter.faults.push_back("empty: " + gap);
  if (!guess.statuses.empty() && guess.status_value.empty()) {
    std::string values;
    for (const std::string& value : guess.statuses) values += (values.empty() ? "" : ", ") + value;
    starter.guesses.push_back(
        fmt::format("all rows are cases, whatever {} says: {}", Quoted(guess.status), values));
  }
  if (!guess.ungraded.empty()) starter.faults.push_back(guess.ungraded);
  if (guess.has_twins) starter.faults.push_back("some rows are in the table twice; they are asked once");
  const auto add = [&](const std::string& column, std::string_view what, const std::string& why) {
    if (why.empty()) return;
    starter.guesses.push_back(column.empty() ? why : fmt::format("{} is {}: {}", Quoted(column), what, why));
  };
  add(guess.question, "the question", guess.unsure_question);
  add(guess.answer, "the wanted answer", guess.unsure_answer);
  add(guess.answer, "compared", guess.unsure_check);
  return starter;
}

}  // namespace assay::blueprint
