// Joins prefix, query and suffix of a profile.
//   source  asky-cli 14f1a9e, evals/research_pipeline/source_providers.py (spec: research, 5)
//   cases   golden research/units.jsonl, kind query_affixes
#include "spec/report/profile.h"

namespace assay {

std::string WithAffixes(const std::optional<std::string>& prefix, std::string_view query,
                        const std::optional<std::string>& suffix) {
  std::string text;
  const auto add = [&text](std::string_view part) {
    if (part.empty()) return;
    if (!text.empty()) text += "\n\n";
    text += part;
  };
  if (prefix) add(*prefix);
  add(query);
  if (suffix) add(*suffix);
  return text;
}

}  // namespace assay
