// The dialect `openai-evals`: entries of OpenAI Evals' registry (NAME: {class, args}) with their samples in
// JSON Lines ({input, ideal}). The functions of its row in dialects/table.cc. Results are written as those of
// blueprints. Source of the rules: the registry's form as evals 3.0.1 reads it; docs/formats-of-others.md.
#pragma once

#include <optional>
#include <string_view>

#include "dialects/dialect.h"

namespace assay {

int SniffOpenAiEvals(std::string_view path, std::string_view text);
std::optional<Suite> ReadOpenAiEvals(const ReadInput& input, FileId file, std::string_view text);

}  // namespace assay
