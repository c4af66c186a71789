// How similar answers are to each other and to the ideal: cosines of their embeddings, prompt by prompt and
// in the mean (spec: blueprint 14). One prompt's vectors are held at a time.
#pragma once

#include <vector>

#include "dialects/blueprint/write/pairs.h"
#include "text/json/stream.h"

namespace assay::blueprint {

// Over FileFrame::effective_models, row by row: 1 on the diagonal, NaN where one of two texts has no vector.
using SimilarityMatrix = std::vector<double>;

// Over all prompts, of the values that are known. Empty if the run embedded nothing.
Result<SimilarityMatrix> MeanSimilarities(const FileFrame& frame);
// `similarityMatrix`: model -> model -> number, null for NaN; an empty map for an empty matrix.
void WriteMeanSimilarities(const FileFrame& frame, JsonStream& json);
// `perPromptSimilarities`: prompt -> model -> model -> number; an empty map if the run embedded nothing.
Status WritePromptSimilarities(const FileFrame& frame, JsonStream& json);
// The part of it that statistics read: prompt -> model -> {IDEAL_BENCHMARK: number}, known numbers only.
Result<Value> SimilaritiesToIdeal(const FileFrame& frame);

}  // namespace assay::blueprint
