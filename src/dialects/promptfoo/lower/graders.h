// The models that grade: each once among Suite::named_judges, whichever assertions name it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/errors/diagnostics.h"
#include "dialects/dialect.h"
#include "dialects/promptfoo/options.h"
#include "spec/ids.h"
#include "spec/suite/suite.h"
#include "text/value.h"

namespace assay::promptfoo {

class Graders {
 public:
  Graders(const ReadInput& input, const EvalOptions& options, Suite& suite)
      : input_(input), options_(options), suite_(suite) {}

  // The model that grades texts: of the user, of the assertion, of its test, or of the command line in that
  // order. Nothing where nobody names one: the check of the assertion says so.
  std::optional<JudgeIndex> ForTexts(const Value& assertion, const Map& options_of_test);
  // The model that embeds texts, likewise.
  std::optional<JudgeIndex> ForEmbeddings(const Value& assertion, const Map& options_of_test);

 private:
  std::optional<JudgeIndex> Named(const Value& provider);
  std::optional<JudgeIndex> Add(const std::string& id, const Map& config, Span where);

  const ReadInput& input_;
  const EvalOptions& options_;
  Suite& suite_;
  std::map<std::string, std::optional<JudgeIndex>> known_;  // by the entry as JSON
};

}  // namespace assay::promptfoo
