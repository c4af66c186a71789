// Tests of records: what is written comes back, and what no assay writes is found.
#include "text/json/record.h"

#include <doctest/doctest.h>

namespace assay {

namespace {

struct Voice {
  std::string source;
  double value = 0;
  bool repaired = false;
  std::vector<double> votes = {};
  int against = 0;
  std::string words = {};
};

}  // namespace

namespace record {

template <>
struct PlacesOf<Voice> {
  template <class Voice, class Visitor>
  static void Visit(Voice& voice, Visitor&& visit) {
    visit.Needed(Text{voice.source}, Real{voice.value, Range{.low = 0, .high = 1}});
    visit(Whole{voice.repaired, 1});
    visit(Reals{voice.votes}, Whole{voice.against, 9});
    visit(Text{voice.words});
  }
};

}  // namespace record

namespace {

std::string Written(const Voice& voice) {
  std::string text;
  record::AppendPlaces(voice, text);
  return text;
}

TEST_CASE("a list is cut behind its last member that is not the default") {
  CHECK(Written({.source = "a"}) == R"(["a",0])");
  CHECK(Written({.source = "a", .repaired = true}) == R"(["a",0,1])");
  CHECK(Written({.source = "a", .value = 0.5, .against = 2}) == R"(["a",0.5,0,[],2])");
  CHECK(Written({.source = "a", .words = "w"}) == R"(["a",0,0,[],0,"w"])");
  // Those of one group are written together.
  CHECK(Written({.source = "a", .votes = {0.25, 1}}) == R"(["a",0,0,[0.25,1],0])");
}

TEST_CASE("a list comes back, and a member that no assay writes is found") {
  struct Row {
    const char* text;
    bool is_good;
  };
  for (const Row& row : {Row{R"(["a",0.5])", true},
                         {R"(["a",0.5,1,[0.25],3,"w"])", true},
                         {R"(["a",0.5,1,[0.25],3,"w","of a newer assay"])", true},
                         {R"(["a"])", false},
                         {R"([])", false},
                         {R"({})", false},
                         {R"(["a",2])", false},
                         {R"([1,0])", false},
                         {R"(["a",0,2])", false},
                         {R"(["a",0,0,["x"]])", false},
                         {R"(["a",0,0,[],0.5])", false}}) {
    CAPTURE(row.text);
    Voice voice;
    CHECK(record::ReadPlaces(ParseJson(row.text).value(), voice) == row.is_good);
  }
  Voice voice;
  REQUIRE(record::ReadPlaces(ParseJson(R"(["a",0.5,1,[0.25],3,"w"])").value(), voice));
  CHECK(Written(voice) == R"(["a",0.5,1,[0.25],3,"w"])");
}

TEST_CASE("a bad record among others is left out, with those behind it") {
  std::vector<Voice> voices;
  CHECK(!record::Records{voices}.Read(ParseJson(R"([["a",1],["b",7],["c",1]])").value()));
  REQUIRE(voices.size() == 1);
  CHECK(voices[0].source == "a");
}

struct Notes {
  std::string text;
  std::vector<std::string> lines = {};
  std::optional<double> ms = {};
};

template <class Notes, class Visitor>
void VisitNotes(Notes& notes, Visitor&& visit) {
  visit.Needed("text", record::Text{notes.text});
  visit("lines", record::Loose{record::Texts{notes.lines}});
  visit("ms", record::OptionalReal{notes.ms});
}

TEST_CASE("an object has the members that are not the default, as a text and as a value") {
  const Notes notes{.text = "", .lines = {"b"}};
  std::string text = "{";
  VisitNotes(notes, record::MemberWriter(text));
  CHECK(text + "}" == R"({"text":"","lines":["b"]})");
  record::MemberMap map;
  VisitNotes(notes, map);
  CHECK(WriteJson(map.Take(), JsonStyle::kJavaScript) == R"({"text":"","lines":["b"]})");
}

TEST_CASE("the first member that no assay writes has a name") {
  const auto problem = [](const char* text) {
    Notes notes;
    const Value value = ParseJson(text).value();
    record::MemberReader reader(value);
    VisitNotes(notes, reader);
    return reader.problem();
  };
  CHECK(problem(R"({"text":"a","lines":5})").empty());
  CHECK(problem(R"({"lines":[]})") == "text");
  CHECK(problem(R"({"text":"a","ms":"x"})") == "ms");
  CHECK(problem("[]") == "text");
}

}  // namespace
}  // namespace assay
