// Tests of AWS's binary event stream: whole, in pieces, and broken on purpose.
#include "base/wire/aws_frames.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

std::string Bytes(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return bytes;
}

// Made with zlib's checksum; the first is the example that AWS's own clients are tested with.
const std::string kBare = Bytes("0000001d00000000fd528c5a7b27666f6f273a27626172277dc3653936");
const std::string kDelta = Bytes(
    "0000009400000057b4ab9aee0b3a6576656e742d74797065070011636f6e74656e74426c6f636b44656c74610d3a636f"
    "6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576"
    "656e747b22636f6e74656e74426c6f636b496e646578223a302c2264656c7461223a7b2274657874223a224869227d7d"
    "1f944657");
const std::string kThrottled = Bytes(
    "00000087000000615c51e2250f3a657863657074696f6e2d747970650700137468726f74746c696e6745786365707469"
    "6f6e0d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d747970"
    "65070009657863657074696f6e7b226d657373616765223a22546f6f2066617374227d79911ad6");
// Whose sums are right, and whose words are not.
const std::string kHuge = Bytes("fffffff0000000007daf682e1ac5be52");
const std::string kShort = Bytes("0000000f00000000e77248b845ab32b2");
const std::string kLongHeaders =
    Bytes("0000002800000019f0f8136c7878787878787878787878787878787878787878787878782356924a");
const std::string kOddHeaders = Bytes("0000001400000004f72f2a32013a0b0006d0916d");

struct Read {
  std::string said;  // "name=data;…", and the error
  bool is_between = false;
};

Read ReadAll(std::string_view stream, std::size_t piece) {
  AwsFrameParser parser;
  std::vector<SseEvent> events;
  std::optional<Error> error;
  for (std::size_t at = 0; at < stream.size(); at += piece)
    error = parser.Feed(stream.substr(at, piece), events);
  Read read;
  for (const SseEvent& event : events) read.said += event.name + "=" + event.data + ";";
  if (error) read.said += error->message;
  read.is_between = parser.is_between();
  return read;
}

TEST_CASE("messages are read in whatever pieces they come") {
  const std::string stream = kBare + kDelta + kThrottled;
  const std::string said =
      "={'foo':'bar'};contentBlockDelta={\"contentBlockIndex\":0,\"delta\":{\"text\":\"Hi\"}};"
      "throttlingException={\"error\":{\"code\":\"throttlingException\",\"message\":\"{\\\"message\\\":"
      "\\\"Too "
      "fast\\\"}\"}};";
  for (const std::size_t piece : {1u, 2u, 7u, 13u, 1'000u}) {
    CAPTURE(piece);
    const Read read = ReadAll(stream, piece);
    CHECK(read.said == said);
    CHECK(read.is_between);
  }
}

TEST_CASE("every byte is checked, and a message that is cut off is no message") {
  const std::string stream = kBare + kDelta;
  for (std::size_t at = 0; at < stream.size(); ++at) {
    std::string bent = stream;
    bent[at] = static_cast<char>(bent[at] ^ 0x20);
    CAPTURE(at);
    const Read read = ReadAll(bent, bent.size());
    CHECK(read.said.find("the stream is broken: ") != std::string::npos);
    CHECK(read.said.starts_with("={'foo':'bar'};") == (at >= kBare.size()));
    const Read cut = ReadAll(std::string_view(stream).substr(0, at), stream.size());
    CHECK(cut.is_between == (at == 0 || at == kBare.size()));
    CHECK(cut.said == (at >= kBare.size() ? "={'foo':'bar'};" : ""));
  }
}

TEST_CASE("lengths that lie are refused before anything is kept for them") {
  CHECK(ReadAll(kHuge, 5).said == "a message of the stream is longer than the limit");
  CHECK(ReadAll(kShort, 5).said == "the stream is broken: the length of a message is none");
  CHECK(ReadAll(kLongHeaders, 5).said == "the stream is broken: the length of a message is none");
  CHECK(ReadAll(kOddHeaders, 5).said == "the stream is broken: the headers of a message are none");
  // Nothing is read behind what is broken.
  CHECK(ReadAll(kShort + kBare, 5).said == ReadAll(kShort, 5).said);
}

TEST_CASE("a reply becomes one of text events") {
  HttpReply reply;
  reply.headers = {{"content-type", "application/vnd.amazon.eventstream"}};
  reply.body = kDelta + kDelta.substr(0, 20);
  ReadAwsFrames(reply);
  CHECK(reply.headers[0].value == "text/event-stream");
  CHECK(reply.body ==
        "event: contentBlockDelta\ndata: {\"contentBlockIndex\":0,\"delta\":{\"text\":\"Hi\"}}\n\n");
  REQUIRE(reply.error);
  CHECK(reply.error->message == "the stream is broken: it ends in the middle of a message");
  HttpReply other;
  other.headers = {{"content-type", "application/json"}};
  other.body = kDelta;
  ReadAwsFrames(other);
  CHECK(other.body == kDelta);
  CHECK_FALSE(other.error);
}

}  // namespace
}  // namespace assay
