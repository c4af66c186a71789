// DialectRow: a dialect, which reads one existing format into a Suite and writes a Report back as the files
// that the format's own tools expect. One folder and one row of table.cc each.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/errors/diagnostics.h"
#include "base/errors/span.h"
#include "base/files/file_reader.h"
#include "base/files/sink.h"
#include "dialects/check_elsewhere.h"
#include "dialects/dialect_option.h"
#include "dialects/paths.h"
#include "spec/exchange/recording.h"
#include "spec/ids.h"
#include "spec/report/cell_gatherer.h"
#include "spec/report/report.h"
#include "spec/run/run_event.h"
#include "spec/run/run_spec.h"
#include "spec/suite/agent_settings.h"
#include "spec/suite/model_ref.h"

namespace assay {

struct Case;
struct CaseDocument;
struct Suite;

// A name that the user gives a model in his settings.
struct ModelAlias {
  std::string model;          // "openai:gpt-6-luna", "exec:COMMAND"
  std::string base_url = {};  // "" for the provider's own
  Map parameters = {};        // that every request of it has, in their order
  AgentModel agent = {};      // as the research agent has to know it
  std::string origin = {};    // where it is said: "assay.toml"
  std::string problem = {};   // why it cannot be asked; "" if it can
  // A cloned folder names it and nobody has trusted that: who is meant is shown, and never asked.
  bool untrusted = false;
};

using ModelAliases = std::map<std::string, ModelAlias, std::less<>>;

// What the run is to be, and what this machine and its user's settings say besides.
struct ReadOptions : RunSpec {
  // [collections] of assay.toml: the models that a name in capitals stands for.
  std::map<std::string, std::vector<std::string>> collections;
  bool keeps_normal_form = false;  // Suite::normal_form is wanted: of 10,000 cases 12 MB
  // All rows of datasets are read, whatever a limit leaves of them.
  bool reads_all_rows = false;
  // Whether checks of a case can be bound without a word to say. Where it is there, rows of datasets that are
  // like others and that nobody asks for are counted and become no cases; `alike` in Suite::details counts
  // those that are checked alone.
  std::function<bool(const Case& the_case)> binds_quietly = nullptr;
  bool reads_on = false;  // a reader gives a Suite despite errors, so that planning finds the others too
  ModelAliases aliases;   // [models.NAME] of assay.toml, and the like
  std::string aliases_problem;  // of a file of them that cannot be read
  std::string search_url;       // of the server that the research agent searches the web with; "": none
  std::optional<std::int64_t> page_timeout_ms;     // of its requests for pages
  std::optional<std::int64_t> search_timeout_ms;   // and of those to that server
  std::string summarizer_alias;                    // the alias of the model that sums up
  OwnOptions places;                               // own options of the dialect that shape no run
  std::vector<std::string_view> check_names = {};  // of all checks; empty: a reader tells of no unknown one
  std::vector<CheckElsewhere> checks_elsewhere = {};
  // The process's variables.
  std::map<std::string, std::string, std::less<>> environment = {};
  std::string cwd;   // absolute
  std::string home;  // "" if there is none
};

// How often a case is asked: as the user says, else as often as the largest number of tries; `of_suite`: the
// suite's own. Nothing: nobody says.
std::optional<AttemptIndex> AttemptsFor(const RunSpec& spec, const std::vector<AttemptIndex>& of_suite);

// Everything a reader may touch. Problems go to `diagnostics`; files are registered with `sources`.
struct ReadInput {
  std::string path;  // as the user named it
  const ReadOptions& options;
  FileReader& files;
  SourceFiles& sources;
  Diagnostics& diagnostics;
};

// Whether a reader goes on behind errors that came since: as ReadOptions::reads_on says, and not beyond the
// cap, where nobody would see what else there is.
inline bool MayReadOn(const Diagnostics& diagnostics, std::size_t errors_before, bool reads_on) {
  return diagnostics.ErrorCount() == errors_before || (reads_on && diagnostics.Dropped() == 0);
}

// How a format's files become a Suite.
struct DialectReader {
  // How sure the dialect is that the file is its own, 0 (no) to 100, from its name and the start of its text.
  int (*sniff)(std::string_view path, std::string_view text);
  // A Suite, or nothing when diagnostics hold an error (but see ReadOptions::reads_on). `text` is the content
  // of `file`, already in sources.
  std::optional<Suite> (*read)(const ReadInput& input, FileId file, std::string_view text);
  // Recorded replies in the dialect's own format (--fixtures); null if it has none.
  std::optional<Recording> (*read_fixtures)(const ReadInput& input, FileId file,
                                            std::string_view text) = nullptr;
  // Its files may name others below the current folder as well as below their own.
  bool reads_widely = false;
};

// How a finished run becomes the files that the format's own tools expect.
struct DialectWriter {
  // The dialect's own files, below the sink's root; null: it has none but that of `exporter`.
  Status (*write)(const Report& report, Sink& sink) = nullptr;
  std::string_view exporter = {};  // a row of report/table.cc whose file is one of every run; "": none
  // One small file for each pair and part, for tools that fetch parts (--artefacts); null if it has none.
  Status (*write_artefacts)(const Report& report, Sink& sink) = nullptr;
  // The run as one line of JSON for other programs (--demo-stdout); null if there is no such form.
  Result<std::string> (*payload)(const Report& report) = nullptr;
  // Its files are named by the suite and the model alone, so that a later run's take the place of an earlier
  // one's, which are set aside.
  bool reuses_names = false;
};

// Files that grow while a run goes on, a line for each cell in the order of the run: whoever kills it finds a
// whole prefix.
struct DialectRows {
  // Below the run's folder: the file of the variant's rows.
  std::string (*path)(const Suite& suite, VariantIndex variant);
  // With its line end. Pure; any thread.
  std::string (*line)(const Suite& suite, const CellAddress& cell, const AttemptRecord& record);
};

// A folder of each run's own, for formats that have one.
struct RunFolder {
  std::string (*root)(const Suite& suite);  // absolute; made if it is not there
  // The name to try: `count` others were taken. At most `count_max` are tried.
  std::string (*name)(std::int64_t started_ms, unsigned count);
  unsigned count_max = 1;
};

// Tells how a run goes, in the lines of the format's own tool. One thread.
class RunNarrator {
 public:
  virtual ~RunNarrator() = default;
  // The lines that an event gives rise to, each with its end; "" mostly.
  virtual std::string On(const RunEvent& event, TimePoint now) = 0;
  // What is to be said after a while in which nothing happened.
  virtual std::string After(TimePoint now) = 0;
};

// How the lines of a run begin.
struct NarrationTerms {
  std::vector<std::string> names;  // what people are told the variants are called
  std::int64_t started_ms = 0;
  bool is_orderly =
      false;  // one cell is asked after the other, so that all that is said of one stands together
};

struct DialectNarration {
  std::unique_ptr<RunNarrator> (*open)(const Suite& suite, NarrationTerms terms);
  // What stands on standard output at the end, of the finished run, whose files are in `folder`; the
  // variants by their `names`.
  Result<std::string> (*closing)(const Report& report, const std::string& folder,
                                 const std::vector<std::string>& names);
};

// Recorded answers in a folder or file of the dialect's own (--responses).
struct DialectResponses {
  // Whose they are becomes the only variant of `suite`, how many there are each case's attempts.
  std::optional<Recording> (*read)(const ReadInput& input, Suite& suite);
};

// A question about the finished run.
struct ClosingAnswer {
  std::string model_id;  // whom the run asked: "openai:gpt-6-luna"
  std::string text;
};
struct ClosingQuestion {
  Result<Suite> (*ask)(const Report& report);                // a suite of one case and one variant
  void (*add)(const ClosingAnswer& answer, Report& report);  // what its answer says, as Report::closing
};

// A folder that runs of the dialect left behind, with whatever the command line says beside it.
struct RebuildInput {
  std::string folder;  // absolute
  const OwnOptions& own;
  PathRoots roots;
  FileReader& files;
  SourceFiles& sources;
  Diagnostics& diagnostics;  // problems of other files that `own` names
};
// Texts by their paths below the folder.
using RebuiltFiles = std::map<std::string, std::string>;

// A file that is made of the text of another alone, for other tools.
struct IndexView {
  std::string (*path)(const Suite& suite);
  Result<std::string> (*text)(std::string_view index);
};

// A file that lists the runs of one suite (--update-summaries), below the sink's root.
struct RunIndex {
  std::string (*path)(const Suite& suite);
  // Its text with this run added to what is there already ("" if there is nothing). `notes`: what of the run
  // was not added, and why, a line each.
  Result<std::string> (*add)(const Report& report, std::string_view existing,
                             std::vector<std::string>& notes);
  bool takes_parts = false;  // whether runs of some of the suite's cases enter
  std::optional<IndexView> view = {};
};

// What an answer of a model cost, in US dollars; nothing where no price of the model is known.
using CostOfAnswer = std::function<std::optional<double>(const ModelRef& model, const Usage& usage)>;

// The dialect's own tables of runs.
struct DialectTables {
  Status (*add)(Report& report, const CostOfAnswer& cost);       // for pages: Report::tables
  Result<std::string> (*text)(std::span<const Report> reports);  // for the terminal, of one or more runs
};

// What a format has; all but the first four members may be absent.
struct DialectRow {
  std::string_view name;  // "blueprint"
  std::string_view help;  // one line for `assay list dialects`
  DialectReader reader;
  DialectWriter writer;
  std::span<const std::string_view> checks = {};  // rows of checks/table.cc that only such dialects offer
  std::optional<DialectResponses> responses = {};
  // The documents that some variant reads through us, in the order in which cases first name them, each once:
  // before a run they are read so that they can be searched. Null: its cases are about none.
  std::vector<CaseDocument> (*documents)(const Suite& suite) = nullptr;
  std::optional<ClosingQuestion> closing = {};
  std::optional<RunIndex> index = {};
  std::optional<DialectTables> tables = {};
  // What its tables, closing block and files are made of: gathered in the one walk over the cells at a run's
  // end, as Report::gathered. Where a report has none, they walk themselves. The suite outlives it.
  std::shared_ptr<CellGatherer> (*gather)(const Suite& suite) = nullptr;
  std::optional<RunFolder> folder = {};
  // The texts for people in such a folder, made again of the data that stand there. Null: it has none.
  Result<RebuiltFiles> (*rebuild)(const RebuildInput& input) = nullptr;
  std::optional<DialectRows> rows = {};
  std::optional<DialectNarration> narration = {};
  std::span<const DialectOption> options = {};  // that no other dialect knows
  double pass_at = 0.5;  // the least score of a cell that passed, where nobody says another
  // The least share of cells that pass for a run to end well, where nobody says another; absent: any.
  std::optional<double> pass_rate = {};
};

// Model collections that every dialect knows without being told.
struct ModelCollection {
  std::string_view name;
  std::span<const std::string_view> models;
};
std::span<const ModelCollection> BuiltInCollections();

std::span<const DialectRow> DialectTable();
const DialectRow* FindDialect(std::string_view name);
// The least score of a cell that passed: what the user says, else what the dialect has.
double PassAtOf(const std::optional<double>& said, std::string_view dialect);
// The surest dialect, or null if none claims the file.
const DialectRow* SniffDialect(std::string_view path, std::string_view text);

}  // namespace assay
