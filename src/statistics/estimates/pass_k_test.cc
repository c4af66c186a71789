// Tests of pass@k and pass^k: by counting, not by chance.
#include "statistics/estimates/pass_k.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("of four attempts two passed: what two draws without putting back give") {
  CHECK(PassAny({4, 2}, 1) == 0.5);
  CHECK(PassAll({4, 2}, 1) == 0.5);
  CHECK(PassAny({4, 2}, 2) == doctest::Approx(5.0 / 6));
  CHECK(PassAll({4, 2}, 2) == doctest::Approx(1.0 / 6));
  CHECK(PassAny({4, 2}, 3) == 1);  // two failures cannot fill three places
  CHECK(PassAll({4, 2}, 3) == 0);
  CHECK(PassAny({1'000'000, 1}, 1) == doctest::Approx(1e-6));
}

TEST_CASE("cases with fewer attempts than k are left out, and flaky is who both passed and failed") {
  const PassCount counts[] = {{5, 5}, {5, 3}, {1, 1}, {5, 0}};
  const PassEstimate estimate = EstimatePasses(counts, 2, {});
  CHECK(estimate.cases == 3);
  CHECK(estimate.cases_left_out == 1);
  CHECK(estimate.flaky == 1);
  CHECK(*estimate.any.mean == doctest::Approx((1 + 0.9 + 0) / 3));
  CHECK(*estimate.all.mean == doctest::Approx((1 + 0.3 + 0) / 3));
}

}  // namespace
}  // namespace assay
