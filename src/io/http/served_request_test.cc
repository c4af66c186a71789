// What the local server reads as a request, and what it refuses.
#include "io/http/served_request.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace assay {

namespace {

const std::string kHost = "Host: a\r\n";
const std::string kGetHead = "GET / HTTP/1.1\r\n" + kHost;
const std::string kPost = "POST / HTTP/1.1\r\n" + kHost;

const std::string kRefusedRequests[] = {
    "nonsense\r\n\r\n",
    "\r\n" + kGetHead + "\r\n",
    "\r\n\r\n",
    "GET relative HTTP/1.1\r\n" + kHost + "\r\n",
    "GET http://a/ HTTP/1.1\r\n" + kHost + "\r\n",
    "GET /#x HTTP/1.1\r\n" + kHost + "\r\n",
    "GET  / HTTP/1.1\r\n" + kHost + "\r\n",
    "GET / HTTP/1.1 \r\n" + kHost + "\r\n",
    "GET\t/ HTTP/1.1\r\n" + kHost + "\r\n",
    "G(T / HTTP/1.1\r\n" + kHost + "\r\n",
    " GET / HTTP/1.1\r\n" + kHost + "\r\n",
    "GET /\r\n" + kHost + "\r\n",
    "GET / HTTP/1.x\r\n" + kHost + "\r\n",
    "GET / HTTP/1.2\r\n" + kHost + "\r\n",
    "GET / HTTP/1.11\r\n" + kHost + "\r\n",
    "GET / HTTP/1.\r\n" + kHost + "\r\n",
    "GET / HTTP/2.0\r\n" + kHost + "\r\n",
    "GET / http/1.1\r\n" + kHost + "\r\n",
    "GET / SPDY/3\r\n" + kHost + "\r\n",
    "GET / HTTP/1.1\n",
    "GET / HTTP/1.1\nHost: a\n\n",
    kGetHead + "X: 1\nY: 2\r\n\r\n",
    kGetHead + "X: 1\n",
    kGetHead + "X: 1\rY: 2\r\n\r\n",
    kGetHead + "\r\r\n",
    kGetHead +
        "X: a\x01"
        "b\r\n\r\n",
    kGetHead + std::string("X: a\0b\r\n\r\n", 10),
    kGetHead + "X: a\x7F\r\n\r\n",
    std::string("\x16\x03\x01\x02", 4),
    kGetHead + " folded\r\n\r\n",
    kGetHead + "\tfolded\r\n\r\n",
    kGetHead + "no colon\r\n\r\n",
    kGetHead + ": no name\r\n\r\n",
    kGetHead + "Name : value\r\n\r\n",
    kGetHead + "Name\t: value\r\n\r\n",
    kGetHead + "Na(me: value\r\n\r\n",
    kGetHead + "N\xC3\xA4me: value\r\n\r\n",
    "GET / HTTP/1.1\r\n\r\n",
    kGetHead + "Host: a\r\n\r\n",
    kGetHead + "host: b\r\n\r\n",
    "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
    kPost + "Content-Length: 1\r\nContent-Length: 1\r\n\r\na",
    kPost + "Content-Length: 1\r\ncontent-length: 2\r\n\r\na",
    kPost + "Content-Length: 1, 1\r\n\r\na",
    kPost + "Content-Length:\r\n\r\n",
    kPost + "Content-Length: -1\r\n\r\n",
    kPost + "Content-Length: +1\r\n\r\na",
    kPost + "Content-Length: 0x1\r\n\r\na",
    kPost + "Content-Length: 1 1\r\n\r\na",
    kPost + "Content-Length: 1.0\r\n\r\na",
    kPost + "Content-Length: 18446744073709551616\r\n\r\n",
    kPost + "Content-Length: 99999999999999999999999999\r\n\r\n",
    kPost + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    kPost + "Transfer-Encoding:\r\n\r\n",
    kPost + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n",
    kPost + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\na",
    kPost + "Expect: 100-continue\r\nContent-Length: 1\r\n\r\na",
    kGetHead + "Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    kGetHead + "X: " + std::string(kServedHeadBytesMax, 'x'),
    kGetHead + "X: " + std::string(kServedHeadBytesMax, 'x') + "\r\n\r\n",
};

std::string Fields(std::size_t count) {
  std::string fields;
  for (std::size_t i = 0; i < count; ++i) fields += "a:\r\n";
  return fields;
}

}  // namespace

TEST_CASE("a request is read whole, with what stands behind it left alone") {
  const std::string one =
      "POST /two?x=1 HTTP/1.1\r\nHost: a:1\r\nX-Name: \t two words \r\nContent-Length: 003\r\n\r\n";
  const ReadBytes read = ReadServedRequest(one + "abcGET /");
  REQUIRE(read.request);
  CHECK(read.used == one.size() + 3);
  CHECK(read.request->method == "POST");
  CHECK(read.request->target == "/two?x=1");
  CHECK(read.request->Header("x-name") == "two words");
  CHECK(read.request->body == "abc");
  CHECK(!read.request->is_last);
}

TEST_CASE("what has not come yet is waited for, byte by byte") {
  const std::string whole = "POST / HTTP/1.1\r\n" + kHost + "Content-Length: 2\r\n\r\n\n\n";
  for (std::size_t i = 0; i < whole.size(); ++i) {
    CAPTURE(i);
    const ReadBytes read = ReadServedRequest(std::string_view(whole).substr(0, i));
    CHECK(!read.request);
    CHECK(read.refused == 0);
  }
  CHECK(ReadServedRequest(whole).request);
}

TEST_CASE("what was read of a part is not read again") {
  // Heads were read from their first byte for each byte that came.
  const std::string head = "POST / HTTP/1.1\r\n" + kHost + "Content-Length: 2\r\n\r\n";
  PartOfRequest part;
  for (std::size_t i = 1; i < head.size() + 2; ++i) {
    CAPTURE(i);
    // Earlier bytes are marked: a second look at them would refuse them.
    std::string bytes = (head + "ab").substr(0, i);
    if (i < head.size()) std::fill_n(bytes.begin(), part.scanned > 4 ? part.scanned - 4 : 0, '\0');
    const ReadBytes read = ReadServedRequest(bytes, part);
    CHECK(read.refused == 0);
    CHECK(!read.request);
    part = read.of_part;
    CHECK(part.scanned == std::min(i, head.size() - 1));
    CHECK(part.least == (i < head.size() ? 0 : head.size() + 2));
  }
  const ReadBytes read = ReadServedRequest(head + "ab", part);
  REQUIRE(read.request);
  CHECK(read.request->body == "ab");
  CHECK(read.used == head.size() + 2);
}

TEST_CASE("a request has at most 100 fields") {
  // Each took two texts; a head of 7,900 kept the server busy for milliseconds.
  const ReadBytes most = ReadServedRequest(kGetHead + Fields(kServedFieldsMax - 1) + "\r\n");
  REQUIRE(most.request);
  CHECK(most.request->headers.size() == kServedFieldsMax);
  CHECK(ReadServedRequest(kGetHead + Fields(kServedFieldsMax) + "\r\n").refused == 400);
}

TEST_CASE("cookies are what is too long where there are some, behind a short target, and no other site") {
  // Every refusal had the browser delete the cookies of 127.0.0.1, and any site can cause one.
  struct Row {
    std::string_view what;
    std::string bytes;
    bool has_long_cookies;
  };
  const std::string cookie = "Cookie: a=" + std::string(kServedHeadBytesMax, 'x');
  const std::string cookies = "cookie: b=" + std::string(9'000, 'y') + "\r\n" + cookie;
  const std::string site = "Sec-Fetch-Site: ";
  const Row rows[] = {
      {"cookies", kGetHead + cookie, true},
      {"cookies of the own page", kGetHead + site + "same-origin\r\n" + cookie, true},
      {"cookies, typed", kGetHead + site + "none\r\n" + cookies, true},
      {"cookies, behind them the site",
       kGetHead + cookies.substr(0, 9'012) + site + "cross-site\r\n" + cookie, false},
      {"cookies, from another site", kGetHead + site + "cross-site\r\n" + cookie, false},
      {"no cookies", kGetHead + "X: " + std::string(kServedHeadBytesMax, 'x'), false},
      {"a long target", "GET /" + std::string(kServedHeadBytesMax, 'x'), false},
      {"a target of 3 KB", "GET /" + std::string(3'000, 'x') + " HTTP/1.1\r\n" + kHost + cookie, false},
      {"a short head that is bad", kGetHead + "Cookie: a=b\r\nX\r\n\r\n", false},
      {"a long body", kPost + "Cookie: a=b\r\nContent-Length: 99999\r\n\r\n", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const ReadBytes read = ReadServedRequest(row.bytes);
    CHECK(read.refused != 0);
    CHECK(read.has_long_cookies == row.has_long_cookies);
  }
}

TEST_CASE("a connection ends where the request says so, and after HTTP/1.0") {
  const auto is_last = [](const std::string& line, const std::string& fields) {
    const ReadBytes read = ReadServedRequest(line + "\r\n" + fields + "\r\n");
    REQUIRE(read.request);
    return read.request->is_last;
  };
  CHECK(is_last("GET / HTTP/1.0", ""));
  CHECK(is_last("GET / HTTP/1.1", kHost + "Connection: close\r\n"));
  CHECK(is_last("GET / HTTP/1.1", kHost + "Connection: keep-alive, CLOSE\r\n"));
  CHECK(is_last("GET / HTTP/1.1", kHost + "Connection: x\r\nConnection: close\r\n"));
  CHECK(!is_last("GET / HTTP/1.1", kHost + "Connection: keep-alive\r\n"));
}

TEST_CASE("what two readers could take for two things is refused") {
  // Several lengths counted as none, an overflow as 0, and "HTTP/1.x" as HTTP/1.1.
  for (const std::string& row : kRefusedRequests) {
    CAPTURE(row.substr(0, 90));
    const ReadBytes read = ReadServedRequest(row);
    CHECK(!read.request);
    CHECK(read.refused == 400);
  }
  CHECK(ReadServedRequest(kPost + "Content-Length: 4097\r\n\r\n").refused == 413);
}

}  // namespace assay
