// Counts failures in a row by service, keeps calls while a service is down, and lets one look for it.
#include "run/limits/pace/outages.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "run/model_name.h"

namespace assay {

namespace {

// Provider and URL: what is at two URLs fails by itself. "": the request goes to no model's service.
std::pair<std::string, std::string> ProviderAndUrl(const Request& request) {
  if (const auto* model = std::get_if<ModelRequest>(&request)) return {model->provider, model->base_url};
  if (const auto* embed = std::get_if<EmbedRequest>(&request)) return {embed->provider, embed->base_url};
  return {};
}

std::string NameOfService(const std::pair<std::string, std::string>& service) {
  return fmt::format("{} {}", service.first, service.second);
}

std::int64_t SecondsOf(TimePoint::duration time) {
  return std::chrono::duration_cast<std::chrono::seconds>(std::max(time, TimePoint::duration{})).count();
}

}  // namespace

Outages::Outages(const RetryPolicy& policy)
    : patience_(policy.waits_are_tries ? std::chrono::milliseconds(0) : policy.patience),
      look_every_(std::min<std::chrono::microseconds>(kLookEvery, patience_ / 2)) {}

Outages::Service* Outages::Find(const Request& request) {
  const auto service = ProviderAndUrl(request);
  if (service.first.empty() || patience_.count() <= 0) return nullptr;
  return &services_.try_emplace(NameOfService(service), Service{.name = service.first}).first->second;
}

const Outages::Service* Outages::Find(const Request& request) const {
  if (services_.empty()) return nullptr;
  const auto found = services_.find(NameOfService(ProviderAndUrl(request)));
  return found == services_.end() ? nullptr : &found->second;
}

void Outages::OnUnderWay(const Call& call, bool is_more) {
  Service* service = Find(call.prepared.request);
  if (service == nullptr) return;
  Model& model = service->models[ModelNameOf(call.prepared.request)];
  is_more ? ++model.under_way : --model.under_way;
}

void Outages::Rise(Service& service) {
  service.failures = 0;
  service.down_since.reset();
  service.given_up.clear();
  for (auto& [name, model] : service.models) model.has_failed = false;
}

bool Outages::OnReply(const Call& call, Sign sign, const std::string& message, TimePoint now) {
  Service* service = Find(call.prepared.request);
  if (service == nullptr) return false;
  const bool has_looked = service->looks == &call;
  if (has_looked) {
    service->looks = nullptr;
    service->look_at = now + look_every_;
  }
  if (sign == Sign::kUp) {
    Rise(*service);
  } else if (sign != Sign::kNothing) {
    if (sign == Sign::kDown) ++service->failures;
    service->last_message = message;
    service->models[ModelNameOf(call.prepared.request)].has_failed = true;
    const bool is_of_all = std::all_of(service->models.begin(), service->models.end(), [](const auto& model) {
      return model.second.has_failed || model.second.under_way == 0;
    });
    if (!service->down_since && service->failures >= kFailuresMax && is_of_all) {
      service->down_since = now;
      service->look_at = now + look_every_;
    }
  }
  return service->IsWaitedFor();
}

void Outages::Wait(Call& call) { Find(call.prepared.request)->kept.push_back(&call); }

bool Outages::Keep(Call& call, TimePoint now) {
  const bool is_any_down = std::any_of(services_.begin(), services_.end(),
                                       [](const auto& each) { return each.second.IsWaitedFor(); });
  Service* service = is_any_down ? Find(call.prepared.request) : nullptr;
  if (service == nullptr || !service->IsWaitedFor() || service->looks == &call) return false;
  if (service->MayLook(now) && service->kept.empty()) {
    service->looks = &call;
    return false;
  }
  service->kept.push_back(&call);
  return true;
}

bool Outages::IsDown(const Request& request, TimePoint now) const {
  const Service* service = Find(request);
  return service != nullptr && service->IsWaitedFor() && !(service->MayLook(now) && service->kept.empty());
}

// Of a model that is not known to fail, if there is one: what one model says of the service another may not.
Call* Outages::TakeLooker(Service& service) {
  auto chosen = std::find_if(service.kept.begin(), service.kept.end(), [&service](const Call* call) {
    return !service.models[ModelNameOf(call->prepared.request)].has_failed;
  });
  if (chosen == service.kept.end()) chosen = service.kept.begin();
  Call* looker = *chosen;
  service.kept.erase(chosen);
  service.looks = looker;
  return looker;
}

void Outages::GiveUp(Service& service) {
  service.given_up =
      fmt::format("{} was down for {} s (--patience), the last time with: {}", service.name,
                  std::chrono::duration_cast<std::chrono::seconds>(patience_).count(), service.last_message);
  all_given_up_.push_back(service.given_up);
}

std::vector<Call*> Outages::Release(TimePoint now, bool is_over) {
  std::vector<Call*> released;
  for (auto& [key, service] : services_) {
    if (service.IsWaitedFor() && !is_over && now - *service.down_since >= patience_) GiveUp(service);
    if (is_over || !service.IsWaitedFor()) {
      released.insert(released.end(), service.kept.begin(), service.kept.end());
      service.kept.clear();
    } else if (service.MayLook(now) && !service.kept.empty()) {
      released.push_back(TakeLooker(service));
    }
  }
  return released;
}

TimePoint Outages::NextRelease(TimePoint now) const {
  TimePoint next = kNever;
  for (const auto& [key, service] : services_) {
    if (!service.IsWaitedFor()) continue;
    next = std::min(next, *service.down_since + patience_);
    if (service.looks == nullptr && service.look_at > now) next = std::min(next, service.look_at);
  }
  return next;
}

void Outages::Forget(const Call& call) {
  for (auto& [key, service] : services_) {
    if (service.looks == &call) service.looks = nullptr;
  }
}

const std::string* Outages::GivenUp(const Request& request) const {
  const Service* service = Find(request);
  return service == nullptr || service->given_up.empty() ? nullptr : &service->given_up;
}

std::string Outages::Text(TimePoint now) const {
  std::string text;
  for (const auto& [key, service] : services_) {
    if (!service.IsWaitedFor()) continue;
    text += fmt::format(
        "{}{} for {}, which has been down for {} s ({}); the next look in {} s, given up in {} s "
        "(--patience)",
        text.empty() ? "" : "; ", service.kept.size(), service.name, SecondsOf(now - *service.down_since),
        service.last_message, SecondsOf(service.look_at - now),
        SecondsOf(*service.down_since + patience_ - now));
  }
  return text;
}

}  // namespace assay
