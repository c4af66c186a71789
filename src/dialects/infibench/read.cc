// Reads an InfiBench suite file: its cases, variants, attempts and reducer; and recognises such files.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "base/errors/near_id.h"
#include "base/files/path_names.h"
#include "base/hash.h"
#include "base/limits.h"
#include "dialects/addresses.h"
#include "dialects/infibench/case_file.h"
#include "dialects/infibench/cases_from.h"
#include "dialects/infibench/infibench.h"
#include "dialects/infibench/keys.h"
#include "dialects/infibench/options.h"
#include "dialects/names.h"
#include "dialects/rows_from/selection.h"
#include "dialects/slips/plain_texts.h"
#include "spec/report/reduce.h"
#include "spec/suite/suite.h"
#include "text/found.h"
#include "text/object.h"
#include "text/place_of.h"
#include "text/python/text.h"
#include "text/yaml/yaml.h"

namespace assay::infibench {

namespace {

constexpr int kSureByCases = 80;
constexpr std::string_view kDefaultReducer = "avg";
class SuiteReader {
 public:
  SuiteReader(const ReadInput& input, const Map& fields) : input_(input), fields_(fields) {}

  // `counts_weights`: no weight may be one that nothing can be counted with.
  std::vector<CaseEntry> Entries(bool counts_weights) {
    counts_weights_ = counts_weights;
    const List* cases = FindList(fields_, "cases");
    std::vector<CaseEntry> entries;
    const Member* slip = HasCases() ? nullptr : SlipForCases();
    if (slip != nullptr) {
      input_.diagnostics.Error("infibench.cases",
                               fmt::format("the suite has no `cases`: unknown key {}", Quoted(slip->key)),
                               slip->key_span, "did you mean cases?");
      return entries;
    }
    const bool has_rows = fields_.Find("cases_from") != nullptr;
    if (cases == nullptr && fields_.Find("cases") == nullptr && has_rows) return entries;
    if (cases == nullptr) {
      input_.diagnostics.Error("infibench.cases", "expected `cases`, a list of case files",
                               PlaceOf(fields_, "cases"), "- cases/eval_1.yaml");
      return entries;
    }
    if (cases->empty() && !has_rows && input_.options.compat != Compat::kInfibench) {
      input_.diagnostics.Error("infibench.cases", "`cases` is empty: there is nothing to evaluate",
                               PlaceOf(fields_, "cases"), "- cases/eval_1.yaml");
    }
    for (const Value& item : *cases) AddEntry(item, entries);
    return entries;
  }

  // Those of the cases of tables that are selected. `listed`: how many cases the suite has of its own.
  std::vector<Case> Chosen(std::vector<Case> cases, std::size_t listed) {
    std::vector<Case> chosen;
    for (Case& each : cases) {
      const bool is_new = std::find(listed_.begin(), listed_.end(), each.id) == listed_.end();
      if (!is_new) {
        input_.diagnostics.Error("infibench.duplicate-case",
                                 fmt::format("two cases have the name {}", Quoted(each.id)), each.span,
                                 "give the cases of the table an id of their own: id: \"table-{{id}}\"");
        continue;
      }
      listed_.push_back(each.id);
      const bool has_room = !input_.options.limit || listed + chosen.size() < *input_.options.limit;
      if (has_room && IsChosen(each.id)) chosen.push_back(std::move(each));
    }
    return chosen;
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

  std::string Text(std::string_view key) const {
    if (const Value* other = OtherThan(FindText(fields_, key) != nullptr, key))
      Expected(key, "a text", *other);
    return fields_.TextAt(key);
  }

  std::optional<double> Number(std::string_view key) const {
    const std::optional<double> number = fields_.NumberAt(key);
    if (const Value* other = OtherThan(number.has_value(), key)) Expected(key, "a number", *other);
    return number;
  }

  std::optional<std::int64_t> Count(std::string_view key) const {
    const std::optional<double> number = Number(key);
    if (!number) return std::nullopt;
    if (Fits(FindKey(kSuite, key)->shape, Value(*number))) return static_cast<std::int64_t>(*number);
    Expected(key, "a whole number above 0", *fields_.Find(key));
    return std::nullopt;
  }

  // A number from 0 on; nothing where it is something else. These keys are ours: the original ignores them.
  std::optional<double> Share(std::string_view key) const {
    const ValueShape& shape = FindKey(kSuite, key)->shape;
    const std::optional<double> number = fields_.NumberAt(key);
    const std::string range = fmt::format("a number from {} to {}", *shape.least, *shape.most);
    if (const Value* other = OtherThan(number.has_value(), key)) Expected(key, range, *other);
    if (!number || (!std::isnan(*number) && Fits(shape, Value(*number)))) return number;
    Refuse(fmt::format("{}: expected {}, found {}", key, range, *number), PlaceOf(fields_, key));
    return std::nullopt;
  }

  // The least score that passes; nothing where the suite says none.
  std::optional<double> Mark() const {
    const Value* pass = OurKey("pass");
    if (pass == nullptr) return std::nullopt;
    const bool is_all = pass->is_string() && pass->AsString() == "all";
    if (is_all) return 1;
    if (pass->is_number() && Fits(FindKey(kSuite, "pass")->shape, *pass)) return pass->AsNumber();
    Refuse(fmt::format("pass: expected all, or a score from 0 to 1, found {}", FoundWords(*pass)), pass->span,
           "write a score such as 0.8, or all");
    return std::nullopt;
  }

  // Numbers of tries that reports tell of, each once.
  std::vector<AttemptIndex> Tries() const {
    std::vector<AttemptIndex> ks;
    const Value* tries = OurKey("pass_at_k");
    if (tries == nullptr) return ks;
    const ValueShape one{.kinds = ValueShape::kWhole, .least = 1, .most = limits::kAttemptsMax};
    const Value* wrong = tries->is_list() && !tries->AsList().empty() ? nullptr : tries;
    if (wrong == nullptr && tries->AsList().size() > limits::kTriesMax) wrong = tries;
    for (std::size_t i = 0; wrong == nullptr && i < tries->AsList().size(); ++i) {
      const Value& item = tries->AsList()[i];
      if (!Fits(one, item)) {
        wrong = &item;
        continue;
      }
      const auto k = static_cast<AttemptIndex>(item.AsNumber());
      if (std::find(ks.begin(), ks.end(), k) == ks.end()) ks.push_back(k);
    }
    if (wrong == nullptr) return ks;
    Refuse(fmt::format("pass_at_k: expected up to {} whole numbers from 1 to {}, found {}", limits::kTriesMax,
                       limits::kAttemptsMax, FoundWords(*wrong)),
           wrong->span, "write a list such as [1, 10]");
    return {};
  }

  // What tables call the models that are asked, by model.
  std::map<std::string, std::string, std::less<>> Labels() const {
    std::map<std::string, std::string, std::less<>> labels;
    if (const Value* other = OtherThan(FindMap(fields_, "labels") != nullptr, "labels"))
      Expected("labels", "a mapping of models to texts", *other);
    for (const Member& label : fields_.MapAt("labels")) {
      if (label.value.is_string()) {
        labels[label.key] = label.value.AsString();
      } else {
        Expected("labels", "a text", label.value);
      }
    }
    return labels;
  }

  std::string ReducerName() const {
    const std::string name = Text("attempt_reduce_mode");
    if (name.empty()) return std::string(kDefaultReducer);
    if (!FindReducer(name)) {
      input_.diagnostics.Error(
          "infibench.reduce", fmt::format("there is no attempt_reduce_mode {}", Quoted(name)),
          PlaceOf(fields_, "attempt_reduce_mode"), "one of: avg, max, min, avg_max_K (avg_max_10)");
    }
    return name;
  }

  void WarnOfUnknownKeys() const {
    const Member* slip = HasCases() ? nullptr : SlipForCases();
    Map others = fields_;
    if (slip != nullptr) others.Erase(std::string(slip->key));
    WarnOfUnknown(others, kSuite, "");
  }

 private:
  static std::string FoundWords(const Value& value) {
    if (value.is_string()) return Quoted(value.AsString());
    if (value.is_number()) return fmt::format("{:g}", value.AsNumber());
    return std::string(KindName(value));
  }

  // Null: it is not there. The original has no such key, and a run in its mode would lose what it says.
  const Value* OurKey(std::string_view key) const {
    const Member* member = fields_.FindMember(key);
    if (member == nullptr || member->value.is_null()) return nullptr;
    if (input_.options.compat == Compat::kInfibench) {
      input_.diagnostics.Error("dataset.compat", fmt::format("the original has no key `{}`", key),
                               member->key_span, "run the suite without --compat, or remove the key");
    }
    return &member->value;
  }

  bool HasCases() const { return fields_.Find("cases") != nullptr || fields_.Find("cases_from") != nullptr; }

  // Cases are known by their paths, and to people by their names alone.
  bool IsChosen(std::string_view path) const {
    const std::string_view name = NameOfId(path);
    const auto& selected = input_.options.selected;
    const std::string& filter = input_.options.filter;
    const bool is_selected =
        selected.empty() || std::any_of(selected.begin(), selected.end(), [&](const std::string& each) {
          return each == path || each == name;
        });
    return is_selected && (filter.empty() || MatchesGlob(filter, path) || MatchesGlob(filter, name));
  }

  const Member* SlipForCases() const {
    constexpr std::string_view kCases[] = {"cases"};
    const auto* const found = std::find_if(fields_.begin(), fields_.end(), [&](const Member& member) {
      return !DidYouMean(member.key, kCases).empty();
    });
    return found == fields_.end() ? nullptr : found;
  }

  void WarnOfUnknown(const Map& map, const KeyPlace& place, std::string_view where) const {
    for (const Member& member : map) {
      if (FindKey(place, member.key) != nullptr) continue;
      const std::string_view near = NearKey(place, member.key);
      input_.diagnostics.Warning("infibench.unknown-key",
                                 fmt::format("{}unknown key {}", where, Quoted(member.key)), member.key_span,
                                 near.empty() ? "it is ignored" : fmt::format("did you mean {}?", near));
    }
  }

  void Expected(std::string_view key, std::string_view what, const Value& found) const {
    Refuse(fmt::format("{}: expected {}, found {}", key, what, KindName(found)), found.span,
           found.is_string() && what.starts_with("a number") ? "write a number, without quotes" : "");
  }

  void Refuse(std::string message, Span where, std::string hint = {}) const {
    input_.diagnostics.Error("infibench.value", std::move(message), where, std::move(hint));
  }

  // What stands there if it is not what was wanted; null is nothing.
  const Value* OtherThan(bool is_wanted, std::string_view key) const {
    const Value* value = fields_.Find(key);
    return is_wanted || value == nullptr || value->is_null() ? nullptr : value;
  }

  // As the original takes it: float() of it, so that '2' is 2. A wrong one counts as none.
  double WeightOf(const Value& item) const {
    const Value* weight = item.Find("weight");
    if (weight == nullptr) return CaseEntry().weight;
    const std::optional<double> number = PythonFloat(*weight);
    if (number && (!counts_weights_ || (std::isfinite(*number) && *number >= 0))) return *number;
    input_.diagnostics.Error("infibench.case",
                             number ? fmt::format("weight: expected a number from 0 on, found {}", *number)
                                    : fmt::format("weight: expected a number, found {}", KindName(*weight)),
                             weight->span, "write how often the case counts: {path: FILE, weight: 2}");
    return CaseEntry().weight;
  }

  void AddEntry(const Value& item, std::vector<CaseEntry>& entries) {
    CaseEntry entry;
    entry.span = item.span;
    const std::string* path = FindOwnText(item, "path");
    if (item.is_map()) WarnOfUnknown(item.AsMap(), kEntry, fmt::format("{}: ", kEntry.words));
    const double weight = WeightOf(item);
    if (path == nullptr) {
      input_.diagnostics.Error("infibench.case",
                               "expected the path of a case, or {path: FILE, weight: NUMBER}", item.span,
                               "- cases/eval_1.yaml");
      return;
    }
    entry.path = *path;
    listed_.push_back(entry.path);
    if (counts_weights_) entry.weight = weight;
    const ReadOptions& options = input_.options;
    if (!IsChosen(entry.path)) return;
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

  const ReadInput& input_;
  const Map& fields_;
  bool counts_weights_ = true;
  std::vector<std::string> listed_;  // paths of all cases, whoever is chosen
};

// What models are asked with, as the suite says it.
struct RequestSettings {
  SamplingParams params;
  std::optional<std::int64_t> samples;
  std::string system;
  std::map<std::string, std::string, std::less<>> labels;
};

RequestSettings ReadRequestSettings(const SuiteReader& reader) {
  RequestSettings asked;
  asked.params.temperature = reader.Share("temp");
  asked.params.top_p = reader.Share("top_p");
  asked.params.max_tokens = reader.Count("max_tokens");
  asked.samples = reader.Count("sample_n");
  asked.system = reader.Text("system_prompt");
  asked.labels = reader.Labels();
  return asked;
}

void AddVariants(const RequestSettings& asked, const ReadInput& input, Suite& suite) {
  for (const std::string& model_id : input.options.models) {
    Variant variant;
    variant.id = model_id;
    variant.model_id = model_id;
    if (const auto label = asked.labels.find(model_id); label != asked.labels.end())
      variant.label = label->second;
    ModelAddress address = ModelAddressOf(model_id);
    variant.provider = std::move(address.provider);
    variant.model = std::move(address.model);
    variant.params = asked.params;
    if (input.options.max_tokens) variant.params.max_tokens = input.options.max_tokens;
    if (!asked.system.empty()) variant.system = asked.system;
    suite.variants.push_back(std::move(variant));
  }
}

// Who is asked gets as many attempts as the suite says, as its largest number of tries, or as one bucket of
// its reducer holds.
AttemptIndex AttemptsOf(const RequestSettings& asked, const ReadInput& input, const std::string& reducer,
                        const std::vector<AttemptIndex>& tries) {
  if (input.options.attempts) return *input.options.attempts;
  if (!input.options.pass_at_k.empty() && !asked.samples) return *AttemptsFor(input.options, tries);
  if (asked.samples)
    return static_cast<AttemptIndex>(std::min<std::int64_t>(*asked.samples, limits::kAttemptsMax));
  if (!tries.empty()) return *AttemptsFor(input.options, tries);
  const std::optional<Reducer> found = FindReducer(reducer);
  return found && found->row->has_bucket
             ? static_cast<AttemptIndex>(std::min(found->bucket, limits::kAttemptsMax))
             : 1;
}

// Cases are known by their paths; people look for their ids.
void WarnOfSameIds(const Suite& suite, Diagnostics& diagnostics) {
  std::map<std::string_view, const Case*> first_of;
  for (const Case& the_case : suite.cases) {
    const Map& fields = the_case.details.MapAt("fields");
    const std::string* id = FindText(fields, "id");
    if (id == nullptr) continue;
    const auto [first, is_new] = first_of.emplace(*id, &the_case);
    if (is_new) continue;
    diagnostics.Warning("infibench.duplicate-id",
                        fmt::format("{} has the id {} too", Quoted(first->second->id), Quoted(*id)),
                        PlaceOf(fields, "id"), "give each case an id of its own");
  }
}

// Those of files, then those of tables.
void AddCases(const Map& fields, const SuiteDefaults& defaults, const ReadInput& input, SuiteReader& reader,
              Suite& suite) {
  const std::vector<CaseEntry> entries = reader.Entries(defaults.counts_weights);
  for (const CaseEntry& entry : entries) {
    if (std::optional<Case> the_case = ReadCase(entry, defaults, input))
      suite.cases.push_back(*std::move(the_case));
  }
  bool is_any_left = !entries.empty();
  if (const Member* tables = fields.FindMember("cases_from")) {
    CasesFrom read = ReadCasesFrom(*tables, defaults, input);
    for (Case& the_case : reader.Chosen(std::move(read.cases), entries.size())) {
      suite.cases.push_back(std::move(the_case));
      is_any_left = true;
    }
    suite.files.insert(suite.files.end(), read.files.begin(), read.files.end());
    suite.details.AsMap().Set("datasets", std::move(read.summaries));
  } else {
    RefuseLostSelection(input.options.own, suite.files.front().file, input.diagnostics);
  }
  reader.CheckChosen(is_any_left);
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
  WarnOfPlainTexts(documents.front(), text, "infibench", input.diagnostics);
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
  if (const Value* null_score = documents.front().Find("null_score_per_question"))
    WarnOfNullScore(defaults.null_score, defaults.full_score, null_score->span, input.diagnostics);
  defaults.qa_system_prompt = reader.Text("qa_system_prompt");
  const RequestSettings asked = ReadRequestSettings(reader);
  defaults.pass_at = reader.Mark();
  suite.pass_at_k = reader.Tries();
  suite.details = Object{{"stem", suite.id}};
  AddCases(documents.front().AsMap(), defaults, input, reader, suite);
  WarnOfSameIds(suite, input.diagnostics);
  AddVariants(asked, input, suite);
  suite.attempts = AttemptsOf(asked, input, suite.aggregation.reduce, suite.pass_at_k);
  // Points that are taken away leave [0, 1] only where a case lets them.
  suite.score_bounds.are_known =
      std::all_of(suite.cases.begin(), suite.cases.end(),
                  [](const Case& the_case) { return the_case.min_score.value_or(0) >= 0; });
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
