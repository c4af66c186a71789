// Tests of YAML values under both sets of rules. The expectations were taken from js-yaml 4.1.0 and PyYAML
// 6.0.3.
#include "text/yaml/yaml.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "text/javascript/number.h"

namespace assay {
namespace {

// A compact form of values: 1.5 for doubles, i1 for ints, 'text', @ms for dates, #bytes for binary data.
std::string Show(const Value& value) {
  std::string out;
  switch (value.kind()) {
    case ValueKind::kUndefined:
      return "undefined";
    case ValueKind::kNull:
      return "null";
    case ValueKind::kBool:
      return value.AsBool() ? "true" : "false";
    case ValueKind::kInt:
      return "i" + std::to_string(value.AsInt());
    case ValueKind::kDouble:
      return (std::signbit(value.AsNumber()) ? "-" : "") + JsNumberText(std::abs(value.AsNumber()));
    case ValueKind::kString:
      return "'" + value.AsString() + "'";
    case ValueKind::kDate:
      return "@" + JsIsoDate(value.AsDate().ms);
    case ValueKind::kBinary:
      return "#" + value.AsBinary().bytes;
    case ValueKind::kList:
      for (const Value& element : value.AsList()) out += (out.empty() ? "" : ", ") + Show(element);
      return "[" + out + "]";
    case ValueKind::kMap:
      for (const Member& member : value.AsMap()) {
        out += (out.empty() ? "" : ", ") + member.key + ": " + Show(member.value);
      }
      return "{" + out + "}";
  }
  return out;
}

// The documents, separated by " | ", or the first error's code.
std::string Read(std::string_view text, YamlRules rules) {
  Diagnostics diagnostics;
  std::string out;
  for (const Value& document : ReadYaml(FileId{0}, text, rules, diagnostics)) {
    out += (out.empty() ? "" : " | ") + Show(document);
  }
  for (const Diagnostic& diagnostic : diagnostics.All()) {
    if (diagnostic.severity == Severity::kError) return "error " + diagnostic.code;
  }
  return out;
}
std::string Js(std::string_view text) { return Read(text, YamlRules::kJsYaml); }
std::string Py(std::string_view text) { return Read(text, YamlRules::kPyYaml); }

struct YamlRow {
  std::string_view text;
  std::string_view want;
};

TEST_CASE("js-yaml: plain scalars") {
  const YamlRow rows[] = {
      {"[~, null, Null, NULL, nULL]", "[null, null, null, null, 'nULL']"},
      {"[true, True, TRUE, tRUE, yes, no, on, off, y]",
       "[true, true, true, 'tRUE', 'yes', 'no', 'on', 'off', 'y']"},
      {"[017, 0o17, 0b11, 0x1F, 0X1F, 1_000, _1, 1_]", "[17, 15, 3, 31, '0X1F', 1000, '_1', '1_']"},
      {"[-0, -0.0, +5, -5, 0x, 0_7]", "[0, -0, 5, -5, '0x', 7]"},
      {"[1.5, .5, -.5, 5., 1e3, 1e+3, 1._5, 1.5_, .]", "[1.5, 0.5, '-.5', 5, 1000, 1000, 1.5, '1.5_', '.']"},
      {"[.inf, -.INF, +.Inf, .nan, -.nan]", "[Infinity, -Infinity, Infinity, NaN, '-.nan']"},
      {"[1e400, -1e400, 1e-400, 12345678901234567890]", "[Infinity, -Infinity, 0, 12345678901234567000]"},
      {"[0xFFFFFFFFFFFFFFFFFF, 0o777777777777777777777777]",
       "[4.722366482869645e+21, 4.722366482869645e+21]"},
      {"[12:30:45, 1:30]", "['12:30:45', '1:30']"},
      {"[2024-01-15, 2024-1-5, 2024-13-45]",
       "[@2024-01-15T00:00:00.000Z, '2024-1-5', @2025-02-14T00:00:00.000Z]"},
      {"a: 2024-01-15T10:20:30.123456+02:00", "{a: @2024-01-15T08:20:30.123Z}"},
      {"a: 2024-1-5 1:20:30 -5", "{a: @2024-01-05T06:20:30.000Z}"},
      {"a: 2024-01-15T10:20", "{a: '2024-01-15T10:20'}"},
      {"a: 0050-01-01", "{a: @1950-01-01T00:00:00.000Z}"},  // Date.UTC takes 0..99 for 1900..1999
      {"[<<, =]", "['<<', '=']"},
  };
  for (const YamlRow& row : rows) CHECK_MESSAGE(Js(row.text) == row.want, row.text);
}

TEST_CASE("PyYAML: plain scalars") {
  const YamlRow rows[] = {
      {"[~, null, '', nULL]", "[null, null, '', 'nULL']"},
      {"[yes, No, ON, off, true, y, n]", "[true, false, true, false, true, 'y', 'n']"},
      {"[017, 0o17, 0b11, 0x1F, 08, 1_000, -012]", "[i15, '0o17', i3, i31, '08', i1000, i-10]"},
      {"[1:30, 190:20:30, -1:30, 1:60, 1:30.5]", "[i90, i685230, i-90, '1:60', 90.5]"},
      {"[1.5, .5, -.5, 5., 1e3, 1.0e3, 1.0e+3]", "[1.5, 0.5, '-.5', 5, '1e3', '1.0e3', 1000]"},
      {"[.inf, -.INF, .nan]", "[Infinity, -Infinity, NaN]"},
      {"[9223372036854775807, 9223372036854775808]", "[i9223372036854775807, 9223372036854776000]"},
      {"[2024-01-15, 2024-1-5]", "[@2024-01-15T00:00:00.000Z, '2024-1-5']"},
      {"a: 2024-02-30", "error yaml.value"},
      {"a: =", "error yaml.value"},
      {"a: <<", "error yaml.value"},
      {"=: a", "{=: 'a'}"},
      {"! \"12\"", "i12"},
  };
  for (const YamlRow& row : rows) CHECK_MESSAGE(Py(row.text) == row.want, row.text);
}

TEST_CASE("js-yaml: keys become texts") {
  const YamlRow rows[] = {
      {"{1: a, 1.5: b, 0x10: c, 1e21: d}", "{1: 'a', 16: 'c', 1.5: 'b', 1e+21: 'd'}"},
      {"{true: a, null: b, ~x: c}", "{true: 'a', null: 'b', ~x: 'c'}"},
      {"? [a, ~, 1]\n: b", "{a,,1: 'b'}"},
      {"? {a: b}\n: c", "{[object Object]: 'c'}"},
      {"? [{a: b}, c]\n: d", "{[object Object],c: 'd'}"},
      {"? [a, [b]]\n: c", "error yaml.key"},
      {"2024-01-15: x", "{Mon Jan 15 2024 00:00:00 GMT+0000 (Coordinated Universal Time): 'x'}"},
      {"? !!binary aGk=\n: x", "{104,105: 'x'}"},
      {"{__proto__: a, constructor: b}", "{__proto__: 'a', constructor: 'b'}"},
      {"{b: 1, 10: 2, 9: 3, 01: 4}", "{1: 4, 9: 3, 10: 2, b: 1}"},
      {"{1: a, '1': b}", "error yaml.duplicate-key"},
      {"a: 1\na: 2", "error yaml.duplicate-key"},
  };
  for (const YamlRow& row : rows) CHECK_MESSAGE(Js(row.text) == row.want, row.text);
}

TEST_CASE("PyYAML: keys become texts") {
  const YamlRow rows[] = {
      {"{1: a, 1.0: b, yes: c, ~: d, 010: e}", "{1: 'a', 1.0: 'b', True: 'c', None: 'd', 8: 'e'}"},
      {"{2024-01-15: a, 2024-01-15 10:20:30: b}", "{2024-01-15: 'a', 2024-01-15 10:20:30: 'b'}"},
      {"{b: 1, 2: c}", "{b: i1, 2: 'c'}"},
      {"? [a]\n: b", "error yaml.key"},
      {"a: 1\nb: 2\na: 3", "{a: i3, b: i2}"},  // the last wins, in the first one's place
  };
  for (const YamlRow& row : rows) CHECK_MESSAGE(Py(row.text) == row.want, row.text);
}

TEST_CASE("merges") {
  struct MergeRow {
    std::string_view text, js, py;
  };
  const MergeRow rows[] = {
      {"{a: x, <<: {a: y, b: z}}", "{a: 'x', b: 'z'}", "{a: 'x', b: 'z'}"},
      {"{c: x, <<: {a: y}}", "{c: 'x', a: 'y'}", "{a: 'y', c: 'x'}"},
      {"<<: [{a: x, b: y}, {a: z, c: w}]", "{a: 'x', b: 'y', c: 'w'}", "{a: 'x', c: 'w', b: 'y'}"},
      {"{<<: {a: x}, a: y}", "{a: 'y'}", "{a: 'y'}"},
      {"{<<: {a: x}, a: y, a: z}", "error yaml.duplicate-key", "{a: 'z'}"},
      {"x: &x {a: b}\ny: {<<: *x, c: d}", "{x: {a: 'b'}, y: {a: 'b', c: 'd'}}",
       "{x: {a: 'b'}, y: {a: 'b', c: 'd'}}"},
      {"<<: []", "{}", "{}"},
      {"<<: 'x'", "error yaml.merge", "error yaml.merge"},
      {"<<: [x]", "error yaml.merge", "error yaml.merge"},
      {"'<<': {a: b}", "{<<: {a: 'b'}}", "{<<: {a: 'b'}}"},
  };
  for (const MergeRow& row : rows) {
    CHECK_MESSAGE(Js(row.text) == row.js, row.text);
    CHECK_MESSAGE(Py(row.text) == row.py, row.text);
  }
}

TEST_CASE("explicit tags") {
  struct TagRow {
    std::string_view text, js, py;
  };
  const TagRow rows[] = {
      {"!!str 12", "'12'", "'12'"},
      {"!!str", "''", "''"},
      {"!!int '12'", "12", "i12"},
      {"!!int 1.5", "error yaml.tag", "error yaml.tag"},
      {"!!float 1", "1", "1"},
      {"!!float 1e3", "1000", "1000"},
      {"!!bool 'true'", "true", "true"},
      {"!!bool yes", "error yaml.tag", "true"},
      {"!!null ~", "null", "null"},
      {"!!null x", "error yaml.tag", "null"},
      {"!!timestamp '2024-01-15'", "@2024-01-15T00:00:00.000Z", "@2024-01-15T00:00:00.000Z"},
      {"!!binary aGVsbG8=", "#hello", "#hello"},
      {"!!binary a", "error yaml.tag", "error yaml.tag"},
      {"!!seq [a]", "['a']", "['a']"},
      {"!!seq {a: b}", "error yaml.tag", "error yaml.tag"},
      {"!!seq", "[]", "error yaml.tag"},
      {"!!map {a: b}", "{a: 'b'}", "{a: 'b'}"},
      {"!!set {a, b}", "{a: null, b: null}", "{a: null, b: null}"},
      {"!!set {a: x}", "error yaml.tag", "{a: null}"},
      {"!!omap [a: x, b: y]", "[{a: 'x'}, {b: 'y'}]", "[['a', 'x'], ['b', 'y']]"},
      {"!!omap [a: x, a: y]", "error yaml.tag", "[['a', 'x'], ['a', 'y']]"},
      {"!!pairs [a: x, a: y]", "[['a', 'x'], ['a', 'y']]", "[['a', 'x'], ['a', 'y']]"},
      {"!<tag:yaml.org,2002:str> 12", "'12'", "'12'"},
      {"! 12", "'12'", "i12"},
      {"!foo x", "error yaml.tag", "error yaml.tag"},
      {"!!python/name:os.system x", "error yaml.tag", "error yaml.tag"},
      {"%TAG !e! tag:yaml.org,2002:\n---\n!e!str 1", "'1'", "'1'"},
  };
  for (const TagRow& row : rows) {
    CHECK_MESSAGE(Js(row.text) == row.js, row.text);
    CHECK_MESSAGE(Py(row.text) == row.py, row.text);
  }
}

TEST_CASE("anchors and aliases") {
  const YamlRow rows[] = {
      {"a: &x [1]\nb: *x", "{a: [1], b: [1]}"},
      {"a: &x\nb: *x", "{a: null, b: null}"},
      {"a: &x 1\nb: &x 2\nc: *x", "{a: 1, b: 2, c: 2}"},
      {"a: *x", "error yaml.alias"},
      {"a: &x [*x]", "error yaml.alias"},
      {"a: &x 1\n---\nb: *x", "error yaml.alias"},
  };
  for (const YamlRow& row : rows) CHECK_MESSAGE(Js(row.text) == row.want, row.text);
  CHECK(Py("a: &x 1\nb: &x 2") == "error yaml.alias");
}

TEST_CASE("documents of a stream") {
  const YamlRow rows[] = {
      {"", ""},
      {"\n", ""},
      {"# nothing\n", "null"},
      {"---\n---\n", "null | null"},
      {"a\n---\n", "'a' | null"},
      {"--- a\n--- b\n...\n", "'a' | 'b'"},
      {"a: 1\n---\n- b\n", "{a: 1} | ['b']"},
  };
  for (const YamlRow& row : rows) CHECK_MESSAGE(Js(row.text) == row.want, row.text);
  CHECK(Py("# nothing\n") == "");
}

TEST_CASE("js-yaml: line breaks, byte order mark, characters") {
  const YamlRow rows[] = {
      {"a: |\n  x", "{a: 'x\n'}"},  // js-yaml adds the missing end of line
      {"a: 1\r\nb: |\r\n  x\r\n  y\r\n", "{a: 1, b: 'x\ny\n'}"},
      {"a: 1\rb: 2\r", "{a: 1, b: 2}"},
      {"\xef\xbb\xbf"
       "a: b",
       "{a: 'b'}"},
      {"a: x\xe2\x80\xa8y", "{a: 'x\xe2\x80\xa8y'}"},  // U+2028 is no line break
      {"a: |\n  x\xc2\x85y\n", "{a: 'x\xc2\x85y\n'}"},
      {"a: \"\\ud83d\\ude00\"", "{a: '\xf0\x9f\x98\x80'}"},
      {"a: \"\\ud83d\"", "{a: '\xed\xa0\xbd'}"},
      {"a: '\\ud83d\\ude00'", "{a: '\\ud83d\\ude00'}"},
      {"a: \"\\\\ud83d\"", "{a: '\\ud83d'}"},
      {"a: b # \x01", "{a: 'b'}"},
      {"a: \"\x7f\"", "{a: '\x7f'}"},
      {"a: \x7f", "error yaml.encoding"},
      {"a: \"\x01\"", "error yaml.encoding"},
      {std::string_view("a: b\0c", 6), "error yaml.encoding"},
      {"a: \xff", "error yaml.encoding"},
      {"\xff\xfe"
       "a",
       "error yaml.encoding"},
      {"a: 'x  \n  y'", "{a: 'x   y'}"},  // blanks at line ends of quoted texts stay
      {"a: \"x \\\n  y\"", "{a: 'x y'}"},
  };
  for (const YamlRow& row : rows) CHECK_MESSAGE(Js(row.text) == row.want, row.text);
  CHECK(Py("a: |\n  x") == "{a: 'x'}");
  CHECK(Py("a: 'x  \n  y'") == "{a: 'x y'}");
}

TEST_CASE("js-yaml: what libyaml alone refuses") {
  const YamlRow rows[] = {
      {"{ideal:}", "{ideal: null}"},
      {"[{$is_json:}, {a:, b: 1}]", "[{$is_json: null}, {a: null, b: 1}]"},
      {"{a:[1], b:{c:}}", "{a: [1], b: {c: null}}"},
      {"[a:]", "[{a: null}]"},
      {"{a::}", "{a:: null}"},
      {"{x: http://a:}", "error yaml.syntax"},
      {"a: 1\n...\nb: 2\n", "{a: 1} | {b: 2}"},
      {"a: 1\n... # c\n\n# d\n- b", "{a: 1} | ['b']"},
      {"a\n...\nb\n...\nc", "'a' | 'b' | 'c'"},
      {"a: 1\r\n...\r\n  b: 2\r\n  c: 3\r\n", "{a: 1} | {b: 2, c: 3}"},
      {"a: \"x\n...\ny\"\n", "error yaml.syntax"},
      {"a: 1\nb\n", "error yaml.syntax"},
      {"'a'\nb: 1\n", "error yaml.syntax"},
      {"? \n: x\n", "{null: 'x'}"},
      {"- ?\n  : cite\n- ? # c\n- x", "[{null: 'cite'}, {null: null}, 'x']"},
      {"? \n? a\n", "{null: null, a: null}"},
      {"{? : x}", "{null: 'x'}"},
      {"a: &x/y 1\nb: *x/y\nc: &x=y 2\nd: *x=y", "{a: 1, b: 1, c: 2, d: 2}"},
      {"[&a/b x, *a/b, &\xc3\xbc y, *\xc3\xbc, &anchor0 z, *anchor0]", "['x', 'x', 'y', 'y', 'z', 'z']"},
      {"a: &x:y 1\nb: *x:y\nc: &x?y\n  d: 2\ne: *x?y", "{a: 1, b: 1, c: {d: 2}, e: {d: 2}}"},
      {"a: &/ 1\nb: */", "{a: 1, b: 1}"},
      {"- *a/b", "error yaml.alias"},
      {"a: & b", "error yaml.syntax"},
      {"a: &x]y 1", "error yaml.syntax"},
  };
  for (const YamlRow& row : rows) CHECK_MESSAGE(Js(row.text) == row.want, row.text);
  CHECK(Py("{a:}") == "{a: null}");
  CHECK(Py("[a:, b]") == "[{a: null}, 'b']");
  CHECK(Py("a: 1\n...\nb: 2\n") == "error yaml.syntax");
  CHECK(Py("a: &x/y 1") == "error yaml.syntax");
}

TEST_CASE("js-yaml: texts between brackets that begin with a colon or a question mark") {
  const YamlRow rows[] = {
      {"[:symbol, :other]", "[':symbol', ':other']"},
      {"- {a: hi, b: [?maybe]}", "[{a: 'hi', b: ['?maybe']}]"},
      {"{:a: 1, b: :c, d: ?e, ?f: g}", "{:a: 1, b: ':c', d: '?e', ?f: 'g'}"},
      {"[::std, :a :b, :x:y, 'q' :v]", "['::std', ':a :b', ':x:y', {q: 'v'}]"},
      {"[?a, ?b: c, ? d, ?:e]", "['?a', {?b: 'c'}, {d: null}, '?:e']"},
      {"[\n  :a,\n  ?b\n]", "[':a', '?b']"},
      {"[?]", "error yaml.syntax"},
      {"[?[x]]", "error yaml.syntax"},
      {"{a: ?}", "error yaml.syntax"},
      {"[:\"x\", ?'x']", "[':\"x\"', '?'x'']"},
      {"['x', :&a b, ?*c]", "['x', ':&a b', '?*c']"},
      {"[\"x, :y\", ', ?z', :w] # , :c", "['x, :y', ', ?z', ':w']"},
      {"[:a #c\n, :b]", "[':a', ':b']"},
      {"{\"a\" :b, [x] :y}", "{a: 'b', x: 'y'}"},
      {"[-:a, a?b, a ?b, x, ?b?]", "['-:a', 'a?b', 'a ?b', 'x', '?b?']"},
      {"a: [:b, \"\\\"\"]\nc: |\n  , :d\n  [?e\nf: \"x,\n  :g\"",
       "{a: [':b', '\"'], c: ', :d\n[?e\n', f: 'x, :g'}"},
      {"[:\xc3\xa9, \xc3\xa9?, \xe2\x80\xa8:]", "[':\xc3\xa9', '\xc3\xa9?', {\xe2\x80\xa8: null}]"},
      {"- [:x]\n- :y\n- ?z\n- ?[w]", "[[':x'], ':y', '?z', '?[w]']"},
      {"[?a\n b, :c\n  :d]", "['?a b', ':c :d']"},
  };
  for (const YamlRow& row : rows) CHECK_MESSAGE(Js(row.text) == row.want, row.text);
  CHECK(Py("[:symbol]") == "error yaml.syntax");
}

TEST_CASE("js-yaml: tabs") {
  const YamlRow rows[] = {
      {"a:\tb\t# c", "{a: 'b'}"},
      {"-\tb", "['b']"},
      {"- a\n\t\n- b", "['a', 'b']"},
      {"a: 1\n\t# c\nb: 2", "{a: 1, b: 2}"},
      {"a: [\n\tb,\n\tc\n\t]", "{a: ['b', 'c']}"},
      {"a: |\n  \tx\n  y\n", "{a: '\tx\ny\n'}"},
      {"a:\n\tb: 1", "error yaml.syntax"},
      {"-\t- b", "error yaml.syntax"},
      {"a:\n  b: 1\n \tc: 2", "error yaml.syntax"},
      {"a: x\n\ty", "error yaml.syntax"},
      {"a:\n  - x\n\t\t- y", "error yaml.syntax"},
  };
  for (const YamlRow& row : rows) CHECK_MESSAGE(Js(row.text) == row.want, row.text);
}

}  // namespace
}  // namespace assay
