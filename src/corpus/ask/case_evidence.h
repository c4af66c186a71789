// The evidence of a case: what its checks look for (texts, patterns, words of a document that are to be
// quoted), where its documents have it, and how far it came on its way into an answer. Pure; any thread.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "corpus/index/corpus.h"
#include "spec/exchange/exchange.h"
#include "spec/score/score.h"
#include "text/value.h"

namespace assay {

struct Case;
struct Check;
struct Suite;
class CpuBudget;

// What does not change from one attempt at the case to the next. Immutable; the corpus must outlive it.
class CaseEvidence {
 public:
  CaseEvidence(const Corpus& corpus, const Case& the_case);
  ~CaseEvidence();

  // `exchanges`: of the attempt's answer, in order; its tools' replies are among them.
  AttemptEvidence Of(std::span<const Exchange> exchanges, std::string_view answer) const;

 private:
  struct Needed;
  struct Shown;
  static std::optional<Needed> NeededBy(const Check& check, const Case& the_case);
  std::string_view TextOf(std::uint32_t document) const;
  void FindPlaces(Needed& needed, CpuBudget& budget) const;
  void FindChunk(Shown& hit) const;
  void AddHit(std::string_view handle, const Value& passage, std::vector<Shown>& shown) const;
  void AddShown(const Value& reply, std::vector<Shown>& shown) const;
  bool Holds(const Needed& needed, const Shown& shown, CpuBudget& budget) const;
  EvidencePath PathOf(const Needed& needed, const std::vector<Shown>& shown, std::string_view answer) const;
  void AddQuotes(std::string_view answer, std::vector<DocumentPassage>& passages) const;

  const Corpus& corpus_;
  std::vector<std::optional<DocumentIndex>> documents_;  // of the case, in its order; absent: not read
  std::vector<Needed> needed_;
};

// By case; null: it has no documents. The corpus must outlive it.
using SuiteEvidence = std::vector<std::shared_ptr<const CaseEvidence>>;
SuiteEvidence EvidenceOf(const Corpus& corpus, const Suite& suite);

}  // namespace assay
