// Tests of when a model is not asked any more.
#include "run/limits/pace/breakers.h"

#include <doctest/doctest.h>

namespace assay {

namespace {

Request Asked(std::string model) {
  ModelRequest request;
  request.provider = "openai";
  request.model = std::move(model);
  return request;
}

}  // namespace

TEST_CASE("calls that fail in a row for the same reason open a model's breaker") {
  const struct {
    int status;
    ErrorCode code;
    std::uint32_t failures;  // that open it; 0: it never opens
  } rows[] = {
      {401, ErrorCode::kRefused, 3},       {404, ErrorCode::kNotFound, 3}, {402, ErrorCode::kInvalidInput, 3},
      {403, ErrorCode::kRefused, 10},      {500, ErrorCode::kService, 10}, {429, ErrorCode::kRateLimited, 10},
      {400, ErrorCode::kInvalidInput, 10}, {0, ErrorCode::kTimeout, 10},   {0, ErrorCode::kNetwork, 10},
      {200, ErrorCode::kCorrupt, 10},      {200, ErrorCode::kRefused, 0},  {200, ErrorCode::kNoAnswer, 0},
  };
  for (const auto& row : rows) {
    CAPTURE(row.status);
    Breakers breakers;
    std::uint32_t failures = 0;
    while (failures < 30 && breakers.Cut(Asked("m")) == nullptr) {
      breakers.CountFailure(Asked("m"), row.status, Error{row.code, "no"});
      ++failures;
    }
    CHECK(failures == (row.failures == 0 ? 30 : row.failures));
    CHECK(breakers.Cut(Asked("other")) == nullptr);
  }
}

TEST_CASE("what is of one question never counts; what is hopeless counts at once") {
  Breakers breakers;
  for (int i = 0; i < 30; ++i) {
    breakers.CountFailure(Asked("m"), 400, Error{ErrorCode::kContentFilter, "no"});
    breakers.CountFailure(Asked("m"), 400, Error{ErrorCode::kContextWindow, "long"});
  }
  CHECK(breakers.Cut(Asked("m")) == nullptr);
  breakers.CountFailure(Asked("m"), 429, Error{ErrorCode::kRateLimited, "spent"}, true);
  CHECK(breakers.Cut(Asked("m")) != nullptr);
}

TEST_CASE("an answer, or a failure of another kind, starts the count again") {
  Breakers breakers;
  const auto fail = [&](int status) {
    breakers.CountFailure(Asked("m"), status, Error{ErrorCode::kNetwork, "no"});
  };
  for (int i = 0; i < 9; ++i) fail(500);
  breakers.CountAnswer(Asked("m"));
  for (int i = 0; i < 9; ++i) fail(500);
  fail(503);
  for (int i = 0; i < 9; ++i) fail(500);
  CHECK(breakers.Cut(Asked("m")) == nullptr);
  fail(500);
  REQUIRE(breakers.Cut(Asked("m")) != nullptr);
  CHECK(breakers.Cut(Asked("m"))->message ==
        "not asked: 10 calls of openai:m in a row failed for good, the last with: no");
  REQUIRE(breakers.Open().size() == 1);
  CHECK(breakers.Open().begin()->second.cut == 2);
}

TEST_CASE(
    "a refusal of a request that quotes a text does not count, unless it speaks of key, model or rate") {
  for (const int status : {200, 400, 403, 406, 409, 413, 422, 451, 499}) {
    CAPTURE(status);
    Breakers breakers;
    for (int i = 0; i < 20; ++i)
      breakers.CountFailureOnText(Asked("m"), status, Error{ErrorCode::kInvalidInput, "no"}, false);
    CHECK(breakers.Cut(Asked("m")) == nullptr);
    breakers.CountFailureOnText(Asked("m"), status, Error{ErrorCode::kInvalidInput, "quota"}, true);
    CHECK(breakers.Cut(Asked("m")) != nullptr);
  }
  for (const int status : {0, 401, 402, 404, 408, 429, 498, 500, 503}) {
    CAPTURE(status);
    Breakers breakers;
    for (int i = 0; i < 10; ++i)
      breakers.CountFailureOnText(Asked("m"), status, Error{ErrorCode::kService, "no"}, false);
    CHECK(breakers.Cut(Asked("m")) != nullptr);
  }
}

TEST_CASE(
    "what was noted of a model stands in the reason of calls that are cut, here and in other processes") {
  Breakers there;
  there.NoteOnceOpen(Asked("m"), "noted");
  CHECK(there.Cut(Asked("m")) == nullptr);
  there.CountAnswer(Asked("m"));
  for (int i = 0; i < 3; ++i) there.CountFailure(Asked("m"), 401, Error{ErrorCode::kRefused, "wrong key"});
  REQUIRE(there.Cut(Asked("m")) != nullptr);
  CHECK(there.Cut(Asked("m"))->message.ends_with("wrong key; noted"));
  const auto open = there.Open();
  Breakers here;
  here.Break(open.begin()->first, open.begin()->second.model, open.begin()->second.last_message);
  CHECK(here.Cut(Asked("m"))->message.ends_with("wrong key; noted"));
}

TEST_CASE("what another process found to fail again and again is asked no more, and told to nobody") {
  Breakers there;
  for (int i = 0; i < 3; ++i) there.CountFailure(Asked("m"), 401, Error{ErrorCode::kRefused, "wrong key"});
  const auto open = there.Open();
  REQUIRE(open.size() == 1);
  Breakers here;
  here.Break(open.begin()->first, open.begin()->second.model, open.begin()->second.last_message);
  here.Break(open.begin()->first, open.begin()->second.model, "again");
  REQUIRE(here.Cut(Asked("m")) != nullptr);
  CHECK(here.Cut(Asked("m"))->message ==
        "not asked: calls of openai:m failed again and again in another process of the run, the last with: "
        "wrong key");
  CHECK(here.Cut(Asked("other")) == nullptr);
  CHECK(here.Open().begin()->second.is_told);
}

}  // namespace assay
