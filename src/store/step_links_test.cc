// Tests of the bytes of step links and lists of numbers.
#include "store/step_links.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("links of steps survive their encoding; torn bytes are an error") {
  const std::vector<std::vector<StepLink>> all{
      {},
      {{.kind = LinkKind::kAnswer, .exchanges = {1}}},
      {{.kind = LinkKind::kAnswer, .role = RequestRole::kSummary, .exchanges = {5, 3, 1'000'000'007}},
       {.kind = LinkKind::kEmbedAnswer, .role = RequestRole::kEmbedding, .exchanges = {}},
       {.kind = LinkKind::kEmbedIdeal, .role = RequestRole::kEmbedding, .exchanges = {2}}},
      {{.kind = LinkKind::kAsk,
        .role = kLastRequestRole,
        .check = 0xffffffffu,
        .exchanges = {~std::uint64_t{0} >> 1}}}};
  for (const auto& steps : all) {
    const std::string bytes = EncodeStepLinks(steps);
    const auto back = DecodeStepLinks(bytes);
    REQUIRE(back.has_value());
    REQUIRE(back->size() == steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      CHECK((*back)[i].kind == steps[i].kind);
      CHECK((*back)[i].role == steps[i].role);
      CHECK((*back)[i].check == steps[i].check);
      CHECK((*back)[i].exchanges == steps[i].exchanges);
    }
    if (!bytes.empty()) CHECK(!DecodeStepLinks(bytes.substr(0, bytes.size() - 1)).has_value());
  }
}

TEST_CASE("links that no assay writes are an error") {
  for (const std::string_view bytes :
       {std::string_view("\x01\x7f", 2), std::string_view("\x00\x02\x0e\x01", 4),
        std::string_view("\x80\x00\x04\x00\x00\x00", 6), std::string_view("\x80\x00\x00\x7f\x00\x00", 6)})
    CHECK(!DecodeStepLinks(bytes).has_value());
}

TEST_CASE("lists of numbers survive their encoding") {
  const std::vector<std::uint64_t> numbers{0, 5, 4, 1'000'000'007, ~std::uint64_t{0}};
  const std::string bytes = EncodeNumbers(numbers);
  CHECK(DecodeNumbers(bytes).value() == numbers);
  CHECK(DecodeNumbers("").value().empty());
  CHECK(!DecodeNumbers(bytes.substr(0, bytes.size() - 1)).has_value());
}

TEST_CASE("a cell names at most a million exchanges") {
  StepLink step{.kind = LinkKind::kAnswer, .exchanges = std::vector<ExchangeId>(1'000'000, 7)};
  CHECK(DecodeStepLinks(EncodeStepLinks({step})).has_value());
  step.exchanges.push_back(7);
  CHECK(DecodeStepLinks(EncodeStepLinks({step})).error().code == ErrorCode::kCorrupt);
}

}  // namespace assay
