// Steps by their exchanges.
#include "history/old_runs.h"

#include <string>

#include "text/json/json.h"

namespace assay {

namespace {

Result<bool> Embeds(Store& store, const StepLink& step) {
  if (step.kind != LinkKind::kBySlot || step.exchanges.empty()) return false;
  ASSAY_TRY(const std::vector<Exchange> exchanges, store.Get(std::span(step.exchanges).first(1)));
  return exchanges.front().kind == RequestKind::kEmbed && exchanges.front().role == RequestRole::kEmbedding;
}

// Whether the request holds the ideal's words: then it is not for an answer, or for one that is the same.
Result<bool> AsksForIdeal(Store& store, const Case& the_case, ExchangeId id) {
  if (!the_case.ideal || the_case.ideal->empty()) return false;
  ASSAY_TRY(const std::string request, store.RequestOf(id));
  std::string ideal;
  AppendJsonString(*the_case.ideal, ideal);
  return request.find(ideal) != std::string::npos;
}

}  // namespace

// In every version they stood behind all other steps, the answer's first.
Result<std::vector<EmbeddedBy>> EmbeddedIn(Store& store, const Case& the_case,
                                           std::span<const StepLink> steps) {
  std::vector<EmbeddedBy> embedded(steps.size(), EmbeddedBy::kNobody);
  std::size_t first = steps.size();
  while (first > 0) {
    ASSAY_TRY(const bool embeds, Embeds(store, steps[first - 1]));
    if (!embeds) break;
    --first;
  }
  const std::size_t count = steps.size() - first;
  if (count == 0) return embedded;
  ASSAY_TRY(const bool last_is_ideal, AsksForIdeal(store, the_case, steps.back().exchanges.front()));
  if (last_is_ideal) embedded.back() = EmbeddedBy::kIdeal;
  const std::size_t answer = steps.size() - (last_is_ideal ? 2 : 1);
  if (answer >= first && answer < steps.size()) embedded[answer] = EmbeddedBy::kAnswer;
  return embedded;
}

}  // namespace assay
