// Renders the prompt of a cell: a row's variables in a column's prompt.
#pragma once

#include <map>
#include <string>

#include "base/errors/result.h"
#include "dialects/promptfoo/expand/expand.h"
#include "text/nunjucks/nunjucks.h"

namespace assay::promptfoo {

struct RenderedCell {
  Map variables;               // as the prompt had them: files read, names in them filled in
  Result<std::string> prompt;  // an error is one of this cell alone
};

// One thread. What it is given outlives it.
class CellRenderer {
 public:
  CellRenderer(const Config& config, const EvalOptions& options, FileReader& files);
  // `added`: variables that the run has made by now, such as _conversation.
  RenderedCell Render(const Expansion& expansion, const Row& row, const Column& column,
                      const Map& added = {});

 private:
  Status LoadFiles(Map& variables);
  void FillNames(Map& variables) const;
  Result<std::string> RenderPrompt(const std::string& prompt, const Map& variables);
  Result<std::string> RenderText(const std::string& prompt, const Map& variables);
  Status RenderTree(Value& value, const Map& variables);

  const Config& config_;
  const EvalOptions& options_;
  FileReader& files_;
  Nunjucks templates_;
  std::map<std::string, std::string> loaded_;  // by path
};

// What templates of the config see as `env`.
Map TemplateEnvironment(const Config& config, const EvalOptions& options);

}  // namespace assay::promptfoo
