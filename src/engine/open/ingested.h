// Opens the documents that a run's cases are about, before the run, and makes the Corpus that it searches.
//
// Planned -> Opening (files read) -> Ingested (what is asked for them is asked). A document that cannot be
// had stops nothing: the Corpus says why.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "corpus/read/intake.h"
#include "engine/run/ran.h"
#include "spec/suite/suite.h"

namespace assay {

// A document as its file has it.
struct OpenedDocument {
  CaseDocument document;  // with its blob, if the file could be read
  Result<Intake> intake;  // what has come of it so far; an Error says why nothing does
  bool is_asked = false;  // somebody has to be asked before it is whole
  double ms = 0;          // that this took
};

// The documents of a suite, and what they need beside their files.
struct Opening {
  std::vector<OpenedDocument> documents;  // in the corpus's order
  std::shared_ptr<const Plan> plan;       // of a suite with a case for each that needs asking; null: none
  std::vector<InstalledToolchain> toolchains;  // of its programs
  std::string missing;  // why there is no program for PDFs; "" if there is, or none is needed
};

// Reads the documents through `files`, several at once. Empty where nobody reads any.
Opening OpenDocuments(const Planned& planned, const RunSpec& spec, const Granted& granted, FileReader& files,
                      const Clock& clock);
// Whom documents that are not read yet may be put to: for looking before a run. Null: nobody.
std::shared_ptr<const Plan> OpeningPlanUnread(const DialectRow& dialect, const Suite& suite);

// The corpus of what was taken in; a line in `warnings` for each document that cannot be had.
Result<std::shared_ptr<const Corpus>> BuildCorpus(const CorpusSettings& settings,
                                                  std::vector<OpenedDocument> documents, const Clock& clock,
                                                  std::vector<std::string>& warnings);

// The documents of a run as a look ahead has them: read, and the corpus if all that they need is stored.
struct DocumentsAhead {
  Opening opening;  // if nobody is to be asked and there is a corpus, without documents: they are in it
  std::shared_ptr<const Corpus> corpus = {};  // null: no documents, or somebody is to be asked first
  std::vector<std::string> warnings = {};     // of the corpus: a line for each document that cannot be had
  std::vector<std::vector<ExchangeId>> answered_by = {};  // by case of the opening's plan
};

// `asked`: by case of the opening's plan what answers it, as the store has it; empty where nothing does.
Result<DocumentsAhead> LookAhead(const CorpusSettings& settings, Opening opening,
                                 std::span<const std::vector<Exchange>> asked, const Clock& clock);

struct Ingested {
  RunRecord record;                      // with what was sent
  std::shared_ptr<const Corpus> corpus;  // null: nobody reads documents
  std::vector<std::string> warnings;     // a line for each document that cannot be had
  RunEnding ending = RunEnding::kWhole;  // kInterrupted: there is no corpus
  std::uint64_t open = 0;                // documents that may be had another time
};

// Asks what the documents need under the run, and builds the corpus; the one of the look ahead, if it is of
// the same answers.
Result<Ingested> Ingest(const RunWorld& world, const Planned& planned, DocumentsAhead documents,
                        const RunSpec& spec, const Granted& granted, RunRecord record,
                        const Onlooker& onlooker);

}  // namespace assay
