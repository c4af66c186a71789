// Intake: the rounds of requests that a document needs before it can be searched (a program for its text, an
// embedder for vectors), and the document that results. Pure: the caller sends the requests and hands in the
// replies.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/index/corpus.h"
#include "spec/exchange/exchange.h"
#include "spec/suite/embedder.h"
#include "spec/suite/suite_rules.h"

namespace assay {

struct CaseDocument;

// The toolchain and the program that reads PDFs.
inline constexpr std::string_view kPdfProgram = "pdftotext";

CorpusOptions CorpusOptionsOf(const CorpusSettings& settings, std::size_t dimensions);

// Whether reading it takes a program. By its name, then by its first bytes.
bool NeedsProgram(const CaseDocument& document);

struct IntakeInput {
  const CaseDocument& document;  // with its blob
  const CorpusSettings& settings;
  std::string_view pdf_toolchain;  // its digest; "" if it is not installed
};

// Either requests, to go out together, or the document.
struct Intake {
  std::vector<Request> needs;
  DocumentText content;         // if it needs nothing more
  std::vector<Vector> vectors;  // of its chunks, if they come from outside; all of one size
};
// `so_far`: what was asked for in all rounds before, in order. An Error says in a phrase why the document
// cannot be had; it is about the document, whatever it was that failed.
Result<Intake> TakeIn(const IntakeInput& input, std::span<const Exchange> so_far);

}  // namespace assay
