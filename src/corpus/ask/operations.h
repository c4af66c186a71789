// The operations that a run may ask of its documents (open, evidence, relevant, full, list, grep, quote): one
// row each in operations.cc. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "corpus/index/corpus.h"
#include "text/value.h"

namespace assay {

// "open": which of the documents can be read, and what they are.
//   {documents: [{id, handle, title, characters, chunks, ingestion_ms}], problems: [{id, reason}]}
inline constexpr std::string_view kOpenDocuments = "open";
// "evidence": {query} -> {evidence: [{handle, relevance, text}]}, the best of every document.
inline constexpr std::string_view kFindEvidence = "evidence";
// "relevant": what the tool get_relevant_content takes and gives (relevant_content.h).
inline constexpr std::string_view kRelevantContent = "relevant";
// "full": {urls} -> by source {title, content, content_length}.
inline constexpr std::string_view kFullContent = "full";
// "list": {path} and "grep": {pattern, path} -> {stdout, stderr, exit_code}, as a shell would print them.
inline constexpr std::string_view kListDocuments = "list";
inline constexpr std::string_view kGrepDocuments = "grep";
// "quote": {text, words} -> {quote, words, place}: the first run of at least so many words of the documents
// that the text has (quote.h); {problems: [{id, reason}]} of those that are not here, where it has none.
inline constexpr std::string_view kFindQuote = "quote";

// `documents`: ids of those that the asking case may see, in order; nothing else of the corpus is told.
// kUnsupported: there is no such operation.
Result<Value> AnswerOf(const Corpus& corpus, std::string_view operation, const Value& arguments,
                       std::span<const std::string> documents);

}  // namespace assay
