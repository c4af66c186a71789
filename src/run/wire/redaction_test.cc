// Tests of redacting keys in many spellings, and of words that only look like keys.
#include "run/wire/redaction.h"

#include <doctest/doctest.h>

#include "run/wire/spelling.h"
#include "text/packed/base64.h"

namespace assay {
namespace {

constexpr std::string_view kKey = "sk-a/b_4711+x=é9";

Redactor OfKey() {
  Endpoints endpoints;
  endpoints.providers["openai"] = {.base_url = {}, .key = Secret(std::string(kKey))};
  endpoints.environment["SHORT"] = Secret("secret7");
  return Redactor(endpoints);
}

TEST_CASE("a key is found however its characters are written") {
  const Redactor redactor = OfKey();
  const std::string rows[] = {
      std::string(kKey),
      R"(sk-a\/b_4711+x=é9)",
      R"(sk-a\\\/b_4711+x=\u00e99)",
      R"(\u0073k-a\u002Fb_4711+x=é9)",
      R"(\\u0073\\u006b-a/b_4711+x=é9)",
      R"(\x73k-a/b_4711+x\u{3d}é9)",
      "sk-a%2Fb_4711%2Bx%3D%C3%A99",
      "sk-a%252fb_4711%252bx=é9",
      "sk-a&#47;b&lowbar;4711&#x2B;x&equals;&#233;9",
      "sk-a&amp;#47;b_4711&plus;x=é9",
      "sk-a=2Fb_4711=2Bx=3D=C3=A99",
      "sk-a/b_=\r\n4711=\n+x=é9",
      "sk-a=2Fb_=\r\n4711=2Bx=3D=C3=A99",
      "s\u200bk\u200d-a/b\u2060_4711\ufeff+x=\u00adé9",
      R"(s\u200bk-a\/b_4711&#8203;+x=é9)",
      "s\ufe0fk-a\u034f/b_\u115f4\u17b47\u180e11+\u3164x=\uffa0é\ufff09",
      "s\U000e0100k-a/b_4711\U0001d173+x\U0001bca0=\u2065é9",
      R"(s\ufe0fk-a\/b_4711&#847;+x\udb40\udd00=é9)",
      "736B2d612F625f343731312b783dC3a939",
      "73 6b 2d 61 2f 62 5f 34 37 31 31 2b 78 3d c3 a9 39",
      "73:6B:2D:61:2F:62:5F:34:37:31:31:2B:78:3D:C3:A9:39",
      R"(736b2d612f625f34\n3731312b783dc3a939)",
  };
  for (const std::string& row : rows) {
    CAPTURE(row);
    std::string text = "before " + row + " and behind";
    CHECK(redactor.Redact(text));
    CHECK(text == "before [secret] and behind");
  }
}

TEST_CASE("a key inside a longer text in base64 or hex is found") {
  const Redactor redactor = OfKey();
  for (const std::string before : {"", "u", "us", "Bearer "}) {
    CAPTURE(before);
    std::string text = EncodeBase64(before + std::string(kKey) + ":more");
    CHECK(redactor.Redact(text));
    CHECK(text.find("[secret]") != std::string::npos);
  }
  std::string lines = EncodeBase64(kKey.substr(0, 15)) + "\r\n" + EncodeBase64(kKey.substr(15));
  CHECK(redactor.Redact(lines));
  std::string assigned = "key=" + EncodeBase64(kKey) + "&more";  // "=c2" is no escape of mail here
  CHECK(redactor.Redact(assigned));
  CHECK(assigned.starts_with("key=[secret]"));
  std::string hex = "736b2d612f625f343731312b783dc3a939";
  std::string as_bytes = "\\x" + hex;  // as databases write bytes; "\x73" is no escape of its own here
  CHECK(redactor.Redact(hex));
  CHECK(hex == "[secret]");
  CHECK(redactor.Redact(as_bytes));
  CHECK(as_bytes == "\\x[secret]");
}

TEST_CASE("of a key in base64 no digit stays, nor what fills up the last ones") {
  for (const std::string end : {"", "x", "xy"}) {
    const std::string key = std::string(kKey) + end;
    Endpoints endpoints;
    endpoints.providers["openai"] = {.base_url = {}, .key = Secret(key)};
    const Redactor redactor(endpoints);
    for (const std::string before : {"", "u", "us"}) {
      CAPTURE(before + key);
      std::string text = "\"" + EncodeBase64(before + key) + "\", and so on = more";
      CHECK(redactor.Redact(text));
      // What stands before the key has at most so many digits of its own.
      const std::string kept = text.substr(1, text.find("[secret]") - 1);
      CHECK(kept.size() <= before.size());
      CHECK(text.ends_with("[secret]\", and so on = more"));
    }
    std::string lines = EncodeBase64(key);
    lines.insert(lines.size() - 1, "\r\n");
    CHECK(redactor.Redact(lines));
    CHECK(lines == "[secret]");
  }
}

TEST_CASE("what is no key stays, and so does a short one") {
  const Redactor redactor = OfKey();
  for (const std::string row : {"", "secret7", "sk-a/b", "sk-a\\", "%", "%2", "&", "&#", "&amp;amp;", "=",
                                "=3", "\\u00", "\\\\\\\\\\", "100 % of words & more = none"}) {
    CAPTURE(row);
    std::string text = row;
    CHECK_FALSE(redactor.Redact(text));
    CHECK(text == row);
  }
  std::string none = "sk-0123456789";
  CHECK_FALSE(Redactor().Redact(none));
}

TEST_CASE("a hostile text costs steps in proportion to its size, whatever keys there are") {
  KeySearch keys;
  std::string key = "sk-project/0123456789abcdef+0123456789ABCDEF_";
  for (char last = '1'; last <= '9'; ++last) keys.Add(key + last);
  for (const std::string& piece : std::vector<std::string>{
           R"(\u0073\u006b)", "%25252525", "%2573", "\\", "&amp;", "=", "=73", "sk-project/", key, key + "1",
           "73 6b ", "c2stcHJv\n", "\u200b", std::string(4096, '\\') + "u"}) {
    CAPTURE(piece);
    std::string text;
    while (text.size() < 100'000) text += piece;
    CHECK(keys.In(text).steps <= text.size() * 12);
  }
}

TEST_CASE("a run of escapes of escapes is read once") {
  for (const std::string piece : {"\\", "%25252525", "&amp;", R"(\u0073)"}) {
    CAPTURE(piece);
    std::string text;
    while (text.size() < 9'000) text += piece;
    std::size_t places = 0;
    for (std::size_t at = 0; at < text.size(); ++places) at += SpelledAt(text, at, Escapes::kAll).size_bytes;
    CHECK(places <= text.size() / piece.size());
  }
  CHECK(SpelledAt(std::string(9'000, '\\'), 0, Escapes::kAll).size_bytes == 9'000);
  CHECK(SpelledAt("%252525", 0, Escapes::kAll).size_bytes == 7);
}

TEST_CASE("every text of a reply is looked at") {
  const Redactor redactor = OfKey();
  const std::string key(kKey);
  ModelReply model;
  model.reasoning = key;
  model.tool_calls = {{.id = "a", .name = "f", .arguments = R"({"k":"\u0073k-a/b_4711+x=é9"})"}};
  Map details;
  details.Append(key, Value(List{Value("x"), Value(key)}));
  model.details = Value(std::move(details));
  Reply reply = model;
  CHECK(redactor.Redact(reply));
  const auto& read = std::get<ModelReply>(reply);
  CHECK(read.reasoning == "[secret]");
  CHECK(read.tool_calls[0].arguments == R"({"k":"[secret]"})");
  CHECK(read.details.AsMap().begin()->key == "[secret]");
  CHECK(read.details.AsMap().begin()->value.AsList()[1].AsString() == "[secret]");

  HttpReply page;
  page.headers = {{"x-echo", key}};
  Reply of_service = page;
  CHECK(redactor.Redact(of_service));
  CHECK(std::get<HttpReply>(of_service).headers[0].value == "[secret]");

  Error error{ErrorCode::kService, "status 401: " + key};
  error.notes = {key};
  CHECK(redactor.Redact(error));
  CHECK(error.message == "status 401: [secret]");
  CHECK(error.notes[0] == "[secret]");
}

TEST_CASE("what counts as itself is read as itself, whatever stands behind it") {
  std::size_t wrong = 0;
  for (int byte = 0; byte < 256; ++byte) {
    if (!IsItself(static_cast<char>(byte))) continue;
    for (int behind = 0; behind < 256 * 256; ++behind) {
      const char text[] = {static_cast<char>(byte), static_cast<char>(behind >> 8), static_cast<char>(behind),
                           '1', ';'};
      for (const Escapes escapes : {Escapes::kNone, Escapes::kAllButMail, Escapes::kAll}) {
        const Spelled spelled = SpelledAt({text, sizeof text}, 0, escapes);
        const bool is_itself = spelled.kind != Spelled::Kind::kNothing && spelled.size_bytes == 1 &&
                               spelled.character == static_cast<char32_t>(byte);
        wrong += is_itself ? 0 : 1;
      }
    }
  }
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace assay
