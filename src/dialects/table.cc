// The table of dialects, one row each, and the look-up by name or by a file's content.
#include <algorithm>

#include "dialects/blueprint/blueprint.h"
#include "dialects/blueprint/options.h"
#include "dialects/default_models.h"
#include "dialects/dialect.h"
#include "dialects/foreign/row_options.h"
#include "dialects/infibench/infibench.h"
#include "dialects/infibench/options.h"
#include "dialects/lm_eval/lm_eval.h"
#include "dialects/openai_evals/openai_evals.h"
#include "dialects/openai_hosted/openai_hosted.h"
#include "dialects/promptfoo/own_options.h"
#include "dialects/promptfoo/promptfoo.h"
#include "dialects/research/lower/options.h"
#include "dialects/research/research.h"
#include "dialects/research/session/session.h"

namespace assay {

namespace {

constexpr DialectRow kDialects[] = {
    {.name = "blueprint",
     .help = "CivicEval / Weval blueprints (.yml, .yaml, .json)",
     .reader = {.sniff = SniffBlueprint, .read = ReadBlueprint, .read_fixtures = ReadBlueprintFixtures},
     .writer = {.write = WriteBlueprint,
                .write_artefacts = WriteBlueprintArtefacts,
                .payload = BlueprintPayload},
     .closing = ClosingQuestion{.ask = BlueprintClosing, .add = AddBlueprintClosing},
     .index = RunIndex{.path = BlueprintIndexPath, .add = AddToBlueprintIndex, .takes_parts = true},
     .options = kBlueprintOptions},
    {.name = "infibench",
     .help = "InfiBench suites: code questions with keywords, blanks, unit tests (.yaml with `cases`)",
     .reader = {.sniff = SniffInfibench, .read = ReadInfibench},
     .writer = {.write = WriteInfibench, .reuses_names = true},
     .checks = kInfibenchChecks,
     .responses = DialectResponses{.read = ReadInfibenchResponses},
     .index = RunIndex{.path = InfibenchBoardPath,
                       .add = AddToInfibenchBoard,
                       .view = IndexView{.path = InfibenchRecordsPath, .text = InfibenchRecords}},
     .tables = DialectTables{.add = AddInfibenchTables, .text = InfibenchTables},
     .gather = GatherInfibench,
     .options = kInfibenchOptions},
    {.name = "research",
     .help = "research evaluations: a matrix of runs (.toml) over a dataset of documents and questions",
     .reader = {.sniff = SniffResearch, .read = ReadResearch, .reads_widely = true},
     .writer = {.write = WriteResearch},
     .checks = kResearchChecks,
     .documents = ResearchDocuments,
     .tables = DialectTables{.add = AddResearchTables, .text = ResearchTables},
     .gather = GatherResearch,
     .folder = RunFolder{.root = ResearchRoot, .name = SessionName, .count_max = kSessionsOfOneSecond},
     .rebuild = research::RebuildResearch,
     .rows = DialectRows{.path = ResearchRowsPath, .line = ResearchRowLine},
     .narration = DialectNarration{.open = OpenResearchNarrator, .closing = ResearchClosing},
     .options = research::kOptions,
     .pass_at = 1.0},
    {.name = "openai-evals",
     .help = "entries of OpenAI Evals' registry (.yaml: NAME: {class, args}) with samples in JSON Lines",
     .reader = {.sniff = SniffOpenAiEvals, .read = ReadOpenAiEvals, .read_fixtures = ReadBlueprintFixtures},
     .writer = {.write = WriteBlueprint},
     .options = foreign::kRowOptions,
     .pass_at = 1.0},
    {.name = "lm-eval",
     .help = "tasks of lm-evaluation-harness (.yaml) that generate texts, with plain templates",
     .reader = {.sniff = SniffLmEval, .read = ReadLmEval, .read_fixtures = ReadBlueprintFixtures},
     .writer = {.write = WriteBlueprint},
     .checks = kLmEvalChecks,
     .options = kLmEvalOptions,
     .pass_at = 1.0},
    {.name = "openai-hosted",
     .help = "exports of OpenAI's hosted evals (.json: data_source_config, testing_criteria, a run's "
             "data_source)",
     .reader = {.sniff = SniffOpenAiHosted, .read = ReadOpenAiHosted, .read_fixtures = ReadBlueprintFixtures},
     .writer = {.write = WriteBlueprint},
     .checks = kOpenAiHostedChecks,
     .options = kOpenAiHostedOptions,
     .pass_at = 1.0},
    {.name = "promptfoo",
     .help = "configs of promptfoo (promptfooconfig.yaml): prompts, providers and tests",
     .reader = {.sniff = SniffPromptfoo, .read = ReadPromptfoo, .reads_widely = true},
     .writer = {.exporter = "promptfoo"},
     .checks = kPromptfooChecks,
     .options = promptfoo::kPromptfooOptions,
     .pass_at = 1.0,
     .pass_rate = 1.0},
};

}  // namespace

std::span<const ModelCollection> BuiltInCollections() { return kDefaultModelTables.collections; }

std::span<const DialectRow> DialectTable() { return kDialects; }

const DialectRow* FindDialect(std::string_view name) {
  for (const DialectRow& row : kDialects) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

double PassAtOf(const std::optional<double>& said, std::string_view dialect) {
  const DialectRow* row = FindDialect(dialect);
  return said || row == nullptr ? said.value_or(DialectRow().pass_at) : row->pass_at;
}

std::optional<AttemptIndex> AttemptsFor(const RunSpec& spec, const std::vector<AttemptIndex>& of_suite) {
  if (spec.attempts) return spec.attempts;
  const std::vector<AttemptIndex>& tries = spec.pass_at_k.empty() ? of_suite : spec.pass_at_k;
  if (tries.empty()) return std::nullopt;
  return *std::max_element(tries.begin(), tries.end());
}

const DialectRow* SniffDialect(std::string_view path, std::string_view text) {
  const DialectRow* surest = nullptr;
  int best = 0;
  for (const DialectRow& row : kDialects) {
    const int sureness = row.reader.sniff(path, text);
    if (sureness <= best) continue;
    best = sureness;
    surest = &row;
  }
  return surest;
}

}  // namespace assay
