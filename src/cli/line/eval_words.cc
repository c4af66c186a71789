// Takes the words one by one, as promptfoo does: some options take all values up to the next option.
#include "cli/line/eval_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "base/errors/diagnostics.h"
#include "cli/settings/options.h"

namespace assay {

namespace {

using Words = std::vector<std::string>;
constexpr std::string_view kStandsByItself = "";

// What becomes of an option.
enum class Meaning {
  kOption,   // ours, with the value
  kWords,    // these words of ours
  kNothing,  // nothing: assay does so anyway, or has no such thing
  kNote,     // nothing, and the user hears why
  kRefused,  // the run would not be what was asked for
  kConfig,
  kOutput,
  kDelay,
  kResume,
};

struct EvalOption {
  ForeignOption theirs;  // names, what follows, and what it is
  Meaning meaning;
  std::string_view ours = {};  // the option, the words, or what is said
  bool takes_many = false;     // all values up to the next option
};

constexpr std::string_view kFilterFailed =
    "`assay show latest --failed` prints the command that runs what failed";

constexpr EvalOption kEvalOptions[] = {
    {{"-c,--config", "FILE...", "the configs (promptfooconfig.yaml, .yml or .json of this folder)"},
     Meaning::kConfig,
     {},
     true},
    {{"-p,--prompts", "PROMPT...", "prompts, or files of prompts, instead of those of the config"},
     Meaning::kOption,
     "--prompts",
     true},
    {{"-r,--providers", "ID...", "providers instead of those of the config"},
     Meaning::kOption,
     "--providers",
     true},
    {{"-t,--tests", "FILE", "tests of this file instead of those of the config"},
     Meaning::kOption,
     "--tests"},
    {{"-v,--vars", "FILE", "the same as --tests"}, Meaning::kOption, "--tests"},
    {{"-o,--output", "FILE...", "write the results to a file: .json, .jsonl, .csv, .html or .junit.xml"},
     Meaning::kOutput,
     {},
     true},
    {{"-j,--max-concurrency", "N", "the number of calls in flight per provider"},
     Meaning::kOption,
     "--max-in-flight"},
    {{"--repeat", "N", "ask every test N times"}, Meaning::kOption, "--attempts"},
    {{"--delay", "MS", "wait between calls"}, Meaning::kDelay},
    {{"--no-cache", kStandsByItself, "send every request again"}, Meaning::kWords, "--fresh"},
    {{"--cache", kStandsByItself, "use earlier replies, as assay always does"}, Meaning::kNothing},
    {{"--grader", "ID", "the provider that grades, unless a test or an assertion names another"},
     Meaning::kOption,
     "--grader"},
    {{"--var", "NAME=VALUE", "a variable of all tests; repeatable"}, Meaning::kOption, "--var"},
    {{"-n,--filter-first-n", "N", "only the first N tests"}, Meaning::kOption, "--filter-first-n"},
    {{"--filter-range", "A:B", "only the tests from A, counted from 0, to before B"},
     Meaning::kOption,
     "--filter-range"},
    {{"--filter-pattern", "REGEX", "only the tests whose description matches"},
     Meaning::kOption,
     "--filter-pattern"},
    {{"--filter-providers,--filter-targets", "REGEX", "only the providers whose id or label matches"},
     Meaning::kOption,
     "--filter-providers"},
    {{"--filter-prompts", "REGEX", "only the prompts whose label or id matches"},
     Meaning::kOption,
     "--filter-prompts"},
    {{"--filter-metadata", "NAME=VALUE", "only the tests with this metadata; repeatable"},
     Meaning::kOption,
     "--filter-metadata"},
    {{"--prompt-prefix", "TEXT", "text before each prompt"}, Meaning::kOption, "--prompt-prefix"},
    {{"--prompt-suffix", "TEXT", "text after each prompt"}, Meaning::kOption, "--prompt-suffix"},
    {{"--env-file,--env-path", "FILE...", "variables of the environment, instead of those of .env"},
     Meaning::kOption,
     "--env-file",
     true},
    {{"--resume", "[RUN]", "continue a run; without its id, the unfinished one of the same command"},
     Meaning::kResume},
    {{"--retry-errors", kStandsByItself,
      "send again what ended in an error, as the same command always does"},
     Meaning::kNothing},
    {{"--no-progress-bar", kStandsByItself, "show no progress"}, Meaning::kWords, "--progress=none"},
    {{"--progress-bar", kStandsByItself, "show progress, as on any terminal"}, Meaning::kNothing},
    {{"--no-table", kStandsByItself, "nothing: assay prints no table of outputs"}, Meaning::kNothing},
    {{"--table", kStandsByItself, "the outputs of each case"}, Meaning::kWords, "--verbose"},
    {{"--table-cell-max-length", "N", "nothing: assay prints no table of outputs"}, Meaning::kNothing},
    {{"--verbose", kStandsByItself, "show every case and attempt"}, Meaning::kWords, "--verbose"},
    {{"--description", "TEXT", "nothing: the config has a description"},
     Meaning::kNote,
     "a run has the description of its config"},
    {{"--no-write", kStandsByItself, "nothing: each run is kept in the store"},
     Meaning::kNote,
     "each run is kept in the store; --store names another one"},
    {{"--no-share", kStandsByItself, "nothing: assay publishes nothing"}, Meaning::kNothing},
    {{"--share", kStandsByItself, "not here"},
     Meaning::kRefused,
     "assay publishes nothing; `assay export latest --to html` writes a page that needs no server"},
    {{"-w,--watch", kStandsByItself, "not here"},
     Meaning::kRefused,
     "`assay run FILE --watch` runs again whenever you save a file"},
    {{"--filter-sample", "N", "not here"},
     Meaning::kRefused,
     "choose with --filter-first-n, --filter-range or --filter-metadata"},
    {{"--filter-failing", "FILE", "not here"}, Meaning::kRefused, kFilterFailed},
    {{"--filter-failing-only", "FILE", "not here"}, Meaning::kRefused, kFilterFailed},
    {{"--filter-errors-only", "FILE", "not here"},
     Meaning::kRefused,
     "the same command sends again what ended in an error"},
    {{"-a,--assertions", "FILE", "not here"}, Meaning::kRefused, "write the assertions under defaultTest"},
    {{"--model-outputs", "FILE", "not here"},
     Meaning::kRefused,
     "`assay grade SUITE RESPONSES` grades recorded answers"},
    {{"-x,--extension", "FILE", "not here"}, Meaning::kRefused, "assay runs no hooks"},
    {{"-i,--interactive-providers", kStandsByItself, "not here"},
     Meaning::kRefused,
     "-j 1 asks one after the other"},
    {{"--remote", kStandsByItself, "not here"}, Meaning::kRefused, "assay grades with your own models only"},
    {{"--suggest-prompts", "N", "not here"}, Meaning::kRefused, "assay writes no prompts"},
    {{"--generate-suggestions", kStandsByItself, "not here"}, Meaning::kRefused, "assay writes no prompts"},
};

// Results by the ending of their file; the first that fits.
struct OutputFormat {
  std::string_view ending;
  std::string_view exporter;  // "": none
};
constexpr OutputFormat kOutputFormats[] = {{".junit.xml", "junit"}, {".jsonl", "jsonl"},
                                           {".json", "promptfoo"},  {".csv", "answers-csv"},
                                           {".html", "html"},       {".md", "markdown"}};

constexpr std::string_view kConfigNames[] = {"promptfooconfig.yaml", "promptfooconfig.yml",
                                             "promptfooconfig.json"};
constexpr std::string_view kPrograms[] = {".js", ".cjs", ".mjs", ".ts", ".cts", ".mts"};

Error Wrong(std::string message) { return {ErrorCode::kInvalidInput, std::move(message)}; }

// Whether `name` is one of the names between commas.
bool HasName(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::size_t comma = std::min(names.find(','), names.size());
    if (names.substr(0, comma) == name) return true;
    names.remove_prefix(std::min(comma + 1, names.size()));
  }
  return false;
}

const EvalOption* FindEvalOption(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kEvalOptions), std::end(kEvalOptions),
                   [name](const EvalOption& each) { return HasName(each.theirs.names, name); });
  return found == std::end(kEvalOptions) ? nullptr : found;
}

// An option of `assay run` that promptfoo has not.
const OptionRow* FindOwnOption(std::string_view name) {
  const auto rows = OptionTable();
  const auto found = std::find_if(rows.begin(), rows.end(), [name](const OptionRow& row) {
    return row.TakenBy("run") && row.LongName() == name;
  });
  return found == rows.end() ? nullptr : &*found;
}

class EvalReader {
 public:
  EvalReader(const Words& words, const EvalPlace& place) : words_(words), place_(place) {}

  Result<RewrittenWords> Read() {
    while (at_ < words_.size()) ASSAY_CHECK_OK(TakeWord());
    out_.command = "run";
    Words head;
    if (!is_resumed_) {
      ASSAY_TRY(head, Configs());
      head.insert(head.end(), {"--compat", "promptfoo"});
    }
    ASSAY_CHECK_OK(AddExitCode(head));
    out_.words.insert(out_.words.begin(), head.begin(), head.end());
    return std::move(out_);
  }

 private:
  void Add(std::string word) { out_.words.push_back(std::move(word)); }
  void AddOption(std::string_view name, std::string_view value) { Add(fmt::format("{}={}", name, value)); }

  Status TakeWord() {
    const std::string& word = words_[at_++];
    if (word == "--") return Ok();
    if (word.size() < 2 || word.front() != '-')
      return Wrong(
          fmt::format("assay eval does not know what to do with {}; -c names a config", Quoted(word)));
    std::string name = word.substr(0, word.find('='));
    std::optional<std::string> value;
    if (name.size() < word.size()) value = word.substr(name.size() + 1);
    // "-j4"
    if (!name.starts_with("--") && name.size() > 2) {
      value = word.substr(2);
      name.resize(2);
    }
    if (const EvalOption* option = FindEvalOption(name)) return TakeOption(*option, name, std::move(value));
    if (const OptionRow* row = FindOwnOption(name)) return TakeOwn(*row, word);
    return Unknown(name);
  }

  // What follows up to the next option.
  Result<Words> ValuesOf(const EvalOption& option, const std::string& name,
                         std::optional<std::string> value) {
    Words values;
    const std::string_view wanted = option.theirs.value;
    if (value) values.push_back(*std::move(value));
    if (wanted.empty()) {
      if (!values.empty())
        return Wrong(fmt::format("{} takes no value, found {}", name, Quoted(values.front())));
      return values;
    }
    const auto is_value = [this] {
      return at_ < words_.size() && (words_[at_].size() < 2 || words_[at_].front() != '-');
    };
    // A value may begin with a dash where one has to stand.
    const bool is_needed = !wanted.starts_with('[');
    if (values.empty() && at_ < words_.size() &&
        (is_value() || (is_needed && FindEvalOption(words_[at_]) == nullptr)))
      values.push_back(words_[at_++]);
    while (option.takes_many && is_value()) values.push_back(words_[at_++]);
    if (values.empty() && is_needed) return Wrong(fmt::format("{0} needs a value: {0} {1}", name, wanted));
    return values;
  }

  Status TakeOption(const EvalOption& option, const std::string& name, std::optional<std::string> value) {
    if (option.meaning == Meaning::kRefused)
      return Wrong(fmt::format("{} is not supported: {}", name, option.ours));
    ASSAY_TRY(const Words values, ValuesOf(option, name, std::move(value)));
    switch (option.meaning) {
      case Meaning::kOption:
        for (const std::string& each : values) {
          if (!each.empty()) AddOption(option.ours, each);
        }
        return Ok();
      case Meaning::kWords:
        Add(std::string(option.ours));
        return Ok();
      case Meaning::kNote:
        out_.notes.push_back(fmt::format("{} has no effect: {}", name, option.ours));
        return Ok();
      case Meaning::kConfig:
        configs_.insert(configs_.end(), values.begin(), values.end());
        return Ok();
      case Meaning::kOutput:
        for (const std::string& path : values) ASSAY_CHECK_OK(AddOutput(path));
        return Ok();
      case Meaning::kDelay:
        return AddDelay(values.front());
      case Meaning::kResume:
        is_resumed_ = !values.empty();
        if (is_resumed_) AddOption("--resume", values.front());
        return Ok();
      case Meaning::kNothing:
      case Meaning::kRefused:
        break;
    }
    return Ok();
  }

  // As `assay run` has it.
  Status TakeOwn(const OptionRow& row, const std::string& word) {
    Add(word);
    const bool has_value =
        word.find('=') != std::string::npos || row.value.empty() || row.value.starts_with('[');
    if (!has_value && at_ < words_.size()) Add(words_[at_++]);
    return Ok();
  }

  static Status Unknown(const std::string& name) {
    std::vector<std::string_view> known;
    for (const EvalOption& option : kEvalOptions)
      known.push_back(option.theirs.names.substr(option.theirs.names.find("--")));
    for (const OptionRow& row : OptionTable()) {
      if (row.TakenBy("run")) known.push_back(row.LongName());
    }
    const std::string_view near = DidYouMean(name, known);
    return Wrong(fmt::format("assay eval has no option {}{}; `assay eval --help` lists them", Quoted(name),
                             near.empty() ? std::string() : fmt::format(", did you mean {}?", near)));
  }

  Status AddOutput(const std::string& path) {
    for (const OutputFormat& format : kOutputFormats) {
      if (!path.ends_with(format.ending)) continue;
      AddOption("--export", fmt::format("{}={}", format.exporter, path));
      return Ok();
    }
    return Wrong(fmt::format(
        "-o {}: expected a file that ends in .json, .jsonl, .csv, .html, .md or .junit.xml", Quoted(path)));
  }

  // One call begins so long after the other.
  Status AddDelay(const std::string& text) {
    constexpr double kMsPerMinute = 60'000;
    double ms = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ms);
    if (error != std::errc() || end != text.data() + text.size() || !(ms >= 0 && ms <= kMsPerMinute))
      return Wrong(fmt::format("--delay: expected milliseconds, from 0 to 60000, found {}", Quoted(text)));
    if (ms == 0) return Ok();
    AddOption("--max-in-flight", "1");
    AddOption("--requests-per-min", fmt::format("{}", kMsPerMinute / ms));
    return Ok();
  }

  // The config, and those that are joined with it.
  Result<Words> Configs() const {
    Words configs = configs_;
    if (configs.empty()) {
      ASSAY_TRY(std::string found, ConfigIn(""));
      configs.push_back(std::move(found));
    }
    for (std::string& config : configs) {
      if (place_.is_file(config)) continue;
      if (const Result<std::string> inside = ConfigIn(config + "/")) config = *inside;
    }
    Words words = {configs.front()};
    for (std::size_t i = 1; i < configs.size(); ++i) words.push_back("--config=" + configs[i]);
    return words;
  }

  // In a folder: "" or ending in "/".
  Result<std::string> ConfigIn(const std::string& folder) const {
    for (const std::string_view name : kConfigNames) {
      if (place_.is_file(folder + std::string(name))) return folder + std::string(name);
    }
    for (const std::string_view ending : kPrograms) {
      const std::string program = fmt::format("{}promptfooconfig{}", folder, ending);
      if (!place_.is_file(program)) continue;
      return Wrong(fmt::format("{} is a program, which assay does not run: write the config as YAML",
                               Quoted(program)));
    }
    return Wrong("there is no promptfooconfig.yaml, .yml or .json here; -c names a config");
  }

  // promptfoo's own code, unless its variables or our options say another.
  Status AddExitCode(Words& head) const {
    constexpr std::string_view kCodeVariable = "PROMPTFOO_FAILED_TEST_EXIT_CODE";
    constexpr std::string_view kRateVariable = "PROMPTFOO_PASS_RATE_THRESHOLD";
    const std::string code = place_.variable(kCodeVariable).value_or("100");
    if (code == "0") {  // tests may fail
      head.emplace_back("--pass-rate=0");
      return Ok();
    }
    head.push_back("--failed-exit-code=" + code);
    const std::optional<std::string> rate = place_.variable(kRateVariable);
    if (!rate || rate->empty()) return Ok();
    constexpr double kPercent = 100;
    double percent = -1;
    const auto [end, error] = std::from_chars(rate->data(), rate->data() + rate->size(), percent);
    if (error != std::errc() || end != rate->data() + rate->size() || !(percent >= 0 && percent <= kPercent))
      return Wrong(
          fmt::format("{}: expected a percentage, such as 80, found {}", kRateVariable, Quoted(*rate)));
    head.push_back(fmt::format("--pass-rate={}", percent / kPercent));
    return Ok();
  }

  const Words& words_;
  const EvalPlace& place_;
  std::size_t at_ = 0;
  Words configs_;
  bool is_resumed_ = false;
  RewrittenWords out_;
};

}  // namespace

Result<RewrittenWords> WordsOfEval(const std::vector<std::string>& words, const EvalPlace& place) {
  return EvalReader(words, place).Read();
}

Result<RewrittenWords> WordsOfEvalHere(const std::vector<std::string>& words) {
  const EvalPlace here{.is_file =
                           [](const std::string& path) {
                             std::error_code unknown;
                             return std::filesystem::is_regular_file(path, unknown);
                           },
                       .variable = [](std::string_view name) -> std::optional<std::string> {
                         const char* value = std::getenv(std::string(name).c_str());
                         return value == nullptr ? std::nullopt : std::optional<std::string>(value);
                       }};
  return WordsOfEval(words, here);
}

std::span<const ForeignOption> EvalOptionTable() {
  static const std::vector<ForeignOption> options = [] {
    std::vector<ForeignOption> theirs;
    for (const EvalOption& option : kEvalOptions) theirs.push_back(option.theirs);
    return theirs;
  }();
  return options;
}

}  // namespace assay
