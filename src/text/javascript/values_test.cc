// Tests of values as JavaScript prints and reads them.
#include "text/javascript/values.h"

#include <doctest/doctest.h>

#include <cmath>

#include "text/object.h"

namespace assay {

TEST_CASE("values as texts") {
  CHECK(JsString(Array(1, Null{}, Array("b", Value()), Object{{"k", 1}})) == "1,,b,,[object Object]");
  CHECK(JsString(Null{}) == "null");
  CHECK(JsString(Date{0}) == "1970-01-01T00:00:00.000Z");
  CHECK(JsJson(Value()) == "undefined");
}

TEST_CASE("numbers print in so many digits as in JavaScript") {
  CHECK(JsToPrecision(12.5, 2) == "13");
  CHECK(JsToPrecision(0.0010001, 2) == "0.0010");
  CHECK(JsToPrecision(1e-9, 2) == "1.0e-9");
  CHECK(JsToPrecision(9.96, 2) == "10");
  CHECK(JsToPrecision(1234, 2) == "1.2e+3");
  CHECK(JsNumber(" 0x1F ") == 31);
  CHECK(std::isnan(JsNumber("1 2")));
}

}  // namespace assay
