// Keeps the slowest calls, and groups failures by model and message.
#include "run/findings.h"

#include <fmt/core.h>

#include <algorithm>

namespace assay {

std::optional<Error> FailureOf(const Exchange& exchange) {
  if (exchange.error) return exchange.error;
  const auto* http = std::get_if<HttpReply>(&exchange.reply);
  if (http == nullptr || exchange.Reusable()) return std::nullopt;
  return Error{ErrorCode::kService, fmt::format("a service answered with status {}", http->status)};
}

bool Findings::IsSlow(std::int64_t duration_ms) const {
  return slowest_.size() < kSlowestMax || duration_ms > slowest_.back().duration_ms;
}

void Findings::AddSlow(SlowCall call) {
  const auto place = std::upper_bound(
      slowest_.begin(), slowest_.end(), call.duration_ms,
      [](std::int64_t duration_ms, const SlowCall& other) { return duration_ms > other.duration_ms; });
  slowest_.insert(place, std::move(call));
  if (slowest_.size() > kSlowestMax) slowest_.pop_back();
}

void Findings::AddFailure(const std::string& model, const std::string& message, const std::string& case_id) {
  const auto found = failures_.find({model, message});
  if (found != failures_.end()) {
    ++found->second.calls;
  } else if (failures_.size() == kFailureGroupsMax) {
    ++left_out_;
  } else {
    failures_[{model, message}] = {.model = model, .message = message, .first_case = case_id, .calls = 1};
  }
}

std::vector<FailureGroup> Findings::Failures() const {
  std::vector<FailureGroup> groups;
  for (const auto& [key, group] : failures_) groups.push_back(group);
  std::stable_sort(groups.begin(), groups.end(),
                   [](const FailureGroup& a, const FailureGroup& b) { return a.calls > b.calls; });
  return groups;
}

}  // namespace assay
