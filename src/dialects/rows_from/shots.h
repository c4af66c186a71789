// `shots:`: rows that become examples before a question, as turns of the conversation or as a text in it
// (docs/datasets.md), whatever format the question is of.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dataset/shots/pick.h"
#include "text/template/fill.h"

namespace assay {

// The name under which a question takes examples as a text: `{{shots}}`.
inline constexpr std::string_view kShotsName = "shots";
// {role, content}, at the place of the content.
Value MessageOf(std::string_view role, Value content);
// Whether some text of the tree takes them.
bool NamesShots(const Value& tree);

// The rows that examples come from.
struct ShotSource {
  std::span<const dataset::Row> rows;
  std::span<const std::string> columns;
  const MemberNames* members = nullptr;
};

// The examples of one prompt's questions. What it is made with outlives it.
class PromptShots {
 public:
  // `own_text`: of the question before it is filled in; undefined: there is no one text. `question_columns`:
  // those of the rows that fill it in. Null after an error.
  static std::unique_ptr<PromptShots> Make(const dataset::ShotOptions& options, const ShotSource& source,
                                           const Value& own_text,
                                           std::span<const std::string> question_columns,
                                           const SourceFiles& sources, dataset::Problems& problems);

  // Without examples; for Make.
  PromptShots(const dataset::ShotOptions& options, const ShotSource& source, Value user,
              std::span<const std::string> question_columns, const SourceFiles& sources,
              dataset::Problems& problems);

  const dataset::ShotOptions& options() const { return options_; }
  // The examples of a row as messages: user, assistant, ... Nothing after an error, which is told.
  std::optional<List> Turns(const dataset::Row& row, const std::string& seed);
  // As one text.
  std::optional<std::string> Text(const dataset::Row& row, const std::string& seed);

 private:
  // An example that is filled in once for all of its questions; nothing where that failed, which is told.
  using Example = std::optional<List>;

  std::optional<std::vector<std::size_t>> PlacesFor(const dataset::Row& row, const std::string& seed);
  std::string WordsOf(const dataset::Row& row, TreeFiller& filler);
  const Example& ExampleAt(std::size_t place);
  Value Filled(const Value& text, const dataset::Row& row, bool& is_told);

  const dataset::ShotOptions& options_;
  ShotSource source_;
  Value user_;  // undefined: not known
  const SourceFiles& sources_;
  dataset::Problems& problems_;
  std::vector<std::string> question_columns_;
  std::vector<std::string> example_columns_;
  TreeFiller question_filler_;
  TreeFiller example_filler_;
  std::optional<dataset::ShotPool> pool_;
  std::vector<std::optional<Example>> examples_;  // by place
  bool is_template_wrong_ = false;                // whatever the row
};

}  // namespace assay
