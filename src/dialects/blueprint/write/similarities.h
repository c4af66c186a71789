// Computes how similar answers are to each other and to the ideal: cosines of their embeddings, prompt by
// prompt and in the mean (spec: blueprint 14). One prompt's vectors are held at a time.
#pragma once

#include <vector>

#include "base/files/spool.h"
#include "dialects/blueprint/write/pairs.h"
#include "text/json/stream.h"

namespace assay::blueprint {

// Over FileFrame::effective_models, row by row: 1 on the diagonal, NaN where one of two texts has no vector.
using SimilarityMatrix = std::vector<double>;

// Of one prompt. The run must have embedded something.
Result<SimilarityMatrix> SimilaritiesOf(const FileFrame& frame, CaseIndex index);

// Their means over all prompts, of the values that are known.
class SimilarityMeans {
 public:
  explicit SimilarityMeans(const FileFrame& frame);
  void Add(const SimilarityMatrix& matrix);
  SimilarityMatrix Take();  // empty if the run embedded nothing

 private:
  std::size_t models_ = 0;
  SimilarityMatrix sums_;
  std::vector<double> counts_;
};

// `similarityMatrix`: model -> model -> number, null for NaN; an empty map for an empty matrix.
void WriteMeanSimilarities(const FileFrame& frame, JsonStream& json);
// `perPromptSimilarities`: prompt -> model -> model -> number; an empty map if the run embedded nothing. A
// member of a map that is open at this depth of its file.
class PromptSimilarities {
 public:
  PromptSimilarities(JsonStyle style, std::size_t depth);
  PromptSimilarities(const PromptSimilarities&) = delete;
  PromptSimilarities& operator=(const PromptSimilarities&) = delete;
  void Add(const FileFrame& frame, CaseIndex index, const SimilarityMatrix& matrix);
  Status Finish();
  const Spool& text() const { return text_; }

 private:
  Spool text_;
  JsonStream json_;
};
// The part of it that statistics read: prompt -> model -> {IDEAL_BENCHMARK: number}, known numbers only.
Result<Value> SimilaritiesToIdeal(const FileFrame& frame);

}  // namespace assay::blueprint
