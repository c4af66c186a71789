// Asks the corpus of a run, where there is one.
#include "corpus/ask/run_documents.h"

#include <utility>

#include "corpus/ask/operations.h"

namespace assay {

RunDocuments::RunDocuments(std::shared_ptr<const Corpus> corpus, const Suite& suite)
    : corpus_(std::move(corpus)) {
  if (corpus_) evidence_ = std::make_shared<const SuiteEvidence>(assay::EvidenceOf(*corpus_, suite));
}

std::string RunDocuments::DigestOf(std::span<const std::string> ids) const {
  return corpus_ ? Hex(corpus_->DigestOf(ids)) : std::string();
}

Result<CorpusReply> RunDocuments::AnswerOf(const CorpusRequest& request) const {
  if (!corpus_) return Error{ErrorCode::kNotFound, "the run has no documents"};
  ASSAY_TRY(Value answer, assay::AnswerOf(*corpus_, request.operation, request.arguments, request.documents));
  return CorpusReply{std::move(answer)};
}

std::optional<AttemptEvidence> RunDocuments::EvidenceOf(CaseIndex case_index,
                                                        std::span<const Exchange> exchanges,
                                                        std::string_view answer) const {
  if (case_index >= evidence_->size() || (*evidence_)[case_index] == nullptr) return std::nullopt;
  return (*evidence_)[case_index]->Of(exchanges, answer);
}

}  // namespace assay
