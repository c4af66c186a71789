// Adds waiting steps to calls by key, finds and removes calls, and names them for people.
#include "run/executor/calls/calls.h"

#include <fmt/core.h>

#include <algorithm>

#include "plan/plan.h"
#include "run/model_name.h"
#include "spec/suite/asked_members.h"
#include "spec/suite/case.h"

namespace assay {

std::chrono::milliseconds TimeLeftOf(const Call& page, TimePoint now) {
  const auto& request = std::get<HttpRequest>(page.prepared.request);
  const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(now - page.first_sent_at);
  return std::max(request.timeout - spent, std::chrono::milliseconds(1));
}

Call& CallTable::Join(PreparedRequest prepared, Waiter waiter, bool& added) {
  auto [entry, is_new] = calls_.try_emplace(prepared.key);
  if (is_new) {
    entry->second = std::make_unique<Call>();
    entry->second->prepared = std::move(prepared);
  }
  entry->second->waiters.push_back(waiter);
  added = is_new;
  return *entry->second;
}

Call* CallTable::Find(const Digest& key) {
  const auto found = calls_.find(key);
  return found == calls_.end() ? nullptr : found->second.get();
}

void CallTable::Erase(const Digest& key) { calls_.erase(key); }

std::string CallName(const Plan& plan, const Call& call) {
  const RequestRole role = call.prepared.tag.role;
  const std::string& case_id = plan.CaseOf(call.prepared.tag.case_index).id;
  if (role == RequestRole::kProgram) return fmt::format("program of a check, case {}", case_id);
  return fmt::format("{} of {}, case {}", RequestRoleName(role), ModelNameOf(call.prepared.request), case_id);
}

std::string SecondsText(TimePoint::duration time) {
  return fmt::format("{} s", std::chrono::duration_cast<std::chrono::seconds>(time).count());
}

}  // namespace assay
