// A dialect: one existing format, read into a Suite and written back as the files that its own tools expect.
// One folder and one row of table.cc each.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/file_reader.h"
#include "base/sink.h"
#include "spec/recording.h"
#include "spec/report.h"
#include "spec/suite.h"

namespace assay {

struct ReadOptions {
  Compat compat = Compat::kNone;
  std::vector<std::string> models;              // -m: replaces the suite's own list if not empty
  std::vector<std::string> judges;              // --judge: likewise
  std::optional<AttemptIndex> attempts;         // --attempts
  std::optional<std::int64_t> max_tokens = {};  // --max-tokens: of every answer, whatever the suite says
  std::optional<std::size_t> limit;             // --limit: the first N cases
  std::string filter;                           // --filter: a glob over case ids; "" keeps all
  std::string collections_dir;                  // --collections-repo-path
  // [collections] of assay.toml: the models that a name in capitals stands for.
  std::map<std::string, std::vector<std::string>> collections;
  std::vector<std::string> selected;  // --select: cases by the name that the suite gives them; empty: all
  std::optional<bool> weighted;       // --weighted, --no-weights: whether a case counts as its weight says
  std::string run_label;              // --run-label
  std::string eval_method;            // --eval-method, as written
  bool keeps_normal_form = false;     // Suite::normal_form is wanted: of 10,000 cases 12 MB
};

// Everything a reader may touch. Problems go to `diagnostics`; files are registered with `sources`.
struct ReadInput {
  std::string path;  // as the user named it
  const ReadOptions& options;
  FileReader& files;
  SourceFiles& sources;
  Diagnostics& diagnostics;
};

// How a format's files become a Suite.
struct DialectReader {
  // How sure the dialect is that the file is its own, 0 (no) to 100, from its name and the start of its text.
  int (*sniff)(std::string_view path, std::string_view text);
  // A Suite, or nothing when diagnostics hold an error. `text` is the content of `file`, already in sources.
  std::optional<Suite> (*read)(const ReadInput& input, FileId file, std::string_view text);
  // Recorded replies in the dialect's own format (--fixtures); null if it has none.
  std::optional<Recording> (*read_fixtures)(const ReadInput& input, FileId file,
                                            std::string_view text) = nullptr;
};

// How a finished run becomes the files that the format's own tools expect.
struct DialectWriter {
  // The dialect's own files, below the sink's root.
  Status (*write)(const Report& report, Sink& sink);
  // One small file for each pair and part, for tools that fetch parts (--artefacts); null if it has none.
  Status (*write_artefacts)(const Report& report, Sink& sink) = nullptr;
  // The run as one line of JSON for other programs (--demo-stdout); null if there is no such form.
  Result<std::string> (*payload)(const Report& report) = nullptr;
  // Its files are named by the suite and the model alone, so that a later run's take the place of an earlier
  // one's, which are set aside.
  bool reuses_names = false;
};

// Recorded answers in a folder or file of the dialect's own (--responses).
struct DialectResponses {
  // Whose they are becomes the only variant of `suite`, how many there are each case's attempts.
  std::optional<Recording> (*read)(const ReadInput& input, Suite& suite);
};

// A question about the finished run.
struct ClosingQuestion {
  Result<Suite> (*ask)(const Report& report);           // a suite of one case and one variant
  void (*add)(std::string_view reply, Report& report);  // what its answer says, as Report::closing
};

// A file that is made of the text of another alone, for other tools.
struct IndexView {
  std::string (*path)(const Suite& suite);
  Result<std::string> (*text)(std::string_view index);
};

// A file that lists the runs of one suite (--update-summaries), below the sink's root.
struct RunIndex {
  std::string (*path)(const Suite& suite);
  // Its text with this run added to what is there already ("" if there is nothing).
  Result<std::string> (*add)(const Report& report, std::string_view existing);
  std::optional<IndexView> view = {};
};

// The dialect's own tables of runs.
struct DialectTables {
  Status (*add)(Report& report);                                 // for pages: Report::tables
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
  std::optional<ClosingQuestion> closing = {};
  std::optional<RunIndex> index = {};
  std::optional<DialectTables> tables = {};
};

// Model collections that every dialect knows without being told.
struct ModelCollection {
  std::string_view name;
  std::span<const std::string_view> models;
};
std::span<const ModelCollection> BuiltInCollections();

std::span<const DialectRow> DialectTable();
const DialectRow* FindDialect(std::string_view name);
// The surest dialect, or null if none claims the file.
const DialectRow* SniffDialect(std::string_view path, std::string_view text);

}  // namespace assay
