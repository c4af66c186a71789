// Whom an id of a provider means here: promptfoo's ids and parameters as a model and what it is asked with.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dialects/promptfoo/options.h"
#include "spec/suite/model_ref.h"
#include "text/value.h"

namespace assay::promptfoo {

// The number that the whole text is; nothing: it is none.
std::optional<double> NumberOfText(std::string_view text);

struct NamedModel {
  ModelRef ref;
  std::string model_id = {};  // "openai:gpt-4o"
  SamplingParams params = {};
  std::string generator = {};            // of its variant; "": a conversation
  bool embeds = false;                   // it turns texts into vectors, and answers nothing
  bool reads_whole_text = false;         // a prompt is one text to it, whatever messages the text has
  std::string problem = {};              // why nobody can be asked; "" if somebody can
  std::vector<std::string> unsent = {};  // members of its configuration that have no effect
};

// `config`: of the provider, with that of the prompt over it. Source: spec promptfoo 4.
NamedModel ModelNamed(const std::string& id, const Map& config, const EvalOptions& options);

}  // namespace assay::promptfoo
