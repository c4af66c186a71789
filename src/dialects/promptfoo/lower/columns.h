// Makes the variants of a config: each provider with each of its prompts.
#pragma once

#include <string>
#include <vector>

#include "base/errors/diagnostics.h"
#include "dialects/promptfoo/expand/expand.h"
#include "spec/suite/variant.h"

namespace assay::promptfoo {

// A prompt as some variants are asked it: as messages, or as the one text that it is.
struct PromptForm {
  std::size_t prompt = 0;  // of Config::prompts
  bool is_text = false;
  std::string name = {};  // Variant::asking of those variants
};

struct LoweredColumns {
  std::vector<Variant> variants;     // by column
  std::vector<PromptForm> forms;     // each once, in the order of columns
  std::vector<std::size_t> form_of;  // by column
};

LoweredColumns LowerColumns(const Config& config, const Expansion& expansion, const EvalOptions& options,
                            const ReadAccess& access);

}  // namespace assay::promptfoo
