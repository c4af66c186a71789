// Tests of when a service counts as down, who looks whether it is up again, and when it is given up.
#include "run/limits/pace/outages.h"

#include <doctest/doctest.h>

#include <memory>

namespace assay {

namespace {

using std::chrono::seconds;
using Sign = Outages::Sign;

TimePoint AtSecond(int second) { return TimePoint{} + seconds(second); }

// Calls to models of one service, or of several.
struct ServiceCalls {
  explicit ServiceCalls(std::chrono::seconds patience = seconds(600), bool waits_are_tries = false)
      : outages({.patience = patience, .waits_are_tries = waits_are_tries}) {}
  Call& New(const std::string& model, const std::string& url = {}) {
    ModelRequest request;
    request.provider = "openai";
    request.model = model;
    request.base_url = url;
    calls.push_back(std::make_unique<Call>());
    calls.back()->prepared.request = std::move(request);
    return *calls.back();
  }
  bool Reply(const Call& call, Sign sign, TimePoint now) {
    outages.OnUnderWay(call, true);
    outages.OnUnderWay(call, false);
    return outages.OnReply(call, sign, "refused", now);
  }
  // So many calls fail, one after the other; whether the last one may wait.
  bool Fail(const std::string& model, std::uint32_t times, TimePoint now) {
    bool waits = false;
    for (std::uint32_t i = 0; i < times; ++i) waits = Reply(New(model), Sign::kDown, now);
    return waits;
  }

  std::vector<std::unique_ptr<Call>> calls;
  Outages outages;
};

}  // namespace

TEST_CASE("ten failures in a row, of all models that are asked, are an outage") {
  struct Row {
    const char* name;
    bool (*waits)(ServiceCalls& calls);
    bool want;
  };
  const Row rows[] = {
      {"nine", [](ServiceCalls& calls) { return calls.Fail("a", 9, AtSecond(0)); }, false},
      {"ten", [](ServiceCalls& calls) { return calls.Fail("a", 10, AtSecond(0)); }, true},
      {"of two models",
       [](ServiceCalls& calls) { return calls.Fail("a", 5, AtSecond(0)) || calls.Fail("b", 5, AtSecond(0)); },
       true},
      {"an answer between them",
       [](ServiceCalls& calls) {
         calls.Fail("a", 9, AtSecond(0));
         calls.Reply(calls.New("b"), Sign::kUp, AtSecond(0));
         return calls.Fail("a", 9, AtSecond(0));
       },
       false},
      {"another model is still to say something",
       [](ServiceCalls& calls) {
         calls.outages.OnUnderWay(calls.New("b"), true);
         return calls.Fail("a", 30, AtSecond(0));
       },
       false},
      {"the other one says the same",
       [](ServiceCalls& calls) {
         Call& other = calls.New("b");
         calls.outages.OnUnderWay(other, true);
         calls.Fail("a", 30, AtSecond(0));
         calls.outages.OnUnderWay(other, false);
         return calls.outages.OnReply(other, Sign::kDown, "refused", AtSecond(0));
       },
       true},
      {"another model stands in",
       [](ServiceCalls& calls) {
         bool waits = false;
         for (int i = 0; i < 30; ++i) waits = calls.Reply(calls.New("a"), Sign::kDownFor, AtSecond(0));
         return waits;
       },
       false},
      {"time-outs say nothing",
       [](ServiceCalls& calls) {
         bool waits = false;
         for (int i = 0; i < 30; ++i) waits = calls.Reply(calls.New("a"), Sign::kNothing, AtSecond(0));
         return waits;
       },
       false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    ServiceCalls calls;
    CHECK(row.waits(calls) == row.want);
  }
  ServiceCalls impatient(seconds(0));
  CHECK(!impatient.Fail("a", 30, AtSecond(0)));
  ServiceCalls compatible(seconds(600), true);
  CHECK(!compatible.Fail("a", 30, AtSecond(0)));
}

TEST_CASE("while a service is down one call looks every half a minute, and all go once it answers") {
  ServiceCalls calls;
  CHECK(calls.Fail("a", 10, AtSecond(0)));
  Call& first = calls.New("a");
  Call& other = calls.New("b");
  Call& elsewhere = calls.New("a", "http://127.0.0.1:9");
  CHECK(calls.outages.Keep(first, AtSecond(1)));
  CHECK(calls.outages.Keep(other, AtSecond(1)));
  CHECK(!calls.outages.Keep(elsewhere, AtSecond(1)));
  CHECK(calls.outages.Text(AtSecond(1)).find("2 for openai, which has been down for 1 s (refused)") == 0);
  CHECK(calls.outages.NextRelease(AtSecond(1)) == AtSecond(30));
  CHECK(calls.outages.Release(AtSecond(29), false).empty());
  // A model that may be well is asked before one that is known to fail.
  CHECK(calls.outages.Release(AtSecond(30), false) == std::vector<Call*>{&other});
  CHECK(!calls.outages.Keep(other, AtSecond(30)));
  CHECK(calls.outages.Release(AtSecond(31), false).empty());
  CHECK(calls.outages.NextRelease(AtSecond(31)) == AtSecond(600));
  CHECK(calls.Reply(other, Sign::kDown, AtSecond(32)));
  calls.outages.Wait(other);
  CHECK(calls.outages.Release(AtSecond(61), false).empty());
  CHECK(calls.outages.Release(AtSecond(62), false) == std::vector<Call*>{&first});
  CHECK(!calls.Reply(first, Sign::kUp, AtSecond(63)));
  CHECK(calls.outages.Release(AtSecond(63), false) == std::vector<Call*>{&other});
  CHECK(calls.outages.Text(AtSecond(63)).empty());
  CHECK(calls.outages.NextRelease(AtSecond(63)) == kNever);
}

TEST_CASE("a call that looks and is never sent makes room for the next, and nobody waits in vain") {
  ServiceCalls calls;
  CHECK(calls.Fail("a", 10, AtSecond(0)));
  Call& late = calls.New("a");
  CHECK(calls.outages.IsDown(late.prepared.request, AtSecond(29)));
  CHECK(!calls.outages.IsDown(late.prepared.request, AtSecond(30)));
  CHECK(!calls.outages.Keep(late, AtSecond(30)));  // nobody else waits: it looks
  CHECK(calls.outages.IsDown(late.prepared.request, AtSecond(31)));
  calls.outages.Forget(late);
  CHECK(!calls.outages.IsDown(late.prepared.request, AtSecond(31)));
}

TEST_CASE("patience comes to an end, and so does waiting where the run asks nothing more") {
  ServiceCalls calls(seconds(40));
  CHECK(calls.Fail("a", 10, AtSecond(0)));
  Call& waits = calls.New("a");
  CHECK(calls.outages.Keep(waits, AtSecond(1)));
  CHECK(calls.outages.Release(AtSecond(2), true) == std::vector<Call*>{&waits});
  CHECK(calls.outages.GivenUp(waits.prepared.request) == nullptr);
  CHECK(calls.outages.Keep(waits, AtSecond(3)));
  CHECK(!calls.outages.has_given_up());
  CHECK(calls.outages.Release(AtSecond(40), false) == std::vector<Call*>{&waits});
  REQUIRE(calls.outages.GivenUp(waits.prepared.request) != nullptr);
  CHECK(*calls.outages.GivenUp(waits.prepared.request) ==
        "openai was down for 40 s (--patience), the last time with: refused");
  CHECK(calls.outages.has_given_up());
  CHECK(!calls.outages.Keep(waits, AtSecond(41)));
  CHECK(calls.outages.NextRelease(AtSecond(41)) == kNever);
}

}  // namespace assay
