// Finds and hides paths of local documents in a prompt, as the original does by splitting the prompt like a
// shell. Documents of a case come from its doc_ids, never from here: this is for prompts that must not show
// paths.
//
// source: asky 0.4.15, spec research 9.3 and 9.4; rows: golden/research/units.jsonl
// (extract_local_targets, redact_local_targets). Known deviations: none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Paths and file:// or local:// addresses, each once, in order; at most limits::kPromptTargetsMax.
std::vector<std::string> LocalTargets(std::string_view prompt);
// The prompt without them: its words with one blank between them. Quotes are gone where they are paired.
std::string RedactLocalTargets(std::string_view prompt);

}  // namespace assay
