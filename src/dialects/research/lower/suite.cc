// Converts a matrix and its dataset to a Suite: tests become cases, run profiles become variants.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/errors/near_id.h"
#include "base/hash.h"
#include "base/text/shell_words.h"
#include "dialects/habits.h"
#include "dialects/names.h"
#include "dialects/research/lower/options.h"
#include "dialects/research/read/dataset.h"
#include "dialects/research/read/matrix.h"
#include "dialects/research/read/named.h"
#include "dialects/research/read/parts.h"
#include "dialects/research/read/query.h"
#include "dialects/research/research.h"
#include "dialects/research/session/pinned.h"
#include "dialects/research/session/snapshot.h"
#include "dialects/rows_from/selection.h"
#include "dialects/untrusted_names.h"
#include "spec/suite/asked_members.h"
#include "spec/suite/suite.h"
#include "text/object.h"
#include "text/python/json.h"

namespace assay {

namespace research {

namespace {

constexpr std::string_view kOutputRootDefault = "temp/research_eval/runs";
constexpr std::string_view kSessionFiles[] = {"summary.json", "report.md", "report.html"};
// Rows of corpus/index/embedder.cc; everything else is a model.
constexpr std::string_view kOwnEmbedder = "hash";
constexpr std::string_view kNoEmbedder = "none";
constexpr std::string_view kSourceKinds[] = {kLocalSnapshot, kLiveWeb, kMockWeb};

bool AreFinite(const Value& value) {
  if (value.is_number()) return std::isfinite(value.AsNumber());
  if (value.is_list()) return std::all_of(value.AsList().begin(), value.AsList().end(), AreFinite);
  if (!value.is_map()) return true;
  return std::all_of(value.AsMap().begin(), value.AsMap().end(),
                     [](const Member& member) { return AreFinite(member.value); });
}

// Builds the suite of one matrix; every problem goes to the input's diagnostics.
class SuiteBuilder {
 public:
  SuiteBuilder(const ReadInput& input, FileId file) : input_(input), file_(file) {
    roots_ = {.matrix_folder = FolderOfFile(Absolute(input.path)),
              .cwd = input.options.cwd,
              .home = input.options.home};
  }

  std::optional<Suite> Build(std::string_view text) {
    if (input_.options.models.size() > 1) {
      Error("research.model", "-m: every run of a matrix asks one model, and several were named",
            "give one, or write a run for each");
    }
    const std::optional<Matrix> matrix =
        ReadMatrix(file_, Absolute(input_.path), text, roots_, input_.diagnostics, input_.options.reads_on);
    if (!matrix) return std::nullopt;
    std::vector<const RunProfile*> runs = Selected(*matrix);
    std::optional<Dataset> dataset = ReadDatasetOf(*matrix);
    if (runs.empty() || !MayGoOn()) return std::nullopt;
    if (!dataset) dataset.emplace().is_named = false;  // after an error: the runs may have others
    Suite suite = SuiteOf(*matrix, *dataset);
    const bool is_local = std::any_of(runs.begin(), runs.end(), [](const RunProfile* run) {
      return run->profile.source_provider == kLocalSnapshot;
    });
    const bool is_cited = std::any_of(dataset->tests.begin(), dataset->tests.end(),
                                      [](const TestCase& test) { return test.expected.HasCitation(); });
    std::optional<Pinned> pinned;
    if (is_local || is_cited) {
      if (dataset->is_named) pinned = PinnedOf(*matrix, *dataset);
      if (!MayGoOn()) return std::nullopt;
    }
    has_mock_web_ = std::any_of(runs.begin(), runs.end(), [this](const RunProfile* run) {
      return run->mock_web.has_value() || input_.options.own.Has(kMockWebOption);
    });
    for (const RunProfile* run : runs) suite.variants.push_back(VariantOf(*run));
    AddAgent(suite);
    AddCases(*dataset, pinned, suite);
    if (!MayGoOn()) return std::nullopt;
    return suite;
  }

 private:
  bool MayGoOn() const { return MayReadOn(input_.diagnostics, 0, input_.options.reads_on); }
  std::string Absolute(const std::string& path) const {
    return path.starts_with('/') ? path : WithoutDots(fmt::format("{}/{}", input_.options.cwd, path));
  }
  Span Start() const { return {.file = file_, .offset = 0, .length = 0}; }
  void Error(std::string code, std::string message, std::string hint = {}) {
    input_.diagnostics.Error(std::move(code), std::move(message), Start(), std::move(hint));
  }

  std::vector<const RunProfile*> Selected(const Matrix& matrix) {
    const std::vector<std::string> wanted = SplitRunIds(input_.options.own.Texts(kRunOption));
    std::vector<const RunProfile*> runs;
    std::vector<std::string_view> ids;
    for (const RunProfile& run : matrix.runs) {
      if (std::find(std::begin(kSessionFiles), std::end(kSessionFiles), run.id) != std::end(kSessionFiles)) {
        input_.diagnostics.Error(
            "research.id",
            fmt::format("a run cannot be named {}: the session has a file of that name", Quoted(run.id)),
            run.span, "give it another id");
      }
      ids.emplace_back(run.id);
      if (wanted.empty() || std::find(wanted.begin(), wanted.end(), run.id) != wanted.end())
        runs.push_back(&run);
    }
    for (const std::string& id : wanted) {
      if (std::find(ids.begin(), ids.end(), id) != ids.end()) continue;
      const std::string_view near = DidYouMean(id, ids);
      std::string hint = near.empty() ? fmt::format("there are: {}", fmt::join(ids, ", "))
                                      : fmt::format("did you mean {}?", Quoted(near));
      const std::string message = fmt::format("--run: the matrix has no run {}", Quoted(id));
      if (runs.empty()) {
        Error("research.run", "No runs selected for execution: " + message, std::move(hint));
      } else {
        input_.diagnostics.Warning("research.run", message, Start(), std::move(hint));
      }
    }
    return runs;
  }

  // A path of an option, else of the matrix, else the usual one.
  std::optional<std::string> PathOf(const std::string& option, const std::optional<std::string>& written,
                                    std::string_view usual) {
    if (option.empty() && written) return written;
    const Result<std::string> path =
        ResolveOptionPath(option.empty() ? usual : std::string_view(option), roots_);
    if (path) return *path;
    Error("research.path", path.error().message);
    return std::nullopt;
  }

  std::optional<Dataset> ReadDatasetOf(const Matrix& matrix) {
    const std::string said = input_.options.own.Text(kDatasetOption);
    if (said.empty() && !matrix.dataset) {
      TellNoDataset(matrix, Start(), Severity::kError, input_.diagnostics);
      return std::nullopt;
    }
    const std::optional<std::string> path = PathOf(said, matrix.dataset, "");
    if (!path) return std::nullopt;
    Result<std::string> text = input_.files.Read(*path);
    if (!text) {
      TellUnreadDataset(text.error(), *path, said.empty() ? matrix.dataset_span : Start(), input_.files,
                        input_.diagnostics);
      return std::nullopt;
    }
    const FileId file = input_.sources.Add(*path, std::move(*text));
    const TableReading tables{input_.files, input_.sources, RowOverridesOf(input_.options.own)};
    std::optional<Dataset> dataset = ReadDataset(file, *path, input_.sources.Text(file), input_.diagnostics,
                                                 input_.options.reads_on, &tables);
    if (dataset) {
      if (dataset->summaries.empty()) RefuseLostSelection(input_.options.own, file, input_.diagnostics);
      for (const auto& table : dataset->tables)
        table_files_.push_back({.path = table.path, .file = table.file, .sha256 = table.sha256});
      dataset_file_ = {.path = *path, .file = file, .sha256 = Hex(Sha256Of(input_.sources.Text(file)))};
    }
    return dataset;
  }

  std::optional<Pinned> PinnedOf(const Matrix& matrix, const Dataset& dataset) {
    const std::optional<std::string> root =
        PathOf(input_.options.own.Text(kSnapshotsOption), matrix.snapshot_root, kDefaultSnapshotRoot);
    if (!root) return std::nullopt;
    const PinnedPlace place{
        .root = *root, .roots = roots_, .where = matrix.snapshot_root ? matrix.snapshot_root_span : Start()};
    return ReadPinned(place, dataset, input_.files, input_.diagnostics);
  }

  // Who judges where a test asks for it.
  void AddJudges(const Dataset& dataset, Suite& suite) {
    const auto judged = std::find_if(dataset.tests.begin(), dataset.tests.end(),
                                     [](const TestCase& test) { return test.expected.HasJudge(); });
    if (judged == dataset.tests.end()) return;
    if (input_.options.judges.empty()) {
      input_.diagnostics.Error("research.judge",
                               fmt::format("test {} needs a judge, and none is named", Quoted(judged->id)),
                               judged->expected.span,
                               "give --judge MODEL, or write `[judges] models = [\"MODEL\"]` in assay.toml");
    }
    for (const std::string& model : input_.options.judges) suite.judges.push_back(StandardJudge(model));
  }

  // Whose vectors a search compares, and how documents are cut: as the original does where nothing counts
  // tokens, if the run is to be compatible with it.
  void AddEmbedder(Suite& suite) {
    CorpusSettings& corpus = suite.corpus;
    const std::string name = input_.options.own.Text(kEmbedderOption);
    if (!name.empty()) corpus.embedder = name;
    corpus.by_characters = suite.compat == Compat::kAsky && corpus.embedder == kNoEmbedder;
    if (corpus.embedder == kNoEmbedder || corpus.embedder == kOwnEmbedder) return;
    std::string model = name;
    Embedder& endpoint = corpus.endpoint.emplace();
    if (const auto known = input_.options.aliases.find(name); known != input_.options.aliases.end()) {
      WarnOfUntrusted(name, known->second, Start(), input_.diagnostics);
      endpoint.base_url = known->second.base_url;
      model = known->second.model;
      if (!known->second.problem.empty())
        Error("research.embedder", fmt::format("the embedder {}: {}", Quoted(name), known->second.problem));
    }
    endpoint.model_id = model;
    ModelAddress address = ModelAddressOf(model);
    if (address.provider.empty() || address.model.empty()) {
      Error("research.embedder",
            fmt::format("there is no embedder {}: expected hash, none or PROVIDER:MODEL", Quoted(name)),
            "name one of [models] in assay.toml, or a model: --embedder openai:text-embedding-3-small");
    }
    endpoint.provider = std::move(address.provider);
    endpoint.model = std::move(address.model);
  }

  // Where sessions go. A matrix may be a stranger's: it names no place outside of its folder and this one.
  std::string OutputRoot(const Matrix& matrix) {
    const std::string said = input_.options.places.Text(kSessionsOption);
    const std::string root = PathOf(said, matrix.output_root, kOutputRootDefault).value_or("");
    if (!said.empty() || !matrix.output_root) return root;
    const Result<std::vector<std::string>> listed = input_.files.List(root);
    if (!listed && listed.error().code == ErrorCode::kRefused) {
      Error("research.path",
            fmt::format("the matrix puts sessions into {}, outside of its folder and this one", Quoted(root)),
            fmt::format("if it is meant: --output-root {0}, or --allow-path {0}", QuoteWord(root)));
    }
    return root;
  }

  Suite SuiteOf(const Matrix& matrix, const Dataset& dataset) {
    Suite suite;
    suite.id = dataset.id;
    suite.title = dataset.id;
    suite.dialect = "research";
    suite.compat = input_.options.compat;
    suite.files.push_back(
        {.path = input_.path, .file = file_, .sha256 = Hex(Sha256Of(input_.sources.Text(file_)))});
    suite.files.push_back(dataset_file_);
    suite.files.insert(suite.files.end(), table_files_.begin(), table_files_.end());
    suite.offered_checks.assign(kResearchChecks.begin(), kResearchChecks.end());
    suite.aggregation.formula = "every-expectation";
    suite.grades_empty_answers = true;
    suite.order = CellOrder::kByVariant;
    suite.attempts = AttemptsFor(input_.options, {}).value_or(1);
    suite.run_label = input_.options.run_label;
    AddJudges(dataset, suite);
    AddEmbedder(suite);
    suite.details = Object{{"output_root", OutputRoot(matrix)},
                           {"summarizer", UnlessEmpty(input_.options.summarizer_alias)},
                           {"matrix", input_.path}};
    if (!dataset.summaries.empty()) suite.details.AsMap().Set("datasets", dataset.summaries);
    return suite;
  }

  // Who is meant by the run's alias, or why nobody is.
  void Resolve(Span span, Variant& variant, Map& parameters) {
    const bool is_replaced = !input_.options.models.empty();
    if (is_replaced) variant.profile->model_alias = input_.options.models.front();
    std::string model = variant.profile->model_alias;
    // Whom the matrix itself names is asked only with the user's leave.
    if (!is_replaced) variant.span = span;
    if (const auto known = input_.options.aliases.find(model); known != input_.options.aliases.end()) {
      if (!known->second.untrusted) variant.span = {};
      WarnOfUntrusted(model, known->second, span, input_.diagnostics);
      variant.base_url = known->second.base_url;
      parameters = known->second.parameters;
      variant.agent = known->second.agent;
      CheckAlias(model, known->second, span);
      variant.problem = known->second.problem;
      model = known->second.model;
    }
    variant.model_id = model;
    ModelAddress address = ModelAddressOf(model);
    if (model.find(':') == std::string::npos) {
      variant.provider = "unknown";
      variant.model = model;
      const assay::Error unknown = UnknownAlias(model, input_.options.aliases);
      variant.problem = unknown.message + "; " + unknown.notes.front();
      if (!input_.options.aliases_problem.empty()) variant.problem += "; " + input_.options.aliases_problem;
      return;
    }
    variant.provider = std::move(address.provider);
    variant.model = std::move(address.model);
  }

  // What the research agent has to know of the world, where it is asked.
  void AddAgent(Suite& suite) {
    for (Variant& variant : suite.variants) variant.agent.limits = LimitsOf(variant.agent.limits);
    AgentSettings& agent = suite.agent;
    agent.search_url = input_.options.search_url;
    agent.page_timeout_ms = input_.options.page_timeout_ms.value_or(agent.page_timeout_ms);
    agent.search_timeout_ms = input_.options.search_timeout_ms.value_or(agent.search_timeout_ms);
    agent.original_calls = suite.compat == Compat::kAsky;
    const std::string& alias = input_.options.summarizer_alias;
    if (alias.empty()) return;
    Summarizer& summarizer = agent.summarizer.emplace();
    summarizer.alias = alias;
    summarizer.model_id = alias;
    Map parameters;
    if (const auto known = input_.options.aliases.find(alias); known != input_.options.aliases.end()) {
      WarnOfUntrusted(alias, known->second, Start(), input_.diagnostics);
      summarizer.base_url = known->second.base_url;
      summarizer.context_tokens = known->second.agent.context_tokens;
      summarizer.model_id = known->second.model;
      CheckAlias(alias, known->second, Start());
      parameters = known->second.parameters;
    }
    if (summarizer.model_id.find(':') == std::string::npos) {
      agent.summarizer.reset();
      input_.diagnostics.Warning(
          "research.summarizer", fmt::format("there is no summarizer {}", Quoted(alias)), Start(),
          "each run's own model shortens what it reads; name a model or an alias of [models]");
      return;
    }
    ModelAddress address = ModelAddressOf(summarizer.model_id);
    summarizer.provider = std::move(address.provider);
    summarizer.model = std::move(address.model);
    if (!parameters.empty()) summarizer.params.extra = Value(std::move(parameters));
  }

  // The simulated web of a run that asks for one. Other runs may have one: then this one lacks it.
  void AddMockWeb(const RunProfile& run, Variant& variant, Map& details) {
    if (run.profile.source_provider != kMockWeb) return;
    const std::string said = input_.options.own.Text(kMockWebOption);
    const std::string path = said.empty() ? run.mock_web.value_or("") : Absolute(said);
    if (!path.empty()) details.Append(std::string(kMockWebDetail), path);
    if (path.empty() && variant.problem.empty() && has_mock_web_)
      variant.problem = "the run has no `mock_web_fixtures`; name a file there, or give --mock-web FILE";
  }

  // Parameters say how a model answers. `span`: where the matrix names them, or the alias that has them.
  void CheckParameters(const Map& parameters, std::string_view whose, Span span) {
    if (HabitsOf(input_.options.compat).passes_all_parameters) return;
    for (const Member* member : QuestionMembers(parameters)) {
      input_.diagnostics.Error("research.parameters",
                               fmt::format("{}{}", whose, ReplacesQuestionText(member->key)),
                               whose.empty() ? member->key_span : span, std::string(kReplacesQuestionHint));
    }
  }
  // Those of an alias that is used.
  void CheckAlias(const std::string& name, const ModelAlias& alias, Span span) {
    if (NamesProgram(ModelAddressOf(alias.model).provider)) return;
    CheckParameters(alias.parameters, fmt::format("the model alias {} of {}: ", Quoted(name), alias.origin),
                    span);
  }

  // What the command line says of every run comes before what a run says of itself.
  TurnLimits LimitsOf(TurnLimits limits) const {
    const TurnLimits said = TurnLimitsOf(input_.options.own);
    if (said.seconds) limits.seconds = said.seconds;
    if (said.tokens) limits.tokens = said.tokens;
    if (said.usd) limits.usd = said.usd;
    return limits;
  }

  Variant VariantOf(const RunProfile& run) {
    Variant variant;
    variant.id = run.id;
    variant.label = run.label;
    variant.profile = run.profile;
    variant.profile->id = run.id;
    Map parameters;
    Resolve(run.span, variant, parameters);
    // A program gets them beside the question.
    if (!NamesProgram(variant.provider)) {
      CheckParameters(run.parameters, "", run.span);
      WarnOfTools(run, input_.diagnostics);
    }
    variant.agent.limits = run.limits;
    for (const Member& parameter : run.parameters) parameters.Set(parameter.key, parameter.value);
    Result<std::string> sent = WritePythonJson(Value(parameters));
    if (!sent && variant.problem.empty())
      variant.problem = fmt::format("its parameters cannot be sent: {}", sent.error().message);
    // Rows hold it, requests do not: each of them is an error (run/wire).
    if (sent && !AreFinite(Value(parameters))) {
      input_.diagnostics.Warning(
          "research.parameters",
          fmt::format("run {}: its parameters hold a number that is infinite or none, and JSON has neither",
                      Quoted(run.id)),
          run.span, "every case of it will be an error: write a number");
    }
    // The original's way to switch thinking on and off.
    if (const std::optional<bool> reasoning = parameters.BoolAt("reasoning")) {
      parameters.Set("reasoning", Object{{"enabled", *reasoning}});
    }
    if (sent && !parameters.empty()) variant.params.extra = Value(std::move(parameters));
    Map details = Object{{"parameters", sent ? Value(run.parameters) : Value(Map())},
                         {"source_provider", run.source_provider}};
    AddMockWeb(run, variant, details);
    variant.details = Value(std::move(details));
    return variant;
  }

  // Each name of --select has to be a test's id.
  void CheckSelected(const Dataset& dataset) {
    std::vector<std::string_view> ids;
    for (const TestCase& test : dataset.tests) ids.emplace_back(test.id);
    for (const std::string& name : input_.options.selected) {
      if (std::find(ids.begin(), ids.end(), name) != ids.end()) continue;
      Error("research.select",
            fmt::format("--select: no test has the id {}{}", Quoted(name), IdHint(name, ids)),
            "the dataset lists the tests with their ids");
    }
  }

  void AddCases(const Dataset& dataset, const std::optional<Pinned>& pinned, Suite& suite) {
    CheckSelected(dataset);
    for (const TestCase& test : dataset.tests) {
      if (input_.options.limit && suite.cases.size() >= *input_.options.limit) break;
      if (!IsChosen(input_.options.selected, input_.options.filter, test.id)) continue;
      suite.cases.push_back(CaseOf(dataset, test, pinned, suite));
    }
    if (suite.cases.empty() && !dataset.tests.empty() && input_.options.selected.empty()) {
      Error("research.filter", fmt::format("no test is left of {}", dataset.tests.size()),
            "look at --filter; `assay check` names the dataset");
    }
  }

  Case CaseOf(const Dataset& dataset, const TestCase& test, const std::optional<Pinned>& pinned,
              const Suite& suite) {
    Case the_case;
    the_case.id = test.id;
    the_case.generator = "turn";
    the_case.span = test.span;
    if (!test.tags.empty()) the_case.tags.edit() = test.tags;
    the_case.turns = {{.role = Role::kUser, .text = test.query, .span = test.span},
                      {.role = Role::kAssistant, .kind = TurnKind::kGenerate, .text = {}, .span = test.span}};
    std::vector<const Document*> documents;
    for (const std::string& id : test.doc_ids) {
      const Document* document = dataset.Find(id);
      documents.push_back(document);
      CaseDocument& kept = the_case.documents.edit().emplace_back();
      kept = {.id = id, .title = document->title, .url = document->url, .path = {}, .sha256 = {}};
      if (!pinned) continue;
      kept.path = pinned->paths.at(id);
      kept.sha256 = pinned->sha256s.at(id);
    }
    if (!test.groups.empty()) the_case.groups.edit() = test.groups;
    AddQueries(documents, pinned, test.query, suite, the_case);
    AddChecks(test.expected, the_case);
    the_case.details = Object{{"doc_ids", ArrayOf(test.doc_ids)}, {"expected", test.expected.AsValue()}};
    if (!test.row.empty()) the_case.details.AsMap().Set("row", test.row);
    return the_case;
  }

  static bool HasMockWeb(const Suite& suite) {
    return std::any_of(suite.variants.begin(), suite.variants.end(), [](const Variant& variant) {
      return variant.details.is_map() && variant.details.Find(kMockWebDetail) != nullptr;
    });
  }

  static void AddQueries(const std::vector<const Document*>& documents, const std::optional<Pinned>& pinned,
                         const std::string& question, const Suite& suite, Case& the_case) {
    std::optional<std::map<std::string, std::string>> paths;
    if (pinned) paths = pinned->paths;
    for (const std::string_view provider : kSourceKinds) {
      const bool is_asked =
          std::any_of(suite.variants.begin(), suite.variants.end(),
                      [&](const Variant& variant) { return variant.profile->source_provider == provider; });
      if (!is_asked) continue;
      CaseAsking& query = the_case.askings.edit().emplace_back();
      query.name = provider;
      // A simulated web is asked in the words of the live one.
      const bool is_simulated = provider == kMockWeb && HasMockWeb(suite);
      Result<BuiltQuery> built = BuildQuery(is_simulated ? kLiveWeb : provider, documents, paths, question);
      if (built) {
        query.text = std::move(built->text);
        query.sources = std::move(built->sources);
      } else {
        query.problem = built.error().message;
      }
    }
  }

  const ReadInput& input_;
  FileId file_;
  PathRoots roots_;
  bool has_mock_web_ = false;  // some run has a simulated web
  SourceFile dataset_file_;
  std::vector<SourceFile> table_files_;  // that its tests come from
};

}  // namespace

}  // namespace research

int SniffResearch(std::string_view path, std::string_view text) {
  constexpr int kSure = 90;
  return research::ClaimsMatrix(path, text) ? kSure : 0;
}

std::optional<Suite> ReadResearch(const ReadInput& input, FileId file, std::string_view text) {
  return research::SuiteBuilder(input, file).Build(text);
}

std::string ResearchRoot(const Suite& suite) { return suite.details.TextAt("output_root"); }

}  // namespace assay
