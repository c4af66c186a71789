// The rows of other files, and the keys by which they are known.
#include "dialects/other_files/other_files.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/text/ascii.h"
#include "base/text/byte_order_mark.h"
#include "text/yaml/keys.h"

namespace assay {

namespace {

enum class Shape {
  kMap,    // YAML or JSON with keys at its top
  kList,   // a list whose first entry has keys
  kLines,  // JSON Lines
  kTable,  // CSV or TSV
  kName,   // whatever its name ends in says enough
};

constexpr std::size_t kKeysMax = 3;
using Keys = std::array<std::string_view, kKeysMax>;  // "" behind the last

constexpr std::string_view kAsBlueprint = "write its questions as a blueprint: docs/blueprint.md";
constexpr std::string_view kAsDataset = "`assay init dataset FILE` writes one: docs/datasets.md";
constexpr std::string_view kNameConfig = "name its config";
constexpr std::string_view kEvalsSteps =
    "run its registry entry, or its samples: docs/formats-of-others.md; assay does not read its logs";

struct Claim {
  OtherFileRow row;
  Shape shape;
  Keys all = {};               // each is there
  Keys any = {};               // one of them is there
  std::string_view text = {};  // the file holds this
  Keys suffixes = {};          // kName
};

// What several claims find.
constexpr OtherFileRow kLettaSuite = {.is = "this is a suite of letta-evals, which assay does not run",
                                      .instead = kAsBlueprint};
constexpr OtherFileRow kSamples = {
    .code = "suite.no-suite", .is = "rows, no suite: a list of samples", .instead = kAsDataset};

constexpr Claim kClaims[] = {
    {.row = {.is = "this is a program; suites are written in YAML, JSON or TOML",
             .instead = "run it with its own tool; `assay show FILE` reads logs of Inspect"},
     .shape = Shape::kName,
     .suffixes = {".py", ".js", ".ts"}},
    {.row = {.is = "this is a notebook or a workbook; suites are written in YAML, JSON or TOML",
             .instead = kAsBlueprint},
     .shape = Shape::kName,
     .suffixes = {".ipynb", ".xlsx", ".ods"}},
    {.row = {.code = "dataset.parquet",
             .is = "this is a Parquet file, which assay does not read",
             .instead =
                 "duckdb -c \"copy (from 'FILE') to 'FILE.jsonl'\", then `assay init dataset FILE.jsonl`"},
     .shape = Shape::kName,
     .suffixes = {".parquet"}},
    {.row = {.code = "dataset.parquet",
             .is = "this is a file of Arrow, which assay does not read",
             .instead =
                 "save its table as JSON Lines or CSV, then `assay init dataset` writes a suite for it"},
     .shape = Shape::kName,
     .suffixes = {".arrow", ".feather"}},
    {.row = {.code = "suite.promptfoo",
             .is = "this is a config of promptfoo's red team, which assay does not run",
             .instead = "name a config with prompts, providers and tests"},
     .shape = Shape::kMap,
     .all = {"targets", "redteam"}},
    {.row = {.code = "suite.promptfoo", .is = "a promptfoo test file", .instead = kNameConfig},
     .shape = Shape::kList,
     .any = {"vars", "assert"}},
    {.row = {.code = "suite.results",
             .is = "this is a summary of results of lm-evaluation-harness, which names no answers",
             .instead = "show its samples: `assay show samples_….jsonl` (lm_eval --log_samples)"},
     .shape = Shape::kMap,
     .all = {"results", "configs"},
     .any = {"versions", "n-shot", "n-samples"}},
    {.row = kLettaSuite, .shape = Shape::kMap, .all = {"dataset", "graders"}},
    {.row = kLettaSuite,
     .shape = Shape::kMap,
     .all = {"dataset", "target"},
     .any = {"gate", "reward", "grader"}},
    {.row = {.is = "this is a prompt of GitHub Models with its test data, which assay does not run",
             .instead = kAsBlueprint},
     .shape = Shape::kMap,
     .all = {"testData"}},
    {.row = {.code = "evals.class",
             .is = "this is a rubric of OpenAI Evals (modelgraded), which assay does not run",
             .instead = "write the criterion as a point of a blueprint: docs/blueprint.md"},
     .shape = Shape::kMap,
     .all = {"choice_strings"}},
    {.row = {.code = "suite.no-suite",
             .is = "this is a case of InfiBench, which a suite lists under `cases`",
             .instead = "name the suite; `assay check SUITE.yaml` reads its cases"},
     .shape = Shape::kMap,
     .all = {"grading"},
     .any = {"prompt_path", "type", "lang"}},
    {.row = {.code = "suite.no-suite",
             .is = "this is the list of a folder of answers",
             .instead = "name the suite first and then its folder: `assay grade SUITE FOLDER`"},
     .shape = Shape::kMap,
     .all = {"answer_paths"}},
    {.row = {.code = "suite.no-suite",
             .is = "this is a recording of replies",
             .instead = "name the suite, then the recording: `assay run SUITE --replay FILE`"},
     .shape = Shape::kLines,
     .all = {"request", "reply"}},
    {.row = {.is = "this is a log of OpenAI Evals, which assay does not read", .instead = kEvalsSteps},
     .shape = Shape::kLines,
     .any = {"spec", "final_report", "event_id"}},
    {.row = {.code = "suite.no-suite",
             .is = "rows, no suite: samples of OpenAI Evals in JSON Lines",
             .instead = "name its registry entry; or `assay init dataset FILE` writes one"},
     .shape = Shape::kLines,
     .all = {"input", "ideal"}},
    {.row = {.code = "suite.no-suite",
             .is = "rows, no suite: a data set of Inspect in JSON Lines",
             .instead = kAsDataset},
     .shape = Shape::kLines,
     .all = {"input", "target"}},
    {.row = {.code = "suite.promptfoo", .is = "a promptfoo test file", .instead = kNameConfig},
     .shape = Shape::kLines,
     .any = {"vars", "assert"}},
    {.row = {.code = "suite.no-suite", .is = "rows, no suite: JSON Lines", .instead = kAsDataset},
     .shape = Shape::kLines},
    {.row = kSamples, .shape = Shape::kList, .all = {"input"}, .any = {"target", "expected_output", "ideal"}},
    {.row = kSamples, .shape = Shape::kList, .any = {"question", "instruction", "actual_output"}},
    {.row = {.code = "suite.no-suite",
             .is = "this is a table of answers",
             .instead = "name the suite, then the table: `assay grade SUITE FILE.csv`"},
     .shape = Shape::kTable,
     .text = "completion"},
    {.row = {.code = "suite.promptfoo", .is = "a promptfoo test file", .instead = kNameConfig},
     .shape = Shape::kTable,
     .text = "__expected"},
    {.row = {.code = "suite.no-suite", .is = "rows, no suite: a table", .instead = kAsDataset},
     .shape = Shape::kTable},
};

bool EndsIn(std::string_view path, std::string_view suffix) {
  return path.size() > suffix.size() && std::equal(suffix.rbegin(), suffix.rend(), path.rbegin(),
                                                   [](char a, char b) { return a == AsciiLower(b); });
}

bool HasEnding(std::string_view path, const Keys& suffixes) {
  return std::any_of(suffixes.begin(), suffixes.end(),
                     [path](std::string_view suffix) { return !suffix.empty() && EndsIn(path, suffix); });
}

// The text without what stands before its first line with words.
std::string_view FromFirstWord(std::string_view text) {
  text = WithoutByteOrderMark(text);
  while (true) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    const bool is_comment = text[first] == '#';
    if (!is_comment) return text.substr(first);
    text.remove_prefix(std::min(text.find('\n', first), text.size()));
  }
}

bool IsObject(std::string_view line) {
  while (!line.empty() && std::string_view(" \t\r").find(line.back()) != std::string_view::npos)
    line.remove_suffix(1);
  return line.starts_with('{') && line.ends_with('}');
}

// An object on the first line, and another on the next that has words.
bool IsLines(std::string_view path, std::string_view body) {
  if (EndsIn(path, ".jsonl") || EndsIn(path, ".ndjson")) return true;
  const std::size_t end = body.find('\n');
  if (end == std::string_view::npos || !IsObject(body.substr(0, end))) return false;
  return FromFirstWord(body.substr(end)).starts_with('{');
}

// The text of the first entry of a list of YAML or JSON, its dash or bracket left out.
std::string FirstEntry(std::string_view body) {
  if (body.starts_with('[')) return std::string(FromFirstWord(body.substr(1)));
  std::string entry(body.substr(0, std::min(body.find("\n-"), body.size())));
  entry.front() = ' ';
  return entry;
}

Shape ShapeOf(std::string_view path, std::string_view body) {
  if (EndsIn(path, ".csv") || EndsIn(path, ".tsv")) return Shape::kTable;
  if (IsLines(path, body)) return Shape::kLines;
  const bool is_list = body.starts_with('[') || body.starts_with("- ");
  return is_list ? Shape::kList : Shape::kMap;
}

bool Fits(const Claim& claim, std::string_view body, const std::vector<std::string>& keys) {
  const auto has = [&keys](std::string_view key) {
    return key.empty() || std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  const auto is_there = [&](std::string_view key) { return !key.empty() && has(key); };
  if (!std::all_of(claim.all.begin(), claim.all.end(), has)) return false;
  if (!claim.any.front().empty() && std::none_of(claim.any.begin(), claim.any.end(), is_there)) return false;
  if (claim.text.empty()) return true;
  if (claim.shape == Shape::kTable) body = body.substr(0, body.find('\n'));
  // Nothing that names models or prompts of ours is meant, whatever words its prompts hold.
  const bool is_ours = claim.shape == Shape::kMap && (is_there("prompts") || is_there("models"));
  return !is_ours && body.find(claim.text) != std::string_view::npos;
}

}  // namespace

const OtherFileRow* FindOtherFile(std::string_view path, std::string_view text) {
  for (const Claim& claim : kClaims) {
    if (claim.shape == Shape::kName && HasEnding(path, claim.suffixes)) return &claim.row;
  }
  constexpr Keys kRead = {".yml", ".yaml", ".json"};
  constexpr Keys kRows = {".jsonl", ".csv", ".tsv"};
  const std::string_view body = FromFirstWord(text).substr(0, kSniffedBytesMax);
  const bool may_be = HasEnding(path, kRead) || HasEnding(path, kRows) || EndsIn(path, ".ndjson");
  if (body.empty() || !may_be) return nullptr;
  const Shape shape = ShapeOf(path, body);
  std::vector<std::string> keys;
  if (shape != Shape::kTable) keys = TopLevelKeys(shape == Shape::kList ? FirstEntry(body) : body);
  // What asks something by a key of ours is ours, with whatever mistakes.
  constexpr Keys kOurs = {"prompt", "should", "cases"};
  const bool is_ours = std::any_of(kOurs.begin(), kOurs.end(), [&keys](std::string_view key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  });
  if (is_ours && shape != Shape::kLines) return nullptr;
  for (const Claim& claim : kClaims) {
    if (claim.shape == shape && Fits(claim, body, keys)) return &claim.row;
  }
  return nullptr;
}

}  // namespace assay
