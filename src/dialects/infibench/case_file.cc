// Converts the YAML of a case to a Case, with the named files read in and `grading` as checks.
#include "dialects/infibench/case_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/files/near_file.h"
#include "base/limits.h"
#include "base/text/utf8.h"
#include "dialects/addresses.h"
#include "dialects/infibench/keys.h"
#include "dialects/infibench/lint/lint.h"
#include "dialects/slips/plain_texts.h"
#include "dialects/slips/quotes.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "spec/suite/suite_rules.h"
#include "text/found.h"
#include "text/object.h"
#include "text/place_of.h"
#include "text/python/text.h"
#include "text/yaml/yaml.h"

namespace assay::infibench {

namespace {

constexpr std::array<std::string_view, 4> kTypes = {"code debugging", "code completion",
                                                    "knowledge question-answering", "non-code debugging"};

constexpr std::string_view kComponentsHint =
    "one or more of keywords, blank_filling, unit_test, similarity, customized";

// Members of a case that are for people.
constexpr std::array<std::string_view, 1> kForReaders = {"source"};

std::string FolderOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash + 1));
}

// Puts the texts of files beside the paths that name them.
class FileInliner {
 public:
  FileInliner(FileReader& files, std::string suite_folder, std::string case_folder)
      : files_(files), suite_folder_(std::move(suite_folder)), case_folder_(std::move(case_folder)) {}

  void Inline(std::string_view component, Value& args) const {
    if (component == "unit_test") return ForEachItem(args, "tests", [&](Map& test) { InlineTest(test); });
    if (component == "customized") return WithMap(args, [&](Map& map) { AddSource(map); });
    if (component == "blank_filling") return AddHandlerSource(args);
    if (!args.is_list()) return;
    for (Value& item : args.AsList()) {
      if (component == "keywords") AddHandlerSource(item);
      if (component == "similarity") {
        ForEachItem(item, "references", [&](Map& reference) { AddText(reference, "path", "content"); });
      }
    }
  }

 private:
  template <class Visit>
  static void WithMap(Value& value, const Visit& visit) {
    if (value.is_map()) visit(value.AsMap());
  }

  template <class Visit>
  static void ForEachItem(Value& map, std::string_view key, const Visit& visit) {
    Value* list = map.is_map() ? map.AsMap().Find(key) : nullptr;
    if (list == nullptr || !list->is_list()) return;
    for (Value& item : list->AsList()) WithMap(item, visit);
  }

  void InlineTest(Map& test) const {
    AddText(test, "path", "content");
    AddText(test, "prefix_path", "prefix_text");
    AddText(test, "cleanup_path", "cleanup_text");
  }

  void AddHandlerSource(Value& value) const {
    Value* handler = value.is_map() ? value.AsMap().Find("post_handler") : nullptr;
    if (handler != nullptr) WithMap(*handler, [&](Map& map) { AddSource(map); });
  }

  void AddText(Map& map, std::string_view path_key, std::string_view text_key) const {
    if (const std::string* path = FindText(map, path_key))
      Put(ReadText(files_, case_folder_ + *path), text_key, map);
  }

  // "cases.handlers" is cases/handlers.py of the suite's folder, or of the case's own.
  void AddSource(Map& handler) const {
    const std::string* module = FindText(handler, "module");
    if (module == nullptr) return;
    std::string path = *module;
    std::replace(path.begin(), path.end(), '.', '/');
    path += ".py";
    Result<std::string> text = ReadText(files_, suite_folder_ + path);
    if (!text && text.error().code == ErrorCode::kNotFound && files_.Exists(case_folder_ + path)) {
      text = ReadText(files_, case_folder_ + path);
    }
    Put(std::move(text), "source", handler);
  }

  static void Put(Result<std::string> text, std::string_view key, Map& map) {
    if (text) {
      map.Set(std::string(key), Value(*std::move(text)));
    } else {
      map.Set("problem", Value(std::move(text).error().message));
    }
  }

  FileReader& files_;
  std::string suite_folder_;
  std::string case_folder_;
};

// The number of a key, if there is one; an error if it is something else.
std::optional<double> NumberAt(const Map& map, std::string_view key, Diagnostics& diagnostics) {
  const std::optional<double> number = map.NumberAt(key);
  const Value* value = map.Find(key);
  if (value != nullptr && !number)
    diagnostics.Error("infibench.number",
                      fmt::format("{}: expected a number, found {}", key, KindName(*value)), value->span,
                      "write it without quotes");
  return number;
}

// Whether the value is what the key of a case takes; an error if not.
bool FitsRow(std::string_view name, const Value& value, Diagnostics& diagnostics) {
  const KeyRow& key = *FindKey(kCase, name);
  if (Fits(key.shape, value)) return true;
  diagnostics.Error(std::string(key.code),
                    fmt::format("{}: expected {}, found {}", name, ExpectedOf(key.shape), KindName(value)),
                    value.span, std::string(key.hint));
  return false;
}

// Cases that were not drawn one by one, such as rewordings of one question. Ours: the original has no such
// key.
std::string ClusterAt(const Map& fields, Diagnostics& diagnostics) {
  const Value* cluster = fields.Find("cluster");
  if (cluster == nullptr || !FitsRow("cluster", *cluster, diagnostics)) return {};
  return fields.TextAt("cluster");
}

// The groups in which the case is reported, one per dimension. Ours as well: results in the original's form
// have no such key.
std::vector<std::string> TakeGroups(Map& fields, Compat compat, Diagnostics& diagnostics) {
  std::vector<std::string> groups;
  const Member* found = fields.FindMember("group");
  if (found == nullptr) return groups;
  if (compat == Compat::kInfibench) {
    diagnostics.Error("dataset.compat", "the original has no key `group`", found->key_span,
                      "run the suite without --compat, or remove the key");
  }
  Value value = found->value;
  fields.Erase("group");
  if (!FitsRow("group", value, diagnostics)) return groups;
  if (!value.is_list()) value = Value(List{std::move(value)});
  if (value.AsList().size() > limits::kGroupsMax) {
    diagnostics.Error("infibench.group",
                      fmt::format("group: expected at most {} groups of a case, found {}", limits::kGroupsMax,
                                  value.AsList().size()),
                      value.span, "leave some out");
    return groups;
  }
  for (const Value& each : value.AsList()) groups.push_back(each.AsString());
  while (!groups.empty() && groups.back().empty()) groups.pop_back();
  return groups;
}

// Whether the author knows that the case passes and fails by chance. Ours as well.
bool TakeFlaky(Map& fields, Diagnostics& diagnostics) {
  const Value* found = fields.Find("flaky");
  if (found == nullptr) return false;
  const Value flaky = *found;
  fields.Erase("flaky");
  return FitsRow("flaky", flaky, diagnostics) && flaky.AsBool();
}

void WarnOfType(const Map& fields, Span whole, Diagnostics& diagnostics) {
  const std::string& text = fields.TextAt("type");
  if (std::find(kTypes.begin(), kTypes.end(), text) != kTypes.end()) return;
  diagnostics.Warning(
      "infibench.type",
      text.empty() ? "the case has no `type`" : fmt::format("{} is none of the four types", Quoted(text)),
      PlaceOf(fields, "type", whole),
      "one of: code debugging, code completion, knowledge question-answering, non-code debugging");
}

void AddChecks(const Map& grading, const FileInliner& inliner, const SuiteDefaults& defaults,
               const Value* lang, Case& the_case) {
  // In the order in which they are evaluated.
  for (const KeyRow& key : kGrading.parts.front()) {
    const std::string_view component = key.name;
    const Member* member = key.is_check ? grading.FindMember(component) : nullptr;
    if (member == nullptr) continue;
    Check check;
    check.id = component;
    check.kind = component;
    check.args = member->value;
    inliner.Inline(component, check.args);
    if (component == "unit_test" && check.args.is_map() && lang != nullptr) {
      check.args.AsMap().Set("case_lang", *lang);
    }
    if (component == "blank_filling" && !defaults.escape.empty() && check.args.is_map() &&
        check.args.Find("escape") == nullptr) {
      check.args.AsMap().Set("escape", Value(defaults.escape));
    }
    check.regex_flavour = RegexFlavour::kPython;
    check.text = component;
    check.span = member->key_span;
    CheckNode leaf;
    leaf.op = CheckNode::Op::kLeaf;
    leaf.check = static_cast<CheckIndex>(the_case.checks.size());
    the_case.tree.children.push_back(std::move(leaf));
    the_case.checks.push_back(std::move(check));
  }
}

void WarnOfUnknownComponents(const Map& grading, Diagnostics& diagnostics) {
  for (const Member& member : grading) {
    if (FindKey(kGrading, member.key) != nullptr) continue;
    const std::string_view near = NearKey(kGrading, member.key);
    diagnostics.Warning("infibench.unknown-key", fmt::format("grading: unknown key {}", Quoted(member.key)),
                        member.key_span,
                        near.empty() ? "it is ignored" : fmt::format("did you mean {}?", near));
  }
}

// What the format wants of every case.
void TellMissing(const Map& fields, Span whole, Severity of_broken, bool is_asked, Diagnostics& diagnostics) {
  static constexpr std::array<std::string_view, 2> kWanted = {"prompt_path", "id"};
  const auto misspelt = [&fields](std::string_view wanted) {
    for (const Member& member : fields) {
      const bool is_known = std::find(kWanted.begin(), kWanted.end(), member.key) != kWanted.end();
      if (!is_known && DidYouMean(member.key, {&wanted, 1}) == wanted) return &member;
    }
    return static_cast<const Member*>(nullptr);
  };
  const Severity of_question = is_asked ? Severity::kError : of_broken;
  for (const std::string_view wanted : kWanted) {
    if (fields.Find(wanted) != nullptr) continue;
    const Member* near = wanted == "id" ? nullptr : misspelt(wanted);
    diagnostics.Add(
        {.severity = wanted == "id" ? Severity::kWarning : of_question,
         .code = "infibench.missing",
         .message = wanted == "id" ? "the case has no `id`"
                                   : "the case has no question: expected `prompt_path`, the file of its text",
         .hint = near != nullptr ? fmt::format("did you mean it where it says {}?", Quoted(near->key))
                                 : fmt::format("add {}: ...", wanted),
         .where = near != nullptr ? near->key_span : whole});
  }
}

void TellOfNoChecks(Span grading, Severity of_broken, Diagnostics& diagnostics) {
  diagnostics.Add({.severity = of_broken,
                   .code = "infibench.grading",
                   .message = "`grading` says nothing of how answers are graded",
                   .hint = std::string(kComponentsHint),
                   .where = grading});
}

// The question. One that cannot be read stops only those who ask a model: recorded answers need none.
std::string ReadPrompt(const Map& fields, const std::string& folder, const ReadInput& input) {
  const Value* path = fields.Find("prompt_path");
  if (path == nullptr) return {};
  const std::string* file = FindText(fields, "prompt_path");
  if (file == nullptr) {
    input.diagnostics.Error(
        "infibench.value", fmt::format("prompt_path: expected the name of a file, found {}", KindName(*path)),
        path->span, "write the question into a file: prompt_path: FILE");
    return {};
  }
  Result<std::string> text = ReadText(input.files, folder + *file);
  if (text && text->find_first_not_of(" \t\r\n") != std::string::npos) return *std::move(text);
  const std::string near = text ? std::string() : NearFile(input.files, folder + *file);
  std::string hint = "paths are relative to the folder of the case";
  if (text) hint = "write the question into it";
  if (!near.empty()) hint = fmt::format("did you mean {}?", near.substr(folder.size()));
  input.diagnostics.Add(
      {.severity = input.options.models.empty() ? Severity::kWarning : Severity::kError,
       .code = "infibench.prompt",
       .message = "the case has no question to ask: " +
                  (text ? fmt::format("{} is empty", Quoted(*file)) : std::move(text).error().message),
       .hint = std::move(hint),
       .where = path->span});
  return {};
}

constexpr std::string_view kNamedLanguages[] = {
    "python",  "javascript", "typescript", "bash",  "shell",  "java",    "dart",       "c++",  "cpp",
    "c#",      "csharp",     "vba",        "swift", "rust",   "ruby",    "php",        "html", "kotlin",
    "css",     "go",         "sql",        "perl",  "scala",  "haskell", "julia",      "lua",  "matlab",
    "nodejs",  "elixir",     "erlang",     "react", "golang", "ocaml",   "powershell", "r",    "c",
    "clojure", "c++/c",      "groovy",     "latex", "cobol",  "fortran", "objective-c"};

// Tables count by language. What is no slip of a known one may be a language that nobody here knows. That of
// unit tests is the business of their check, unless they name their own.
void WarnOfLanguage(const Map& fields, const Map& grading, Diagnostics& diagnostics) {
  constexpr std::size_t kShortestSlip = 3;
  const Value* lang = fields.Find("lang");
  if (lang == nullptr) return;
  const std::string* written = FindText(fields, "lang");
  if (written == nullptr) {
    diagnostics.Warning("infibench.lang",
                        fmt::format("lang: expected the name of a language, found {}", KindName(*lang)),
                        lang->span, "write one, such as: lang: python");
    return;
  }
  if (grading.Find("unit_test") != nullptr && grading.MapAt("unit_test").Find("lang") == nullptr) return;
  const std::string& name = *written;
  const bool is_known =
      std::find(std::begin(kNamedLanguages), std::end(kNamedLanguages), name) != std::end(kNamedLanguages);
  const std::string_view near =
      is_known || name.size() < kShortestSlip ? "" : DidYouMean(name, kNamedLanguages);
  if (near.empty()) return;
  diagnostics.Warning("infibench.lang",
                      fmt::format("lang: {} is no language that is known here", Quoted(name)), lang->span,
                      fmt::format("did you mean {}?", near));
}

std::optional<Value> ReadDocument(const CaseEntry& entry, const std::string& path, const ReadInput& input,
                                  FileId& file) {
  Result<std::string> text = input.files.Read(path);
  if (!text) {
    input.diagnostics.Error("infibench.case",
                            fmt::format("case {}: {}", Quoted(entry.path), text.error().message), entry.span,
                            "paths of cases count from the suite's folder");
    return std::nullopt;
  }
  file = input.sources.Add(path, *std::move(text));
  const std::size_t errors_before = input.diagnostics.ErrorCount();
  std::vector<Value> documents =
      ReadYaml(file, input.sources.Text(file), YamlRules::kPyYaml, input.diagnostics);
  if (input.diagnostics.ErrorCount() > errors_before) return std::nullopt;
  if (documents.size() == 1 && documents.front().is_map()) return std::move(documents.front());
  input.diagnostics.Error("infibench.case", "expected one mapping with `id`, `prompt_path` and `grading`",
                          {.file = file, .offset = 0, .length = 0},
                          "see docs/infibench.md for what a case holds");
  return std::nullopt;
}

Value DetailsOf(Map fields) {
  Map bounds;
  for (const std::string_view key : {"max_score", "min_score"}) {
    const Value* bound = fields.MapAt("grading").Find(key);
    if (bound != nullptr) bounds.Append(std::string(key), *bound);
  }
  fields.Erase("grading");
  return Object{{"fields", std::move(fields)}, {"bounds", std::move(bounds)}};
}

// Whether the case says how it is graded; if not, an empty mapping says it from now on.
bool TakeGrading(Map& fields, Span whole, Diagnostics& diagnostics) {
  const Value* grading = fields.Find("grading");
  if (grading != nullptr && grading->is_map()) return true;
  diagnostics.Error("infibench.grading", "expected `grading`, a mapping of what is graded and how",
                    PlaceOf(fields, "grading", whole), std::string(kComponentsHint));
  fields.Set("grading", Map());
  return false;
}

}  // namespace

Result<std::string> ReadText(FileReader& files, const std::string& path) {
  ASSAY_TRY(const std::string bytes, files.Read(path));
  if (const std::size_t at = FindInvalidUtf8(bytes); at != std::string::npos) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{} is not UTF-8: byte {} of it; save it as UTF-8", Quoted(path), at)};
  }
  return UniversalNewlines(bytes);
}

void WarnOfNullScore(double null_score, double full_score, Span where, Diagnostics& diagnostics) {
  if (null_score <= full_score) return;
  diagnostics.Warning(
      "infibench.value",
      fmt::format("null_score is {}, more than the full score, {}: a case without answers gets "
                  "more credit than the best answer",
                  null_score, full_score),
      where, "write 0, or at most the full score");
}

namespace {

// The inline question of a case that a row has filled in; nothing where it names a file.
std::optional<std::string> TakePrompt(Map& fields, Span whole, const ReadInput& input) {
  if (fields.Find("prompt") == nullptr) return std::nullopt;
  const std::string* found = FindText(fields, "prompt");
  const std::string text = found == nullptr ? std::string() : *found;
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    input.diagnostics.Error("infibench.prompt", "prompt: expected the text of the question, found none",
                            PlaceOf(fields, "prompt", whole),
                            "fill the cell, or leave the row out with where");
  }
  fields.Erase("prompt");
  return text;
}

// `folder`: that paths count from. `prompt`: nothing where the case names the file of its question.
Case CaseOfFields(Value document, const CaseEntry& entry, const std::string& folder,
                  const std::optional<std::string>& inline_prompt, const SuiteDefaults& defaults,
                  const ReadInput& input) {
  Map& fields = document.AsMap();
  RefuseForeignAddresses(fields, kForReaders, kAddressCode, input.diagnostics);
  const bool has_grading = TakeGrading(fields, document.span, input.diagnostics);
  const Map& grading = fields.MapAt("grading");
  Case the_case;
  the_case.id = entry.path;
  the_case.weight = defaults.counts_weights ? entry.weight : 1;
  the_case.span = document.span;
  const std::optional<double> own_full = NumberAt(fields, "full_score", input.diagnostics);
  const std::optional<double> own_null = NumberAt(fields, "null_score", input.diagnostics);
  the_case.full_score = own_full.value_or(defaults.full_score);
  the_case.null_score = own_null.value_or(defaults.null_score);
  // What the suite says of all cases is told there.
  if (own_null || (own_full && defaults.null_score <= defaults.full_score)) {
    WarnOfNullScore(*the_case.null_score, *the_case.full_score,
                    PlaceOf(fields, own_null ? "null_score" : "full_score"), input.diagnostics);
  }
  the_case.max_score = NumberAt(grading, "max_score", input.diagnostics);
  the_case.min_score = NumberAt(grading, "min_score", input.diagnostics);
  const std::string prompt = inline_prompt ? *inline_prompt : ReadPrompt(fields, folder, input);
  WarnOfType(fields, document.span, input.diagnostics);
  WarnOfLanguage(fields, grading, input.diagnostics);
  WarnOfUnknownComponents(grading, input.diagnostics);
  AddChecks(grading, FileInliner(input.files, defaults.folder, folder), defaults, fields.Find("lang"),
            the_case);
  const Severity of_broken =
      input.options.compat == Compat::kInfibench ? Severity::kWarning : Severity::kError;
  if (!inline_prompt)
    TellMissing(fields, document.span, of_broken, !input.options.models.empty(), input.diagnostics);
  // Nothing can be scored: the original divides by zero.
  if (has_grading && the_case.checks.empty())
    TellOfNoChecks(PlaceOf(fields, "grading"), of_broken, input.diagnostics);
  LintCase(document, the_case.checks, prompt, of_broken, input.diagnostics);
  if (grading.size() == 1 && grading.Find("similarity") != nullptr && !defaults.qa_system_prompt.empty()) {
    the_case.system = SystemOverride{.kind = SystemOverride::Kind::kText, .text = defaults.qa_system_prompt};
  }
  the_case.turns.push_back(
      {.role = Role::kUser, .kind = TurnKind::kText, .text = prompt, .span = document.span});
  the_case.turns.push_back(
      {.role = Role::kAssistant, .kind = TurnKind::kGenerate, .text = {}, .span = document.span});
  for (const std::string_view key : {"type", "lang"}) {
    if (const std::string* tag = FindText(fields, key)) the_case.tags.edit().push_back(*tag);
  }
  the_case.cluster = ClusterAt(fields, input.diagnostics);
  the_case.groups = TakeGroups(fields, input.options.compat, input.diagnostics);
  the_case.pass_at = defaults.pass_at;
  the_case.is_flaky = TakeFlaky(fields, input.diagnostics);
  const bool is_whole = defaults.is_full_score_whole && fields.Find("full_score") == nullptr;
  the_case.details = DetailsOf(std::move(fields));
  if (is_whole) the_case.details.AsMap().Append("is_full_score_whole", true);
  return the_case;
}

}  // namespace

std::optional<Case> ReadCase(const CaseEntry& entry, const SuiteDefaults& defaults, const ReadInput& input) {
  const std::string path = defaults.folder + entry.path;
  FileId file = FileId::kNone;
  std::optional<Value> document = ReadDocument(entry, path, input, file);
  if (!document) return std::nullopt;
  WarnOfTypographicQuotes(*document, "infibench.typographic-quotes", input.diagnostics);
  WarnOfPlainTexts(*document, input.sources.Text(file), "infibench", input.diagnostics);
  return CaseOfFields(*std::move(document), entry, FolderOf(path), std::nullopt, defaults, input);
}

std::optional<Case> ReadInlineCase(Value fields, const std::string& id, const SuiteDefaults& defaults,
                                   const ReadInput& input) {
  const Span span = fields.span;
  const std::optional<std::string> prompt = TakePrompt(fields.AsMap(), span, input);
  return CaseOfFields(std::move(fields), {.path = id, .span = span}, defaults.folder, prompt, defaults,
                      input);
}

}  // namespace assay::infibench
