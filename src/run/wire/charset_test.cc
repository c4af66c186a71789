// Tests of converting reply bodies to UTF-8.
#include "run/wire/charset.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("marks are skipped, and letters read as what the service wrote them in") {
  const struct {
    const char* type;
    const char* body;
    const char* read;
  } rows[] = {
      {"application/json", "\xEF\xBB\xBF{}", "{}"},
      {"application/json", "{\"a\":\"\xC3\xA9\"}", "{\"a\":\"\xC3\xA9\"}"},
      {"application/json; charset=utf-8", "\xC3\xA9", "\xC3\xA9"},
      {"application/json; charset=ISO-8859-1", "caf\xE9", "caf\xC3\xA9"},
      {"application/json;charset=\"latin1\"; x=y", "\xE9", "\xC3\xA9"},
      {"text/event-stream; charset=windows-1252", "\x80 \x93", "\xE2\x82\xAC \xE2\x80\x9C"},
      {"", "\xE9", "\xE9"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.type);
    HttpReply reply;
    reply.headers.push_back({"content-type", row.type});
    reply.body = row.body;
    ReadAsUtf8(reply);
    CHECK(reply.body == row.read);
  }
}

}  // namespace assay
