// The command `assay prepare`: downloads the documents of a research dataset and pins them with their
// digests.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>

#include "base/files/scoped_files.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/wire/url.h"
#include "cli/commands/command.h"
#include "cli/commands/parts/trusting.h"
#include "cli/files/downloads.h"
#include "cli/terminal/progress.h"
#include "dialects/research/lower/options.h"
#include "dialects/research/session/snapshot.h"
#include "engine/grants/limits.h"
#include "engine/network/network.h"
#include "engine/open/loaded.h"
#include "engine/research_files.h"
#include "engine/state/pinned_files.h"
#include "text/found.h"
#include "text/object.h"
#include "text/python/json.h"
#include "text/python/repr.h"

namespace assay {

namespace {

using research::Dataset;
using research::Document;
using research::Manifest;
using research::PinnedDocument;
using research::PreparedDocument;

constexpr double kTimeoutDefaultS = 60;
constexpr std::size_t kAtOnce = 16;
constexpr int kRetries = 2;

double InMs(std::chrono::microseconds duration) { return static_cast<double>(duration.count()) / 1000; }

// What a download left behind lies beside the document's place: a line with where it came from, then bytes.
// Names of documents end in a plain suffix, and never so.
std::string PartPath(std::string_view path) {
  const std::size_t name = path.rfind('/') + 1;
  return fmt::format("{}.{}.part~", path.substr(0, name), path.substr(name));
}

std::string PartText(std::string_view url, const PartialDocument& begun) {
  return WritePythonJson(Object{{"url", url}, {"validator", begun.validator}}).value_or("{}") + "\n" +
         begun.bytes;
}

class Preparation {
 public:
  Preparation(const Options& options, const Dataset& dataset, std::string folder, FileReader& files, Ui& ui)
      : options_(options),
        dataset_(dataset),
        folder_(std::move(folder)),
        files_(files),
        ui_(ui),
        pinned_(folder_) {
    manifest_.dataset = &dataset;
    manifest_.documents.resize(dataset.docs.size());
  }

  ExitCode Run() {
    const TimePoint started = clock_.Now();
    if (Status known = ReadOldManifest(); !known) {
      ui_.Problem("error: " + Printable(known.error().message));
      return ExitCode::kUsage;
    }
    for (std::size_t i = 0; i < dataset_.docs.size(); ++i) Begin(i);
    if (Status done = DownloadRest(); !done) {
      ui_.Problem("error: " + Printable(done.error().message));
      return ExitCode::kUsage;
    }
    if (failed_ == 0) {
      manifest_.created_ms = clock_.WallMs();
      manifest_.total_ms = InMs(clock_.Now() - started);
      const Status written = pinned_.Put(research::kManifestName, WriteManifest(manifest_));
      if (!written) {
        ui_.Problem("error: " + Printable(written.error().message));
        return ExitCode::kUsage;
      }
      Tell();
      return ExitCode::kDone;
    }
    ui_.Problem(fmt::format(
        "error: {} of {} failed; no manifest was written; the same command continues with the rest",
        Counted(failed_, "document"), dataset_.docs.size()));
    return ExitCode::kUsage;
  }

 private:
  Status ReadOldManifest() {
    ASSAY_TRY(const OutFolder::Kind kind, pinned_.KindOf(research::kManifestName));
    if (kind == OutFolder::Kind::kNothing || options_.command.refresh) return Ok();
    ASSAY_TRY(const std::string text, pinned_.Read(research::kManifestName));
    Result<std::map<std::string, PinnedDocument>> old = research::ReadManifest(text);
    if (!old) {
      return Error{ErrorCode::kCorrupt,
                   fmt::format("{} is no manifest ({}); --refresh downloads every document again",
                               pinned_.PathOf(research::kManifestName), old.error().message)};
    }
    old_ = std::move(*old);
    return Ok();
  }

  // Decides what a document needs, and does it where nothing has to be waited for.
  void Begin(std::size_t index) {
    const Document& document = dataset_.docs[index];
    PreparedDocument& prepared = manifest_.documents[index];
    prepared.document = &document;
    Result<std::string> path = research::SnapshotPathOf(document);
    if (!path) return Fail(index, path.error());
    prepared.path = std::move(*path);
    const TimePoint started = clock_.Now();
    const Result<bool> reused = Reuse(prepared);
    if (!reused) return Fail(index, reused.error());
    if (*reused) {
      prepared.elapsed_ms = InMs(clock_.Now() - started);
      return Note(prepared, "reused");
    }
    if (document.url.starts_with("file:")) return Copy(index);
    if (!IsHttpUrl(document.url)) {
      return Fail(index, {ErrorCode::kInvalidInput, "expected an http, https or file URL"});
    }
    jobs_.push_back({document.url, BegunOf(prepared)});
    job_documents_.push_back(index);
  }

  // Whether the file that is there will do; an error if it is not what the manifest vouches for.
  Result<bool> Reuse(PreparedDocument& prepared) {
    if (options_.command.refresh) return false;
    ASSAY_TRY(const OutFolder::Kind kind, pinned_.KindOf(prepared.path));
    if (kind == OutFolder::Kind::kNothing) return false;
    const std::string place = pinned_.PathOf(prepared.path);
    if (kind == OutFolder::Kind::kOther) {
      return Error{ErrorCode::kIo,
                   fmt::format("expected a file at {}, found something else; remove it", place)};
    }
    const auto known = old_.find(prepared.document->id);
    const bool is_vouched = known != old_.end() && known->second.path == prepared.path;
    // Another address: what is there is another document's.
    if (is_vouched && !known->second.url.empty() && known->second.url != prepared.document->url) return false;
    ASSAY_TRY(const std::string bytes, pinned_.Read(prepared.path));
    Measure(bytes, prepared);
    if (!is_vouched || known->second.sha256 == prepared.sha256) return true;
    return Error{ErrorCode::kCorrupt,
                 fmt::format("{} has changed since it was downloaded; --refresh downloads it again", place)};
  }

  static void Measure(std::string_view bytes, PreparedDocument& prepared) {
    prepared.sha256 = Hex(Sha256Of(bytes));
    prepared.size_bytes = bytes.size();
  }

  PartialDocument BegunOf(const PreparedDocument& prepared) {
    if (options_.command.refresh) return {};
    const Result<std::string> text = pinned_.Read(PartPath(prepared.path));
    if (!text) return {};
    const std::size_t end = text->find('\n');
    const Result<Value> head = ParsePythonJson(std::string_view(*text).substr(0, end));
    if (!head || end == std::string::npos) return {};
    const std::string* validator = FindText(*head, "validator");
    const bool is_same = head->TextAt("url") == prepared.document->url;
    if (!is_same || validator == nullptr) return {};
    return {text->substr(end + 1), *validator};
  }

  // A file of this machine: below the dataset's folder, or where --allow-path says.
  void Copy(std::size_t index) {
    const TimePoint started = clock_.Now();
    const Document& document = dataset_.docs[index];
    const std::string home = FolderOfFile(dataset_.path);
    std::vector<std::string> roots = AllowedPaths(options_.granted);
    roots.push_back(home);
    std::string_view path = std::string_view(document.url).substr(std::string_view("file:").size());
    if (path.starts_with("//")) path.remove_prefix(std::min(path.find('/', 2), path.size()));
    ScopedFileReader scoped(files_, roots);
    const Result<std::string> bytes =
        scoped.Read(path.starts_with('/') ? std::string(path) : fmt::format("{}/{}", home, path));
    if (!bytes) return Fail(index, bytes.error());
    Keep(index, *bytes, clock_.Now() - started, 0);
  }

  Status DownloadRest() {
    if (jobs_.empty()) return Ok();
    HttpOptions http = NetworkOptions(options_.granted);
    http.begins = nullptr;
    http.reply_bytes_max = limits::kInputFileBytesMax;
    const auto patience = Milliseconds(options_.granted.calls.timeout_s.value_or(kTimeoutDefaultS));
    http.connect = http.first_byte = http.idle = patience;
    ASSAY_TRY(const std::unique_ptr<HttpTransport> transport, HttpTransport::Open(http));
    DownloadRules rules{.in_flight = options_.granted.calls.max_in_flight.value_or(kAtOnce),
                        .retries = options_.granted.calls.max_retries.value_or(kRetries),
                        .hosts = options_.granted.hosts};
    rules.hosts.insert(rules.hosts.end(), options_.granted.settings.allowed_hosts.begin(),
                       options_.granted.settings.allowed_hosts.end());
    const DownloadEvents events{.done =
                                    [this](std::size_t job, Downloaded done) {
                                      Keep(job_documents_[job], done.bytes, done.duration, done.resumed_at);
                                    },
                                .failed =
                                    [this](std::size_t job, FailedDownload failed) {
                                      KeepBegun(job_documents_[job], failed.begun);
                                      Fail(job_documents_[job], failed.error);
                                    }};
    DownloadAll(std::move(jobs_), rules, *transport, clock_, events);
    return Ok();
  }

  void Keep(std::size_t index, std::string_view bytes, std::chrono::microseconds duration,
            std::size_t resumed_at) {
    PreparedDocument& prepared = manifest_.documents[index];
    Measure(bytes, prepared);
    prepared.is_new = true;
    prepared.elapsed_ms = InMs(duration);
    if (Status put = pinned_.Put(prepared.path, bytes); !put) return Fail(index, put.error());
    if (Status removed = pinned_.Remove(PartPath(prepared.path)); !removed)
      return Fail(index, removed.error());
    Note(prepared, resumed_at == 0 ? "downloaded" : fmt::format("downloaded from byte {} on", resumed_at));
  }

  // Without it the whole document is asked for again; that it cannot be kept is therefore no error.
  void KeepBegun(std::size_t index, const PartialDocument& begun) {
    const PreparedDocument& prepared = manifest_.documents[index];
    const std::string part = PartPath(prepared.path);
    const bool is_usable = !begun.bytes.empty() && !begun.validator.empty();
    const Status kept =
        is_usable ? pinned_.Put(part, PartText(prepared.document->url, begun)) : pinned_.Remove(part);
    if (kept && is_usable) {
      ui_.Note(Printable(
          fmt::format("{}: {} bytes are kept for the next time", prepared.document->id, begun.bytes.size())));
    }
  }

  void Note(const PreparedDocument& prepared, std::string_view action) {
    ui_.Note(Printable(fmt::format("{}: {}, {} bytes ({:.1f} ms)", prepared.document->id, action,
                                   prepared.size_bytes, prepared.elapsed_ms)));
  }

  void Fail(std::size_t index, const Error& error) {
    const Document& document = dataset_.docs[index];
    ++failed_;
    ui_.Problem(Printable(
        fmt::format("error: document {} ({}): {}", Quoted(document.id), document.url, error.message)));
  }

  // What the original prints.
  void Tell() {
    const auto& documents = manifest_.documents;
    const auto downloaded = std::count_if(documents.begin(), documents.end(),
                                          [](const PreparedDocument& each) { return each.is_new; });
    ui_.Out(Printable(fmt::format("Prepared dataset '{}' snapshots at: {}", dataset_.id, folder_)) + "\n");
    ui_.Out(Printable(fmt::format("Manifest: {}", pinned_.PathOf(research::kManifestName))) + "\n");
    ui_.Out(fmt::format("Documents: {}\n", documents.size()));
    ui_.Out(fmt::format("Prepare timing: total={}ms downloaded={} reused={}\n",
                        PythonFixed(manifest_.total_ms, 1), downloaded,
                        static_cast<std::ptrdiff_t>(documents.size()) - downloaded));
    ui_.Out("Document timings:\n");
    std::vector<const PreparedDocument*> sorted;
    for (const PreparedDocument& each : documents) sorted.push_back(&each);
    std::sort(sorted.begin(), sorted.end(), [](const PreparedDocument* a, const PreparedDocument* b) {
      return a->document->id < b->document->id;
    });
    for (const PreparedDocument* each : sorted) {
      ui_.Out(
          Printable(fmt::format("- {}: {} ({} ms)", each->document->id,
                                each->is_new ? "downloaded" : "reused", PythonFixed(each->elapsed_ms, 1))) +
          "\n");
    }
  }

  const Options& options_;
  const Dataset& dataset_;
  std::string folder_;
  FileReader& files_;
  Ui& ui_;
  SystemClock clock_;
  PinnedFiles pinned_;
  Manifest manifest_;
  std::map<std::string, PinnedDocument> old_;
  std::vector<DownloadJob> jobs_;
  std::vector<std::size_t> job_documents_;
  std::size_t failed_ = 0;
};

}  // namespace

ExitCode PrepareCommand(const Options& options, Ui& ui) {
  const std::string named = options.granted.own.Text(research::kDatasetOption);
  if (named.empty()) {
    ui.Problem("error: assay prepare needs a dataset, for example: assay prepare --dataset questions.yaml");
    return ExitCode::kUsage;
  }
  DiskFileReader files;
  SourceFiles sources;
  Diagnostics diagnostics;
  const std::optional<Dataset> dataset = LoadDataset(named, files, sources, diagnostics);
  if (const std::string problems = FormatDiagnostics(diagnostics, sources); !problems.empty())
    ui.Problem(problems);
  if (!dataset) return ExitCode::kUsage;
  const std::string said = options.granted.own.Text(research::kSnapshotsOption);
  const Result<std::string> root = ResolveOptionPath(
      said.empty() ? research::kDefaultSnapshotRoot : std::string_view(said), RootsOfProcess());
  if (!root) {
    ui.Problem("error: --snapshot-root: " + root.error().message);
    return ExitCode::kUsage;
  }
  Options agreed = options;
  if (!MayPrepare(agreed, *dataset, ui)) return ExitCode::kUsage;
  return Preparation(agreed, *dataset, *root + "/" + dataset->id, files, ui).Run();
}

}  // namespace assay
