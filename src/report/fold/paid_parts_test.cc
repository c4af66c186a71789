// Tests how what a run paid is told from what earlier runs, caches and batches saved it.
#include "report/fold/paid_parts.h"

#include <doctest/doctest.h>

#include "tests/support/test_store.h"

namespace assay {

namespace {

using testing::Answered;
using testing::MakeRun;
using testing::TempFolder;
using testing::TestSitting;

// A token in costs a dollar, one from a cache a tenth.
std::optional<double> PriceOfTokens(const ModelRef&, const Usage& usage, double price_factor) {
  const auto in = static_cast<double>(usage.input_tokens - usage.cached_read_tokens);
  return price_factor * (in + 0.1 * static_cast<double>(usage.cached_read_tokens));
}

Exchange Asked(const std::string& name, std::int64_t at_ms, std::int64_t cached, double price_factor) {
  ModelRequest request;
  request.provider = "openai";
  request.model = name;
  Exchange exchange = Answered(name, "answer", 0);
  exchange.request = CanonicalText(request);
  exchange.usage = {.input_tokens = 100, .known = true, .cached_read_tokens = cached};
  exchange.started_ms = at_ms;
  exchange.price_factor = price_factor;
  return exchange;
}

}  // namespace

TEST_CASE("each saving counts at the price that those before it left") {
  const TempFolder folder;
  const std::unique_ptr<Store> store = OpenStore({.path = folder.Path("store.db")}).value();
  RunRecord run = MakeRun("r1");
  run.context.started_ms = 1'000;
  REQUIRE(store->BeginRun(run).has_value());
  TestSitting sitting(*store, "r1");
  const std::vector<Exchange> exchanges = sitting.Keep(
      {Asked("old", 999, 50, 1), Asked("cached", 1'000, 50, 1), Asked("batched", 2'000, 50, 0.5)});
  std::vector<CellResult> cells{{.cell = 0, .scores = "s", .steps = {}}};
  for (const Exchange& exchange : exchanges) cells[0].steps.push_back({.exchanges = {exchange.id}});
  sitting.Grade(cells);
  const PaidParts parts = PaidPartsOf(*store, run, PriceOfTokens).value();
  CHECK(parts.list == doctest::Approx(300));
  CHECK(parts.earlier == doctest::Approx(100));
  CHECK(parts.earlier_calls == 1);
  CHECK(parts.found == doctest::Approx(90));
  CHECK(parts.found_tokens == 100);
  CHECK(parts.batched == doctest::Approx(27.5));
  REQUIRE(parts.by_role.size() == 1);
  CHECK(parts.by_role.begin()->second == doctest::Approx(82.5));
}

}  // namespace assay
