// RunDocuments: the documents of a run, and the evidence of its cases. By default there are none. Immutable,
// cheap to copy; any thread.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "corpus/ask/case_evidence.h"
#include "spec/exchange/exchange.h"
#include "spec/ids.h"

namespace assay {

class RunDocuments {
 public:
  RunDocuments() = default;
  // `corpus` null: there are none.
  RunDocuments(std::shared_ptr<const Corpus> corpus, const Suite& suite);

  // CorpusRequest::corpus of a question to these documents; "" where there are none.
  std::string DigestOf(std::span<const std::string> ids) const;
  // kNotFound where there are none.
  Result<CorpusReply> AnswerOf(const CorpusRequest& request) const;
  // How far came what the checks of a case look for; nothing of a case without documents. `exchanges` and
  // `answer`: as CaseEvidence::Of.
  std::optional<AttemptEvidence> EvidenceOf(CaseIndex case_index, std::span<const Exchange> exchanges,
                                            std::string_view answer) const;

 private:
  std::shared_ptr<const Corpus> corpus_;
  std::shared_ptr<const SuiteEvidence> evidence_ = std::make_shared<const SuiteEvidence>();
};

}  // namespace assay
