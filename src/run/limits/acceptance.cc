// Holds other calls to a model back while its first one is under way, and learns from the reply which
// parameters it refuses.
#include "run/limits/acceptance.h"

#include <fmt/core.h>

#include <algorithm>

#include "providers/provider.h"
#include "run/model_name.h"

namespace assay {

Acceptance::Model* Acceptance::Find(const Call& call) {
  const auto* request = std::get_if<ModelRequest>(&call.prepared.request);
  if (request == nullptr || call.prepared.recorded) return nullptr;
  const bool is_custom = !request->custom.is_undefined();
  std::string name = ModelNameOf(call.prepared.request);
  if (is_custom) name += " " + request->base_url;  // suites may use one name for several
  const auto [entry, is_new] = by_model_.try_emplace(std::move(name));
  Model& model = entry->second;
  if (!is_new) return &model;
  const ProviderRow* provider = FindProvider(request->provider);
  // A model behind no URL has nobody who could refuse.
  model.is_known = provider == nullptr || (provider->base_url_variable.empty() && !is_custom);
  model.facts = models_.FactsOf(*request);
  return &model;
}

bool Acceptance::Keep(Call& call, TimePoint now) {
  Model* model = Find(call);
  if (model == nullptr || model->is_known || model->first == nullptr || model->first == &call) return false;
  if (now >= model->first_until) return false;
  model->kept.push_back(&call);
  return true;
}

Adaptation Acceptance::OnSend(const Call& call, TimePoint now) {
  Model* model = Find(call);
  if (model == nullptr) return {};
  if (!model->is_known && (model->first == nullptr || model->first == &call)) {
    model->first = &call;
    model->first_until = now + (model->facts ? kFirstKnownMost : kFirstCallMost);
  }
  Adaptation adaptation = model->adaptation;
  if (!model->facts) return adaptation;
  const auto& request = std::get<ModelRequest>(call.prepared.request);
  adaptation.Add(AdaptationOf(*model->facts, request.params));
  if (const std::string left_out = LeftOutParameters(*model->facts, request.params); !left_out.empty()) {
    std::string note =
        fmt::format("{} is asked without {}: it takes none", ModelNameOf(call.prepared.request), left_out);
    if (noted_.insert(note).second) notes_.push_back(std::move(note));
  }
  return adaptation;
}

bool Acceptance::Learn(const Call& call, const Adaptation& learned, bool& is_new) {
  Model* model = Find(call);
  // What was under way when the first complaint came complains too.
  if (model == nullptr || !call.applied.Lacks(learned)) return false;
  is_new = model->adaptation.Lacks(learned);
  model->adaptation.Add(learned);
  return true;
}

void Acceptance::OnReply(const Call& call) {
  Model* model = Find(call);
  if (model != nullptr && model->first == &call) model->is_known = true;
}

std::vector<Call*> Acceptance::Release(TimePoint now) {
  std::vector<Call*> released;
  for (auto& [name, model] : by_model_) {
    if (model.kept.empty() || !(model.is_known || now >= model.first_until)) continue;
    released.insert(released.end(), model.kept.begin(), model.kept.end());
    model.kept.clear();
  }
  return released;
}

TimePoint Acceptance::NextRelease() const {
  TimePoint next = kNever;
  for (const auto& [name, model] : by_model_) {
    if (!model.kept.empty()) next = std::min(next, model.first_until);
  }
  return next;
}

}  // namespace assay
