// Reads the documents, runs the plan that asks programs and embedders about them, and builds the Corpus.
#include "engine/open/ingested.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/files/path_names.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/text/utf8.h"
#include "corpus/limits.h"
#include "corpus/read/opening.h"
#include "engine/cores.h"
#include "engine/limits.h"
#include "engine/open/loaded.h"
#include "engine/open/programs.h"
#include "engine/words.h"
#include "plan/finish.h"
#include "spec/suite/suite.h"
#include "store/run_walks.h"

namespace assay {

namespace {

using FineMilliseconds = std::chrono::duration<double, std::milli>;

class Stopwatch {
 public:
  explicit Stopwatch(const Clock& clock) : clock_(clock), start_(clock.Now()) {}
  double ms() const { return FineMilliseconds(clock_.Now() - start_).count(); }

 private:
  const Clock& clock_;
  TimePoint start_;
};

// What was checked when the suite was read is checked again: the bytes that models see are the pinned ones.
Status CheckPinnedBytes(const CaseDocument& document, const Blob& blob) {
  if (document.sha256.empty() || blob.sha256 == document.sha256) return Ok();
  return Error{ErrorCode::kCorrupt,
               "it has changed since it was downloaded: its SHA-256 is another; `assay prepare --refresh` "
               "downloads it again"};
}

void Open(OpenedDocument& opened, std::string bytes, const CorpusSettings& settings, const Clock& clock) {
  const Stopwatch watch(clock);
  auto blob = std::make_shared<Blob>();
  blob->sha256 = Hex(Sha256Of(bytes));
  blob->bytes = std::move(bytes);
  if (const Status pinned = CheckPinnedBytes(opened.document, *blob); !pinned) {
    opened.intake = pinned.error();
    return;
  }
  opened.document.blob = std::move(blob);
  opened.intake = TakeIn({.document = opened.document, .settings = settings, .pdf_toolchain = {}}, {});
  opened.is_asked = opened.intake && !opened.intake->needs.empty();
  if (opened.is_asked) {
    opened.intake = Intake{};  // the generator says what it needs
  } else {
    opened.document.blob.reset();  // its text is all that is left to do with it
  }
  opened.ms += watch.ms();
}

void OpenAll(const CorpusSettings& settings, FileReader& files, const Clock& clock,
             std::vector<OpenedDocument>& documents) {
  WorkerPool workers(Cores());
  std::size_t left = limits::kCorpusFileBytesMax;
  for (OpenedDocument& opened : documents) {
    const Stopwatch watch(clock);
    Result<std::string> bytes = files.Read(opened.document.path);
    opened.ms = watch.ms();
    if (bytes && bytes->size() > left) {
      bytes =
          Error{ErrorCode::kLimit, fmt::format("expected documents of at most {} bytes in all, found more; "
                                               "split the dataset",
                                               limits::kCorpusFileBytesMax)};
    }
    if (!bytes) {
      opened.intake = bytes.error();
      continue;
    }
    left -= bytes->size();
    workers.Submit([&opened, &settings, &clock, bytes = std::move(*bytes)](WorkerState&) mutable {
      Open(opened, std::move(bytes), settings, clock);
    });
  }
}

std::shared_ptr<const Plan> OpeningPlan(Suite suite, const CallRules& calls) {
  Diagnostics found;
  std::shared_ptr<const Plan> plan = Plan::Build(
      std::move(suite),
      {.max_in_flight = calls.max_in_flight, .programs = ProgramPlaces(), .part = RunPart::kOpening}, found);
  ASSAY_ASSERT(plan != nullptr);
  return plan;
}

// The exchanges of each cell of the opening, those that were asked for.
Result<std::vector<std::vector<Exchange>>> AskedOf(Store& store, const std::string& run_id,
                                                   std::size_t cells) {
  std::vector<std::vector<Exchange>> asked(cells);
  ASSAY_CHECK_OK(store.VisitAnswered(run_id, RunPart::kOpening, {0, cells}, nullptr,
                                     [&](const CellResult& cell, std::span<Exchange> exchanges) {
                                       asked[cell.cell] = TakeAll(exchanges);
                                       return Ok();
                                     }));
  return asked;
}

void TakeAnswers(const CorpusSettings& settings, const std::string& missing,
                 const std::vector<Exchange>& asked, const Clock& clock, OpenedDocument& opened) {
  const Stopwatch watch(clock);
  const bool has_failed = asked.empty() || asked.front().error;
  if (!missing.empty() && has_failed && NeedsProgram(opened.document)) {
    opened.intake = Error{ErrorCode::kNotFound, missing};
    return;
  }
  if (asked.empty()) {
    opened.intake = Error{ErrorCode::kCancelled,
                          "what it needs was not asked for (--offline, a limit, or a recording without it)"};
    return;
  }
  opened.intake = TakeIn({.document = opened.document, .settings = settings, .pdf_toolchain = {}}, asked);
  if (opened.intake && !opened.intake->needs.empty())
    opened.intake = Error{ErrorCode::kCancelled,
                          "what it needs was not asked for (--offline, a limit, or a recording without it)"};
  for (const Exchange& exchange : asked)
    opened.ms += FineMilliseconds(std::chrono::microseconds(exchange.duration_us)).count();
  opened.ms += watch.ms();
}

// All vectors of a corpus are of one size: that of the first.
std::size_t DimensionsOf(const std::vector<OpenedDocument>& documents) {
  for (const OpenedDocument& opened : documents) {
    if (opened.intake && !opened.intake->vectors.empty()) return opened.intake->vectors.front().size();
  }
  return 0;
}

Status AddDocument(OpenedDocument& opened, std::size_t dimensions, const Clock& clock,
                   CorpusBuilder& builder) {
  const Stopwatch watch(clock);
  if (!opened.intake) return opened.intake.error();
  Intake& intake = *opened.intake;
  if (!intake.vectors.empty() && intake.vectors.front().size() != dimensions) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("its embedder gave vectors of {} numbers, and of {} for documents before it",
                             intake.vectors.front().size(), dimensions)};
  }
  ASSAY_CHECK_OK(builder.Add({.id = opened.document.id,
                              .title = std::string(FileNameOf(opened.document.path)),
                              .content = std::move(intake.content)}));
  if (!intake.vectors.empty()) ASSAY_CHECK_OK(builder.AddVectors(intake.vectors));
  builder.SetTime(opened.ms + watch.ms());
  return Ok();
}

// Keeps the texts for whoever looks at the run, as far as there is room for them.
Status KeepDocuments(Store& store, const std::string& run_id, const Corpus& corpus) {
  constexpr std::size_t kBytesAtOnce = 32u << 20;
  std::vector<RunDocument> documents;
  for (const auto& [id, problem] : corpus.problems()) documents.push_back({.id = id, .problem = problem});
  std::size_t left = limits::kStoredDocumentsBytesMax;
  std::size_t bytes = 0;
  for (const CorpusDocument& document : corpus.documents()) {
    const std::string_view text = CutToBytes(document.content.text, limits::kStoredDocumentBytesMax);
    if (text.size() > left) continue;
    left -= text.size();
    bytes += text.size();
    RunDocument& kept = documents.emplace_back();
    kept.id = document.id;
    kept.text = text;
    for (const std::size_t start : document.content.page_starts) {
      if (start < text.size()) kept.page_starts.push_back(start);
    }
    if (bytes < kBytesAtOnce) continue;
    ASSAY_CHECK_OK(store.SaveDocuments(run_id, documents));
    documents.clear();
    bytes = 0;
  }
  return store.SaveDocuments(run_id, documents);
}

}  // namespace

Opening OpenDocuments(const Planned& planned, const RunSpec& spec, const Granted& granted, FileReader& files,
                      const Clock& clock) {
  Opening opening;
  const DialectRow& dialect = *planned.dialect;
  const Suite& suite = planned.plan->suite();
  if (dialect.documents == nullptr) return opening;
  for (CaseDocument& document : dialect.documents(suite)) {
    if (opening.documents.size() > limits::kDocumentsMax) break;  // the corpus says so of the one beyond
    opening.documents.push_back(
        {.document = std::move(document), .intake = Error{ErrorCode::kNotFound, "it was not read"}});
  }
  if (opening.documents.empty()) return opening;
  ScopedFileReader own_files = FilesOf(spec, granted, &dialect, files);
  OpenAll(suite.corpus, own_files, clock, opening.documents);
  std::vector<CaseDocument> asking;
  bool needs_program = false;
  for (const OpenedDocument& opened : opening.documents) {
    if (!opened.is_asked) continue;
    asking.push_back(opened.document);
    needs_program = needs_program || NeedsProgram(opened.document);
  }
  if (asking.empty()) return opening;
  const ModelBook models(granted.settings.models);
  Machine machine{.toolchains = {}, .programs = ProgramPlaces(), .models = models};
  if (needs_program) {
    Result<InstalledToolchain> found = FindToolchain(kPdfProgram, granted.sandbox);
    if (found) {
      machine.toolchains.push_back(
          {.language = std::string(kPdfProgram), .digest = found->digest, .missing = {}});
      opening.toolchains.push_back(*std::move(found));
    } else {
      opening.missing = found.error().message;
    }
  }
  // How answers are graded is nothing to documents.
  Suite questions = Finish(OpeningSuite(suite, std::move(asking)), machine, RunSpec());
  opening.plan = OpeningPlan(std::move(questions), granted.calls);
  return opening;
}

std::shared_ptr<const Plan> OpeningPlanUnread(const DialectRow& dialect, const Suite& suite) {
  if (dialect.documents == nullptr || !suite.corpus.endpoint) return nullptr;
  std::vector<CaseDocument> documents = dialect.documents(suite);
  if (documents.empty()) return nullptr;
  return OpeningPlan(OpeningSuite(suite, std::move(documents)), {});
}

Result<std::shared_ptr<const Corpus>> BuildCorpus(const CorpusSettings& settings,
                                                  std::vector<OpenedDocument> documents, const Clock& clock,
                                                  std::vector<std::string>& warnings) {
  const std::size_t dimensions = DimensionsOf(documents);
  CorpusBuilder builder(CorpusOptionsOf(settings, dimensions));
  for (OpenedDocument& opened : documents) {
    const Status added = AddDocument(opened, dimensions, clock, builder);
    opened.document.blob.reset();
    if (added) continue;
    warnings.push_back(fmt::format("document {} ({}) cannot be used: {}", Quoted(opened.document.id),
                                   Printable(opened.document.path), Printable(added.error().message)));
    builder.AddProblem(opened.document.id, added.error().message);
  }
  return std::move(builder).Build();
}

namespace {

// The corpus of opened documents whose answers are there: by case of the opening's plan what answers it;
// empty where nothing does.
Result<std::shared_ptr<const Corpus>> CorpusOf(const CorpusSettings& settings,
                                               std::vector<OpenedDocument> documents,
                                               const std::string& missing,
                                               std::span<const std::vector<Exchange>> asked,
                                               const Clock& clock, std::vector<std::string>& warnings) {
  static const std::vector<Exchange> kNothing;
  {
    WorkerPool workers(Cores());
    std::size_t cell = 0;
    for (OpenedDocument& opened : documents) {
      if (!opened.is_asked) continue;
      const std::vector<Exchange>& answers = cell < asked.size() ? asked[cell] : kNothing;
      ++cell;
      workers.Submit([&](WorkerState&) { TakeAnswers(settings, missing, answers, clock, opened); });
    }
  }
  return BuildCorpus(settings, std::move(documents), clock, warnings);
}

std::vector<std::vector<ExchangeId>> IdsOf(std::span<const std::vector<Exchange>> asked) {
  std::vector<std::vector<ExchangeId>> ids;
  for (const std::vector<Exchange>& answers : asked) {
    std::vector<ExchangeId>& of_case = ids.emplace_back();
    for (const Exchange& answer : answers) of_case.push_back(answer.id);
  }
  return ids;
}

}  // namespace

Result<DocumentsAhead> LookAhead(const CorpusSettings& settings, Opening opening,
                                 std::span<const std::vector<Exchange>> asked, const Clock& clock) {
  DocumentsAhead ahead;
  const bool is_whole = std::none_of(asked.begin(), asked.end(),
                                     [](const std::vector<Exchange>& answer) { return answer.empty(); });
  const bool may_be_whole = is_whole || !opening.missing.empty();  // what no program can read stays unread
  if (!opening.documents.empty() && may_be_whole) {
    // The run may get other answers, and then builds another corpus of the same documents.
    std::vector<OpenedDocument> documents =
        opening.plan == nullptr ? std::exchange(opening.documents, {}) : opening.documents;
    ASSAY_TRY(ahead.corpus,
              CorpusOf(settings, std::move(documents), opening.missing, asked, clock, ahead.warnings));
    ahead.answered_by = IdsOf(asked);
  }
  ahead.opening = std::move(opening);
  return ahead;
}

Result<Ingested> Ingest(const RunWorld& world, const Planned& planned, DocumentsAhead documents,
                        const RunSpec& spec, const Granted& granted, RunRecord record,
                        const Onlooker& onlooker) {
  Ingested ingested{.record = std::move(record), .corpus = nullptr, .warnings = {}};
  Opening& opening = documents.opening;
  if (opening.documents.empty() && documents.corpus == nullptr) return ingested;
  std::vector<std::vector<Exchange>> asked;
  if (opening.plan != nullptr) {
    const PartOfRun part{.plan = *opening.plan, .toolchains = opening.toolchains};
    ASSAY_TRY(Ran ran, ExecutePlan(world, planned, part, spec, granted, ingested.record, onlooker));
    ingested.record = std::move(ran.record);
    ingested.ending = ran.ending;
    if (ran.ending == RunEnding::kInterrupted) return ingested;
    ASSAY_TRY(asked,
              AskedOf(world.store, ingested.record.context.run_id, opening.plan->suite().cases.size()));
  }
  if (documents.corpus != nullptr && documents.answered_by == IdsOf(asked)) {
    ingested.corpus = std::move(documents.corpus);
    ingested.warnings = std::move(documents.warnings);
  } else {
    documents.corpus.reset();
    ASSAY_TRY(ingested.corpus, CorpusOf(planned.plan->suite().corpus, std::move(opening.documents),
                                        opening.missing, asked, world.clock, ingested.warnings));
  }
  ingested.open = ingested.warnings.size();
  ASSAY_CHECK_OK(KeepDocuments(world.store, ingested.record.context.run_id, *ingested.corpus));
  return ingested;
}

}  // namespace assay
