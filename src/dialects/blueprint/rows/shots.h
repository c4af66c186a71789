// `shots:` of a blueprint: rows that become examples before a question, as turns of the conversation or as a
// text in it (docs/datasets.md).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dataset/shots/pick.h"
#include "dialects/blueprint/rows/datasets.h"
#include "text/template/fill.h"

namespace assay::blueprint {

// The rows that examples come from.
struct ShotSource {
  std::span<const dataset::Row> rows;
  std::span<const std::string> columns;
  const MemberNames* members = nullptr;
};

// The examples of one prompt's questions. What it is made with outlives it.
class PromptShots {
 public:
  // `entry`: the prompt before it is filled in; `question_columns`: those of the rows that fill it in. Null
  // after an error.
  static std::unique_ptr<PromptShots> Make(const dataset::ShotOptions& options, const ShotSource& source,
                                           const Map& entry, std::span<const std::string> question_columns,
                                           DatasetReading& reading);

  // Without examples; for Make.
  PromptShots(const dataset::ShotOptions& options, const ShotSource& source, Value user,
              std::span<const std::string> question_columns, DatasetReading& reading);

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
  DatasetReading& reading_;
  std::vector<std::string> question_columns_;
  std::vector<std::string> example_columns_;
  TreeFiller question_filler_;
  TreeFiller example_filler_;
  std::optional<dataset::ShotPool> pool_;
  std::vector<std::optional<Example>> examples_;  // by place
  bool is_template_wrong_ = false;                // whatever the row
};

// Turns the question of filled members into `messages`, if it is not there as such: what belongs to it
// goes along.
void MakeMessages(Map& members);
// The messages with the examples before the first one that is no system prompt.
List WithShots(const List& messages, const List& shots);
// How many messages of system prompts stand at their start.
std::size_t SystemMessages(const List& messages);
// The message of a system prompt.
Value SystemMessage(Value text);

}  // namespace assay::blueprint
