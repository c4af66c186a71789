// Two simulated providers with batch interfaces, Anthropic's and OpenAI's, that delay, lose and refuse; what
// they know outlives the program that asks them.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/wire/transport.h"
#include "run/wire/endpoints.h"
#include "tests/sim/fake_world.h"

namespace assay::sim {

// What the services know and do. One for all sittings.
struct BatchServices {
  std::mt19937_64 dice{1};
  double failure_rate = 0;   // of requests: refused, cut on the way there, cut on the way back
  double missing_rate = 0;   // of the requests of a batch: expired unasked
  double overload_rate = 0;  // of the requests of a batch: it says that it was overloaded
  int polls_max = 3;         // questions that find a batch still running, at most
  double stuck_rate = 0;     // of batches: they end only when they are cancelled

  struct Batch {
    std::string endpoint;
    std::vector<std::pair<std::string, std::string>> requests;  // id, body
    int polls = 0;
    bool is_stuck = false;
    bool is_cancelled = false;
    std::string results;  // lines; made once
  };
  std::map<std::string, Batch> batches;
  std::map<std::string, std::string> files;
  std::map<std::string, int> answered;  // by body: alone, or in results that were made
  std::uint64_t alone = 0;

  HttpReply Handle(const HttpRequest& request);

 private:
  bool Happens(double rate);
  std::string Begin(std::string endpoint, std::vector<std::pair<std::string, std::string>> requests);
  HttpReply AtAnthropic(const HttpRequest& request);
  HttpReply AtOpenAi(const HttpRequest& request);
  std::string ReplyBody(const std::string& endpoint, const std::string& body);
  bool HasEnded(Batch& batch);
  void MakeResults(Batch& batch);
};

// The way to them: takes its time, and loses things.
class BatchNetwork final : public Transport {
 public:
  BatchNetwork(FakeClock& clock, BatchServices& services) : clock_(clock), services_(services) {}
  void Send(Ticket ticket, HttpRequest request, CompletionSink& sink) override;
  void CancelAll() override { clock_.ForgetAll(); }

 private:
  FakeClock& clock_;
  BatchServices& services_;
};

// The suite of the other simulations, asked of these providers.
Suite BatchedSuite();
Endpoints BatchKeys();

}  // namespace assay::sim
