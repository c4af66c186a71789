// Loads the tables one after the other, and fills the tree in for each row.
#include "dialects/rows_from/rows_from.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "dataset/limits.h"
#include "dataset/select/ids.h"
#include "dialects/rows_from/shots.h"
#include "dialects/rows_from/table_summary.h"
#include "text/found.h"
#include "text/place_of.h"
#include "text/template/braces.h"
#include "text/template/written.h"

namespace assay {

namespace {

// A table with what fills its rows in.
struct FilledTable {
  const Value& tree;
  const dataset::Table& table;
  PromptShots* shots;  // null: there are none
  TreeFiller& filler;
  TreeFiller& question_filler;  // which knows the examples as a text
};

class RowsFromReader {
 public:
  explicit RowsFromReader(const RowsFromInput& input) : input_(input) {}

  RowsFrom Read(const Value& list) {
    const List one{list};
    for (const Value& entry : list.is_list() ? list.AsList() : one) ReadEntry(entry);
    return std::move(out_);
  }

 private:
  void Complain(std::string code, std::string message, Span where, std::string hint) {
    input_.problems.Add(
        {.code = std::move(code), .message = std::move(message), .hint = std::move(hint), .where = where});
  }

  void ReadEntry(const Value& entry) {
    const std::string form = fmt::format("write - {{dataset: FILE, {}: {{...}}}}", input_.tree);
    const Value* table = entry.Find("dataset");
    const Value* tree = entry.Find(input_.tree);
    if (table == nullptr || tree == nullptr || !tree->is_map()) {
      return Complain("dataset.value",
                      fmt::format("{}: expected mappings with `dataset` and `{}`", input_.key, input_.tree),
                      entry.span, form);
    }
    for (const Member& member : entry.AsMap()) {
      if (member.key == "dataset" || member.key == input_.tree || member.key == kShotsName) continue;
      Complain("dataset.key", fmt::format("{}: unknown key {}", input_.key, Quoted(member.key)),
               member.key_span, form);
    }
    const Value* written = entry.Find(kShotsName);
    if (written != nullptr && written->is_null()) written = nullptr;
    const std::optional<dataset::ShotOptions> shots =
        written == nullptr ? std::nullopt : ReadShots(*written, *tree);
    if (input_.problems.HasErrors()) return;
    const std::optional<dataset::Options> options = dataset::ReadOptions(*table, input_.problems);
    if (!options) return;
    const dataset::Surroundings around{input_.folder, input_.files, input_.sources, input_.problems};
    std::vector<dataset::Row> all_rows;
    const std::optional<dataset::Table> loaded =
        dataset::Load(*options, input_.overrides, around, shots ? &all_rows : nullptr);
    std::optional<dataset::Table> pool;
    if (shots && shots->pool) pool = dataset::Load(*shots->pool, {}, around);
    if (!loaded || (shots && shots->pool && !pool)) return;
    out_.has_read = true;
    std::unique_ptr<PromptShots> examples;
    if (shots) {
      const ShotSource from = pool ? ShotSource{pool->rows, pool->columns, &pool->members}
                                   : ShotSource{all_rows, loaded->columns, &loaded->members};
      examples = ShotsOf(*shots, from, *tree, *loaded);
      if (examples == nullptr) return;
    }
    FillRows(*tree, *loaded, examples.get());
    if (pool) AddFiles(*pool);
  }

  // What such a format can take of them.
  std::optional<dataset::ShotOptions> ReadShots(const Value& written, const Value& tree) {
    std::optional<dataset::ShotOptions> shots = dataset::ReadShotOptions(written, input_.problems);
    if (!shots) return std::nullopt;
    const Value* question = tree.Find(input_.question);
    if (shots->has_several_seeds) {
      Complain("shots.value", "shots: seed: expected one seed in such a file, found a list",
               PlaceOf(written, "seed"), "write one: only prompts of blueprints become variants by seed");
    }
    if (!shots->is_text && !input_.takes_turns) {
      Complain("shots.value",
               fmt::format("shots: expected as: text, because `{}` is one text", input_.question),
               written.span,
               fmt::format("write as: text and text: \"Q: {{{{question}}}}\\nA: {{{{answer}}}}\", and "
                           "{{{{shots}}}} in `{}`",
                           input_.question));
    }
    if (shots->is_text && (question == nullptr || !NamesShots(*question))) {
      Complain("shots.unused",
               fmt::format("shots: as: text, and `{}` has no place for the text", input_.question),
               question == nullptr ? tree.span : question->span, "write {{shots}} before the question");
    }
    return shots;
  }

  std::unique_ptr<PromptShots> ShotsOf(const dataset::ShotOptions& options, const ShotSource& from,
                                       const Value& tree, const dataset::Table& table) {
    const bool is_each = options.pick == dataset::ShotPick::kEach;
    if (is_each && table.rows.size() * from.rows.size() > limits::kShotRanksMax) {
      Complain("shots.limit",
               fmt::format("shots: pick: each compares {} questions with {} rows, which is too much",
                           table.rows.size(), from.rows.size()),
               options.where, "pick seeded, sample the dataset, or limit the pool");
      return nullptr;
    }
    const Value* question = tree.Find(input_.question);
    return PromptShots::Make(options, from, question == nullptr ? Value() : *question, table.columns,
                             input_.sources, input_.problems);
  }

  void AddFiles(const dataset::Table& table) {
    out_.files.insert(out_.files.end(), table.files.begin(), table.files.end());
  }

  void FillRows(const Value& tree, const dataset::Table& table, PromptShots* shots) {
    const auto takes = [this](const Value& taken, Span place) {
      if (input_.takes) input_.takes(taken, place);
    };
    TreeFiller filler(BracesEngine(), table.columns, &table.members, input_.keeps, takes);
    std::vector<std::string> names = table.columns;
    names.emplace_back(kShotsName);
    TreeFiller question_filler(BracesEngine(), names, &table.members);
    if (!filler.HasTemplates(tree)) {
      return Complain("dataset.unused",
                      fmt::format("`{}` has no template, so that all cases would be alike", input_.tree),
                      tree.span, "write {{COLUMN}} where a value of the row belongs");
    }
    const FilledTable filled_table{tree, table, shots, filler, question_filler};
    const std::size_t errors_before = input_.problems.ErrorCount();
    std::size_t cases = 0;
    for (const dataset::Row& row : table.rows) {
      if (out_.trees.size() >= limits::kDatasetCasesMax) {
        return Complain("dataset.limit",
                        fmt::format("expected at most {} cases of datasets in a suite, found more",
                                    limits::kDatasetCasesMax),
                        tree.span, "select rows with where, sample or limit");
      }
      std::optional<FilledTree> filled = Filled(row, filled_table);
      if (filled) out_.trees.push_back(*std::move(filled));
      cases += filled ? 1 : 0;
      if (input_.problems.ErrorCount() > errors_before && is_template_wrong_) return;
    }
    AddFiles(table);
    out_.summaries.push_back(TableSummary(table, cases));
  }

  // The tree with its question, which alone may take examples as a text.
  Value FilledValue(const FilledTable& table, const TemplateScope& scope,
                    std::optional<FillProblem>& problem) const {
    if (!scope.shots) return table.filler.Fill(table.tree, scope, problem);
    Map members;
    for (const Member& member : table.tree.AsMap()) {
      TreeFiller& filler = member.key == input_.question ? table.question_filler : table.filler;
      Map one;
      one.Append(member.key, member.value, member.key_span);
      Value filled = filler.Fill(Value(std::move(one)), scope, problem);
      if (problem) return Value();
      for (Member& each : filled.AsMap()) members.Append(each.key, std::move(each.value), each.key_span);
    }
    Value value(std::move(members));
    value.span = table.tree.span;
    return value;
  }

  // False after an error, which is told.
  static bool AddShots(const dataset::Row& row, PromptShots& shots, std::optional<std::string>& text,
                       FilledTree& filled) {
    const std::string& seed = shots.options().seeds.front();
    if (shots.options().is_text) {
      text = shots.Text(row, seed);
      return text.has_value();
    }
    std::optional<List> turns = shots.Turns(row, seed);
    if (!turns) return false;
    filled.shots = *std::move(turns);
    filled.is_shown = shots.options().is_shown;
    return true;
  }

  std::optional<FilledTree> Filled(const dataset::Row& row, const FilledTable& table) {
    TemplateScope scope{row.cells, input_.sources, row.number, row.id};
    FilledTree filled{.id = row.id, .tree = {}, .where = row.where};
    std::optional<std::string> shots_text;
    if (table.shots != nullptr && !AddShots(row, *table.shots, shots_text, filled)) return std::nullopt;
    if (shots_text) scope.shots = *shots_text;
    std::optional<FillProblem> problem;
    filled.tree = FilledValue(table, scope, problem);
    if (problem) {
      is_template_wrong_ = !dataset::DependsOnRow(problem->problem);
      input_.problems.Add(dataset::RowProblem(problem->problem, is_template_wrong_ ? dataset::Row() : row,
                                              problem->where, input_.sources));
      return std::nullopt;
    }
    if (!filled.tree.is_map()) return std::nullopt;
    GiveId(row, table, filled);
    filled.kept = dataset::KeptCells(table.table, row, input_.sources);
    return filled;
  }

  // The row's, or what the tree says; both, where that is no template.
  void GiveId(const dataset::Row& row, const FilledTable& table, FilledTree& filled) const {
    const std::string* written = FindText(table.tree, "id");
    const Value* id = filled.tree.Find("id");
    const std::optional<std::string> text = id == nullptr ? std::nullopt : WrittenText(*id, input_.sources);
    if (text && !text->empty()) {
      const bool is_template = written != nullptr && HasBraces(*written);
      filled.id = is_template ? *text : *text + "." + row.id;
    }
    filled.tree.AsMap().Set("id", Value(filled.id));
  }

  const RowsFromInput& input_;
  RowsFrom out_;
  bool is_template_wrong_ = false;
};

}  // namespace

RowsFrom ExpandRowsFrom(const Value& list, const RowsFromInput& input) {
  return RowsFromReader(input).Read(list);
}

}  // namespace assay
