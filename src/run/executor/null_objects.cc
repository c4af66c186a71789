// What a run does without.
#include "run/executor/null_objects.h"

namespace assay {

namespace {

class RefusingLauncher final : public Launcher {
 public:
  void Run(Ticket ticket, ProcessRequest, CompletionSink& sink) override {
    ProcessReply reply;
    reply.error = Error{ErrorCode::kUnsupported, "programs cannot be run here"};
    sink.Deliver({.ticket = ticket, .reply = std::move(reply)});
  }
  void CancelAll() override {}
};

class UnlimitedBudget final : public Budget {
 public:
  Grant Reserve(const CallCost&) override { return Grant::kGiven; }
  void Settle(const CallCost&, const CallCost&) override {}
  BudgetLimits limits() const override { return {}; }
  CallCost left() const override { return {}; }
};

class NeedlessClaims final : public CallClaims {
 public:
  bool AreNeeded() const override { return false; }
  Result<std::vector<bool>> Claim(std::span<const Digest> keys, std::uint32_t) override {
    return std::vector<bool>(keys.size(), true);
  }
  Status Free(std::span<const Digest>, std::uint32_t) override { return Ok(); }
  Result<std::vector<ClaimHolder>> HoldersOf(std::span<const Digest>, std::uint32_t) override {
    return std::vector<ClaimHolder>();
  }
};

}  // namespace

Launcher& NoLauncher() {
  static RefusingLauncher launcher;
  return launcher;
}

Budget& NoBudget() {
  static UnlimitedBudget budget;
  return budget;
}

CallClaims& NoClaims() {
  static NeedlessClaims claims;
  return claims;
}

}  // namespace assay
