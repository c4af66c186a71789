// TreeFiller: fills the templates of a tree of values in for a row. Nothing is escaped, and what was put in
// is never read again.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "text/template/engine.h"

namespace assay {

struct FillProblem {
  TemplateProblem problem;
  Span where;  // of the text in the tree
};

class TreeFiller {
 public:
  // Decides whether a member of a mapping is left as it is, such as code.
  using Keeps = std::function<bool(const Map& owner, const Member& member)>;
  // Hears of a list or mapping of the row that takes the place of an expression, and of that place.
  using Takes = std::function<void(const Value& taken, Span place)>;

  // The columns, the members and the engine outlive it. `members`: those of all rows; null: not known.
  TreeFiller(const TemplateEngine& engine, std::span<const std::string> columns,
             const MemberNames* members = nullptr, Keeps keeps = nullptr, Takes takes = nullptr)
      : engine_(engine),
        columns_(columns),
        members_(members),
        keeps_(std::move(keeps)),
        takes_(std::move(takes)) {}

  // From here on, texts that cells fill in alone are told of where the cell stands, not of the template.
  void TellCells(bool are_told) { are_cells_told_ = are_told; }

  // Whether some text of the tree is a template. A problem of a template is one of Fill too.
  bool HasTemplates(const Value& tree);
  // Undefined: it is left out. A text that is one expression keeps the kind of its value; in a list, a list
  // is put in item by item. After a problem, the first one is in `problem`.
  Value Fill(const Value& tree, const TemplateScope& scope, std::optional<FillProblem>& problem);
  // A text that has to be one.
  Value FillText(const Value& text, const TemplateScope& scope, std::optional<FillProblem>& problem);

 private:
  const Templated<std::unique_ptr<const CompiledTemplate>>& Compiled(const std::string& text);
  void FillItem(const Value& item, const TemplateScope& scope, std::optional<FillProblem>& problem,
                List& out);

  const TemplateEngine& engine_;
  std::span<const std::string> columns_;
  const MemberNames* members_;
  Keeps keeps_;
  Takes takes_;
  bool are_cells_told_ = false;
  std::unordered_map<std::string, Templated<std::unique_ptr<const CompiledTemplate>>> compiled_;
};

}  // namespace assay
