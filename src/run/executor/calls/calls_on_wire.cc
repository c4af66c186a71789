// Counts calls under way for pace, outages and progress.
#include "run/executor/calls/calls_on_wire.h"

#include <fmt/core.h>

#include <algorithm>

namespace assay {

Ticket CallsOnWire::Put(Call& call) {
  Progress& progress = world_.progress;
  call.sent_at = world_.Now();
  const Ticket ticket = next_ticket_++;
  calls_.emplace(ticket, &call);
  world_.deps.pace.OnUnderWay(call.pool, ++pools_.Of(call).in_flight);
  outages_.OnUnderWay(call, true);
  ++progress.in_flight;
  progress.in_flight_reached = std::max(progress.in_flight_reached, progress.in_flight);
  return ticket;
}

Call* CallsOnWire::Find(Ticket ticket) const {
  const auto found = calls_.find(ticket);
  return found == calls_.end() ? nullptr : found->second;
}

Call* CallsOnWire::Take(Ticket ticket) {
  const auto found = calls_.find(ticket);
  if (found == calls_.end()) return nullptr;
  Call* call = found->second;
  calls_.erase(found);
  world_.deps.pace.OnUnderWay(call->pool, --pools_.Of(*call).in_flight);
  outages_.OnUnderWay(*call, false);
  --world_.progress.in_flight;
  return call;
}

std::vector<Ticket> CallsOnWire::TicketsOfBatches() const {
  std::vector<Ticket> tickets;
  for (const auto& [ticket, call] : calls_) {
    if (pools_.IsBatched(*call) || call->in_background) tickets.push_back(ticket);
  }
  std::sort(tickets.begin(), tickets.end());
  return tickets;
}

std::string CallsOnWire::Text(TimePoint now) const {
  if (calls_.empty()) return {};
  const auto oldest = std::min_element(calls_.begin(), calls_.end(),
                                       [](const auto& a, const auto& b) { return a.first < b.first; });
  return fmt::format("{} under way, the oldest for {} ({})", calls_.size(),
                     SecondsText(now - oldest->second->sent_at), CallName(world_.plan, *oldest->second));
}

}  // namespace assay
