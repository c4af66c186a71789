// Finds out by its exchanges what each step of an old run did: answer, embedding of the answer, or embedding
// of the ideal.
#include "history/old_runs.h"

#include <string>

#include "spec/suite/case.h"
#include "text/json/json.h"

namespace assay {

namespace {

Result<bool> Embeds(Store& store, const StepLink& link) {
  if (link.kind == LinkKind::kAnswer || link.exchanges.empty()) return false;
  ASSAY_TRY(const std::vector<Exchange> exchanges, store.Get(std::span(link.exchanges).first(1)));
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

// In every version the steps that embed stood behind all others, the answer's first.
Result<std::vector<LinkKind>> KindsOf(Store& store, const Case& the_case, std::span<const StepLink> links) {
  std::vector<LinkKind> kinds;
  for (const StepLink& link : links)
    kinds.push_back(link.kind == LinkKind::kBySlot ? LinkKind::kAsk : link.kind);
  std::size_t first = links.size();
  while (first > 0) {
    ASSAY_TRY(const bool embeds, Embeds(store, links[first - 1]));
    if (!embeds) break;
    --first;
  }
  if (first == links.size()) return kinds;
  ASSAY_TRY(const bool last_is_ideal, AsksForIdeal(store, the_case, links.back().exchanges.front()));
  const std::size_t end = links.size() - (last_is_ideal ? 1 : 0);
  if (last_is_ideal) kinds.back() = LinkKind::kEmbedIdeal;
  if (end > first) kinds[end - 1] = LinkKind::kEmbedAnswer;
  return kinds;
}

}  // namespace assay
