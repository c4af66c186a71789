// Foreign code in text/: JavaScript regexes, scripts and case mapping; and parts of answers. The texts are about
// 1 kB.
#include <benchmark/benchmark.h>

#include <string>

#include "text/extract/extraction.h"
#include "text/javascript/regex.h"
#include "text/javascript/text.h"
#include "text/json/json.h"
#include "text/letters/collate.h"
#include "text/script/script.h"

namespace {

std::string Repeated(std::string_view text, std::size_t size_bytes) {
  std::string out;
  while (out.size() < size_bytes) out += text;
  return out;
}

const std::string& Ascii() {
  static const std::string text = Repeated("The quick brown fox jumps over the lazy dog. ", 1000);
  return text;
}

const std::string& NonAscii() {
  static const std::string text = Repeated(
      "Der flinke braune Fuchs \xc3\xbc"
      "berholt \xce\x9f\xce\xa3. ",
      1000);
  return text;
}

void RegexCompile(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        assay::JsRegex::Compile("\\b(?:cat|dog)s?\\b.*[0-9]{2,4}", assay::JsRegexFlags::kIgnoreCase));
  }
}
BENCHMARK(RegexCompile);

void Search(benchmark::State& state, std::string_view pattern, assay::JsRegexFlags flags,
            const std::string& text) {
  const auto regex = assay::JsRegex::Compile(pattern, flags);
  for (auto _ : state) {
    assay::RegexSubject subject(text);
    benchmark::DoNotOptimize((*regex)->Search(subject));
  }
}
constexpr auto kPlain = assay::JsRegexFlags::kNone;
constexpr auto kFold = assay::JsRegexFlags::kIgnoreCase;
BENCHMARK_CAPTURE(Search, ascii_word, "\\bzebras?\\b", kPlain, Ascii());
BENCHMARK_CAPTURE(Search, ascii_word_i, "\\bzebras?\\b", kFold, Ascii());
BENCHMARK_CAPTURE(Search, ascii_alternatives_i, "(?:zebra|yak|wolf)", kFold, Ascii());
BENCHMARK_CAPTURE(Search, ascii_dot_star, "zebra.*yak", kPlain, Ascii());
BENCHMARK_CAPTURE(Search, non_ascii_word, "\\bzebras?\\b", kPlain, NonAscii());
BENCHMARK_CAPTURE(Search, non_ascii_word_i, "\\bzebras?\\b", kFold, NonAscii());

void Script(benchmark::State& state, std::string_view source) {
  assay::ScriptEngine engine;
  for (auto _ : state) benchmark::DoNotOptimize(engine.Eval(source, {{"r", Ascii()}, {"response", Ascii()}}));
}
BENCHMARK_CAPTURE(Script, constant, "1");
BENCHMARK_CAPTURE(
    Script, typical,
    "const lines = r.split(/\\. /).filter(l => /fox/.test(l)); ({score: lines.length > 3, explain: 'ok'})");

void Lower(benchmark::State& state, const std::string& text) {
  for (auto _ : state) benchmark::DoNotOptimize(assay::JsToLower(text));
}
BENCHMARK_CAPTURE(Lower, ascii, Ascii());
BENCHMARK_CAPTURE(Lower, non_ascii, NonAscii());

void Compare(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(assay::LocaleCompare("prompt-a", "prompt-B"));
}
BENCHMARK(Compare);

void Extract(benchmark::State& state, std::string_view json) {
  const std::string answer = Ascii() + "\n**Answer:** (B), so <answer>x</answer> \\boxed{72}.\n#### 72\n";
  const auto extraction = assay::Extraction::Read(*assay::ParseJson(json));
  for (auto _ : state) benchmark::DoNotOptimize(extraction->Find(answer));
}
BENCHMARK_CAPTURE(Extract, regex, R"j("#### (\\d+)")j");
BENCHMARK_CAPTURE(Extract, number, R"({"number":"last"})");
BENCHMARK_CAPTURE(Extract, boxed, R"({"boxed":true})");
BENCHMARK_CAPTURE(Extract, tag, R"({"tag":"answer"})");
BENCHMARK_CAPTURE(Extract, code, R"({"code":true})");
BENCHMARK_CAPTURE(Extract, json, R"({"json":"$.a"})");
BENCHMARK_CAPTURE(Extract, choice, R"({"choice":4})");
BENCHMARK_CAPTURE(Extract, after, R"({"after":"answer:"})");

}  // namespace
