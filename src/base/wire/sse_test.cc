// Tests of server-sent events: whole streams, and the same streams cut at every byte.
#include "base/wire/sse.h"

#include <doctest/doctest.h>

#include "base/limits.h"

namespace assay {

namespace {

struct Row {
  const char* name;
  std::string stream;
  std::vector<SseEvent> want;
};

const std::vector<Row>& Rows() {
  static const std::vector<Row> rows = {
      {"one event", "data: hello\n\n", {{"", "hello"}}},
      {"a name", "event: delta\ndata: {\"a\":1}\n\n", {{"delta", "{\"a\":1}"}}},
      {"several lines of data", "data: a\ndata:b\ndata\ndata:  c\n\n", {{"", "a\nb\n\n c"}}},
      {"CR and CRLF", "data: a\r\rdata: b\r\n\r\ndata: c\n\r\n", {{"", "a"}, {"", "b"}, {"", "c"}}},
      {"comments and other fields", ": ping\n\nid: 7\nretry: 10\nwhat: x\ndata: a\n\n", {{"", "a"}}},
      {"no data, no event", "event: ping\n\ndata\n\ndata: a\n\n", {{"", "a"}}},
      {"an event that is not ended", "data: a\n\ndata: lost\n", {{"", "a"}}},
      {"a byte order mark",
       "\xEF\xBB\xBF"
       "data: a\n\n",
       {{"", "a"}}},
      {"a name lasts one event", "event: x\ndata: a\n\ndata: b\n\n", {{"x", "a"}, {"", "b"}}},
      {"nothing", "", {}},
  };
  return rows;
}

void CheckEvents(const std::vector<SseEvent>& got, const std::vector<SseEvent>& want) {
  REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    CHECK(got[i].name == want[i].name);
    CHECK(got[i].data == want[i].data);
  }
}

}  // namespace

TEST_CASE("streams become events") {
  for (const Row& row : Rows()) {
    CAPTURE(row.name);
    CheckEvents(ReadSse(row.stream), row.want);
  }
}

TEST_CASE("where a stream is cut into pieces makes no difference") {
  for (const Row& row : Rows()) {
    CAPTURE(row.name);
    for (std::size_t cut = 0; cut <= row.stream.size(); ++cut) {
      SseParser parser;
      std::vector<SseEvent> events;
      CHECK(!parser.Feed(std::string_view(row.stream).substr(0, cut), events));
      CHECK(!parser.Feed(std::string_view(row.stream).substr(cut), events));
      CheckEvents(events, row.want);
    }
  }
}

TEST_CASE("a line without end is refused at the limit") {
  SseParser parser;
  std::vector<SseEvent> events;
  const std::string piece(1u << 20, 'x');
  std::optional<Error> error;
  for (std::size_t fed = 0; !error && fed <= 2 * limits::kSseLineBytesMax; fed += piece.size()) {
    error = parser.Feed(piece, events);
  }
  REQUIRE(error);
  CHECK(error->code == ErrorCode::kLimit);
  CHECK(events.empty());
}

}  // namespace assay
