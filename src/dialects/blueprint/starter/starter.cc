// Lets the rows of the table pass by, once more if its columns are renamed or contain lists, and once for
// what depends on the use of columns; then puts the parts together.
#include "dialects/blueprint/starter/starter.h"

#include <fmt/core.h>

#include "dataset/load.h"
#include "dataset/read/read.h"
#include "dialects/blueprint/starter/first_line.h"
#include "dialects/blueprint/starter/lists.h"
#include "dialects/blueprint/starter/write.h"
#include "text/object.h"

namespace assay::blueprint {

namespace {

class StarterReader {
 public:
  StarterReader(const StarterInput& input, Diagnostics& diagnostics)
      : input_(input), diagnostics_(diagnostics), facts_(input.sources) {}

  // With renamed columns and lists; false after an error, which is told.
  bool Read(dataset::Options& options) {
    if (!ReadFacts(options)) return false;
    std::vector<std::string> columns;
    for (const ColumnFacts& column : facts_.columns) columns.push_back(column.name);
    for (auto& [name, old] : RenamedColumns(columns)) options.renames.push_back({name, {old}});
    for (const ListColumn& list : ListsInCells(facts_.columns)) {
      dataset::CellType type{.kind = dataset::CellType::kJson};
      if (!list.separator.empty()) type = {.kind = dataset::CellType::kList, .separator = list.separator};
      options.types.push_back({{list.column}, type});
    }
    const bool is_other = !options.renames.empty() || !options.types.empty();
    return !is_other || ReadFacts(options);
  }

  std::size_t rows() const { return facts_.rows; }
  const std::string& doubt_of_names() const { return doubt_of_names_; }

  // Whatever is wrong now came since the table was read: false, and it is told.
  bool Guess(const dataset::Options& options, TableGuess& guess) {
    dataset::Problems problems;
    const EachRow each_row = [&](const auto& look) {
      dataset::ReadTable(options, {"", input_.files, input_.sources, problems},
                         {.take = [&look](const std::vector<std::string>&, dataset::Row row) {
                           look(row);
                           return true;
                         }});
    };
    guess = GuessTable(std::move(facts_), each_row, input_.sources, input_.ask);
    guess.has_twins = has_twins_;
    if (problems.HasErrors()) problems.TellTo(diagnostics_);
    return !problems.HasErrors();
  }

 private:
  bool ReadFacts(const dataset::Options& options) {
    dataset::Problems problems;
    dataset::RowReading how;
    how.begin = [this] { facts_ = TableFacts(input_.sources); };
    how.is_alike = [this](const std::vector<std::string>& columns, const dataset::Row& row) {
      if (facts_.rows == 0) doubt_of_names_ = DoubtOfFirstLine(columns, row, input_.sources);
      facts_.Add(columns, row);
      return true;
    };
    const std::optional<dataset::Table> table =
        dataset::Load(options, {}, {"", input_.files, input_.sources, problems}, nullptr, how);
    if (!table) problems.TellTo(diagnostics_);
    has_twins_ = table && table->twice > 0;
    return table.has_value();
  }

  const StarterInput& input_;
  Diagnostics& diagnostics_;
  TableFacts facts_;
  std::string doubt_of_names_ = {};
  bool has_twins_ = false;  // rows with equal content
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
  StarterReader reader(input, diagnostics);
  if (!reader.Read(*options)) return std::nullopt;
  const std::size_t rows = reader.rows();
  const bool has_lines = input.named.find("json") == std::string_view::npos;
  const std::string doubt = has_lines ? reader.doubt_of_names() : std::string();
  TableGuess guess;
  if (!reader.Guess(*options, guess)) return std::nullopt;
  TableStarter starter{.columns = ColumnWords(guess), .rows = rows, .needs_judge = NeedsJudge(guess)};
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
