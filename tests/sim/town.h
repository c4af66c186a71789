// A small simulation for tests of single promises: one service that does as a test says, a clock that jumps,
// an executor without threads.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "run/executor/executor.h"
#include "tests/sim/sim_run.h"

namespace assay::sim {

// Questions to one echo model, graded by nothing.
Suite QuestionSuite(std::size_t cases);

// Answers after a while, with a status or as a test says; remembers what it was asked and when.
class Service final : public Transport {
 public:
  using Answer = std::function<HttpReply(const HttpRequest& request)>;
  explicit Service(FakeClock& clock) : clock_(clock) {}
  void Send(Ticket ticket, HttpRequest request, CompletionSink& sink) override;
  void CancelAll() override { clock_.ForgetAll(); }

  int status = 200;
  std::chrono::milliseconds delay{1000};
  Answer answer;  // comes before `status`
  std::vector<TimePoint> asked;
  std::vector<HttpRequest> requests;

 private:
  FakeClock& clock_;
};

struct Town {
  TempFolder folder;
  FakeClock clock{1'000'000};
  Service service{clock};
  std::unique_ptr<Store> store;
  std::shared_ptr<const Plan> plan;
  ExecutorOptions options;
  ModelBook models;
  Progress progress;
  std::vector<std::string> notes;
  std::set<std::string> waits;  // what the run said that it waited for

  explicit Town(Suite suite, std::size_t width = 4, const MoreRows& more = {});
  RunEnding Run(const std::string& id, Budget& budget = NoBudget());
};

}  // namespace assay::sim
