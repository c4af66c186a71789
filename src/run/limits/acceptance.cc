// First calls, and who waits for them.
#include "run/limits/acceptance.h"

#include <fmt/core.h>

#include <algorithm>

#include "providers/provider.h"
#include "run/model_name.h"

namespace assay {

Acceptance::Model* Acceptance::Find(const Call& call) {
  const auto* request = std::get_if<ModelRequest>(&call.prepared.request);
  if (request == nullptr || call.prepared.recorded || !request->custom.is_undefined()) return nullptr;
  const auto [entry, is_new] = by_model_.try_emplace(ModelNameOf(call.prepared.request));
  Model& model = entry->second;
  if (!is_new) return &model;
  const std::optional<ModelFacts> facts = models_.Find(request->provider, request->model);
  const ProviderRow* provider = FindProvider(request->provider);
  // A model behind no URL has nobody who could refuse.
  model.is_known = facts || provider == nullptr || provider->base_url_variable.empty();
  if (!facts) return &model;
  model.adaptation = AdaptationOf(*facts);
  if (const std::string left_out = LeftOut(*facts, request->params); !left_out.empty())
    notes_.push_back(fmt::format("{} is asked without {}: it takes none", entry->first, left_out));
  return &model;
}

bool Acceptance::Keep(Call& call, TimePoint now) {
  Model* model = Find(call);
  if (model == nullptr || model->is_known || model->first == nullptr || model->first == &call) return false;
  if (now >= model->first_until) return false;
  model->kept.push_back(&call);
  return true;
}

const Adaptation& Acceptance::OnSend(const Call& call, TimePoint now) {
  static const Adaptation kNone;
  Model* model = Find(call);
  if (model == nullptr) return kNone;
  if (!model->is_known && (model->first == nullptr || model->first == &call)) {
    model->first = &call;
    model->first_until = now + kFirstCallMost;
  }
  return model->adaptation;
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
