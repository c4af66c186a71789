// The commands, one row each.
#include <algorithm>
#include <array>
#include <limits>

#include "cli/commands/command.h"

namespace assay {

namespace {

constexpr std::size_t kMany = std::numeric_limits<std::size_t>::max();

constexpr auto kCommands = std::to_array<CommandRow>({
    {"run", "FILE...", 1, kMany, "evaluate: ask what has not been answered, grade, write the reports",
     "assay run suite.yml -m openai:gpt-4o", RunCommand, false, TrustUse::kAsks},
    {"grade", "SUITE RESPONSES...", 2, kMany,
     "grade recorded answers: folders with params.yaml or of texts, CSV files, results of other tools",
     "assay grade suite.yaml responses/gpt-4_0.2_0.9_30_suite", GradeCommand, false, TrustUse::kAsks},
    {"check", "FILE...", 1, kMany, "report every problem of the files; asks nothing", "assay check *.yml",
     CheckCommand, false, TrustUse::kShows},
    {"run-config", "local", 1, 1, "the command line of the blueprints' own tool: run, as that tool runs them",
     "assay run-config local --config blueprint.yml", RunConfigCommand, false, TrustUse::kAsks},
    {"prepare", "", 0, 0, "download and pin the documents of a research dataset",
     "assay prepare --dataset questions.yaml", PrepareCommand, true, TrustUse::kAsks},
    {"report", "[DIR|RUN]", 0, 1, "make the files of a research session again, of its rows or of the store",
     "assay report temp/research_eval/runs/20261122_101500", ReportCommand, true, TrustUse::kPrices},
    {"plan", "FILE...", 1, kMany, "what a run would ask, cost and take; asks nothing",
     "assay plan suite.yml -j 40", PlanCommand, false, TrustUse::kShows},
    {"list", "WHAT", 1, 1,
     "what there is: checks, languages, providers, models, dialects, exporters, importers, aggregations, "
     "collections, tools",
     "assay list checks", ListCommand},
    {"runs", "", 0, 0, "the runs in the store", "assay runs", RunsCommand},
    {"show", "RUN", 1, 1, "one run again: an id, the start of one, or latest; or a file of results",
     "assay show latest --failed", ShowCommand, false, TrustUse::kPrices},
    {"compare", "A [B...]", 1, kMany,
     "which is better, by how much, and is it certain: RUN or FILE, or RUN#VARIANT with a part of its id",
     "assay compare latest#gpt-4o latest#claude", CompareCommand, false, TrustUse::kPrices},
    {"calibrate", "RUN", 1, 1, "what humans would give: the judges' scores, corrected by a file of labels",
     "assay calibrate latest --labels labels.csv", CalibrateCommand, false, TrustUse::kPrices},
    {"export", "RUN", 1, 1, "one run, or RUN#VARIANT, in another format, as one file",
     "assay export latest --to html -o report.html", ExportCommand, false, TrustUse::kPrices},
    {"cache", "explain RUN|prune|adopt [RECORDING]", 1, 2,
     "what entered a key, and what changed it; remove what is old; take over what others made",
     "assay cache prune --older 90d", CacheCommand},
    {"doctor", "[SUITE...]", 0, kMany,
     "what this machine has, and what a suite needs; --config: the settings of a run",
     "assay doctor --config", DoctorCommand},
    {"trust", "[FOLDER]", 0, 1,
     "let the folder's assay.toml name addresses, keys, programs and prices for your runs there",
     "assay trust", TrustCommand},
    {"init", "[KIND [DIR]]", 0, 2,
     "a commented starter: blueprint, infibench, research, or exec (a program under test)",
     "assay init blueprint", InitCommand},
    {"schema", "DIALECT", 1, 1, "the JSON Schema of a format, for editors: blueprint, infibench or research",
     "assay schema blueprint > blueprint.schema.json", SchemaCommand},
    {"completion", "SHELL", 1, 1, "the script by which bash, zsh or fish completes; or man, the manual page",
     "assay completion bash", CompletionCommand},
});

}  // namespace

std::span<const CommandRow> CommandTable() { return kCommands; }

const CommandRow* FindCommand(std::string_view name) {
  const auto* found = std::find_if(kCommands.begin(), kCommands.end(),
                                   [&](const CommandRow& row) { return row.name == name; });
  return found == kCommands.end() ? nullptr : &*found;
}

}  // namespace assay
