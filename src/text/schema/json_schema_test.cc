// Tests of JSON Schemas: what fits them, why not, and which are refused.
#include "text/schema/json_schema.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "text/json/json.h"
#include "text/schema/uri.h"

namespace assay {

namespace {

// "" if the value fits, else the place and the words; what Compile or Check refuses, with "!" before it.
std::string Asked(std::string_view schema, std::string_view value) {
  const auto compiled = JsonSchema::Compile(*ParseJson(schema));
  if (!compiled) return "!" + compiled.error().message;
  const auto faults = (*compiled)->Check(*ParseJson(value));
  if (!faults) return "!" + faults.error().message;
  return faults->empty() ? std::string() : faults->front().place + " " + faults->front().words;
}

std::string Draft7(std::string_view members) {
  return R"({"$schema":"http://json-schema.org/draft-07/schema#",)" + std::string(members) + "}";
}

// All that does not fit: "/a string<number; " is: expected at /a a string, found a number.
std::string AllOf(std::string_view schema, std::string_view value) {
  const auto faults = JsonSchema::Compile(*ParseJson(schema)).value()->Check(*ParseJson(value));
  REQUIRE(faults.has_value());
  std::string told;
  for (const SchemaFault& fault : *faults)
    told += fault.place + " " + fault.expected + "<" + fault.found + "; ";
  return told;
}

}  // namespace

TEST_CASE("everything that does not fit is told, with what was expected there, up to a limit") {
  CHECK(
      AllOf(R"({"type":"object","required":["city","days"],"properties":{"city":{"type":"string"},
                  "days":{"items":{"type":"integer","minimum":1}}},"additionalProperties":false})",
            R"({"city":7,"days":[1,"x",0.5],"more":1})") ==
      "/city string<number; /days/1 integer<string; /days/2 integer<number; /days/2 minimum: \"1\"<\"0.5\"; "
      "/more nothing<\"1\"; ");
  CHECK(AllOf(R"({"required":["a","b"]})", "{}") ==
        " a member \"a\"<; "
        " a member \"b\"<; ");
  CHECK(AllOf(R"({"anyOf":[{"type":"string"},{"minimum":3}]})", "1") == " what one of anyOf allows<\"1\"; ");
  CHECK(AllOf(R"({"allOf":[{"type":"string"},{"const":3}]})", "1") ==
        " string<number; "
        " \"3\"<\"1\"; ");
  // What did not fit was not looked at to its end: nothing is said of the rest.
  CHECK(AllOf(R"({"properties":{"a":{"type":"string"}},"unevaluatedProperties":false})", R"({"a":1})") ==
        "/a string<number; ");
  std::string many = "[0";
  for (int i = 0; i < 100; ++i) many += ",0";
  const std::string told = AllOf(R"({"items":{"type":"string"}})", many + "]");
  CHECK(std::count(told.begin(), told.end(), ';') == 20);
}

TEST_CASE("a value fits, or the first reason is told with its place") {
  struct Row {
    std::string_view schema, value, why;
  };
  const Row rows[] = {
      {"true", "5", ""},
      {"false", "5", " nothing is allowed here"},
      {R"({"type":"object","properties":{"city":{"type":"string"}},"required":["city"]})",
       R"({"city":"Oslo"})", ""},
      {R"({"properties":{"city":{"type":"string"}}})", R"({"city":7})",
       "/city expected string, found number"},
      {R"({"required":["city"]})", "{}", " lacks \"city\""},
      {R"({"required":["toString"]})", "{}", " lacks \"toString\""},
      {R"({"properties":{"a/b~":{"type":["null","boolean"]}}})", R"({"a/b~":"x"})",
       "/a~1b~0 expected null or boolean, found string"},
      {R"({"type":"integer"})", "1.0", ""},
      {R"({"type":"integer"})", "1.5", " expected integer, found number"},
      {R"({"enum":[1,"a",[2]]})", "[2.0]", ""},
      {R"({"enum":[1]})", "true", " expected one of \"[1]\", found \"true\""},
      {R"({"const":{"a":1,"b":2}})", R"({"b":2,"a":1})", ""},
      {R"({"multipleOf":0.01})", "19.99", ""},
      {R"({"multipleOf":0.01})", "19.995", " \"19.995\" is no multiple of \"0.01\""},
      {R"({"minimum":1,"exclusiveMaximum":3})", "3", " exclusiveMaximum: \"3\", found \"3\""},
      {R"({"maxLength":2})", "\"\xf0\x9f\x98\x80\xf0\x9f\x98\x80\"", ""},
      {R"({"maxLength":2})", R"("abc")", " maxLength: \"2\", found 3"},
      {R"({"pattern":"^\\p{L}+$"})", "\"\xc3\xa9t\xc3\xa9\"", ""},
      {R"({"pattern":"^a\\-b$"})", R"("a-b")", ""},  // compiles without the flag u alone
      {R"({"items":{"type":"number"}})", R"([1,"x"])", "/1 expected number, found string"},
      {R"({"uniqueItems":true})", "[1,1.0]", " has \"1\" twice"},
      {R"({"contains":{"const":2},"maxContains":1})", "[2,2]", " 2 of its items fit `contains`"},
      {R"({"prefixItems":[true],"items":false})", "[1,2]", "/1 nothing is allowed here"},
      {R"({"additionalProperties":false,"patternProperties":{"^x":true}})", R"({"x1":1,"y":2})",
       "/y nothing is allowed here"},
      {R"({"propertyNames":{"maxLength":1}})", R"({"ab":1})", " may have no member \"ab\""},
      {R"({"anyOf":[{"type":"string"},{"minimum":2}]})", "1", " fits none of the schemas of anyOf"},
      {R"({"oneOf":[{"minimum":2},{"minimum":3}]})", "4", " fits more than one of the schemas of oneOf"},
      {R"({"not":{"type":"string"}})", R"("a")", " is what `not` excludes"},
      {R"({"if":{"const":1},"then":false,"else":{"type":"string"}})", "2", " expected string, found number"},
      {R"({"dependentRequired":{"a":["b"]}})", R"({"a":1})", " lacks \"b\""},
      {R"({"format":"email"})", R"("no address")", ""},  // a note
      {R"({"$ref":"#/$defs/n","minimum":5,"$defs":{"n":{"type":"number"}}})", "4",
       " minimum: \"5\", found \"4\""},
      {R"({"$id":"http://e.org/a","$ref":"b","$defs":{"x":{"$id":"/b","$anchor":"k","type":"null"}}})", "1",
       " expected null, found number"},
      {R"({"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false})", R"({"a":1})", ""},
      {R"({"anyOf":[{"properties":{"a":{"const":1}}}],"unevaluatedProperties":false})", R"({"a":1,"b":2})",
       "/b nothing is allowed here"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.schema);
    CAPTURE(row.value);
    CHECK(Asked(row.schema, row.value) == row.why);
  }
}

TEST_CASE("draft 7 is read as it was") {
  CHECK(Asked(Draft7(R"("items":[{"type":"string"}],"additionalItems":false)"), R"(["a",1])") ==
        "/1 nothing is allowed here");
  CHECK(Asked(Draft7(R"("dependencies":{"a":["b"],"c":{"minProperties":2}})"), R"({"c":1})") ==
        " minProperties: \"2\", found 1");
  // A reference stands for itself alone.
  CHECK(Asked(Draft7(R"("definitions":{"n":{}},"properties":{"a":{"$ref":"#/definitions/n","type":"null"}})"),
              R"({"a":1})")
            .empty());
  CHECK(Asked(Draft7(R"("unevaluatedProperties":false)"), R"({"a":1})").empty());  // not yet known
}

TEST_CASE("what is no schema, and what leads elsewhere, is refused with a reason") {
  struct Row {
    std::string_view schema, why;
  };
  const Row rows[] = {
      {"5", "!expected a JSON Schema"},
      {R"({"type":"strin"})", "!type: expected null, boolean, number"},
      {R"({"properties":[]})", "!properties: expected a mapping of schemas"},
      {R"({"minLength":-1})", "!minLength: expected a whole number"},
      {R"({"pattern":"("})", "!pattern \"(\""},
      {R"({"items":[{}]})", "!expected a JSON Schema (a mapping, true or false), found a list"},
      {R"({"$ref":"https://example.org/other.json"})",
       "!\"https://example.org/other.json\" leads to another document, and none is ever fetched"},
      {R"({"$ref":"file:///etc/passwd"})", "!\"file:///etc/passwd\" leads to another document"},
      {R"({"$ref":"#/$defs/none"})", "!\"#/$defs/none\" leads to nothing in the schema"},
      {R"({"$schema":"http://json-schema.org/draft-04/schema#"})", "!$schema: expected draft 7 or 2020-12"},
      {R"({"$ref":"#"})", "!the JSON Schema cannot be asked: its parts refer to each other without end"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.schema);
    CHECK(Asked(row.schema, "1").starts_with(row.why));
  }
}

TEST_CASE("references are resolved against what they stand in") {
  CHECK(ResolveUri("http://e.org/a/b?q", "../c/./d") == "http://e.org/c/d");
  CHECK(ResolveUri("http://e.org", "x") == "http://e.org/x");
  CHECK(ResolveUri("http://e.org/a", "//f.org/b") == "http://f.org/b");
  CHECK(ResolveUri("http://e.org/a", "urn:x:y") == "urn:x:y");
  CHECK(ResolveUri("", "a.json") == "a.json");
}

}  // namespace assay
