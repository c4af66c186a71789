// The command `assay init`: writes a commented starter of a dialect, or a program under test, as files that
// `assay check` accepts.
#include <fmt/core.h>

#include <array>

#include "base/errors/diagnostics.h"
#include "cli/commands/command.h"
#include "cli/commands/parts/failure.h"
#include "cli/embedded.h"
#include "cli/settings/file/settings.h"
#include "cli/settings/trusted_folders.h"
#include "engine/network/provider_keys.h"
#include "engine/write/written_files.h"

namespace assay {

namespace {

struct StarterFile {
  std::string_view path;
  const std::string_view* text = nullptr;
};

struct StarterRow {
  std::string_view name;             // the dialect's, or "exec"
  std::array<StarterFile, 6> files;  // those without a path are not there
  std::string_view next;             // what to try first
  std::string_view flavour = {};     // --for; the first row of a name is its usual one
  std::string_view keyless = {};     // what to try first without a key, if that is something else
  std::string_view asks = {};        // what is told of the model whose key is set
};

constexpr std::string_view kTableKind = "dataset";  // of a table that the user has
constexpr std::string_view kPrepareFirst =
    "assay prepare --dataset questions.yaml --snapshot-root snapshots && assay run matrix.toml";
constexpr std::string_view kPrepareDataset =
    "assay prepare --dataset dataset.yaml --snapshot-root snapshots && assay run matrix.toml";

constexpr StarterRow kStarters[] = {
    {"blueprint",
     {{{"blueprint.yml", &kBlueprintStarter}}},
     "assay run blueprint.yml",
     {},
     {},
     "the suite asks {}, which judges as well"},
    {"infibench",
     {{{"suite.yaml", &kSuiteStarter},
       {"cases/undo.yaml", &kCaseStarter},
       {"cases/undo.prompt.txt", &kPromptStarter}}},
     "assay run suite.yaml -m openai:gpt-6-luna",
     {},
     "assay check suite.yaml"},
    {"research",
     {{{"dataset.yaml", &kDatasetStarter},
       {"matrix.toml", &kMatrixStarter},
       {"documents/watering.md", &kWatering}}},
     kPrepareDataset,
     {},
     "assay check dataset.yaml matrix.toml",
     "the matrix asks {}"},
    {"exec",
     {{{"agent.py", &kOpenAiAgent},
       {"matrix.toml", &kOpenAiMatrix},
       {"assay.toml", &kOpenAiSettings},
       {"questions.yaml", &kQuestions},
       {"documents/watering.md", &kWatering},
       {"documents/storage.md", &kStorage}}},
     kPrepareFirst,
     "openai"},
    {"exec",
     {{{"agent.py", &kAskyAgent},
       {"matrix.toml", &kAskyMatrix},
       {"assay.toml", &kAskySettings},
       {"questions.yaml", &kQuestions},
       {"documents/watering.md", &kWatering},
       {"documents/storage.md", &kStorage}}},
     kPrepareFirst,
     "asky"},
};

const StarterRow* FindStarter(std::string_view name, std::string_view flavour) {
  for (const StarterRow& row : kStarters) {
    if (row.name == name && (flavour.empty() || row.flavour == flavour)) return &row;
  }
  return nullptr;
}

std::string NoStarter(std::string_view name, std::string_view flavour) {
  std::vector<std::string_view> names{kTableKind};
  std::string flavours;
  for (const StarterRow& row : kStarters) {
    names.push_back(row.name);
    if (row.name == name && !row.flavour.empty())
      flavours += fmt::format("{}{}", flavours.empty() ? "" : " or ", row.flavour);
  }
  if (FindStarter(name, {}) != nullptr) {
    return fmt::format("error: --for: {} {}, found {}", name,
                       flavours.empty() ? "is for nobody in particular" : "is for " + flavours,
                       Quoted(flavour));
  }
  const std::string_view near = DidYouMean(name, names);
  return fmt::format("error: there is no starter of {}; {}", Quoted(name),
                     near.empty() ? "there are blueprint, infibench, research, exec and dataset"
                                  : fmt::format("did you mean {}?", near));
}

constexpr std::string_view kKeyMark = "#? ";                // before a line that only works with a key
constexpr std::string_view kKeyless = "echo:first";         // whom the starter asks without one
constexpr std::string_view kExample = "openai:gpt-6-luna";  // in its place: whose key is set

void Replace(std::string& text, std::string_view word, std::string_view by) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
}

// The starter for whoever has the key of this model, or none.
std::string FilledIn(std::string_view starter, const std::string& model) {
  std::string text(starter);
  if (model.empty()) {
    Replace(text, kKeyMark, "# ");
    return text;
  }
  Replace(text, kKeyMark, "");
  Replace(text, kKeyless, model);
  Replace(text, kExample, model);
  return text;
}

Status WriteStarter(const StarterRow& row, const std::string& model, WrittenFiles& files) {
  for (const StarterFile& file : row.files) {
    if (file.path.empty()) continue;
    ASSAY_CHECK_OK(files.Open(file.path));
    ASSAY_CHECK_OK(files.Write(FilledIn(*file.text, model)));
    ASSAY_CHECK_OK(files.Close());
  }
  return Ok();
}

// Whom the files ask, if that hangs on a key.
std::string WhomItAsks(const StarterRow& row, const std::string& model) {
  if (!model.empty()) return row.asks.empty() ? std::string() : fmt::format(fmt::runtime(row.asks), model);
  if (row.name == "exec") return {};
  return fmt::format("no key of a provider is set{}; `assay doctor --all` lists the keys",
                     row.keyless.empty()
                         ? fmt::format(", so the suite asks {}, which repeats each question", kKeyless)
                         : std::string());
}

// What assay itself has just written for this user here.
void TrustOwnStarter(const std::string& folder, FileReader& files, Ui& ui) {
  SourceFiles sources;
  Diagnostics diagnostics;
  const std::vector<Power> powers = PowersIn(folder, files, sources, diagnostics);
  if (powers.empty()) return;
  if (const Status kept = RememberPowers(folder, powers); !kept)
    ui.Note(fmt::format("assay.toml needs trust: {}", Printable(kept.error().message)));
}

}  // namespace

ExitCode InitCommand(const Options& options, Ui& ui) {
  const std::string dialect = options.arguments.empty() ? "blueprint" : options.arguments.front();
  if (kTableKind == dialect) return InitDatasetCommand(options, ui);
  if (!options.command.encoding.empty()) {
    ui.Problem("error: --encoding is of `assay init dataset FILE`");
    return ExitCode::kUsage;
  }
  const StarterRow* row = FindStarter(dialect, options.command.flavour);
  if (row == nullptr) {
    ui.Problem(NoStarter(dialect, options.command.flavour));
    return ExitCode::kUsage;
  }
  const std::string folder = options.arguments.size() > 1 ? options.arguments[1] : ".";
  // All or nothing: what somebody has is not touched.
  DiskFileReader disk;
  for (const StarterFile& file : row->files) {
    const std::string path = fmt::format("{}/{}", folder, file.path);
    if (file.path.empty() || !disk.Exists(path)) continue;
    ui.Problem(fmt::format("error: {} is there already; name another folder: assay init {} DIR",
                           Printable(path), dialect));
    return ExitCode::kUsage;
  }
  WrittenFiles files(folder, Existing::kRefuse);
  const std::string model = ModelOfSetKeys();
  if (const Status written = WriteStarter(*row, model, files); !written) return FailWith(ui, written.error());
  for (const std::string& path : files.paths()) ui.Note(fmt::format("wrote {}", Printable(path)));
  TrustOwnStarter(folder, disk, ui);
  if (const std::string whom = WhomItAsks(*row, model); !whom.empty()) ui.Note(whom);
  const std::string next =
      model.empty() && !row->keyless.empty() ? std::string(row->keyless) : FilledIn(row->next, model);
  ui.Note(fmt::format("next: {}{}", folder == "." ? "" : fmt::format("cd {} && ", Printable(folder)), next));
  return ExitCode::kDone;
}

}  // namespace assay
