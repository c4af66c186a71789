// Loads the tables one after the other, and fills the tree in for each row.
#include "dialects/rows_from/rows_from.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "dataset/limits.h"
#include "dataset/select/ids.h"
#include "dialects/rows_from/table_summary.h"
#include "text/found.h"
#include "text/template/braces.h"
#include "text/template/written.h"

namespace assay {

namespace {

// Of these, each row has its own; others are the template's fault.
bool IsFaultOfRow(std::string_view code) {
  constexpr std::string_view kOfRows[] = {"template.null",  "template.kind",        "template.path",
                                          "template.limit", "template.filter-kind", "template.filter-none"};
  return std::find(std::begin(kOfRows), std::end(kOfRows), code) != std::end(kOfRows);
}

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
      if (member.key == "dataset" || member.key == input_.tree) continue;
      const bool is_shots = member.key == "shots";
      Complain(is_shots ? "dataset.shots" : "dataset.key",
               is_shots ? fmt::format("{}: shots are not built into these files yet", input_.key)
                        : fmt::format("{}: unknown key {}", input_.key, Quoted(member.key)),
               member.key_span, is_shots ? "write the examples into the prompt" : form);
    }
    if (input_.problems.HasErrors()) return;
    const std::optional<dataset::Options> options = dataset::ReadOptions(*table, input_.problems);
    if (!options) return;
    const std::optional<dataset::Table> loaded = dataset::Load(
        *options, input_.overrides, {input_.folder, input_.files, input_.sources, input_.problems});
    if (loaded) FillRows(*tree, *loaded);
  }

  void FillRows(const Value& tree, const dataset::Table& table) {
    const auto takes = [this](const Value& taken, Span place) {
      if (input_.takes) input_.takes(taken, place);
    };
    TreeFiller filler(BracesEngine(), table.columns, &table.members, input_.keeps, takes);
    if (!filler.HasTemplates(tree)) {
      return Complain("dataset.unused",
                      fmt::format("`{}` has no template, so that all cases would be alike", input_.tree),
                      tree.span, "write {{COLUMN}} where a value of the row belongs");
    }
    const std::size_t errors_before = input_.problems.ErrorCount();
    std::size_t cases = 0;
    for (const dataset::Row& row : table.rows) {
      if (out_.trees.size() >= limits::kDatasetCasesMax) {
        return Complain("dataset.limit",
                        fmt::format("expected at most {} cases of datasets in a suite, found more",
                                    limits::kDatasetCasesMax),
                        tree.span, "select rows with where, sample or limit");
      }
      std::optional<FilledTree> filled = Filled(tree, row, table, filler);
      if (filled) out_.trees.push_back(*std::move(filled));
      cases += filled ? 1 : 0;
      if (input_.problems.ErrorCount() > errors_before && is_template_wrong_) return;
    }
    out_.files.insert(out_.files.end(), table.files.begin(), table.files.end());
    out_.summaries.push_back(TableSummary(table, cases));
  }

  std::optional<FilledTree> Filled(const Value& tree, const dataset::Row& row, const dataset::Table& table,
                                   TreeFiller& filler) {
    const TemplateScope scope{row.cells, input_.sources, row.number, row.id};
    std::optional<FillProblem> problem;
    FilledTree filled{.id = row.id, .tree = filler.Fill(tree, scope, problem), .where = row.where};
    if (problem) {
      const bool is_of_row = IsFaultOfRow(problem->problem.code);
      is_template_wrong_ = !is_of_row;
      input_.problems.Add(dataset::RowProblem(problem->problem, is_of_row ? row : dataset::Row(),
                                              problem->where, input_.sources));
      return std::nullopt;
    }
    if (!filled.tree.is_map()) return std::nullopt;
    const std::string* written = FindText(tree, "id");
    const Value* id = filled.tree.Find("id");
    const std::optional<std::string> text = id == nullptr ? std::nullopt : WrittenText(*id, input_.sources);
    if (text && !text->empty()) {
      const bool is_template = written != nullptr && HasBraces(*written);
      filled.id = is_template ? *text : *text + "." + row.id;
    }
    filled.tree.AsMap().Set("id", Value(filled.id));
    filled.kept = dataset::KeptCells(table, row, input_.sources);
    return filled;
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
