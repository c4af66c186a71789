// Tests of JavaScript snippets: how results are classified, isolation, limits.
#include "text/script/script.h"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <time.h>

namespace assay {

namespace {

using Kind = ScriptOutcome::Kind;

ScriptOutcome Eval(std::string_view source, const std::vector<std::pair<std::string, Value>>& globals = {}) {
  ScriptEngine engine;
  return engine.Eval(source, globals);
}

}  // namespace

TEST_CASE("completion values") {
  struct Row {
    std::string_view source;
    Value value;
  };
  const Row rows[] = {
      {"", Value()},
      {"1 + 1", 2.0},
      {"-0", -0.0},
      {"0 / 0", 0.0 / 0.0},
      {"true", true},
      {"null", Null{}},
      {"let x = 1; x", 1.0},
      {"let y = 1", Value()},
      {"if (true) 7", 7.0},
      {"{score: 1}", 1.0},
      {"'\\ud83d\\ude00'", "\xf0\x9f\x98\x80"},
      {"'\\ud83d'", "\xed\xa0\xbd"},
      {"'a\\0b'", std::string("a\0b", 3)},
      {"[1, , 'a', () => 1]", List{1.0, Value(), "a", Value()}},
      {"new Date(5)", Date{5}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.source);
    const ScriptOutcome outcome = Eval(row.source);
    CHECK(outcome.kind == Kind::kValue);
    CHECK(SameValue(outcome.value, row.value));
  }
  const ScriptOutcome object = Eval("({b: 1, 2: 'x', f() {}, __proto__: {c: 1}, n: {d: [null]}})");
  REQUIRE(object.value.is_map());
  CHECK(object.value.AsMap().size() == 3);
  CHECK(object.value.AsMap().begin()->key == "2");
  CHECK(!object.has_score_member);
}

TEST_CASE("RegExp.$1 holds a group of the last match") {
  CHECK(SameValue(Eval("'a42b'.match(/([0-9]+)(x)?/); RegExp.$1 + '|' + RegExp.$2 + '|' + RegExp.$9").value,
                  "42||"));
  CHECK(SameValue(Eval("/(b)/.test('abc'); /(z)/.test('abc'); RegExp.$1").value, "b"));
  CHECK(SameValue(Eval("RegExp.$1").value, ""));
  CHECK(SameValue(Eval("new RegExp('(.)b', 'g'); 'ab1b'.replace(/(.)b/g, '<$1>')").value, "<a><1>"));
}

TEST_CASE("values without a form") {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"1n", "bigint"},
      {"Symbol('s')", "symbol"},
      {"x => x", "function"},
      {"new Number(1)", "object"},
      {"/a/", "object"},
      {"Promise.resolve(1)", "object"},
      {"import('x')", "object"},
      {"new Proxy([], {})", "object"},
      {"let o = {}; o.o = o; o", "object"},
  };
  for (const auto& [source, type_name] : rows) {
    CAPTURE(source);
    const ScriptOutcome outcome = Eval(source);
    CHECK(outcome.kind == Kind::kOther);
    CHECK(outcome.type_name == type_name);
  }
}

TEST_CASE("an array too long to be read is no value, whichever limit it meets first") {
  CHECK(Eval("new Array(1e9)").kind != Kind::kValue);
}

TEST_CASE("an object with a score") {
  const ScriptOutcome own = Eval("({score: true, explain: 'why', error: 'e', other: 1})");
  REQUIRE(own.has_score_member);
  CHECK(own.value.AsMap().size() == 3);
  CHECK(own.value.Find("score")->AsBool());
  CHECK(own.value.Find("explain")->AsString() == "why");
  const ScriptOutcome inherited = Eval("Object.create({score: 0.5, explain: 'not copied'})");
  REQUIRE(inherited.has_score_member);
  CHECK(inherited.value.AsMap().empty());
}

TEST_CASE("what was thrown") {
  struct Row {
    std::string_view source, message;
    bool non_error, syntax, illegal_return;
  };
  const Row rows[] = {
      {"throw new Error('boom')", "boom", false, false, false},
      {"throw {message: 'm'}", "m", false, false, false},
      {"throw 'text'", "", true, false, false},
      {"throw null", "", true, false, false},
      {"throw {get message() { throw 1 }}", "", true, false, false},
      {"return 1", "return not in a function", false, true, true},
      {"throw {message: 'Illegal return statement, faked'}", "Illegal return statement, faked", false, false,
       true},
      {"({get score() { throw new Error('getter') }})", "getter", false, false, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.source);
    const ScriptOutcome outcome = Eval(row.source);
    CHECK(outcome.kind == Kind::kThrown);
    CHECK(outcome.message == row.message);
    CHECK(outcome.threw_non_error == row.non_error);
    CHECK(outcome.syntax_error == row.syntax);
    CHECK(outcome.illegal_return == row.illegal_return);
  }
  CHECK(Eval("}{").syntax_error);
  CHECK(Eval("import fs from 'fs'").syntax_error);
}

TEST_CASE("globals are deep copies, and nothing outlives an evaluation") {
  Map context;
  context.Append("messages", List{"\xed\xa0\xbd", 1.5, Null{}});
  context.Append("__proto__", "own");
  const std::vector<std::pair<std::string, Value>> globals = {{"r", "text"}, {"context", context}};
  CHECK(SameValue(Eval("context", globals).value, context));
  CHECK(Eval("r.length + context.messages.length", globals).value.AsNumber() == 7);
  ScriptEngine engine;
  engine.Eval("Object.prototype.score = 1; globalThis.x = 1; Promise.resolve().then(() => { for (;;); })",
              {});
  CHECK(!engine.Eval("({})", {}).has_score_member);
  CHECK(SameValue(engine.Eval("typeof x", {}).value, "undefined"));
  CHECK(SameValue(engine.Eval("typeof require + typeof process + typeof setTimeout", {}).value,
                  "undefinedundefinedundefined"));
  CHECK(SameValue(engine.Eval("console.log('x')", {}).value, Value()));
}

TEST_CASE("a hostile script ends with a limit") {
  const std::string_view sources[] = {
      "for (;;);",
      "while (true) { try { for (;;); } catch (e) {} finally { continue; } }",
      "let a = []; for (;;) a.push('x'.repeat(1e6) + a.length)",
      "try { 'x'.repeat(5e8) } catch (e) {} 1",
      "function f() { return f() + 1 } f()",
      "/(a+)+$/.test('a'.repeat(50) + 'b')",
      "({get score() { for (;;); }})",
      "new Proxy({}, {has() { for (;;); }})",
      "throw {get message() { for (;;); }}",
      "[].join.call({length: 2 ** 53 - 1})",
      "let a = new Uint8Array(5e7); for (;;) a.indexOf(1)",
      "'a'.repeat(2e7).indexOf('a'.repeat(1e7) + 'b')",
      "eval('1+'.repeat(3e6) + '1')",
  };
  ScriptEngine engine;
  for (const std::string_view source : sources) {
    CAPTURE(source);
    const ScriptOutcome outcome = engine.Eval(source, {});
    CHECK(outcome.kind == Kind::kLimit);
    CHECK(!outcome.message.empty());
    CHECK(engine.Eval("1", {}).value.AsNumber() == 1);
  }
}

TEST_CASE("time and chance stand still") {
  const ScriptWorld world{.now_ms = 1'700'000'000'123, .seed = 7};
  ScriptEngine engine;
  const auto eval = [&](std::string_view source) { return engine.Eval(source, {}, world).value; };
  for (const std::string_view source : {"Date.now()", "new Date().getTime()", "+new Date",
                                        "Date.parse(Date()) + 123", "class D extends Date {}; +new D()"}) {
    CAPTURE(source);
    CHECK(SameValue(eval(source), 1'700'000'000'123.0));
  }
  CHECK(eval("+new Date(5)").AsNumber() == 5);
  setenv("TZ", "America/New_York", 1);  // the machine's zone must not matter
  tzset();
  for (const std::string_view source :
       {"new Date(5).getTimezoneOffset() === 0", "new Date(2024, 5, 1).getTime() === Date.UTC(2024, 5, 1)",
        "new Date(0).getHours() === 0", "Date.parse('2024-06-01T00:00') === Date.UTC(2024, 5, 1)",
        "new Date(0).toString().startsWith('Thu Jan 01 1970 00:00:00 GMT+0000')"}) {
    CAPTURE(source);
    CHECK(eval(source).AsBool());
  }
  unsetenv("TZ");
  tzset();
  CHECK(eval("new Date() instanceof Date && new Date().constructor === Date").AsBool());
  const Value first = eval("[Math.random(), Math.random()]");
  CHECK(SameValue(first, eval("[Math.random(), Math.random()]")));
  CHECK(first.AsList()[0].AsNumber() != first.AsList()[1].AsNumber());
  CHECK(!SameValue(first, engine.Eval("[Math.random(), Math.random()]", {}, {.now_ms = 0, .seed = 8}).value));
  CHECK(eval("let low = 1, high = 0; for (let i = 0; i < 1000; i++) {"
             "  const r = Math.random(); low = Math.min(low, r); high = Math.max(high, r);"
             "} low >= 0 && low < 0.1 && high > 0.9 && high < 1")
            .AsBool());
}

TEST_CASE("Intl has the collator") {
  CHECK(SameValue(Eval("['b', 'a', 'B'].sort(new Intl.Collator().compare).join('')").value, "abB"));
  CHECK(Eval("Intl.Collator('en', {sensitivity: 'base'}).compare('a', '\u00c1')").value.AsNumber() == 0);
  CHECK(SameValue(Eval("typeof Intl + Object.keys(globalThis).includes('Intl')").value, "objectfalse"));
}

TEST_CASE("toLocaleString speaks en-US, as Node does, or throws") {
  const struct {
    std::string_view source, want;
  } rows[] = {
      {"1234.5", "1,234.5"},
      {"1.0005", "1.001"},
      {"0.1234", "0.123"},
      {"1e21", "1,000,000,000,000,000,000,000"},
      {"-0", "-0"},
      {"NaN", "NaN"},
      {"-Infinity", "-\u221e"},
      {"1e-7", "0"},
      {"123456789.98765", "123,456,789.988"},
      {"0.0005", "0.001"},
      {"0.00049999", "0"},
      {"-1234.5678", "-1,234.568"},
      {"0.0025", "0.003"},
      {"999.9995", "1,000"},
      {"0", "0"},
      {"100", "100"},
      {"12345678901234567890n", "12,345,678,901,234,567,890"},
      {"-1234n", "-1,234"},
      {"[1234.5, null, [2000], 'x', undefined]", "1,234.5,,2,000,x,"},
      {"new Float64Array([1e4, 2])", "10,000,2"},
      {"({})", "[object Object]"},
      {"true", "true"},
      {"'x'", "x"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.source);
    CHECK(SameValue(Eval("(" + std::string(row.source) + ").toLocaleString()").value, row.want));
  }
  CHECK(SameValue(Eval("(5000).toLocaleString('en', {}) + (5000).toLocaleString(['en-US'])").value,
                  "5,0005,000"));
  CHECK(SameValue(Eval("'\u00df'.toLocaleUpperCase() + 'AB'.toLocaleLowerCase('de')").value, "SSab"));
  for (const char* source :
       {"(1).toLocaleString('de')", "(1).toLocaleString('en', {style: 'percent'})",
        "[1].toLocaleString('fr')", "new Date(0).toLocaleString()", "new Date(0).toLocaleDateString('en-US')",
        "new Date(0).toLocaleTimeString()", "'i'.toLocaleUpperCase('tr')", "(1n).toLocaleString('de')"}) {
    CAPTURE(source);
    CHECK(Eval(source).kind == Kind::kThrown);
  }
}

TEST_CASE("cube roots of cubes are whole") {
  CHECK(Eval("let n = 0; for (let i = -2000; i <= 2000; i++) if (Math.cbrt(i * i * i) !== i) n++; n === 0")
            .value.AsBool());
  CHECK(Eval("Math.cbrt(0.125) === 0.5 && Math.cbrt(-0.001) === -0.1 && Math.cbrt('8') === 2 && Math.cbrt() "
             "!== 0")
            .value.AsBool());
  CHECK(Eval("Object.is(Math.cbrt(-0), -0) && Math.cbrt(-Infinity) === -Infinity && isNaN(Math.cbrt(NaN))")
            .value.AsBool());
  CHECK(Eval("Math.cbrt(5e-324) === 1.7031839360032603e-108 && Math.cbrt.length === 1").value.AsBool());
}

TEST_CASE("localeCompare sorts for people") {
  CHECK(Eval("'a'.localeCompare('B')").value.AsNumber() == -1);
  CHECK(Eval("'a'.localeCompare('A')").value.AsNumber() == -1);
  CHECK(Eval("'a'.localeCompare('\\u00c1', undefined, {sensitivity: 'base'})").value.AsNumber() == 0);
  CHECK(Eval("'a'.localeCompare('\\u00c1', 'en', {sensitivity: 'accent'})").value.AsNumber() == -1);
  CHECK(Eval("'a10'.localeCompare('a9', undefined, {numeric: true})").value.AsNumber() == 1);
  CHECK(Eval("'a'.localeCompare('b', undefined, {sensitivity: 'x'})").kind == Kind::kThrown);
}

TEST_CASE("a script is compiled without running it") {
  CHECK(CompileScript("r.length > 3").kind == ScriptOutcome::Kind::kValue);
  CHECK(CompileScript("while (true) {}").kind == ScriptOutcome::Kind::kValue);
  CHECK(CompileScript("/a(b)/.test(r)").kind == ScriptOutcome::Kind::kValue);
  const ScriptOutcome broken = CompileScript("r.length >");
  CHECK(broken.kind == ScriptOutcome::Kind::kThrown);
  CHECK(broken.syntax_error);
  CHECK_FALSE(broken.message.empty());
  CHECK(CompileScript("/a(/.test(r)").kind == ScriptOutcome::Kind::kThrown);
  CHECK(CompileScript("return r").illegal_return);
}

}  // namespace assay
