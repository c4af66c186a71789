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
    kPost + "Content-Length: 9223372036854775808\r\n\r\n",
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

ReadBytes Read(std::string bytes) { return ReadServedRequest(bytes); }

std::string Fields(std::size_t count) {
  std::string fields;
  for (std::size_t i = 0; i < count; ++i) fields += "a:\r\n";
  return fields;
}

}  // namespace

TEST_CASE("a request is read whole, with what stands behind it left alone") {
  const std::string one =
      "POST /two?x=1 HTTP/1.1\r\nHost: a:1\r\nX-Name: \t two words \r\nContent-Length: 003\r\n\r\n";
  const ReadBytes read = Read(one + "abcGET /");
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
    const ReadBytes read = Read(whole.substr(0, i));
    CHECK(!read.request);
    CHECK(read.refused == 0);
  }
  CHECK(Read(whole).request);
}

TEST_CASE("what was read of a part is not read again") {
  // Heads were read from their first byte for each byte that came.
  const std::string head = "POST / HTTP/1.1\r\n" + kHost + "Content-Length: 2\r\n\r\n";
  PartOfRequest part;
  for (std::size_t i = 1; i < head.size() + 2; ++i) {
    CAPTURE(i);
    // Earlier bytes are marked: a second look at them would refuse them.
    constexpr std::size_t kLookedBack = 8;
    std::string bytes = (head + "ab").substr(0, i);
    if (i < head.size()) std::fill_n(bytes.begin(), part.scanned - std::min(part.scanned, kLookedBack), '\0');
    const ReadBytes read = ReadServedRequest(bytes, part);
    CHECK(read.refused == 0);
    CHECK(!read.request);
    part = read.of_part;
    CHECK(part.scanned == std::min(i, head.size() - 1));
    CHECK(part.least == (i < head.size() ? 0 : head.size() + 2));
  }
  std::string whole = head + "ab";
  const ReadBytes read = ReadServedRequest(whole, part);
  REQUIRE(read.request);
  CHECK(read.request->body == "ab");
  CHECK(read.used == head.size() + 2);
}

TEST_CASE("a request has at most 100 fields") {
  // Each took two texts; a head of 7,900 kept the server busy for milliseconds.
  const ReadBytes most = Read(kGetHead + Fields(kServedFieldsMax - 1) + "\r\n");
  REQUIRE(most.request);
  CHECK(most.request->headers.size() == kServedFieldsMax);
  CHECK(Read(kGetHead + Fields(kServedFieldsMax) + "\r\n").refused == 400);
}

TEST_CASE("values of cookies are dropped, and do not count against the limit of a head") {
  // Servers of all ports of 127.0.0.1 can set them. With twelve of 4 KB the owner's requests were refused.
  const std::string many(700'000, 'x');
  const std::string some(200'000, 'y');
  struct Row {
    std::string_view what;
    std::string fields;
    std::string left;
  };
  const Row rows[] = {
      {"one field", "Cookie: " + many + "\r\n", "Cookie:\r\n"},
      {"its name in other letters", "cOOKIE:a=" + many + "\r\n", "cOOKIE:\r\n"},
      {"several", "Cookie: " + some + "\r\nX: 1\r\nCookie: " + some + "\r\ncookie:" + some + "\r\n",
       "Cookie:\r\nX: 1\r\nCookie:\r\ncookie:\r\n"},
      {"the name in its value", "Cookie: cookie:\tcookie:" + many + "\r\n", "Cookie:\r\n"},
      {"nothing", "Cookie:\r\nCookie: \r\n", "Cookie:\r\nCookie:\r\n"},
      {"the name in another field", "X: cookie: a\r\nA-Cookie: b\r\n", "X: cookie: a\r\nA-Cookie: b\r\n"},
  };
  const std::string body = "Content-Length: 9\r\n\r\n\ncookie:a";
  for (const Row& row : rows) {
    for (const std::size_t piece : {std::size_t(1), std::size_t(7), std::size_t(16) << 10, 2 * many.size()}) {
      CAPTURE(row.what);
      CAPTURE(piece);
      const std::string whole = kPost + row.fields + body + "\r\nCookie: b";
      std::string kept;
      std::size_t most = 0;
      ReadBytes read;
      for (std::size_t at = 0; at < whole.size() && !read.request && read.refused == 0; at += piece) {
        kept += whole.substr(at, piece);
        most = std::max(most, kept.size());
        read = ReadServedRequest(kept, read.of_part);
      }
      REQUIRE(read.request);
      CHECK(kept.substr(0, read.used) == kPost + row.left + body);
      CHECK(read.request->body == "\ncookie:a");
      CHECK(most < 1'000 + piece);
    }
  }
}

TEST_CASE("cookies above 1 MB are refused, and so are control characters in them") {
  const std::string most(kServedCookieBytesMax, 'x');
  CHECK(Read(kGetHead + "Cookie:" + most + "\r\n\r\n").request);
  CHECK(Read(kGetHead + "Cookie: " + most).refused == 400);
  CHECK(Read(kGetHead + "Cookie:" + most + "\r\nCookie:a").refused == 400);
  const std::string before = kGetHead + "Cookie: a=" + std::string(50'000, 'x');
  for (const std::string& bad :
       {std::string("\n"), std::string("\rX"), std::string(1, '\0'), std::string("\x7F"),
        std::string("\r\n folded\r\n\r\n"), std::string("\r\nX : 1\r\n\r\n"),
        std::string("\r\nHost: b\r\n\r\n"), "\r\nX: " + std::string(40'000, 'x')}) {
    CAPTURE(bad.substr(0, 20));
    CHECK(Read(before + bad).refused == 400);
  }
  for (const char* name : {"Cookie ", "Cookie\t", "Cookies", "XCookie", "Cookie2", " Cookie"}) {
    CAPTURE(name);
    CHECK(Read(kGetHead + name + ": " + std::string(40'000, 'x')).refused == 400);
  }
  CHECK(Read("Cookie: /" + std::string(40'000, 'x')).refused == 400);
}

TEST_CASE("a connection ends where the request says so, and after HTTP/1.0") {
  const auto is_last = [](const std::string& line, const std::string& fields) {
    const ReadBytes read = Read(line + "\r\n" + fields + "\r\n");
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
    const ReadBytes read = Read(row);
    CHECK(!read.request);
    CHECK(read.refused == 400);
  }
  CHECK(Read(kPost + "Content-Length: 4097\r\n\r\n").refused == 413);
  CHECK(Read(kPost + "Content-Length: 9223372036854775807\r\n\r\n").refused == 413);
}

}  // namespace assay
