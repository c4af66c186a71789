// Reads an InfiBench suite file: its cases, variants, attempts and reducer; and recognises such files.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/errors/near_id.h"
#include "base/hash.h"
#include "base/limits.h"
#include "dialects/addresses.h"
#include "dialects/infibench/case_file.h"
#include "dialects/infibench/infibench.h"
#include "dialects/infibench/options.h"
#include "dialects/names.h"
#include "spec/report/reduce.h"
#include "spec/suite/suite.h"
#include "text/python/text.h"
#include "text/yaml/yaml.h"

namespace assay::infibench {

namespace {

constexpr int kSureByCases = 80;
constexpr std::string_view kDefaultReducer = "avg";
constexpr std::string_view kKeys[] = {"cases",
                                      "attempt_reduce_mode",
                                      "full_score_per_question",
                                      "version",
                                      "null_score_per_question",
                                      "system_prompt",
                                      "qa_system_prompt",
                                      "temp",
                                      "top_p",
                                      "sample_n",
                                      "labels",
                                      "max_tokens"};

class SuiteReader {
 public:
  SuiteReader(const ReadInput& input, const Map& fields) : input_(input), fields_(fields) {}

  // `counts_weights`: no weight may be one that nothing can be counted with.
  std::vector<CaseEntry> Entries(bool counts_weights) {
    counts_weights_ = counts_weights;
    const Value* cases = fields_.Find("cases");
    std::vector<CaseEntry> entries;
    if (cases == nullptr || !cases->is_list()) {
      input_.diagnostics.Error("infibench.cases", "expected `cases`, a list of case files",
                               cases == nullptr ? Span{} : cases->span, "- cases/eval_1.yaml");
      return entries;
    }
    if (cases->AsList().empty() && input_.options.compat != Compat::kInfibench) {
      input_.diagnostics.Error("infibench.cases", "`cases` is empty: there is nothing to evaluate",
                               cases->span, "- cases/eval_1.yaml");
    }
    for (const Value& item : cases->AsList()) AddEntry(item, entries);
    CheckChosen(!entries.empty());
    return entries;
  }

  std::string Text(std::string_view key) const {
    const Value* value = fields_.Find(key);
    if (value == nullptr || value->is_null()) return {};
    if (value->is_string()) return value->AsString();
    Expected(key, "a text", *value);
    return {};
  }

  std::optional<double> Number(std::string_view key) const {
    const Value* value = fields_.Find(key);
    if (value == nullptr || value->is_null()) return std::nullopt;
    if (value->is_number()) return value->AsNumber();
    Expected(key, "a number", *value);
    return std::nullopt;
  }

  std::optional<std::int64_t> Count(std::string_view key) const {
    const std::optional<double> number = Number(key);
    if (!number) return std::nullopt;
    if (*number >= 1 && *number <= limits::kAttemptsMax * 1000.0 &&
        *number == static_cast<double>(static_cast<std::int64_t>(*number)))
      return static_cast<std::int64_t>(*number);
    Expected(key, "a whole number above 0", *fields_.Find(key));
    return std::nullopt;
  }

  // What tables call a model that is asked; "": as it was named.
  std::string LabelOf(std::string_view model_id) const {
    const Value* labels = fields_.Find("labels");
    if (labels == nullptr || labels->is_null()) return {};
    if (!labels->is_map()) {
      Expected("labels", "a mapping of models to texts", *labels);
      return {};
    }
    const Value* label = labels->Find(model_id);
    if (label == nullptr) return {};
    if (label->is_string()) return label->AsString();
    Expected("labels", "a text", *label);
    return {};
  }

  std::string ReducerName() const {
    const std::string name = Text("attempt_reduce_mode");
    if (name.empty()) return std::string(kDefaultReducer);
    if (!FindReducer(name)) {
      input_.diagnostics.Error(
          "infibench.reduce", fmt::format("there is no attempt_reduce_mode {}", Quoted(name)),
          fields_.Find("attempt_reduce_mode")->span, "one of: avg, max, min, avg_max_K (avg_max_10)");
    }
    return name;
  }

  void WarnOfUnknownKeys() const {
    for (const Member& member : fields_) {
      if (std::find(std::begin(kKeys), std::end(kKeys), member.key) != std::end(kKeys)) continue;
      const std::string_view near = DidYouMean(member.key, kKeys);
      input_.diagnostics.Warning("infibench.unknown-key", fmt::format("unknown key {}", Quoted(member.key)),
                                 member.key_span,
                                 near.empty() ? "it is ignored" : fmt::format("did you mean {}?", near));
    }
  }

 private:
  void Expected(std::string_view key, std::string_view what, const Value& found) const {
    input_.diagnostics.Error(
        "infibench.value", fmt::format("{}: expected {}, found {}", key, what, KindName(found)), found.span);
  }

  void AddEntry(const Value& item, std::vector<CaseEntry>& entries) {
    CaseEntry entry;
    entry.span = item.span;
    const Value* path = item.is_map() ? item.Find("path") : &item;
    const Value* weight = item.Find("weight");
    // As the original takes it: float() of it, so that '2' is 2.
    const std::optional<double> number = weight == nullptr ? entry.weight : PythonFloat(*weight);
    const bool is_weight_fine = number && (!counts_weights_ || (std::isfinite(*number) && *number >= 0));
    if (path == nullptr || !path->is_string() || !is_weight_fine) {
      input_.diagnostics.Error("infibench.case",
                               "expected the path of a case, or {path: FILE, weight: NUMBER}", item.span,
                               "- cases/eval_1.yaml");
      return;
    }
    entry.path = path->AsString();
    listed_.push_back(entry.path);
    if (counts_weights_) entry.weight = *number;
    const ReadOptions& options = input_.options;
    const auto& selected = options.selected;
    // Cases are known by their paths, and to people by their names alone.
    const std::string_view name = NameOfId(entry.path);
    const bool is_selected =
        selected.empty() || std::any_of(selected.begin(), selected.end(), [&](const std::string& each) {
          return each == entry.path || each == name;
        });
    if (!is_selected) return;
    const std::string& filter = options.filter;
    if (!filter.empty() && !MatchesGlob(filter, entry.path) && !MatchesGlob(filter, name)) return;
    if (options.limit && entries.size() >= *options.limit) return;
    const auto is_same = [&](const CaseEntry& other) { return other.path == entry.path; };
    if (std::any_of(entries.begin(), entries.end(), is_same)) {
      input_.diagnostics.Warning("infibench.duplicate-case",
                                 fmt::format("{} is listed twice", Quoted(entry.path)), item.span,
                                 "it is graded once; the original counts it twice");
      return;
    }
    entries.push_back(std::move(entry));
  }

  // Each name of --select has to be a case's, and --filter has to leave one.
  void CheckChosen(bool is_any_left) const {
    const ReadOptions& options = input_.options;
    const std::vector<std::string_view> known(listed_.begin(), listed_.end());
    for (const std::string& name : options.selected) {
      const bool is_known = std::any_of(known.begin(), known.end(), [&name](std::string_view path) {
        return path == name || NameOfId(path) == name;
      });
      if (is_known) continue;
      input_.diagnostics.Error(
          "infibench.select",
          fmt::format("--select: the suite lists no case {}{}", Quoted(name), IdHint(name, known)), {},
          "cases are named by their paths, as in the suite, or by their names alone");
    }
    if (is_any_left || known.empty() || options.filter.empty()) return;
    input_.diagnostics.Error(
        "infibench.filter",
        fmt::format("no case matches the filter {}{}", Quoted(options.filter), IdHint(options.filter, known)),
        {}, "\"*\" stands for any run of characters");
  }

  const ReadInput& input_;
  const Map& fields_;
  bool counts_weights_ = true;
  std::vector<std::string> listed_;  // paths of all cases, whoever is chosen
};

void AddVariants(const SuiteReader& reader, const ReadInput& input, Suite& suite) {
  for (const std::string& model_id : input.options.models) {
    Variant variant;
    variant.id = model_id;
    variant.model_id = model_id;
    variant.label = reader.LabelOf(model_id);
    ModelAddress address = ModelAddressOf(model_id);
    variant.provider = std::move(address.provider);
    variant.model = std::move(address.model);
    variant.params.temperature = reader.Number("temp");
    variant.params.top_p = reader.Number("top_p");
    variant.params.max_tokens =
        input.options.max_tokens ? input.options.max_tokens : reader.Count("max_tokens");
    if (std::string system = reader.Text("system_prompt"); !system.empty())
      variant.system = std::move(system);
    suite.variants.push_back(std::move(variant));
  }
}

// Who is asked gets as many attempts as the suite says, or as one bucket of its reducer holds.
AttemptIndex AttemptsOf(const SuiteReader& reader, const ReadInput& input, const std::string& reducer) {
  if (input.options.attempts) return *input.options.attempts;
  if (const auto count = reader.Count("sample_n"))
    return static_cast<AttemptIndex>(std::min<std::int64_t>(*count, limits::kAttemptsMax));
  const std::optional<Reducer> found = FindReducer(reducer);
  return found && found->row->has_bucket
             ? static_cast<AttemptIndex>(std::min(found->bucket, limits::kAttemptsMax))
             : 1;
}

// A model that is asked has to be told the question.
void CheckPrompts(const Suite& suite, Diagnostics& diagnostics) {
  if (suite.variants.empty()) return;
  for (const Case& the_case : suite.cases) {
    if (!the_case.turns.front().text.empty()) continue;
    diagnostics.Error("infibench.prompt",
                      fmt::format("case {} has no question to ask{}{}", Quoted(the_case.id),
                                  the_case.description->empty() ? "" : ": ", *the_case.description),
                      the_case.span, "name its text with `prompt_path`");
  }
}

std::optional<Suite> ReadSuite(const ReadInput& input, FileId file, std::string_view text) {
  const std::size_t errors_before = input.diagnostics.ErrorCount();
  std::vector<Value> documents = ReadYaml(file, text, YamlRules::kPyYaml, input.diagnostics);
  if (input.diagnostics.ErrorCount() > errors_before) return std::nullopt;
  if (documents.size() != 1 || !documents.front().is_map()) {
    input.diagnostics.Error("infibench.suite", "expected one mapping with `cases`",
                            {.file = file, .offset = 0, .length = 0});
    return std::nullopt;
  }
  SuiteReader reader(input, documents.front().AsMap());
  reader.WarnOfUnknownKeys();
  RefuseForeignAddresses(documents.front().AsMap(), {}, kAddressCode, input.diagnostics);
  Suite suite;
  suite.id = StemOf(input.path);
  suite.title = suite.id;
  suite.dialect = "infibench";
  suite.offered_checks.assign(kInfibenchChecks.begin(), kInfibenchChecks.end());
  suite.compat = input.options.compat;
  if (suite.compat == Compat::kInfibench)
    suite.completeness = {.accepts_partial = true, .needs_every_cell = false};
  suite.refuses_unusable = suite.compat != Compat::kInfibench;
  suite.files.push_back({.path = input.path, .file = file, .sha256 = Hex(Sha256Of(text))});
  suite.span = documents.front().span;
  suite.grades_empty_answers = true;
  const bool like_code = suite.compat == Compat::kInfibench;
  suite.grading = InfibenchGradingRules(suite.compat);
  suite.programs = InfibenchProgramRules(suite.compat);
  suite.aggregation = {.formula = std::string(like_code ? kCodesFormula : kFormatsFormula),
                       .reduce = reader.ReducerName()};
  suite.thinkers_have_room = suite.compat != Compat::kInfibench;
  SuiteDefaults defaults;
  // The format's text has a middle dot where the code has a backtick: both are cut.
  if (!like_code) defaults.escape = " '\"`\u00b7";
  const OwnOptions& own = input.options.own;
  defaults.counts_weights = !own.Has(kNoWeightsOption) && (own.Has(kWeightedOption) || !like_code);
  defaults.folder = input.path.substr(0, input.path.rfind('/') + 1);
  defaults.full_score = reader.Number("full_score_per_question").value_or(1);
  const Value* full_score = documents.front().Find("full_score_per_question");
  defaults.is_full_score_whole = full_score != nullptr && full_score->kind() == ValueKind::kInt;
  defaults.null_score = reader.Number("null_score_per_question").value_or(0);
  defaults.qa_system_prompt = reader.Text("qa_system_prompt");
  for (const CaseEntry& entry : reader.Entries(defaults.counts_weights)) {
    if (std::optional<Case> the_case = ReadCase(entry, defaults, input))
      suite.cases.push_back(*std::move(the_case));
  }
  AddVariants(reader, input, suite);
  suite.attempts = AttemptsOf(reader, input, suite.aggregation.reduce);
  // Points that are taken away leave [0, 1] only where a case lets them.
  suite.score_bounds.are_known =
      std::all_of(suite.cases.begin(), suite.cases.end(),
                  [](const Case& the_case) { return the_case.min_score.value_or(0) >= 0; });
  CheckPrompts(suite, input.diagnostics);
  Map details;
  details.Append("stem", suite.id);
  suite.details = Value(std::move(details));
  if (input.diagnostics.ErrorCount() > errors_before && !input.options.reads_on) return std::nullopt;
  return suite;
}

}  // namespace

}  // namespace assay::infibench

namespace assay {

int SniffInfibench(std::string_view path, std::string_view text) {
  if (!path.ends_with(".yaml") && !path.ends_with(".yml") && !path.ends_with(".json")) return 0;
  return ListsCases(text) ? infibench::kSureByCases : 0;
}

GradingRules InfibenchGradingRules(Compat compat) { return {.python_words = compat == Compat::kInfibench}; }

ProgramRules InfibenchProgramRules(Compat compat) {
  const bool like_code = compat == Compat::kInfibench;
  return {.missing_fails = like_code, .only_original_languages = like_code, .shows_tests = !like_code};
}

std::optional<Suite> ReadInfibench(const ReadInput& input, FileId file, std::string_view text) {
  return infibench::ReadSuite(input, file, text);
}

}  // namespace assay
