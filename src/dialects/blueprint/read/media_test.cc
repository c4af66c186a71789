// Pictures, documents and sound in blueprints: where they are written, and what becomes of them.
#include <doctest/doctest.h>

#include "base/wire/wire.h"
#include "dialects/blueprint/read/test_reading.h"
#include "spec/suite/media.h"
#include "spec/suite/suite.h"

namespace assay {
namespace {

const std::string kPng = "\x89PNG\r\n\x1A\n1";

// "user:image a.png,file b.pdf;assistant:;…": the turns of the first case with their parts.
std::string PartsOf(const Suite& suite) {
  std::string text;
  for (const Turn& turn : suite.cases.front().turns) {
    if (turn.kind == TurnKind::kGenerate) continue;
    text += std::string(RoleName(turn.role)) + ":";
    for (const MediaPart& part : *turn.media) {
      text += &part == turn.media->data() ? "" : ",";
      text += std::string(MediaKindName(part.kind)) + " " + part.name + (part.sha256.empty() ? "?" : "");
    }
    text += ";";
  }
  return text;
}

struct Row {
  const char* prompt;
  const char* parts;  // "": it is refused
  const char* said = "";
};

TEST_CASE("parts stand beside a prompt or in a user's message, one or several, in written order") {
  const Row rows[] = {
      {"prompt: What?\n  image: a.png", "user:image a.png;"},
      {"prompt: What?\n  image: [a.png, sub/b.png]", "user:image a.png,image b.png;"},
      {"prompt: What?\n  file: r.pdf\n  image: a.png\n  audio: {path: x.mp3}",
       "user:file r.pdf,image a.png,audio x.mp3;"},
      {"promptText: What?\n  image: [{path: a.png}]", "user:image a.png;"},
      {"prompt: What?\n  image: https://e.example/c/d.png?size=2#x", "user:image d.png?;"},
      {"messages:\n    - user: One\n      image: a.png\n    - assistant: Two\n    - user: Three",
       "user:image a.png;assistant:;user:;"},
      {"messages:\n    - role: user\n      content: One\n      file: [r.pdf, \"http://e.example/q.pdf\"]",
       "user:file r.pdf,file q.pdf?;"},
      {"messages:\n    - image: a.png\n      user: One", "user:image a.png;"},
      // What cannot be sent.
      {"prompt: What?\n  image: no.png", "", "error blueprint.media"},
      {"prompt: What?\n  image: r.pdf", "", "error blueprint.media"},
      {"prompt: What?\n  file: a.png", "", "error blueprint.media"},
      {"prompt: What?\n  image: v.svg", "", "error blueprint.media"},
      {"prompt: What?\n  image: 7", "", "error blueprint.media"},
      {"prompt: What?\n  image: [[a.png]]", "", "error blueprint.media"},
      {"prompt: What?\n  image: {src: a.png}", "", "error blueprint.media"},
      {"messages:\n    - user: One\n  image: a.png", "", "error blueprint.media"},
      {"messages:\n    - system: One\n      image: a.png\n    - user: Two", "", "error blueprint.media"},
      {"prompt: What?\n  images: a.png", "user:;", "warning blueprint.unknown-key"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.prompt);
    TestReading reading;
    reading.files.files = {{"s/a.png", kPng},
                           {"s/sub/b.png", kPng + "2"},
                           {"s/r.pdf", "%PDF-1.4"},
                           {"s/x.mp3", "ID3 sound"},
                           {"s/v.svg", "<svg/>"}};
    const std::optional<Suite> suite =
        reading.Read("s/suite.yml", std::string("models: [echo:a]\nprompts:\n- ") + row.prompt + "\n");
    CAPTURE(reading.Problems());
    CHECK(reading.Problems().find(row.said) != std::string::npos);
    if (*row.parts == 0) {
      CHECK(reading.diagnostics.HasErrors());
      continue;
    }
    REQUIRE(suite.has_value());
    CHECK(PartsOf(*suite) == row.parts);
  }
}

TEST_CASE("an address that is not fetched is told as such") {
  const struct {
    const char* path;
    const char* said;
  } rows[] = {
      {"file:///srv/a.png", "write the path alone: \"/srv/a.png\""},
      {"file://host/srv/a.png", "write the path alone: \"/srv/a.png\""},
      {"FILE:///srv/a.png", "file:// is not read as an address"},
      {"data:image/png;base64,iVBORw0KGgo=", "save it as a file"},
      {"data:image/svg+xml,%3Csvg/%3E", "SVG is seen by no model"},
      {"s3://bucket/a.png", "nothing is fetched by s3://; expected a path, https:// or http://"},
      {"a:b.png", "a:b.png does not exist"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.path);
    TestReading reading;
    reading.Read("suite.yml",
                 "models: [echo:a]\nprompts:\n- {prompt: One, image: '" + std::string(row.path) + "'}\n");
    REQUIRE(reading.diagnostics.HasErrors());
    CHECK(reading.diagnostics.All().front().message.find(row.said) != std::string::npos);
  }
}

TEST_CASE("a file that several prompts name is read once and shared") {
  TestReading reading;
  reading.files.files = {{"a.png", kPng}};
  const auto suite = reading.Read(
      "suite.yml",
      "models: [echo:a]\nprompts:\n- {prompt: One, image: a.png}\n- {prompt: Two, image: a.png}\n");
  REQUIRE(suite.has_value());
  const MediaPart& first = (*suite->cases[0].turns[0].media)[0];
  const MediaPart& second = (*suite->cases[1].turns[0].media)[0];
  CHECK(first.blob == second.blob);
  CHECK(first.type == "image/png");
  CHECK(first.blob->bytes == kPng);
}

TEST_CASE("weval's mode says that nothing but text is sent") {
  TestReading reading;
  reading.options.compat = Compat::kWeval;
  const auto suite = reading.Read("suite.yml",
                                  "models: [echo:a]\nprompts:\n- {prompt: One, image: a.png}\n"
                                  "- messages:\n    - user: Two\n      file: b.pdf\n");
  REQUIRE(suite.has_value());
  CHECK(PartsOf(*suite) == "user:;");
  CHECK(reading.Problems() == "warning blueprint.media 3:24\nwarning blueprint.media 6:13\n");
}

TEST_CASE("the name of a prompt without one changes with its parts, and stays without any") {
  const auto id = [](const char* beside) {
    TestReading reading;
    reading.files.files = {{"a.png", kPng}, {"b.png", kPng}};
    const auto suite =
        reading.Read("suite.yml", std::string("models: [echo:a]\nprompts:\n- prompt: One\n") + beside);
    REQUIRE(suite.has_value());
    return suite->cases.front().id;
  };
  CHECK(id("") != id("  image: a.png\n"));
  CHECK(id("  image: a.png\n") != id("  image: b.png\n"));
}

}  // namespace
}  // namespace assay
