// Tests of pages that an agent opens: one deadline over all tries, however often a server says that it is in
// trouble.
#include <doctest/doctest.h>

#include "spec/suite/suite.h"
#include "tests/sim/town.h"

namespace assay::sim {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kDeadline{25'000};

std::uint32_t OneRequest(const Case&, const Variant&) { return 1; }

// Opens one page, as the agent's tools do, and answers what it says.
Action NextPage(const StepContext& context, std::span<const Exchange> so_far) {
  if (so_far.empty()) {
    HttpRequest page{.method = "GET",
                     .url = "http://pages.test/" + context.TheCase().id,
                     .headers = {},
                     .body = {},
                     .timeout = kDeadline,
                     .redirects_max = 5};
    RequestTag tag;
    tag.role = RequestRole::kTool;
    return Need{.requests = {{.request = std::move(page), .tag = std::move(tag)}}};
  }
  Transcript said;
  if (so_far.front().error) said.error = so_far.front().error->message;
  said.answer = said.error.empty() ? "a page" : "";
  return Done{std::move(said)};
}

constexpr GeneratorRow kPage[] = {{.name = "page", .max_requests = OneRequest, .next = NextPage}};

Suite PageSuite() {
  Suite suite = QuestionSuite(1);
  suite.cases.front().generator = "page";
  return suite;
}

}  // namespace

TEST_CASE("a page that drips or fails has one deadline over all its tries") {
  for (const auto& [status, delay] :
       {std::pair(503, milliseconds(500)), std::pair(500, milliseconds(500)),
        std::pair(500, milliseconds(4'000)), std::pair(500, milliseconds(11'000))}) {
    CAPTURE(status);
    CAPTURE(delay.count());
    Town town(PageSuite(), 4, {.generators = kPage});
    town.options.retry.max_retries = 100;
    town.service.delay = delay;
    town.service.status = status;
    CHECK(town.Run("run-0") == RunEnding::kWhole);
    const std::vector<TimePoint>& asked = town.service.asked;
    REQUIRE(!asked.empty());
    CHECK(asked.size() >= (status == 500 ? 2 : 1));
    CHECK(asked.back() - asked.front() < kDeadline);
    for (std::size_t i = 0; i < asked.size(); ++i)
      CHECK(town.service.requests[i].timeout <= kDeadline - (asked[i] - asked.front()) + milliseconds(1));
    CHECK(town.progress.errors == 1);
    CHECK(town.clock.Now() < asked.front() + kDeadline + delay + seconds(1));
  }
}

}  // namespace assay::sim
